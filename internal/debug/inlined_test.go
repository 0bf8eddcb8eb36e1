package debug

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"arcv2dsp"

	"github.com/stretchr/testify/require"
)

// TestFunctionPlaces: each call of a function comes once to the place where a breakpoint on it is, be
// the code optimised or not.
func TestFunctionPlaces(t *testing.T) {
	// Those with source lines.
	paths, err := filepath.Glob(filepath.Join(small, "*-em4_dmips-O[02].elf"))
	require.NoError(t, err)
	require.Len(t, paths, 10)
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			d, _ := start(t, path, Options{NoHistory: true})
			type pair struct{ entry, place *Point }
			pairs := map[string]pair{}
			for _, f := range d.Functions("") {
				if line, ok := d.LineAt(f.Addr); !ok || !strings.HasSuffix(line.File, ".c") {
					continue
				}
				entry, err := d.Break("*"+strconv.FormatUint(uint64(f.Addr), 10), "", false)
				require.NoError(t, err)
				place, err := d.Break(f.Name, "", false)
				require.NoError(t, err)
				entry.Ignore, place.Ignore = 1<<30, 1<<30
				pairs[f.Name] = pair{entry: entry, place: place}
			}
			require.NotEmpty(t, pairs)
			require.Equal(t, arcv2dsp.StopExited, d.Continue(context.Background(), Limits{}).Reason)
			for name, p := range pairs {
				require.Equal(t, p.entry.Hits, p.place.Hits, "%s at %#x", name, p.place.Addrs)
			}
		})
	}
}

// TestNextOptimised steps over lines of optimised code. The lines are those at which gdb 13.1 stops.
func TestNextOptimised(t *testing.T) {
	ctx := context.Background()
	for _, row := range []struct {
		name  string
		lines []int
	}{
		{name: "crc32-em4_dmips-O2.elf", lines: []int{30, 32, 33, 30, 32, 33, 30, 32}},
		{name: "sort-em4_dmips-O2.elf", lines: []int{50, 13, 50, 13, 50, 13, 50, 13}},
	} {
		d, _ := start(t, filepath.Join(small, row.name), Options{})
		_, err := d.Break("run", "", true)
		require.NoError(t, err)
		require.Equal(t, arcv2dsp.StopBreakpoint, d.Continue(ctx, Limits{}).Reason)
		var lines []int
		for range row.lines {
			f, err := d.Frame(0)
			require.NoError(t, err)
			lines = append(lines, f.At.Line)
			require.Equal(t, arcv2dsp.StopStepped, d.Step(ctx, 1, true).Reason)
		}
		require.Equal(t, row.lines, lines, row.name)
	}
}

// TestInlinedCalls steps to the line of an inlined call, into it, out of it and back before it.
func TestInlinedCalls(t *testing.T) {
	ctx := context.Background()
	d, _ := start(t, filepath.Join(small, "strings-em4_dmips-O2.elf"), Options{})
	names := func() (list []string) {
		frames, _ := d.Backtrace(0)
		for _, f := range frames {
			list = append(list, f.Function+":"+strconv.Itoa(f.At.Line))
		}
		return list
	}
	_, err := d.Break("run", "", true)
	require.NoError(t, err)
	require.Equal(t, arcv2dsp.StopBreakpoint, d.Continue(ctx, Limits{}).Reason)
	require.Equal(t, []string{"run:22", "__start:24"}, names())
	require.Equal(t, arcv2dsp.StopStepped, d.Step(ctx, 1, true).Reason)
	require.Equal(t, []string{"run:24", "__start:24"}, names(), "in front of the inlined call of scpy")
	before := d.Position()
	require.Equal(t, arcv2dsp.StopStepped, d.Step(ctx, 1, false).Reason)
	require.Equal(t, []string{"scpy:4", "run:24", "__start:24"}, names())
	require.Equal(t, before, d.Position(), "nothing was executed")
	list, err := d.Locals(true)
	require.NoError(t, err)
	require.Len(t, list, 2)

	s, err := d.Finish(ctx)
	require.NoError(t, err)
	require.Equal(t, Finished, s.Reason)
	require.Equal(t, []string{"slen:2", "rev:10", "run:24", "__start:24"}, names(), "the next thing that is executed")
	require.Equal(t, arcv2dsp.StopStepped, d.StepInst(ctx, 3, false).Reason)
	require.Equal(t, "slen", d.stack0(t))
	_, err = d.ReverseFinish(ctx)
	require.NoError(t, err)
	frames, _ := d.Backtrace(0)
	require.Equal(t, "run", frames[len(frames)-2].Function, "still in the function that slen was inlined into")
	require.NotEqual(t, "slen", frames[0].Function)
	require.Less(t, before.Insts, d.Position().Insts)

	// From the innermost frame of a call in it, finish of the frame around goes on to its caller.
	_, err = d.Select(len(frames) - 2)
	require.NoError(t, err)
	s, err = d.Finish(ctx)
	require.NoError(t, err)
	require.Equal(t, Finished, s.Reason)
	require.Equal(t, "__start", d.stack0(t))
}

// TestUntilLeavesLoop: until at the end of a loop goes on behind it, as gdb 13.1 does.
func TestUntilLeavesLoop(t *testing.T) {
	ctx := context.Background()
	d, _ := start(t, sortO0, Options{})
	_, err := d.Break("sort.c:11", "", true)
	require.NoError(t, err)
	require.Equal(t, arcv2dsp.StopBreakpoint, d.Continue(ctx, Limits{}).Reason)
	line := func() int {
		row, _ := d.LineAt(d.PC())
		return row.Line
	}
	require.Equal(t, arcv2dsp.StopStepped, d.Step(ctx, 1, true).Reason)
	require.Equal(t, 7, line())
	sp := d.CoreReg(regSP)
	require.Equal(t, arcv2dsp.StopStepped, d.Until(ctx).Reason)
	require.Equal(t, 13, line())
	require.Equal(t, sp, d.CoreReg(regSP))
}

// TestCallMakesRoom steps over a call whose delay slot lowers the stack, as those of the compiler's
// functions that save registers do.
func TestCallMakesRoom(t *testing.T) {
	d, _ := start(t, sortO2, Options{})
	const at = 0x80010000
	require.NoError(t, d.WriteMemory(at, []byte{
		0x0e, 0x08, 0x20, 0x00, // bl.d f
		0xa2, 0xc1, // sub_s sp,sp,8
		0xe0, 0x78, // nop_s
		0xe0, 0x78, // nop_s
		0xe0, 0x78, // nop_s
		0xe0, 0x7e, // f: j_s [blink]
	}))
	require.NoError(t, d.SetRegister("sp", 0x80020000))
	require.NoError(t, d.SetRegister("pc", at))
	require.Equal(t, arcv2dsp.StopStepped, d.StepInst(context.Background(), 1, true).Reason)
	require.EqualValues(t, at+6, d.PC())
	require.EqualValues(t, 0x80020000-8, d.CoreReg(regSP))
}

// TestInlinedEntry: a breakpoint on an inlined function is where the compiler says that the call begins,
// though other pieces of it are at lower addresses.
func TestInlinedEntry(t *testing.T) {
	ctx := context.Background()
	d, _ := start(t, compiled(t, map[string]string{"i.c": `volatile int out;
__attribute__((noinline)) int first(int n) { out = n; return n & 64; }
__attribute__((noinline)) int second(int n) { out = n + 1; return n & 128; }
__attribute__((noinline)) void report(int s) { out = s; }
static int both(int n)
{
	int s;
	int copy[4] = { n, n + 1, n + 2, n + 3 };
	if ((s = first(copy[n & 3])) != 0)
		return s;
	if ((s = second(n)) != 0)
		return s;
	out = 7;
	return 0;
}
int run(void)
{
	for (int i = 0; i < 5; i++) {
		int s = both(i);
		if (s) {
			report(s);
			return 1;
		}
		report(i);
	}
	return 0;
}
__asm__ (".global __start\n__start: mov sp,0x80000\nmov fp,0\nbl run\nflag 1\nnop\nnop\nnop");
`}, "-O1"), Options{})
	p, err := d.Break("both", "", false)
	require.NoError(t, err)
	require.Len(t, p.Addrs, 1)
	row, _ := d.LineAt(p.Addrs[0])
	require.Equal(t, 8, row.Line)
	for range 5 {
		require.Equal(t, arcv2dsp.StopBreakpoint, d.Continue(ctx, Limits{}).Reason)
		require.Equal(t, "both", d.stack0(t))
	}
	require.Equal(t, arcv2dsp.StopExited, d.Continue(ctx, Limits{}).Reason)
}
