package debug

import (
	"context"
	"flag"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/internal/dev/testkit/level"
)

// TestRunsAreEqual: a program that is stepped, taken back and replayed ends as one that runs free:
// state, output and cycles. The small programs are stepped from the first instruction to the last.
func TestRunsAreEqual(t *testing.T) {
	for i, path := range programs(t, "small", 45) {
		if !level.Wants(i, 1, 11) {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			runsAreEqual(t, path, func(d *Debugger, insts uint64) {
				d.StepInst(context.Background(), int(insts), false)
			})
		})
	}
}

var stepAll = flag.Bool("stepall", false, "step the long programs from the first instruction to the last")

// TestLongRunsAreEqual: the same over hundreds of millions of instructions, of which three stretches
// are stepped: at the start, in the middle and up to the end. All of them with -stepall.
func TestLongRunsAreEqual(t *testing.T) {
	level.NeedsPlain(t, "2,000 million instructions, five times")
	for i, path := range programs(t, "perf", 7) {
		if !level.Wants(i, 7, 7) {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			runsAreEqual(t, path, func(d *Debugger, insts uint64) {
				const stretch = 100_003
				ctx := context.Background()
				if *stepAll {
					d.StepInst(ctx, int(insts), false)
					return
				}
				d.StepInst(ctx, stretch, false)
				d.Continue(ctx, Limits{Insts: insts/2 - stretch})
				d.StepInst(ctx, stretch, false)
				d.Continue(ctx, Limits{Insts: insts - insts/2 - 2*stretch})
				d.StepInst(ctx, stretch, false)
			})
		})
	}
}

// programs lists the executables of a directory of testdata/elf.
func programs(t testing.TB, dir string, n int) []string {
	t.Helper()
	list, err := filepath.Glob("../../testdata/elf/" + dir + "/*.elf")
	require.NoError(t, err)
	require.Len(t, list, n)
	return list
}

// runsAreEqual runs a program free to its end and compares with one that stepped takes there, with
// the moment before the end reached backwards, with the middle reached backwards, and with the end
// reached again from there.
func runsAreEqual(t *testing.T, path string, stepped func(d *Debugger, insts uint64)) {
	ctx := context.Background()
	free, freeOut := start(t, path, Options{NoHistory: true})
	require.Equal(t, arcv2dsp.StopExited, free.Continue(ctx, Limits{}).Reason)
	end, insts := free.state(t), free.Position().Insts

	halfway, _ := start(t, path, Options{NoHistory: true})
	halfway.Continue(ctx, Limits{Insts: insts / 2})
	half := halfway.state(t)
	late, _ := start(t, path, Options{NoHistory: true})
	late.Continue(ctx, Limits{Insts: insts - 1_000})
	before := late.state(t)

	d, out := start(t, path, Options{})
	d.history.interval = max(20_011, insts/101)
	stepped(d, insts)
	require.Equal(t, end, d.state(t), "stepped")
	require.Equal(t, arcv2dsp.StopExited, d.last.Reason)
	require.Equal(t, freeOut.String(), out.String())

	_, err := d.ReverseStepInst(ctx, 1_000, false)
	require.NoError(t, err)
	require.Equal(t, before, d.state(t), "taken back")
	_, err = d.GoTo(ctx, insts/2)
	require.NoError(t, err)
	require.Equal(t, half, d.state(t), "taken to the middle")
	require.Equal(t, arcv2dsp.StopExited, d.Continue(ctx, Limits{}).Reason)
	require.Equal(t, end, d.state(t), "replayed")
	require.Equal(t, freeOut.String(), out.String(), "output is not repeated")
}
