package mli20

import (
	"arcv2dsp/internal/program/cstruct"
	"arcv2dsp/mlikernels/internal/mli"
	"arcv2dsp/mlikernels/internal/mli20/structs"
)

// axisOf is a configuration of an axis.
func axisOf(s *cstruct.Struct) *mli.Configuration {
	return &mli.Configuration{Struct: s, Attrs: map[string]string{"axis": "axis"}}
}

// elementwise is a row for an operator on two tensors.
func elementwise(name, title, operator string) row {
	return row{family: "eltwise_" + name, args: mli.Pair(), grid: pairPoints,
		source: source{title: title, equ: []string{"OPERATOR," + operator}, body: "eltwise/eltwise.inc"}}
}

// elementwiseRows are the functions that compute each element of the output from those of the inputs at its place.
func elementwiseRows() []row {
	return []row{
		{family: "relu", args: []mli.Argument{mli.Input, mli.Cfg, mli.Output},
			config: mli.ReLU,
			source: source{title: "Rectifier", body: "relu.inc"}, grid: reluPoints},
		{family: "leaky_relu", args: []mli.Argument{mli.Input, mli.Slope, mli.Output}, grid: slopePoints,
			source: source{title: "Rectifier with a slope", equ: []string{"SLOPES,0"}, body: "slope/slope.inc"}},
		{family: "prelu", args: []mli.Argument{mli.Input, mli.Slope, mli.Cfg, mli.Output}, config: axisOf(structs.PReLU), grid: slopePoints,
			source: source{title: "Rectifier with slopes along an axis", equ: []string{"SLOPES,1"}, body: "slope/slope.inc"}},
		elementwise("add", "Sum of two tensors", "0"),
		elementwise("sub", "Difference of two tensors", "1"),
		elementwise("mul", "Product of two tensors", "2"),
		elementwise("min", "Minimum of two tensors", "3"),
		elementwise("max", "Maximum of two tensors", "4"),
	}
}
