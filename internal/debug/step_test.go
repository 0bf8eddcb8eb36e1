package debug

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"arcv2dsp"

	"github.com/stretchr/testify/require"
)

// TestLinesBackAndForth: going back by lines visits the moments that going forward by lines did.
func TestLinesBackAndForth(t *testing.T) {
	ctx := context.Background()
	for _, row := range []struct {
		name, at string
		over     bool
		steps    int
	}{
		{name: "sort-em4_dmips-O0.elf", at: "insertion", over: true, steps: 60},
		{name: "sort-em4_dmips-O0.elf", at: "heap", over: true, steps: 40},
		{name: "sort-em4_dmips-O0.elf", at: "quick", over: true, steps: 40},
		{name: "crc32-em4_dmips-O0.elf", at: "run", over: true, steps: 20},
		{name: "fsm-em4_dmips-O0.elf", at: "run", over: true, steps: 60},
	} {
		t.Run(row.name+"/"+row.at, func(t *testing.T) {
			d, _ := start(t, filepath.Join(small, row.name), Options{})
			_, err := d.Break(row.at, "", true)
			require.NoError(t, err)
			require.Equal(t, arcv2dsp.StopBreakpoint, d.Continue(ctx, Limits{}).Reason)
			type visit struct {
				at   Position
				line int
			}
			here := func() visit {
				row, _ := d.LineAt(d.PC())
				return visit{at: d.Position(), line: row.Line}
			}
			way := []visit{here()}
			for range row.steps {
				s := d.Step(ctx, 1, row.over)
				if s.Reason != arcv2dsp.StopStepped {
					break
				}
				way = append(way, here())
			}
			require.Greater(t, len(way), 10)
			for i := len(way) - 2; i >= 0; i-- {
				_, err := d.ReverseStep(ctx, 1, row.over)
				require.NoError(t, err)
				require.Equal(t, way[i], here(), "step %d", i)
			}
		})
	}
}

// TestInstructionsBackAndForth: nexti and its inverse agree over calls.
func TestInstructionsBackAndForth(t *testing.T) {
	ctx := context.Background()
	d, _ := start(t, sortO2, Options{})
	_, err := d.Break("run", "", true)
	require.NoError(t, err)
	require.Equal(t, arcv2dsp.StopBreakpoint, d.Continue(ctx, Limits{}).Reason)
	way := []Position{d.Position()}
	for range 400 {
		s := d.StepInst(ctx, 1, true)
		require.Equal(t, arcv2dsp.StopStepped, s.Reason)
		way = append(way, d.Position())
	}
	end := d.state(t)
	for i := len(way) - 2; i >= 0; i-- {
		_, err := d.ReverseStepInst(ctx, 1, true)
		require.NoError(t, err)
		if now := d.Position(); now != way[i] {
			// A call takes its delay slot along on the way forward.
			require.Equal(t, way[i].Insts+1, now.Insts, i)
			_, err := d.ReverseStepInst(ctx, 1, true)
			require.NoError(t, err)
			require.Equal(t, way[i], d.Position())
		}
	}
	for range len(way) - 1 {
		d.StepInst(ctx, 1, true)
	}
	require.Equal(t, end, d.state(t))
}

// TestFinishAndBack: finish shows the result, reverse-finish is at the call again.
func TestFinishAndBack(t *testing.T) {
	ctx := context.Background()
	d, _ := start(t, sortO0, Options{})
	_, err := d.Break("mix", "", true)
	require.NoError(t, err)
	require.Equal(t, arcv2dsp.StopBreakpoint, d.Continue(ctx, Limits{}).Reason)
	call, err := d.caller(0)
	require.NoError(t, err)
	s, err := d.Finish(ctx)
	require.NoError(t, err)
	require.Equal(t, Finished, s.Reason)
	require.Equal(t, call.PC, s.PC)
	require.Equal(t, "uint32_t", s.Value.Type.Name)
	require.EqualValues(t, d.CoreReg(0), s.Value.Num)
	_, err = d.ReverseStepInst(ctx, 3, false)
	require.NoError(t, err)
	require.Equal(t, "mix", d.stack0(t))
	_, err = d.ReverseFinish(ctx)
	require.NoError(t, err)
	in, err := d.Disassemble(d.PC(), 1)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(in[0].Text, "bl"), in[0].Text)
	require.Contains(t, in[0].Text, "mix")
}

func (d *Debugger) stack0(t testing.TB) string {
	f, err := d.Frame(0)
	require.NoError(t, err)
	return f.Function
}

// TestGuestsAreEqual: interrupts, devices and host calls, too, are the same stepped, in one go, and
// after going back.
func TestGuestsAreEqual(t *testing.T) {
	ctx := context.Background()
	for _, name := range []string{"ticks", "sleep", "uart", "hostlink", "qemu", "hello", "overflow", "illegal"} {
		t.Run(name, func(t *testing.T) {
			open := func() (*Debugger, *bytes.Buffer) {
				var out bytes.Buffer
				cfg := arcv2dsp.Config{Stdin: strings.NewReader("input of the program\n"), Stdout: &out, Stderr: &out}
				if name == "uart" {
					cfg.Settings = []arcv2dsp.Setting{{Property: "nsim_mem-dev=uart0,kind=dwuart,base=0xf0000000,irq=24"}}
				}
				m, err := arcv2dsp.New(cfg)
				require.NoError(t, err)
				require.NoError(t, m.LoadFile("../../testdata/guest/elf/"+name+".elf"))
				d, err := New(m, Options{})
				require.NoError(t, err)
				t.Cleanup(func() { require.NoError(t, m.Close()) })
				return d, &out
			}
			const limit = 20_000
			free, freeOut := open()
			want := free.Continue(ctx, Limits{Insts: limit})
			end := free.Position()

			stepped, steppedOut := open()
			stepped.history.interval = 501
			got := Stop{}
			for stepped.Position().Insts < end.Insts || got.Reason == arcv2dsp.StopStepped && !want.Reason.Limit() {
				if got = stepped.StepInst(ctx, 1, false); got.Reason != arcv2dsp.StopStepped {
					break
				}
			}
			require.Equal(t, free.state(t), stepped.state(t))
			require.Equal(t, freeOut.String(), steppedOut.String())
			if !want.Reason.Limit() {
				require.Equal(t, want.Reason, got.Reason)
				require.Equal(t, want.Status, got.Status)
			}
			for _, at := range []uint64{end.Insts / 2, end.Insts / 3} {
				_, err := stepped.GoTo(ctx, at)
				require.NoError(t, err)
				stepped.Continue(ctx, Limits{Insts: end.Insts - stepped.Position().Insts})
				if !want.Reason.Limit() {
					stepped.StepInst(ctx, 1, false)
				}
				require.Equal(t, free.state(t), stepped.state(t), "from %d", at)
			}
			require.Equal(t, freeOut.String(), steppedOut.String())
		})
	}
}

// TestProgramsOwnBreakpoints: a brk stops the program until somebody moves PC behind it.
func TestProgramsOwnBreakpoints(t *testing.T) {
	ctx := context.Background()
	d, _ := start(t, "testdata/brk.elf", Options{})
	for _, want := range []uint32{1, 2} {
		s := d.Continue(ctx, Limits{})
		require.Equal(t, GuestBreak, s.Reason)
		require.Equal(t, want, d.CoreReg(0))
		in, err := d.Disassemble(s.PC, 1)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(in[0].Text, "brk"), in[0].Text)
		require.Equal(t, GuestBreak, d.Continue(ctx, Limits{}).Reason, "a brk lets nobody pass")
		require.Equal(t, s.PC, d.PC())
		d.PassBrk()
	}
	s := d.Continue(ctx, Limits{})
	require.Equal(t, arcv2dsp.StopExited, s.Reason)
	require.EqualValues(t, 3, s.Status)
	_, err := d.ReverseStepInst(ctx, 1, false)
	require.NoError(t, err)
	require.EqualValues(t, 3, d.CoreReg(0))
}
