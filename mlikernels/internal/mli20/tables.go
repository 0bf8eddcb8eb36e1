package mli20

import (
	"arcv2dsp/mlikernels/internal/mli"
	"fmt"

	"arcv2dsp/mlikernels/internal/mli20/structs"
	"arcv2dsp/nn"
)

// pointAt gives a fixed-point input a number of fractional bits.
func pointAt(frac int) func(*nn.Call) {
	return func(c *nn.Call) {
		if f := &c.In[0].Format; f.Kind == nn.Fixed {
			f.Frac = frac
		}
	}
}

// lutArg is the table of a function.
func lutArg(table string) mli.Argument {
	return mli.Argument{Kind: mli.Table, Role: "lut", Table: table}
}

// activation is a row for a function that looks every element up in a table of the caller; zero and frac are the format
// of its affine output.
func activation(name, title string, zero, frac int) row {
	return row{family: name, args: []mli.Argument{mli.Input, lutArg(name), mli.Output}, grid: tablePoints,
		source: source{title: title, equ: []string{fmt.Sprintf("OUT_ZERO,%d", zero), fmt.Sprintf("OUT_FRAC,%d", frac)}, body: "table/table.inc"}}
}

// tableRows are the functions with a table.
func tableRows() []row {
	return []row{
		activation("sigm", "Sigmoid", -128, 8),
		activation("tanh", "Hyperbolic tangent", 0, 7),
		{family: "softmax", args: []mli.Argument{mli.Input, lutArg("softmax"), mli.Cfg, mli.Output}, config: axisOf(structs.Softmax), grid: linePoints,
			source: source{title: "Softmax along an axis", body: "softmax.inc"}},
		{family: "l2_normalize", args: []mli.Argument{mli.Input, {Kind: mli.In, Role: "epsilon"}, lutArg("l2_normalize"), mli.Cfg, mli.Output},
			config: axisOf(structs.L2Normalize), grid: linePoints, source: source{title: "Lines divided by their norm", body: "l2_normalize.inc"}},
	}
}

// tablePoints vary the shape, the position of the point, and bring a table.
func tablePoints(*function) []point {
	var all []point
	for i, shape := range flatShapes() {
		p := point{name: mli.Join(shape), shapes: map[string][]int{"in": shape}, adjust: pointAt((i*5)%23 - 3)}
		all = append(all, p)
	}
	p := point{name: "own", shapes: map[string][]int{"in": {3, 9}, "lut": {33}}, params: map[string]int{"lut_in_frac": 2, "lut_offset": 16}}
	return append(all, p)
}

// linePoints vary the shape and the axis.
func linePoints(*function) []point {
	var all []point
	for i, shape := range flatShapes() {
		for axis := -1; axis < len(shape); axis++ {
			all = append(all, point{name: fmt.Sprintf("%s_axis%d", mli.Join(shape), axis), shapes: map[string][]int{"in": shape},
				params: map[string]int{"axis": axis}, adjust: pointAt((i*5)%23 - 3)})
		}
	}
	return all
}
