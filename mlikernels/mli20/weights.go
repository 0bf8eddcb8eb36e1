package mli20

import (
	"fmt"

	"arcv2dsp/mlikernels/kernel"
	"arcv2dsp/mlikernels/mli20/structs"
	"arcv2dsp/nn"
	golden "arcv2dsp/nn/golden/mli20"
)

// Arguments of functions with weights.
var (
	weightsArg = argument{kind: argIn, role: "w", memory: kernel.Weights, name: "weights"}
	biasArg    = argument{kind: argIn, role: "b", memory: kernel.Weights, name: "bias"}
	weighted   = []argument{in, weightsArg, biasArg, cfg, out}

	prevOut    = argument{kind: argIn, role: "prev_out", memory: kernel.Data}
	weightsIn  = argument{kind: argIn, role: "w_in", memory: kernel.Weights, name: "weights_in"}
	weightsOut = argument{kind: argIn, role: "w_out", memory: kernel.Weights, name: "weights_out"}
	tanhArg    = argument{kind: argTable, role: "tanh_lut", table: "tanh"}
	sigmArg    = argument{kind: argTable, role: "sigm_lut", table: "sigm"}
)

var convConfiguration = &configuration{Struct: structs.Conv, attrs: map[string]string{"relu": "relu.type",
	"stride_w": "stride_width", "stride_h": "stride_height", "pad_l": "padding_left", "pad_r": "padding_right",
	"pad_t": "padding_top", "pad_b": "padding_bottom", "dil_w": "dilation_width", "dil_h": "dilation_height"}}

// kernelSizes are specialised names for sizes of a window.
func kernelSizes(macro string, sizes ...int) []special {
	var all []special
	for _, n := range sizes {
		all = append(all, special{suffix: fmt.Sprintf("_k%[1]dx%[1]d", n), macro: fmt.Sprintf("%s\t%d", macro, n)})
	}
	return all
}

// convolution is a row for a convolution of one kind.
func convolution(family, title, transposed, grouped, depthwise string, names []special) row {
	return row{family: family, args: weighted, config: convConfiguration, special: names, grid: convPoints, work: windowWork,
		source: source{title: title, equ: []string{"TRANSPOSED," + transposed, "GROUPED," + grouped, "DEPTHWISE," + depthwise}, body: "conv.inc"}}
}

// weightedRows are the functions that sum products with weights.
func weightedRows() []row {
	return []row{
		convolution("conv2d_hwcn", "Convolution", "0", "0", "0", kernelSizes("WINDOW_IS", 1, 3, 5)),
		convolution("depthwise_conv2d_hwcn", "Depthwise convolution", "0", "0", "1", kernelSizes("WINDOW_IS", 3, 5)),
		convolution("group_conv2d_hwcn", "Convolution in groups", "0", "1", "0", kernelSizes("WINDOW_IS", 3, 5)),
		convolution("transpose_conv2d_hwcn", "Transposed convolution", "1", "0", "0",
			[]special{{suffix: "_k2x2_str2", macro: "WINDOW_STEPS\t2,2"}, {suffix: "_k4x4_str2", macro: "WINDOW_STEPS\t4,2"}}),
		{family: "fully_connected", args: weighted, grid: densePoints, work: weightsWork, whole: []string{"in"},
			config: &configuration{Struct: structs.FullyConnected, attrs: map[string]string{"relu": "relu.type"}},
			source: source{title: "Fully connected layer", body: "fully_connected.inc", symbols: func(f *golden.Function) []string {
				if f.Name == "mli_krn_fully_connected_sa8_sa8_sa32_ext_bias" {
					return []string{"EXT_BIAS,1"}
				}
				return []string{"EXT_BIAS,0"}
			}}},
		{family: "rnn_dense", args: []argument{{kind: argTensors, role: "in", memory: kernel.Data}, {kind: argTensors, role: "w", memory: kernel.Weights, name: "weights"},
			biasArg, cfg, out}, grid: severalPoints, work: weightsWork,
			config: &configuration{Struct: structs.Dense, attrs: map[string]string{"inputs": "inputs_num"}},
			source: source{title: "Dense layer of several inputs", body: "rnn_dense.inc"}},
		{family: "lstm_cell", args: []argument{in, prevOut, weightsIn, weightsOut, biasArg, tanhArg, sigmArg, cfg, {kind: argState, role: "cell"}, out},
			config: cellConfiguration(4), grid: cellPoints(4), work: weightsWork, rewrites: true, whole: []string{"in", "b", "out"},
			source: source{title: "LSTM cell", equ: []string{"GATES,4"}, body: "cell.inc"}},
		{family: "gru_cell", args: []argument{in, prevOut, weightsIn, weightsOut, biasArg, tanhArg, sigmArg, cfg, out},
			config: cellConfiguration(3), grid: cellPoints(3), work: weightsWork, rewrites: true, whole: []string{"in", "b", "out"},
			source: source{title: "GRU cell", equ: []string{"GATES,3"}, body: "cell.inc"}},
	}
}

// cellConfiguration describes the configuration of a recurrent cell, with memory for the results of its gates.
func cellConfiguration(gates int) *configuration {
	return &configuration{Struct: structs.Cell, attrs: map[string]string{"direction": "direction", "results": "results", "act": "act"},
		scratch: "scratch_data", room: func(f *golden.Function, c *nn.Call) int {
			return gates * c.Input("prev_out").Len() * f.Data.Bits() / 8
		}}
}

// windowWork counts products at every position of the window, padding included.
func windowWork(c *nn.Call) uint64 {
	w := c.Input("w")
	return uint64(c.Out[0].Len() * w.Shape[0] * w.Shape[1] * w.Shape[2])
}

// weightsWork counts every weight once for each step.
func weightsWork(c *nn.Call) uint64 {
	n, steps := 0, 1
	for i, p := range c.Op.Inputs {
		if p.Weights && p.Role[0] == 'w' && c.In[i] != nil {
			n += c.In[i].Len()
		}
	}
	if c.Input("prev_out") != nil {
		steps = c.Input("in").Shape[0]
	}
	return uint64(n * steps)
}
