package nn

import (
	"fmt"
	"slices"
	"strings"
)

// Class is the purpose of a buffer of a plan.
type Class uint8

// The classes. Activations and scratch live for some nodes; state and weights for the whole run.
const (
	Activation Class = iota
	Scratch
	State
	Weights
	classes
)

func (c Class) String() string {
	return [...]string{Activation: "activation", Scratch: "scratch", State: "state", Weights: "weights"}[c]
}

// Memory is a memory that a plan may use.
type Memory struct {
	Name  string
	Bytes int     // 0: as much as is needed
	Takes []Class // what may lie there; nil for everything
}

func (m *Memory) takes(c Class) bool { return m.Takes == nil || slices.Contains(m.Takes, c) }

// PlanOptions say where the values of a graph may lie.
type PlanOptions struct {
	// Memories in the order of preference; none is one memory of any size.
	Memories []Memory
	// Align is the boundary that buffers begin at, 1 by default.
	Align int
	// Apart gives every value a buffer of its own, also where an operator can work in place.
	Apart bool
	// InPlace says whether what computes a node can work in place where its operator can; nil when it always can.
	InPlace func(node int) bool
	// Scratch is the room a node needs while it runs; nil when none does.
	Scratch func(node int, c *Call) int
}

// Buffer is a piece of a memory that values share.
type Buffer struct {
	Class       Class
	Values      []int // that lie there, by index; none for scratch
	Bytes       int
	First, Last int // the nodes it lives for; inputs of the graph from -1 on
	Memory      int // index into Plan.Memories
	Offset      int
}

// Plan is a place for every value of a graph.
type Plan struct {
	Memories []Memory
	Buffers  []Buffer
	Of       []int // the buffer of each value, Absent for values that no node uses
	Used     []int // bytes of each memory, with the gaps below its highest buffer
	// Arena is the room for activations alone: the highest end if they had one memory to themselves.
	Arena int
	// Peak is the greatest sum of activations that live at one time: no plan has a smaller arena unless it
	// works in place.
	Peak int
}

// NewPlan places the values of a checked graph: large ones first, each in the first gap of the first memory
// that has one while it lives.
func NewPlan(g *Graph, o PlanOptions) (*Plan, error) {
	if len(o.Memories) == 0 {
		o.Memories = []Memory{{Name: "memory"}}
	}
	o.Align = max(o.Align, 1)
	p := &Plan{Memories: o.Memories, Of: make([]int, len(g.Values)), Used: make([]int, len(o.Memories))}
	lives := lifetimes(g)
	p.Peak = peak(g, lives)
	p.collect(g, lives, o)
	arena, err := place(activations(p.Buffers), []Memory{{}}, o.Align)
	if err != nil {
		return nil, err
	}
	p.Arena = top(arena, 0)
	placed, err := place(p.Buffers, o.Memories, o.Align)
	if err != nil {
		return nil, p.explain(g, err)
	}
	p.Buffers = placed
	for i := range p.Used {
		p.Used[i] = top(placed, i)
	}
	return p, nil
}

// life is the range of nodes a value is needed for.
type life struct {
	used        bool
	first, last int
}

func (l *life) at(node int) {
	if !l.used {
		*l = life{used: true, first: node, last: node}
	}
	l.first, l.last = min(l.first, node), max(l.last, node)
}

// lifetimes are those of every value. Inputs exist before the first node, outputs until after the last.
func lifetimes(g *Graph) []life {
	lives := make([]life, len(g.Values))
	mark := func(list []int, node int) {
		for _, v := range list {
			if v != Absent {
				lives[v].at(node)
			}
		}
	}
	mark(g.Inputs, -1)
	for i := range g.Nodes {
		mark(g.Nodes[i].In, i)
		mark(g.Nodes[i].Out, i)
	}
	mark(g.Outputs, len(g.Nodes)-1)
	for v := range lives {
		if class(&g.Values[v]) != Activation && lives[v].used {
			lives[v].first, lives[v].last = -1, len(g.Nodes)-1
		}
	}
	return lives
}

func class(v *Value) Class {
	switch {
	case v.Variable:
		return State
	case v.Constant():
		return Weights
	default:
		return Activation
	}
}

// peak is the greatest sum of activations that a node sees alive.
func peak(g *Graph, lives []life) int {
	most := 0
	for node := range g.Nodes {
		sum := 0
		for v, l := range lives {
			if l.used && l.first <= node && node <= l.last && class(&g.Values[v]) == Activation {
				sum += g.Values[v].Tensor.Bytes()
			}
		}
		most = max(most, sum)
	}
	return most
}

// collect makes the buffers: one for each value that is used, one for two values where a node works in
// place, one for scratch.
func (p *Plan) collect(g *Graph, lives []life, o PlanOptions) {
	for v, l := range lives {
		p.Of[v] = Absent
		if l.used {
			p.Of[v] = len(p.Buffers)
			p.Buffers = append(p.Buffers, Buffer{Class: class(&g.Values[v]), Values: []int{v}, Bytes: g.Values[v].Tensor.Bytes(),
				First: l.first, Last: l.last})
		}
	}
	for i := range g.Nodes {
		if !o.Apart && (o.InPlace == nil || o.InPlace(i)) {
			p.merge(g, lives, i)
		}
		if o.Scratch != nil {
			n := &g.Nodes[i]
			if bytes := o.Scratch(i, g.call(n, func(v int) *Tensor { return g.Values[v].Tensor })); bytes > 0 {
				p.Buffers = append(p.Buffers, Buffer{Class: Scratch, Bytes: bytes, First: i, Last: i})
			}
		}
	}
	// Buffers that merged into others are left without values.
	index := make([]int, len(p.Buffers))
	kept := p.Buffers[:0]
	for i, b := range p.Buffers {
		index[i] = len(kept)
		if b.Class == Scratch || len(b.Values) > 0 {
			kept = append(kept, b)
		}
	}
	p.Buffers = kept
	for v, b := range p.Of {
		if b != Absent {
			p.Of[v] = index[b]
		}
	}
}

// merge puts the first output of a node over an input that nobody needs afterwards.
func (p *Plan) merge(g *Graph, lives []life, node int) {
	n := &g.Nodes[node]
	if !n.Op.InPlace || len(n.Out) == 0 || n.Out[0] == Absent || class(&g.Values[n.Out[0]]) != Activation {
		return
	}
	out := n.Out[0]
	for _, in := range n.In {
		if in == Absent || p.Of[in] == p.Of[out] || lives[in].last != node || class(&g.Values[in]) != Activation || slices.Contains(g.Outputs, in) {
			continue
		}
		from, to := &p.Buffers[p.Of[in]], &p.Buffers[p.Of[out]]
		if from.Last > node || g.Values[in].Tensor.Bytes() != g.Values[out].Tensor.Bytes() || g.Values[in].Tensor.Len() != g.Values[out].Tensor.Len() {
			continue
		}
		from.Last = max(from.Last, to.Last)
		from.Values = append(from.Values, to.Values...)
		to.Values = nil
		p.Of[out] = p.Of[in]
		return
	}
}

// explain adds the values of the buffer that found no place.
func (p *Plan) explain(g *Graph, err error) error {
	fault, ok := err.(*tooSmall)
	if !ok {
		return err
	}
	names := []string{}
	for _, v := range fault.buffer.Values {
		names = append(names, g.Values[v].Name)
	}
	if len(names) == 0 {
		names = append(names, g.Nodes[fault.buffer.First].Name)
	}
	return fmt.Errorf("%s: %w", strings.Join(names, ", "), fault)
}
