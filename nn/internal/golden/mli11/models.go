package mli11

import (
	"slices"

	"arcv2dsp/nn"
)

// MLI 1.1 accumulates 8-bit operands in 32 bits, 16-bit operands in 40 bits, and 16-bit data with
// 8-bit weights in 32 bits as well.
var (
	typeFX8     = Typing{Suffix: "fx8", Data: FX8, Weights: FX8, Bias: FX8, AccBits: 32}
	typeFX16    = Typing{Suffix: "fx16", Data: FX16, Weights: FX16, Bias: FX16, AccBits: 40}
	typeFX8W16D = Typing{Suffix: "fx8w16d", Data: FX16, Weights: FX8, Bias: FX8, AccBits: 32}
	typeSA8     = Typing{Suffix: "sa8", Data: SA8, Weights: SA8, Bias: SA32, AccBits: 32}
	typeSA8SA32 = Typing{Suffix: "sa8_sa8_sa32", Data: SA8, Weights: SA8, Bias: SA32, AccBits: 32}
)

// family is an operator with the types it exists in and the model that computes it.
type family struct {
	name   string
	doc    string
	types  []Typing
	inputs []nn.Port
	attrs  []nn.AttrSpec
	model  model
}

// Ports of the operators.
var (
	portIn  = nn.Port{Role: "in"}
	portIn1 = nn.Port{Role: "in1"}
	portIn2 = nn.Port{Role: "in2"}
	portW   = nn.Port{Role: "w", Weights: true}
	portB   = nn.Port{Role: "b", Weights: true}

	single   = []nn.Port{portIn}
	weighted = []nn.Port{portIn, portW, portB}
	pair     = []nn.Port{portIn1, portIn2}
)

// integers describes attributes that are numbers, 0 when absent.
func integers(doc string, names ...string) []nn.AttrSpec {
	var all []nn.AttrSpec
	for _, name := range names {
		all = append(all, nn.AttrSpec{Name: name, Default: 0, Doc: doc})
	}
	return all
}

// families lists the operators of the library.
func families() []family {
	fx := []Typing{typeFX8, typeFX16}
	fxMAC := []Typing{typeFX8, typeFX16, typeFX8W16D}
	sa := []Typing{typeSA8SA32}
	state := nn.Port{Role: "prev_out"}

	strides := integers("elements between neighbouring windows", "stride_w", "stride_h")
	padding := integers("elements of padding", "pad_l", "pad_r", "pad_t", "pad_b")
	rectifier := integers("rectifier: 0 none, 1 ReLU, 2 to [-1, 1], 3 ReLU6", "relu")
	conv := slices.Concat(strides, padding, rectifier)
	window := slices.Concat(integers("extent of the window", "kernel_w", "kernel_h"), strides, padding)
	recurrent := slices.Concat(integers("0 one step, 1 all outputs of a sequence, 2 the last one", "mode"),
		integers("activation: 0 none, 1 tanh, 2 sigmoid", "act"))

	all := []family{
		{name: "conv2d_chw", doc: "convolution, channels first", types: fxMAC, inputs: weighted, attrs: conv,
			model: convolve(chw)},
		{name: "conv2d_hwc", doc: "convolution, channels last", types: fxMAC, inputs: weighted, attrs: conv,
			model: convolve(hwc)},
		{name: "conv2d_nhwc", doc: "convolution of affine data, channels last", types: sa, inputs: weighted,
			attrs: conv, model: convolve(hwc)},
		{name: "depthwise_conv2d_chw", doc: "convolution of each channel, channels first", types: fxMAC,
			inputs: weighted, attrs: conv, model: convolve(depthwiseCHW)},
		{name: "depthwise_conv2d_hwcn", doc: "convolution of each channel of affine data, channels last", types: sa,
			inputs: weighted, attrs: conv, model: convolve(depthwiseHWCN)},
		{name: "fully_connected", doc: "every output sums over all inputs", types: append(sa, fxMAC...),
			inputs: weighted, model: fullyConnected()},
		{name: "maxpool_chw", doc: "maximum under a window, channels first", types: fx, inputs: single, attrs: window,
			model: pool(chw, maxOf)},
		{name: "maxpool_hwc", doc: "maximum under a window, channels last", types: append(fx, typeSA8), inputs: single,
			attrs: window, model: pool(hwc, maxOf)},
		{name: "avepool_chw", doc: "mean under a window, channels first", types: fx, inputs: single, attrs: window,
			model: pool(chw, meanOf)},
		{name: "avepool_hwc", doc: "mean under a window, channels last", types: append(fx, typeSA8), inputs: single,
			attrs: window, model: pool(hwc, meanOf)},
		{name: "basic_rnn_cell", doc: "recurrent cell", types: fxMAC, inputs: []nn.Port{portIn, state, portW, portB},
			attrs: recurrent, model: basicRNN()},
		{name: "lstm_cell", doc: "long short-term memory cell", types: fxMAC,
			inputs: []nn.Port{portIn, state, portW, portB, {Role: "cell", State: true}},
			attrs:  recurrent, model: lstm()},
		{name: "relu", doc: "rectifier", types: fx, inputs: single, attrs: rectifier, model: relu()},
		{name: "leaky_relu", doc: "rectifier with a slope", types: fx,
			inputs: []nn.Port{portIn, {Role: "slope", Weights: true}}, model: leakyReLU()},
		{name: "sigm", doc: "sigmoid", types: fx, inputs: single, model: tableActivation(sigmTable)},
		{name: "tanh", doc: "hyperbolic tangent", types: fx, inputs: single, model: tableActivation(tanhTable)},
		{name: "softmax", doc: "normalised exponentials of the whole tensor", types: fx, inputs: single,
			model: softmax()},
		{name: "concat", doc: "tensors joined along an axis", types: fx,
			inputs: []nn.Port{{Role: "in", Variadic: true}}, attrs: integers("dimension to join along", "axis"),
			model: concat()},
		{name: "permute", doc: "axes in another order", types: fx, inputs: single,
			attrs: []nn.AttrSpec{{Name: "perm", Default: []int{}, Required: true, Doc: "axes of the input in the order of the output"}},
			model: permute()},
		{name: "padding2d_chw", doc: "zeros around each channel, channels first", types: fx, inputs: single,
			attrs: padding, model: padding2D(chw)},
		{name: "padding2d_hwc", doc: "zeros around each channel, channels last", types: fx, inputs: single,
			attrs: padding, model: padding2D(hwc)},
	}
	for _, op := range elementwiseOps {
		all = append(all, family{name: "eltwise_" + op.name, doc: op.doc, types: fx, inputs: pair,
			model: elementwise(op)})
	}
	return all
}
