package tosa

import (
	"fmt"
	"slices"

	"arcv2dsp/nn"
	golden "arcv2dsp/nn/internal/golden/tosa"
)

const fullyConnectedOp = "FULLY_CONNECTED"

// pointwise is a graph without FULLY_CONNECTED, which revision 1.0 has no more: rows become images of one
// pixel, and CONV2D with a kernel of one pixel computes the same. Tensors that RESHAPE does not take cannot
// be written so.
func pointwise(g *nn.Graph) (*nn.Graph, error) {
	if !slices.ContainsFunc(g.Nodes, func(n nn.Node) bool { return n.Op.Name == fullyConnectedOp }) {
		return g, nil
	}
	reshape, _ := golden.Lookup("RESHAPE")
	conv, _ := golden.Lookup("CONV2D")
	to := *g
	to.Values, to.Nodes = slices.Clone(g.Values), nil
	image := func(t *nn.Tensor) []int { return []int{t.Dim(0), 1, 1, t.Dim(1)} }
	add := func(name string, t *nn.Tensor, shape []int) int {
		to.Values = append(to.Values, nn.Value{Name: name, Tensor: &nn.Tensor{Type: t.Type, Shape: shape}})
		return len(to.Values) - 1
	}
	reshaped := func(n *nn.Node, from, into int) {
		if v := g.Values[min(from, len(g.Values)-1)]; from < len(g.Values) && v.Constant() && !slices.Contains(g.Inputs, from) {
			to.Values[into].Tensor.Ints = v.Tensor.Ints
			return
		}
		to.Nodes = append(to.Nodes, nn.Node{Name: n.Name, Op: &reshape.Operator, Attrs: nn.Attrs{"shape": to.Values[into].Tensor.Shape},
			In: []int{from}, Out: []int{into}})
	}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if n.Op.Name != fullyConnectedOp {
			to.Nodes = append(to.Nodes, *n)
			continue
		}
		in, weight, out := g.Values[n.In[0]], g.Values[n.In[1]], g.Values[n.Out[0]]
		x, w, y := add(in.Name, in.Tensor, image(in.Tensor)), add(weight.Name, weight.Tensor, image(weight.Tensor)), add(out.Name, out.Tensor, image(out.Tensor))
		// RESHAPE knows neither i4 nor i48.
		if weight.Tensor.Type == nn.I4 && !weight.Constant() || out.Tensor.Type == nn.I48 {
			return nil, fmt.Errorf("%s: FULLY_CONNECTED of %s, %s to %s cannot be written without that operator", n.Name, in.Tensor.Type, weight.Tensor.Type, out.Tensor.Type)
		}
		reshaped(n, n.In[0], x)
		reshaped(n, n.In[1], w)
		to.Nodes = append(to.Nodes, nn.Node{Name: n.Name, Op: &conv.Operator, In: []int{x, w, n.In[2]}, Out: []int{y}, Attrs: nn.Attrs{
			"pad": []int{0, 0, 0, 0}, "stride": []int{1, 1}, "dilation": []int{1, 1}, "local_bound": false, "acc_type": out.Tensor.Type,
			"input_zp": n.Attrs.Int("input_zp"), "weight_zp": n.Attrs.Int("weight_zp"),
		}})
		reshaped(n, y, n.Out[0])
	}
	return &to, nil
}
