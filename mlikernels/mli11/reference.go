package mli11

import (
	"arcv2dsp/mlikernels/kernel"
)

// referenceTypes are the columns of referenceTable.
var referenceTypes = [...]string{"fx8", "fx16", "fx8w16d", "sa8"}

// referenceRow is a shape of an operator with the instructions that the vendor's own compiled functions
// execute for the call, by type, 0 where there is none. The rectifier is on.
type referenceRow struct {
	shape  string
	family string
	work   int
	unit   string
	counts [len(referenceTypes)]int
	shapes shapes
}

// shapes makes the attributes and tensors of a call of a function.
type shapes func(f *function) (params map[string]int, tensors map[string][]int)

// convShape describes a convolution on a square map.
func convShape(size, in, out, k, stride, pad int) shapes {
	return func(f *function) (map[string]int, map[string][]int) {
		params := map[string]int{"relu": 1, "stride_w": stride, "stride_h": stride,
			"pad_l": pad, "pad_r": pad, "pad_t": pad, "pad_b": pad}
		return params, map[string][]int{"in": f.order.maps(size, size, in), "w": f.order.weights(out, in, k, k), "b": {out}}
	}
}

// poolShape describes pooling of a square map, padded as far as the last window needs.
func poolShape(size, channels, k, stride int) shapes {
	return func(f *function) (map[string]int, map[string][]int) {
		params := map[string]int{"kernel_w": k, "kernel_h": k, "stride_w": stride, "stride_h": stride}
		if pad := ((size+stride-1)/stride-1)*stride + k - size; pad > 0 {
			for side, n := range map[string]int{"pad_l": pad / 2, "pad_t": pad / 2, "pad_r": pad - pad/2, "pad_b": pad - pad/2} {
				if n > 0 {
					params[side] = n
				}
			}
		}
		return params, map[string][]int{"in": f.order.maps(size, size, channels)}
	}
}

func denseShape(in, out int) shapes {
	return func(*function) (map[string]int, map[string][]int) {
		return nil, map[string][]int{"in": {in}, "w": {out, in}, "b": {out}}
	}
}

// flatShape describes a call on elements in a row; operators take of it what they have.
func flatShape(n int) shapes {
	return func(*function) (map[string]int, map[string][]int) {
		return map[string]int{"relu": 1}, map[string][]int{"in": {n}, "in1": {n}, "in2": {n}, "slope": {1}}
	}
}

func cellShape(in, out int) shapes {
	return func(f *function) (map[string]int, map[string][]int) {
		return map[string]int{"mode": 0, "act": 1}, map[string][]int{"in": {in}, "prev_out": {out}, "cell": {out},
			"w": append(f.gateDims(), out, in+out), "b": append(f.gateDims(), out)}
	}
}

// gateDims is the dimension that weights of a cell with several gates have beyond those of one.
func (f family) gateDims() []int {
	if f.gates < 2 {
		return nil
	}
	return []int{f.gates}
}

var referenceTable = []referenceRow{
	{shape: "3x3 32-32 16x16 pad1", family: "conv2d_chw", work: 2359296, unit: kernel.MAC,
		counts: [4]int{1611772, 1611513, 1611776, 0}, shapes: convShape(16, 32, 32, 3, 1, 1)},
	{shape: "3x3 32-32 16x16 pad1", family: "conv2d_hwc", work: 2359296, unit: kernel.MAC,
		counts: [4]int{4034954, 4825573, 4033689, 0}, shapes: convShape(16, 32, 32, 3, 1, 1)},
	{shape: "3x3 32-32 16x16 pad1", family: "conv2d_nhwc", work: 2359296, unit: kernel.MAC,
		counts: [4]int{0, 0, 0, 3255928}, shapes: convShape(16, 32, 32, 3, 1, 1)},
	{shape: "3x3 32-32 16x16 nopad", family: "conv2d_chw", work: 1806336, unit: kernel.MAC,
		counts: [4]int{2690073, 3500159, 6116674, 0}, shapes: convShape(16, 32, 32, 3, 1, 0)},
	{shape: "3x3 32-32 16x16 nopad", family: "conv2d_hwc", work: 1806336, unit: kernel.MAC,
		counts: [4]int{3167841, 3834560, 3167840, 0}, shapes: convShape(16, 32, 32, 3, 1, 0)},
	{shape: "3x3 32-32 16x16 nopad", family: "conv2d_nhwc", work: 1806336, unit: kernel.MAC,
		counts: [4]int{0, 0, 0, 1650999}, shapes: convShape(16, 32, 32, 3, 1, 0)},
	{shape: "1x1 64-64 16x16", family: "conv2d_chw", work: 1048576, unit: kernel.MAC,
		counts: [4]int{709329, 662023, 707025, 0}, shapes: convShape(16, 64, 64, 1, 1, 0)},
	{shape: "1x1 64-64 16x16", family: "conv2d_hwc", work: 1048576, unit: kernel.MAC,
		counts: [4]int{6697601, 773543, 6697600, 0}, shapes: convShape(16, 64, 64, 1, 1, 0)},
	{shape: "1x1 64-64 16x16", family: "conv2d_nhwc", work: 1048576, unit: kernel.MAC,
		counts: [4]int{0, 0, 0, 778073}, shapes: convShape(16, 64, 64, 1, 1, 0)},
	{shape: "1x1 64-64 1x1", family: "conv2d_chw", work: 4096, unit: kernel.MAC,
		counts: [4]int{7569, 6522, 7377, 0}, shapes: convShape(1, 64, 64, 1, 1, 0)},
	{shape: "1x1 64-64 1x1", family: "conv2d_hwc", work: 4096, unit: kernel.MAC,
		counts: [4]int{29441, 3173, 29440, 0}, shapes: convShape(1, 64, 64, 1, 1, 0)},
	{shape: "1x1 64-64 1x1", family: "conv2d_nhwc", work: 4096, unit: kernel.MAC,
		counts: [4]int{0, 0, 0, 7961}, shapes: convShape(1, 64, 64, 1, 1, 0)},
	{shape: "5x5 32-32 16x16 pad2", family: "conv2d_chw", work: 6553600, unit: kernel.MAC,
		counts: [4]int{3636908, 3641770, 3637039, 0}, shapes: convShape(16, 32, 32, 5, 1, 2)},
	{shape: "5x5 32-32 16x16 pad2", family: "conv2d_hwc", work: 6553600, unit: kernel.MAC,
		counts: [4]int{6934730, 7655295, 6931801, 0}, shapes: convShape(16, 32, 32, 5, 1, 2)},
	{shape: "5x5 32-32 16x16 pad2", family: "conv2d_nhwc", work: 6553600, unit: kernel.MAC,
		counts: [4]int{0, 0, 0, 7441012}, shapes: convShape(16, 32, 32, 5, 1, 2)},
	{shape: "3x3 3-16 32x32 pad1", family: "conv2d_chw", work: 442368, unit: kernel.MAC,
		counts: [4]int{449292, 440217, 449296, 0}, shapes: convShape(32, 3, 16, 3, 1, 1)},
	{shape: "3x3 3-16 32x32 pad1", family: "conv2d_hwc", work: 442368, unit: kernel.MAC,
		counts: [4]int{1407930, 1560053, 1410249, 0}, shapes: convShape(32, 3, 16, 3, 1, 1)},
	{shape: "3x3 3-16 32x32 pad1", family: "conv2d_nhwc", work: 442368, unit: kernel.MAC,
		counts: [4]int{0, 0, 0, 1157000}, shapes: convShape(32, 3, 16, 3, 1, 1)},
	{shape: "3x3 32-32 s2 16x16 pad1", family: "conv2d_chw", work: 589824, unit: kernel.MAC,
		counts: [4]int{640392, 702978, 668457, 0}, shapes: convShape(16, 32, 32, 3, 2, 1)},
	{shape: "3x3 32-32 s2 16x16 pad1", family: "conv2d_hwc", work: 589824, unit: kernel.MAC,
		counts: [4]int{1030282, 1209133, 1030041, 0}, shapes: convShape(16, 32, 32, 3, 2, 1)},
	{shape: "3x3 32-32 s2 16x16 pad1", family: "conv2d_nhwc", work: 589824, unit: kernel.MAC,
		counts: [4]int{0, 0, 0, 1131640}, shapes: convShape(16, 32, 32, 3, 2, 1)},
	{shape: "3x3 64 16x16 pad1", family: "depthwise_conv2d_chw", work: 147456, unit: kernel.MAC,
		counts: [4]int{256765, 270732, 257023, 0}, shapes: convShape(16, 64, 64, 3, 1, 1)},
	{shape: "3x3 64 16x16 pad1", family: "depthwise_conv2d_hwcn", work: 147456, unit: kernel.MAC,
		counts: [4]int{0, 0, 0, 449707}, shapes: convShape(16, 64, 64, 3, 1, 1)},
	{shape: "3x3 64 s2 16x16 pad1", family: "depthwise_conv2d_chw", work: 36864, unit: kernel.MAC,
		counts: [4]int{122310, 183895, 169284, 0}, shapes: convShape(16, 64, 64, 3, 2, 1)},
	{shape: "3x3 64 s2 16x16 pad1", family: "depthwise_conv2d_hwcn", work: 36864, unit: kernel.MAC,
		counts: [4]int{0, 0, 0, 183211}, shapes: convShape(16, 64, 64, 3, 2, 1)},
	{shape: "1024-256", family: "fully_connected", work: 262144, unit: kernel.MAC,
		counts: [4]int{133953, 133445, 133695, 266395}, shapes: denseShape(1024, 256)},
	{shape: "64-64", family: "fully_connected", work: 4096, unit: kernel.MAC,
		counts: [4]int{2817, 2693, 2751, 5275}, shapes: denseShape(64, 64)},
	{shape: "3x3 s2 16x16x32", family: "maxpool_chw", work: 2048, unit: kernel.Output,
		counts: [4]int{44191, 38662, 0, 0}, shapes: poolShape(16, 32, 3, 2)},
	{shape: "2x2 s2 16x16x32", family: "maxpool_chw", work: 2048, unit: kernel.Output,
		counts: [4]int{18162, 12127, 0, 0}, shapes: poolShape(16, 32, 2, 2)},
	{shape: "3x3 s2 16x16x32", family: "maxpool_hwc", work: 2048, unit: kernel.Output,
		counts: [4]int{46096, 36818, 0, 46100}, shapes: poolShape(16, 32, 3, 2)},
	{shape: "2x2 s2 16x16x32", family: "maxpool_hwc", work: 2048, unit: kernel.Output,
		counts: [4]int{12369, 6499, 0, 12374}, shapes: poolShape(16, 32, 2, 2)},
	{shape: "3x3 s2 16x16x32", family: "avepool_chw", work: 2048, unit: kernel.Output,
		counts: [4]int{52095, 44938, 0, 0}, shapes: poolShape(16, 32, 3, 2)},
	{shape: "2x2 s2 16x16x32", family: "avepool_chw", work: 2048, unit: kernel.Output,
		counts: [4]int{7737, 7736, 0, 0}, shapes: poolShape(16, 32, 2, 2)},
	{shape: "3x3 s2 16x16x32", family: "avepool_hwc", work: 2048, unit: kernel.Output,
		counts: [4]int{47393, 43706, 0, 47397}, shapes: poolShape(16, 32, 3, 2)},
	{shape: "2x2 s2 16x16x32", family: "avepool_hwc", work: 2048, unit: kernel.Output,
		counts: [4]int{18251, 15179, 0, 18257}, shapes: poolShape(16, 32, 2, 2)},
	{shape: "10", family: "softmax", work: 10, unit: kernel.Element, counts: [4]int{291, 215, 0, 0}, shapes: flatShape(10)},
	{shape: "1024", family: "softmax", work: 1024, unit: kernel.Element,
		counts: [4]int{14994, 7820, 0, 0}, shapes: flatShape(1024)},
	{shape: "10", family: "sigm", work: 10, unit: kernel.Element, counts: [4]int{206, 180, 0, 0}, shapes: flatShape(10)},
	{shape: "1024", family: "sigm", work: 1024, unit: kernel.Element,
		counts: [4]int{12881, 10320, 0, 0}, shapes: flatShape(1024)},
	{shape: "10", family: "tanh", work: 10, unit: kernel.Element, counts: [4]int{140, 115, 0, 0}, shapes: flatShape(10)},
	{shape: "1024", family: "tanh", work: 1024, unit: kernel.Element,
		counts: [4]int{7238, 4678, 0, 0}, shapes: flatShape(1024)},
	{shape: "1024", family: "relu", work: 1024, unit: kernel.Element, counts: [4]int{1593, 570, 0, 0}, shapes: flatShape(1024)},
	{shape: "1024", family: "leaky_relu", work: 1024, unit: kernel.Element,
		counts: [4]int{3662, 1616, 0, 0}, shapes: flatShape(1024)},
	{shape: "1024", family: "eltwise_add", work: 1024, unit: kernel.Element,
		counts: [4]int{3150, 593, 0, 0}, shapes: flatShape(1024)},
	{shape: "1024", family: "eltwise_mul", work: 1024, unit: kernel.Element,
		counts: [4]int{4710, 1641, 0, 0}, shapes: flatShape(1024)},
	{shape: "1024", family: "eltwise_max", work: 1024, unit: kernel.Element,
		counts: [4]int{1101, 593, 0, 0}, shapes: flatShape(1024)},
	{shape: "32-32 tanh", family: "lstm_cell", work: 8192, unit: kernel.MAC,
		counts: [4]int{9466, 8871, 8991, 0}, shapes: cellShape(32, 32)},
	{shape: "32-32 tanh", family: "basic_rnn_cell", work: 2048, unit: kernel.MAC,
		counts: [4]int{2044, 2097, 2126, 0}, shapes: cellShape(32, 32)},
}

// addTo makes the row a reference of each function it has a count for.
func (r referenceRow) addTo(all []*function) {
	for i, typ := range referenceTypes {
		for _, f := range all {
			if r.counts[i] != 0 && f.Family == r.family && f.kernel.Types == typ {
				ref := f.reference(r.shape, r.shapes)
				ref.Work, ref.Unit, ref.Vendor = r.work, r.unit, r.counts[i]
				f.kernel.References = append(f.kernel.References, ref)
			}
		}
	}
}

// tableFrac is the input format of the rows with activation tables. At 4.5 and 7.5 instructions per
// element the vendor's tanh and softmax cannot have interpolated, its sigm at 10 can: that is so for
// inputs with the fractional bits of the first two tables, one more than those of the third.
var tableFrac = 4

// reference makes a call by its shape, with deterministic data in formats that use the output's range.
func (f *function) reference(shape string, s shapes) kernel.Reference {
	r := kernel.Reference{Kernel: f.kernel, Shape: shape}
	r.Job = func() (*kernel.Job, error) {
		g := generator{function: f, rand: newRand(r.Name())}
		params, tensors := s(f)
		c := g.build(params, nil, tensors)
		if f.tableInput != nil {
			c.Input("in").Format.Frac = *f.tableInput
		}
		return kernel.NewJob(c)
	}
	return r
}
