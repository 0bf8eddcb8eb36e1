package quantnet

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/nn/tflite"
	"arcv2dsp/nn/tosa"
	"arcv2dsp/quant"
)

var em9d = Target{Core: "em9d"}

// everyWay calibrates, quantizes and measures a network in a way.
func everyWay(t *testing.T, g *nn.Graph, in [][]*nn.Tensor, way string) (*Report, error) {
	t.Helper()
	w, err := ParseWay(way)
	require.NoError(t, err)
	ranges, err := Calibrate(context.Background(), g, in, "minmax", w.Data)
	if err != nil {
		return nil, err
	}
	n, err := Quantize(g, ranges, func(int) *Way { return w })
	if err != nil {
		return nil, err
	}
	return n.Measure(context.Background(), Data{Inputs: in}, em9d)
}

// one is a network of a single matrix product with the given weights and biases.
func one(weights, bias []float32) (*nn.Graph, [][]*nn.Tensor) {
	b := &sampler{graph: &nn.Graph{Name: "one"}}
	x := b.input(1, len(weights))
	w, c := nn.New(nn.F32, 1, len(weights)), nn.New(nn.F32, 1)
	copy(w.Floats, weights)
	copy(c.Floats, bias)
	b.graph.Outputs = []int{b.node("dense", golden.FullyConnected, nn.Attrs{}, []int{x, b.value("w", w), b.value("b", c)}, []int{1, 1})}
	in := nn.New(nn.F32, 1, len(weights))
	for i := range in.Floats {
		in.Floats[i] = 1 / float32(i+1)
	}
	return b.graph, [][]*nn.Tensor{{in}}
}

func TestWrongInputsAreOneLine(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, c := range []struct {
		name, way, want string
		weights, bias   []float32
		change          func(g *nn.Graph, in [][]*nn.Tensor) [][]*nn.Tensor
	}{
		{name: "no inputs", way: "int8", want: "empty statistics: no values were observed",
			change: func(*nn.Graph, [][]*nn.Tensor) [][]*nn.Tensor { return nil }},
		{name: "NaN", way: "int8", want: "input 0: value input: value 1 is NaN",
			change: func(_ *nn.Graph, in [][]*nn.Tensor) [][]*nn.Tensor { in[0][0].Floats[1] = nan; return in }},
		{name: "infinity", way: "fx8", want: "value 0 is +Inf",
			change: func(_ *nn.Graph, in [][]*nn.Tensor) [][]*nn.Tensor { in[0][0].Floats[0] = inf; return in }},
		{name: "shape", way: "int8", want: "input 0: input input is f32[1 3], the network takes f32[1 2]",
			change: func(*nn.Graph, [][]*nn.Tensor) [][]*nn.Tensor { return [][]*nn.Tensor{{nn.New(nn.F32, 1, 3)}} }},
		{name: "number", way: "int8", want: "input 0: 0 tensors, the network takes 1",
			change: func(*nn.Graph, [][]*nn.Tensor) [][]*nn.Tensor { return [][]*nn.Tensor{{}} }},
		{name: "infinite weights", way: "sa8", weights: []float32{1, inf}, want: "value dense: value 0 is +Inf"},
		{name: "affine bias", way: "sa8", weights: []float32{1e-6, 1e-6}, bias: []float32{1e3}, want: "scale overflow: the bias 1000 of channel 0"},
		{name: "tiny", way: "fx8", weights: []float32{1e-44, 1e-44}, want: "scale overflow"},
		{name: "batch", way: "fx8", want: "MLI computes one input at a time, not 2",
			change: func(g *nn.Graph, in [][]*nn.Tensor) [][]*nn.Tensor {
				g.Values[g.Inputs[0]].Tensor.Shape, g.Values[g.Outputs[0]].Tensor.Shape = []int{2, 2}, []int{2, 1}
				return [][]*nn.Tensor{{nn.New(nn.F32, 2, 2)}}
			}},
	} {
		if c.weights == nil {
			c.weights = []float32{1, -0.5}
		}
		g, in := one(c.weights, c.bias)
		if c.change != nil {
			in = c.change(g, in)
		}
		_, err := everyWay(t, g, in, c.way)
		require.ErrorContains(t, err, c.want, c.name)
		require.NotContains(t, err.Error(), "\n", c.name)
	}
	g, in := one([]float32{1}, nil)
	_, err := Calibrate(context.Background(), g, in, "median", quant.Int8)
	require.ErrorContains(t, err, `unknown statistics "median", there are minmax, average`)
	_, err = ParseWay("int9")
	require.ErrorContains(t, err, `unknown way "int9", there are int8, 16x8`)
	_, err = Split(g, 0, []int{4, 2}, make([]float64, 8))
	require.ErrorContains(t, err, "shape [4 2] does not fit the input input of shape [1 1]")
}

// TestDeadUnits: a unit whose weights are next to nothing, or nothing, gives its bias.
func TestDeadUnits(t *testing.T) {
	for _, way := range []string{"int8", "16x8"} {
		for _, w := range []float32{1e-19, 1e-6, 0} {
			g, in := one([]float32{w, -w}, []float32{-0.1299})
			rep, err := everyWay(t, g, in, way)
			require.NoError(t, err, "%s %g", way, w)
			require.InDelta(t, 0, rep.Output.MaxError, 0.1299/127, "%s %g", way, w)
		}
	}
	// The converter's own example: weights of 1e-7 with a bias of 4 behind an input of scale 0.05 take a scale under which the
	// bias is half of the greatest integer of 32 bits; weights of 7 keep theirs.
	require.InEpsilon(t, 4/(0.05*(1<<30)), widened(1e-7/127, 0.05, []float64{4}), 1e-8)
	require.Equal(t, 7.0/127, widened(7.0/127, 0.05, []float64{-4}))
}

// TestEveryOfTheStatistics: the ranges of all lie within that of minmax, and every one quantizes.
func TestEveryOfTheStatistics(t *testing.T) {
	g, in, err := Sample("autoencoder", 4)
	require.NoError(t, err)
	whole, err := Calibrate(context.Background(), g, in, "minmax", quant.Int8)
	require.NoError(t, err)
	for _, name := range Observers() {
		ranges, err := Calibrate(context.Background(), g, in, name, quant.Int8)
		require.NoError(t, err)
		for i, r := range ranges {
			require.LessOrEqual(t, r.Hi, whole[i].Hi, name)
			require.GreaterOrEqual(t, r.Lo, whole[i].Lo, name)
		}
		n, err := Quantize(g, ranges, func(int) *Way { return ways[0] })
		require.NoError(t, err)
		r, err := n.Measure(context.Background(), Data{Inputs: in}, em9d)
		require.NoError(t, err)
		require.Greater(t, r.Output.SQNR, map[bool]float64{false: 15, true: 5}[name == "average"], name) // inputs differ in size
	}
}

// TestWeightsGiveUpBits: 600 products of 16 bits at their ends need 41 bits, the accumulator has 40.
func TestWeightsGiveUpBits(t *testing.T) {
	weights := make([]float32, 600)
	for i := range weights {
		weights[i] = 0.999
	}
	g, in := one(weights, nil)
	for i := range in[0][0].Floats {
		in[0][0].Floats[i] = float32(i%3) / 2
	}
	r, err := everyWay(t, g, in, "fx16")
	require.NoError(t, err)
	p := r.Layers[0].Proof
	require.Equal(t, 1, p.GivenUp)
	require.True(t, p.Holds())
	require.Equal(t, 40, p.Bits)
	require.Contains(t, p.Advice, "600 accumulations need 10 extra bits, 1 more than the accumulator has")
	var text bytes.Buffer
	require.NoError(t, r.Text(&text))
	require.Contains(t, text.String(), "dense: the weights gave up 1 fraction bits for 40 bits in an accumulator of 40")
}

// TestLayersOfEveryKind runs what the samples lack, in every way that has it.
func TestLayersOfEveryKind(t *testing.T) {
	b := &sampler{graph: &nn.Graph{Name: "kinds"}, random: rand.New(rand.NewPCG(5, 5))}
	x := b.input(1, 6, 5, 4)
	same := nn.Attrs{"padding": "SAME", "stride_h": 2, "stride_w": 1, fusedAttr: "RELU6"}
	w, bias := nn.New(nn.F32, 1, 3, 3, 4), nn.New(nn.F32, 4)
	for i := range w.Floats {
		w.Floats[i] = float32(b.random.NormFloat64())
	}
	bias.Floats[2] = 0.25
	x = b.node("depthwise", golden.DepthwiseConv2D, same, []int{x, b.value("dw", w), b.value("db", bias)}, []int{1, 3, 5, 4})
	x = b.layer("flatten", golden.Reshape, nil, x, 1, 60)
	x = b.dense("dense", x, 60, 7, "NONE")
	x = b.layer("relu", golden.Relu, nil, x, 1, 7)
	affine := b.dense("dense again", x, 7, 5, "RELU")
	b.graph.Outputs = []int{affine}
	in := [][]*nn.Tensor{{b.picture([]int{1, 6, 5, 4})}, {b.picture([]int{1, 6, 5, 4})}}
	check := func(g *nn.Graph, ways []*Way) {
		require.NoError(t, g.Check())
		g = Fuse(g)
		require.Len(t, g.Nodes, len(b.graph.Nodes)-1, "the rectifier went into the product")
		for _, w := range ways {
			r, err := everyWay(t, g, in, w.Name)
			require.NoError(t, err, w.Name)
			require.Greater(t, r.Output.SQNR, map[bool]float64{false: 15, true: 10}[w.Name == "int4"], w.Name)
		}
	}
	check(b.graph, ways)
	for i, op := range []string{golden.Logistic, golden.Tanh, golden.Softmax} {
		if testing.Short() && i > 0 {
			break
		}
		out := b.layer(op, op, nil, affine, 1, 5)
		b.graph.Outputs = []int{out}
		check(b.graph, ways[:5])
		_, err := everyWay(t, b.graph, in, "sa8")
		require.ErrorContains(t, err, "as sa8: mli11 has no mli_krn_")
		b.graph.Nodes = b.graph.Nodes[:len(b.graph.Nodes)-1]
	}
}

// TestAdviceEndsWithTheFineNetwork: the last step has every layer with weights in the fine way.
func TestAdviceEndsWithTheFineNetwork(t *testing.T) {
	g, in, err := Sample("autoencoder", 2)
	require.NoError(t, err)
	ranges, err := Calibrate(context.Background(), g, in, "minmax", quant.Int8)
	require.NoError(t, err)
	a, err := Advise(context.Background(), g, ranges, ways[0], ways[1], Data{Inputs: in}, em9d)
	require.NoError(t, err)
	require.Len(t, a.Steps, 4)
	for i, way := range ways[:2] {
		n, err := Quantize(g, ranges, func(int) *Way { return way })
		require.NoError(t, err)
		r, err := n.Measure(context.Background(), Data{Inputs: in}, em9d)
		require.NoError(t, err)
		require.Equal(t, r.Output.SQNR, []float64{a.Base.Output.SQNR, a.Steps[3].SQNR}[i])
	}
	sum, best := a.Base.Output.SQNR, a.Base.Output.SQNR
	for _, s := range a.Steps {
		sum, best = sum+s.Gain, max(best, s.SQNR)
		require.InDelta(t, s.SQNR, sum, 1e-9)
	}
	require.GreaterOrEqual(t, a.Report.Output.SQNR, min(best, a.Base.Output.SQNR+1)-1, "the advice is the best mix, or near it")
	again, err := a.Network.Measure(context.Background(), Data{Inputs: in}, em9d)
	require.NoError(t, err)
	require.Equal(t, a.Report.Output, again.Output, "the network is the one that the advice speaks of")
	_, err = Advise(context.Background(), g, ranges, ways[2], ways[3], Data{Inputs: in}, em9d)
	require.ErrorContains(t, err, "no advice for fx8: MLI has no function that converts between its types")
}

// TestVerdictsByHand: the shortest mix within a decibel of the best one, or none.
func TestVerdictsByHand(t *testing.T) {
	at := func(sqnr float64) *Report { return &Report{Output: quant.ErrorReport{SQNR: sqnr}, Cycles: 1000} }
	for _, c := range []struct {
		name, want string
		sqnr       []float64 // of the base and behind each step
		cycles     uint64
	}{
		{name: "nothing", sqnr: []float64{30, 30.5, 29, 30.9}, want: "Keep int8: no mix with 16x8 gains 1 dB."},
		{name: "one of three", sqnr: []float64{30, 39.5, 40, 40.2}, cycles: 1250, want: "Write a as 16x8: 30.00 dB become 39.50 dB for +250 cycles of 1000."},
		{name: "two of three", sqnr: []float64{30, 28, 40, 40.5}, cycles: 900, want: "Write a, b as 16x8: 30.00 dB become 40.00 dB for -100 cycles of 1000."},
	} {
		a := &Advice{Coarse: ways[0], Fine: ways[1], Base: at(c.sqnr[0])}
		for i, sqnr := range c.sqnr[1:] {
			a.Steps = append(a.Steps, Step{Layer: string(rune('a' + i)), SQNR: sqnr})
		}
		a.choose()
		a.Report = a.Base
		if a.Moved > 0 {
			a.Report = at(c.sqnr[a.Moved])
			a.Report.Cycles = c.cycles
		}
		require.Equal(t, c.want, a.Verdict(), c.name)
	}
	require.Equal(t, "costs nothing", Step{Gain: 0.7, Extra: -3}.perCycle())
	require.Equal(t, "gains nothing", Step{Gain: -0.7, Extra: 0}.perCycle())
	require.Equal(t, "3.5000", Step{Gain: 0.7, Extra: 200}.perCycle())
}

// TestFilesOfFloats: a network written as a file computes what it did, and matrix products come from MLIR's text.
func TestFilesOfFloats(t *testing.T) {
	g, in, err := Sample("lenet", 1)
	require.NoError(t, err)
	data, err := tflite.Write(g)
	require.NoError(t, err)
	back, err := Read("lenet.tflite", data)
	require.NoError(t, err)
	run := func(g *nn.Graph, in ...*nn.Tensor) *nn.Tensor {
		out, err := nn.NewSession(g, nn.GoldenExecutor{}).Run(context.Background(), in)
		require.NoError(t, err)
		return out[0]
	}
	require.NoError(t, nn.Difference(run(back, in[0]...), run(g, in[0]...)))

	const text = `func.func @net(%x: tensor<1x2xf32>) -> tensor<1x3xf32> {
  %w = arith.constant dense<[[1.0, -2.0, 0.5], [0.25, 4.0, -1.0]]> : tensor<2x3xf32>
  %b = arith.constant dense<[0.5, 0.0, 0.125]> : tensor<3xf32>
  %y = "fxpmath.real_matmul_bias"(%x, %w, %b) {clamp_min = 0.0} : (tensor<1x2xf32>, tensor<2x3xf32>, tensor<3xf32>) -> tensor<1x3xf32>
  %z = "fxpmath.real_unary_ew"(%y) {fn = "TANH"} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  return %z : tensor<1x3xf32>
}
`
	net, err := Read("net.mlir", []byte(text))
	require.NoError(t, err)
	x := nn.New(nn.F32, 1, 2)
	copy(x.Floats, []float32{1, 2})
	got := run(net, x)
	for i, v := range []float64{math.Tanh(1 + 0.5 + 0.5), math.Tanh(-2 + 8), 0} { // 0.5 - 2 + 0.125 is below 0
		require.InDelta(t, v, got.Floats[i], 1e-7)
	}
	_, err = Read("net.mlir", []byte("func.func @f(%x: tensor<2xi8>) -> tensor<2xi8> {\n  return %x : tensor<2xi8>\n}\n"))
	require.ErrorContains(t, err, "argument 1 of @f: a network of floats has no elements of i8")
	_, err = Read("x.tflite", []byte("nothing"))
	require.ErrorContains(t, err, "no TensorFlow Lite file")
}

// TestWrittenNetworksComputeTheSame: a network of integers that is written in a form and read again gives the same integers; what a form
// cannot say is refused.
func TestWrittenNetworksComputeTheSame(t *testing.T) {
	g, in, err := Sample("autoencoder", 2)
	require.NoError(t, err)
	g = Fuse(g)
	for _, way := range ways {
		ranges, err := Calibrate(context.Background(), g, in, "minmax", way.Data)
		require.NoError(t, err)
		n, err := Quantize(g, ranges, func(int) *Way { return way })
		require.NoError(t, err)
		for _, ending := range FileTypes() {
			data, err := n.File(ending)
			if want := refusals[way.Name+ending]; want != "" {
				require.ErrorContains(t, err, want, "%s%s", way, ending)
				continue
			}
			require.NoError(t, err, "%s%s", way, ending)
			var back *nn.Graph
			switch ending {
			case ".tflite":
				back, err = tflite.Read(data, golden.Operators(), nn.Double)
			case ".tosa":
				var f *tosa.File
				f, err = tosa.Decode(data)
				require.NoError(t, err)
				back, err = f.Graph(nil)
			default:
				back, err = ReadText("net.mlir", data)
			}
			require.NoError(t, err, "%s%s", way, ending)
			if ending == ".mlir" { // the text is the same again
				again, err := (&Network{Graph: back}).File(ending)
				require.NoError(t, err, "%s%s", way, ending)
				require.Equal(t, string(data), string(again), "%s%s", way, ending)
			}
			for _, x := range in {
				q := []*nn.Tensor{n.Input(0, x[0])}
				want, err := nn.NewSession(n.Graph, nn.GoldenExecutor{}).Run(context.Background(), q)
				require.NoError(t, err)
				got, err := nn.NewSession(back, nn.GoldenExecutor{}).Run(context.Background(), q)
				require.NoError(t, err)
				require.Equal(t, want[0].Ints, got[0].Ints, "%s%s", way, ending)
			}
		}
	}
}

// refusals are ways that a form has no words for.
var refusals = map[string]string{
	"fx8.tflite": "no operators of mli11, a .mlir file has", "fx16.tflite": "no operators of mli11", "fx16x8.tflite": "no operators of mli11", "sa8.tflite": "no operators of mli11",
	"fx8.tosa": "no operators of mli11", "fx16.tosa": "no operators of mli11", "fx16x8.tosa": "no operators of mli11", "sa8.tosa": "no operators of mli11",
}
