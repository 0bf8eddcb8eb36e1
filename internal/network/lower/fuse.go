package lower

import (
	"maps"
	"math"
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite"
)

// Fuse puts operators of TensorFlow Lite into a TOSA graph where one computes what several of TOSA do:
// convolutions, products and pools with the RESCALE and CLAMP behind them, sums with their changes of scale.
// Everything else stays. Where the graph is valid the integers are the same; a sum that leaves its
// accumulator, which TOSA calls unpredictable, is not noticed. Values need no scales: multipliers tell those
// of weights, and those of the others are chosen. Only sums need the scales that ToTOSA leaves.
func Fuse(from *nn.Graph, ops *nn.Registry) (*nn.Graph, error) {
	own := *from
	own.Values = slices.Clone(from.Values)
	for i := range own.Values {
		t := *own.Values[i].Tensor
		own.Values[i].Tensor = &t
	}
	g := newBack(&own, ops)
	f := fusing{back: g, deferred: map[int]int{}}
	at := -1
	return g.build(func() {
		at++
		f.fuse(at)
	})
}

// fusing is a graph whose patterns are replaced.
type fusing struct {
	*back
	deferred map[int]int // nodes that wait for the reader of their output, by that value
}

// fuse replaces the pattern that begins with a node, or keeps the node.
func (g *fusing) fuse(at int) {
	if g.used[at] {
		return
	}
	f := fromTOSA[g.node.Op.Name]
	if g.node.Op.Library != nn.TOSA || f == nil || g.node.Op.Name == "RESHAPE" && !g.flattens() {
		g.keep(at)
		return
	}
	used, place, source := slices.Clone(g.used), slices.Clone(g.place), maps.Clone(g.source)
	values, nodes := len(g.to.Values), len(g.to.Nodes)
	g.assumed = nil
	err := attempt(func() { f(g.back) })
	for i := nodes; err == nil && i < len(g.to.Nodes); i++ {
		c := g.to.Call(&g.to.Nodes[i])
		err = c.Prepare()
	}
	if err == nil {
		if out := g.node.Out[0]; len(g.source) > len(source) {
			g.deferred[out] = at
		}
		return
	}
	for _, v := range g.assumed {
		g.old(v).Format = nn.Format{}
	}
	g.used, g.place, g.source = used, place, source
	g.to.Values, g.to.Nodes = g.to.Values[:values], g.to.Nodes[:nodes]
	g.keep(at)
}

// flattens reports whether a RESHAPE makes the rows of a product, which takes any shape.
func (g *fusing) flattens() bool {
	n := g.next(g.node.Out[0], "FULLY_CONNECTED", "CONV2D")
	return n != nil && (n.Op.Name == "FULLY_CONNECTED" || g.oneCell(n))
}

// keep copies a node unchanged, behind the nodes that waited for it.
func (g *fusing) keep(at int) {
	n := g.from.Nodes[at]
	for _, v := range n.In {
		if before, ok := g.deferred[v]; ok {
			delete(g.deferred, v)
			delete(g.source, v)
			g.keep(before)
		}
	}
	n.In, n.Out = g.taken(n.In), g.taken(n.Out)
	g.to.Nodes = append(g.to.Nodes, n)
}

// taken are the values of the new graph for some values of the old one.
func (g *fusing) taken(old []int) []int {
	list := make([]int, len(old))
	for i, v := range old {
		list[i] = nn.Absent
		if v != nn.Absent {
			list[i] = g.value(v)
		}
	}
	return list
}

// assume gives a value without a scale such a scale that a fused function has the same limits.
func (g *back) assume(v int, zero int64, l tflite.Limits) {
	t := g.old(v)
	if t.Format.Kind == nn.Scaled {
		return
	}
	scale := float32(1)
	if s, ok := functionScale(l, zero, t.Type); ok {
		scale = s
	}
	t.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{scale}, Zeros: []int64{zero}}
	g.assumed = append(g.assumed, v)
}

// functionScale is a scale of an output for which a fused function has these limits.
func functionScale(l tflite.Limits, zero int64, t nn.Type) (float32, bool) {
	lo, hi := t.Range()
	switch {
	case l.Max == hi && (l.Min == lo || l.Min == max(lo, zero)):
		return 1, true
	case l.Min == max(lo, zero) && l.Max > zero: // RELU6
		return float32(6 / float64(l.Max-zero)), true
	case l.Max > zero && zero-l.Min == l.Max-zero: // RELU_N1_TO_1
		return float32(1 / float64(l.Max-zero)), true
	}
	return float32(math.NaN()), false
}
