package mlikernels

import (
	"context"
	"fmt"

	"arcv2dsp/nn"
)

// Network is a quantized network in the memories of a simulated core. Its graph comes from tflite.Read, tosa.Read or a
// program; kernels of this package compute its operators. It keeps the state of the network from run to run, and serves
// one goroutine. Place, nn.NewSession and Placed.Executions are the parts that it is made of.
type Network struct {
	graph   *nn.Graph
	placed  *Placed
	session *nn.Session
}

// Layer is the cost of an operator of a network in one run.
type Layer struct {
	Operator string // its name, such as CONV_2D
	Kernel   string // the name of the kernel that computed it; empty where the host did, which costs the core nothing
	Insts    uint64
	Cycles   uint64            // those of copies among them
	Copied   uint64            // cycles in which the core copied constants to fast memory, or waited for them
	Stalls   map[string]uint64 // lost cycles by reason
}

// NewNetwork places a checked graph in the memories of a core.
func NewNetwork(g *nn.Graph, o PlacedOptions) (*Network, error) {
	p, err := Place(g, o)
	if err != nil {
		return nil, err
	}
	return &Network{graph: g, placed: p, session: nn.NewSession(g, p)}, nil
}

// Run computes the outputs of the network for its inputs, and the cost of each operator in the order in which they ran.
func (n *Network) Run(ctx context.Context, inputs ...*nn.Tensor) ([]*nn.Tensor, []Layer, error) {
	if len(inputs) != len(n.graph.Inputs) {
		return nil, nil, fmt.Errorf("the network has %d inputs, not %d", len(n.graph.Inputs), len(inputs))
	}
	n.placed.Executions() // what a run that failed left
	outputs, err := n.session.Run(ctx, inputs)
	if err != nil {
		return nil, nil, err
	}
	layers := make([]Layer, len(n.graph.Nodes))
	for i := range layers {
		layers[i].Operator = n.graph.Nodes[i].Op.Name
	}
	for _, e := range n.placed.Executions() {
		layers[e.Node].add(e)
	}
	return outputs, layers, nil
}

// add counts a call that ran for the layer.
func (l *Layer) add(e Execution) {
	if e.Kernel == nil {
		return
	}
	switch {
	case e.Copies:
		l.Copied += e.Report.Cycles
	case l.Kernel == "":
		l.Kernel = e.Kernel.Name()
	}
	l.Insts += e.Report.Insts
	l.Cycles += e.Report.Cycles
	if l.Stalls == nil {
		l.Stalls = map[string]uint64{}
	}
	for reason, cycles := range e.Report.Stalls {
		l.Stalls[reason] += cycles
	}
}

// Memories lists the memories of the core with what the network takes of each.
func (n *Network) Memories() []Filled { return n.placed.Memories }

// Reset returns the state of the network to its beginning.
func (n *Network) Reset() { n.session.Reset() }

// Close releases the core.
func (n *Network) Close() error { return n.placed.Close() }
