package mli20

import (
	"arcv2dsp/mlikernels/cstruct"
	"arcv2dsp/mlikernels/kernel"
	"arcv2dsp/mlikernels/mli20/structs"
)

// Arguments that most functions have.
var (
	in  = argument{kind: argIn, role: "in", memory: kernel.Data}
	cfg = argument{kind: argConfig, name: "cfg"}
	out = argument{kind: argOut, role: "out"}
)

// pair are the arguments of operators on two tensors.
var pair = []argument{{kind: argIn, role: "in1", memory: kernel.Data}, {kind: argIn, role: "in2", memory: kernel.Weights}, out}

// axisOf is a configuration of an axis.
func axisOf(s *cstruct.Struct) *configuration {
	return &configuration{Struct: s, attrs: map[string]string{"axis": "axis"}}
}

// elementwise is a row for an operator on two tensors.
func elementwise(name, title, operator string) row {
	return row{family: "eltwise_" + name, args: pair, grid: pairPoints,
		source: source{title: title, equ: []string{"OPERATOR," + operator}, body: "eltwise/eltwise.inc"}}
}

// elementwiseRows are the functions that compute each element of the output from those of the inputs at its place.
func elementwiseRows() []row {
	slope := argument{kind: argIn, role: "slope", memory: kernel.Weights}
	return []row{
		{family: "relu", args: []argument{in, cfg, out},
			config: &configuration{Struct: structs.ReLU, attrs: map[string]string{"relu": "type"}},
			source: source{title: "Rectifier", body: "relu.inc"}, grid: reluPoints},
		{family: "leaky_relu", args: []argument{in, slope, out}, grid: slopePoints,
			source: source{title: "Rectifier with a slope", equ: []string{"SLOPES,0"}, body: "slope/slope.inc"}},
		{family: "prelu", args: []argument{in, slope, cfg, out}, config: axisOf(structs.PReLU), grid: slopePoints,
			source: source{title: "Rectifier with slopes along an axis", equ: []string{"SLOPES,1"}, body: "slope/slope.inc"}},
		elementwise("add", "Sum of two tensors", "0"),
		elementwise("sub", "Difference of two tensors", "1"),
		elementwise("mul", "Product of two tensors", "2"),
		elementwise("min", "Minimum of two tensors", "3"),
		elementwise("max", "Maximum of two tensors", "4"),
	}
}
