package arcq

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
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
	{kernel: "arcq_convolve_s8", point: "conv_1x12x12x32-16_3x3_s1x1_same_d2x2", em9d: 0.76, em7d: 2.20},
	{kernel: "arcq_convolve_s8", point: "depthwise_1x7x6x16-16_3x3_s1x1_same_m1_d2x2", em9d: 9.7, em7d: 17.0},
	{kernel: "arcq_convolve_s8", point: "transpose_1x7x6x16-4_3x3_s2x1_same", em9d: 1.30, em7d: 3.30},
	{kernel: "arcq_convolve_s16s8", point: "conv_1x12x12x32-16_3x3_s1x1_same_d2x2", em9d: 0.64, em7d: 1.95},
	{kernel: "arcq_convolve_s16s8", point: "product_1x7x6x257-5", em9d: 0.71, em7d: 2.29},
	{kernel: "arcq_convolve_narrow_s16s8", point: "conv_1x12x12x32-16_3x3_s1x1_same_d2x2", em9d: 0.63, em7d: 1.95},
	{kernel: "arcq_convolve_sums_s8", point: "conv_1x12x12x32-16_3x3_s1x1_same_d2x2", em9d: 0.72, em7d: 2.16},
	{kernel: "arcq_convolve_sums_s16s8", point: "conv_1x12x12x32-16_3x3_s1x1_same_d2x2", em9d: 0.76, em7d: 2.10},
	{kernel: "arcq_matmul_s8", point: "60_[1]_[1]_32x64x32", em9d: 0.79, em7d: 2.19},
	{kernel: "arcq_matmul_s16", point: "60_[1]_[1]_32x64x32", em9d: 0.77, em7d: 2.03},
	{kernel: "arcq_matmul_sums_s8", point: "1_32x64x32_60", em9d: 0.71, em7d: 2.08},
	{kernel: "arcq_matmul_sums_s16", point: "1_32x64x32_60", em9d: 0.68, em7d: 1.95},
	{kernel: "arcq_svdf_s8", point: "1x392-8_r1_m8", em9d: 0.63, em7d: 1.74},
	{kernel: "arcq_svdf_s16s8", point: "1x392-8_r1_m8", em9d: 0.64, em7d: 1.74},
	{kernel: "arcq_lstm_s8", point: "1x2x4-50_c-11", em9d: 1.59, em7d: 3.64},
	{kernel: "arcq_lstm_s16s8", point: "1x2x4-50_c-11", em9d: 1.57, em7d: 3.08},
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
	op           string // "" for the first that the kernel computes
	low          bool   // weights lie where ports wait for them
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
	{core: smallCore, kernel: "arcq_depthwise_conv2d_s8", in: [2][]int{{1, 3, 10, 8}, {1, 3, 18, 8}}, weights: [2][]int{{1, 3, 3, 8}, {1, 3, 3, 8}}, products: 4.5, each: 5.5},
	{core: "em9d", kernel: "arcq_convolve_s16s8", in: [2][]int{{1, 3, 10, 16}, {1, 3, 10, 16}}, weights: [2][]int{{8, 3, 3, 16}, {24, 3, 3, 16}}, products: 72, each: 3},
	{core: "em9d", kernel: "arcq_convolve_s16s8", in: [2][]int{{1, 3, 10, 3}, {1, 3, 10, 3}}, weights: [2][]int{{8, 3, 3, 3}, {24, 3, 3, 3}}, products: 15, each: 3},
	{core: "em9d", kernel: "arcq_convolve_s16s8", in: [2][]int{{1, 5, 10, 6}, {1, 5, 10, 6}}, weights: [2][]int{{8, 5, 5, 6}, {24, 5, 5, 6}}, products: 75, each: 3},
	{core: "em9d", kernel: "arcq_convolve_s16s8", in: [2][]int{{1, 5, 10, 3}, {1, 5, 10, 3}}, weights: [2][]int{{8, 5, 5, 3}, {24, 5, 5, 3}}, products: 40, each: 3},
	{core: "em9d", kernel: "arcq_convolve_s16s8", in: [2][]int{{1, 4, 10, 6}, {1, 4, 10, 6}}, weights: [2][]int{{8, 4, 5, 6}, {16, 4, 5, 6}}, products: 60, each: 9},
	{core: "em9d", kernel: "arcq_convolve_s16s8", in: [2][]int{{1, 4, 10, 6}, {1, 4, 10, 6}}, weights: [2][]int{{32, 4, 5, 6}, {64, 4, 5, 6}}, products: 60, each: 3},
	{core: "em9d", kernel: "arcq_convolve_s16s8", in: [2][]int{{1, 2, 10, 16}, {1, 2, 10, 16}}, weights: [2][]int{{32, 2, 2, 16}, {64, 2, 2, 16}}, products: 32, each: 3},
	{core: "em9d", kernel: "arcq_convolve_s16s8", in: [2][]int{{1, 6, 10, 4}, {1, 6, 10, 4}}, weights: [2][]int{{32, 6, 3, 4}, {64, 6, 3, 4}}, products: 36, each: 3},
	{core: "em9d", kernel: "arcq_convolve_s16s8", in: [2][]int{{1, 7, 10, 3}, {1, 7, 10, 3}}, weights: [2][]int{{32, 7, 5, 3}, {64, 7, 5, 3}}, products: 53, each: 3},
	{core: "em9d", kernel: "arcq_convolve_s16s8", in: [2][]int{{1, 8, 10, 3}, {1, 8, 10, 3}}, weights: [2][]int{{32, 8, 5, 3}, {64, 8, 5, 3}}, products: 60, each: 3},
	{core: "em9d", kernel: "arcq_convolve_narrow_s16s8", in: [2][]int{{1, 4, 10, 6}, {1, 4, 10, 6}}, weights: [2][]int{{32, 4, 5, 6}, {64, 4, 5, 6}}, products: 60, each: 5},
	{core: smallCore, kernel: "arcq_convolve_s16s8", op: "FULLY_CONNECTED", in: [2][]int{{2, 32}, {2, 32}}, weights: [2][]int{{8, 32}, {24, 32}}, products: 16, each: 6},
	{core: smallCore, kernel: "arcq_convolve_s16s8", op: "FULLY_CONNECTED", in: [2][]int{{2, 96}, {2, 96}}, weights: [2][]int{{8, 96}, {24, 96}}, products: 48, each: 6},
	{core: smallCore, kernel: "arcq_convolve_s16s8", op: "FULLY_CONNECTED", in: [2][]int{{2, 400}, {2, 400}}, weights: [2][]int{{8, 400}, {24, 400}}, products: 200, each: 9},
	{core: smallCore, kernel: "arcq_convolve_s16s8", in: [2][]int{{1, 3, 10, 16}, {1, 3, 10, 16}}, weights: [2][]int{{8, 3, 3, 16}, {24, 3, 3, 16}}, products: 72, each: 6},
	{core: smallCore, kernel: "arcq_convolve_s16s8", in: [2][]int{{1, 4, 10, 3}, {1, 4, 10, 3}}, weights: [2][]int{{8, 4, 3, 3}, {24, 4, 3, 3}}, products: 18, each: 6},
	{core: smallCore, kernel: "arcq_convolve_s16s8", in: [2][]int{{1, 3, 10, 3}, {1, 3, 10, 3}}, weights: [2][]int{{8, 3, 3, 3}, {24, 3, 3, 3}}, products: 14, each: 6},
	{core: "em7d", kernel: "arcq_convolve_s16s8", op: "FULLY_CONNECTED", in: [2][]int{{2, 32}, {2, 32}}, weights: [2][]int{{8, 32}, {24, 32}}, products: 24, each: 9},
	{core: "em7d", kernel: "arcq_convolve_s16s8", op: "FULLY_CONNECTED", in: [2][]int{{2, 96}, {2, 96}}, weights: [2][]int{{8, 96}, {24, 96}}, products: 72, each: 18},
	{core: "em7d", kernel: "arcq_convolve_s16s8", in: [2][]int{{1, 3, 10, 16}, {1, 3, 10, 16}}, weights: [2][]int{{8, 3, 3, 16}, {24, 3, 3, 16}}, products: 108, each: 21},
	{core: "em7d", kernel: "arcq_convolve_s16s8", op: "DEPTHWISE_CONV_2D", in: [2][]int{{1, 3, 10, 8}, {1, 3, 10, 24}}, weights: [2][]int{{1, 3, 3, 8}, {1, 3, 3, 24}}, products: 18, each: 13},
	{core: "em9d", kernel: "arcq_convolve_narrow_s16s8", in: [2][]int{{1, 3, 10, 16}, {1, 3, 10, 16}}, weights: [2][]int{{8, 3, 3, 16}, {24, 3, 3, 16}}, products: 72, each: 5},
	{core: "em9d", kernel: "arcq_convolve_narrow_s16s8", op: "FULLY_CONNECTED", in: [2][]int{{2, 97}, {2, 97}}, weights: [2][]int{{8, 97}, {24, 97}}, products: 49, each: 5},
	{core: "em9d", kernel: "arcq_convolve_s16s8", op: "FULLY_CONNECTED", in: [2][]int{{2, 400}, {2, 400}}, weights: [2][]int{{8, 400}, {24, 400}}, products: 200, each: 6},
	{core: "em9d", kernel: "arcq_convolve_s16s8", op: "FULLY_CONNECTED", in: [2][]int{{2, 1200}, {2, 1200}}, weights: [2][]int{{8, 1200}, {24, 1200}}, products: 600, each: 9},
	{core: "em9d", kernel: "arcq_convolve_s16s8", op: "FULLY_CONNECTED", in: [2][]int{{2, 96}, {2, 96}}, weights: [2][]int{{8, 96}, {24, 96}}, products: 48, each: 3},
	{core: "em9d", kernel: "arcq_convolve_s16s8", op: "DEPTHWISE_CONV_2D", in: [2][]int{{1, 3, 10, 8}, {1, 3, 10, 24}}, weights: [2][]int{{1, 3, 3, 8}, {1, 3, 3, 24}}, products: 4.5, each: 4},
	{core: "em9d", kernel: "arcq_convolve_s16s8", op: "DEPTHWISE_CONV_2D", in: [2][]int{{1, 5, 10, 8}, {1, 5, 10, 24}}, weights: [2][]int{{1, 5, 5, 8}, {1, 5, 5, 24}}, products: 12.5, each: 10},
}

// usualCall is a call with usual factors and without padding or limits.
func usualCall(op *nn.Operator, data nn.Type, in, weights []int) *nn.Call {
	r := rand.New(rand.NewPCG(3, 3))
	channels, out := weights[0], []int{in[0], weights[0]}
	if len(weights) == 4 {
		channels = weights[channelAxis(&nn.Call{Op: op})]
		out = []int{in[0], in[1] - weights[1] + 1, in[2] - weights[2] + 1, channels}
	}
	x, w, b := random(r, data, in...), random(r, nn.I8, weights...), random(r, nn.I32, channels)
	for i := range b.Ints {
		b.Ints[i] >>= 16
	}
	zeros := []int64{3}
	if data == nn.I16 {
		zeros, b.Type = []int64{0}, nn.I64
	}
	x.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{1}, Zeros: zeros}
	w.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{0.003}, Zeros: []int64{0}}
	c := &nn.Call{Op: op, Rounding: nn.Double, In: []*nn.Tensor{x, w, b}, Attrs: nn.Attrs{"fused_activation_function": "NONE"},
		Out: []*nn.Tensor{{Type: data, Shape: out, Format: nn.Format{Kind: nn.Scaled, Scales: []float32{1}, Zeros: zeros}}}}
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
			op, data := k.Computes[0], nn.I8
			if test.op != "" {
				op = operator(nn.TFLite, test.op)
			}
			if strings.HasSuffix(test.kernel, "s16s8") {
				data = nn.I16
			}
			c := usualCall(op, data, test.in[i], test.weights[i])
			if strings.Contains(test.kernel, "narrow") {
				c.In[2].Type = nn.I32
			}
			require.NoError(t, c.Prepare())
			require.NoError(t, k.Fits(c))
			rep, err := m.Run(context.Background(), k, &kernel.Job{Call: c})
			require.NoError(t, err)
			want, err := c.Expect()
			require.NoError(t, err)
			require.NoError(t, kernel.Difference(rep.Results["out"], want.Out[0]), "%s of %v and %v on %s", test.kernel, test.in[i], test.weights[i], test.core)
			cycles[i], outputs[i] = float64(rep.Cycles-rep.Stalls["mac-use"]), float64(c.Out[0].Len())
		}
		each := (cycles[1] - cycles[0]) / (outputs[1] - outputs[0])
		require.InDelta(t, test.products+test.each, each, 0.6, "%s of %v and %v on %s", test.kernel, test.in[1], test.weights[1], test.core)
	}
}

// TestShortSums: sums of 64 bits that keep to 32 whatever the data are come from kernels that take 32 bits of them. All kinds of
// windows are short with biases of 24 bits; one more than the greatest sum of 32 bits is not.
func TestShortSums(t *testing.T) {
	for _, core := range slices.Concat(testCores, []string{smallCore}) {
		t.Run(core, func(t *testing.T) { testShortSums(t, core) })
	}
}

func testShortSums(t *testing.T, core string) {
	m := newTestMachine(t, core)
	k := Collection().Kernels[slices.IndexFunc(Collection().Kernels, func(k *kernel.Kernel) bool { return k.Symbol == "arcq_convolve_s16s8" })]
	run := func(name string, c *nn.Call) {
		c.Rounding = nn.Double
		require.NoError(t, c.Prepare(), name)
		want, err := c.Expect()
		require.NoError(t, err, name)
		rep, err := m.Run(context.Background(), k, &kernel.Job{Call: c})
		require.NoError(t, err, name)
		require.NoError(t, kernel.Difference(rep.Results["out"], want.Out[0]), name)
	}
	r := rand.New(rand.NewPCG(4, 4))
	short := 0
	for i, w := range windows() {
		if w.int4 || !level.Wants(i, 1, 3) {
			continue
		}
		c := w.lite(r, nn.I16, nn.I64, "large")
		run(w.name(), c)
		sweep := must(liteSweep(c))
		sweep.bias = func(ch int) int64 { return c.Input("bias").Ints[ch] }
		if sweep.areShort(c.Input("weights").Ints) {
			short++
		}
	}
	require.Greater(t, short, 20)
	for _, shape := range [][2][]int{
		{{2, 104}, {70, 104}}, {{9, 99}, {5, 99}}, {{1, 16}, {65, 16}}, {{3, 1200}, {4, 1200}}, {{3, 400}, {4, 400}}, {{1, 4, 6, 5}, {66, 3, 2, 5}}, {{1, 3, 10, 16}, {4, 3, 3, 16}},
	} {
		op := "FULLY_CONNECTED"
		if len(shape[0]) == 4 {
			op = "CONV_2D"
		}
		c := usualCall(operator(nn.TFLite, op), nn.I16, shape[0], shape[1])
		c.Attrs["fused_activation_function"] = "RELU"
		run(op, c)
	}
	for _, over := range []int64{0, 1} {
		for _, least := range []bool{false, true} {
			c := usualCall(operator(nn.TFLite, "FULLY_CONNECTED"), nn.I16, []int{1, 4}, []int{1, 4})
			copy(c.In[1].Ints, []int64{100, 90, 80, 70})
			c.In[2].Ints[0] = math.MaxInt32 + over - 340<<15
			for i := range c.In[0].Ints {
				if c.In[0].Ints[i] = 32767; least {
					c.In[0].Ints[i] = -32768
				}
			}
			if least {
				c.In[2].Ints[0] *= -1
			}
			sweep := productSweep(1, c.In[1])
			sweep.bias = func(int) int64 { return c.In[2].Ints[0] }
			require.Equal(t, over == 0, sweep.areShort(c.In[1].Ints))
			c.In[1].Format.Scales[0] = 1. / (1 << 17)
			run("the greatest sums", c)
		}
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
