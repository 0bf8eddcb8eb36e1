package netc

import (
	"errors"
	"fmt"
	"slices"

	"arcv2dsp/mlikernels"
	"arcv2dsp/mlikernels/cstruct"
	"arcv2dsp/mlikernels/kernel"
	"arcv2dsp/nn"
)

// node is an operator with the kernel that computes it, laid out.
type node struct {
	kernel  *kernel.Kernel
	block   *cstruct.Struct // its parameter block
	parts   []kernel.Part
	params  int         // the part that is the parameter block
	values  []int       // of each part: the value that lies there, nn.Absent for what is the call's own
	room    map[int]int // offsets of parts within the scratch of the node
	scratch int         // bytes
}

// blockForm is a calling form whose only argument points to a parameter block.
type blockForm interface{ Block() *cstruct.Struct }

// lower chooses a kernel for every operator and lays its call out. The error names all operators that only
// the host computes.
func (c *compiler) lower() error {
	c.live = tensors(c.graph, 0)
	again := tensors(c.graph, 1)
	var refused []error
	for i := range c.graph.Nodes {
		n := &c.graph.Nodes[i]
		made, err := c.lowerNode(n, call(n, c.live), call(n, again))
		if err != nil {
			refused = append(refused, fmt.Errorf("operator %d %s: %w", i, n.Op.Name, err))
		}
		c.nodes = append(c.nodes, made)
	}
	return errors.Join(refused...)
}

// tensors are those that calls are laid out with: constants themselves, and others of their own full of some
// number.
func tensors(g *nn.Graph, fill int64) []*nn.Tensor {
	list := make([]*nn.Tensor, len(g.Values))
	for i := range g.Values {
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
	return list
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
func (c *compiler) lowerNode(n *nn.Node, first, again *nn.Call) (node, error) {
	k, err := mlikernels.Choose(first)
	if err != nil {
		return node{}, fmt.Errorf("only the host computes it: %w", err)
	}
	form, ok := k.ABI.(blockForm)
	if !ok {
		return node{}, fmt.Errorf("%s takes no parameter block", k.Symbol)
	}
	if c.library == nil {
		c.library = k.Of
	}
	if k.Of != c.library {
		return node{}, fmt.Errorf("%s is in another library than the kernels before", k.Symbol)
	}
	r, err := kernel.Relocate(k, first, again)
	if err != nil {
		return node{}, err
	}
	made := node{kernel: k, block: form.Block(), parts: r.Parts, params: r.Args[0].Part, room: map[int]int{}}
	placed := map[int]bool{}
	for i, p := range r.Parts {
		v := nn.Absent
		if p.Tensor != nil {
			v = slices.Index(c.live, p.Tensor)
		}
		if v != nn.Absent && c.graph.Values[v].Constant() {
			v = nn.Absent
		}
		made.values = append(made.values, v)
		switch {
		case v != nn.Absent:
			placed[v] = true
		case p.Bytes == nil:
			made.room[i] = made.scratch
			made.scratch += words(p.Size)
		case p.Writable:
			return node{}, fmt.Errorf("%s writes %s, which is no value of the network", k.Symbol, p.Name)
		}
		if p.Align > wordBytes {
			return node{}, fmt.Errorf("%s wants %s at a multiple of %d", k.Symbol, p.Name, p.Align)
		}
	}
	for _, v := range n.Out {
		switch {
		case v == nn.Absent:
		case c.graph.Values[v].Variable:
			return node{}, fmt.Errorf("it writes the variable %s", c.graph.Values[v].Name)
		case !placed[v]:
			return node{}, fmt.Errorf("%s leaves output %s in another form", k.Symbol, c.graph.Values[v].Name)
		}
	}
	return made, nil
}
