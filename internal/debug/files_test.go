package debug

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"arcv2dsp/internal/testkit/gnutools"

	"github.com/stretchr/testify/require"
)

// compiled builds a program of C files that starts at __start.
func compiled(t testing.TB, files map[string]string, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	args := append([]string{"-mcpu=em4_dmips", "-g", "-w", "-ffreestanding", "-nostdlib", "-static", "-fno-pic", "-no-pie",
		"-Wl,-Ttext=0x1000", "-o", "program.elf"}, flags...)
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		args = append(args, name)
	}
	cmd := exec.Command(gnutools.Path(t, "gcc"), args...)
	cmd.Dir = dir
	text, err := cmd.CombinedOutput()
	require.NoError(t, err, string(text))
	return filepath.Join(dir, "program.elf")
}

// TestSameNamesInFiles: names that are static in several files are those of the selected frame's file,
// and a breakpoint on a function is on all that have its name, the inlined copies included.
func TestSameNamesInFiles(t *testing.T) {
	ctx := context.Background()
	d, _ := start(t, compiled(t, map[string]string{
		"x.c": "static int state = 1;\n" +
			"static int helper(int n) { state += n; return state; }\n" +
			"int first(int n) { return helper(n) + 1; }\n" +
			"static inline __attribute__((always_inline)) int both(int n) { return state ^ n; }\n" +
			"int second(int n) { return both(n); }\n" +
			"int (*copy)(int) = both;\n",
		"y.c": "int first(int);\nint second(int);\n" +
			"static int state = 100;\n" +
			"static short helper(int n, int m) { state -= n; return state + m; }\n" +
			"__asm__ (\".global __start\\n__start: mov sp,0x80000\\nmov fp,0\\nbl run\\nflag 1\\nnop\\nnop\\nnop\");\n" +
			"int run(void) {\n" +
			"int r = first(2); r += helper(3, 0xfff4); r += second(5);\n" +
			"return r; }\n",
	}, "-O0"), Options{})
	print := func(text string) int64 {
		v, err := d.Eval(text)
		require.NoError(t, err)
		return v.Num
	}

	p, err := d.Break("helper", "", false)
	require.NoError(t, err)
	require.Len(t, p.Addrs, 2)
	require.Equal(t, AtBreakpoint, d.Continue(ctx, Limits{}).Reason)
	require.EqualValues(t, 1, print("state"))
	inFirst, _ := d.Frame(0)
	require.Equal(t, "x.c", filepath.Base(inFirst.At.File))
	require.EqualValues(t, d.stackEntry(t), print("&helper"))
	stop := d.Continue(ctx, Limits{})
	require.Equal(t, AtBreakpoint, stop.Reason, stop.Text)
	require.EqualValues(t, 100, print("state"))
	require.EqualValues(t, d.stackEntry(t), print("&helper"))
	// The result is that of this function, a short.
	s, err := d.Finish(ctx)
	require.NoError(t, err)
	require.Equal(t, Finished, s.Reason)
	require.EqualValues(t, 85, s.Value.Num)

	for file, line := range map[string]int{"x.c": 2, "y.c": 4} {
		p, err := d.Break(file+":helper", "", false)
		require.NoError(t, err)
		require.Len(t, p.Addrs, 1)
		row, _ := d.LineAt(p.Addrs[0])
		require.Equal(t, line, row.Line)
	}
	_, err = d.Break("x.c:run", "", false)
	require.ErrorContains(t, err, `function "run" not defined in "x.c"`)

	p, err = d.Break("both", "", false)
	require.NoError(t, err)
	require.Len(t, p.Addrs, 2, "its own code and the inlined copy")
	require.Equal(t, AtBreakpoint, d.Continue(ctx, Limits{}).Reason)
	frames, _ := d.Backtrace(0)
	require.Equal(t, "both", frames[0].Function)
	require.True(t, frames[0].Inlined)
	require.EqualValues(t, 3, print("state"))
}

// stackEntry is the entry of the function that the program is in.
func (d *Debugger) stackEntry(t testing.TB) uint32 {
	t.Helper()
	s, _, ok := d.m.Symbols().At(d.PC())
	require.True(t, ok)
	return s.Addr
}
