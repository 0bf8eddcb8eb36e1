package mlikernels

import (
	"errors"
	"fmt"
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// Networks whose layers have more weights than a memory holds: a layer becomes several, each for some of the
// output channels, and a concatenation of what they compute.

// tiled is a graph with such layers divided, and where its nodes are from.
type tiled struct {
	*nn.Graph
	of []int // of each node: the node of the original graph
}

// recordBytes is about what a kernel keeps of an output channel beside its weights, and startBytes what a convolution keeps of
// it for each zone of the map, of which a window of 3 x 3 cells has nine: a start of its sums.
const (
	recordBytes = 16
	startBytes  = 4
	zones       = 9
)

// divide makes the graph whose convolutions and matrix products need at most limit bytes of weights each, unless they use each once;
// of those, the layers that a placement with prefetched weights wants in parts have them.
func divide(g *nn.Graph, limit int, f *fetching) (*tiled, error) {
	t := &tiled{Graph: &nn.Graph{Name: g.Name, Values: slices.Clone(g.Values), Inputs: g.Inputs, Outputs: g.Outputs}}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		count := tilesOf(g, n, limit)
		if f != nil {
			count = max(count, f.parts[i])
		}
		if count < 2 {
			t.add(i, *n)
			continue
		}
		if err := t.tiles(i, n, count); err != nil {
			return nil, err
		}
	}
	if err := t.Check(); err != nil {
		return nil, fmt.Errorf("in tiles: %w", err)
	}
	return t, nil
}

func (t *tiled) add(from int, n nn.Node) {
	t.Nodes = append(t.Nodes, n)
	t.of = append(t.of, from)
}

// dividable reports whether a layer can become several.
func dividable(g *nn.Graph, n *nn.Node) bool {
	if n.Op.Library != nn.TFLite || n.Op.Name != "CONV_2D" && n.Op.Name != "FULLY_CONNECTED" {
		return false
	}
	in, weights := g.Values[n.In[0]].Tensor, &g.Values[n.In[1]]
	if !weights.Constant() || in.Dim(-1) == 0 || weights.Tensor.Dim(0) == 0 {
		return false
	}
	if n.Op.Name == "CONV_2D" && in.Dim(-1) != weights.Tensor.Dim(-1) {
		return false // groups
	}
	for _, v := range n.In[2:] { // a bias has an element for each channel
		if v != nn.Absent && (!g.Values[v].Constant() || g.Values[v].Tensor.Dim(0) != weights.Tensor.Dim(0)) {
			return false
		}
	}
	return true
}

// tilesOf is the number of layers that a layer is divided into: 1 where it fits, and where it cannot be divided.
func tilesOf(g *nn.Graph, n *nn.Node, limit int) int {
	if !dividable(g, n) || once(g, n) {
		return 1
	}
	weights := &g.Values[n.In[1]]
	outputs := weights.Tensor.Dim(0)
	each := weights.Tensor.Bytes()/outputs + recordBytes
	if n.Op.Name == "CONV_2D" {
		each += startBytes * min(zones, weights.Tensor.Dim(1)*weights.Tensor.Dim(2))
	}
	if each*outputs <= limit {
		return 1
	}
	room := max(1, limit/each)
	return (outputs + room - 1) / room
}

// once reports whether a layer uses each of its weights once, which then is read from where it lies.
func once(g *nn.Graph, n *nn.Node) bool {
	return n.Op.MACs(g.Call(n)) <= int64(g.Values[n.In[1]].Tensor.Len())
}

// tiles adds the layers of some of the output channels, and the concatenation.
func (t *tiled) tiles(from int, n *nn.Node, count int) error {
	outputs := t.Values[n.In[1]].Tensor.Dim(0)
	out := t.Values[n.Out[0]]
	var parts []int
	for k := range count {
		lo, hi := k*outputs/count, (k+1)*outputs/count
		tile := *n
		tile.Name = fmt.Sprintf("%s, tile %d of %d", n.Name, k+1, count)
		tile.In, tile.Out = slices.Clone(n.In), slices.Clone(n.Out)
		for p := 1; p < len(tile.In); p++ { // weights and bias
			if v := tile.In[p]; v != nn.Absent {
				tile.In[p] = t.value(fmt.Sprintf("%s, tile %d", t.Values[v].Name, k+1), rowsOf(t.Values[v].Tensor, lo, hi))
			}
		}
		part := &nn.Tensor{Type: out.Tensor.Type, Shape: slices.Clone(out.Tensor.Shape), Format: out.Tensor.Format}
		part.Shape[len(part.Shape)-1] = hi - lo
		tile.Out[0] = t.value(fmt.Sprintf("%s, tile %d", out.Name, k+1), part)
		parts = append(parts, tile.Out[0])
		t.add(from, tile)
	}
	op, ok := golden.Operators().Lookup(nn.TFLite, "CONCATENATION")
	if !ok {
		return errors.New("there is no operator CONCATENATION")
	}
	t.add(from, nn.Node{Name: n.Name + ", joined", Op: op, Rounding: n.Rounding, In: parts, Out: n.Out,
		Attrs: nn.Attrs{"axis": len(out.Tensor.Shape) - 1, "fused_activation_function": "NONE"}})
	return nil
}

func (t *tiled) value(name string, x *nn.Tensor) int {
	t.Values = append(t.Values, nn.Value{Name: name, Tensor: x})
	return len(t.Values) - 1
}

// rowsOf are some of the elements along the first dimension, with their scales.
func rowsOf(x *nn.Tensor, lo, hi int) *nn.Tensor {
	rows := x.Dim(0)
	each := x.Len() / rows
	part := &nn.Tensor{Type: x.Type, Shape: slices.Clone(x.Shape), Format: x.Format, Ints: x.Ints[lo*each : hi*each]}
	part.Shape[0] = hi - lo
	if f := &part.Format; f.Steps() == rows && f.Axis == 0 {
		f.Scales = cut(f.Scales, lo, hi)
		f.Zeros = cut(f.Zeros, lo, hi)
	}
	return part
}

// cut are some of the members of a list that has one for each row; other lists stay.
func cut[T any](list []T, lo, hi int) []T {
	if len(list) < hi {
		return list
	}
	return list[lo:hi]
}
