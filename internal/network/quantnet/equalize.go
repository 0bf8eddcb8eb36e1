package quantnet

import (
	"math"
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// sweeps bounds how often all pairs of layers are balanced; a pair changes those beside it.
const sweeps = 20

// nearlyDead is the part of a layer's greatest weight below which a channel is left alone: it has nothing to balance.
const nearlyDead = 1.0 / 1024

// Equalize balances the weights of layers that follow each other: what the channels of one layer lose, the next one gives back. Between
// them stand only operators that a positive factor passes through. The results of the network stay; its channels become
// alike, so that one scale fits them all.
func Equalize(g *nn.Graph) *nn.Graph {
	equal := *g
	equal.Values = slices.Clone(g.Values)
	own := map[int]bool{} // constants that are copied already
	for range sweeps {
		still := true
		for _, p := range pairsOf(&equal) {
			for _, v := range []int{p.first.In[1], p.bias(), p.second.In[1]} {
				if v == nn.Absent || own[v] {
					continue
				}
				own[v] = true
				t := equal.Values[v].Tensor
				equal.Values[v].Tensor = &nn.Tensor{Type: nn.F32, Shape: t.Shape, Floats: singles(t)}
			}
			still = !p.balance(&equal) && still
		}
		if still {
			break
		}
	}
	return &equal
}

// singles are the elements of a tensor in single precision, in a slice of their own.
func singles(t *nn.Tensor) []float32 {
	list := make([]float32, t.Len())
	for i := range list {
		list[i] = float32(t.Value(i))
	}
	return list
}

// pair is a layer with weights and the next one behind it.
type pair struct{ first, second *nn.Node }

func (p pair) bias() int {
	if len(p.first.In) < 3 {
		return nn.Absent
	}
	return p.first.In[2]
}

// pairsOf finds the pairs of a network whose weights only they have.
func pairsOf(g *nn.Graph) []pair {
	uses, taker := useCounts(g), map[int]*nn.Node{}
	for i := range g.Nodes {
		for _, v := range g.Nodes[i].In {
			taker[v] = &g.Nodes[i]
		}
	}
	var list []pair
	for i := range g.Nodes {
		first := &g.Nodes[i]
		if !filtered(first.Op) || !linear(first) {
			continue
		}
		v := first.Out[0]
		next := taker[v]
		for uses[v] == 1 && next != nil && passes(next) && !slices.Contains(g.Outputs, v) {
			v = next.Out[0]
			next = taker[v]
		}
		if uses[v] != 1 || next == nil || !filtered(next.Op) || next.In[0] != v || slices.Contains(g.Outputs, v) {
			continue
		}
		p := pair{first: first, second: next}
		constant := true
		for _, v := range []int{first.In[1], p.bias(), next.In[1]} {
			constant = constant && (v == nn.Absent || g.Values[v].Constant() && uses[v] == 1)
		}
		if constant && p.channels(g) > 0 {
			list = append(list, p)
		}
	}
	return list
}

// linear reports whether a positive factor passes through the activation function of a node.
func linear(n *nn.Node) bool {
	f := n.Attrs.String(fusedAttr)
	return f == "" || f == "NONE" || f == golden.Relu
}

// passes reports whether a positive factor of a channel passes through a node without weights.
func passes(n *nn.Node) bool {
	switch n.Op.Name {
	case golden.AveragePool2D, golden.MaxPool2D:
		return linear(n)
	case golden.Relu, golden.Reshape:
		return true
	}
	return false
}

// channels is the number of channels between the layers, 0 where the second one does not tell them apart.
func (p pair) channels(g *nn.Graph) int {
	n := g.Values[p.first.Out[0]].Tensor.Dim(-1)
	second := g.Values[p.second.In[1]].Tensor
	depth := second.Dim(-1) // of a product or a convolution: what one sum takes; of a depthwise one: the filters
	if depth%n != 0 || p.second.Op.Name == golden.Conv2D && depth != n {
		return 0
	}
	return n
}

// channelBefore is the channel between the layers that element i of the second one's weights belongs to.
func (p pair) channelBefore(g *nn.Graph, i, n int) int {
	last := g.Values[p.second.In[1]].Tensor.Dim(-1)
	if p.second.Op.Name == golden.DepthwiseConv2D {
		return i % last / (last / n)
	}
	return i % last % n // channels come last in what a product takes
}

// channelAfter is the channel that element i of the first one's weights makes.
func (p pair) channelAfter(g *nn.Graph, i int) int {
	t := g.Values[p.first.In[1]].Tensor
	axis := 0
	if p.first.Op.Name == golden.DepthwiseConv2D {
		axis = 3
	}
	return channelOf(i, t.Shape, axis)
}

// balance gives both layers the same reach in every channel and reports whether that changes much.
func (p pair) balance(g *nn.Graph) bool {
	n := p.channels(g)
	first, second := g.Values[p.first.In[1]].Tensor.Floats, g.Values[p.second.In[1]].Tensor.Floats
	before, after := make([]float64, n), make([]float64, n)
	for i, v := range first {
		ch := p.channelAfter(g, i)
		before[ch] = max(before[ch], math.Abs(float64(v)))
	}
	for i, v := range second {
		ch := p.channelBefore(g, i, n)
		after[ch] = max(after[ch], math.Abs(float64(v)))
	}
	factor := make([]float64, n)
	moved := false
	for ch := range factor {
		factor[ch] = 1
		if before[ch] > nearlyDead*slices.Max(before) && after[ch] > nearlyDead*slices.Max(after) {
			factor[ch] = math.Sqrt(after[ch] / before[ch])
			moved = moved || math.Abs(factor[ch]-1) > 1e-3
		}
	}
	for i := range first {
		first[i] *= float32(factor[p.channelAfter(g, i)])
	}
	if b := p.bias(); b != nn.Absent {
		for ch := range factor {
			g.Values[b].Tensor.Floats[ch] *= float32(factor[ch])
		}
	}
	for i := range second {
		second[i] /= float32(factor[p.channelBefore(g, i, n)])
	}
	return moved
}
