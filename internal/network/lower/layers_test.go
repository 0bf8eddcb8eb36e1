package lower_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"arcv2dsp/internal/network/lower"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/nn/tosa"
)

// layer is a network of one operator with random scales, weights and input.
type layer struct {
	*rapid.T
	graph nn.Graph
	node  nn.Node
	in    []*nn.Tensor
}

func newLayer(t *rapid.T, op string, attrs nn.Attrs) *layer {
	row, ok := golden.Operators().Lookup(nn.TFLite, op)
	require.True(t, ok)
	return &layer{T: t, node: nn.Node{Name: "layer", Op: row, Attrs: attrs, Rounding: rapid.SampledFrom([]nn.Rounding{nn.Double, nn.Single}).Draw(t, "rounding")}}
}

func (l *layer) add(x *nn.Tensor) int {
	l.graph.Values = append(l.graph.Values, nn.Value{Name: "value", Tensor: x})
	return len(l.graph.Values) - 1
}

func (l *layer) elements(name string, t nn.Type, lo, hi int64, shape []int) *nn.Tensor {
	n := nn.Count(shape)
	return nn.FromInts(t, shape, rapid.SliceOfN(rapid.Int64Range(lo, hi), n, n).Draw(l.T, name))
}

// scaled gives a tensor a scale, and a zero point where its type has one.
func (l *layer) scaled(name string, x *nn.Tensor, lo, hi float32) *nn.Tensor {
	x.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{rapid.Float32Range(lo, hi).Draw(l.T, name+" scale")}, Zeros: []int64{0}}
	if x.Type == nn.I8 {
		x.Format.Zeros[0] = rapid.Int64Range(-128, 127).Draw(l.T, name+" zero")
	}
	return x
}

// input adds an input of the network.
func (l *layer) input(name string, t nn.Type, shape ...int) {
	lo, hi := t.Range()
	x := l.scaled(name, l.elements(name, t, lo, hi, shape), 0.0001, 1)
	l.in = append(l.in, x)
	v := l.add(&nn.Tensor{Type: x.Type, Shape: x.Shape, Format: x.Format})
	l.node.In, l.graph.Inputs = append(l.node.In, v), append(l.graph.Inputs, v)
}

// weights adds a filter with a scale for each channel along an axis, and a bias.
func (l *layer) weights(in nn.Type, axis int, shape ...int) {
	w := l.elements("weights", nn.I8, -128, 127, shape)
	n := shape[axis]
	w.Format = nn.Format{Kind: nn.Scaled, Axis: axis, Scales: rapid.SliceOfN(rapid.Float32Range(1e-6, 0.05), n, n).Draw(l.T, "scales"), Zeros: make([]int64, n)}
	t := nn.I32
	if in == nn.I16 {
		t = nn.I64
	}
	l.node.In = append(l.node.In, l.add(w), l.add(l.elements("bias", t, -1<<28, 1<<28, []int{n})))
}

// check gives the layer an output and compares it with what it is lowered to.
func (l *layer) check(t nn.Type, shape ...int) {
	out := l.add(l.scaled("out", &nn.Tensor{Type: t, Shape: shape}, 0.1, 40))
	l.compare(out)
}

// compare runs the layer and what it is lowered to.
func (l *layer) compare(out int) {
	l.node.Out = []int{out}
	l.graph.Outputs, l.graph.Nodes = []int{out}, []nn.Node{l.node}
	require.NoError(l.T, l.graph.Check())
	lowered, err := lower.ToTOSA(&l.graph)
	require.NoError(l.T, err)
	require.NoError(l.T, tosa.Everything().Check(lowered))
	run := func(g *nn.Graph) *nn.Tensor {
		out, err := nn.NewSession(g, nn.GoldenExecutor{}).Run(context.Background(), l.in)
		require.NoError(l.T, err)
		return out[0]
	}
	want := run(&l.graph)
	require.NoError(l.T, nn.Difference(run(lowered), want))
	for _, g := range []*nn.Graph{lowered, unscaled(lowered)} {
		fused, err := lower.Fuse(g, golden.Operators())
		require.NoError(l.T, err)
		require.NoError(l.T, fused.Check())
		if name := l.node.Op.Name; name == "CONV_2D" || name == "DEPTHWISE_CONV_2D" || name == "FULLY_CONNECTED" {
			require.Equal(l.T, name, fused.Nodes[0].Op.Name)
			require.LessOrEqual(l.T, len(fused.Nodes), 3) // CLAMP and RESHAPE may stay
		}
		require.NoError(l.T, nn.Difference(run(fused), want))
	}
}

// unscaled is a graph without the scales of its values, as files have it.
func unscaled(g *nn.Graph) *nn.Graph {
	bare := *g
	bare.Values = slices.Clone(g.Values)
	for i := range bare.Values {
		t := *bare.Values[i].Tensor
		t.Format = nn.Format{}
		bare.Values[i].Tensor = &t
	}
	return &bare
}

// windowed draws a window that fits an image and gives the output's extent.
func windowed(t *rapid.T, name string, in int) (kernel, stride, valid, same int) {
	kernel, stride = rapid.IntRange(1, in).Draw(t, name+" kernel"), rapid.IntRange(1, 3).Draw(t, name+" stride")
	return kernel, stride, (in-kernel)/stride + 1, (in + stride - 1) / stride
}

var functions = []string{"NONE", "RELU", "RELU6", "RELU_N1_TO_1"}

func TestFiltersAndPools(t *testing.T) {
	for _, op := range []string{"CONV_2D", "DEPTHWISE_CONV_2D", "AVERAGE_POOL_2D", "MAX_POOL_2D"} {
		t.Run(op, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				h, w, c := rapid.IntRange(1, 7).Draw(t, "h"), rapid.IntRange(1, 7).Draw(t, "w"), rapid.IntRange(1, 4).Draw(t, "c")
				kh, sh, validH, sameH := windowed(t, "h", h)
				kw, sw, validW, sameW := windowed(t, "w", w)
				attrs := nn.Attrs{"padding": "VALID", "stride_h": sh, "stride_w": sw, "fused_activation_function": rapid.SampledFrom(functions).Draw(t, "function")}
				oh, ow := validH, validW
				if rapid.Bool().Draw(t, "same") {
					attrs["padding"], oh, ow = "SAME", sameH, sameW
				}
				typ := rapid.SampledFrom([]nn.Type{nn.I8, nn.I16}).Draw(t, "type")
				l := newLayer(t, op, attrs)
				l.input("in", typ, 1, h, w, c)
				switch op {
				case "CONV_2D":
					oc := rapid.IntRange(1, 4).Draw(t, "oc")
					l.weights(typ, 0, oc, kh, kw, c)
					l.check(typ, 1, oh, ow, oc)
				case "DEPTHWISE_CONV_2D":
					m := rapid.IntRange(1, 3).Draw(t, "m")
					l.weights(typ, 3, 1, kh, kw, c*m)
					l.check(typ, 1, oh, ow, c*m)
				default:
					attrs["filter_height"], attrs["filter_width"] = kh, kw
					l.checkAlike(1, oh, ow, c)
				}
			})
		})
	}
}

// checkAlike is check for operators whose output has the scale of the input.
func (l *layer) checkAlike(shape ...int) {
	in := l.in[0]
	out := l.add(&nn.Tensor{Type: in.Type, Shape: shape, Format: in.Format})
	l.compare(out)
}

func TestProductsAndSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, depth, n := rapid.IntRange(1, 3).Draw(t, "rows"), rapid.IntRange(1, 9).Draw(t, "depth"), rapid.IntRange(1, 5).Draw(t, "n")
		l := newLayer(t, "FULLY_CONNECTED", nn.Attrs{"fused_activation_function": rapid.SampledFrom(functions).Draw(t, "function")})
		l.input("in", nn.I8, rows, depth)
		l.weights(nn.I8, 0, n, depth)
		l.check(nn.I8, rows, n)

		shape := []int{1, rows, depth}
		l = newLayer(t, rapid.SampledFrom([]string{"ADD", "SUB"}).Draw(t, "op"), nn.Attrs{"fused_activation_function": rapid.SampledFrom(functions).Draw(t, "function")})
		l.input("a", nn.I8, shape...)
		l.input("b", nn.I8, shape...)
		l.check(nn.I8, shape...)
	})
}

func TestSoftmaxOfAnyRow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, n := rapid.IntRange(1, 3).Draw(t, "rows"), rapid.IntRange(1, 40).Draw(t, "n")
		l := newLayer(t, "SOFTMAX", nn.Attrs{"beta": 1.0})
		l.input("in", nn.I8, rows, n)
		out := l.add(&nn.Tensor{Type: nn.I8, Shape: []int{rows, n}, Format: nn.Format{Kind: nn.Scaled, Scales: []float32{1.0 / 256}, Zeros: []int64{-128}}})
		l.compare(out)
	})
}
