package tflite

import (
	"fmt"
	"reflect"
	"slices"

	"arcv2dsp/nn"
)

// maxFolded bounds the elements that are computed while a network is read.
const maxFolded = 1 << 22

// fold computes the nodes whose results are the same in every run, and leaves constants in their place. Networks
// compute shapes so, from the shape of a tensor, and operators that need a shape need it before a run. What the graph
// gives as an output is computed in a run.
func (g *graphReader) fold() error {
	kept := g.graph.Nodes[:0]
	computed := map[int]bool{}
	for i := range g.graph.Nodes {
		n := &g.graph.Nodes[i]
		if n.Op.Name == "RESHAPE" && len(n.In) > 1 && computed[n.In[1]] {
			g.reshape(n)
		}
		folded, err := g.foldNode(n)
		if err != nil {
			return fmt.Errorf("%s: %w", n.Name, err)
		}
		if !folded {
			kept = append(kept, *n)
			continue
		}
		for _, v := range n.Out {
			computed[v] = true
		}
	}
	g.graph.Nodes = kept
	g.readInPlace()
	g.writeInPlace()
	g.forget()
	return nil
}

// reshape gives the output of a RESHAPE the shape that was computed: a file may have had another in its place, because
// whoever wrote it did not compute.
func (g *graphReader) reshape(n *nn.Node) {
	wanted := g.graph.Values[n.In[1]].Tensor
	in, out := g.graph.Values[n.In[0]].Tensor, g.graph.Values[n.Out[0]].Tensor
	if !wanted.Filled() || len(wanted.Shape) > 1 || in.Len() == out.Len() {
		return
	}
	shape, open, known := make([]int, wanted.Len()), -1, 1
	for i, v := range wanted.Ints {
		switch {
		case v == -1 && open < 0:
			open = i
		case v <= 0 || v > int64(in.Len()):
			return
		default:
			shape[i] = int(v)
			known *= shape[i]
		}
		if known > in.Len() {
			return
		}
	}
	if open >= 0 {
		shape[open] = in.Len() / known
		known *= shape[open]
	}
	if known == in.Len() {
		own := *out
		own.Shape = shape
		g.graph.Values[n.Out[0]].Tensor = &own
	}
}

// foldNode computes a node if it can be computed now.
func (g *graphReader) foldNode(n *nn.Node) (bool, error) {
	if !g.foldable(n) {
		return false, nil
	}
	c := g.graph.Call(n)
	if err := c.Prepare(); err != nil {
		return false, err
	}
	for i, t := range c.Out {
		if t != nil {
			own := *t
			c.Out[i] = &own
		}
	}
	if err := c.Run(); err != nil {
		return false, nil // a run says so, if it comes to that
	}
	for i, v := range n.Out {
		if v != nn.Absent {
			g.graph.Values[v].Tensor = c.Out[i]
		}
	}
	return true, nil
}

func (g *graphReader) foldable(n *nn.Node) bool {
	if n.Op.Control != nil || n.Op.MACs != nil || len(n.Out) == 0 {
		return false
	}
	for i, v := range n.In {
		if i < len(n.Op.Inputs) && n.Op.Inputs[i].State || v != nn.Absent && !g.graph.Values[v].Constant() && !n.Op.ByShape {
			return false
		}
	}
	elements := 0
	for _, v := range n.Out {
		if v == nn.Absent {
			continue
		}
		if g.graph.Values[v].Variable || slices.Contains(g.graph.Outputs, v) {
			return false
		}
		elements += g.graph.Values[v].Tensor.Len()
	}
	return elements <= maxFolded
}

// readInPlace lets operators read a variable where it lies, when nothing writes it between the node that reads it and
// the last one that needs what was read. Such a copy would cost memory and time and change nothing.
func (g *graphReader) readInPlace() {
	nodes := g.graph.Nodes
	kept := make([]nn.Node, 0, len(nodes))
	for i := range nodes {
		n := &nodes[i]
		if n.Op.Name != readVariable || len(n.In) != 1 || len(n.Out) != 1 || !g.untouched(i) {
			kept = append(kept, *n)
			continue
		}
		for k := range nodes[i+1:] {
			for j, v := range nodes[i+1+k].In {
				if v == n.Out[0] {
					nodes[i+1+k].In[j] = n.In[0]
				}
			}
		}
	}
	g.graph.Nodes = kept
}

// untouched reports whether the variable that a node reads stays as it is for as long as the node's output is needed.
// A graph inside an operator may write any variable.
func (g *graphReader) untouched(read int) bool {
	from, to := g.graph.Nodes[read].In[0], g.graph.Nodes[read].Out[0]
	written := false
	for _, n := range g.graph.Nodes[read+1:] {
		if slices.Contains(n.Out, from) || n.Op.Control != nil {
			written = true
		}
		if slices.Contains(n.In, to) && written {
			return false
		}
	}
	return !slices.Contains(g.graph.Outputs, to)
}

// writeInPlace lets operators write a variable where it lies, when nothing needs its old contents from there up to the node that
// assigns it what they wrote.
func (g *graphReader) writeInPlace() {
	nodes := g.graph.Nodes
	assigns := make([]bool, len(nodes))
	for i := range nodes {
		n := &nodes[i]
		if n.Op.Name != assignVariable || len(n.In) != 1 || len(n.Out) != 1 {
			continue
		}
		from, to := n.In[0], n.Out[0]
		made := g.maker(i)
		if made < 0 || !g.untouchedAs(i, from, to) {
			continue
		}
		assigns[i] = true
		nodes[made].Out[slices.Index(nodes[made].Out, from)] = to
		for k := range nodes[made+1:] {
			for j, v := range nodes[made+1+k].In {
				if v == from {
					nodes[made+1+k].In[j] = to
				}
			}
		}
	}
	kept := make([]nn.Node, 0, len(nodes))
	for i := range nodes {
		if !assigns[i] {
			kept = append(kept, nodes[i])
		}
	}
	g.graph.Nodes = kept
}

// maker is the node whose output an assignment gives a variable, if it can write the variable itself: -1 if not. Neither it nor
// a node up to the assignment reads or writes the variable.
func (g *graphReader) maker(assign int) int {
	from, to := g.graph.Nodes[assign].In[0], g.graph.Nodes[assign].Out[0]
	made, variable := g.graph.Values[from], g.graph.Values[to]
	if made.Variable || slices.Contains(g.graph.Outputs, from) || !reflect.DeepEqual(made.Tensor.Format, variable.Tensor.Format) {
		return -1
	}
	for i := assign - 1; i >= 0; i-- {
		n := &g.graph.Nodes[i]
		switch {
		case n.Op.Control != nil || slices.Contains(n.In, to) || slices.Contains(n.Out, to):
			return -1
		case slices.Contains(n.Out, from):
			return i
		}
	}
	return -1
}

// untouchedAs reports whether a variable stays as a node assigned it for as long as what it was assigned is needed.
func (g *graphReader) untouchedAs(assign, from, to int) bool {
	written := false
	for _, n := range g.graph.Nodes[assign+1:] {
		if slices.Contains(n.In, from) && (written || n.Op.Control != nil) {
			return false
		}
		written = written || slices.Contains(n.Out, to) || n.Op.Control != nil
	}
	return true
}

// forget empties the tensors that no node needs any more.
func (g *graphReader) forget() {
	needed := make([]bool, len(g.graph.Values))
	mark := func(list []int) {
		for _, v := range list {
			if v >= 0 && v < len(needed) {
				needed[v] = true
			}
		}
	}
	mark(g.graph.Inputs)
	mark(g.graph.Outputs)
	for i := range g.graph.Nodes {
		mark(g.graph.Nodes[i].In)
		mark(g.graph.Nodes[i].Out)
	}
	for v := range needed {
		if !needed[v] {
			g.graph.Values[v] = unused()
		}
	}
}
