package lower

import (
	"fmt"
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/nn/tosa"
)

// graph is the graph that is made of another.
type graph struct {
	from  *nn.Graph
	to    nn.Graph
	place []int // the value that stands for one of the old graph, or Absent
	node  *nn.Node
}

func newGraph(from *nn.Graph) *graph {
	return &graph{from: from, to: nn.Graph{Name: from.Name}, place: slices.Repeat([]int{nn.Absent}, len(from.Values))}
}

// unlowered is the panic that ends the lowering of a node; attempt returns its error.
type unlowered struct{ error }

// must gives a value, or stops the lowering of the node.
func must[T any](v T, err error) T {
	if err != nil {
		panic(unlowered{err})
	}
	return v
}

// attempt runs a function and returns the error of unlowered.
func attempt(lower func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			u, ok := r.(unlowered)
			if !ok {
				panic(r)
			}
			err = u.error
		}
	}()
	lower()
	return nil
}

// build makes the new graph, a node of the old one at a time.
func (g *graph) build(lower func()) (*nn.Graph, error) {
	for _, v := range g.from.Inputs {
		g.to.Inputs = append(g.to.Inputs, g.value(v))
	}
	for i := range g.from.Nodes {
		g.node = &g.from.Nodes[i]
		if err := attempt(lower); err != nil {
			return nil, fmt.Errorf("%s %s: %w", g.node.Name, g.node.Op.Name, err)
		}
	}
	for _, v := range g.from.Outputs {
		g.to.Outputs = append(g.to.Outputs, g.value(v))
	}
	return &g.to, g.to.Check()
}

// value is the value that stands for one of the old graph; constants and inputs are taken over.
func (g *graph) value(v int) int {
	if g.place[v] == nn.Absent {
		old := g.from.Values[v]
		g.place[v] = g.add(nn.Value{Name: old.Name, Tensor: old.Tensor, Variable: old.Variable})
	}
	return g.place[v]
}

func (g *graph) add(v nn.Value) int {
	g.to.Values = append(g.to.Values, v)
	return len(g.to.Values) - 1
}

// tensor is the tensor of a value of the new graph.
func (g *graph) tensor(v int) *nn.Tensor { return g.to.Values[v].Tensor }

// constant adds a constant.
func (g *graph) constant(what string, t nn.Type, shape []int, elements []int64) int {
	return g.add(nn.Value{Name: g.node.Name + " " + what, Tensor: nn.FromInts(t, shape, elements)})
}

// scalar adds a constant of one element that broadcasts against a tensor of a rank.
func (g *graph) scalar(what string, t nn.Type, rank int, v int64) int {
	return g.constant(what, t, slices.Repeat([]int{1}, rank), []int64{v})
}

// op adds a TOSA operator with one output and gives the output.
func (g *graph) op(name string, attrs nn.Attrs, t nn.Type, shape []int, in ...int) int {
	spec, ok := tosa.Lookup(name)
	if !ok {
		panic("lower: no operator " + name)
	}
	out := g.add(nn.Value{Name: fmt.Sprintf("%s %s %d", g.node.Name, name, len(g.to.Nodes)), Tensor: &nn.Tensor{Type: t, Shape: shape}})
	g.to.Nodes = append(g.to.Nodes, nn.Node{Name: g.node.Name, Op: &spec.Operator, Attrs: attrs, In: in, Out: []int{out}})
	return out
}

// give makes a value the output of the node, with the name and the scales of the old output.
func (g *graph) give(v int) {
	old := g.node.Out[0]
	g.to.Values[v].Name = g.from.Values[old].Name
	g.to.Values[v].Tensor.Format = g.from.Values[old].Tensor.Format
	g.place[old] = v
}
