package tosacheck

import (
	"context"
	"fmt"

	"arcv2dsp/nn"
	"arcv2dsp/nn/tosa"
)

// Case is one question to an implementation, and the answer.
type Case struct {
	Name    string
	Purpose string // what the case exercises
	Target  tosa.Target
	Graph   *nn.Graph
	Fault   error // why there is no graph: an error of the case itself
	Inputs  []*nn.Tensor
	Expect  nn.Outcome
	// Condition is the rule that the case breaks, when it is known.
	Condition string
	Want      []*nn.Tensor // the outputs of a valid case; nil when only the outcome is known
	// References are what outputs of floating-point numbers are compared with; nil in the places of others.
	References []*tosa.Reference
	// InputFault says why there are no inputs. It counts when the graph is no error by itself.
	InputFault error
}

// Result is the outcome of a case in an implementation.
type Result struct {
	Outcome nn.Outcome
	Err     error // the reason of an outcome that is not valid
	Outputs []*nn.Tensor
}

// Run checks the graph of a case and, when it is valid so far, runs it.
func (c *Case) Run(ctx context.Context, exec nn.Executor) Result {
	out, err := c.outputs(ctx, exec)
	return Result{Outcome: nn.OutcomeOf(err), Err: err, Outputs: out}
}

func (c *Case) outputs(ctx context.Context, exec nn.Executor) ([]*nn.Tensor, error) {
	if c.Fault != nil {
		return nil, c.Fault
	}
	if err := c.Target.Check(c.Graph); err != nil {
		return nil, err
	}
	if err := affordable(c.Graph); err != nil {
		return nil, err
	}
	if c.InputFault != nil {
		return nil, c.InputFault
	}
	return nn.NewSession(c.Graph, exec).Run(ctx, c.Inputs)
}

// maxSteps bounds the work of one call, which nothing can interrupt: about a minute.
const maxSteps = 1 << 33

// affordable refuses a graph that would keep the host busy for too long. Calls in inner graphs count as well.
func affordable(g *nn.Graph) error {
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if steps := tosa.Steps(g.Call(n)); steps > maxSteps {
			return fmt.Errorf("%s: %s takes %d steps, at most %d are run", n.Name, n.Op.Name, steps, maxSteps)
		}
		for _, a := range n.Op.Attrs {
			if inner := n.Attrs.Graph(a.Name); inner != nil {
				if err := affordable(inner); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// Judge says why a result is not what the case expects, or returns nil. Anything is right where the
// case is unpredictable.
func (c *Case) Judge(r Result) error {
	switch {
	case c.Expect == nn.Unpredictable:
		return nil
	case r.Outcome != c.Expect && r.Err != nil:
		return fmt.Errorf("%s (%w), want %s", r.Outcome, r.Err, c.Expect)
	case r.Outcome != c.Expect:
		return fmt.Errorf("%s, want %s", r.Outcome, c.Expect)
	case c.Expect == nn.Error || c.Want == nil:
		return nil
	case len(r.Outputs) != len(c.Want):
		return fmt.Errorf("%d outputs, want %d", len(r.Outputs), len(c.Want))
	}
	for i, want := range c.Want {
		if want == nil {
			if err := c.References[i].Check(r.Outputs[i]); err != nil {
				return fmt.Errorf("output %d: %w", i, err)
			}
			continue
		}
		if err := nn.Difference(r.Outputs[i], want); err != nil {
			return fmt.Errorf("output %d: %w", i, err)
		}
	}
	return nil
}

// single makes the graph of one call: every input is an input of the graph.
func single(c *nn.Call) *nn.Graph {
	g := &nn.Graph{Name: c.Op.Name}
	n := nn.Node{Name: c.Op.Name, Op: c.Op, Attrs: c.Attrs}
	add := func(role string, t *nn.Tensor) int {
		g.Values = append(g.Values, nn.Value{Name: role, Tensor: &nn.Tensor{Type: t.Type, Shape: t.Shape}})
		return len(g.Values) - 1
	}
	for i, t := range c.In {
		v := add(fmt.Sprintf("input-%d", i), t)
		n.In, g.Inputs = append(n.In, v), append(g.Inputs, v)
	}
	for i, t := range c.Out {
		v := add(fmt.Sprintf("output-%d", i), t)
		n.Out, g.Outputs = append(n.Out, v), append(g.Outputs, v)
	}
	g.Nodes = []nn.Node{n}
	return g
}
