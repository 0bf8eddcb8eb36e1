package mlir_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "arcv2dsp/internal/dev/testkit/nofiles"
	"arcv2dsp/internal/network/mlir"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/quant"
)

// An fx tensor of MLI, printed as a type, read, and made a tensor again, is the same tensor.
func TestFXTensorsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := nn.New(rapid.SampledFrom([]nn.Type{nn.I8, nn.I16}).Draw(t, "type"), 2, 3)
		x.Format = nn.Format{Kind: nn.Fixed, Frac: rapid.IntRange(-100, 100).Draw(t, "frac")}
		lo, hi := x.Type.Range()
		for i := range x.Ints {
			x.Ints[i] = rapid.Int64Range(lo, hi).Draw(t, "x")
		}
		typ, err := mlir.TypeOf(x)
		require.NoError(t, err)
		read, err := quant.ParseType(typ.Elem.String())
		require.NoError(t, err)
		back, lost, err := mlir.TensorOf(mlir.Type{Shaping: mlir.Ranked, Shape: typ.Shape, Elem: mlir.Elem{Quant: &read}})
		require.NoError(t, err)
		require.Zero(t, lost)
		back.Ints = x.Ints
		require.Equal(t, x, back)
		require.Equal(t, x.Values(), back.Values())
	})
}

func TestOtherFormatsRoundTrip(t *testing.T) {
	for _, f := range []nn.Format{
		{Kind: nn.Scaled, Scales: []float32{0.1}, Zeros: []int64{-3}},
		{Kind: nn.Scaled, Axis: 1, Scales: []float32{0.1, 0.2, 0.3}, Zeros: []int64{0, 1, -1}},
		{Kind: nn.Plain},
	} {
		x := &nn.Tensor{Type: nn.I8, Shape: []int{2, 3}, Format: f}
		typ, err := mlir.TypeOf(x)
		require.NoError(t, err)
		back, lost, err := mlir.TensorOf(typ)
		require.NoError(t, err)
		require.Zero(t, lost)
		require.Equal(t, x, back)
	}
	// MLI's integer scales are exact as types; as float32 they are, too, having 15 bits.
	x := nn.FromInts(nn.I8, []int{2}, []int64{5, -7})
	x.Format = nn.Format{Kind: nn.Mantissa, Mantissas: []int32{32767, 3}, ScaleFrac: 20, Zeros: []int64{1, 2}}
	typ, err := mlir.TypeOf(x)
	require.NoError(t, err)
	back, lost, err := mlir.TensorOf(typ)
	require.NoError(t, err)
	require.Zero(t, lost)
	back.Ints = x.Ints
	require.Equal(t, x.Values(), back.Values())

	// A scale that a float32 lacks says how much is lost.
	q := quant.Uniform(quant.Int8, quant.F32, quant.Params{Scale: 0.1})
	_, lost, err = mlir.TensorOf(mlir.Type{Shaping: mlir.Ranked, Shape: []int{1}, Elem: mlir.Elem{Quant: &q}})
	require.NoError(t, err)
	require.InDelta(t, 1.5e-8, lost, 0.05e-8)
	_, _, err = mlir.TensorOf(mlir.Type{})
	require.ErrorContains(t, err, "is no tensor of known size")
	_, err = mlir.TypeOf(&nn.Tensor{Type: nn.I48, Shape: []int{1}})
	require.EqualError(t, err, "no type of the text for elements of i48")
}

// A trained layer becomes a network of kernel calls that gives the integers of its text, and so does its text written again.
func TestTrainedLayerBecomesANetwork(t *testing.T) {
	m := pass(t, trained, "convert-simulated-quantization", "convert-const", "simplify", "fuse", "trim-casts", "lower-real-math", "simplify")
	require.NotContains(t, m.String(), "cast %arg0 : tensor<4x3xf32>")
	g, err := mlir.Graph(m.Funcs[0], golden.Operators())
	require.NoError(t, err)
	require.Len(t, g.Nodes, 1)
	r := values(t, 7, mlir.Type{Shaping: mlir.Ranked, Shape: []int{4, 3}})
	x := g.Values[g.Inputs[0]].Tensor.Clone()
	p := quant.Params{Scale: x.Format.Scale(0), ZeroPoint: x.Format.Zero(0)}
	x.Ints = quant.RealTFLite.QuantizeAll(r.Reals, p, quant.Int8)
	out, err := nn.NewSession(g, nn.GoldenExecutor{}).Run(context.Background(), []*nn.Tensor{x})
	require.NoError(t, err)
	want, err := mlir.Evaluator{Kernels: golden.Operators()}.Run(m.Funcs[0], &mlir.Tensor{Type: m.Funcs[0].Body.Args[0].Type, Ints: x.Ints})
	require.NoError(t, err)
	require.Equal(t, want[0].Ints, out[0].Ints)
	require.Equal(t, float32(4.0/255), out[0].Format.Scales[0])

	float, err := mlir.Parse("float.mlir", matmul)
	require.NoError(t, err)
	_, err = mlir.Graph(float.Funcs[0], golden.Operators())
	require.ErrorContains(t, err, "no kernel computes it")
}
