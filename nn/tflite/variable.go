package tflite

import (
	"errors"
	"fmt"
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/flatbuffer"
)

// Variables of a file are named: VAR_HANDLE makes a tensor that stands for one, and the operators that read and
// assign it take that tensor. In a graph a variable is a value, as it is for every other format: VAR_HANDLE leaves no
// node, READ_VARIABLE copies from the value and ASSIGN_VARIABLE to it. Graphs that name the same variable
// share its tensor. CALL_ONCE leaves no node either: what it assigns are the first contents.

// The operators of variables.
const (
	varHandle      = "VAR_HANDLE"
	readVariable   = "READ_VARIABLE"
	assignVariable = "ASSIGN_VARIABLE"
	callOnce       = "CALL_ONCE"
)

// resource is the name of a variable.
type resource struct{ container, name string }

func (r resource) String() string {
	if r.container == "" {
		return readable(r.name)
	}
	return readable(r.container + "/" + r.name)
}

// declare notes which variable the output of a VAR_HANDLE stands for.
func (g *graphReader) declare(n *nn.Node, t flatbuffer.View) error {
	if len(n.Out) != 1 || n.Out[0] == nn.Absent {
		return errors.New("there must be one output")
	}
	sub, ok := t.Table(operatorOptions)
	if !ok {
		return errors.New("the variable has no name")
	}
	g.handles[n.Out[0]] = resource{container: sub.Text(varHandleContainer), name: sub.Text(varHandleName)}
	return nil
}

// variable gives READ_VARIABLE and ASSIGN_VARIABLE the value in place of the tensor that stands for it.
func (g *graphReader) variable(n *nn.Node) error {
	inputs := map[string]int{readVariable: 1, assignVariable: 2}[n.Op.Name]
	if len(n.In) != inputs || len(n.Out) != 2-inputs || slices.Contains(n.In, nn.Absent) || slices.Contains(n.Out, nn.Absent) {
		return fmt.Errorf("%d inputs and %d outputs, there must be %d and %d", len(n.In), len(n.Out), inputs, 2-inputs)
	}
	handle := n.In[0]
	name, ok := g.handles[handle]
	if !ok {
		return fmt.Errorf("tensor %d stands for no variable", handle)
	}
	other := slices.Concat(n.In[1:], n.Out)[0]
	like := g.graph.Values[other].Tensor
	shared := g.variables[name]
	if shared == nil {
		shared = &nn.Tensor{Type: like.Type, Shape: like.Shape, Format: like.Format}
		g.variables[name] = shared
	}
	if shared.Type != like.Type || !slices.Equal(shared.Shape, like.Shape) {
		return fmt.Errorf("variable %s is %s%v, here it is %s%v", name, shared.Type, shared.Shape, like.Type, like.Shape)
	}
	home, ok := g.homes[name]
	if !ok {
		home = handle
		g.homes[name] = home
		g.graph.Values[home] = nn.Value{Name: name.String(), Variable: true, Tensor: shared}
	}
	if n.Op.Name == readVariable {
		n.In = []int{home}
		return nil
	}
	g.assigned = true
	n.In, n.Out = n.In[1:], []int{home}
	return nil
}

// initialize reads the graph of a CALL_ONCE: all that is left of it are assignments of constants, the first contents of
// the variables.
func (g *graphReader) initialize(t flatbuffer.View) error {
	if g.assigned {
		return errors.New("a variable is assigned before this operator initializes variables")
	}
	index := 0
	if sub, ok := t.Table(operatorOptions); ok {
		index = sub.Int(callOnceGraph, 0)
	}
	inner, err := g.readGraph(index)
	if err != nil {
		return err
	}
	if err := inner.Check(); err != nil {
		return fmt.Errorf("graph %d: %w", index, err)
	}
	for i := range inner.Nodes {
		n := &inner.Nodes[i]
		if n.Op.Name != assignVariable || !inner.Values[n.In[0]].Constant() {
			return fmt.Errorf("graph %d: %s: only constants can initialize variables", index, n.Name)
		}
		from := inner.Values[n.In[0]].Tensor.Clone()
		to := inner.Values[n.Out[0]].Tensor
		to.Ints, to.Floats = from.Ints, from.Floats
	}
	g.assigned = false
	return nil
}
