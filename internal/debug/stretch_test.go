package debug

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/internal/dev/testkit/level"
)

// TestSearchOfManyWrites: a stop far back is found where it was on the way forward, and the search says how
// far it is. A place that nothing wrote to is not searched at all.
func TestSearchOfManyWrites(t *testing.T) {
	ctx := context.Background()
	for i, row := range []struct {
		expr, condition string
		quiet           bool // the run after the first instructions is skipped
	}{
		{expr: "*(int*)&n", condition: "*(int*)&n == 5000"},
		{expr: "*(int*)&n", condition: "*(int*)&n == 299000"},
		{expr: "*(int*)&n"},
		{expr: "**(int**)&pointer"},
		{expr: "*(int*)&once", quiet: true},
	} {
		if !level.Wants(i, 1, 3) {
			continue
		}
		t.Run(row.expr+" if "+row.condition, func(t *testing.T) {
			d, _ := start(t, "testdata/writes.elf", Options{})
			p, err := d.Watch(WriteWatch, row.expr, row.condition)
			require.NoError(t, err)
			var last Position
			var state string
			// Without a condition, or with the pointer that moves, the last of the stops on the way forward.
			if row.condition == "" && !row.quiet {
				d.Disable(p)
				require.Equal(t, arcv2dsp.StopInstLimit, d.Continue(ctx, Limits{Insts: 1_199_990}).Reason)
				d.Enable(p)
			}
			for d.Continue(ctx, Limits{}).Reason == arcv2dsp.StopWatchpoint {
				last, state = d.Position(), d.state(t)
			}
			require.NotZero(t, last)
			require.Greater(t, d.Position().Insts, uint64(1_199_990))

			reports := 0
			var before Progress
			d.OnProgress(func(p Progress) {
				reports++
				require.GreaterOrEqual(t, p.Searched, before.Searched)
				require.LessOrEqual(t, p.Searched, p.Of)
				before = p
			})
			s, err := d.ReverseContinue(ctx)
			require.NoError(t, err)
			require.Equal(t, arcv2dsp.StopWatchpoint, s.Reason)
			require.Equal(t, last.Insts-1, d.Position().Insts, "before the instruction that wrote")
			d.DeleteAll()
			require.Equal(t, arcv2dsp.StopStepped, d.StepInst(ctx, 1, false).Reason)
			require.Equal(t, state, d.state(t))
			if row.quiet {
				require.LessOrEqual(t, reports, 2, "the last part, whose beginning is replayed, and the one with the write")
			} else {
				require.NotZero(t, reports)
			}
		})
	}
}
