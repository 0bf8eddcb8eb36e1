package lower_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/network/lower"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	files "arcv2dsp/nn/tosa"
)

// lone is a network of one operator: an input, other inputs, and the output.
type lone struct {
	op    string
	attrs nn.Attrs
	in    *nn.Tensor
	rest  []*nn.Tensor
	out   *nn.Tensor
}

func (l lone) graph(t *testing.T, rounding nn.Rounding) *nn.Graph {
	t.Helper()
	op, ok := golden.Operators().Lookup(nn.TFLite, l.op)
	require.True(t, ok, l.op)
	g := &nn.Graph{Values: []nn.Value{{Name: "in", Tensor: l.in}, {Name: "out", Tensor: l.out}}, Inputs: []int{0}, Outputs: []int{1}}
	in := []int{0}
	for _, x := range l.rest {
		in = append(in, len(g.Values))
		g.Values = append(g.Values, nn.Value{Name: "constant", Tensor: x})
	}
	g.Nodes = []nn.Node{{Name: l.op, Op: op, Attrs: l.attrs, In: in, Out: []int{1}, Rounding: rounding}}
	require.NoError(t, g.Check(), l.op)
	return g
}

func scaledTensor(t nn.Type, scale float32, zero int64, shape ...int) *nn.Tensor {
	return &nn.Tensor{Type: t, Shape: shape, Format: nn.Format{Kind: nn.Scaled, Scales: []float32{scale}, Zeros: []int64{zero}}}
}

// filled gives a tensor the elements that a sequence with a step gives.
func filled(x *nn.Tensor, step int64) *nn.Tensor {
	lo, hi := x.Type.Range()
	for i := range nn.Count(x.Shape) {
		x.Ints = append(x.Ints, lo+(int64(i+1)*step)%(hi-lo+1))
	}
	return x
}

func numbers(v ...int64) *nn.Tensor { return nn.FromInts(nn.I32, []int{len(v)}, v) }

func lones() []lone {
	const b, h = nn.I8, nn.I16
	byteMap := func() *nn.Tensor { return scaledTensor(b, 0.03, 5, 2, 3, 4, 6) }
	halfMap := func() *nn.Tensor { return scaledTensor(h, 0.0007, 0, 2, 3, 4, 6) }
	list := []lone{
		{op: "MUL", in: byteMap(), rest: []*nn.Tensor{filled(scaledTensor(b, 0.02, -9, 4, 1), 37)}, out: scaledTensor(b, 0.05, 17, 2, 3, 4, 6)},
		{op: "MUL", attrs: nn.Attrs{"fused_activation_function": "RELU"}, in: byteMap(), rest: []*nn.Tensor{filled(scaledTensor(b, 0.9, 100, 6), 51)}, out: scaledTensor(b, 0.0004, -3, 2, 3, 4, 6)},
		{op: "MUL", in: halfMap(), rest: []*nn.Tensor{filled(scaledTensor(h, 0.0003, 0, 6), 4711)}, out: scaledTensor(h, 0.002, 0, 2, 3, 4, 6)},
		{op: "ADD", in: byteMap(), rest: []*nn.Tensor{filled(scaledTensor(b, 0.02, -9, 4, 1), 37)}, out: scaledTensor(b, 0.05, 17, 2, 3, 4, 6)},
		{op: "SUB", in: halfMap(), rest: []*nn.Tensor{filled(scaledTensor(h, 0.0003, 0, 6), 4711)}, out: scaledTensor(h, 0.0009, 0, 2, 3, 4, 6)},
		{op: "MEAN", in: byteMap(), rest: []*nn.Tensor{numbers(1, 2)}, out: scaledTensor(b, 0.011, -20, 2, 6)},
		{op: "MEAN", attrs: nn.Attrs{"keep_dims": true}, in: halfMap(), rest: []*nn.Tensor{numbers(-1)}, out: scaledTensor(h, 0.0005, 0, 2, 3, 4, 1)},
		{op: "SUM", in: byteMap(), rest: []*nn.Tensor{numbers(3, 0)}, out: scaledTensor(b, 0.31, 4, 3, 4)},
		{op: "REDUCE_MAX", in: byteMap(), rest: []*nn.Tensor{numbers(2)}, out: scaledTensor(b, 0.03, 5, 2, 3, 6)},
		{op: "REDUCE_MIN", in: halfMap(), rest: []*nn.Tensor{numbers(1, -1)}, out: scaledTensor(h, 0.0007, 0, 2, 4)},
		{op: "MAXIMUM", in: byteMap(), rest: []*nn.Tensor{filled(scaledTensor(b, 0.03, 5, 4, 1), 37)}, out: scaledTensor(b, 0.03, 5, 2, 3, 4, 6)},
		{op: "QUANTIZE", in: byteMap(), out: scaledTensor(h, 0.0009, 0, 2, 3, 4, 6)},
		{op: "QUANTIZE", in: halfMap(), out: scaledTensor(b, 0.13, -7, 2, 3, 4, 6)},
		{op: "PAD", in: byteMap(), rest: []*nn.Tensor{nn.FromInts(nn.I32, []int{4, 2}, []int64{0, 0, 1, 2, 0, 3, 0, 0})}, out: scaledTensor(b, 0.03, 5, 2, 6, 7, 6)},
		{op: "TRANSPOSE", in: byteMap(), rest: []*nn.Tensor{numbers(0, 3, 1, 2)}, out: scaledTensor(b, 0.03, 5, 2, 6, 3, 4)},
		{op: "CONCATENATION", attrs: nn.Attrs{"axis": -2}, in: byteMap(), rest: []*nn.Tensor{filled(scaledTensor(b, 0.03, 5, 2, 3, 1, 6), 37)}, out: scaledTensor(b, 0.03, 5, 2, 3, 5, 6)},
		{op: "FULLY_CONNECTED", in: halfMap(), rest: []*nn.Tensor{filled(scaledTensor(b, 0.01, 0, 5, 6), 37), scaledTensor(nn.I64, 7e-6, 0, 5)}, out: scaledTensor(h, 0.003, 0, 24, 5)},
	}
	list[len(list)-1].rest[1].Ints = []int64{1 << 22, -(1 << 24), 77, 0, -1}
	for _, op := range []string{"QUANTIZE", "RELU", "LEAKY_RELU", "HARD_SWISH", "ELU", "GELU"} {
		l := lone{op: op, in: byteMap(), out: scaledTensor(b, 0.041, -31, 2, 3, 4, 6)}
		if op == "LEAKY_RELU" {
			l.attrs = nn.Attrs{"alpha": 0.3}
		}
		list = append(list, l)
	}
	for op, zero := range map[string]int64{"LOGISTIC": -128, "TANH": 0} {
		list = append(list, lone{op: op, in: byteMap(), out: scaledTensor(b, map[string]float32{"LOGISTIC": 1.0 / 256, "TANH": 1.0 / 128}[op], zero, 2, 3, 4, 6)})
	}
	return list
}

// TestLoneOperators: each operator gives the same integers as a graph of TOSA, and as a file of one, with both roundings of TensorFlow
// Lite.
func TestLoneOperators(t *testing.T) {
	for _, l := range lones() {
		for _, rounding := range []nn.Rounding{nn.Double, nn.Single} {
			g := l.graph(t, rounding)
			in := noise(g)
			want := run(t, g, in)
			lowered, err := lower.ToTOSA(g)
			require.NoError(t, err, l.op)
			require.NoError(t, nn.Difference(run(t, lowered, in), want), "%s %s %s", l.op, l.in.Type, rounding)
			f, err := files.FromGraph(lowered, files.Rev10)
			require.NoError(t, err, l.op)
			b, err := f.Encode()
			require.NoError(t, err, l.op)
			f, err = files.Decode(b)
			require.NoError(t, err, l.op)
			back, err := f.Graph(nil)
			require.NoError(t, err, l.op)
			require.NoError(t, nn.Difference(run(t, back, in), want), "%s %s %s, read again", l.op, l.in.Type, rounding)
			again, err := f.Encode()
			require.NoError(t, err, l.op)
			require.Equal(t, b, again, l.op)
		}
	}
}
