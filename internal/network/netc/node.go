package netc

import (
	"errors"
	"fmt"

	"arcv2dsp/mlikernels"
)

// node is an operator, laid out, with the structure of its parameter block.
type node struct {
	mlikernels.Lowered
	block *mlikernels.Struct
}

// blockForm is a calling form whose only argument points to a parameter block.
type blockForm interface{ Block() *mlikernels.Struct }

// lower lays all operators out. The error names those that only the host computes, or whose kernels are not
// all in one library.
func (c *compiler) lower() error {
	list, err := mlikernels.Lower(c.graph, false)
	if err != nil {
		return err
	}
	var refused []error
	for i, l := range list {
		form, ok := l.Kernel.ABI.(blockForm)
		if c.library == nil {
			c.library = l.Kernel.Of
		}
		switch name := c.graph.Nodes[i].Op.Name; {
		case !ok:
			refused = append(refused, fmt.Errorf("operator %d %s: %s takes no parameter block", i, name, l.Kernel.Symbol))
		case l.Kernel.Of != c.library:
			refused = append(refused, fmt.Errorf("operator %d %s: %s is in another library than the kernels before", i, name, l.Kernel.Symbol))
		default:
			c.nodes = append(c.nodes, node{Lowered: l, block: form.Block()})
		}
	}
	return errors.Join(refused...)
}
