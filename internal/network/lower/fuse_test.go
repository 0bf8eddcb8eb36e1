package lower_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "arcv2dsp/internal/dev/testkit/nofiles"
	"arcv2dsp/internal/network/lower"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/nn/tosa"
)

// chain is a TOSA graph that nobody lowered: any pads, zero points, multipliers, limits and scales.
type chain struct {
	*rapid.T
	graph nn.Graph
	in    *nn.Tensor
}

// value adds a value of the graph.
func (c *chain) value(t *nn.Tensor) int {
	c.graph.Values = append(c.graph.Values, nn.Value{Name: "value", Tensor: t})
	return len(c.graph.Values) - 1
}

// numbers draws elements of a tensor.
func (c *chain) numbers(name string, t nn.Type, lo, hi int64, shape ...int) *nn.Tensor {
	n := nn.Count(shape)
	return nn.FromInts(t, shape, rapid.SliceOfN(rapid.Int64Range(lo, hi), n, n).Draw(c.T, name))
}

// op adds an operator and gives its output.
func (c *chain) op(name string, attrs nn.Attrs, t nn.Type, shape []int, in ...int) int {
	spec, ok := tosa.Lookup(name)
	require.True(c.T, ok)
	out := c.value(&nn.Tensor{Type: t, Shape: shape})
	c.graph.Nodes = append(c.graph.Nodes, nn.Node{Name: name, Op: &spec.Operator, Attrs: attrs, In: in, Out: []int{out}})
	return out
}

func (c *chain) shape(v int) []int { return c.graph.Values[v].Tensor.Shape }

// direction draws a window along an extent that it divides exactly.
func (c *chain) direction(name string, in int) (kernel, stride, before, after, out int) {
	kernel, stride = rapid.IntRange(1, 3).Draw(c.T, name+" kernel"), rapid.IntRange(1, 2).Draw(c.T, name+" stride")
	pads := rapid.SampledFrom([]int{0, 0, 0, 1, 2})
	before, after = pads.Draw(c.T, name+" before"), pads.Draw(c.T, name+" after")
	for in+before+after < kernel || (in-kernel+before+after)%stride != 0 {
		after++
	}
	return kernel, stride, before, after, (in-kernel+before+after)/stride + 1
}

// sums adds a convolution or a product.
func (c *chain) sums(v, zero int) int {
	in := c.shape(v)
	depth := in[len(in)-1]
	oc := rapid.IntRange(1, 3).Draw(c.T, "channels")
	if len(in) == 2 {
		w, b := c.value(c.numbers("weights", nn.I8, -127, 127, oc, depth)), c.value(c.numbers("bias", nn.I32, -3000, 3000, oc))
		wz := rapid.SampledFrom([]int{0, 0, 3}).Draw(c.T, "weight zero")
		return c.op("FULLY_CONNECTED", nn.Attrs{"input_zp": zero, "weight_zp": wz, "acc_type": nn.I32}, nn.I32, []int{in[0], oc}, v, w, b)
	}
	kh, sh, top, bottom, oh := c.direction("h", in[1])
	kw, sw, left, right, ow := c.direction("w", in[2])
	name, shape, channels := "CONV2D", []int{oc, kh, kw, depth}, oc
	if rapid.Bool().Draw(c.T, "depthwise") {
		name, shape, channels = "DEPTHWISE_CONV2D", []int{kh, kw, depth, oc}, depth*oc
	}
	biases := rapid.SampledFrom([]int{1, channels}).Draw(c.T, "biases")
	w, b := c.value(c.numbers("weights", nn.I8, -127, 127, shape...)), c.value(c.numbers("bias", nn.I32, -3000, 3000, biases))
	return c.op(name, nn.Attrs{"pad": []int{top, bottom, left, right}, "stride": []int{sh, sw}, "dilation": []int{1, 1}, "input_zp": zero,
		"weight_zp": 0, "acc_type": nn.I32}, nn.I32, []int{in[0], oh, ow, channels}, v, w, b)
}

// layer adds sums with what may follow them, and gives the output and its zero point.
func (c *chain) layer(v, zero int) (int, int) {
	v = c.sums(v, zero)
	shape := c.shape(v)
	channels := shape[len(shape)-1]
	n := rapid.SampledFrom([]int{1, channels}).Draw(c.T, "factors")
	m := c.numbers("multipliers", nn.I32, 1<<30, 1<<31-1, n)
	s := c.numbers("shifts", nn.I8, 32, 42, n)
	switch rapid.IntRange(0, 9).Draw(c.T, "kind") {
	case 0:
		m.Ints[0] = rapid.Int64Range(0, 1<<30).Draw(c.T, "small")
	case 1:
		s.Ints[0] = 31
	case 2:
		least := rapid.SampledFrom([]int64{0, -1 << 31, -1 << 20}).Draw(c.T, "least")
		v = c.op("MAXIMUM", nil, nn.I32, shape, v, c.value(nn.FromInts(nn.I32, slices.Repeat([]int{1}, len(shape)), []int64{least})))
	}
	zero = rapid.IntRange(-128, 127).Draw(c.T, "out zero")
	attrs := nn.Attrs{"scale32": true, "double_round": rapid.Bool().Draw(c.T, "double"), "per_channel": n > 1, "output_zp": zero}
	v = c.op("RESCALE", attrs, nn.I8, shape, v, c.value(m), c.value(s))
	switch rapid.IntRange(0, 3).Draw(c.T, "clamp") {
	case 0:
		v = c.op("CLAMP", nn.Attrs{"min_val": zero, "max_val": 127}, nn.I8, shape, v)
	case 1:
		v = c.op("CLAMP", nn.Attrs{"min_val": zero, "max_val": rapid.IntRange(zero, 127).Draw(c.T, "greatest")}, nn.I8, shape, v)
	case 2:
		lo := rapid.IntRange(-128, 127).Draw(c.T, "lo")
		v = c.op("CLAMP", nn.Attrs{"min_val": lo, "max_val": rapid.IntRange(lo, 127).Draw(c.T, "hi")}, nn.I8, shape, v)
	}
	if len(shape) == 4 && rapid.IntRange(0, 2).Draw(c.T, "flatten") == 0 {
		flat := []int{shape[0], nn.Count(shape[1:])}
		v = c.op("RESHAPE", nn.Attrs{"shape": flat}, nn.I8, flat, v)
	}
	return v, zero
}

// TestFusingAnyChain fuses layers that do not come from TensorFlow Lite: valid graphs keep their integers.
func TestFusingAnyChain(t *testing.T) {
	valid, fewer := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		c := &chain{T: t}
		shape := []int{1, rapid.IntRange(1, 5).Draw(t, "h"), rapid.IntRange(1, 5).Draw(t, "w"), rapid.IntRange(1, 3).Draw(t, "c")}
		c.in = c.numbers("in", nn.I8, -128, 127, shape...)
		v := c.value(&nn.Tensor{Type: nn.I8, Shape: shape})
		c.graph.Inputs = []int{v}
		zero := rapid.IntRange(-128, 127).Draw(t, "zero")
		for range rapid.IntRange(1, 3).Draw(t, "layers") {
			v, zero = c.layer(v, zero)
			if rapid.IntRange(0, 3).Draw(t, "another zero") == 0 {
				zero = rapid.IntRange(-128, 127).Draw(t, "zero")
			}
		}
		c.graph.Outputs = []int{v}
		require.NoError(t, c.graph.Check())
		want, err := nn.NewSession(&c.graph, nn.GoldenExecutor{}).Run(context.Background(), []*nn.Tensor{c.in})
		if err != nil {
			require.Equal(t, nn.Unpredictable, nn.OutcomeOf(err))
			return
		}
		fused, err := lower.Fuse(&c.graph, golden.Operators())
		require.NoError(t, err)
		require.NoError(t, fused.Check())
		got, err := nn.NewSession(fused, nn.GoldenExecutor{}).Run(context.Background(), []*nn.Tensor{c.in})
		require.NoError(t, err)
		require.NoError(t, nn.Difference(got[0], want[0]))
		valid++
		if len(fused.Nodes) < len(c.graph.Nodes) {
			fewer++
		}
	})
	t.Logf("%d valid chains, %d became shorter", valid, fewer)
	require.NotZero(t, fewer)
}
