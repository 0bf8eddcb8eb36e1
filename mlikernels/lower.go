package mlikernels

import (
	"errors"
	"fmt"
	"slices"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
)

// Lowered is an operator of a network with the kernel that computes it, laid out without addresses.
type Lowered struct {
	Kernel  *kernel.Kernel // nil when only the host computes it
	Parts   []kernel.Part
	Args    []Pointer   // the arguments of the function, each a place in a part
	Values  []int       // of each part: the value that lies there, nn.Absent for what is the call's own
	Room    map[int]int // offsets of parts within the scratch of the node
	Scratch int         // bytes
}

// Constants are the bytes of what is the same in every run.
func (l *Lowered) Constants() int {
	bytes := 0
	for i, p := range l.Parts {
		if l.Values[i] == nn.Absent && p.Bytes != nil {
			bytes += words(p.Size)
		}
	}
	return bytes
}

// partAlign is the alignment of every part.
const partAlign = 4

// words rounds bytes up to whole words.
func words(n int) int { return (n + partAlign - 1) / partAlign * partAlign }

// NodeError says why an operator of a network has no kernel.
type NodeError struct {
	Node int
	Op   string
	Err  error
}

func (e *NodeError) Error() string { return fmt.Sprintf("operator %d %s: %v", e.Node, e.Op, e.Err) }

// Unwrap is the reason.
func (e *NodeError) Unwrap() error { return e.Err }

// Lower chooses a kernel for every operator of a checked graph and lays its call out. The error names all
// operators that have none, each as a NodeError; with host they are left to it.
func Lower(g *nn.Graph, host bool) ([]Lowered, error) { return lower(g, host, false) }

// LowerForC does the same for a C program, which can keep structures that functions of MLI write to.
func LowerForC(g *nn.Graph) ([]Lowered, error) { return lower(g, false, true) }

func lower(g *nn.Graph, host, structures bool) ([]Lowered, error) {
	first, again := make([]*nn.Tensor, len(g.Values)), make([]*nn.Tensor, len(g.Values))
	list := make([]Lowered, len(g.Nodes))
	var refused []error
	for i := range g.Nodes {
		n := &g.Nodes[i]
		made, err := (*Lowered)(nil), sizeFits(g, n)
		if err == nil {
			tensors(g, n, first, 0)
			tensors(g, n, again, 1)
			made, err = lowerNode(g, n, first, again, structures)
			clear(first)
			clear(again)
		}
		switch {
		case err == nil:
			list[i] = *made
		case !host:
			refused = append(refused, &NodeError{Node: i, Op: n.Op.Name, Err: err})
		}
	}
	return list, errors.Join(refused...)
}

// mostElements bounds the tensors of a call that is laid out: a core with 32-bit addresses and memory for more is none of
// those simulated here, and a damaged file claims more easily.
const mostElements = 1 << 25

// sizeFits fails for an operator with tensors that no core has room for.
func sizeFits(g *nn.Graph, n *nn.Node) error {
	elements := 0
	for _, v := range slices.Concat(n.In, n.Out) {
		if v != nn.Absent && !g.Values[v].Constant() {
			elements += g.Values[v].Tensor.Len()
		}
	}
	if elements > mostElements {
		return fmt.Errorf("tensors of %d elements, kernels take at most %d", elements, mostElements)
	}
	return nil
}

// tensors makes those that the call of a node is laid out with: constants themselves, and others of their own full of
// some number.
func tensors(g *nn.Graph, n *nn.Node, list []*nn.Tensor, fill int64) {
	for _, i := range slices.Concat(n.In, n.Out) {
		if i == nn.Absent || list[i] != nil {
			continue
		}
		v := &g.Values[i]
		if v.Constant() {
			list[i] = v.Tensor
			continue
		}
		t := &nn.Tensor{Type: v.Tensor.Type, Shape: v.Tensor.Shape, Format: v.Tensor.Format}
		t.Alloc()
		for k := range t.Ints {
			t.Ints[k] = fill
		}
		for k := range t.Floats {
			t.Floats[k] = float32(fill)
		}
		list[i] = t
	}
}

// call is the call of a node with these tensors.
func call(n *nn.Node, live []*nn.Tensor) *nn.Call {
	pick := func(values []int) (list []*nn.Tensor) {
		for _, v := range values {
			if v == nn.Absent {
				list = append(list, nil)
			} else {
				list = append(list, live[v])
			}
		}
		return list
	}
	return &nn.Call{Op: n.Op, Attrs: n.Attrs, Rounding: n.Rounding, In: pick(n.In), Out: pick(n.Out)}
}

// lowerNode lays one operator out.
func lowerNode(g *nn.Graph, n *nn.Node, live, again []*nn.Tensor, structures bool) (*Lowered, error) {
	first := call(n, live)
	k, err := Choose(first)
	if err != nil {
		return nil, fmt.Errorf("only the host computes it: %w", err)
	}
	r, err := kernel.Relocate(k, first, call(n, again))
	if err != nil {
		return nil, err
	}
	made := &Lowered{Kernel: k, Parts: r.Parts, Args: r.Args, Room: map[int]int{}}
	placed := map[int]bool{}
	for i, p := range r.Parts {
		v := nn.Absent
		if p.Tensor != nil {
			v = slices.Index(live, p.Tensor)
		}
		if v != nn.Absent && g.Values[v].Constant() {
			v = nn.Absent
		}
		made.Values = append(made.Values, v)
		switch {
		case v != nn.Absent:
			placed[v] = true
		case p.Bytes == nil:
			made.Room[i] = made.Scratch
			made.Scratch += words(p.Size)
		case p.Writable && !structures:
			return nil, fmt.Errorf("%s writes %s, which is no value of the network", k.Symbol, p.Name)
		}
		if p.Align > partAlign {
			return nil, fmt.Errorf("%s wants %s at a multiple of %d", k.Symbol, p.Name, p.Align)
		}
	}
	for _, v := range n.Out {
		switch {
		case v == nn.Absent:
		case g.Values[v].Variable && slices.Contains(n.In, v):
			return nil, fmt.Errorf("it reads and writes the variable %s", g.Values[v].Name)
		case !placed[v]:
			return nil, fmt.Errorf("%s leaves output %s in another form", k.Symbol, g.Values[v].Name)
		}
	}
	return made, nil
}
