package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
)

var points = flag.Int("points", 0, "moments at which TestEnds ends each command by each signal, in place of those of the level")

// writer is a command that writes files: @ is the folder. What is there before are files of an earlier run.
type writer struct {
	name   string
	before []string // a command that prepares the folder, once
	args   []string
	closed bool // its result is standard output
}

func writers(t *testing.T) []writer {
	t.Helper()
	abs := func(path string) string {
		path, err := filepath.Abs(path)
		require.NoError(t, err)
		return path
	}
	plan := []string{"farm", "plan", "-o", "@/plan.json", "--shards", "2", "bench", "--core", "em9d", "-run", "fir|crc|iir"}
	return []writer{
		{name: "bench", args: []string{"bench", "-run", "fir|crc|iir", "--core", "em9d", "-o", "@/out.txt"}},
		{name: "regress", args: []string{"regress", "-run", "^mli_krn_relu_fx8/1", "--core", "em9d", "--junit", "@/out.xml"}, closed: true},
		{name: "report", args: []string{"report", "-run", "^mli_krn_relu_fx8/1", "--html", "@/out.html"}},
		{name: "farm", before: plan, args: []string{"farm", "run", "@/plan.json", "--local", "-j", "1"}, closed: true},
		{name: "snapshot", args: []string{"run", "--save", "@/out.snap", "--max-inst", "150M", abs("../../testdata/guest/elf/spin.elf")}},
		{name: "export", args: []string{"model", "compile", "-o", "@/out", abs("../../benchmarks/networks/keywords.tflite")}},
		{name: "trace", args: []string{"run", "--trace", "@/out.csv", "--trace-format", "csv", "--max-inst", "300k", abs("../../testdata/guest/elf/spin.elf")}},
		{name: "kernels", args: []string{"kernels", "export", "-o", "@/out"}},
		{name: "networks", args: []string{"model", "export", "-o", "@/out"}},
		{name: "convert", args: []string{"model", "convert", "-o", "@/out.tosa", abs("../../benchmarks/networks/keywords.tflite")}},
		{name: "quantize", args: []string{"model", "quantize", "lenet", "-o", "@/out.tflite"}},
		{name: "record", args: []string{"model", "run", abs("../../benchmarks/networks/keywords.tflite"), "--record", "-o", "@/out"}},
	}
}

// ended is how a process ended.
type ended struct {
	status   int // 128 and the signal when it was killed
	out, msg string
	took     time.Duration
}

// command runs arcsim below a shell command such as a limit; a signal comes after a time.
func (w writer) command(t *testing.T, bin, dir, shell string, sig syscall.Signal, after time.Duration) ended {
	t.Helper()
	args := make([]string, len(w.args))
	for i, a := range w.args {
		args[i] = strings.ReplaceAll(a, "@", dir)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", shell, filepath.Join(bin, "arcsim")}, args...)...)
	var out, msg bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.Dir = &out, &msg, bin
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+bin, "HOME="+bin)
	start := time.Now()
	require.NoError(t, cmd.Start())
	if sig != 0 {
		time.AfterFunc(after, func() { _ = cmd.Process.Signal(sig) })
	}
	err := cmd.Wait()
	require.NoError(t, ctx.Err(), "%s does not end", w.name)
	e := ended{msg: msg.String(), out: out.String(), took: time.Since(start)}
	if state, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && state.Signaled() {
		e.status = 128 + int(state.Signal())
	} else if err != nil {
		e.status = cmd.ProcessState.ExitCode()
	}
	return e
}

// below are the files below a folder.
func below(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		files[strings.TrimPrefix(path, dir)] = string(text)
		return err
	}))
	return files
}

// log are the files that grow while their writer runs.
func log(name string) bool { return strings.HasSuffix(name, ".log") }

// left checks what a command left in a folder: files that were there as they were or complete, no other ones, and temporary files only
// of one that was killed.
func left(t *testing.T, what string, before, after, complete map[string]string, killed bool) {
	t.Helper()
	for name, text := range before {
		now, there := after[name]
		require.True(t, there, "%s: %s is lost", what, name)
		if text != now && !log(name) {
			require.Equal(t, len(complete[name]) > 0, true, "%s: %s has changed", what, name)
		}
	}
	for name, text := range after {
		if strings.HasPrefix(filepath.Base(name), ".") {
			require.True(t, killed, "%s: %s is left", what, name)
			continue
		}
		_, known := complete[name]
		failed := strings.HasSuffix(name, ".failed") || strings.HasSuffix(name, ".failed.txt")
		require.True(t, known || failed || log(name), "%s: %s is left", what, name)
		if known && !log(name) && before[name] != text {
			require.True(t, whole(t, name, text, complete[name]), "%s: %s is not whole: %d bytes of %d", what, name, len(text), len(complete[name]))
		}
	}
}

// whole reports whether a file is one that the command would write: results up to an end are a whole file of fewer results.
func whole(t *testing.T, name, text, complete string) bool {
	t.Helper()
	switch filepath.Ext(name) {
	case ".json":
		return json.Valid([]byte(text))
	case ".xml":
		return xml.Unmarshal([]byte(text), new(struct{ XMLName xml.Name })) == nil
	case ".html":
		return strings.HasSuffix(strings.TrimSpace(text), "</html>")
	case ".txt", ".csv":
		head, _, _ := strings.Cut(complete, "\n")
		return strings.HasPrefix(text, head) && strings.HasSuffix(text, "\n")
	}
	if strings.HasSuffix(name, ".snap") {
		path := filepath.Join(t.TempDir(), "snap")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		var out bytes.Buffer
		return Main([]string{"run", "--restore", path, "--max-inst", "1", "../../testdata/guest/elf/spin.elf"}, nil, &out, &out) == statusInstLimit
	}
	return len(text) == len(complete)
}

// TestEnds: whenever a command is told to end, is killed, cannot write or has nobody to write to, files that were there are there, those
// that it wrote are whole, and its status and message say what happened.
func TestEnds(t *testing.T) {
	level.NeedsPlain(t, "runs commands as processes, many times")
	moments := level.Count(2, 1, 0)
	if *points > 0 {
		moments = *points
	}
	bin := t.TempDir()
	commandIn(t, bin)
	const plain = `exec "$0" "$@"`
	for k, w := range writers(t) {
		if *points == 0 && !level.Wants(k, 4, 4) {
			continue
		}
		t.Run(w.name, func(t *testing.T) {
			fresh := func() string {
				dir := t.TempDir()
				if w.before != nil {
					first := writer{name: "before", args: w.before}
					require.Zero(t, first.command(t, bin, dir, plain, 0, 0).status)
				}
				return dir
			}
			dir := fresh()
			empty := below(t, dir)
			undisturbed := w.command(t, bin, dir, plain, 0, 0)
			require.Contains(t, []int{0, statusInstLimit}, undisturbed.status, undisturbed.msg)
			complete := below(t, dir)
			ends := map[int]int{}
			for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT, syscall.SIGKILL} {
				for i := range moments {
					after := time.Duration(float64(undisturbed.took) * (float64(i) + 0.5) / float64(moments))
					dir, before := fresh(), empty
					if i%2 == 1 && w.before == nil { // over the files of an earlier run
						before = map[string]string{}
						for name := range complete {
							before[name] = "of an earlier run"
							require.NoError(t, os.MkdirAll(filepath.Dir(dir+name), 0o755))
							require.NoError(t, os.WriteFile(dir+name, []byte(before[name]), 0o600))
						}
					}
					e := w.command(t, bin, dir, plain, sig, after)
					what := fmt.Sprintf("%v after %v: status %d, %q", sig, after, e.status, e.msg)
					left(t, what, before, below(t, dir), complete, sig == syscall.SIGKILL)
					ends[e.status]++
					if sig == syscall.SIGKILL {
						require.Contains(t, []int{128 + int(sig), undisturbed.status}, e.status, what)
						continue
					}
					// A signal before the program has begun ends it as any other.
					require.Contains(t, []int{128 + int(sig), statusInterrupted, undisturbed.status}, e.status, what)
					if e.status == statusInterrupted && sig != syscall.SIGINT { // whose status without a handler is the same
						require.Regexp(t, "interrupted|not run", e.msg+e.out, what)
					}
				}
			}
			t.Logf("%d signals, statuses %v", 4*moments, ends)
			for _, full := range []string{`ulimit -f 0; `, `ulimit -f 8; `, ""} {
				dir, why := fresh(), "file too large"
				if full == "" {
					if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=4k"); err != nil {
						t.Logf("no disk of 4 KB here: %v", err)
						continue
					}
					why = "no space left on device"
					for name, text := range empty {
						require.NoError(t, os.MkdirAll(filepath.Dir(dir+name), 0o755))
						if os.WriteFile(dir+name, []byte(text), 0o600) != nil {
							t.Logf("no room for %s", name)
						}
					}
				}
				before := below(t, dir)
				e := w.command(t, bin, dir, full+plain, 0, 0)
				what := fmt.Sprintf("%sstatus %d, %q", full, e.status, e.msg)
				after := below(t, dir)
				if full == "" {
					require.NoError(t, syscall.Unmount(dir, syscall.MNT_DETACH))
				}
				left(t, what, before, after, complete, false)
				if e.status != undisturbed.status {
					require.Contains(t, []int{1, 3}, e.status, what)
					require.Contains(t, e.msg, why, what)
				}
			}
			if w.closed {
				e := w.command(t, bin, fresh(), `exec "$0" "$@" >/dev/full`, 0, 0)
				require.Equal(t, 3, e.status, e.msg)
				require.Contains(t, e.msg, "no space left on device")
			}
			// A folder that nobody can write to, not even root.
			e := w.command(t, bin, "/proc/self", plain, 0, 0)
			require.NotContains(t, []int{0, statusInstLimit}, e.status, e.msg)
			require.Contains(t, e.msg, "/proc/self", "no message names the place")
		})
	}
}
