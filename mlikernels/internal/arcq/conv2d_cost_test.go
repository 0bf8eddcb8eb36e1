package arcq

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
)

// bothWays is a kernel of convolutions that takes its windows in a given way, whatever they cost.
func bothWays(symbol string, scratch int) *kernel.Kernel {
	all := convolutions()
	r := all[slices.IndexFunc(all, func(r row) bool { return r.symbol == symbol })]
	r.fill = func(p *params, c *nn.Call) {
		fillConv(p, c)
		p.pointer("scratch", 0)
		if scratch > 0 {
			p.pointer("scratch", p.layout.Place(kernel.Buffer{Name: "other", Memory: kernel.Data, Size: scratch, Writable: true}))
		}
	}
	return r.kernel()
}

// TestConvolutionCosts: over the grid, the ways that the costs choose take at most 6 % more cycles than the better way of
// each call, and fewer than zones alone. The costs leave zones at the border of small maps out, which is most of the 6 %.
func TestConvolutionCosts(t *testing.T) {
	level.NeedsPlain(t, "two seconds")
	const allWindows = 1 << 14 // room for a window, or for a padded map
	for _, symbol := range []string{"arcq_conv2d_s8", "arcq_depthwise_conv2d_s8"} {
		m := newTestMachine(t, "em9d")
		zones, copies := bothWays(symbol, 0), bothWays(symbol, allWindows)
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
			if convScratch(job.Call) == 0 {
				way = zone
			}
			chosen += way
		}
		t.Logf("%s: %.0f cycles, %.0f by the better way of each call, %.0f by zones", symbol, chosen, best, byZones)
		require.LessOrEqual(t, chosen, 1.06*best, symbol)
		require.Less(t, chosen, byZones, symbol)
	}
}
