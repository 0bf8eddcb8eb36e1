package mli20

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"arcv2dsp/mlikernels/kernel"
	"arcv2dsp/mlikernels/mli"
	"arcv2dsp/nn"
	goldenmli "arcv2dsp/nn/golden/mli"
)

// convertible are the types that mli_hlp_convert_tensor takes.
var convertible = []goldenmli.Type{goldenmli.FX8, goldenmli.FX16, goldenmli.SA8, goldenmli.SA32, goldenmli.FP32}

func typeNames() []string {
	var names []string
	for _, t := range convertible {
		names = append(names, t.String())
	}
	return names
}

// maxWork bounds the work of a shape, so that a mistyped one does not run for hours.
const maxWork = 1 << 30

// notation is how the shapes of some operators are written, and the case that a shape is.
type notation struct {
	mli.Notation
	point func(f *function, n []int) (point, error)
}

// The notations: the layers on record are of these forms. The first three are those of MLI 1.1.
var (
	convNotation = &notation{Notation: mli.Notation{Form: "KxK IN-OUT [sSTRIDE] SIZExSIZE [padN]", Unit: kernel.MAC,
		Pattern: regexp.MustCompile(`^(\d{1,5})x(\d{1,5}) (\d{1,5})-(\d{1,5})(?: s(\d{1,2}))? (\d{1,5})x(\d{1,5})(?: nopad| pad(\d{1,2}))?$`)},
		point: func(f *function, n []int) (point, error) { return f.windowPoint(n[0], n[1], n[2], n[3], 1, n[4:]) }}
	depthwiseNotation = &notation{Notation: mli.Notation{Form: "KxK CHANNELS [sSTRIDE] SIZExSIZE [padN]", Unit: kernel.MAC,
		Pattern: regexp.MustCompile(`^(\d{1,5})x(\d{1,5}) (\d{1,5})(?: s(\d{1,2}))? (\d{1,5})x(\d{1,5})(?: nopad| pad(\d{1,2}))?$`)},
		point: func(f *function, n []int) (point, error) { return f.windowPoint(n[0], n[1], n[2], n[2], n[2], n[3:]) }}
	groupNotation = &notation{Notation: mli.Notation{Form: "KxK IN-OUT N groups [sSTRIDE] SIZExSIZE [padN]", Unit: kernel.MAC,
		Pattern: regexp.MustCompile(`^(\d{1,5})x(\d{1,5}) (\d{1,5})-(\d{1,5}) (\d{1,4}) groups(?: s(\d{1,2}))? (\d{1,5})x(\d{1,5})(?: nopad| pad(\d{1,2}))?$`)},
		point: func(f *function, n []int) (point, error) {
			if n[4] == 0 || n[2]%n[4] != 0 || n[3]%n[4] != 0 {
				return point{}, fmt.Errorf("%d groups of %d channels and %d outputs", n[4], n[2], n[3])
			}
			return f.windowPoint(n[0], n[1], n[2], n[3], n[4], n[5:])
		}}
	poolNotation = &notation{Notation: mli.Notation{Form: "KxK [sSTRIDE] SIZExSIZExCHANNELS", Unit: kernel.Output,
		Pattern: regexp.MustCompile(`^(\d{1,5})x(\d{1,5})(?: s(\d{1,2}))? (\d{1,5})x(\d{1,5})x(\d{1,5})$`)},
		point: func(f *function, n []int) (point, error) {
			return f.windowPoint(n[0], n[1], n[5], 0, 1, []int{n[2], n[3], n[4], 0})
		}}
	denseNotation = &notation{Notation: mli.Notation{Form: "IN-OUT", Unit: kernel.MAC, Pattern: regexp.MustCompile(`^(\d{1,6})-(\d{1,6})$`)},
		point: func(f *function, n []int) (point, error) {
			return point{shapes: map[string][]int{"in": {n[0]}, "w": {n[0], n[1]}, "b": {n[1]}}, adjust: f.sumFormats(n[0], 1, 0)}, nil
		}}
	severalNotation = &notation{Notation: mli.Notation{Form: "IN+IN-OUT", Unit: kernel.MAC, Pattern: regexp.MustCompile(`^(\d{1,5})\+(\d{1,5})-(\d{1,5})$`)},
		point: func(f *function, n []int) (point, error) {
			return point{params: map[string]int{"inputs": 2}, adjust: f.sumFormats(n[0]+n[1], -1, 0), shapes: map[string][]int{
				"in0": {n[0]}, "w0": {n[0], n[2]}, "in1": {n[1]}, "w1": {n[1], n[2]}, "b": {n[2]}}}, nil
		}}
	cellNotation = &notation{Notation: mli.Notation{Form: "IN-OUT N steps", Unit: kernel.MAC, Pattern: regexp.MustCompile(`^(\d{1,4})-(\d{1,4}) (\d{1,3}) steps$`)},
		point: func(f *function, n []int) (point, error) {
			g := f.gates
			return point{params: map[string]int{"act": 1}, adjust: f.sumFormats(n[0]+n[1], 0, 0), shapes: map[string][]int{
				"in": {n[2], n[0]}, "prev_out": {n[1]}, "w_in": {g, n[0], n[1]}, "w_out": {g, n[1], n[1]}, "b": {g, n[1]}, "cell": {n[1]}}}, nil
		}}
	flatNotation = &notation{Notation: mli.Notation{Form: "ELEMENTS", Unit: kernel.Element, Pattern: regexp.MustCompile(`^(\d{1,6})$`)},
		point: func(f *function, n []int) (point, error) { return f.flatPoint(n[0]), nil }}
	slopesNotation = &notation{Notation: mli.Notation{Form: "ROWSxCHANNELS", Unit: kernel.Element, Pattern: regexp.MustCompile(`^(\d{1,5})x(\d{1,5})$`)},
		point: func(f *function, n []int) (point, error) {
			p := f.flatPoint(1)
			p.params["axis"], p.shapes = 1, map[string][]int{"in": {n[0], n[1]}, "slope": {1, n[1]}}
			return p, nil
		}}
	greatestNotation = &notation{Notation: mli.Notation{Form: "ELEMENTS topN", Unit: kernel.Element, Pattern: regexp.MustCompile(`^(\d{1,6}) top(\d{1,4})$`)},
		point: func(f *function, n []int) (point, error) {
			p := f.flatPoint(n[0])
			p.params["topk"] = n[1]
			return p, nil
		}}
	axesNotation = &notation{Notation: mli.Notation{Form: "AxBxC to I.J.K", Unit: kernel.Element,
		Pattern: regexp.MustCompile(`^(\d{1,5})x(\d{1,5})x(\d{1,5}) to ([0-2])\.([0-2])\.([0-2])$`)},
		point: func(_ *function, n []int) (point, error) {
			return point{shapes: map[string][]int{"in": n[:3]}, lists: map[string][]int{"perm": n[3:]}}, nil
		}}
	convertNotation = &notation{Notation: mli.Notation{Form: "ELEMENTS TYPE-TYPE", Unit: kernel.Element, Words: typeNames(),
		Pattern: regexp.MustCompile(`^(\d{1,6}) (\w+)-(\w+)$`)},
		point: func(_ *function, n []int) (point, error) {
			if max(n[1], n[2]) >= len(convertible) {
				return point{}, fmt.Errorf("types are %v", convertible)
			}
			return point{shapes: map[string][]int{"in": {n[0]}}, convert: &conversion{from: convertible[n[1]], to: convertible[n[2]], in: -1, out: -1}}, nil
		}}
)

// notations are those of the operators; those that are not among them have flat ones.
var notations = map[string]*notation{"conv2d_hwcn": convNotation, "transpose_conv2d_hwcn": convNotation, "depthwise_conv2d_hwcn": depthwiseNotation,
	"group_conv2d_hwcn": groupNotation, "avepool_hwc": poolNotation, "maxpool_hwc": poolNotation, "fully_connected": denseNotation,
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

// windowPoint is a case of a square window over a square map; rest is the stride, both sides of the map, the padding.
func (f *function) windowPoint(kh, kw, channels, outputs, groups int, rest []int) (point, error) {
	w, err := mli.NewWindow(kh, kw, rest[0], rest[1], rest[2], rest[3])
	p := point{params: map[string]int{"kernel_h": w.K, "kernel_w": w.K, "stride_h": w.Stride, "stride_w": w.Stride, "relu": 1,
		"pad_l": w.Pad, "pad_r": w.Pad, "pad_t": w.Pad, "pad_b": w.Pad}, shapes: map[string][]int{"in": {w.Size, w.Size, channels}}}
	if outputs > 0 {
		inputs := channels / groups
		p.shapes["w"], p.shapes["b"] = []int{w.K, w.K, inputs, outputs}, []int{outputs}
		p.adjust = f.sumFormats(w.K*w.K*inputs, 3, 1)
	}
	return p, err
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

// reference is the call of a shape, with deterministic data.
func (f *function) reference(shape string) (kernel.Reference, error) {
	n := notationOf(f.Family)
	numbers, err := n.Numbers(f.Family, shape)
	if err != nil {
		return kernel.Reference{}, err
	}
	p, err := n.point(f, numbers)
	if err != nil {
		return kernel.Reference{}, fmt.Errorf("shape %q: %w", shape, err)
	}
	for role, dims := range p.shapes {
		if err := nn.CheckShape(dims); err != nil || nn.Count(dims) > kernel.MaxBuffer/4 {
			return kernel.Reference{}, fmt.Errorf("shape %q: tensor %q is %v, it must have 1 to %d elements", shape, role, dims, kernel.MaxBuffer/4)
		}
	}
	p.name = shape
	r := kernel.Reference{Kernel: f.kernel, Shape: shape, Unit: n.Unit, Work: f.shapeWork(p)}
	if r.Work > maxWork {
		return kernel.Reference{}, fmt.Errorf("shape %q: %d of work, at most %d", shape, r.Work, maxWork)
	}
	r.Job = func() (*kernel.Job, error) { return f.job(p, nn.Convergent, 1) }
	return r, nil
}

// shapeWork counts the products of a case, its outputs where there is a window without weights, else its elements.
func (f *function) shapeWork(p point) int {
	steps, products := 1, 0
	if p.shapes["prev_out"] != nil {
		steps = p.shapes["in"][0]
	}
	for _, role := range []string{"w", "w0", "w1", "w_in", "w_out"} {
		if dims := p.shapes[role]; dims != nil {
			products += steps * nn.Count(dims)
		}
	}
	switch positions := outputPositions(f, p); {
	case positions > 0:
		return max(products, 1) * positions
	case products > 0:
		return products
	}
	for role, dims := range p.shapes {
		if strings.HasPrefix(role, "in") {
			return nn.Count(dims)
		}
	}
	return 0
}

// outputPositions is how often the window of a case stands, times its channels where there are no weights; 0 without
// a window.
func outputPositions(f *function, p point) int {
	in, stride := p.shapes["in"], p.params["stride_h"]
	if stride == 0 {
		return 0
	}
	k, pad := p.params["kernel_h"], p.params["pad_t"]+p.params["pad_b"]
	out := (in[0]+pad-k)/stride + 1
	if f.Family == "transpose_conv2d_hwcn" {
		out = (in[0]-1)*stride + k - pad
	}
	if p.shapes["w"] == nil {
		return out * out * in[2]
	}
	return out * out
}

// addReferences gives the kernel its notation and the layers on record.
func (f *function) addReferences() {
	f.kernel.Notation = &kernel.Notation{Form: notationOf(f.Family).Form,
		Parse: func(_ *kernel.Kernel, shape string) (kernel.Reference, error) { return f.reference(shape) }}
	shapes := layers[f.Family]
	if shapes == nil {
		shapes = flatLayers
	}
	for _, shape := range shapes {
		r, err := f.reference(shape)
		if err != nil {
			panic("mlikernels/mli20: " + err.Error())
		}
		f.kernel.References = append(f.kernel.References, r)
	}
}
