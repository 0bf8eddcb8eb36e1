package quantnet

import (
	"context"
	"math"
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
