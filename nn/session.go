package nn

import (
	"context"
	"fmt"
	"slices"
)

// Executor computes the outputs of a prepared call, and the new contents of its state ports.
type Executor interface {
	Execute(ctx context.Context, node int, c *Call) error
}

// GoldenExecutor computes calls with the operators' golden functions.
type GoldenExecutor struct{}

// Execute runs the golden function.
func (GoldenExecutor) Execute(_ context.Context, _ int, c *Call) error { return c.Run() }

// Session runs a checked graph again and again; variables keep their contents from run to run.
type Session struct {
	graph *Graph
	exec  Executor
	live  []*Tensor // tensors of the values in this run; constants and variables in every run

	// After is called when a node has run, with its call; nil when nobody wants to know. An error ends
	// the run.
	After func(node int, c *Call) error
}

// NewSession starts with every variable in its initial state: the elements the value has, or else its
// zero point.
func NewSession(g *Graph, exec Executor) *Session {
	s := &Session{graph: g, exec: exec, live: make([]*Tensor, len(g.Values))}
	s.Reset()
	return s
}

// Reset gives every variable its initial state.
func (s *Session) Reset() {
	for i := range s.graph.Values {
		v := &s.graph.Values[i]
		switch {
		case v.Variable:
			s.live[i] = v.Tensor.Clone()
			if !v.Tensor.Filled() {
				s.live[i].Alloc()
				for k := range s.live[i].Ints {
					s.live[i].Ints[k] = v.Tensor.Format.Zero(0)
				}
			}
		case v.Constant():
			s.live[i] = v.Tensor
		}
	}
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
		for _, v := range n.Out {
			if v != Absent {
				t := *g.Values[v].Tensor
				s.live[v] = &t
			}
		}
		c := g.call(n, func(v int) *Tensor { return s.live[v] })
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := s.exec.Execute(ctx, i, c); err != nil {
			return nil, fmt.Errorf("%s: %w", n.Name, err)
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
