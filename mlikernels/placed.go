package mlikernels

import (
	"context"
	"errors"
	"fmt"

	"arcv2dsp"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
)

// Placed is a network that lies in the memories of one core and runs there: activations, states and constants
// keep their places from node to node, and an operator reads the bytes that others left. It is an executor for
// its graph, node by node in order, and serves one session.
type Placed struct {
	graph   *nn.Graph // whose nodes are executed
	tiled   *tiled
	nodes   []placedNode
	values  []uint32 // the address of each value of the tiled graph
	machine *kernel.Machine
	done    []Execution

	Memories []Filled
	Places   []string // the memory of each value of the graph, empty for constants
}

// Filled is a memory with what lies in it.
type Filled struct {
	Name  string `json:"memory"`
	Bytes int    `json:"bytes"` // 0: as much as is needed
	Used  int    `json:"used"`
}

// PlacedOptions say where a network runs.
type PlacedOptions struct {
	Core     string // a template or a board
	Settings []arcv2dsp.Setting
	Engine   arcv2dsp.EngineKind
	RAM      int // bytes of RAM, 0 for as much as is needed
}

// placedNode is an operator with addresses.
type placedNode struct {
	Lowered
	arg    uint32 // the address of its parameter block
	stage  *stage // nil when its constants are read where they lie
	copied int    // bytes
	where  string // the memory that its constants are read from, empty without constants
}

// stage is the call that copies constants to where the operator reads them.
type stage struct {
	kernel *kernel.Kernel
	arg    uint32
}

// Place gives everything of a checked network an address in the memories of a core, and loads it.
//
// Activations, states and scratch go to X memory, then to DCCM, then to RAM. Constants go to Y memory. Where
// they do not all fit, part of Y is a window: the constants of an operator are copied there before it runs,
// unless it uses each weight once, and a layer with more weights than Y holds is divided. Without an AGU all
// constants are read from RAM, because loads take as long from there.
func Place(g *nn.Graph, o PlacedOptions) (*Placed, error) {
	board, err := kernel.Check(o.Core, o.Settings...)
	if err != nil {
		return nil, err
	}
	b := &placer{board: board, options: o}
	if y := b.memory("yccm"); board.AGU && y != nil {
		b.fast = y
	}
	limit := int(^uint32(0) >> 1)
	if b.fast != nil {
		limit = b.fast.Size
	}
	if b.tiled, err = divide(g, limit); err != nil {
		return nil, err
	}
	lowered, err := Lower(b.tiled.Graph, true)
	if err != nil {
		return nil, err
	}
	for _, l := range lowered {
		b.nodes = append(b.nodes, placedNode{Lowered: l})
	}
	p, err := b.place()
	if err != nil {
		return nil, err
	}
	p.graph = g
	p.Places = b.places[:len(g.Values)]
	if err := p.load(b); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// load makes the machine and fills its memory.
func (p *Placed) load(b *placer) (err error) {
	var of *kernel.Collection
	for i := range p.nodes {
		switch k := p.nodes[i].Kernel; {
		case k == nil:
		case of == nil:
			of = k.Of
		case of != k.Of:
			return fmt.Errorf("operator %d: %s is in another library than the kernels before", p.tiled.of[i], k.Symbol)
		}
	}
	if of == nil {
		return errors.New("no kernel computes an operator of the network")
	}
	lib, err := library(machineKey{collection: of, variant: kernel.Variant{AGU: b.board.AGU}})
	if err != nil {
		return err
	}
	p.machine, err = kernel.NewMachine(kernel.MachineOptions{Core: b.options.Core, Engine: b.options.Engine, Library: lib,
		Settings: b.options.Settings, Own: true})
	if err != nil {
		return err
	}
	for _, i := range b.image {
		if err := p.machine.Core().WriteMemory(i.at, i.bytes); err != nil {
			return err
		}
	}
	for v, t := range nn.Initial(p.tiled.Graph) {
		if t != nil && p.values[v] != 0 {
			if err := p.machine.Core().WriteMemory(p.values[v], kernel.Elements(t)); err != nil {
				return err
			}
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

// Where names the memories that an operator of the graph reads constants from; Tiles is into how many layers
// it was divided.
func (p *Placed) Where(node int) (where string, tiles int) {
	for i := range p.nodes {
		if p.tiled.of[i] != node {
			continue
		}
		tiles++
		if where == "" {
			where = p.nodes[i].where
		}
	}
	return where, max(1, tiles-1)
}

// Execute runs an operator of the graph.
func (p *Placed) Execute(ctx context.Context, node int, c *nn.Call) error {
	n := &p.graph.Nodes[node]
	for i, v := range n.In {
		for _, in := range p.graph.Inputs {
			if v == in {
				if err := p.machine.Core().WriteMemory(p.values[v], kernel.Elements(c.In[i])); err != nil {
					return err
				}
			}
		}
	}
	for i := range p.nodes {
		if p.tiled.of[i] != node {
			continue
		}
		if p.nodes[i].Kernel == nil {
			return p.host(node, c)
		}
		if err := p.run(ctx, node, &p.nodes[i]); err != nil {
			return err
		}
	}
	for i, v := range n.Out {
		if v != nn.Absent {
			if err := p.read(v, c.Out[i]); err != nil {
				return err
			}
		}
	}
	for i, v := range n.In {
		if v != nn.Absent && p.graph.Values[v].Variable {
			if err := p.read(v, c.In[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// run calls the kernels of a node: the copy of its constants, and its own.
func (p *Placed) run(ctx context.Context, node int, n *placedNode) error {
	call := func(k *kernel.Kernel, arg uint32, copied int) error {
		rep, err := p.machine.Continue(ctx, k, arg)
		if err != nil {
			return err
		}
		if !rep.OK() {
			return fmt.Errorf("%s returned %s", k.Symbol, rep.Status)
		}
		p.done = append(p.done, Execution{Node: node, Kernel: k, Report: rep, Copied: copied})
		return nil
	}
	if n.stage != nil {
		if err := call(n.stage.kernel, n.stage.arg, n.copied); err != nil {
			return err
		}
	}
	return call(n.Kernel, n.arg, 0)
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
				if err := p.machine.Core().WriteMemory(p.values[v], kernel.Elements(tensors[i])); err != nil {
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
	if err := p.machine.Core().ReadMemory(p.values[v], b); err != nil {
		return err
	}
	got := kernel.Decode(t.Type, t.Shape, b)
	t.Ints, t.Floats = got.Ints, got.Floats
	return nil
}
