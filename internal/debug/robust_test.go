package debug

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"arcv2dsp"
	"arcv2dsp/loader"

	"github.com/stretchr/testify/require"
)

// TestInputIsReplayed: a program that reads is told the same again, and what it wrote is not written
// again.
func TestInputIsReplayed(t *testing.T) {
	ctx := context.Background()
	const input = "one\ntwo\nthree\n"
	var out bytes.Buffer
	m, err := arcv2dsp.New(arcv2dsp.Config{Stdin: strings.NewReader(input), Stdout: &out})
	require.NoError(t, err)
	defer func() { require.NoError(t, m.Close()) }()
	require.NoError(t, m.LoadFile("../../testdata/guest/elf/cat.elf"))
	d, err := New(m, Options{})
	require.NoError(t, err)
	d.history.interval = 7
	s := d.Continue(ctx, Limits{})
	require.Equal(t, arcv2dsp.StopExited, s.Reason)
	require.Equal(t, input, out.String())
	end := d.state(t)
	for _, at := range []uint64{0, 5, d.Position().Insts / 2, d.Position().Insts - 1} {
		_, err := d.GoTo(ctx, at)
		require.NoError(t, err)
		require.Equal(t, at, d.Position().Insts)
		require.Equal(t, arcv2dsp.StopExited, d.Continue(ctx, Limits{}).Reason)
		require.Equal(t, end, d.state(t), "from instruction %d", at)
		require.Equal(t, input, out.String())
	}
}

// TestChangesCutHistory: a change by the user stays when the program is taken back to after
// it, and the run before is as it was.
func TestChangesCutHistory(t *testing.T) {
	ctx := context.Background()
	d, _ := start(t, sortO2, Options{})
	d.StepInst(ctx, 100, false)
	before := d.state(t)
	d.StepInst(ctx, 100, false)
	require.NoError(t, d.SetRegister("r20", 4711))
	changed := d.state(t)
	d.StepInst(ctx, 500, false)
	later := d.state(t)
	_, err := d.GoTo(ctx, 200)
	require.NoError(t, err)
	require.Equal(t, changed, d.state(t))
	_, err = d.GoTo(ctx, 100)
	require.NoError(t, err)
	require.Equal(t, before, d.state(t))
	_, err = d.GoTo(ctx, 700)
	require.NoError(t, err)
	own := d.state(t)
	require.NotEqual(t, later, own, "forward from before the change is the program's own way")
	_, err = d.ReverseStepInst(ctx, 300, false)
	require.NoError(t, err)
	d.StepInst(ctx, 300, false)
	require.Equal(t, own, d.state(t))
}

// TestHistoryIsThinned: the limits hold, and the past can still be reached.
func TestHistoryIsThinned(t *testing.T) {
	ctx := context.Background()
	d, _ := start(t, sortO2, Options{HistoryBytes: 200 << 10})
	d.history.interval = 100
	d.Continue(ctx, Limits{})
	info := d.HistoryInfo()
	require.LessOrEqual(t, info.Bytes, uint64(200<<10))
	require.LessOrEqual(t, info.Snapshots, maxSnapshots)
	require.Greater(t, info.Interval, uint64(100))
	_, err := d.GoTo(ctx, info.First.Insts+1)
	require.NoError(t, err)
	require.Equal(t, info.First.Insts+1, d.Position().Insts)
}

// TestWatchLocal: a watchpoint on a variable of a function ends with it, in recursion, too.
func TestWatchLocal(t *testing.T) {
	ctx := context.Background()
	d, _ := start(t, sortO0, Options{})
	_, err := d.Break("insertion", "", true)
	require.NoError(t, err)
	require.Equal(t, arcv2dsp.StopBreakpoint, d.Continue(ctx, Limits{}).Reason)
	p, err := d.Watch(WriteWatch, "i", "i > 197")
	require.NoError(t, err)
	for _, want := range []string{"198", "199", "200"} {
		s := d.Continue(ctx, Limits{})
		require.Equal(t, arcv2dsp.StopWatchpoint, s.Reason)
		require.Equal(t, want, s.Changes[0].New)
	}
	s := d.Continue(ctx, Limits{})
	require.Contains(t, s.Text, "deleted because the program has left the block")
	_, err = d.Point(p.Number)
	require.Error(t, err)
	require.Equal(t, arcv2dsp.StopExited, d.Continue(ctx, Limits{}).Reason)
}

// TestWatchRegister: registers are compared after each instruction, forwards and backwards.
func TestWatchRegister(t *testing.T) {
	ctx := context.Background()
	d, _ := start(t, sortO0, Options{})
	d.StepInst(ctx, 2_000, false)
	_, err := d.Watch(WriteWatch, "$acchi", "")
	require.NoError(t, err)
	s := d.Continue(ctx, Limits{})
	require.Equal(t, arcv2dsp.StopWatchpoint, s.Reason)
	require.NotEqual(t, s.Changes[0].Old, s.Changes[0].New)
	at := d.Position()
	s, err = d.ReverseContinue(ctx)
	require.NoError(t, err)
	require.Equal(t, arcv2dsp.StopWatchpoint, s.Reason)
	require.Equal(t, at.Insts-1, d.Position().Insts, "before the instruction that did it")
}

// TestDamagedPrograms: damage anywhere in the debug information ends nothing.
func TestDamagedPrograms(t *testing.T) {
	data, err := os.ReadFile(sortO2)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	r := rand.New(rand.NewPCG(1, 2))
	const first, last = 0x240a, 0x36f0 // .debug_line to .debug_frame
	opened, told := 0, 0
	for range 80 {
		bad := bytes.Clone(data)
		for range 1 + r.IntN(12) {
			bad[first+r.IntN(last-first)] = byte(r.IntN(256))
		}
		im, err := loader.Read("damaged.elf", bad)
		if err != nil {
			continue
		}
		m, err := arcv2dsp.New(arcv2dsp.Config{})
		require.NoError(t, err)
		require.NoError(t, m.Load(im))
		d, err := New(m, Options{Notice: func(string) { told++ }})
		require.NoError(t, err)
		opened++
		for _, place := range []string{"run", "insertion", "*0x2f2"} {
			_, _ = d.Break(place, "", false)
		}
		_, _ = d.Resolve("sort.c:22")
		for range 3 {
			short, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
			d.Continue(short, Limits{Insts: 50_000})
			frames, _ := d.Backtrace(50)
			for _, f := range frames {
				d.Args(f)
			}
			_, _ = d.Locals(false)
			_, _ = d.Locals(true)
			d.Step(short, 1, false)
			_, _ = d.List("")
			for _, g := range d.Globals("") {
				if v, err := d.Eval(g); err == nil {
					v.Format(Format{})
				}
			}
			_, _ = d.ReverseStep(short, 1, false)
			cancel()
		}
		require.NoError(t, d.Close())
		require.NoError(t, m.Close())
	}
	require.Greater(t, opened, 60)
	require.Greater(t, told, 5, "some of the damage is noticed")
}

// TestNoDebugInformation: a program without any still runs, steps and shows its stack.
func TestNoDebugInformation(t *testing.T) {
	ctx := context.Background()
	d, _ := start(t, filepath.Join(small, "sort-em4-O2.elf"), Options{})
	require.False(t, d.HasLines())
	_, err := d.Break("run", "", false)
	require.NoError(t, err)
	require.Equal(t, arcv2dsp.StopBreakpoint, d.Continue(ctx, Limits{}).Reason)
	frames, _ := d.Backtrace(0)
	require.Len(t, frames, 2)
	_, err = d.Locals(false)
	require.ErrorContains(t, err, "without -g")
	_, err = d.Resolve("sort.c:10")
	require.ErrorContains(t, err, "no line information")
	_, err = d.List("")
	require.Error(t, err)
	s, err := d.Finish(ctx)
	require.NoError(t, err)
	require.Equal(t, Finished, s.Reason)
	require.Nil(t, s.Value)
}

// TestSnapshotFiles: a file takes the program to where it was, and recording starts anew.
func TestSnapshotFiles(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "snapshot")
	d, _ := start(t, sortO2, Options{})
	d.Continue(ctx, Limits{Insts: 10_000})
	want := d.state(t)
	c := d.Checkpoint()
	require.NoError(t, d.SaveFile(path))
	d.Continue(ctx, Limits{Insts: 10_000})
	_, err := d.RestoreFile(path)
	require.NoError(t, err)
	require.Equal(t, want, d.state(t))
	d.StepInst(ctx, 10, false)
	_, err = d.ReverseStepInst(ctx, 10, false)
	require.NoError(t, err)
	require.Equal(t, want, d.state(t))
	d.Continue(ctx, Limits{Insts: 5_000})
	_, err = d.Restart(c.Number)
	require.NoError(t, err)
	require.Equal(t, want, d.state(t))
	require.Error(t, d.DeleteCheckpoint(99))
}
