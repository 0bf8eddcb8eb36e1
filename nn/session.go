package nn

import (
	"context"
	"fmt"
	"slices"
)

// Executor computes the outputs of a prepared call, and the new contents of its state ports. The node is
// that of the graph the call is in: calls of graphs inside operators of control flow come with numbers of
// their own.
type Executor interface {
	Execute(ctx context.Context, node int, c *Call) error
}

// GoldenExecutor computes calls with the operators' golden functions.
type GoldenExecutor struct{}

// Execute runs the golden function. A golden function is a plain loop that asks nobody whether to go on, and a
// hostile network can ask for years of work, so a run that is cancelled leaves it behind.
func (GoldenExecutor) Execute(ctx context.Context, _ int, c *Call) error {
	if ctx.Done() == nil {
		return c.Run()
	}
	done := make(chan error, 1)
	go func() { done <- c.Run() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Session runs a checked graph again and again; variables keep their contents from run to run.
type Session struct {
	graph *Graph
	exec  Executor
	live  []*Tensor // tensors of the values in this run; constants and variables in every run

	// variables holds the contents of variables by the tensor that declares them. Graphs inside the
	// graph that name the same tensor share the variable.
	variables map[*Tensor]*Tensor

	// After is called when a node has run, with its call; nil when nobody wants to know. An error ends
	// the run.
	After func(node int, c *Call) error
}

// NewSession starts with every variable in its initial state: the elements the value has, or else its
// zero point.
func NewSession(g *Graph, exec Executor) *Session {
	s := newSession(g, exec, map[*Tensor]*Tensor{})
	s.Reset()
	return s
}

func newSession(g *Graph, exec Executor, variables map[*Tensor]*Tensor) *Session {
	return &Session{graph: g, exec: exec, live: make([]*Tensor, len(g.Values)), variables: variables}
}

// inner starts a graph inside an operator of control flow.
func (s *Session) inner(g *Graph) *Session {
	in := newSession(g, s.exec, s.variables)
	in.load()
	return in
}

// Reset gives every variable its initial state.
func (s *Session) Reset() {
	clear(s.variables)
	s.load()
}

// load takes constants from the graph and variables from where they are kept; a variable that is new
// there starts in its initial state.
func (s *Session) load() {
	for i := range s.graph.Values {
		v := &s.graph.Values[i]
		switch {
		case v.Variable:
			if s.variables[v.Tensor] == nil {
				s.variables[v.Tensor] = v.initial()
			}
			s.live[i] = s.variables[v.Tensor]
		case v.Constant():
			s.live[i] = v.Tensor
		}
	}
}

// initial is a variable's first contents.
func (v *Value) initial() *Tensor {
	t := v.Tensor.Clone()
	if !t.Filled() {
		t.Alloc()
		for k := range t.Ints {
			t.Ints[k] = t.Format.Zero(0)
		}
	}
	return t
}

// Run computes the outputs of the graph for some inputs.
func (s *Session) Run(ctx context.Context, inputs []*Tensor) ([]*Tensor, error) {
	g := s.graph
	if len(inputs) != len(g.Inputs) {
		return nil, fmt.Errorf("%d inputs, the network takes %d", len(inputs), len(g.Inputs))
	}
	for i, v := range g.Inputs {
		want := g.Values[v].Tensor
		if inputs[i].Type != want.Type || !slices.Equal(inputs[i].Shape, want.Shape) {
			return nil, fmt.Errorf("input %s is %s%v, the network takes %s%v", g.Values[v].Name, inputs[i].Type,
				inputs[i].Shape, want.Type, want.Shape)
		}
		in := *inputs[i]
		in.Format = want.Format
		if err := in.Check(); err != nil {
			return nil, fmt.Errorf("input %s: %w", g.Values[v].Name, err)
		}
		s.live[v] = &in
	}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		c := g.call(n, func(v int) *Tensor { return s.live[v] })
		for k, v := range n.Out { // after the inputs are taken: a node may read the variable that it writes
			if v != Absent {
				t := *g.Values[v].Tensor
				s.live[v], c.Out[k] = &t, &t
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := s.execute(ctx, i, c); err != nil {
			return nil, fmt.Errorf("%s: %w", n.Name, err)
		}
		for _, v := range n.Out {
			if v != Absent && g.Values[v].Variable {
				s.variables[g.Values[v].Tensor] = s.live[v]
			}
		}
		if s.After != nil {
			if err := s.After(i, c); err != nil {
				return nil, err
			}
		}
	}
	out := make([]*Tensor, len(g.Outputs))
	for i, v := range g.Outputs {
		out[i] = s.live[v]
	}
	return out, nil
}

// execute computes one node; operators of control flow run their graphs here, with the same executor.
func (s *Session) execute(ctx context.Context, node int, c *Call) error {
	if c.Op.Control == nil {
		return s.exec.Execute(ctx, node, c)
	}
	err := c.compute(func(g *Graph, inputs []*Tensor) ([]*Tensor, error) { return s.inner(g).Run(ctx, inputs) })
	s.load()
	return err
}

// Initial are the contents of every variable of a graph before the first run, by value; nil for other values.
func Initial(g *Graph) []*Tensor {
	list := make([]*Tensor, len(g.Values))
	for i := range g.Values {
		if v := &g.Values[i]; v.Variable {
			list[i] = v.initial()
		}
	}
	return list
}
