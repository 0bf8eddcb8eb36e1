package mli20

import (
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/mli"
)

// The combinations of types. 8-bit operands are accumulated in 32 bits, two of 16 bits in 40 bits, and 16-bit
// data with 8-bit weights in 32 bits.
var (
	typeFX8     = Typing{Suffix: "fx8", Data: mli.FX8, Weights: mli.FX8, Bias: mli.FX8, AccBits: 32}
	typeFX16    = Typing{Suffix: "fx16", Data: mli.FX16, Weights: mli.FX16, Bias: mli.FX16, AccBits: 40}
	typeFX16FX8 = Typing{Suffix: "fx16_fx8_fx8", Data: mli.FX16, Weights: mli.FX8, Bias: mli.FX8, AccBits: 32}
	typeSA8     = Typing{Suffix: "sa8", Data: mli.SA8, Weights: mli.SA8, Bias: mli.SA32, AccBits: 32}
	typeSA8SA32 = Typing{Suffix: "sa8_sa8_sa32", Data: mli.SA8, Weights: mli.SA8, Bias: mli.SA32, AccBits: 32}
	typeAny     = Typing{}
)

// family is an operator with the types it exists in and the model that computes it.
type family struct {
	name   string
	doc    string
	types  []Typing
	inputs []nn.Port
	attrs  []nn.AttrSpec
	model  model
	// variant comes behind the types in the name of the function.
	variant string
	// anyType: the function takes tensors of all types; its name is the symbol.
	anyType bool
}

// symbol is the name of the function for a combination of types.
func (f family) symbol(t Typing) string {
	if f.anyType {
		return f.name
	}
	return "mli_krn_" + f.name + "_" + t.Suffix + f.variant
}

// Ports of the operators.
var (
	portIn   = nn.Port{Role: "in"}
	portW    = nn.Port{Role: "w", Weights: true}
	portB    = nn.Port{Role: "b", Weights: true}
	portLUT  = nn.Port{Role: "lut", Weights: true, Optional: true}
	portTanh = nn.Port{Role: "tanh_lut", Weights: true, Optional: true}
	portSigm = nn.Port{Role: "sigm_lut", Weights: true, Optional: true}

	plain    = []nn.Port{portIn}
	weighted = []nn.Port{portIn, portW, portB}
	pair     = []nn.Port{{Role: "in1"}, {Role: "in2"}}
	looked   = []nn.Port{portIn, portLUT}
	sloped   = []nn.Port{portIn, {Role: "slope", Weights: true}}
	cells    = []nn.Port{portIn, {Role: "prev_out"}, {Role: "w_in", Weights: true}, {Role: "w_out", Weights: true}, portB}
	several  = []nn.Port{{Role: "in0"}, {Role: "w0", Weights: true}, portB, {Role: "in1", Optional: true}, {Role: "w1", Weights: true, Optional: true},
		{Role: "in2", Optional: true}, {Role: "w2", Weights: true, Optional: true}, {Role: "in3", Optional: true}, {Role: "w3", Weights: true, Optional: true}}
)

// integers describes attributes that are numbers.
func integers(doc string, value int, names ...string) []nn.AttrSpec {
	var all []nn.AttrSpec
	for _, name := range names {
		all = append(all, nn.AttrSpec{Name: name, Default: value, Doc: doc})
	}
	return all
}

// families lists the operators of the library.
func families() []family {
	all3 := []Typing{typeFX8, typeFX16, typeSA8}
	mac := []Typing{typeFX16, typeFX16FX8, typeSA8SA32}
	wide := []Typing{typeFX16, typeSA8}

	strides := integers("elements between neighbouring windows", 1, "stride_w", "stride_h")
	padding := integers("elements of padding; right and bottom only bound the output", 0, "pad_l", "pad_r", "pad_t", "pad_b")
	dilation := integers("elements from tap to tap", 1, "dil_w", "dil_h")
	rectifier := integers("rectifier: 0 none, 1 ReLU, 2 to [-1, 1], 3 ReLU6", 0, "relu")
	full := []nn.AttrSpec{{Name: "full_accumulator", Default: false, Doc: "affine sums keep all bits, as in builds with FULL_ACCU"}}
	convs := slices.Concat(strides, padding, dilation, rectifier, full)
	groups := slices.Concat(convs, integers("groups, as a note: the weights say how many there are", 0, "groups"))
	window := slices.Concat(integers("extent of the window", 1, "kernel_w", "kernel_h"), strides, padding)
	axis := integers("dimension of lines or slices, -1 for the whole tensor", -1, "axis")
	tables := func(roles ...string) []nn.AttrSpec {
		var all []nn.AttrSpec
		for _, role := range roles {
			all = slices.Concat(all, integers("of a table that comes with the call: fractional bits of its positions", 0, role+"_in_frac"),
				integers("of a table that comes with the call: index of position 0", 0, role+"_offset"))
		}
		return all
	}
	lut := tables("lut")
	recurrent := slices.Concat(tables("tanh_lut", "sigm_lut"), integers("0 forward, 1 backward", 0, "direction"), integers("0 the last output, 1 all", 0, "results"),
		integers("activation of the output: 0 none, 1 tanh, 2 sigmoid", 1, "act"))
	dense := slices.Concat(rectifier, full)

	all := []family{
		{name: "conv2d_hwcn", doc: "convolution", types: mac, inputs: weighted, attrs: convs, model: conv(fullFilter)},
		{name: "depthwise_conv2d_hwcn", doc: "convolution of each channel", types: mac, inputs: weighted, attrs: convs, model: conv(channelFilter)},
		{name: "group_conv2d_hwcn", doc: "convolution of groups of channels", types: mac, inputs: weighted, attrs: groups, model: conv(groupFilter)},
		{name: "transpose_conv2d_hwcn", doc: "transposed convolution", types: mac, inputs: weighted, attrs: convs, model: transposeConv()},
		{name: "fully_connected", doc: "every output sums over all inputs", types: []Typing{typeFX8, typeFX16, typeFX16FX8, typeSA8SA32},
			inputs: weighted, attrs: dense, model: fullyConnected(false)},
		{name: "fully_connected", variant: "_ext_bias", doc: "the same, the zero point of the input is in the biases", types: []Typing{typeSA8SA32},
			inputs: weighted, attrs: dense, model: fullyConnected(true)},
		{name: "rnn_dense", doc: "sum of fully connected layers over one to four inputs, each rounded", types: mac, inputs: several,
			attrs: integers("number of inputs", 1, "inputs"), model: rnnDense()},
		{name: "lstm_cell", doc: "long short-term memory cell", types: mac,
			inputs: append(cells[:len(cells):len(cells)], nn.Port{Role: "cell", State: true}, portTanh, portSigm), attrs: recurrent, model: lstm()},
		{name: "gru_cell", doc: "gated recurrent unit", types: mac, inputs: append(cells[:len(cells):len(cells)], portTanh, portSigm),
			attrs: recurrent, model: gru()},
		{name: "maxpool_hwc", doc: "maximum under a window", types: all3, inputs: plain, attrs: window, model: maxPool()},
		{name: "avepool_hwc", doc: "mean under a window", types: all3, inputs: plain, attrs: window, model: meanPool()},
		{name: "relu", doc: "rectifier", types: all3, inputs: plain, attrs: rectifier, model: relu()},
		{name: "leaky_relu", doc: "rectifier with a slope", types: all3, inputs: sloped, model: rectified(false)},
		{name: "prelu", doc: "rectifier with slopes along an axis", types: all3, inputs: sloped, attrs: axis, model: rectified(true)},
		{name: "sigm", doc: "sigmoid", types: all3, inputs: looked, attrs: lut, model: tableActivation(sigmTable, sigmUnit)},
		{name: "tanh", doc: "hyperbolic tangent", types: all3, inputs: looked, attrs: lut, model: tableActivation(tanhTable, tanhUnit)},
		{name: "softmax", doc: "normalised exponentials of each line", types: all3, inputs: looked, attrs: slices.Concat(axis, lut), model: softmax()},
		{name: "l2_normalize", doc: "each line divided by its norm", types: wide,
			inputs: []nn.Port{portIn, portLUT, {Role: "epsilon", Optional: true}}, attrs: slices.Concat(axis, lut), model: l2Normalize()},
		{name: "argmax", doc: "places of the greatest elements of each slice", types: wide, inputs: plain,
			attrs: slices.Concat(axis, integers("how many", 1, "topk")), model: argmax()},
		{name: "permute", doc: "axes in another order", types: all3, inputs: plain,
			attrs: []nn.AttrSpec{{Name: "perm", Default: []int{}, Required: true, Doc: "axes of the input in the order of the output"}}, model: permute()},
		{name: "mli_hlp_convert_tensor", doc: "the values of a tensor in another format", types: []Typing{typeAny}, inputs: plain, model: convert(), anyType: true},
	}
	for _, op := range elementwiseOps {
		all = append(all, family{name: "eltwise_" + op.name, doc: op.doc, types: all3, inputs: pair, model: elementwise(op)})
	}
	return all
}
