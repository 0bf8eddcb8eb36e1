package arcq

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
)

// productWindows are the cycles per multiply-accumulate that kernels take for a case of their grid: at most the
// numbers here, and not less than 90 % of them.
var productWindows = []struct {
	kernel, point string
	em9d, em7d    float64
}{
	{kernel: "arcq_conv2d_s8", point: "1x7x8x64-3_3x3_s1x1_same_ties", em9d: 0.58, em7d: 2.0},
	{kernel: "arcq_convolve_s8", point: "conv_1x12x12x32-16_3x3_s1x1_same_d2x2", em9d: 0.77, em7d: 2.20},
	{kernel: "arcq_convolve_s8", point: "depthwise_1x7x6x16-16_3x3_s1x1_same_m1_d2x2", em9d: 10.0, em7d: 17.0},
	{kernel: "arcq_convolve_s8", point: "transpose_1x7x6x16-4_3x3_s2x1_same", em9d: 1.50, em7d: 3.30},
	{kernel: "arcq_convolve_s16s8", point: "conv_1x12x12x32-16_3x3_s1x1_same_d2x2", em9d: 0.76, em7d: 1.95},
	{kernel: "arcq_convolve_s16s8", point: "product_1x7x6x257-5", em9d: 0.71, em7d: 2.27},
	{kernel: "arcq_convolve_narrow_s16s8", point: "conv_1x12x12x32-16_3x3_s1x1_same_d2x2", em9d: 0.76, em7d: 1.95},
	{kernel: "arcq_convolve_sums_s8", point: "conv_1x12x12x32-16_3x3_s1x1_same_d2x2", em9d: 0.72, em7d: 2.16},
	{kernel: "arcq_convolve_sums_s16s8", point: "conv_1x12x12x32-16_3x3_s1x1_same_d2x2", em9d: 0.76, em7d: 2.10},
	{kernel: "arcq_matmul_s8", point: "60_[1]_[1]_32x64x32", em9d: 0.79, em7d: 2.19},
	{kernel: "arcq_matmul_s16", point: "60_[1]_[1]_32x64x32", em9d: 0.77, em7d: 2.03},
	{kernel: "arcq_matmul_sums_s8", point: "1_32x64x32_60", em9d: 0.71, em7d: 2.08},
	{kernel: "arcq_matmul_sums_s16", point: "1_32x64x32_60", em9d: 0.68, em7d: 1.95},
	{kernel: "arcq_svdf_s8", point: "1x392-8_r1_m8", em9d: 0.63, em7d: 1.74},
	{kernel: "arcq_svdf_s16s8", point: "1x392-8_r1_m8", em9d: 0.64, em7d: 1.74},
	{kernel: "arcq_lstm_s8", point: "1x2x4-50_c-11", em9d: 1.59, em7d: 3.64},
	{kernel: "arcq_lstm_s16s8", point: "1x2x4-50_c-11", em9d: 1.61, em7d: 3.08},
}

// TestProductCycles: kernels that multiply and accumulate take the cycles that are known of them.
func TestProductCycles(t *testing.T) {
	for _, core := range testCores {
		m := newTestMachine(t, core)
		for _, w := range productWindows {
			most := map[string]float64{"em9d": w.em9d, "em7d": w.em7d}[core]
			k, job := pointOf(t, w.kernel, w.point)
			rep, err := m.Run(context.Background(), k, job)
			require.NoError(t, err, w.kernel)
			per := float64(rep.Cycles) / float64(k.Work(job.Call).Data)
			require.LessOrEqual(t, per, most, "%s %s on %s", w.kernel, w.point, core)
			require.GreaterOrEqual(t, per, 0.9*most, "%s %s on %s is faster than the window: lower it", w.kernel, w.point, core)
		}
	}
}

// perOutput are the cycles that kernels take for an output beside its products, as their heads say: two calls differ in the number of
// outputs alone. Cores whose products come a cycle later wait for sums; that is left out.
var perOutput = []struct {
	core, kernel string
	low          bool // weights lie where ports wait for them
	in, weights  [2][]int
	products     float64 // cycles for the products of an output
	each         float64 // and beside them
}{
	{core: smallCore, kernel: "arcq_fully_connected_s8", in: [2][]int{{8, 64}, {24, 64}}, weights: [2][]int{{8, 64}, {8, 64}}, products: 32, each: 5},
	{core: smallCore, kernel: "arcq_fully_connected_s8", in: [2][]int{{8, 160}, {24, 160}}, weights: [2][]int{{8, 160}, {8, 160}}, products: 80, each: 8},
	{core: smallCore, kernel: "arcq_fully_connected_s8", in: [2][]int{{8, 63}, {24, 63}}, weights: [2][]int{{8, 63}, {8, 63}}, products: 32, each: 10},
	{core: smallCore, kernel: "arcq_fully_connected_s8", in: [2][]int{{1, 64}, {1, 64}}, weights: [2][]int{{8, 64}, {24, 64}}, products: 32, each: 12},
	{core: smallCore, kernel: "arcq_fully_connected_s8", low: true, in: [2][]int{{1, 64}, {1, 64}}, weights: [2][]int{{8, 64}, {24, 64}}, products: 48, each: 16},
	{core: smallCore, kernel: "arcq_conv2d_s8", in: [2][]int{{1, 3, 10, 16}, {1, 3, 18, 16}}, weights: [2][]int{{8, 3, 3, 16}, {8, 3, 3, 16}}, products: 72, each: 14},
	{core: smallCore, kernel: "arcq_conv2d_s8", in: [2][]int{{1, 3, 10, 3}, {1, 3, 18, 3}}, weights: [2][]int{{8, 3, 3, 3}, {8, 3, 3, 3}}, products: 15, each: 14},
	{core: smallCore, kernel: "arcq_conv2d_s8", in: [2][]int{{1, 3, 10, 64}, {1, 3, 18, 64}}, weights: [2][]int{{8, 3, 3, 64}, {8, 3, 3, 64}}, products: 288, each: 21},
}

// usualCall is a call with usual factors and without padding or limits.
func usualCall(op *nn.Operator, in, weights []int) *nn.Call {
	r := rand.New(rand.NewPCG(3, 3))
	channels, out := weights[0], []int{in[0], weights[0]}
	if len(weights) == 4 {
		channels = weights[channelAxis(&nn.Call{Op: op})]
		out = []int{in[0], in[1] - weights[1] + 1, in[2] - weights[2] + 1, channels}
	}
	x, w, b := random(r, nn.I8, in...), random(r, nn.I8, weights...), random(r, nn.I32, channels)
	for i := range b.Ints {
		b.Ints[i] >>= 16
	}
	x.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{1}, Zeros: []int64{3}}
	w.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{0.003}, Zeros: []int64{0}}
	c := &nn.Call{Op: op, Rounding: nn.Double, In: []*nn.Tensor{x, w, b}, Attrs: nn.Attrs{"fused_activation_function": "NONE"},
		Out: []*nn.Tensor{{Type: nn.I8, Shape: out, Format: nn.Format{Kind: nn.Scaled, Scales: []float32{1}, Zeros: []int64{-5}}}}}
	if len(weights) == 4 {
		c.Attrs["padding"] = "VALID"
		for _, attr := range []string{"stride_h", "stride_w", "dilation_h_factor", "dilation_w_factor"} {
			c.Attrs[attr] = 1
		}
	}
	if op.Name == "DEPTHWISE_CONV_2D" {
		c.Attrs["depth_multiplier"] = 1
	}
	return c
}

// TestPerOutput holds those cycles.
func TestPerOutput(t *testing.T) {
	for _, test := range perOutput {
		o := kernel.MachineOptions{}
		if test.low {
			o = lowWeights
		}
		m := newMachine(t, test.core, o)
		var cycles, outputs [2]float64
		for i := range cycles {
			k := Collection().Kernels[slices.IndexFunc(Collection().Kernels, func(k *kernel.Kernel) bool { return k.Symbol == test.kernel })]
			c := usualCall(k.Computes[0], test.in[i], test.weights[i])
			require.NoError(t, c.Prepare())
			require.NoError(t, k.Fits(c))
			rep, err := m.Run(context.Background(), k, &kernel.Job{Call: c})
			require.NoError(t, err)
			cycles[i], outputs[i] = float64(rep.Cycles-rep.Stalls["mac-use"]), float64(c.Out[0].Len())
		}
		each := (cycles[1] - cycles[0]) / (outputs[1] - outputs[0])
		require.InDelta(t, test.products+test.each, each, 0.6, "%s of %v and %v on %s", test.kernel, test.in[1], test.weights[1], test.core)
	}
}

// pointOf is the case of a kernel's grid whose name begins in a way.
func pointOf(t *testing.T, symbol, name string) (*kernel.Kernel, *kernel.Job) {
	t.Helper()
	for _, k := range Collection().Kernels {
		if k.Symbol != symbol {
			continue
		}
		for _, p := range k.Grid() {
			if strings.HasPrefix(p.Name, name) {
				job, err := p.Job(nn.Double, 3)
				require.NoError(t, err)
				return k, job
			}
		}
	}
	t.Fatalf("%s has no case %s", symbol, name)
	return nil, nil
}
