package mlikernels

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"arcv2dsp/internal/term/steps"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
)

// Placed is a network that lies in the memories of one core and runs there: activations, states and constants
// keep their places from node to node, and an operator reads the bytes that others left. It is an executor for
// its graph, node by node in order, and serves one session.
type Placed struct {
	*Placement
	graph   *nn.Graph // whose nodes are executed
	machine *kernel.Machine
	done    []Execution
}

// Place gives everything of a checked network an address in the memories of a core, and loads it.
func Place(g *nn.Graph, o PlacedOptions) (*Placed, error) {
	placement, err := NewPlacement(g, o)
	if err != nil {
		return nil, err
	}
	if !placement.Fits() {
		return nil, &DoesNotFitError{Verdict: placement.Verdict(0)}
	}
	p := &Placed{Placement: placement, graph: g}
	if err := p.load(o); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// load makes the machine and fills its memory.
func (p *Placed) load(o PlacedOptions) (err error) {
	if p.Library == nil {
		return errors.New("no kernel computes an operator of the network")
	}
	p.machine, err = kernel.NewMachine(kernel.MachineOptions{Core: o.Core, Engine: o.Engine, Library: p.Library,
		Settings: o.Settings, Own: true, Stack: p.Stack.At + uint32(p.Stack.Bytes), StackSize: p.Stack.Bytes})
	if err != nil {
		return err
	}
	for at, bytes := range p.Image {
		if err := p.machine.Core().WriteMemory(at, bytes); err != nil {
			return err
		}
	}
	return nil
}

// Close releases the machine.
func (p *Placed) Close() error {
	if p.machine == nil {
		return nil
	}
	return p.machine.Close()
}

// Executions lists the calls that ran since the last time it was asked, copies among them.
func (p *Placed) Executions() []Execution {
	list := p.done
	p.done = nil
	return list
}

// Execute runs an operator of the graph.
func (p *Placed) Execute(ctx context.Context, node int, c *nn.Call) (err error) {
	defer steps.Return(&err)
	n := &p.graph.Nodes[node]
	for i, v := range n.In {
		for _, in := range p.graph.Inputs {
			if v == in {
				steps.Check(p.machine.Core().WriteMemory(p.Values[v].At, kernel.Elements(c.In[i])))
			}
		}
	}
	for i := range p.Nodes {
		if p.From[i] != node {
			continue
		}
		if p.Nodes[i].Kernel == nil {
			return p.host(node, c)
		}
		steps.Check(p.run(ctx, node, &p.Nodes[i]))
	}
	for i, v := range n.Out {
		if v != nn.Absent {
			steps.Check(p.read(v, c.Out[i]))
		}
	}
	for i, v := range n.In {
		if v != nn.Absent && p.graph.Values[v].Variable {
			steps.Check(p.read(v, c.In[i]))
		}
	}
	return nil
}

// run calls the kernels of a node: copies of constants, and its own.
func (p *Placed) run(ctx context.Context, node int, n *PlacedNode) error {
	call := func(k *kernel.Kernel, arg uint32, copies bool, copied int) error {
		rep, err := p.machine.Continue(ctx, k, arg)
		if err != nil {
			return err
		}
		if !rep.OK() {
			return fmt.Errorf("%s returned %s", k.Symbol, rep.Status)
		}
		if used, err := p.machine.StackUsed(); err != nil || used == p.Stack.Bytes {
			return cmp.Or(err, fmt.Errorf("%s used all of its stack of %d bytes", k.Symbol, p.Stack.Bytes))
		}
		p.done = append(p.done, Execution{Node: node, Kernel: k, Report: rep, Copies: copies, Copied: copied})
		return nil
	}
	for _, c := range n.Copies {
		if err := call(c.Kernel, c.Arg, true, c.From.Bytes); err != nil {
			return err
		}
	}
	return call(n.Kernel, n.Arg, false, 0)
}

// host computes an operator with its golden function, and leaves its results where they belong.
func (p *Placed) host(node int, c *nn.Call) error {
	p.done = append(p.done, Execution{Node: node})
	if err := c.Run(); err != nil {
		return err
	}
	n := &p.graph.Nodes[node]
	write := func(values []int, tensors []*nn.Tensor, all bool) error {
		for i, v := range values {
			if v != nn.Absent && (all || p.graph.Values[v].Variable) {
				if err := p.machine.Core().WriteMemory(p.Values[v].At, kernel.Elements(tensors[i])); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return errors.Join(write(n.Out, c.Out, true), write(n.In, c.In, false))
}

// read fills a tensor with what lies at the place of a value.
func (p *Placed) read(v int, t *nn.Tensor) error {
	b := make([]byte, t.Bytes())
	if err := p.machine.Core().ReadMemory(p.Values[v].At, b); err != nil {
		return err
	}
	got := kernel.Decode(t.Type, t.Shape, b)
	t.Ints, t.Floats = got.Ints, got.Floats
	return nil
}
