package tflite

import (
	"errors"
	"fmt"
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/flatbuffer"
)

// graphReader is one graph of a file while it is read.
type graphReader struct {
	*model
	graph   nn.Graph
	handles map[int]resource // tensors that stand for a variable
	homes   map[resource]int // the value that is the variable
}

// readGraph reads a graph. Graphs inside graphs are read once for each operator that names them.
func (m *model) readGraph(index int) (*nn.Graph, error) {
	switch {
	case index < 0 || index >= m.graphs.Len():
		return nil, fmt.Errorf("there is no graph %d, the file has %d", index, m.graphs.Len())
	case m.open[index]:
		return nil, fmt.Errorf("graph %d contains itself", index)
	}
	m.open[index] = true
	defer delete(m.open, index)
	g := &graphReader{model: m, handles: map[int]resource{}, homes: map[resource]int{}}
	if err := g.read(m.graphs.Table(index)); err != nil {
		if index > 0 {
			err = fmt.Errorf("graph %d: %w", index, err)
		}
		return nil, err
	}
	return &g.graph, nil
}

func (g *graphReader) read(t flatbuffer.View) error {
	g.graph.Name = readable(t.Text(graphName))
	g.graph.Inputs, g.graph.Outputs = t.Vector(graphInputs, 4).Ints(), t.Vector(graphOutputs, 4).Ints()
	tensors, operators := t.Vector(graphTensors, 4), t.Vector(graphOperators, 4)
	if g.Err() != nil {
		return g.Err()
	}
	if g.parts += max(tensors.Len(), operators.Len()); g.parts > maxTensors {
		return fmt.Errorf("%d tensors or operators, at most %d", g.parts, maxTensors)
	}
	used := g.used(tensors.Len(), operators)
	for i := range tensors.Len() {
		if !used[i] {
			g.graph.Values = append(g.graph.Values, unused())
			continue
		}
		v, err := g.readTensor(tensors.Table(i))
		if err = g.fault(err); err != nil {
			return fmt.Errorf("tensor %d %q at offset %d: %w", i, v.Name, tensors.Table(i).Offset(), err)
		}
		g.graph.Values = append(g.graph.Values, v)
	}
	for i := range operators.Len() {
		at := operators.Table(i)
		name, err := g.readOperator(at, i)
		if err = g.fault(err); err != nil {
			return fmt.Errorf("%s at offset %d: %w", name, at.Offset(), err)
		}
	}
	return g.fold()
}

// unused is the place of a tensor that the network does not need.
func unused() nn.Value { return nn.Value{Name: "unused", Tensor: &nn.Tensor{}} }

// fault is the first fault: one of the file comes before what follows from it.
func (m *model) fault(err error) error {
	if m.Err() != nil {
		return m.Err()
	}
	return err
}

// used says which tensors the network needs. Files list more: intermediates of operators, say, which have
// scales for training and no elements.
func (g *graphReader) used(n int, operators flatbuffer.Vector) []bool {
	used := make([]bool, n)
	mark := func(list []int) {
		for _, v := range list {
			if v >= 0 && v < n {
				used[v] = true
			}
		}
	}
	mark(g.graph.Inputs)
	mark(g.graph.Outputs)
	for i := range operators.Len() {
		t := operators.Table(i)
		if g.Err() != nil {
			break
		}
		mark(t.Vector(operatorInputs, 4).Ints())
		mark(t.Vector(operatorOutputs, 4).Ints())
	}
	return used
}

// readOperator takes an operator into the graph, and names it. Operators that name variables take another form here.
func (g *graphReader) readOperator(t flatbuffer.View, index int) (name string, err error) {
	n := nn.Node{Name: fmt.Sprintf("operator %d", index), Rounding: g.rounding}
	code := t.Uint(operatorCode)
	if g.Err() == nil && code >= len(g.codes) {
		return n.Name, fmt.Errorf("there is no operator code %d", code)
	}
	if g.Err() != nil {
		return n.Name, nil
	}
	kind := g.codes[code]
	n.Name += " " + readable(kind.name)
	n.In, n.Out = t.Vector(operatorInputs, 4).Ints(), t.Vector(operatorOutputs, 4).Ints()
	if t.Byte(operatorOptions2Type, 0) != 0 || t.Long(operatorLargeOptions) > 1 {
		return n.Name, errors.New("options outside the table of the operator")
	}
	if err := g.checkIndices(&n); err != nil {
		return n.Name, err
	}
	switch kind.name {
	case varHandle:
		return n.Name, g.declare(&n, t)
	case callOnce:
		return n.Name, g.initialize(t)
	}
	if n.Op, err = g.operator(kind.name, &n); err != nil {
		return n.Name, err
	}
	if kind.custom {
		n.Attrs, err = readCustomOptions(n.Op, t.Vector(operatorCustomOptions, 1).Bytes())
	} else {
		n.Attrs, err = readOptions(n.Op, t)
	}
	if err == nil {
		g.addHiddenState(&n)
		err = g.innerGraphs(&n)
	}
	if err == nil && (kind.name == readVariable || kind.name == assignVariable) {
		err = g.variable(&n)
	}
	g.graph.Nodes = append(g.graph.Nodes, n)
	return n.Name, err
}

// operator finds the operator of the library for the tensors of a node.
func (g *graphReader) operator(name string, n *nn.Node) (*nn.Operator, error) {
	var types []nn.Type
	for _, v := range slices.Concat(n.In, n.Out) {
		if v != nn.Absent {
			types = append(types, g.graph.Values[v].Tensor.Type)
		}
	}
	op, ok := g.ops.Find(nn.TFLite, name, types)
	if !ok {
		return nil, errors.New("the operator is not supported")
	}
	return op, nil
}

// checkIndices fails for a tensor that the graph does not have.
func (g *graphReader) checkIndices(n *nn.Node) error {
	for _, v := range slices.Concat(n.In, n.Out) {
		if v != nn.Absent && (v < 0 || v >= len(g.graph.Values)) {
			return fmt.Errorf("there is no tensor %d", v)
		}
	}
	return nil
}

// innerGraphs reads the graphs that an operator of control flow runs: options hold their numbers, attributes the
// graphs themselves.
func (g *graphReader) innerGraphs(n *nn.Node) error {
	row, _ := optionsOf(n.Op.Name)
	for _, o := range row.fields {
		if o.kind != graphOption {
			continue
		}
		index, _ := n.Attrs[o.name].(int)
		inner, err := g.readGraph(index)
		if err != nil {
			return err
		}
		n.Attrs[o.name] = inner
	}
	return nil
}

// addHiddenState gives an operator that keeps state inside the library variables for it.
func (g *graphReader) addHiddenState(n *nn.Node) {
	pick := func(list []int) (tensors []*nn.Tensor) {
		for _, v := range list {
			if v == nn.Absent {
				tensors = append(tensors, nil)
			} else {
				tensors = append(tensors, g.graph.Values[v].Tensor)
			}
		}
		return tensors
	}
	in, out := pick(n.In), pick(n.Out)
	for i, p := range n.Op.Inputs {
		if p.Hidden == nil || len(n.In) != i || slices.Contains(out, nil) || len(out) != len(n.Op.Outputs) {
			continue
		}
		first := p.Hidden(n.Attrs, in, out)
		if first == nil || nn.CheckShape(first.Shape) != nil {
			continue // the operator says what is wrong
		}
		g.graph.Values = append(g.graph.Values, nn.Value{Name: n.Name + " " + p.Role, Variable: true, Tensor: first})
		n.In = append(n.In, len(g.graph.Values)-1)
	}
}
