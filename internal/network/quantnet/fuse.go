package quantnet

import (
	"maps"
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// fusedAttr is the attribute of a fused activation function.
const fusedAttr = "fused_activation_function"

// Fuse makes one layer of a layer with weights, or an operation on two tensors, and the rectifier behind it, so that the range of its sums is
// cut before it is quantized. The results of the network stay.
func Fuse(g *nn.Graph) *nn.Graph {
	uses := useCounts(g)
	fused := *g
	fused.Nodes = nil
	maker := map[int]int{} // of a value: its node in the new network
	for _, n := range g.Nodes {
		if len(n.In) == 0 || len(n.Out) == 0 {
			fused.Nodes = append(fused.Nodes, n)
			continue
		}
		if last, ok := maker[n.In[0]]; ok && uses[n.In[0]] == 1 && rectifier(n.Op.Name) {
			if m := &fused.Nodes[last]; clamps(m.Op) && m.Attrs.String(fusedAttr) == "NONE" {
				m.Attrs = maps.Clone(m.Attrs)
				m.Attrs[fusedAttr] = n.Op.Name
				m.Out = slices.Clone(n.Out)
				maker[n.Out[0]] = last
				continue
			}
		}
		fused.Nodes = append(fused.Nodes, n)
		maker[n.Out[0]] = len(fused.Nodes) - 1
	}
	return &fused
}

// rectifier reports whether an operator can be a fused activation function of the same name.
func rectifier(op string) bool { return op == golden.Relu || op == golden.Relu6 }

// clamps reports whether an operator takes a rectifier into itself.
func clamps(op *nn.Operator) bool {
	return filtered(op) || op.Name == golden.Add || op.Name == golden.Sub || op.Name == golden.Mul
}

// filtered reports whether an operator is a layer with weights and biases behind its input.
func filtered(op *nn.Operator) bool { return len(op.Inputs) == 3 && op.Inputs[1].Role == "weights" }
