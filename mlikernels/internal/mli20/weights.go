package mli20

import (
	"fmt"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/mlikernels/internal/mli"
	"arcv2dsp/mlikernels/internal/mli20/structs"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// Arguments of functions with weights.
var (
	weightsIn  = mli.Argument{Kind: mli.In, Role: "w_in", Memory: kernel.Weights, Name: "weights_in"}
	weightsOut = mli.Argument{Kind: mli.In, Role: "w_out", Memory: kernel.Weights, Name: "weights_out"}
	tanhArg    = mli.Argument{Kind: mli.Table, Role: "tanh_lut", Table: "tanh"}
	sigmArg    = mli.Argument{Kind: mli.Table, Role: "sigm_lut", Table: "sigm"}
)

var (
	convConfiguration = &mli.Configuration{Struct: structs.Conv, Attrs: mli.Sliding(map[string]string{"relu": "relu.type",
		"dil_w": "dilation_width", "dil_h": "dilation_height"})}
	cellConfiguration = &mli.Configuration{Struct: structs.Cell, Scratch: "scratch_data",
		Attrs: map[string]string{"direction": "direction", "results": "results", "act": "act"}}
)

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
	return row{family: family, args: mli.Weighted(), config: convConfiguration, special: names, grid: convPoints, products: windowWork,
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
		{family: "fully_connected", args: mli.Weighted(), grid: densePoints, products: weightsWork, whole: []string{"in"},
			config: &mli.Configuration{Struct: structs.FullyConnected, Attrs: map[string]string{"relu": "relu.type"}},
			source: source{title: "Fully connected layer", body: "fully_connected.inc", symbols: func(f *golden.MLI20Function) []string {
				if f.Name == "mli_krn_fully_connected_sa8_sa8_sa32_ext_bias" {
					return []string{"EXT_BIAS,1"}
				}
				return []string{"EXT_BIAS,0"}
			}}},
		{family: "rnn_dense", args: []mli.Argument{{Kind: mli.Tensors, Role: "in", Memory: kernel.Data}, {Kind: mli.Tensors, Role: "w", Memory: kernel.Weights, Name: "weights"},
			mli.Bias, mli.Cfg, mli.Output}, grid: severalPoints, products: weightsWork,
			config: &mli.Configuration{Struct: structs.Dense, Attrs: map[string]string{"inputs": "inputs_num"}},
			source: source{title: "Dense layer of several inputs", body: "rnn_dense.inc"}},
		{family: "lstm_cell", args: []mli.Argument{mli.Input, mli.PrevOut, weightsIn, weightsOut, mli.Bias, tanhArg, sigmArg, mli.Cfg, {Kind: mli.State, Role: "cell"}, mli.Output},
			config: cellConfiguration, gates: 4, grid: cellPoints(4), products: weightsWork, rewrites: true, whole: []string{"in", "b", "out"},
			source: source{title: "LSTM cell", equ: []string{"GATES,4"}, body: "cell.inc"}},
		{family: "gru_cell", args: []mli.Argument{mli.Input, mli.PrevOut, weightsIn, weightsOut, mli.Bias, tanhArg, sigmArg, mli.Cfg, mli.Output},
			config: cellConfiguration, gates: 3, grid: cellPoints(3), products: weightsWork, rewrites: true, whole: []string{"in", "b", "out"},
			source: source{title: "GRU cell", equ: []string{"GATES,3"}, body: "cell.inc"}},
	}
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
