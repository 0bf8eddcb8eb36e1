package arcq

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
)

// byWay is a kernel of convolutions that takes its windows in a given way, whatever they cost.
func byWay(r row, way convWay) *kernel.Kernel {
	r.fill = func(p *params, c *nn.Call) { fillConvWith(p, c, way) }
	return r.kernel()
}

// TestConvolutionCosts: over the grid, the ways that the costs choose take at most 5 % more cycles than the better way of
// each call, and fewer than zones alone. Those of depthwise convolutions leave zones at the border of small maps out.
func TestConvolutionCosts(t *testing.T) {
	level.NeedsPlain(t, "two seconds")
	const allWindows = 1 << 14 // room for a window, or for a padded map
	for _, r := range convolutions() {
		m := newTestMachine(t, "em9d")
		zones, copies, turned := byWay(r, convWay{}), byWay(r, convWay{scratch: allWindows}), byWay(r, convWay{scratch: allWindows, turned: true})
		cycles := func(k *kernel.Kernel, c *nn.Call) float64 {
			rep, err := m.Run(context.Background(), k, &kernel.Job{Call: c})
			require.NoError(t, err)
			require.True(t, rep.OK(), rep.Status)
			return float64(rep.Cycles)
		}
		var chosen, best, byZones, turns float64
		for _, c := range zones.Grid() {
			job, err := c.Job(nn.Double, kernel.Seed)
			require.NoError(t, err)
			zone, way := cycles(zones, job.Call), cycles(copies, job.Call)
			fewest, chosenWay := min(zone, way), r.convWay(job.Call)
			switch {
			case chosenWay.turned:
				way = cycles(turned, job.Call)
				fewest = min(fewest, way)
				turns++
			case chosenWay.scratch == 0:
				way = zone
			}
			best, byZones, chosen = best+fewest, byZones+zone, chosen+way
		}
		t.Logf("%s: %.0f cycles, %.0f by the better way of each call, %.0f by zones", r.symbol, chosen, best, byZones)
		require.LessOrEqual(t, chosen, 1.05*best, r.symbol)
		require.Less(t, chosen, byZones, r.symbol)
		require.Equal(t, !r.isDepthwise(), turns > 1, r.symbol)
	}
}

// TestWindowsAsRows: of the grid of convolutions the matrix product takes those whose windows are rows of a matrix, cells or whole
// maps, and computes them.
func TestWindowsAsRows(t *testing.T) {
	rows := products()[0].kernel()
	for _, core := range testCores {
		m := newTestMachine(t, core)
		var taken []string
		for _, c := range convolutions()[0].kernel().Grid() {
			job, err := c.Job(nn.Double, kernel.Seed)
			require.NoError(t, err)
			if rows.Fits(job.Call) != nil {
				continue
			}
			want, err := job.Call.Expect()
			require.NoError(t, err)
			rep, err := m.Run(context.Background(), rows, job)
			require.NoError(t, err)
			require.NoError(t, kernel.Difference(rep.Results["out"], want.Out[0]), "%s on %s", c.Name, core)
			taken = append(taken, strings.Join(strings.Split(c.Name, "_")[:3], "_"))
		}
		require.Equal(t, []string{"1x11x10x4-4_1x1_s1x1", "1x11x10x4-4_1x1_s1x1", "1x1x1x1-1_1x1_s1x1", "1x25x5x64-64_1x1_s1x1",
			"1x11x1x4-9_11x1_s1x1", "2x5x3x4-6_5x3_s1x1", "1x1x1x64-24_3x3_s1x1", "1x3x2x5-7_4x5_s3x2", "1x2x3x12-9_3x3_s2x3"}, taken)
	}
}

// TestWaysOfSmallAGU: kernels for the small AGU take windows where they are, whatever scratch and starts the caller has chosen for others.
func TestWaysOfSmallAGU(t *testing.T) {
	m := newTestMachine(t, smallCore)
	r := convolutions()[0]
	turned := 0
	for i, p := range r.kernel().Grid() {
		job, err := p.Job(nn.Double, kernel.Seed)
		require.NoError(t, err)
		h, v, channels, err := convSpans(job.Call)
		require.NoError(t, err)
		ways := []convWay{{scratch: wholeWords(h.kernel * v.kernel * channels)}}
		if v.kernel == 1 && h.kernel > 1 {
			ways = append(ways, convWay{scratch: wholeWords(h.in * v.in * channels), turned: true})
			turned++
		} else if !level.Wants(i, 3, 29) {
			continue
		}
		for _, way := range ways {
			rep, err := m.Run(context.Background(), byWay(r, way), job)
			require.NoError(t, err, p.Name)
			require.NoError(t, kernel.Difference(rep.Results["out"], job.Want["out"]), "%s %v", p.Name, way)
		}
	}
	require.NotZero(t, turned)
}
