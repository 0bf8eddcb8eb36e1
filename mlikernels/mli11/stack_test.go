package mli11

import (
	"context"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/mlikernels/kernel"
	"arcv2dsp/nn"
	golden "arcv2dsp/nn/golden/mli11"
)

// TestStack holds the figures of mli_config.h against what calls leave below the stack pointer.
func TestStack(t *testing.T) {
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
				if i%4 == 0 {
					points = append(points, p)
				}
			}
			copied := largestCopied(f)
			points = append(points, copied...)
			if len(copied) > 0 && !kernel.HasAGU(core) {
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
			if len(copied) > 0 && !kernel.HasAGU(core) {
				require.Greater(t, used, limit-2*rounding, "%s on %s", f.Name, core)
				continue
			}
			deepest = max(deepest, used)
		}
		if core == "em7d" {
			require.Greater(t, deepest, stated("MLI_STACK")-rounding)
		}
	}
}

// largestCopied are convolutions whose window, and whose filters if they are copied too, take the most
// stack, and some that are just too large.
func largestCopied(f *function) []point {
	if f.config != convConfiguration || f.order.depthwise {
		return nil
	}
	const most, outputs = 16384, 4
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
