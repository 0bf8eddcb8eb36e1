package mlikernels

import (
	"fmt"
)

// Reference is a call whose cost is known for the vendor's own compiled kernels: the instructions
// they execute for the whole call, rectifier on, counted by running their object code. Cycles are
// never fewer.
type Reference struct {
	Symbol string
	Shape  string
	Work   int    // multiply-accumulates at every window position, padding included, or outputs
	Unit   string // what Work counts
	Vendor int    // instructions
	params map[string]int
	shapes map[string][]int
}

// Name identifies the row.
func (r Reference) Name() string { return fmt.Sprintf("%s/%s", r.Symbol, r.Shape) }

// referenceTypes are the columns of referenceTable.
var referenceTypes = [...]string{"fx8", "fx16", "fx8w16d", "sa8"}

// referenceRow is a shape and a family with the instructions by type, 0 where there is none.
type referenceRow struct {
	shape  string
	family string
	work   int
	unit   string
	counts [len(referenceTypes)]int
	layout layout
}

// convShape describes a convolution on a square map.
func convShape(size, in, out, k, stride, pad int) layout {
	return func(family string) (map[string]int, map[string][]int) {
		params := map[string]int{"relu": 1, "stride_w": stride, "stride_h": stride,
			"pad_l": pad, "pad_r": pad, "pad_t": pad, "pad_b": pad}
		shapes := map[string][]int{"b": {out}}
		switch family {
		case "conv2d_chw":
			shapes["in"], shapes["w"] = []int{in, size, size}, []int{out, in, k, k}
		case "conv2d_hwc", "conv2d_nhwc":
			shapes["in"], shapes["w"] = []int{size, size, in}, []int{out, k, k, in}
		case "depthwise_conv2d_chw":
			shapes["in"], shapes["w"] = []int{in, size, size}, []int{in, 1, k, k}
		default:
			shapes["in"], shapes["w"] = []int{size, size, in}, []int{1, k, k, in}
		}
		return params, shapes
	}
}

// poolShape describes pooling of a square map, padded as far as the last window needs.
func poolShape(size, channels, k, stride int) layout {
	return func(family string) (map[string]int, map[string][]int) {
		params := map[string]int{"kernel_w": k, "kernel_h": k, "stride_w": stride, "stride_h": stride}
		if pad := ((size+stride-1)/stride-1)*stride + k - size; pad > 0 {
			for side, n := range map[string]int{"pad_l": pad / 2, "pad_t": pad / 2, "pad_r": pad - pad/2, "pad_b": pad - pad/2} {
				if n > 0 {
					params[side] = n
				}
			}
		}
		if family == "maxpool_chw" || family == "avepool_chw" {
			return params, map[string][]int{"in": {channels, size, size}}
		}
		return params, map[string][]int{"in": {size, size, channels}}
	}
}

func denseShape(in, out int) layout {
	return func(string) (map[string]int, map[string][]int) {
		return nil, map[string][]int{"in": {in}, "w": {out, in}, "b": {out}}
	}
}

func flatShape(n int) layout {
	return func(family string) (map[string]int, map[string][]int) {
		switch family {
		case "eltwise_add", "eltwise_mul", "eltwise_max":
			return nil, map[string][]int{"in1": {n}, "in2": {n}}
		case "leaky_relu":
			return nil, map[string][]int{"in": {n}, "slope": {1}}
		case "relu":
			return map[string]int{"relu": 1}, map[string][]int{"in": {n}}
		}
		return nil, map[string][]int{"in": {n}}
	}
}

func cellShape(in, out, gates int) layout {
	return func(string) (map[string]int, map[string][]int) {
		shapes := map[string][]int{"in": {in}, "prev_out": {out}, "cell_in": {out}, "w": {out, in + out}, "b": {out}}
		if gates > 1 {
			shapes["w"], shapes["b"] = []int{gates, out, in + out}, []int{gates, out}
		}
		return map[string]int{"mode": 0, "act": 1}, shapes
	}
}

const macs, outputs, elems = "MAC", "output", "element"

var referenceTable = []referenceRow{
	{shape: "3x3 32-32 16x16 pad1", family: "conv2d_chw", work: 2359296, unit: macs,
		counts: [4]int{1611772, 1611513, 1611776, 0}, layout: convShape(16, 32, 32, 3, 1, 1)},
	{shape: "3x3 32-32 16x16 pad1", family: "conv2d_hwc", work: 2359296, unit: macs,
		counts: [4]int{4034954, 4825573, 4033689, 0}, layout: convShape(16, 32, 32, 3, 1, 1)},
	{shape: "3x3 32-32 16x16 pad1", family: "conv2d_nhwc", work: 2359296, unit: macs,
		counts: [4]int{0, 0, 0, 3255928}, layout: convShape(16, 32, 32, 3, 1, 1)},
	{shape: "3x3 32-32 16x16 nopad", family: "conv2d_chw", work: 1806336, unit: macs,
		counts: [4]int{2690073, 3500159, 6116674, 0}, layout: convShape(16, 32, 32, 3, 1, 0)},
	{shape: "3x3 32-32 16x16 nopad", family: "conv2d_hwc", work: 1806336, unit: macs,
		counts: [4]int{3167841, 3834560, 3167840, 0}, layout: convShape(16, 32, 32, 3, 1, 0)},
	{shape: "3x3 32-32 16x16 nopad", family: "conv2d_nhwc", work: 1806336, unit: macs,
		counts: [4]int{0, 0, 0, 1650999}, layout: convShape(16, 32, 32, 3, 1, 0)},
	{shape: "1x1 64-64 16x16", family: "conv2d_chw", work: 1048576, unit: macs,
		counts: [4]int{709329, 662023, 707025, 0}, layout: convShape(16, 64, 64, 1, 1, 0)},
	{shape: "1x1 64-64 16x16", family: "conv2d_hwc", work: 1048576, unit: macs,
		counts: [4]int{6697601, 773543, 6697600, 0}, layout: convShape(16, 64, 64, 1, 1, 0)},
	{shape: "1x1 64-64 16x16", family: "conv2d_nhwc", work: 1048576, unit: macs,
		counts: [4]int{0, 0, 0, 778073}, layout: convShape(16, 64, 64, 1, 1, 0)},
	{shape: "1x1 64-64 1x1", family: "conv2d_chw", work: 4096, unit: macs,
		counts: [4]int{7569, 6522, 7377, 0}, layout: convShape(1, 64, 64, 1, 1, 0)},
	{shape: "1x1 64-64 1x1", family: "conv2d_hwc", work: 4096, unit: macs,
		counts: [4]int{29441, 3173, 29440, 0}, layout: convShape(1, 64, 64, 1, 1, 0)},
	{shape: "1x1 64-64 1x1", family: "conv2d_nhwc", work: 4096, unit: macs,
		counts: [4]int{0, 0, 0, 7961}, layout: convShape(1, 64, 64, 1, 1, 0)},
	{shape: "5x5 32-32 16x16 pad2", family: "conv2d_chw", work: 6553600, unit: macs,
		counts: [4]int{3636908, 3641770, 3637039, 0}, layout: convShape(16, 32, 32, 5, 1, 2)},
	{shape: "5x5 32-32 16x16 pad2", family: "conv2d_hwc", work: 6553600, unit: macs,
		counts: [4]int{6934730, 7655295, 6931801, 0}, layout: convShape(16, 32, 32, 5, 1, 2)},
	{shape: "5x5 32-32 16x16 pad2", family: "conv2d_nhwc", work: 6553600, unit: macs,
		counts: [4]int{0, 0, 0, 7441012}, layout: convShape(16, 32, 32, 5, 1, 2)},
	{shape: "3x3 3-16 32x32 pad1", family: "conv2d_chw", work: 442368, unit: macs,
		counts: [4]int{449292, 440217, 449296, 0}, layout: convShape(32, 3, 16, 3, 1, 1)},
	{shape: "3x3 3-16 32x32 pad1", family: "conv2d_hwc", work: 442368, unit: macs,
		counts: [4]int{1407930, 1560053, 1410249, 0}, layout: convShape(32, 3, 16, 3, 1, 1)},
	{shape: "3x3 3-16 32x32 pad1", family: "conv2d_nhwc", work: 442368, unit: macs,
		counts: [4]int{0, 0, 0, 1157000}, layout: convShape(32, 3, 16, 3, 1, 1)},
	{shape: "3x3 32-32 s2 16x16 pad1", family: "conv2d_chw", work: 589824, unit: macs,
		counts: [4]int{640392, 702978, 668457, 0}, layout: convShape(16, 32, 32, 3, 2, 1)},
	{shape: "3x3 32-32 s2 16x16 pad1", family: "conv2d_hwc", work: 589824, unit: macs,
		counts: [4]int{1030282, 1209133, 1030041, 0}, layout: convShape(16, 32, 32, 3, 2, 1)},
	{shape: "3x3 32-32 s2 16x16 pad1", family: "conv2d_nhwc", work: 589824, unit: macs,
		counts: [4]int{0, 0, 0, 1131640}, layout: convShape(16, 32, 32, 3, 2, 1)},
	{shape: "3x3 64 16x16 pad1", family: "depthwise_conv2d_chw", work: 147456, unit: macs,
		counts: [4]int{256765, 270732, 257023, 0}, layout: convShape(16, 64, 64, 3, 1, 1)},
	{shape: "3x3 64 16x16 pad1", family: "depthwise_conv2d_hwcn", work: 147456, unit: macs,
		counts: [4]int{0, 0, 0, 449707}, layout: convShape(16, 64, 64, 3, 1, 1)},
	{shape: "3x3 64 s2 16x16 pad1", family: "depthwise_conv2d_chw", work: 36864, unit: macs,
		counts: [4]int{122310, 183895, 169284, 0}, layout: convShape(16, 64, 64, 3, 2, 1)},
	{shape: "3x3 64 s2 16x16 pad1", family: "depthwise_conv2d_hwcn", work: 36864, unit: macs,
		counts: [4]int{0, 0, 0, 183211}, layout: convShape(16, 64, 64, 3, 2, 1)},
	{shape: "1024-256", family: "fully_connected", work: 262144, unit: macs,
		counts: [4]int{133953, 133445, 133695, 266395}, layout: denseShape(1024, 256)},
	{shape: "64-64", family: "fully_connected", work: 4096, unit: macs,
		counts: [4]int{2817, 2693, 2751, 5275}, layout: denseShape(64, 64)},
	{shape: "3x3 s2 16x16x32", family: "maxpool_chw", work: 2048, unit: outputs,
		counts: [4]int{44191, 38662, 0, 0}, layout: poolShape(16, 32, 3, 2)},
	{shape: "2x2 s2 16x16x32", family: "maxpool_chw", work: 2048, unit: outputs,
		counts: [4]int{18162, 12127, 0, 0}, layout: poolShape(16, 32, 2, 2)},
	{shape: "3x3 s2 16x16x32", family: "maxpool_hwc", work: 2048, unit: outputs,
		counts: [4]int{46096, 36818, 0, 46100}, layout: poolShape(16, 32, 3, 2)},
	{shape: "2x2 s2 16x16x32", family: "maxpool_hwc", work: 2048, unit: outputs,
		counts: [4]int{12369, 6499, 0, 12374}, layout: poolShape(16, 32, 2, 2)},
	{shape: "3x3 s2 16x16x32", family: "avepool_chw", work: 2048, unit: outputs,
		counts: [4]int{52095, 44938, 0, 0}, layout: poolShape(16, 32, 3, 2)},
	{shape: "2x2 s2 16x16x32", family: "avepool_chw", work: 2048, unit: outputs,
		counts: [4]int{7737, 7736, 0, 0}, layout: poolShape(16, 32, 2, 2)},
	{shape: "3x3 s2 16x16x32", family: "avepool_hwc", work: 2048, unit: outputs,
		counts: [4]int{47393, 43706, 0, 47397}, layout: poolShape(16, 32, 3, 2)},
	{shape: "2x2 s2 16x16x32", family: "avepool_hwc", work: 2048, unit: outputs,
		counts: [4]int{18251, 15179, 0, 18257}, layout: poolShape(16, 32, 2, 2)},
	{shape: "10", family: "softmax", work: 10, unit: elems, counts: [4]int{291, 215, 0, 0}, layout: flatShape(10)},
	{shape: "1024", family: "softmax", work: 1024, unit: elems,
		counts: [4]int{14994, 7820, 0, 0}, layout: flatShape(1024)},
	{shape: "10", family: "sigm", work: 10, unit: elems, counts: [4]int{206, 180, 0, 0}, layout: flatShape(10)},
	{shape: "1024", family: "sigm", work: 1024, unit: elems,
		counts: [4]int{12881, 10320, 0, 0}, layout: flatShape(1024)},
	{shape: "10", family: "tanh", work: 10, unit: elems, counts: [4]int{140, 115, 0, 0}, layout: flatShape(10)},
	{shape: "1024", family: "tanh", work: 1024, unit: elems,
		counts: [4]int{7238, 4678, 0, 0}, layout: flatShape(1024)},
	{shape: "1024", family: "relu", work: 1024, unit: elems, counts: [4]int{1593, 570, 0, 0}, layout: flatShape(1024)},
	{shape: "1024", family: "leaky_relu", work: 1024, unit: elems,
		counts: [4]int{3662, 1616, 0, 0}, layout: flatShape(1024)},
	{shape: "1024", family: "eltwise_add", work: 1024, unit: elems,
		counts: [4]int{3150, 593, 0, 0}, layout: flatShape(1024)},
	{shape: "1024", family: "eltwise_mul", work: 1024, unit: elems,
		counts: [4]int{4710, 1641, 0, 0}, layout: flatShape(1024)},
	{shape: "1024", family: "eltwise_max", work: 1024, unit: elems,
		counts: [4]int{1101, 593, 0, 0}, layout: flatShape(1024)},
	{shape: "32-32 tanh", family: "lstm_cell", work: 8192, unit: macs,
		counts: [4]int{9466, 8871, 8991, 0}, layout: cellShape(32, 32, 4)},
	{shape: "32-32 tanh", family: "basic_rnn_cell", work: 2048, unit: macs,
		counts: [4]int{2044, 2097, 2126, 0}, layout: cellShape(32, 32, 1)},
}

// References lists all calls with known vendor counts.
func References() []Reference {
	var all []Reference
	for _, row := range referenceTable {
		params, shapes := row.layout(row.family)
		for i, typ := range referenceTypes {
			if row.counts[i] == 0 {
				continue
			}
			for _, suffix := range []string{typ, typ + "_sa8_sa32"} {
				symbol := "mli_krn_" + row.family + "_" + suffix
				if _, err := Lookup(symbol); err == nil {
					all = append(all, Reference{Symbol: symbol, Shape: row.shape, Work: row.work, Unit: row.unit,
						Vendor: row.counts[i], params: params, shapes: shapes})
				}
			}
		}
	}
	return all
}

// tableFrac is the input format of the rows with activation tables. At 4.5 and 7.5 instructions per
// element the vendor's tanh and softmax cannot have interpolated, its sigm at 10 can: that is so for
// inputs with the fractional bits of the first two tables, one more than those of the third.
const tableFrac = 4

// Job builds the call, with deterministic data in formats that use the output's range.
func (r Reference) Job() (*Job, error) {
	k, err := Lookup(r.Symbol)
	if err != nil {
		return nil, err
	}
	g := generator{kernel: k, rand: newRand(r.Name())}
	c := g.build(r.params, nil, r.shapes)
	switch k.Family {
	case "sigm", "tanh", "softmax":
		c.Tensors["in"].Frac = tableFrac
	}
	return &Job{Case: c}, nil
}
