package mli11

import (
	"errors"
	"fmt"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/mlikernels/internal/mli"
	"arcv2dsp/nn"
)

// referenceTypes are the columns of referenceTable.
var referenceTypes = [...]string{"fx8", "fx16", "fx8w16d", "sa8"}

// referenceRow is a shape of an operator with the instructions that the vendor's own compiled functions
// execute for the call, by type, 0 where there is none. The rectifier is on.
type referenceRow struct {
	shape  string
	family string
	work   int // counted by hand: products, or elements of the output
	counts [len(referenceTypes)]int
}

// shapes makes the attributes and tensors of a call of a function.
type shapes func(f *function) (params map[string]int, tensors map[string][]int)

// convShape describes a convolution.
func convShape(w mli.Window, err error) (shapes, error) {
	switch {
	case err != nil:
		return nil, err
	case w.H.Dilation > 1 || w.W.Dilation > 1:
		return nil, errors.New("windows have no dilation in MLI 1.1")
	case w.Groups > 1 && w.Groups != w.Channels:
		return nil, errors.New("convolutions have no groups in MLI 1.1")
	}
	return func(f *function) (map[string]int, map[string][]int) {
		params := windowParams(w)
		params["relu"] = 1
		return params, map[string][]int{"in": f.order.maps(w.H.Size, w.W.Size, w.Channels),
			"w": f.order.weights(w.Outputs, w.Channels, w.H.K, w.W.K), "b": {w.Outputs}}
	}, nil
}

// windowParams are the attributes of a window.
func windowParams(w mli.Window) map[string]int {
	return map[string]int{"stride_w": w.W.Stride, "stride_h": w.H.Stride,
		"pad_l": w.W.Before, "pad_r": w.W.After, "pad_t": w.H.Before, "pad_b": w.H.After}
}

// poolShape describes pooling of a map, padded as far as the last window needs where the notation gives no padding.
func poolShape(w mli.Window, err error) (shapes, error) {
	if err != nil {
		return nil, err
	}
	for _, s := range []*mli.Side{&w.H, &w.W} {
		if pad := ((s.Size+s.Stride-1)/s.Stride-1)*s.Stride + s.K - s.Size; !w.Padded && pad > 0 {
			s.Before, s.After = pad/2, pad-pad/2
		}
	}
	return func(f *function) (map[string]int, map[string][]int) {
		params := windowParams(w)
		params["kernel_w"], params["kernel_h"] = w.W.K, w.H.K
		return params, map[string][]int{"in": f.order.maps(w.H.Size, w.W.Size, w.Channels)}
	}, nil
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

// cellShape describes a recurrent cell: one step, or all outputs of a sequence.
func cellShape(c mli.Cell, err error) (shapes, error) {
	return func(f *function) (map[string]int, map[string][]int) {
		params, in := map[string]int{"mode": 0, "act": c.Act}, []int{c.In}
		if c.Steps > 1 {
			params["mode"], in = 1, []int{c.Steps, c.In}
		}
		return params, map[string][]int{"in": in, "prev_out": {c.Out}, "cell": {c.Out},
			"w": append(f.gateDims(), c.Out, c.In+c.Out), "b": append(f.gateDims(), c.Out)}
	}, err
}

// gateDims is the first dimension of the weights of a cell with several gates; a cell with one gate has no such dimension.
func (f family) gateDims() []int {
	if f.gates < 2 {
		return nil
	}
	return []int{f.gates}
}

var referenceTable = []referenceRow{
	{shape: "3x3 32-32 16x16 pad1", family: "conv2d_chw", work: 2359296, counts: [4]int{1611772, 1611513, 1611776, 0}},
	{shape: "3x3 32-32 16x16 pad1", family: "conv2d_hwc", work: 2359296, counts: [4]int{4034954, 4825573, 4033689, 0}},
	{shape: "3x3 32-32 16x16 pad1", family: "conv2d_nhwc", work: 2359296, counts: [4]int{0, 0, 0, 3255928}},
	{shape: "3x3 32-32 16x16 nopad", family: "conv2d_chw", work: 1806336, counts: [4]int{2690073, 3500159, 6116674, 0}},
	{shape: "3x3 32-32 16x16 nopad", family: "conv2d_hwc", work: 1806336, counts: [4]int{3167841, 3834560, 3167840, 0}},
	{shape: "3x3 32-32 16x16 nopad", family: "conv2d_nhwc", work: 1806336, counts: [4]int{0, 0, 0, 1650999}},
	{shape: "1x1 64-64 16x16", family: "conv2d_chw", work: 1048576, counts: [4]int{709329, 662023, 707025, 0}},
	{shape: "1x1 64-64 16x16", family: "conv2d_hwc", work: 1048576, counts: [4]int{6697601, 773543, 6697600, 0}},
	{shape: "1x1 64-64 16x16", family: "conv2d_nhwc", work: 1048576, counts: [4]int{0, 0, 0, 778073}},
	{shape: "1x1 64-64 1x1", family: "conv2d_chw", work: 4096, counts: [4]int{7569, 6522, 7377, 0}},
	{shape: "1x1 64-64 1x1", family: "conv2d_hwc", work: 4096, counts: [4]int{29441, 3173, 29440, 0}},
	{shape: "1x1 64-64 1x1", family: "conv2d_nhwc", work: 4096, counts: [4]int{0, 0, 0, 7961}},
	{shape: "5x5 32-32 16x16 pad2", family: "conv2d_chw", work: 6553600, counts: [4]int{3636908, 3641770, 3637039, 0}},
	{shape: "5x5 32-32 16x16 pad2", family: "conv2d_hwc", work: 6553600, counts: [4]int{6934730, 7655295, 6931801, 0}},
	{shape: "5x5 32-32 16x16 pad2", family: "conv2d_nhwc", work: 6553600, counts: [4]int{0, 0, 0, 7441012}},
	{shape: "3x3 3-16 32x32 pad1", family: "conv2d_chw", work: 442368, counts: [4]int{449292, 440217, 449296, 0}},
	{shape: "3x3 3-16 32x32 pad1", family: "conv2d_hwc", work: 442368, counts: [4]int{1407930, 1560053, 1410249, 0}},
	{shape: "3x3 3-16 32x32 pad1", family: "conv2d_nhwc", work: 442368, counts: [4]int{0, 0, 0, 1157000}},
	{shape: "3x3 32-32 s2 16x16 pad1", family: "conv2d_chw", work: 589824, counts: [4]int{640392, 702978, 668457, 0}},
	{shape: "3x3 32-32 s2 16x16 pad1", family: "conv2d_hwc", work: 589824, counts: [4]int{1030282, 1209133, 1030041, 0}},
	{shape: "3x3 32-32 s2 16x16 pad1", family: "conv2d_nhwc", work: 589824, counts: [4]int{0, 0, 0, 1131640}},
	{shape: "3x3 64 16x16 pad1", family: "depthwise_conv2d_chw", work: 147456, counts: [4]int{256765, 270732, 257023, 0}},
	{shape: "3x3 64 16x16 pad1", family: "depthwise_conv2d_hwcn", work: 147456, counts: [4]int{0, 0, 0, 449707}},
	{shape: "3x3 64 s2 16x16 pad1", family: "depthwise_conv2d_chw", work: 36864, counts: [4]int{122310, 183895, 169284, 0}},
	{shape: "3x3 64 s2 16x16 pad1", family: "depthwise_conv2d_hwcn", work: 36864, counts: [4]int{0, 0, 0, 183211}},
	{shape: "1024-256", family: "fully_connected", work: 262144, counts: [4]int{133953, 133445, 133695, 266395}},
	{shape: "64-64", family: "fully_connected", work: 4096, counts: [4]int{2817, 2693, 2751, 5275}},
	{shape: "3x3 s2 16x16x32", family: "maxpool_chw", work: 2048, counts: [4]int{44191, 38662, 0, 0}},
	{shape: "2x2 s2 16x16x32", family: "maxpool_chw", work: 2048, counts: [4]int{18162, 12127, 0, 0}},
	{shape: "3x3 s2 16x16x32", family: "maxpool_hwc", work: 2048, counts: [4]int{46096, 36818, 0, 46100}},
	{shape: "2x2 s2 16x16x32", family: "maxpool_hwc", work: 2048, counts: [4]int{12369, 6499, 0, 12374}},
	{shape: "3x3 s2 16x16x32", family: "avepool_chw", work: 2048, counts: [4]int{52095, 44938, 0, 0}},
	{shape: "2x2 s2 16x16x32", family: "avepool_chw", work: 2048, counts: [4]int{7737, 7736, 0, 0}},
	{shape: "3x3 s2 16x16x32", family: "avepool_hwc", work: 2048, counts: [4]int{47393, 43706, 0, 47397}},
	{shape: "2x2 s2 16x16x32", family: "avepool_hwc", work: 2048, counts: [4]int{18251, 15179, 0, 18257}},
	{shape: "10", family: "softmax", work: 10, counts: [4]int{291, 215, 0, 0}},
	{shape: "1024", family: "softmax", work: 1024, counts: [4]int{14994, 7820, 0, 0}},
	{shape: "10", family: "sigm", work: 10, counts: [4]int{206, 180, 0, 0}},
	{shape: "1024", family: "sigm", work: 1024, counts: [4]int{12881, 10320, 0, 0}},
	{shape: "10", family: "tanh", work: 10, counts: [4]int{140, 115, 0, 0}},
	{shape: "1024", family: "tanh", work: 1024, counts: [4]int{7238, 4678, 0, 0}},
	{shape: "1024", family: "relu", work: 1024, counts: [4]int{1593, 570, 0, 0}},
	{shape: "1024", family: "leaky_relu", work: 1024, counts: [4]int{3662, 1616, 0, 0}},
	{shape: "1024", family: "eltwise_add", work: 1024, counts: [4]int{3150, 593, 0, 0}},
	{shape: "1024", family: "eltwise_mul", work: 1024, counts: [4]int{4710, 1641, 0, 0}},
	{shape: "1024", family: "eltwise_max", work: 1024, counts: [4]int{1101, 593, 0, 0}},
	{shape: "32-32 tanh", family: "lstm_cell", work: 8192, counts: [4]int{9466, 8871, 8991, 0}},
	{shape: "32-32 tanh", family: "basic_rnn_cell", work: 2048, counts: [4]int{2044, 2097, 2126, 0}},
}

// addTo makes the row a layer of each function it has a count for.
func (r referenceRow) addTo(all []*function) {
	for i, typ := range referenceTypes {
		for _, f := range all {
			if r.counts[i] == 0 || f.Family != r.family || f.kernel.Types != typ {
				continue
			}
			c, err := f.parse(r.shape)
			if err != nil {
				panic("mlikernels/mli11: " + err.Error())
			}
			c.Vendor = r.counts[i]
			f.kernel.Layers = append(f.kernel.Layers, c)
		}
	}
}

// tableFrac is the input format of the rows with activation tables. At 4.5 and 7.5 instructions per
// element the vendor's tanh and softmax cannot have interpolated, its sigm at 10 can: that is so for
// inputs with the fractional bits of the first two tables, one more than those of the third.
var tableFrac = 4

// layer makes a call by its shape, with deterministic data in formats that use the output's range.
func (f *function) layer(shape string, s shapes) kernel.Case {
	c := kernel.Case{Kernel: f.kernel, Name: shape, Plain: true}
	c.Job = func(round nn.Rounding, seed uint64) (*kernel.Job, error) {
		name := c.FullName()
		if seed != kernel.Seed {
			name += fmt.Sprintf("/%d", seed)
		}
		g := generator{function: f, rand: kernel.NewRand(name, kernel.Stream), round: round}
		params, tensors := s(f)
		call := g.build(params, nil, tensors)
		if f.tableInput != nil {
			call.Input("in").Format.Frac = *f.tableInput
		}
		return kernel.NewJob(call)
	}
	return c
}
