package quantnet

import (
	"math"
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// Trained takes the marks of quantization-aware training out of a network of floats: operators of fake quantization, and
// integers that are made only to be floats again. What they say of values is kept: the second result has the formats and ranges
// that the training has fixed. Constants of integers stay what they are.
func Trained(g *nn.Graph) (*nn.Graph, map[int]Range) {
	t := trained{from: g, graph: *g, fixed: map[int]Range{}, stands: map[int]int{}, maker: map[int]*nn.Node{}}
	t.graph.Nodes, t.graph.Values = nil, slices.Clone(g.Values)
	for i := range g.Nodes {
		n := g.Nodes[i]
		n.In = t.now(n.In)
		for _, v := range n.Out {
			t.maker[v] = &g.Nodes[i]
		}
		if !t.remove(&n) {
			t.graph.Nodes = append(t.graph.Nodes, n)
		}
	}
	t.graph.Outputs = t.now(g.Outputs)
	t.sweep()
	return &t.graph, t.fixed
}

type trained struct {
	from   *nn.Graph
	graph  nn.Graph
	fixed  map[int]Range
	stands map[int]int // what stands for a value that nothing computes any more
	maker  map[int]*nn.Node
}

// now are values, each replaced by what stands for it.
func (t *trained) now(list []int) []int {
	out := slices.Clone(list)
	for i, v := range out {
		if to, ok := t.stands[v]; ok {
			out[i] = to
		}
	}
	return out
}

// remove reports whether a node only marks a value, and keeps what it says.
func (t *trained) remove(n *nn.Node) bool {
	switch n.Op.Name {
	case golden.FakeQuant:
		return t.fake(n)
	case golden.Dequantize:
		v := n.In[0]
		if x := &t.graph.Values[v]; x.Constant() && x.Tensor.Format.Kind == nn.Scaled {
			t.stands[n.Out[0]] = v
			return true
		}
		if made := t.maker[v]; made != nil && made.Op.Name == golden.Quantize {
			real := t.now(made.In)[0]
			x := t.graph.Values[v].Tensor
			t.stands[n.Out[0]] = real
			t.fixed[real] = Range{Format: x.Format, Type: x.Type}
			return true
		}
	}
	return false
}

// fake takes out an operator of fake quantization. The range of a value is that of the operator; a constant becomes bytes where
// its range lies about zero and it has levels for them.
func (t *trained) fake(n *nn.Node) bool {
	v, lo, hi := n.In[0], n.Attrs.Float("min"), n.Attrs.Float("max")
	x := &t.graph.Values[v]
	if !x.Constant() {
		t.stands[n.Out[0]] = v
		t.fixed[v] = Range{Lo: lo, Hi: hi}
		return true
	}
	if n.Attrs.Int("num_bits") != 8 || lo != -hi || !n.Attrs.Bool("narrow_range") || !x.Tensor.Type.Float() {
		return false
	}
	scale := float32(hi / math.MaxInt8)
	bytes := &nn.Tensor{Type: nn.I8, Shape: x.Tensor.Shape, Format: nn.Format{Kind: nn.Scaled, Scales: []float32{scale}, Zeros: []int64{0}}}
	for _, f := range x.Tensor.Floats {
		q := math.Round(float64(f) / float64(scale))
		bytes.Ints = append(bytes.Ints, int64(max(-math.MaxInt8, min(q, math.MaxInt8))))
	}
	t.graph.Values = append(t.graph.Values, nn.Value{Name: x.Name, Tensor: bytes})
	t.stands[n.Out[0]] = len(t.graph.Values) - 1
	return true
}

// sweep leaves out the operators that made integers nobody takes any more.
func (t *trained) sweep() {
	uses := useCounts(&t.graph)
	t.graph.Nodes = slices.DeleteFunc(t.graph.Nodes, func(n nn.Node) bool { return n.Op.Name == golden.Quantize && uses[n.Out[0]] == 0 })
}

// Fix puts what training has fixed in the place of what calibration has seen.
func Fix(ranges []Range, fixed map[int]Range) []Range {
	ranges = slices.Clone(ranges)
	for v, r := range fixed {
		if r.Format.Kind == nn.Plain {
			ranges[v] = r
			continue
		}
		ranges[v].Format, ranges[v].Type = r.Format, r.Type
	}
	return ranges
}
