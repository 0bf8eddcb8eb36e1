package quantnet

import (
	"context"
	"fmt"
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/quant"
)

// CorrectBias takes from the biases what the rounding of weights adds to the sums in the mean. The inputs give the means of
// what each layer takes.
func (n *Network) CorrectBias(ctx context.Context, inputs [][]*nn.Tensor) error {
	means, err := n.means(ctx, inputs)
	if err != nil {
		return err
	}
	for i := range n.Layers {
		l := &n.Layers[i]
		float := &n.Float.Nodes[l.Float]
		if !filtered(float.Op) {
			continue
		}
		for _, k := range l.Nodes {
			if node := &n.Graph.Nodes[k]; len(node.In) > 2 && node.In[2] != nn.Absent && n.Graph.Values[node.In[1]].Constant() {
				n.correct(float, node, means[float.In[0]])
				break
			}
		}
	}
	return nil
}

// means are the mean elements of values along all dimensions but the last one.
func (n *Network) means(ctx context.Context, inputs [][]*nn.Tensor) (map[int][]float64, error) {
	sums, counts := map[int][]float64{}, map[int]int{}
	add := func(v int, t *nn.Tensor) {
		if !t.Type.Float() || len(t.Shape) == 0 {
			return
		}
		last := t.Dim(-1)
		if sums[v] == nil {
			sums[v] = make([]float64, last)
		}
		for i, x := range t.Floats {
			sums[v][i%last] += float64(x)
		}
		counts[v] += t.Len() / last
	}
	run := nn.NewSession(n.Float, nn.GoldenExecutor{})
	run.After = func(node int, c *nn.Call) error {
		for k, v := range n.Float.Nodes[node].Out {
			add(v, c.Out[k])
		}
		return nil
	}
	for i, in := range inputs {
		for k, t := range in {
			add(n.Float.Inputs[k], t)
		}
		run.Reset()
		if _, err := run.Run(ctx, in); err != nil {
			return nil, fmt.Errorf("input %d: %w", i, err)
		}
	}
	for v, list := range sums {
		for i := range list {
			list[i] /= float64(counts[v])
		}
	}
	return sums, nil
}

// correct changes the biases of one layer. Weights that the library writes in another order are left alone.
func (n *Network) correct(float, node *nn.Node, mean []float64) {
	weights, rounded := n.Float.Values[float.In[1]].Tensor, n.Graph.Values[node.In[1]].Tensor
	if !slices.Equal(weights.Shape, rounded.Shape) {
		return
	}
	bias := n.Graph.Values[node.In[2]].Tensor
	axis, last := 0, weights.Dim(-1)
	if float.Op.Name == golden.DepthwiseConv2D {
		axis = 3
	}
	lost := make([]float64, bias.Len())
	for i, v := range weights.Values() {
		before := i % last
		if axis == 3 {
			before = before * len(mean) / last
		}
		lost[channelOf(i, weights.Shape, axis)] += (v - rounded.Value(i)) * mean[before%len(mean)]
	}
	for ch, v := range lost {
		step := bias.Format.Scale(0)
		if bias.Format.Steps() > 1 {
			step = bias.Format.Scale(ch)
		}
		more := quant.RealMLI.Quantize(v, quant.Params{Scale: step}, quant.Int32)
		bias.Ints[ch] = bias.Type.Clamp(bias.Ints[ch] + more)
	}
}
