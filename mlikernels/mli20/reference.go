package mli20

import (
	"fmt"

	"arcv2dsp/mlikernels/kernel"
	"arcv2dsp/nn"
)

// referenceShape is a shape whose cost is on record for all functions of an operator.
type referenceShape struct {
	family, shape string
	point         func(f *function) point
}

// references are typical layers.
func references() []referenceShape {
	return []referenceShape{
		windowShape("conv2d_hwcn", "3x3 32-32 16x16 pad1", window{h: 16, w: 16, c: 32, o: 32, kh: 3, sh: 1, pad: [4]int{1, 1, 1, 1}}),
		windowShape("conv2d_hwcn", "2x2 32-32 16x16", window{h: 16, w: 16, c: 32, o: 32, kh: 2, sh: 1}),
		windowShape("conv2d_hwcn", "1x1 64-64 16x16", window{h: 16, w: 16, c: 64, o: 64, kh: 1, sh: 1}),
		windowShape("conv2d_hwcn", "3x3 3-16 32x32 pad1", window{h: 32, w: 32, c: 3, o: 16, kh: 3, sh: 1, pad: [4]int{1, 1, 1, 1}}),
		windowShape("conv2d_hwcn", "3x3 32-32 s2 16x16 pad1", window{h: 16, w: 16, c: 32, o: 32, kh: 3, sh: 2, pad: [4]int{1, 1, 1, 1}}),
		windowShape("depthwise_conv2d_hwcn", "3x3 64 16x16 pad1", window{h: 16, w: 16, c: 64, o: 64, kh: 3, sh: 1, groups: 64, pad: [4]int{1, 1, 1, 1}}),
		windowShape("group_conv2d_hwcn", "3x3 32-32 4 groups 16x16 pad1", window{h: 16, w: 16, c: 32, o: 32, kh: 3, sh: 1, groups: 4, pad: [4]int{1, 1, 1, 1}}),
		windowShape("transpose_conv2d_hwcn", "4x4 32-32 s2 8x8 pad1", window{h: 8, w: 8, c: 32, o: 32, kh: 4, sh: 2, pad: [4]int{1, 1, 1, 1}}),
		windowShape("avepool_hwc", "3x3 s2 17x17x32", window{h: 17, w: 17, c: 32, kh: 3, sh: 2}),
		windowShape("maxpool_hwc", "3x3 s2 17x17x32", window{h: 17, w: 17, c: 32, kh: 3, sh: 2}),
		windowShape("maxpool_hwc", "2x2 s2 16x16x32", window{h: 16, w: 16, c: 32, kh: 2, sh: 2}),
		denseShape("1024-256", 1024, 256),
		denseShape("64-64", 64, 64),
		{"rnn_dense", "64+64-64", func(f *function) point {
			return point{params: map[string]int{"inputs": 2}, shapes: map[string][]int{"in0": {64}, "w0": {64, 64}, "in1": {64}, "w1": {64, 64}, "b": {64}},
				adjust: f.sumFormats(128, -1, 0)}
		}},
		cellShape("lstm_cell", 4, 32),
		cellShape("lstm_cell", 4, 128),
		cellShape("gru_cell", 3, 32),
		cellShape("gru_cell", 3, 128),
	}
}

func windowShape(family, shape string, w window) referenceShape {
	return referenceShape{family, shape, func(f *function) point {
		p := point{params: map[string]int{"kernel_h": w.kh, "kernel_w": w.kh, "stride_h": w.sh, "stride_w": w.sh, "relu": 1,
			"pad_l": w.pad[0], "pad_r": w.pad[1], "pad_t": w.pad[2], "pad_b": w.pad[3]}, shapes: map[string][]int{"in": {w.h, w.w, w.c}}}
		if w.o > 0 {
			inputs := w.c / max(1, w.groups)
			p.shapes["w"], p.shapes["b"] = []int{w.kh, w.kh, inputs, w.o}, []int{w.o}
			p.adjust = f.sumFormats(w.kh*w.kh*inputs, 3, 1)
		}
		return p
	}}
}

func denseShape(shape string, inputs, outputs int) referenceShape {
	return referenceShape{"fully_connected", shape, func(f *function) point {
		return point{shapes: map[string][]int{"in": {inputs}, "w": {inputs, outputs}, "b": {outputs}}, adjust: f.sumFormats(inputs, 1, 0)}
	}}
}

// cellShape is four steps of a recurrent cell with as many inputs as outputs.
func cellShape(family string, gates, n int) referenceShape {
	return referenceShape{family, fmt.Sprintf("%[1]d-%[1]d 4 steps", n), func(f *function) point {
		return point{params: map[string]int{"act": 1}, shapes: map[string][]int{"in": {4, n}, "prev_out": {n}, "w_in": {gates, n, n},
			"w_out": {gates, n, n}, "b": {gates, n}, "cell": {n}}, adjust: f.sumFormats(2*n, 0, 0)}
	}}
}

// reference makes a call of a shape, with deterministic data.
func (f *function) reference(s referenceShape) kernel.Reference {
	p := s.point(f)
	p.name = s.shape
	r := kernel.Reference{Kernel: f.kernel, Shape: s.shape, Unit: f.kernel.Unit}
	r.Job = func() (*kernel.Job, error) { return f.job(p, nn.Convergent, 1) }
	steps := 1
	if in := p.shapes["in"]; p.shapes["prev_out"] != nil {
		steps = in[0]
	}
	for _, role := range []string{"w", "w0", "w1", "w_in", "w_out"} {
		r.Work += steps * nn.Count(p.shapes[role]) * min(1, len(p.shapes[role]))
	}
	if out := outputPositions(f, p); out > 0 {
		r.Work = max(r.Work, 1) * out
	}
	return r
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
