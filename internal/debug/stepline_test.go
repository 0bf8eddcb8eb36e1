package debug

import (
	"context"
	"path/filepath"
	"testing"

	"arcv2dsp"

	"github.com/stretchr/testify/require"
)

// stepped is a program of calls inside statements, in loops, and of one function by itself.
const stepped = `int g;
static int leaf(int n)
{
	g += n;
	return n + 1;
}
static int twice(int n) { return leaf(n) + leaf(n + 1); }
int fib(int n)
{
	if (n < 2)
		return n;
	return fib(n - 1) + fib(n - 2);
}
static void nothing(void)
{
	g++;
}
int run(void)
{
	int s = leaf(twice(leaf(3))) + 1;
	s += fib(4);
	nothing();
	s = s ? leaf(s) : twice(s);
	for (int i = 0; i < leaf(1); i++)
		s += twice(i);
	nothing(); nothing();
	leaf(1), s = leaf(2);
	return s
		+ leaf(4)
		+ twice(5);
}
__asm__ (".global __start\n__start: mov sp,0x80000\nmov fp,0\nbl run\nflag 1\nnop\nnop\nnop");
`

// TestLinesAsGDB steps by source line. The lines are those at which gdb 13.1 stops.
func TestLinesAsGDB(t *testing.T) {
	ctx := context.Background()
	for _, row := range []struct {
		name  string
		flags []string // of a program compiled here; else name is that of a file
		over  bool
		lines []int
	}{
		{name: "calls", flags: []string{"-O0", "-fno-inline"}, lines: []int{
			20, 4, 5, 6, 7, 4, 5, 6, 4, 5, 6, 4, 5, 6, 21, 10, 12, 10, 12, 10, 12, 10, 11, 13, 10, 11, 13, 13, 10, 11, 13, 13, 10, 12, 10, 11,
			13, 10, 11, 13, 13, 13, 22, 16, 17, 23, 4, 5, 6, 24, 4, 5, 6, 25, 7, 4, 5, 6, 4, 5, 6, 24, 4, 5, 6,
		}},
		{name: "calls", flags: []string{"-O0", "-fno-inline"}, over: true, lines: []int{20, 21, 22, 23, 24, 25, 24, 25, 24, 26, 27, 29, 30, 31}},
		{name: "calls", flags: []string{"-O2", "-fno-inline"}, lines: []int{
			20, 4, 5, 7, 4, 5, 4, 5, 4, 5, 10, 12, 10, 12, 10, 12, 10, 12, 10, 22, 16, 23, 4, 5, 24, 4, 5, 25, 7, 4, 5, 4, 5, 24, 4, 5, 25, 7,
			4, 5, 4, 5, 24, 4, 5, 25, 26, 16, 26, 16, 27, 4, 5, 4, 5, 28, 4, 5, 7, 4, 5, 4, 5,
		}},
		{name: "fsm-em4_dmips-O2.elf", over: true, lines: []int{
			30, 35, 42, 32, 35, 37, 32, 42, 34, 37, 32, 42, 34, 37, 32, 37, 42, 32, 35, 42, 32, 35, 42, 32, 35, 37, 32, 37, 32, 37, 42,
		}},
		{name: "matmul16-em4_dmips-O2.elf", over: true, lines: []int{12, 13, 12, 13, 12, 13, 12, 13, 12, 13, 12}},
		{name: "strings-em4_dmips-O2.elf", over: true, lines: []int{22, 24, 25, 24, 25, 11, 25, 11, 25, 11, 25}},
		{name: "strings-em4_dmips-O2.elf", lines: []int{22, 24, 4, 24, 10, 2, 10}},
	} {
		path := filepath.Join(small, row.name)
		if row.flags != nil {
			path = compiled(t, map[string]string{"s.c": stepped}, row.flags...)
		}
		d, _ := start(t, path, Options{})
		_, err := d.Break("run", "", true)
		require.NoError(t, err)
		require.Equal(t, arcv2dsp.StopBreakpoint, d.Continue(ctx, Limits{}).Reason)
		var lines []int
		for range row.lines {
			f, err := d.Frame(0)
			require.NoError(t, err)
			if lines = append(lines, f.At.Line); len(lines) == len(row.lines) {
				break
			}
			require.Equal(t, arcv2dsp.StopStepped, d.Step(ctx, 1, row.over).Reason)
		}
		require.Equal(t, row.lines, lines, "%s %v over calls: %v", row.name, row.flags, row.over)
	}
}

// TestBodyAtTheEntry: a function whose body begins at its first instruction has no prologue to be
// passed.
func TestBodyAtTheEntry(t *testing.T) {
	d, _ := start(t, compiled(t, map[string]string{"s.c": stepped}, "-O2", "-fno-inline"), Options{})
	p, err := d.Break("leaf", "", false)
	require.NoError(t, err)
	require.Len(t, p.Addrs, 1)
	row, _ := d.LineAt(p.Addrs[0])
	require.Equal(t, 4, row.Line)
}
