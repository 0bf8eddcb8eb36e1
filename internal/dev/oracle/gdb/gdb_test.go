package gdb

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"arcv2dsp/internal/dev/testkit/gnutools"

	"github.com/stretchr/testify/require"
)

const (
	root    = "../../../.."
	sources = root + "/asm/link/testdata/small"
	sortO0  = root + "/testdata/elf/small/sort-em4_dmips-O0.elf"
	sortO2  = root + "/testdata/elf/small/sort-em4_dmips-O2.elf"
)

// patience bounds a session; the longest takes a second or two.
const patience = 2 * time.Minute

// debugger finds gdb, or ends the test.
func debugger(t *testing.T) string {
	t.Helper()
	path := os.Getenv("ARCV2DSP_GDB")
	if path == "" {
		t.Skip("needs ARCV2DSP_GDB, see internal/dev/oracle/gdb.sh")
	}
	return path
}

var arcsim = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "arcsim")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "arcsim")
	out, err := exec.Command("go", "build", "-o", path, "arcv2dsp/cmd/arcsim").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	status := m.Run()
	if os.Getenv("ARCV2DSP_GDB") != "" {
		if path, err := arcsim(); err == nil {
			_ = os.RemoveAll(filepath.Dir(path)) // what is left is the system's temporary files
		}
	}
	os.Exit(status)
}

// server is an arcsim that waits for gdb.
type server struct {
	cmd  *exec.Cmd
	port string
	log  *bytes.Buffer
	done chan struct{} // the log is complete
}

func serve(t *testing.T, args ...string) *server {
	t.Helper()
	path, err := arcsim()
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	s := &server{cmd: exec.CommandContext(ctx, path, args...), log: &bytes.Buffer{}, done: make(chan struct{})}
	stderr, err := s.cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, s.cmd.Start())
	t.Cleanup(func() {
		cancel()
		_ = s.cmd.Wait() // unless it has ended
	})
	lines := bufio.NewReader(stderr)
	first, err := lines.ReadString('\n')
	require.NoError(t, err)
	at := regexp.MustCompile(`waiting for a debugger at 127\.0\.0\.1:(\d+)\n`).FindStringSubmatch(first)
	require.NotNil(t, at, "%s", first)
	s.port = at[1]
	go func() {
		defer close(s.done)
		_, _ = io.Copy(s.log, lines) // ends with the process
	}()
	return s
}

// status waits for the end of arcsim.
func (s *server) status(t *testing.T) int {
	t.Helper()
	<-s.done
	err := s.cmd.Wait()
	var exit *exec.ExitError
	if err != nil {
		require.ErrorAs(t, err, &exit)
	}
	return s.cmd.ProcessState.ExitCode()
}

// line is a command of a session and what gdb must say to it.
type line struct {
	command string
	want    string // a regular expression
}

// mark precedes the output of each command.
const mark = "\x01"

// session connects gdb to a server and executes commands.
func (s *server) session(t *testing.T, program string, lines []line) {
	t.Helper()
	here, err := filepath.Abs(sources)
	require.NoError(t, err)
	args := []string{
		"-q", "-batch", "-nx", "-ex", "set confirm off", "-ex", "set pagination off", "-ex", "set width 0",
		"-ex", "set tcp connect-timeout 10", "-ex", "directory " + here,
	}
	for _, l := range lines {
		args = append(args, "-ex", "echo "+mark, "-ex", strings.ReplaceAll(l.command, "PORT", s.port))
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	start := time.Now()
	out, err := exec.CommandContext(ctx, debugger(t), append(args, program)...).CombinedOutput()
	took := time.Since(start)
	t.Logf("gdb took %v, %v", took.Round(time.Millisecond), err)
	parts := strings.Split(string(out), mark)
	require.Len(t, parts, len(lines)+1, "%s", out)
	for i, l := range lines {
		t.Logf("(gdb) %s\n%s", l.command, strings.TrimSpace(parts[i+1]))
		require.Regexp(t, "(?s)"+l.want, parts[i+1], "line %d: %s", i+1, l.command)
	}
}

// TestSource: breakpoints, stepping and data by source line, in code without optimisation.
func TestSource(t *testing.T) {
	debugger(t)
	s := serve(t, "debug", "--gdb=0", sortO0)
	s.session(t, sortO0, []line{
		{command: "target remote :PORT", want: `__start \(\) at src/crt0\.S:16`},
		{command: "compare-sections", want: `\.ivt.*matched.*\.text.*matched`},
		{command: "break insertion", want: `Breakpoint 1 at 0x[0-9a-f]+: file src/sort\.c, line 7\.`},
		{command: "continue", want: `Breakpoint 1, insertion \(v=0x[0-9a-f]+ <a>, n=200\) at src/sort\.c:7`},
		{command: "backtrace", want: `#0 +insertion .*src/sort\.c:7.*#1 .* in run \(\) at src/sort\.c:51.*#2 .* in __start`},
		{command: "info args", want: `v = 0x[0-9a-f]+ <a>\nn = 200`},
		{command: "next", want: `\n?8\t +int32_t x = v\[i\];`},
		{command: "next", want: `9\t +int j = i - 1;`},
		{command: "next", want: `10\t +while`},
		{command: "info locals", want: `x = 35536233\nj = 0\ni = 1`}, // lcg(lcg(12345)) >> 1
		{command: "print v[0]", want: `= 87628868`},                  // lcg(12345)
		{command: "ptype v", want: `type = int \*`},
		{command: "step", want: `11\t +v\[j \+ 1\] = x;`},
		{command: "until", want: `7\t +for`},
		{command: "reverse-step", want: `11\t`},
		{command: "reverse-next", want: `10\t`},
		{command: "reverse-stepi", want: `0x[0-9a-f]+\t9\t|9\t`},
		{command: "stepi", want: `10\t`},
		{command: "advance 9", want: `insertion .*src/sort\.c:9`},
		{command: "print i", want: `= 2`},
		{command: "finish", want: `run \(\) at src/sort\.c:51`},
		{command: "reverse-finish", want: `insertion|51\t`},
		{command: "delete", want: ``},
		{command: "tbreak heap", want: `Temporary breakpoint`},
		{command: "continue", want: `Temporary breakpoint \d+, heap \(v=0x[0-9a-f]+ <b>, n=200\) at src/sort\.c:28`},
		{command: "break sift if lo == 50", want: `Breakpoint`},
		{command: "continue", want: `sift \(v=0x[0-9a-f]+ <b>, lo=50, hi=199\)`},
		{command: "up", want: `#1 .* in heap`},
		{command: "info frame", want: `pc = 0x[0-9a-f]+ in heap.*blink at`},
		{command: "delete", want: ``},
		{"print (unsigned)mix(1,2)", fmt.Sprintf(`= %d\n`, mix(1, 2))}, // called in the simulator
		{command: "backtrace", want: `#0 +sift .*#1 .* in heap`},
		{command: "continue", want: `exited with code 064`},
	})
	require.Equal(t, 0x34, s.status(t))
}

// mix is the function of rt.h.
func mix(h, v uint32) uint32 {
	h ^= v + 0x9e3779b9 + h<<6 + h>>2
	return h * 2654435761
}

// TestMachine: registers, memory, disassembly, watchpoints and going back, in optimised code.
func TestMachine(t *testing.T) {
	debugger(t)
	s := serve(t, "debug", "--gdb=0", sortO2)
	s.session(t, sortO2, []line{
		{command: "target remote :PORT", want: `__start`},
		{command: "info registers", want: `r0 +0x0 .*\ngp .*\nblink .*\nlp_count .*\npcl .*\npc +0x80 +0x80 <__start>\nstatus32 .*\nlp_end .*\nbta `},
		{command: "info registers dsp", want: `acclo .*\nacchi .*\ndsp_ctrl `},
		{command: "info registers agu", want: `agu_ap0 .*\nagu_os7 .*\nagu_mod23 `},
		{command: "info mem", want: `0x00000000 `},
		{command: "hbreak run", want: `Hardware assisted breakpoint 1`},
		{command: "continue", want: `Breakpoint 1, run \(\) at src/sort\.c:48`},
		{command: "print $acclo = -5", want: `= -5`},
		{command: "print/x $r58", want: `= 0xfffffffb`},
		{command: "print $acclo = 0", want: `= 0`},
		{command: "set var $r5 = 0x1234", want: ``},
		{command: "print/x $r5", want: `= 0x1234`},
		{command: "set var *(int*)0x50000000 = 0x31323334", want: ``},
		{command: "x/s 0x50000000", want: `"4321"`},
		{command: "find /w 0x50000000, +4096, 0x31323334", want: `0x50000000.*1 pattern found`},
		{command: "find 0x50000000, +4096, (char)0x35", want: `Pattern not found`},
		{command: "x/3i $pc", want: `=> 0x260 <run>:`},
		{command: "stepi", want: `0x`},
		{command: "nexti", want: `0x`},
		{command: "reverse-stepi", want: `0x`},
		{command: "reverse-stepi", want: `48\t`},
		{command: "print $pc", want: `0x260 <run>`},
		{command: "delete", want: ``},
		{command: "watch *(unsigned*)&checksum", want: `Hardware watchpoint`},
		{command: "continue", want: `Old value = 0\nNew value = 1184270132`}, // 0x46968734
		{command: "reverse-continue", want: `Old value = 1184270132\nNew value = 0`},
		{command: "print *(unsigned*)&checksum", want: `= 0`},
		{command: "continue", want: `New value = 1184270132`},
		{command: "delete", want: ``},
		{command: "break sift", want: `Breakpoint`},
		{command: "reverse-continue", want: `Breakpoint \d+, sift`},
		{command: "reverse-continue", want: `Breakpoint \d+, sift`},
		{command: "delete", want: ``},
		{command: "rwatch b[5]", want: `Hardware read watchpoint`},
		{command: "reverse-continue", want: `Hardware read watchpoint`},
		{command: "delete", want: ``},
		{command: "awatch b[5]", want: `Hardware access`},
		{command: "continue", want: `Hardware access`},
		{command: "delete", want: ``},
		{command: "reverse-continue", want: `No more reverse-execution history.*__start|No more reverse-execution history.*run`},
		{command: "monitor info registers pc", want: `pc +0x`},
		{command: "monitor info dsp", want: `DSP_CTRL`},
		{command: "monitor nonsense", want: `undefined command: "nonsense"`},
		{command: "disconnect", want: ``},
		{command: "target remote :PORT", want: `0x|src/`},
		{command: "set remote software-breakpoint-packet off", want: ``},
		{command: "break sift", want: `Breakpoint`}, // gdb writes brk_s into memory itself
		{command: "continue", want: `Breakpoint \d+, sift`},
		{command: "continue", want: `Breakpoint \d+, sift`},
		{command: "delete", want: ``},
		{command: "detach", want: `detached`},
	})
	require.Equal(t, 0x34, s.status(t), "it runs on to its end")
}

// TestBrk: a brk of the program stops it, and continue goes on behind it.
func TestBrk(t *testing.T) {
	debugger(t)
	const program = root + "/internal/debug/testdata/brk.elf"
	s := serve(t, "debug", "--gdb=0", program)
	s.session(t, program, []line{
		{command: "target remote :PORT", want: `0x`},
		{command: "continue", want: `SIGTRAP`},
		{command: "print $r0", want: `= 1`},
		{command: "continue", want: `SIGTRAP`},
		{command: "print $r0", want: `= 2`},
		{command: "continue", want: `exited with code 03`},
	})
	require.Equal(t, 3, s.status(t))
}

// TestLines: next stops at the same lines in arcsim debug as in gdb, in all C programs, and so does step
// where nothing is inlined.
func TestLines(t *testing.T) {
	gdb := debugger(t)
	const steps = 80
	for _, program := range []string{"crc32", "fsm", "matmul16", "sort", "strings"} {
		for _, row := range []struct{ level, command string }{{"O0", "next"}, {"O0", "step"}, {"O2", "next"}} {
			t.Run(program+"-"+row.level+"/"+row.command, func(t *testing.T) {
				path, err := filepath.Abs(root + "/testdata/elf/small/" + program + "-em4_dmips-" + row.level + ".elf")
				require.NoError(t, err)
				s := serve(t, "debug", "--gdb=0", path)
				here := []string{"-q", "-batch", "-nx", "-ex", "set confirm off", "-ex", "set pagination off", "-ex", "target remote :" + s.port}
				own := []string{"debug", "--batch", "--color", "never"}
				for _, command := range append([]string{"echo " + mark, "tbreak run", "continue"}, slices.Repeat([]string{row.command}, steps)...) {
					here, own = append(here, "-ex", command), append(own, "--ex", command)
				}
				want := lines(t, exec.Command(gdb, append(here, "-ex", "kill", path)...))
				exe, err := arcsim()
				require.NoError(t, err)
				got := lines(t, exec.Command(exe, append(own, path)...))
				// In optimised code gdb stops at the line that opens the function first.
				if want[0] != got[0] {
					want = want[1:]
				}
				n := min(len(want), len(got), steps)
				require.Greater(t, n, 5)
				require.Equal(t, want[:n], got[:n])
			})
		}
	}
}

// lines returns the source lines at which a session stopped.
func lines(t *testing.T, cmd *exec.Cmd) (list []string) {
	t.Helper()
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError // a program that has ended cannot be killed
	if err != nil {
		require.ErrorAs(t, err, &exit, "%s", out)
	}
	_, after, ok := strings.Cut(string(out), mark)
	require.True(t, ok, "%s", out)
	for _, m := range regexp.MustCompile(`(?m)^(0x[0-9a-f]+\t)?(\d+)\t`).FindAllStringSubmatch(after, -1) {
		list = append(list, m[2])
	}
	return list
}

// TestRunAgain: an extended client runs the program as often as it likes, and loads it.
func TestRunAgain(t *testing.T) {
	debugger(t)
	s := serve(t, "debug", "--gdb=0", sortO2)
	s.session(t, sortO2, []line{
		{command: "target extended-remote :PORT", want: `__start`},
		{command: "continue", want: `exited with code 064`},
		{command: "set remote exec-file program", want: ``},
		{command: "break run", want: `Breakpoint 1`},
		{command: "run", want: `Breakpoint 1, run`},
		{command: "load", want: `Start address 0x00000080, load size 992`},
		{command: "print $pc", want: `0x80 <__start>`},
		{command: "kill", want: `killed`},
		{command: "run", want: `Breakpoint 1, run`},
		{command: "delete", want: ``},
		{command: "continue", want: `exited with code 064`},
	})
	require.Equal(t, 0x34, s.status(t))
}

// TestSecond: while one gdb is connected another is told so.
func TestSecond(t *testing.T) {
	debugger(t)
	s := serve(t, "debug", "--gdb=0", sortO2)
	s.session(t, sortO2, []line{
		{command: "target remote :PORT", want: `__start`},
		{
			command: "shell " + debugger(t) + " -q -batch -nx -ex 'target remote :PORT' -ex 'info threads' 2>&1",
			want:    `another debugger is connected.*Remote connection closed.*No threads`,
		},
		{command: "stepi", want: `17\t`},
		{command: "kill", want: `killed`},
	})
	require.Equal(t, 130, s.status(t))
}

// TestKill: kill ends the server; under run --gdb and nsim -gdb as well.
func TestKill(t *testing.T) {
	debugger(t)
	for name, args := range map[string][]string{
		"gdb": {"debug", "--gdb=:0"}, "nsim": {"run", "--nsim", "-gdb", "-port=0"},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, append(args, sortO2)...)
			s.session(t, sortO2, []line{
				{command: "target remote :PORT", want: `__start`},
				{command: "break run", want: `Breakpoint 1`},
				{command: "continue", want: `Breakpoint 1, run`},
				{command: "kill", want: `killed`},
			})
			require.Equal(t, 130, s.status(t))
		})
	}
}

// TestInterrupt: Ctrl-C reaches a program in an endless loop.
func TestInterrupt(t *testing.T) {
	gdb := debugger(t)
	s := serve(t, "debug", "--gdb=0", sortO2)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, gdb, "-q", "-nx", "-batch", "-ex", "set confirm off", "-ex", "target remote :"+s.port,
		"-ex", "set var *(short*)0x40000000 = 0xf000", "-ex", "set var $pc = 0x40000000", // b_s .
		"-ex", "echo running\\n", "-ex", "continue", "-ex", "print $pc", "-ex", "kill", sortO2)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	cmd.Stderr = cmd.Stdout
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(out)
	var text strings.Builder
	for lines.Scan() {
		fmt.Fprintln(&text, lines.Text())
		if lines.Text() == "running" {
			time.Sleep(time.Second) // gdb has no word for having sent the packet
			require.NoError(t, cmd.Process.Signal(os.Interrupt))
		}
	}
	require.NoError(t, cmd.Wait(), "%s", text.String())
	require.Regexp(t, `(?s)received signal SIGINT.*= \(void .*0x40000000`, text.String())
	require.Equal(t, 130, s.status(t))
}

// TestDisassembly: gdb disassembles through the server the instructions that objdump finds in the file.
func TestDisassembly(t *testing.T) {
	debugger(t)
	objdump := gnutools.Path(t, "objdump")
	out, err := exec.Command(objdump, "-d", "--no-show-raw-insn", "-j", ".text", sortO2).Output()
	require.NoError(t, err)
	want := map[string]string{}
	inRun := false
	for _, l := range strings.Split(string(out), "\n") {
		if strings.HasSuffix(l, ":") {
			inRun = strings.HasSuffix(l, "<run>:")
		}
		if at, text, ok := strings.Cut(l, ":\t"); ok && inRun {
			want["0x"+strings.TrimSpace(at)] = mnemonic(text)
		}
	}
	require.Greater(t, len(want), 100)
	s := serve(t, "debug", "--gdb=0", sortO2)
	here := s.disassembly(t, "run")
	for at, text := range want {
		require.Equal(t, text, here[at], "%s", at)
	}
}

func mnemonic(text string) string { return strings.Fields(text)[0] }

// disassembly returns the mnemonics that gdb shows for a function, by address.
func (s *server) disassembly(t *testing.T, function string) map[string]string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	out, err := exec.CommandContext(ctx, debugger(t), "-q", "-nx", "-batch", "-ex", "set confirm off", "-ex", "set pagination off",
		"-ex", "target remote :"+s.port, "-ex", "disassemble "+function, "-ex", "kill", sortO2).CombinedOutput()
	require.NoError(t, err, "%s", out)
	found := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^\s+0x0*([0-9a-f]+) <\+\d+>:\t(.*)$`).FindAllStringSubmatch(string(out), -1) {
		found["0x"+m[1]] = mnemonic(m[2])
	}
	return found
}
