package mli11

import (
	"context"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// TestStack holds the figures of mli_config.h against what calls leave below the stack pointer.
func TestStack(t *testing.T) {
	level.NeedsPlain(t, "the calls with the deepest stacks are long")
	header, err := tree.ReadFile("include/mli_config.h")
	require.NoError(t, err)
	stated := func(name string) int {
		match := regexp.MustCompile(`#define ` + name + ` (\d+)\n`).FindSubmatch(header)
		require.NotNil(t, match, name)
		n, err := strconv.Atoi(string(match[1]))
		require.NoError(t, err)
		return n
	}
	const rounding = 64 // how much larger than the need a figure may be
	for _, core := range testCores {
		m := newTestMachine(t, core, nn.Convergent)
		deepest := 0
		for _, f := range functions() {
			limit := stated("MLI_STACK")
			var points []point
			for i, p := range f.standard() {
				if i%4 == 0 && level.Wants(i/4, 5, 5) {
					points = append(points, p)
				}
			}
			copied := largestCopied(f, kernel.AGUOf(core) == kernel.LargeAGU)
			points = append(points, copied...)
			if len(copied) > 0 {
				limit += stated("MLI_STACK_PATCH")
			}
			used := 0
			for _, p := range points {
				job, err := f.job(p, nn.Convergent, 7)
				require.NoError(t, err)
				_, err = m.Run(context.Background(), f.kernel, job)
				require.NoError(t, err)
				n, err := m.StackUsed()
				require.NoError(t, err)
				used = max(used, n)
			}
			require.LessOrEqual(t, used, limit, "%s on %s", f.Name, core)
			if len(copied) > 0 {
				require.Greater(t, used, stated("MLI_STACK_PATCH")-4*rounding, "%s on %s", f.Name, core)
				continue
			}
			deepest = max(deepest, used)
		}
		if core == "em7d" {
			require.Greater(t, deepest, stated("MLI_STACK")-rounding)
		}
	}
}

// largestCopied are calls whose copies take the most stack, and some whose copies would be just too large.
func largestCopied(f *function, agu bool) []point {
	const most, outputs = 16384, 4
	if agu {
		return largestCopiedByPorts(f, most, outputs)
	}
	if f.config != convConfiguration || f.order.depthwise {
		return nil
	}
	of := func(rows, channels, outputs int) point {
		return point{name: "patch", params: map[string]int{"stride_h": 1, "stride_w": 1}, shapes: map[string][]int{
			"in": f.order.maps(rows, rows, channels), "w": f.order.weights(outputs, channels, 1, 1), "b": {outputs}}}
	}
	head := 4
	if f.Bias == golden.SA32 {
		head = 8
	}
	fours := (most - outputs*head) / (4*2 + 4*outputs*f.Weights.Bits()/8)
	points := []point{of(2, 4*fours-1, outputs), of(2, 4*fours+1, outputs)}
	if f.order.channelsFirst {
		points = append(points, of(1, most/(f.Data.Bits()/8), 1))
	}
	return points
}

// largestCopiedByPorts are those of cores with AGU: a map of 3 x 3 under a 1 x 1 window with stride 2, the filters of 64
// outputs, a padded map of 2 x 2 under a window of 3 x 3, and the input of a fully connected layer as halves.
func largestCopiedByPorts(f *function, most, outputs int) []point {
	bytes := f.Data.Bits() / 8
	var points []point
	for beyond := range 2 {
		switch {
		case f.Family == "conv2d_chw":
			c := most/(2*2*bytes) + beyond
			points = append(points, point{name: "strided", params: map[string]int{"stride_h": 2, "stride_w": 2},
				shapes: map[string][]int{"in": {c, 3, 3}, "w": {outputs, c, 1, 1}, "b": {outputs}}})
		case f.Family == "conv2d_hwc" || f.Family == "conv2d_nhwc":
			const filters, side = 64, 14
			start := 4
			if f.Data.Affine() {
				start = 0
			}
			c := (most-filters*start)/(filters*f.Weights.Bits()/8) + beyond
			points = append(points, point{name: "pairs", params: map[string]int{"stride_h": 1, "stride_w": 1},
				shapes: map[string][]int{"in": {side, side, c}, "w": {filters, 1, 1, c}, "b": {filters}}})
		case f.Family == "depthwise_conv2d_hwcn":
			c := most/(4*4) + beyond
			points = append(points, point{name: "padded", params: map[string]int{"stride_h": 1, "stride_w": 1,
				"pad_l": 1, "pad_r": 1, "pad_t": 1, "pad_b": 1},
				shapes: map[string][]int{"in": {2, 2, c}, "w": {1, 3, 3, c}, "b": {c}}})
		case f.Family == "fully_connected" && f.Data.Affine():
			n := most/2 + beyond
			points = append(points, point{name: "halves", shapes: map[string][]int{"in": {n}, "w": {2, n}, "b": {2}}})
		}
	}
	return points
}
