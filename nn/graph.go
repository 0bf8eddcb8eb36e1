package nn

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
)

// Graph is a network: values, and nodes that compute some of them from others, in order.
type Graph struct {
	Name    string
	Values  []Value
	Nodes   []Node
	Inputs  []int // indices into Values
	Outputs []int
}

// Value is one tensor of a graph.
type Value struct {
	Name     string
	Tensor   *Tensor // type, shape and format; with elements when the value is constant
	Variable bool    // keeps its contents from one run to the next
}

// Constant reports whether the graph itself holds the elements.
func (v *Value) Constant() bool { return v.Tensor.Filled() && !v.Variable }

// Node is one call of a graph.
type Node struct {
	Name     string // for people: where the file has the operator
	Op       *Operator
	Attrs    Attrs
	In       []int // indices into Values, Absent for an optional input that is not there
	Out      []int
	Rounding Rounding
}

// Absent stands for an optional input that a node does not have.
const Absent = -1

// Check returns the first fault of a graph: a value that nothing computes, a call that breaks a
// rule. Outputs without a shape get theirs from the operators' shape rules, in order. Where a
// library tells outcomes apart, an unpredictable call anywhere counts before an error in an earlier
// one.
func (g *Graph) Check() error {
	var broken error // the first call that breaks a rule with the outcome error
	known := make([]bool, len(g.Values))
	inRange := func(list []int, absent bool) error {
		for _, v := range list {
			if (v < 0 || v >= len(g.Values)) && !(absent && v == Absent) {
				return fmt.Errorf("there is no value %d", v)
			}
		}
		return nil
	}
	if err := inRange(g.Inputs, false); err != nil {
		return fmt.Errorf("inputs: %w", err)
	}
	if err := inRange(g.Outputs, false); err != nil {
		return fmt.Errorf("outputs: %w", err)
	}
	for i := range g.Values {
		v := &g.Values[i]
		if known[i] = v.Variable || v.Constant(); known[i] {
			if err := v.Tensor.Check(); err != nil {
				return fmt.Errorf("value %s: %w", v.Name, err)
			}
		}
	}
	for _, i := range g.Inputs {
		known[i] = true
	}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if err := inRange(n.In, true); err != nil {
			return fmt.Errorf("%s: inputs: %w", n.Name, err)
		}
		if err := inRange(n.Out, true); err != nil {
			return fmt.Errorf("%s: outputs: %w", n.Name, err)
		}
		for _, v := range n.In {
			if v != Absent && !known[v] {
				return fmt.Errorf("%s: value %s is used before it is computed", n.Name, g.Values[v].Name)
			}
		}
		if err := g.prepare(n); err != nil {
			err = fmt.Errorf("%s: %w", n.Name, err)
			if v := (*Violation)(nil); !errors.As(err, &v) || v.Outcome == Unpredictable {
				return cmp.Or(unpredictable(err), broken, err)
			}
			broken = cmp.Or(broken, err)
		}
		for _, v := range n.Out {
			if v != Absent {
				known[v] = true
			}
		}
	}
	if broken != nil {
		return broken
	}
	for _, v := range g.Outputs {
		if !known[v] {
			return fmt.Errorf("output %s is never computed", g.Values[v].Name)
		}
	}
	return nil
}

// unpredictable is err when its outcome is unpredictable, else nil.
func unpredictable(err error) error {
	if OutcomeOf(err) == Unpredictable {
		return err
	}
	return nil
}

// prepare checks one node and keeps what its shape rule says.
func (g *Graph) prepare(n *Node) error {
	c := g.Call(n)
	prepare := c.Prepare
	if strings.HasSuffix(n.Name, n.Op.Name) || strings.Contains(n.Name, n.Op.Name+" ") {
		prepare = c.prepare // the node's name says which operator it is
	}
	if err := prepare(); err != nil {
		return err
	}
	n.Attrs = c.Attrs
	return nil
}

// Call is the call of a node with the tensors of the graph: without elements where they are not constant.
func (g *Graph) Call(n *Node) *Call {
	return g.call(n, func(v int) *Tensor {
		if v < 0 || v >= len(g.Values) {
			return nil
		}
		return g.Values[v].Tensor
	})
}

// call makes the call of a node; tensor finds the tensor of a value.
func (g *Graph) call(n *Node, tensor func(v int) *Tensor) *Call {
	c := &Call{Op: n.Op, Attrs: n.Attrs, Rounding: n.Rounding}
	for _, v := range n.In {
		if v == Absent {
			c.In = append(c.In, nil)
		} else {
			c.In = append(c.In, tensor(v))
		}
	}
	for _, v := range n.Out {
		if v == Absent {
			c.Out = append(c.Out, nil)
		} else {
			c.Out = append(c.Out, tensor(v))
		}
	}
	return c
}
