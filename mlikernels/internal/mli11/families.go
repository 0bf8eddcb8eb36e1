package mli11

import (
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/mlikernels/internal/mli"
)

// family is a row of the library: how all functions of one operator are called, where their source is
// and which cases test them. The operator itself, with its types, is the golden model's.
type family struct {
	args   []mli.Argument
	config *mli.Configuration // what the configuration argument points to
	source source
	order  *order // where the sides of maps and weights are, nil for operators without a window
	// product says that an operator without weights multiplies its two inputs.
	product bool
	gates   int // rows of weights per output of a recurrent cell, else 0
	// own says that MLI has no such operator: nothing is recorded of it, the golden function and the grid suffice.
	own bool

	grid     func(*function) []point
	notation *notation
	formats  func(*generator) // chooses the formats of generated fixed-point calls
	// scaleAxis is the dimension of affine weights that scales run along, -1 when there is one scale.
	scaleAxis int
	// tableInput is the input format of reference calls, for operators with a table; else nil.
	tableInput *int
}

// source says what the sources of a family's functions are made of.
type source struct {
	title   string
	equ     []string // symbols the body looks at: "NAME,value"
	body    string   // include
	tables  []string // includes behind the code
	generic bool     // where MLI has specialised functions the general one has a second name
}

// order says where the sides of a feature map and of its weights are.
type order struct {
	channelsFirst bool
	depthwise     bool
	maps          func(h, w, c int) []int
	weights       func(o, c, kh, kw int) []int
}

var (
	chw = &order{channelsFirst: true,
		maps:    func(h, w, c int) []int { return []int{c, h, w} },
		weights: func(o, c, kh, kw int) []int { return []int{o, c, kh, kw} }}
	hwc = &order{
		maps:    func(h, w, c int) []int { return []int{h, w, c} },
		weights: func(o, c, kh, kw int) []int { return []int{o, kh, kw, c} }}
	depthwiseCHW = &order{channelsFirst: true, depthwise: true, maps: chw.maps,
		weights: func(_, c, kh, kw int) []int { return []int{c, 1, kh, kw} }}
	depthwiseHWCN = &order{depthwise: true, maps: hwc.maps,
		weights: func(o, _, kh, kw int) []int { return []int{1, kh, kw, o} }}
)

// Arguments of the functions.
var (
	windowed = []mli.Argument{mli.Input, mli.Cfg, mli.Output}
	plain    = []mli.Argument{mli.Input, mli.Output}
)

// convolution is a row for a convolution.
func convolution(o *order, scaleAxis int, s source) family {
	s.generic = true
	n := convNotation
	if o.depthwise {
		n = depthwiseNotation
	}
	return family{args: mli.Weighted(), config: convConfiguration, order: o, source: s, grid: convPoints, notation: n,
		formats: (*generator).macFormats, scaleAxis: scaleAxis}
}

// pooling is a row for a pooling operator.
func pooling(o *order, title, channelsFirst, poolMax string) family {
	return family{args: windowed, config: mli.Pool, order: o, grid: poolPoints, notation: poolNotation,
		source: source{title: title, equ: []string{"CHANNELS_FIRST," + channelsFirst, "POOL_MAX," + poolMax},
			body: "pool.inc", generic: true}}
}

// activation is a row for an operator that looks values up in a table.
func activation(title, table string) family {
	return family{args: plain, grid: flatPoints, notation: flatNotation, formats: (*generator).tableFormats,
		tableInput: &tableFrac, source: source{title: title, equ: []string{"TABLE,.Ltable_" + table},
			body: "activation.inc", tables: []string{"table_" + table + ".inc"}}}
}

// elementwise is a row for an operator on two tensors.
func elementwise(title, operator string) family {
	return family{args: mli.Pair(), grid: eltwisePoints, notation: flatNotation,
		source: source{title: title, equ: []string{"OPERATOR," + operator}, body: "eltwise.inc"}}
}

// families are the rows by operator.
func families() map[string]family {
	cellTables := []string{"table_sigm.inc", "table_tanh.inc"}
	product := elementwise("Product of two tensors", "2")
	product.formats, product.product = (*generator).productFormats, true
	slope := family{
		args: []mli.Argument{mli.Input, mli.Slope, mli.Output},
		grid: flatPoints, notation: flatNotation, formats: (*generator).slopeFormats, product: true,
		source: source{title: "Leaky rectifier", body: "leaky_relu.inc"},
	}
	return map[string]family{
		"conv2d_chw": convolution(chw, 0, source{title: "Convolution, CHW maps and O,I,Kh,Kw weights",
			equ: []string{"DEPTHWISE,0"}, body: "conv_chw.inc"}),
		"conv2d_hwc": convolution(hwc, 0, source{title: "Convolution, HWC maps and O,Kh,Kw,I weights",
			body: "conv2d_hwc.inc"}),
		"conv2d_nhwc": convolution(hwc, 0, source{title: "Convolution, HWC maps and O,Kh,Kw,I weights",
			body: "conv2d_nhwc.inc"}),
		"depthwise_conv2d_chw": convolution(depthwiseCHW, 0, source{
			title: "Depthwise convolution, CHW maps and C,1,Kh,Kw weights", equ: []string{"DEPTHWISE,1"}, body: "conv_chw.inc"}),
		"depthwise_conv2d_hwcn": convolution(depthwiseHWCN, 3, source{
			title: "Depthwise convolution, HWC maps and 1,Kh,Kw,C weights", body: "depthwise_conv2d_hwcn.inc"}),
		"fully_connected": {
			args: []mli.Argument{mli.Input, mli.Weights, mli.Bias, mli.Output}, grid: densePoints, notation: denseNotation,
			formats: (*generator).macFormats, scaleAxis: -1,
			source: source{title: "Fully connected layer", body: "fully_connected.inc"},
		},
		"avepool_chw": pooling(chw, "Mean pooling, CHW maps", "1", "0"),
		"avepool_hwc": pooling(hwc, "Mean pooling, HWC maps", "0", "0"),
		"maxpool_chw": pooling(chw, "Maximum pooling, CHW maps", "1", "1"),
		"maxpool_hwc": pooling(hwc, "Maximum pooling, HWC maps", "0", "1"),
		"basic_rnn_cell": {
			args: []mli.Argument{mli.Input, mli.PrevOut, mli.Weights, mli.Bias, mli.Cfg, mli.Output}, config: rnnConfiguration, gates: 1,
			grid: cellPoints, notation: cellNotation, formats: (*generator).macFormats,
			source: source{title: "Basic recurrent cell", equ: []string{"GATES,1"}, body: "rnn.inc", tables: cellTables},
		},
		"lstm_cell": {
			args:   []mli.Argument{mli.Input, mli.PrevOut, mli.Weights, mli.Bias, mli.Cfg, {Kind: mli.State, Role: "cell"}, mli.Output},
			config: rnnConfiguration, gates: 4, grid: cellPoints, notation: cellNotation, formats: (*generator).cellFormats,
			source: source{title: "LSTM cell", equ: []string{"GATES,4"}, body: "rnn.inc", tables: cellTables},
		},
		"relu": {args: windowed, config: mli.ReLU, grid: reluPoints, notation: flatNotation,
			source: source{title: "Rectifiers", body: "relu.inc"}},
		"leaky_relu": slope,
		"sigm":       activation("Sigmoid", "sigm"),
		"tanh":       activation("Hyperbolic tangent", "tanh"),
		"softmax": {
			args: plain, grid: flatPoints, notation: flatNotation, formats: (*generator).tableFormats, tableInput: &tableFrac,
			source: source{title: "Softmax", body: "softmax.inc", tables: []string{"table_expneg.inc"}},
		},
		"concat": {
			args:   []mli.Argument{{Kind: mli.Tensors, Memory: kernel.Data, Name: "inputs"}, mli.Cfg, mli.Output},
			config: concatConfiguration, grid: concatPoints,
			source: source{title: "Concatenation", body: "concat.inc"},
		},
		"permute": {args: windowed, config: mli.Permute, grid: permutePoints,
			source: source{title: "Permutation of axes", body: "permute.inc"}},
		"padding2d_chw": {args: windowed, config: paddingConfiguration, order: chw, grid: paddingPoints,
			source: source{title: "Zero padding, CHW maps", equ: []string{"CHANNELS_FIRST,1"}, body: "padding2d.inc"}},
		"padding2d_hwc": {args: windowed, config: paddingConfiguration, order: hwc, grid: paddingPoints,
			source: source{title: "Zero padding, HWC maps", equ: []string{"CHANNELS_FIRST,0"}, body: "padding2d.inc"}},
		"eltwise_add": elementwise("Sum of two tensors", "0"),
		"eltwise_sub": elementwise("Difference of two tensors", "1"),
		"eltwise_mul": product,
		"eltwise_min": elementwise("Minimum of two tensors", "3"),
		"eltwise_max": elementwise("Maximum of two tensors", "4"),
	}
}
