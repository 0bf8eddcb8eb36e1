package quantnet

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// outputs are those of a network for some inputs, in a row.
func outputs(t *testing.T, g *nn.Graph, in [][]*nn.Tensor) (all []float64) {
	t.Helper()
	for _, x := range in {
		out, err := nn.NewSession(g, nn.GoldenExecutor{}).Run(context.Background(), x)
		require.NoError(t, err)
		all = append(all, out[0].Values()...)
	}
	return all
}

// ratio is the signal to noise ratio of a network in a way.
func ratioOf(t *testing.T, g *nn.Graph, in [][]*nn.Tensor, way string) float64 {
	t.Helper()
	r, err := everyWay(t, g, in, way)
	require.NoError(t, err)
	return r.Output.SQNR
}

// unbalanced is a sample whose channels behind the first layer differ by powers of two up to 64 times, which its second layer takes
// back.
func unbalanced(t *testing.T) (*nn.Graph, [][]*nn.Tensor) {
	t.Helper()
	g, in, err := Sample("lenet", 3)
	require.NoError(t, err)
	for i := range 6 { // filters of conv1: 25 weights and a bias each
		factor := float32(math.Ldexp(1, i))
		for k := range 25 {
			g.Values[g.Nodes[0].In[1]].Tensor.Floats[25*i+k] *= factor
		}
		g.Values[g.Nodes[0].In[2]].Tensor.Floats[i] *= factor
		for k := range g.Values[g.Nodes[2].In[1]].Tensor.Floats {
			if k%6 == i {
				g.Values[g.Nodes[2].In[1]].Tensor.Floats[k] /= factor
			}
		}
	}
	return g, in
}

// TestEqualization: the results stay, channels of one pair reach as far in both layers, and fixed point with one scale for all of
// them wins what the imbalance had lost.
func TestEqualization(t *testing.T) {
	g, in := unbalanced(t)
	before := outputs(t, g, in)
	equal := Equalize(g)
	require.Equal(t, before, outputs(t, g, in), "the network itself stays")
	for i, v := range outputs(t, equal, in) {
		require.InDelta(t, before[i], v, 1e-5)
	}
	first, second := equal.Values[equal.Nodes[0].In[1]].Tensor, equal.Values[equal.Nodes[2].In[1]].Tensor
	for ch := range 6 {
		var reach [2]float64
		for _, v := range first.Floats[25*ch : 25*ch+25] {
			reach[0] = max(reach[0], math.Abs(float64(v)))
		}
		for i, v := range second.Floats {
			if i%6 == ch {
				reach[1] = max(reach[1], math.Abs(float64(v)))
			}
		}
		require.InEpsilon(t, reach[0], reach[1], 0.01, "channel %d", ch)
	}
	require.Greater(t, ratioOf(t, equal, in, "fx8"), ratioOf(t, g, in, "fx8")+3)
}

// TestEqualizationLeavesDeadChannels: a channel that is next to nothing has nothing to balance, and its bias stays.
func TestEqualizationLeavesDeadChannels(t *testing.T) {
	g, in, err := Sample("autoencoder", 2)
	require.NoError(t, err)
	w, b := g.Values[g.Nodes[0].In[1]].Tensor, g.Values[g.Nodes[0].In[2]].Tensor
	for k := range 128 {
		w.Floats[k] = 1e-19
	}
	b.Floats[0] = -0.13
	equal := Equalize(g)
	require.Equal(t, float32(-0.13), equal.Values[equal.Nodes[0].In[2]].Tensor.Floats[0])
	require.Greater(t, ratioOf(t, equal, in, "int8"), 25.0)
}

// TestBiasCorrectionByHand: weights that all lie 0.4 steps above their integers add 0.4 steps for every input of the mean; the bias
// takes it back.
func TestBiasCorrectionByHand(t *testing.T) {
	const step = 1.0 / 127
	weights := []float32{1} // gives the scale
	for range 99 {
		weights = append(weights, 20.4*step)
	}
	g, in := one(weights, []float32{0})
	for i := range in[0][0].Floats {
		in[0][0].Floats[i] = 1
	}
	ranges, err := Calibrate(context.Background(), g, in, "minmax", ways[0].Data)
	require.NoError(t, err)
	n, err := Quantize(g, ranges, func(int) *Way { return ways[0] })
	require.NoError(t, err)
	require.NoError(t, n.CorrectBias(context.Background(), in))
	bias := n.Graph.Values[n.Graph.Nodes[0].In[2]].Tensor
	require.InDelta(t, 99*0.4*step, float64(bias.Ints[0])*bias.Format.Scale(0), 1e-4)
}

// marked is a matrix product as quantization-aware training leaves it: the input and the output pass through fake quantization, the
// weights through integers or through fake quantization of their own.
func marked(t *testing.T, integers bool) *nn.Graph {
	t.Helper()
	b := &sampler{graph: &nn.Graph{Name: "marked"}}
	x := b.input(1, 2)
	fake := func(v int, reach float64, narrow bool, shape ...int) int {
		return b.layer("fake", golden.FakeQuant, nn.Attrs{"min": -reach, "max": reach, "num_bits": 8, "narrow_range": narrow}, v, shape...)
	}
	x = fake(x, 4, false, 1, 2)
	var w int
	if integers {
		bytes := &nn.Tensor{Type: nn.I8, Shape: []int{2, 2}, Ints: []int64{127, -3, 64, 5}, Format: nn.Format{Kind: nn.Scaled, Scales: []float32{0.5}, Zeros: []int64{0}}}
		w = b.layer("reals", golden.Dequantize, nil, b.value("w", bytes), 2, 2)
	} else {
		real := nn.New(nn.F32, 2, 2)
		copy(real.Floats, []float32{63.5, -1.5, 32, 2.5})
		w = fake(b.value("w", real), 63.5, true, 2, 2)
	}
	y := b.node("dense", golden.FullyConnected, nn.Attrs{}, []int{x, w}, []int{1, 2})
	b.graph.Outputs = []int{fake(y, 100, false, 1, 2)}
	require.NoError(t, b.graph.Check())
	return b.graph
}

// TestTrainedFormatsStay: scales and integers that training has fixed are those of the network, whatever calibration sees.
func TestTrainedFormatsStay(t *testing.T) {
	for _, integers := range []bool{false, true} {
		g, fixed := Trained(marked(t, integers))
		require.NoError(t, g.Check())
		require.Len(t, g.Nodes, 1)
		x := nn.New(nn.F32, 1, 2)
		copy(x.Floats, []float32{0.01, 0.02})
		ranges, err := Calibrate(context.Background(), g, [][]*nn.Tensor{{x}}, "minmax", ways[0].Data)
		require.NoError(t, err)
		n, err := Quantize(g, Fix(ranges, fixed), func(int) *Way { return ways[0] })
		require.NoError(t, err)
		node := n.Graph.Nodes[0]
		require.InEpsilon(t, 8.0/255, n.Graph.Values[node.In[0]].Tensor.Format.Scale(0), 1e-6)
		require.InEpsilon(t, 200.0/255, n.Graph.Values[node.Out[0]].Tensor.Format.Scale(0), 1e-6)
		w := n.Graph.Values[node.In[1]].Tensor
		require.Equal(t, []int64{127, -3, 64, 5}, w.Ints)
		require.Equal(t, 0.5, w.Format.Scale(0))
	}
}

// unweighted is a network of most operators without weights, and inputs for it.
func unweighted(t *testing.T) (*nn.Graph, [][]*nn.Tensor) {
	t.Helper()
	b := &sampler{graph: &nn.Graph{Name: "unweighted"}, random: rand.New(rand.NewPCG(6, 6))}
	constant := func(shape []int, v ...float32) int {
		return b.value("constant", &nn.Tensor{Type: nn.F32, Shape: shape, Floats: v})
	}
	integers := func(v ...int64) int { return b.value("integers", nn.FromInts(nn.I32, []int{len(v)}, v)) }
	x := b.input(1, 4, 4, 2)
	y := b.node("mul", golden.Mul, nn.Attrs{fusedAttr: "NONE"}, []int{x, constant([]int{2}, 0.5, -3)}, []int{1, 4, 4, 2})
	z := b.node("add", golden.Add, nn.Attrs{fusedAttr: "NONE"}, []int{x, constant([]int{2}, 1, -1)}, []int{1, 4, 4, 2})
	d := b.node("sub", golden.Sub, nn.Attrs{fusedAttr: "NONE"}, []int{y, z}, []int{1, 4, 4, 2})
	m := b.node("max", golden.Maximum, nil, []int{x, d}, []int{1, 4, 4, 2})
	c := b.node("concatenation", golden.Concatenation, nn.Attrs{"axis": 3}, []int{y, z, m}, []int{1, 4, 4, 6})
	c = b.node("pad", "PAD", nil, []int{c, integers(0, 0, 1, 1, 0, 1, 0, 0)}, []int{1, 6, 5, 6})
	c = b.node("transpose", "TRANSPOSE", nil, []int{c, integers(0, 2, 1, 3)}, []int{1, 5, 6, 6})
	c = b.node("leaky", golden.LeakyRelu, nn.Attrs{"alpha": 0.125}, []int{c}, []int{1, 5, 6, 6})
	c = b.node("mean", golden.Mean, nil, []int{c, integers(1, 2)}, []int{1, 6})
	c = b.node("logistic", golden.Logistic, nil, []int{c}, []int{1, 6})
	b.graph.Outputs = []int{b.node("reshape", golden.Reshape, nil, []int{c, integers(2, 3)}, []int{2, 3})}
	require.NoError(t, b.graph.Check())
	var in [][]*nn.Tensor
	for range 4 {
		in = append(in, []*nn.Tensor{b.picture([]int{1, 4, 4, 2})})
	}
	return b.graph, in
}

// TestOperatorsWithoutWeights: they run in kernels of the core and lose no more than bytes lose. Inputs of a concatenation get the
// format of its output, by their ranges where nobody else takes them, by a conversion where somebody does.
func TestOperatorsWithoutWeights(t *testing.T) {
	g, in := unweighted(t)
	for _, way := range []string{"int8", "16x8"} {
		r, err := everyWay(t, g, in, way)
		require.NoError(t, err, way)
		require.Zero(t, r.Host, way)
		require.Greater(t, r.Output.SQNR, 35.0, way)
	}
	ranges, err := Calibrate(context.Background(), g, in, "minmax", ways[0].Data)
	require.NoError(t, err)
	n, err := Quantize(g, ranges, func(int) *Way { return ways[0] })
	require.NoError(t, err)
	var converted []string
	for _, l := range n.Layers {
		if len(l.Nodes) > 1 {
			converted = append(converted, l.Name)
		}
	}
	require.Equal(t, []string{"max", "concatenation"}, converted)
	for _, l := range n.Layers {
		if l.Name == "concatenation" {
			require.Len(t, l.Nodes, 4, "conversions of the product, the sum and the maximum")
		}
	}
}

// pairOf is a network of one operator on two inputs of two elements.
func pairOf(t *testing.T, op string, attrs nn.Attrs, out ...int) *nn.Graph {
	t.Helper()
	b := &sampler{graph: &nn.Graph{Name: op}}
	x, y := b.value("x", &nn.Tensor{Type: nn.F32, Shape: []int{1, 2}}), b.value("y", &nn.Tensor{Type: nn.F32, Shape: []int{1, 2}})
	b.graph.Inputs = []int{x, y}
	b.graph.Outputs = []int{b.node(op, op, attrs, []int{x, y}, out)}
	require.NoError(t, b.graph.Check())
	return b.graph
}

// TestJoinedRangesByHand: the lesser of two values never reaches 4, but both inputs have the scale of the greater one, from 0 to 4.
func TestJoinedRangesByHand(t *testing.T) {
	g := pairOf(t, golden.Minimum, nil, 1, 2)
	n, err := Quantize(g, []Range{{Hi: 4}, {Hi: 1}, {Hi: 1}}, func(int) *Way { return ways[0] })
	require.NoError(t, err)
	for _, v := range n.Graph.Nodes[len(n.Graph.Nodes)-1].In {
		require.InEpsilon(t, 4.0/255, n.Graph.Values[v].Tensor.Format.Scale(0), 1e-6)
	}
}

// TestMeansHaveTheirOwnRange: means of values from -1 to 1 that cancel have finer steps than the values.
func TestMeansHaveTheirOwnRange(t *testing.T) {
	b := &sampler{graph: &nn.Graph{Name: "mean"}}
	x := b.input(1, 4)
	b.graph.Outputs = []int{b.node("mean", golden.Mean, nil, []int{x, b.value("axis", nn.FromInts(nn.I32, []int{1}, []int64{1}))}, []int{1})}
	require.NoError(t, b.graph.Check())
	ranges := make([]Range, len(b.graph.Values))
	ranges[x], ranges[b.graph.Outputs[0]] = Range{Lo: -1, Hi: 1}, Range{Lo: 0, Hi: 0.255}
	n, err := Quantize(b.graph, ranges, func(int) *Way { return ways[0] })
	require.NoError(t, err)
	require.InEpsilon(t, 0.001, n.Graph.Values[n.Graph.Outputs[0]].Tensor.Format.Scale(0), 1e-6)
}

// TestCellsByHand: 16 bits hold cells up to 3 with steps of 2 to the power of -13.
func TestCellsByHand(t *testing.T) {
	require.Equal(t, math.Ldexp(1, -13), cellFormat(Range{Lo: -3, Hi: 1}).Scale(0))
	require.Equal(t, math.Ldexp(1, -15), cellFormat(Range{Lo: -1, Hi: 0.5}).Scale(0))
	require.Equal(t, math.Ldexp(1, -15), cellFormat(Range{}).Scale(0))
}

// TestCellsOfAllStepsCount: the cell that a first step fills and a second one empties has the range of the first; a second input begins
// with empty cells again.
func TestCellsOfAllStepsCount(t *testing.T) {
	for _, forgets := range []bool{false, true} { // cells that forget are small behind the last input, a zero
		g, in := recurrent(t)
		forget, fresh := g.Values[g.Nodes[0].In[lstmBias+1]].Tensor, g.Values[g.Nodes[0].In[lstmBias+2]].Tensor
		for u := range forget.Floats {
			if forgets {
				forget.Floats[u], fresh.Floats[u] = -6, 0
			}
		}
		for _, x := range in {
			if forgets {
				clear(x[0].Floats[len(x[0].Floats)-3:])
			}
		}
		cell := g.Nodes[0].In[golden.LSTMCell]
		ranges, err := Calibrate(context.Background(), g, in, "minmax", ways[0].Data)
		require.NoError(t, err)
		most := 0.0
		for _, x := range in {
			for at := range 5 { // the sequence a step at a time, with the cells between them
				part := *g
				part.Values = append([]nn.Value(nil), g.Values...)
				part.Values[g.Inputs[0]].Tensor = &nn.Tensor{Type: nn.F32, Shape: []int{1, at + 1, 3}}
				part.Values[g.Outputs[0]].Tensor = &nn.Tensor{Type: nn.F32, Shape: []int{1, at + 1, 4}}
				one := nn.New(nn.F32, 1, at+1, 3)
				copy(one.Floats, x[0].Floats)
				s := nn.NewSession(&part, nn.GoldenExecutor{})
				s.After = func(_ int, c *nn.Call) error {
					for _, v := range c.In[golden.LSTMCell].Floats {
						most = max(most, math.Abs(float64(v)))
					}
					return nil
				}
				_, err := s.Run(context.Background(), []*nn.Tensor{one})
				require.NoError(t, err)
			}
		}
		require.InEpsilon(t, most, ranges[cell].reach(), 1e-6)
	}
}

// TestAccuracyByHand: three inputs of two classes; floats find all, the integers two, the core one.
func TestAccuracyByHand(t *testing.T) {
	g := pairOf(t, golden.Add, nil, 1, 2)
	a, err := newAccuracy(g, Data{Inputs: make([][]*nn.Tensor, 3), Labels: []int{0, 1, 1}})
	require.NoError(t, err)
	out := func(class int) *nn.Tensor {
		x := nn.New(nn.F32, 1, 2)
		x.Floats[class] = 1
		return x
	}
	for i, found := range [][3]int{{0, 0, 1}, {1, 1, 1}, {1, 0, 0}} {
		a.count(i, out(found[0]), out(found[1]), out(found[2]))
	}
	require.Equal(t, [3]int{3, 2, 1}, [3]int{a.Float, a.Integer, a.Core})
	require.Equal(t, [][]int{{0, 1}, {1, 1}}, a.Confusion)
}
