package golden

import "fmt"

// MLI11 is the library name of embARC MLI 1.1 in cases.
const MLI11 = "1.1"

// typing is one combination of element types, with the suffix MLI gives it.
type typing struct {
	suffix              string
	data, weights, bias Type
	acc                 int
}

// MLI 1.1 accumulates 8-bit operands in 32 bits, 16-bit operands in 40 bits, and 16-bit data with
// 8-bit weights in 32 bits as well.
var (
	typeFX8     = typing{suffix: "fx8", data: FX8, weights: FX8, bias: FX8, acc: 32}
	typeFX16    = typing{suffix: "fx16", data: FX16, weights: FX16, bias: FX16, acc: 40}
	typeFX8W16D = typing{suffix: "fx8w16d", data: FX16, weights: FX8, bias: FX8, acc: 32}
	typeSA8     = typing{suffix: "sa8", data: SA8, weights: SA8, bias: SA32, acc: 32}
	typeSA8SA32 = typing{suffix: "sa8_sa8_sa32", data: SA8, weights: SA8, bias: SA32, acc: 32}
)

// operator is a family with the types it exists in and what computes it. newExact and newFloat get
// the types so that one function serves all of them.
type operator struct {
	family  string
	types   []typing
	inputs  []string
	outputs []string
	exact   func(typing) func(*Case, Rounding) (Result, error)
	float   func(*Case) (map[string][]float64, error)
}

func mli11() []Kernel {
	fx := []typing{typeFX8, typeFX16}
	fxMAC := []typing{typeFX8, typeFX16, typeFX8W16D}
	sa := []typing{typeSA8SA32}
	in, out := []string{"in"}, []string{"out"}
	weighted := []string{"in", "w", "b"}
	pair := []string{"in1", "in2"}

	ops := []operator{
		{family: "conv2d_chw", types: fxMAC, inputs: weighted, outputs: out,
			exact: convFX(chw), float: convFloat(chw)},
		{family: "conv2d_hwc", types: fxMAC, inputs: weighted, outputs: out,
			exact: convFX(hwc), float: convFloat(hwc)},
		{family: "conv2d_nhwc", types: sa, inputs: weighted, outputs: out,
			exact: convSA8(hwc), float: convFloat(hwc)},
		{family: "depthwise_conv2d_chw", types: fxMAC, inputs: weighted, outputs: out,
			exact: convFX(depthwiseCHW), float: convFloat(depthwiseCHW)},
		{family: "depthwise_conv2d_hwcn", types: sa, inputs: weighted, outputs: out,
			exact: convSA8(depthwiseHWCN), float: convFloat(depthwiseHWCN)},
		{family: "fully_connected", types: append(sa, fxMAC...), inputs: weighted, outputs: out,
			exact: fullyConnected, float: fullyConnectedFloat},
		{family: "maxpool_chw", types: fx, inputs: in, outputs: out,
			exact: pool(chw, maxOf), float: poolFloat(chw, maxOf)},
		{family: "maxpool_hwc", types: append(fx, typeSA8), inputs: in, outputs: out,
			exact: pool(hwc, maxOf), float: poolFloat(hwc, maxOf)},
		{family: "avepool_chw", types: fx, inputs: in, outputs: out,
			exact: pool(chw, meanOf), float: poolFloat(chw, meanOf)},
		{family: "avepool_hwc", types: append(fx, typeSA8), inputs: in, outputs: out,
			exact: pool(hwc, meanOf), float: poolFloat(hwc, meanOf)},
		{family: "basic_rnn_cell", types: fxMAC, inputs: []string{"in", "prev_out", "w", "b"},
			outputs: out, exact: basicRNN, float: basicRNNFloat},
		{family: "lstm_cell", types: fxMAC,
			inputs:  []string{"in", "prev_out", "w", "b", "cell_in"},
			outputs: []string{"out", "cell_out"}, exact: lstm, float: lstmFloat},
		{family: "relu", types: fx, inputs: in, outputs: out, exact: relu, float: reluFloat},
		{family: "leaky_relu", types: fx, inputs: []string{"in", "slope"}, outputs: out,
			exact: leakyReLU, float: leakyReLUFloat},
		{family: "sigm", types: fx, inputs: in, outputs: out,
			exact: tableActivation(sigmTable), float: elementFloat(sigmoid)},
		{family: "tanh", types: fx, inputs: in, outputs: out,
			exact: tableActivation(tanhTable), float: elementFloat(tanh)},
		{family: "softmax", types: fx, inputs: in, outputs: out, exact: softmax, float: softmaxFloat},
		{family: "concat", types: fx, outputs: out, exact: concat, float: moveFloat(concat)},
		{family: "permute", types: fx, inputs: in, outputs: out,
			exact: permute, float: moveFloat(permute)},
		{family: "padding2d_chw", types: fx, inputs: in, outputs: out,
			exact: padding2D(chw), float: moveFloat(padding2D(chw))},
		{family: "padding2d_hwc", types: fx, inputs: in, outputs: out,
			exact: padding2D(hwc), float: moveFloat(padding2D(hwc))},
	}
	for _, op := range elementwiseOps {
		ops = append(ops, operator{family: "eltwise_" + op.name, types: fx, inputs: pair,
			outputs: out, exact: elementwise(op), float: elementwiseFloat(op)})
	}

	var all []Kernel
	for _, op := range ops {
		for _, t := range op.types {
			all = append(all, Kernel{
				Lib: MLI11, Name: fmt.Sprintf("mli_krn_%s_%s", op.family, t.suffix),
				Family: op.family, Data: t.data, Weights: t.weights, Bias: t.bias, AccBits: t.acc,
				Inputs: op.inputs, Outputs: op.outputs, Exact: op.exact(t), Float: op.float,
			})
		}
	}
	return all
}
