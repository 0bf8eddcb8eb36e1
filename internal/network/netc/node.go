package netc

import (
	"errors"
	"fmt"

	"arcv2dsp/mlikernels"
)

// node is an operator, laid out; or a conversion that C code does. Where the only argument points to a parameter block, block
// is its structure; functions of MLI take several structures, which are written as words.
type node struct {
	mlikernels.Lowered
	block   *mlikernels.Struct
	convert *conversion
}

// blockForm is a calling form whose only argument points to a parameter block.
type blockForm interface{ Block() *mlikernels.Struct }

// lower lays all operators out. The error names those that only the host computes, or whose kernels are not
// all in one library.
func (c *compiler) lower() error {
	list, err := mlikernels.LowerForC(c.graph)
	lacking := map[int]error{}
	if err != nil && !without(err, lacking) {
		return err
	}
	var refused []error
	for i, l := range list {
		if to := c.converts(i); to != nil && l.Kernel == nil {
			c.nodes = append(c.nodes, node{convert: to})
			continue
		}
		if lacking[i] != nil {
			refused = append(refused, lacking[i])
			continue
		}
		n := node{Lowered: l}
		if form, ok := l.Kernel.ABI.(blockForm); ok {
			n.block = form.Block()
		}
		if c.library == nil {
			c.library = l.Kernel.Of
		}
		switch name := c.graph.Nodes[i].Op.Name; {
		case l.Kernel.Of != c.library:
			refused = append(refused, fmt.Errorf("operator %d %s: %s is in another library than the kernels before", i, name, l.Kernel.Symbol))
		default:
			c.nodes = append(c.nodes, n)
		}
	}
	if len(refused) == 0 && c.library == nil {
		return errors.New("no kernel computes an operator of the network")
	}
	return errors.Join(refused...)
}

// without sorts the operators that have no kernel by node; false when the error is another one.
func without(err error, of map[int]error) bool {
	list, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return false
	}
	for _, e := range list.Unwrap() {
		var n *mlikernels.NodeError
		if !errors.As(e, &n) {
			return false
		}
		of[n.Node] = e
	}
	return true
}
