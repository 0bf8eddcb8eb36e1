package profile_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/internal/dev/testkit/gnutools"
	"arcv2dsp/internal/measure/profile"
)

// program is built by testdata/build.sh.
const program = "calls.elf"

func load(t *testing.T) *arcv2dsp.Machine {
	t.Helper()
	m, err := arcv2dsp.New(arcv2dsp.Config{Core: "em9d", Stdout: io.Discard})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, m.Close()) })
	require.NoError(t, m.LoadFile(filepath.Join("testdata", program)))
	return m
}

func run(t *testing.T, m *arcv2dsp.Machine) {
	t.Helper()
	stop, err := m.Run(context.Background(), arcv2dsp.Limits{Insts: 1_000_000})
	require.NoError(t, err)
	require.Equal(t, arcv2dsp.StopExited, stop.Reason)
	require.Zero(t, stop.Status)
}

// profiled runs the program with a profile.
func profiled(t *testing.T) (*profile.Profile, arcv2dsp.Stats) {
	t.Helper()
	m := load(t)
	counts := m.StartProfile()
	run(t, m)
	p, err := profile.New(m, program, counts.Stop())
	require.NoError(t, err)
	require.Equal(t, m.Stats(), p.Total)
	return p, p.Total
}

// tool returns the path of a program of the host that a test needs; without it the test is skipped,
// or fails when all tools must be there.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		if os.Getenv("ARCV2DSP_REQUIRE_TOOLS") != "" {
			t.Fatalf("%s is not installed", name)
		}
		t.Skipf("%s is not installed", name)
	}
	return path
}

// command runs a tool in testdata, where the sources are, and returns what it prints.
func command(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = "testdata"
	cmd.Env = append(os.Environ(), "PPROF_TMPDIR="+t.TempDir())
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

// TestPprof reads the profile back: sums, names, lines, inlined calls and stacks.
func TestPprof(t *testing.T) {
	p, total := profiled(t)
	require.Equal(t, total, pprofTotal(t, p))
	stacks := map[string]bool{}
	for _, s := range pprofOf(t, p).Sample {
		var names []string
		for _, l := range s.Location {
			for _, line := range l.Line {
				names = append(names, line.Function.Name)
			}
		}
		stacks[strings.Join(names, " ")] = true
	}
	for _, stack := range []string{
		"_start", "main _start", "square leaf middle main _start", "fib fib main _start",
		"count tick [handlers]", "mli_krn_sum main _start",
	} {
		require.True(t, stacks[stack], "no stack %q in %v", stack, stacks)
	}
}

// TestPprofTool has go tool pprof print the profile.
func TestPprofTool(t *testing.T) {
	p, total := profiled(t)
	file := filepath.Join(t.TempDir(), "out.pb.gz")
	var b bytes.Buffer
	require.NoError(t, p.WritePprof(&b))
	require.NoError(t, os.WriteFile(file, b.Bytes(), 0o600))
	gobin := tool(t, "go")

	top := command(t, gobin, "tool", "pprof", "-top", file)
	require.Contains(t, top, fmt.Sprintf("Showing nodes accounting for %d, 100%% of %d total", total.Cycles, total.Cycles))
	require.Regexp(t, `\d+\s+\S+%\s+\S+%\s+\d+\s+\S+%\s+fib\n`, top)
	require.Contains(t, top, "square (inline)")

	list := command(t, gobin, "tool", "pprof", "-sample_index=instructions", "-list=^leaf$|^mli_krn_sum$", file)
	require.Regexp(t, `\n\s+150\s+750\s+12:\s+sum \+= square\(x \+ i\);\n`, list)
	require.Regexp(t, `\n\s+32\s+32\s+65:\s+dmach\s+0, r32, r33\n`, list)
	lost := command(t, gobin, "tool", "pprof", "-sample_index=xy-miss", "-top", file)
	require.Contains(t, lost, "mli_krn_sum")
}

func TestFolded(t *testing.T) {
	p, total := profiled(t)
	require.Equal(t, total.Cycles, foldedCycles(t, p))
	var b bytes.Buffer
	require.NoError(t, p.WriteFolded(&b))
	require.Contains(t, b.String(), "\n_start;main;middle;leaf;square ")
}

// TestCoverage compares line counts with what the source says, which the compiler left in its order.
func TestCoverage(t *testing.T) {
	p, _ := profiled(t)
	var b bytes.Buffer
	require.NoError(t, p.WriteCoverage(&b))
	text := b.String()
	for _, want := range []string{
		"SF:calls.c\n", "SF:start.s\n", "FN:8,leaf\n", "FNDA:15,leaf\n", "FNDA:0,never\n", "FNDA:104,fib\n",
		"DA:5,150\n", "DA:43,0\n", "DA:28,40\n", "DA:65,32\n",
	} {
		require.Contains(t, text, want)
	}
	for record := range strings.SplitSeq(strings.TrimSuffix(text, "end_of_record\n"), "end_of_record\n") {
		lines := regexp.MustCompile(`(?m)^DA:\d+,(\d+)$`).FindAllStringSubmatch(record, -1)
		hit := 0
		for _, l := range lines {
			if l[1] != "0" {
				hit++
			}
		}
		require.Contains(t, record, fmt.Sprintf("LF:%d\nLH:%d\n", len(lines), hit))
	}
}

func TestGenhtml(t *testing.T) {
	genhtml := tool(t, "genhtml")
	p, _ := profiled(t)
	dir := t.TempDir()
	var b bytes.Buffer
	require.NoError(t, p.WriteCoverage(&b))
	info := filepath.Join(dir, "f.info")
	require.NoError(t, os.WriteFile(info, b.Bytes(), 0o600))
	out := command(t, genhtml, "-o", filepath.Join(dir, "html"), info)
	require.NotContains(t, strings.ToLower(out), "warning")
	require.Contains(t, out, "functions..: ")
	require.FileExists(t, filepath.Join(dir, "html", "index.html"))
	pages, err := filepath.Glob(filepath.Join(dir, "html", "*", "calls.c.gcov.html"))
	require.NoError(t, err)
	require.Len(t, pages, 1)
}

// TestListing adds up the columns of a listing.
func TestListing(t *testing.T) {
	p, total := profiled(t)
	t.Chdir("testdata") // the debug information names the sources so
	insts, cycles, lost := listed(t, p)
	require.Equal(t, total.Insts, insts)
	require.Equal(t, total.Cycles, cycles)
	require.Equal(t, total.Cycles-total.Insts, lost)
	var b bytes.Buffer
	require.NoError(t, p.WriteListing(&b))
	require.Contains(t, b.String(), "; calls.c:12  \t\tsum += square(x + i);\n")
	require.Regexp(t, `\n +32 +96 +[\d.]+ %  [0-9a-f]{8}  dmach 0,r32,r33 +; xy-miss 64\n`, b.String())
}

// traced is an event of a Chrome trace.
type traced struct {
	Name, Ph string
	Ts, Dur  uint64
	Pid, Tid int
	Args     map[string]string
}

// trace runs a program with a trace and returns the names of the rows and the spans.
func trace(t *testing.T, m *arcv2dsp.Machine, lim arcv2dsp.Limits) (rows map[int]string, spans []traced) {
	t.Helper()
	var b bytes.Buffer
	trace, err := profile.NewTrace(m, program, &b)
	require.NoError(t, err)
	m.Observe(trace.Hooks())
	_, err = m.Run(context.Background(), lim)
	require.NoError(t, err)
	cut, err := trace.Close()
	require.NoError(t, err)
	require.False(t, cut)
	var file struct{ TraceEvents []traced }
	require.NoError(t, json.Unmarshal(b.Bytes(), &file))
	rows = map[int]string{}
	for _, e := range file.TraceEvents {
		switch e.Ph {
		case "M":
			if e.Name == "thread_name" {
				rows[e.Tid] = e.Args["name"]
			}
		case "X":
			require.LessOrEqual(t, e.Ts+e.Dur, m.Stats().Cycles)
			spans = append(spans, e)
		default:
			require.Fail(t, "an event of another kind", "%v", e)
		}
	}
	for _, e := range spans {
		require.NotEmpty(t, rows[e.Tid], "a row without a name")
	}
	return rows, spans
}

// apart reports whether spans do not overlap, or one lies in the other.
func apart(e, f traced) bool {
	return f.Ts+f.Dur <= e.Ts || e.Ts+e.Dur <= f.Ts ||
		e.Ts <= f.Ts && f.Ts+f.Dur <= e.Ts+e.Dur || f.Ts <= e.Ts && e.Ts+e.Dur <= f.Ts+f.Dur
}

// TestTrace reads a Chrome trace: spans lie inside each other, and each function is there as often
// as it was called.
func TestTrace(t *testing.T) {
	m := load(t)
	rows, spans := trace(t, m, arcv2dsp.Limits{Insts: 1_000_000})
	require.Len(t, rows, 3, "a program without tasks")
	calls := map[string]int{}
	kernels := map[string]uint64{}
	for i, e := range spans {
		if rows[e.Tid] == "kernels" {
			kernels[e.Name] += e.Dur
			continue
		}
		calls[e.Name]++
		for _, f := range spans[:i] {
			require.True(t, apart(e, f), "%v and %v", e, f)
		}
	}
	require.Equal(t, 1, calls["_start"])
	require.Equal(t, 1, calls["main"])
	require.Equal(t, 40, calls["choose"])
	require.Equal(t, calls["tick (vector 16)"], calls["count"])
	require.NotZero(t, calls["count"])
	require.Equal(t, 1, calls["mli_krn_sum"])
	require.Equal(t, 1, len(kernels))
	require.NotZero(t, kernels["mli_krn_sum"])
}

// TestTraceTasks: each task of a kernel has a row, and the time of functions in the rows equals the counts of a
// profile. Functions that others share an end with, or jump to, have other names in a profile.
func TestTraceTasks(t *testing.T) {
	for _, program := range []struct {
		name   string
		tasks  []string
		chains []string // what is compared
	}{
		{
			"tasks.elf",
			[]string{"vBlinkTask", "vMixTask", "vSumTask"},
			[]string{
				"vBlinkTask", "vBlinkTask;vTaskDelay", "vBlinkTask;vTaskDelay;dispatch;dispatcher;vTaskSwitchContext",
				"vMixTask", "vMixTask;mix", "vSumTask;sum", "vSumTask;sum;add_up",
				"[handlers];irq_timer0", "[handlers];irq_timer0;dispatcher", "[handlers];irq_timer0;xTaskIncrementTick",
			},
		},
		{
			"kernel.elf",
			[]string{"busy", "consumer", "idle", "periodic", "producer", "worker"},
			[]string{
				"busy", "busy;compute", "busy;compute;compute", "consumer", "consumer;get;block", "idle", "periodic",
				"producer", "worker", "worker;compute", "worker;compute;compute",
			},
		},
		{
			"dispatch.elf",
			[]string{"busy", "polite", "sleeper"},
			[]string{
				"busy", "busy;work", "busy;work;work", "polite;dispatch;next", "polite;work", "sleeper", "sleeper;begin",
				"sleeper;work", "sleeper;work;work", "[handlers];urgent", "[handlers];tick;next",
			},
		},
		{
			"threads.elf",
			[]string{"fourth", "idle", "reader", "third", "watch", "writer"},
			[]string{
				"fourth;work", "fourth;work;work", "idle", "reader", "reader;block", "reader;get", "third;work",
				"watch", "writer", "writer;put", "[handlers];irq_tick", "[handlers];irq_tick;pick",
			},
		},
		{
			"../../../internal/debug/testdata/threads.c", // as Zephyr switches; main is where the program began
			[]string{"ticker", "worker"},
			[]string{
				"ticker", "ticker;z_arc_switch", "ticker;z_arc_switch;note_thread", "worker", "worker;at_work", "worker;z_arc_switch",
				"worker;z_arc_switch;note_thread",
			},
		},
	} {
		t.Run(filepath.Base(program.name), func(t *testing.T) {
			file := filepath.Join("../../../testdata/guest/elf", program.name)
			if filepath.Ext(file) == ".c" {
				source := file
				file = filepath.Join(t.TempDir(), "threads.elf")
				out, err := exec.Command(gnutools.Path(t, "gcc"), "-mcpu=em4_dmips", "-O1", "-fno-omit-frame-pointer", "-nostdlib", "-static",
					"-Wl,-marcelf,-e,_start", "-Wa,--defsym,CAUSE=64", "-DLIST", "-DTABLE", "-o", file, source).CombinedOutput()
				require.NoError(t, err, "%s", out)
			}
			start := func() *arcv2dsp.Machine {
				m, err := arcv2dsp.New(arcv2dsp.Config{
					Core: "em9d", Stdout: io.Discard,
					Settings: []arcv2dsp.Setting{{Property: "nsim_isa_stack_checking=1"}},
				})
				require.NoError(t, err)
				t.Cleanup(func() { require.NoError(t, m.Close()) })
				require.NoError(t, m.LoadFile(file))
				return m
			}
			lim := arcv2dsp.Limits{Cycles: 200_000}
			m := start()
			rows, spans := trace(t, m, lim)
			var tasks []string
			for _, name := range rows {
				if task, ok := strings.CutPrefix(name, "task "); ok {
					tasks = append(tasks, task)
				}
			}
			require.ElementsMatch(t, program.tasks, tasks)
			times := selfTimes(t, rows, spans)
			var all uint64
			for _, n := range times {
				all += n
			}
			require.Equal(t, m.Stats().Cycles, all, "one of the rows is busy at any time")

			m = start()
			counts := m.StartProfile()
			_, err := m.Run(context.Background(), lim)
			require.NoError(t, err)
			p, err := profile.New(m, program.name, counts.Stop())
			require.NoError(t, err)
			var b bytes.Buffer
			require.NoError(t, p.WriteFolded(&b))
			for _, chain := range program.chains {
				require.NotZero(t, times[chain], chain)
				require.Contains(t, "\n"+b.String(), fmt.Sprintf("\n%s %d\n", chain, times[chain]))
			}
		})
	}
}

// selfTimes returns the cycles of each chain of functions without those of what they call and of the
// handlers that interrupt them, as in a folded profile.
func selfTimes(t *testing.T, rows map[int]string, spans []traced) map[string]uint64 {
	spans = slices.DeleteFunc(slices.Clone(spans), func(e traced) bool { return rows[e.Tid] == "kernels" })
	slices.Reverse(spans) // they are written as they end: now callers come before what they call
	slices.SortStableFunc(spans, func(e, f traced) int {
		return cmp.Or(cmp.Compare(e.Ts, f.Ts), cmp.Compare(f.Dur, e.Dur))
	})
	type open struct {
		chain string
		end   uint64
	}
	times := map[string]uint64{}
	var stack []open
	for _, e := range spans {
		for len(stack) > 0 && stack[len(stack)-1].end <= e.Ts {
			stack = stack[:len(stack)-1]
		}
		if len(stack) > 0 {
			require.LessOrEqual(t, e.Ts+e.Dur, stack[len(stack)-1].end, "%v outlasts what it is in", e)
		}
		chain := e.Name
		name, _, handler := strings.Cut(e.Name, " (vector ")
		if len(stack) > 0 {
			times[stack[len(stack)-1].chain] -= e.Dur
			chain = stack[len(stack)-1].chain + ";" + chain
		}
		if handler {
			chain = "[handlers];" + name
		}
		times[chain] += e.Dur
		stack = append(stack, open{chain, e.Ts + e.Dur})
	}
	return times
}
