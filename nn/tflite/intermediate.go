package tflite

import "arcv2dsp/nn"

// intermediate is a tensor of no elements that an operator of integers has for its formats. TensorFlow Lite's recurrent layer wants
// five: those of the gates count only with normalization, the last one has the format of the hidden state.
type intermediate struct {
	node   int
	name   string
	typ    nn.Type
	format nn.Format
}

// gateIntermediates are the names of those without a format.
var gateIntermediates = []string{"input_to_input_intermediate", "input_to_forget_intermediate", "input_to_cell_intermediate", "input_to_output_intermediate"}

// addIntermediates lists those of a node, if it has any.
func (w *writer) addIntermediates(node int) {
	n := &w.graph.Nodes[node]
	if n.Op.Name != "UNIDIRECTIONAL_SEQUENCE_LSTM" || w.graph.Values[n.In[0]].Tensor.Type.Float() {
		return
	}
	for _, name := range gateIntermediates {
		w.inner = append(w.inner, intermediate{node: node, name: name, typ: nn.F32})
	}
	out := w.graph.Values[n.Out[0]].Tensor
	w.inner = append(w.inner, intermediate{node: node, name: "effective_hidden_scale_intermediate", typ: out.Type, format: out.Format})
}

// intermediatesOf numbers those of a node as the file does.
func (w *writer) intermediatesOf(node int) (list []int) {
	for i, x := range w.inner {
		if x.node == node {
			list = append(list, len(w.values)+i)
		}
	}
	return list
}

// intermediate writes one.
func (w *writer) intermediate(x intermediate) int {
	code, _ := codeOf(x.typ) // collect has seen the output, and floats have one
	fields := []field{
		{slot: tensorShape, child: w.ints([]int{0})},
		{slot: tensorName, child: w.string(x.name)},
		byteField(tensorType, byte(code)),
	}
	if x.format.Kind == nn.Scaled {
		fields = append(fields, field{slot: tensorQuantization, child: func() int { return w.quantization(x.format) }})
	}
	return w.table(fields...)
}
