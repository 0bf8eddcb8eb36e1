package mli20

import (
	"fmt"
	"slices"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/mlikernels/internal/mli"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// convertible are the types that mli_hlp_convert_tensor takes.
var convertible = []golden.MLIType{golden.FX8, golden.FX16, golden.SA8, golden.SA32, golden.FP32}

func typeNames() []string {
	var names []string
	for _, t := range convertible {
		names = append(names, t.String())
	}
	return names
}

// notation is how the shapes of some operators are written, and the case that a shape is.
type notation struct {
	mli.Notation
	point func(f *function, n []int) (point, error)
}

// The notations: the layers on record are of these forms.
var (
	convNotation      = &notation{mli.Convolution, func(f *function, n []int) (point, error) { return f.windowPoint(mli.NewConvolution(n)) }}
	depthwiseNotation = &notation{mli.Depthwise, func(f *function, n []int) (point, error) { return f.windowPoint(mli.NewDepthwise(n)) }}
	poolNotation      = &notation{mli.Pooling, func(f *function, n []int) (point, error) { return f.windowPoint(mli.NewPooling(n)) }}
	flatNotation      = &notation{mli.Flat, func(f *function, n []int) (point, error) { return f.flatPoint(n[0]), nil }}
	denseNotation     = &notation{mli.Dense, func(f *function, n []int) (point, error) {
		return point{shapes: map[string][]int{"in": {n[0]}, "w": {n[0], n[1]}, "b": {n[1]}}, adjust: f.sumFormats(n[0], 1, 0)}, nil
	}}
	cellNotation = &notation{mli.Cells, func(f *function, n []int) (point, error) {
		c, err := mli.NewCell(n)
		g := f.gates
		return point{params: map[string]int{"act": c.Act}, adjust: f.sumFormats(c.In+c.Out, 0, 0), shapes: map[string][]int{
			"in": {c.Steps, c.In}, "prev_out": {c.Out}, "w_in": {g, c.In, c.Out}, "w_out": {g, c.Out, c.Out}, "b": {g, c.Out}, "cell": {c.Out}}}, err
	}}
	severalNotation = &notation{Notation: mli.Notation{Form: "IN+IN-OUT", Pattern: kernel.Compiled(`^(\d{1,5})\+(\d{1,5})-(\d{1,5})$`)},
		point: func(f *function, n []int) (point, error) {
			return point{params: map[string]int{"inputs": 2}, adjust: f.sumFormats(n[0]+n[1], -1, 0), shapes: map[string][]int{
				"in0": {n[0]}, "w0": {n[0], n[2]}, "in1": {n[1]}, "w1": {n[1], n[2]}, "b": {n[2]}}}, nil
		}}
	slopesNotation = &notation{Notation: mli.Notation{Form: "ROWSxCHANNELS", Pattern: kernel.Compiled(`^(\d{1,5})x(\d{1,5})$`)},
		point: func(f *function, n []int) (point, error) {
			p := f.flatPoint(1)
			p.params["axis"], p.shapes = 1, map[string][]int{"in": {n[0], n[1]}, "slope": {1, n[1]}}
			return p, nil
		}}
	greatestNotation = &notation{Notation: mli.Notation{Form: "ELEMENTS topN", Pattern: kernel.Compiled(`^(\d{1,6}) top(\d{1,4})$`)},
		point: func(f *function, n []int) (point, error) {
			p := f.flatPoint(n[0])
			p.params["topk"] = n[1]
			return p, nil
		}}
	axesNotation = &notation{Notation: mli.Notation{Form: "AxBxC to I.J.K",
		Pattern: kernel.Compiled(`^(\d{1,5})x(\d{1,5})x(\d{1,5}) to ([0-2])\.([0-2])\.([0-2])$`)},
		point: func(_ *function, n []int) (point, error) {
			return point{shapes: map[string][]int{"in": n[:3]}, lists: map[string][]int{"perm": n[3:]}}, nil
		}}
	convertNotation = &notation{Notation: mli.Notation{Form: "ELEMENTS TYPE-TYPE", Words: typeNames(),
		Pattern: kernel.Compiled(`^(\d{1,6}) (\w+)-(\w+)$`)},
		point: func(_ *function, n []int) (point, error) {
			if max(n[1], n[2]) >= len(convertible) {
				return point{}, fmt.Errorf("types are %v", convertible)
			}
			return point{shapes: map[string][]int{"in": {n[0]}}, convert: &conversion{from: convertible[n[1]], to: convertible[n[2]], in: -1, out: -1}}, nil
		}}
)

// notations are the notations of shapes by operator; an operator that is not listed has the flat notation.
var notations = map[string]*notation{"conv2d_hwcn": convNotation, "transpose_conv2d_hwcn": convNotation, "depthwise_conv2d_hwcn": depthwiseNotation,
	"group_conv2d_hwcn": convNotation, "avepool_hwc": poolNotation, "maxpool_hwc": poolNotation, "fully_connected": denseNotation,
	"rnn_dense": severalNotation, "lstm_cell": cellNotation, "gru_cell": cellNotation, "prelu": slopesNotation, "argmax": greatestNotation,
	"permute": axesNotation, "mli_hlp_convert_tensor": convertNotation}

func notationOf(family string) *notation {
	if n := notations[family]; n != nil {
		return n
	}
	return flatNotation
}

// layers are typical shapes, whose cycles are on record; those of operators that are not among them are flatLayers.
var layers = map[string][]string{
	"conv2d_hwcn":            {"3x3 32-32 16x16 pad1", "2x2 32-32 16x16", "1x1 64-64 16x16", "3x3 3-16 32x32 pad1", "3x3 32-32 s2 16x16 pad1"},
	"depthwise_conv2d_hwcn":  {"3x3 64 16x16 pad1", "5x5 64 16x16 pad2", "3x3 64 s2 16x16 pad1"},
	"group_conv2d_hwcn":      {"3x3 32-32 4 groups 16x16 pad1"},
	"transpose_conv2d_hwcn":  {"4x4 32-32 s2 8x8 pad1"},
	"avepool_hwc":            {"3x3 s2 17x17x32"},
	"maxpool_hwc":            {"3x3 s2 17x17x32", "2x2 s2 16x16x32"},
	"fully_connected":        {"1024-256", "64-64"},
	"rnn_dense":              {"64+64-64"},
	"lstm_cell":              {"32-32 4 steps", "128-128 4 steps"},
	"gru_cell":               {"32-32 4 steps", "128-128 4 steps"},
	"prelu":                  {"16x64"},
	"argmax":                 {"1000 top1", "1000 top5"},
	"permute":                {"16x16x32 to 2.0.1"},
	"mli_hlp_convert_tensor": {"1024 fp32-fx16", "1024 fp32-sa8", "1024 sa8-fx16", "1024 fx16-sa8", "1024 sa32-sa8", "1024 sa8-fp32"},
}

var flatLayers = []string{"1024"}

// windowPoint is a case of a window over a map.
func (f *function) windowPoint(w mli.Window, err error) (point, error) {
	if err != nil {
		return point{}, err
	}
	p := point{params: map[string]int{"kernel_h": w.H.K, "kernel_w": w.W.K, "stride_h": w.H.Stride, "stride_w": w.W.Stride, "relu": 1,
		"dil_h": w.H.Dilation, "dil_w": w.W.Dilation, "pad_l": w.W.Before, "pad_r": w.W.After, "pad_t": w.H.Before, "pad_b": w.H.After},
		shapes: map[string][]int{"in": {w.H.Size, w.W.Size, w.Channels}}}
	if w.Outputs > 0 {
		inputs := w.Channels / w.Groups
		p.shapes["w"], p.shapes["b"] = []int{w.H.K, w.W.K, inputs, w.Outputs}, []int{w.Outputs}
		p.adjust = f.sumFormats(w.H.K*w.W.K*inputs, 3, 1)
	}
	return p, nil
}

// flatPoint is a case of n elements in a row, in formats with which results are neither all alike nor all at a limit.
func (f *function) flatPoint(n int) point {
	p := point{params: map[string]int{"axis": -1, "relu": 1}, shapes: map[string][]int{}}
	for _, port := range f.Inputs {
		if port.Role[0] == 'i' {
			p.shapes[port.Role] = []int{n}
		}
	}
	switch {
	case f.Family == "leaky_relu" || f.Family == "prelu":
		p.shapes["slope"] = []int{1}
		p.adjust = func(c *nn.Call) {
			if !f.Data.Affine() {
				c.Out[0].Format = c.Input("in").Format
			}
		}
	case f.Family == "eltwise_min" || f.Family == "eltwise_max":
		p.adjust = func(c *nn.Call) { c.Input("in2").Format = c.Input("in1").Format }
	case slices.ContainsFunc(f.args, func(a mli.Argument) bool { return a.Kind == mli.Table }):
		p.adjust = pointAt(f.Data.Bits() - 4) // inputs from -8 to 8
	}
	return p
}

// layer is the call of a shape, with deterministic data.
func (f *function) layer(shape string) (kernel.Case, error) {
	n := notationOf(f.Family)
	numbers, err := n.Numbers(f.Family, shape)
	if err != nil {
		return kernel.Case{}, err
	}
	p, err := n.point(f, numbers)
	if err != nil {
		return kernel.Case{}, fmt.Errorf("shape %q: %w", shape, err)
	}
	p.name = shape
	return kernel.Case{Kernel: f.kernel, Name: shape, Plain: true,
		Job: func(round nn.Rounding, seed uint64) (*kernel.Job, error) { return f.job(p, round, seed) }}, mli.CheckTensors(shape, p.shapes)
}

// addLayers gives the kernel its notation and the layers on record.
func (f *function) addLayers() {
	f.kernel.Notation = &kernel.Notation{Form: notationOf(f.Family).Form, Parse: f.layer}
	shapes := layers[f.Family]
	if shapes == nil {
		shapes = flatLayers
	}
	for _, shape := range shapes {
		c, err := f.layer(shape)
		if err != nil {
			panic("mlikernels/internal/mli20: " + err.Error())
		}
		f.kernel.Layers = append(f.kernel.Layers, c)
	}
}
