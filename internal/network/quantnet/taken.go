package quantnet

import (
	"fmt"
	"maps"
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// FloatsOf is the network of floats that a network of integers stands for, with the formats that it has fixed. Integers of its
// constants stay; conversions at its ends and between its formats go. Quantized again it is the network that it was.
func FloatsOf(g *nn.Graph) (*nn.Graph, map[int]Range, error) {
	t := taken{from: g, graph: &nn.Graph{Name: g.Name}, fixed: map[int]Range{}, stands: map[int]int{}}
	for v := range g.Values {
		t.value(v)
	}
	for i := range g.Nodes {
		if err := t.node(&g.Nodes[i]); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", g.Nodes[i].Name, err)
		}
	}
	t.graph.Inputs, t.graph.Outputs = t.now(g.Inputs), t.now(g.Outputs)
	return t.graph, t.fixed, t.graph.Check()
}

type taken struct {
	from   *nn.Graph
	graph  *nn.Graph
	fixed  map[int]Range
	stands map[int]int // what stands for the result of a conversion
}

// value adds the floats that a value stands for. Constants stay as they are, as weights of a hybrid network.
func (t *taken) value(v int) {
	x := t.from.Values[v]
	if !x.Constant() && !x.Tensor.Type.Float() && x.Tensor.Format.Kind == nn.Scaled {
		t.fixed[v] = Range{Format: x.Tensor.Format, Type: x.Tensor.Type}
		x.Tensor = &nn.Tensor{Type: nn.F32, Shape: x.Tensor.Shape}
		if x.Variable {
			x.Tensor.Alloc()
		}
	}
	t.graph.Values = append(t.graph.Values, x)
}

// now are values, each replaced by what stands for it.
func (t *taken) now(list []int) []int {
	out := slices.Clone(list)
	for i, v := range out {
		if to, ok := t.stands[v]; ok {
			out[i] = to
		}
	}
	return out
}

func (t *taken) node(n *nn.Node) error {
	if name := n.Op.Name; name == golden.Quantize || name == golden.Dequantize {
		from := t.now(n.In)[0]
		t.stands[n.Out[0]] = from
		// The floats at an end have the format of the integers beside them.
		if r, ok := t.fixed[n.Out[0]]; ok && t.fixed[from].Format.Kind == nn.Plain {
			t.fixed[from] = r
		}
		return nil
	}
	for _, v := range n.In {
		if v != nn.Absent && t.from.Values[v].Tensor.Type == nn.U8 {
			return fmt.Errorf("bytes without a sign, which no way writes")
		}
	}
	for _, v := range n.Out {
		if t.from.Values[v].Variable {
			return fmt.Errorf("it keeps %s for the next run, and no way writes variables", t.from.Values[v].Name)
		}
	}
	op, ok := golden.Floats().Lookup(nn.TFLite, n.Op.Name)
	if !ok {
		return fmt.Errorf("there is no %s of floats", n.Op.Name)
	}
	for k, v := range n.In {
		if p := op.Inputs[min(k, len(op.Inputs)-1)]; v != nn.Absent && !p.Weights {
			t.operand(v)
		}
	}
	attrs := nn.Attrs{}
	for name, v := range maps.All(n.Attrs) {
		if _, ok := op.Attr(name); ok {
			attrs[name] = v
		}
	}
	t.graph.Nodes = append(t.graph.Nodes, nn.Node{Name: n.Name, Op: op, Attrs: attrs, In: t.now(n.In), Out: n.Out})
	return nil
}

// operand makes reals of a constant that an operator takes as data.
func (t *taken) operand(v int) {
	x := &t.graph.Values[v]
	if !x.Constant() || x.Tensor.Format.Kind != nn.Scaled {
		return
	}
	t.fixed[v] = Range{Format: x.Tensor.Format, Type: x.Tensor.Type}
	x.Tensor = &nn.Tensor{Type: nn.F32, Shape: x.Tensor.Shape, Floats: singles(x.Tensor)}
}
