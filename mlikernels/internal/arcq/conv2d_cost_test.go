package arcq

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
)

// bothWays is a kernel of convolutions that takes its windows in a given way, whatever they cost.
func bothWays(r row, scratch int) *kernel.Kernel {
	r.fill = func(p *params, c *nn.Call) { fillConvWith(p, c, scratch) }
	return r.kernel()
}

// TestConvolutionCosts: over the grid, the ways that the costs choose take at most 5 % more cycles than the better way of
// each call, and fewer than zones alone. Those of depthwise convolutions leave zones at the border of small maps out.
func TestConvolutionCosts(t *testing.T) {
	level.NeedsPlain(t, "two seconds")
	const allWindows = 1 << 14 // room for a window, or for a padded map
	for _, r := range convolutions() {
		m := newTestMachine(t, "em9d")
		zones, copies := bothWays(r, 0), bothWays(r, allWindows)
		cycles := func(k *kernel.Kernel, c *nn.Call) float64 {
			rep, err := m.Run(context.Background(), k, &kernel.Job{Call: c})
			require.NoError(t, err)
			require.True(t, rep.OK(), rep.Status)
			return float64(rep.Cycles)
		}
		var chosen, best, byZones float64
		for _, c := range zones.Grid() {
			job, err := c.Job(nn.Double, kernel.Seed)
			require.NoError(t, err)
			zone, way := cycles(zones, job.Call), cycles(copies, job.Call)
			best, byZones = best+min(zone, way), byZones+zone
			if r.convScratch(job.Call) == 0 {
				way = zone
			}
			chosen += way
		}
		t.Logf("%s: %.0f cycles, %.0f by the better way of each call, %.0f by zones", r.symbol, chosen, best, byZones)
		require.LessOrEqual(t, chosen, 1.05*best, r.symbol)
		require.Less(t, chosen, byZones, r.symbol)
	}
}
