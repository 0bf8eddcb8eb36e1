package debug

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"arcv2dsp"

	"github.com/stretchr/testify/require"
)

// stackText writes the return addresses and what is known of the callers' registers.
func (d *Debugger) stackText() string {
	d.moved()
	var b strings.Builder
	frames, _ := d.Backtrace(0)
	for _, f := range frames {
		if f.Inlined {
			continue
		}
		fmt.Fprintf(&b, "%08x cfa %08x sp %08x", f.PC, f.CFA, f.Reg32(regSP))
		for n := uint8(13); n <= 27; n++ {
			fmt.Fprintf(&b, " %x", f.Reg32(n))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestPrologueAgainstFrameInformation: at every instruction of a stretch, the frames found by
// following the prologue are those that the compiler describes.
func TestPrologueAgainstFrameInformation(t *testing.T) {
	ctx := context.Background()
	for _, name := range []string{"sort-em4_dmips-O0.elf", "sort-em4_dmips-O2.elf", "crc32-em4_dmips-O2.elf", "fsm-em4_dmips-O0.elf", "strings-em4_dmips-O2.elf"} {
		t.Run(name, func(t *testing.T) {
			d, _ := start(t, filepath.Join(small, name), Options{NoHistory: true})
			_, err := d.Break("run", "", true)
			require.NoError(t, err)
			require.Equal(t, arcv2dsp.StopBreakpoint, d.Continue(ctx, Limits{}).Reason)
			frames := d.frames
			deepest, wrong, total := 0, 0, 0
			for range 300 {
				for range 20 {
					want := d.stackText()
					deepest = max(deepest, strings.Count(want, "\n"))
					d.frames = nil
					got := d.stackText()
					d.frames = frames
					if total++; want != got {
						if wrong++; wrong == 1 {
							in, _ := d.Disassemble(d.PC(), 1)
							t.Logf("at %s\nframe information:\n%sprologue:\n%s", in[0], want, got)
						}
					}
					if s := d.StepInst(ctx, 1, false); s.Reason != arcv2dsp.StopStepped {
						break
					}
				}
				d.Continue(ctx, Limits{Insts: 997})
			}
			require.GreaterOrEqual(t, deepest, 2)
			t.Logf("%d of %d stacks differ, up to %d frames", wrong, total, deepest)
			// The compiler does not describe the last instruction of functions with a frame pointer.
			require.LessOrEqual(t, wrong*50, total)
		})
	}
}

// TestStackAtEveryInstruction: the callers of a function do not change while it runs, delay slots,
// prologue and epilogue included.
func TestStackAtEveryInstruction(t *testing.T) {
	ctx := context.Background()
	d, _ := start(t, sortO0, Options{NoHistory: true})
	_, err := d.Break("*quick", "", false)
	require.NoError(t, err)
	require.Equal(t, arcv2dsp.StopBreakpoint, d.Continue(ctx, Limits{}).Reason)
	d.DeleteAll()
	outer := func() string {
		text := d.stackText()
		var keep []string
		for _, line := range strings.SplitAfter(text, "\n") {
			if len(line) > 8 && line[:8] != fmt.Sprintf("%08x", d.PC()) {
				keep = append(keep, line)
			}
		}
		return strings.Join(keep, "")
	}
	want := outer()
	require.NotEmpty(t, want)
	for range 3_000 {
		require.True(t, strings.HasSuffix(outer(), want), "at %s:\n%s\nwant\n%s", d.Locate(d.PC()), outer(), want)
		require.Equal(t, arcv2dsp.StopStepped, d.StepInst(ctx, 1, false).Reason)
	}
}

// TestFramesOfEnter: frames that enter_s makes are found at every instruction, with the registers of
// the callers, in delay slots and behind early returns, too.
func TestFramesOfEnter(t *testing.T) {
	ctx := context.Background()
	d, _ := start(t, "testdata/enter.elf", Options{})
	callers := map[string]string{"_start": "", "outer": " _start", "middle": " outer _start", "leaf": ""}
	seen := map[string]int{}
	for s := because(arcv2dsp.StopStepped); s.Reason == arcv2dsp.StopStepped; s = d.StepInst(ctx, 1, false) {
		frames, _ := d.Backtrace(0)
		names := ""
		for _, f := range frames[1:] {
			names += " " + f.Function
		}
		name := frames[0].Function
		seen[name]++
		if name == "leaf" {
			require.Contains(t, []string{" outer _start", " middle outer _start"}, names)
		} else {
			require.Equal(t, callers[name], names, "at %s", d.Locate(d.PC()))
		}
		for i, f := range frames {
			want := map[string]uint32{"_start": 0x8001_0000, "outer": 0x8001_0000}[f.Function]
			if want != 0 && i > 0 {
				require.Equal(t, want, f.CFA, "%s at %s", f.Function, d.Locate(d.PC()))
			}
			// The caller's r13 at its call.
			if r13 := map[string]uint32{"_start": 13, "outer": 113, "middle": 213}[f.Function]; i > 0 {
				v, ok := f.Reg(13)
				require.True(t, ok)
				require.Equal(t, r13, v, "%s at %s", f.Function, d.Locate(d.PC()))
			}
		}
	}
	for name := range callers {
		require.Positive(t, seen[name], name)
	}
	require.Equal(t, 6, seen["leaf"])
	require.Equal(t, arcv2dsp.StopExited, d.Last().Reason)
}

// TestOptimisedFunctions: functions that the compiler renamed or inlined can be named.
func TestOptimisedFunctions(t *testing.T) {
	ctx := context.Background()
	d, _ := start(t, sortO2, Options{})
	for _, name := range []string{"sift", "heap", "insertion"} {
		p, err := d.Break(name, "", true)
		require.NoError(t, err, name)
		require.NotEmpty(t, p.Addrs)
	}
	hit := map[string]bool{}
	for range 3 {
		s := d.Continue(ctx, Limits{})
		require.Equal(t, arcv2dsp.StopBreakpoint, s.Reason)
		hit[s.Points[0].Spec] = true
	}
	require.Len(t, hit, 3)
}

// TestInlinedNames: each frame of an inlined call sees its own variables and not those around it.
func TestInlinedNames(t *testing.T) {
	ctx := context.Background()
	d, _ := start(t, sortO2, Options{})
	_, err := d.Break("sort.c:10", "", false)
	require.NoError(t, err)
	require.Equal(t, arcv2dsp.StopBreakpoint, d.Continue(ctx, Limits{}).Reason)
	d.DeleteAll()
	for n := 0; d.stack0(t) != "insertion" && n < 1000; n++ {
		d.StepInst(ctx, 1, false)
	}
	inner, err := d.Frame(0)
	require.NoError(t, err)
	require.Equal(t, "insertion", inner.Function)
	require.True(t, inner.Inlined)
	_, err = d.Eval("j")
	if err != nil {
		require.ErrorContains(t, err, "optimized out")
	}
	_, err = d.Eval("h")
	require.ErrorContains(t, err, "no symbol", "a variable of run")
	outer, err := d.Select(1)
	require.NoError(t, err)
	require.Equal(t, "run", outer.Function)
	_, err = d.Eval("h")
	if err != nil {
		require.ErrorContains(t, err, "optimized out")
	}
	_, err = d.Eval("j")
	require.ErrorContains(t, err, "no symbol", "a variable of insertion")
	list, err := d.Locals(false)
	require.NoError(t, err)
	for _, l := range list {
		require.NotEqual(t, "j", l.Name)
	}
}

// TestFramesOfTasks: a backtrace ends at the first function of a task. One of them describes its frame
// without saying where it returns to, one has no frame information, and all were started with the
// address of a function to return to.
func TestFramesOfTasks(t *testing.T) {
	ctx := context.Background()
	d, _ := start(t, "../../testdata/guest/elf/tasks.elf", Options{NoHistory: true})
	for _, row := range []struct{ at, want string }{
		{at: "vBlinkTask", want: "vBlinkTask"},
		{at: "vTaskSwitchContext", want: "vTaskSwitchContext dispatcher"},
		{at: "vSumTask", want: "vSumTask"},
		{at: "add_up", want: "add_up sum vSumTask"},
		{at: "xTaskIncrementTick", want: "xTaskIncrementTick irq_timer0"},
		{at: "vMixTask", want: "vMixTask"},
		{at: "mix", want: "mix vMixTask"},
		{at: "vTaskDelay", want: "vTaskDelay vBlinkTask"},
	} {
		p, err := d.Break("*"+row.at, "", true)
		require.NoError(t, err)
		require.Equal(t, arcv2dsp.StopBreakpoint, d.Continue(ctx, Limits{}).Reason, row.at)
		require.NotNil(t, p)
		frames, more := d.Backtrace(0)
		require.False(t, more)
		var names []string
		for _, f := range frames {
			names = append(names, f.Function)
		}
		require.Equal(t, row.want, strings.Join(names, " "))
	}
}
