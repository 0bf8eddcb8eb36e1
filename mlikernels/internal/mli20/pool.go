package mli20

import (
	"arcv2dsp/mlikernels/internal/mli"
	"fmt"

	"arcv2dsp/nn"
)

// poolRows are the functions that make an output of the elements under a window.
func poolRows() []row {
	return []row{pooling("avepool_hwc", "Mean pooling", "0"), pooling("maxpool_hwc", "Maximum pooling", "1")}
}

func pooling(family, title, poolMax string) row {
	return row{family: family, args: []mli.Argument{mli.Input, mli.Cfg, mli.Output}, config: mli.Pool, special: kernelSizes("WINDOW_IS", 2, 3),
		grid: poolPoints, source: source{title: title, equ: []string{"POOL_MAX," + poolMax}, body: "pool.inc"}}
}

// poolPoints are the windows of convolutions that do not reach past the map by more than they are wide.
func poolPoints(f *function) []point {
	var all []point
	for i, w := range windows() {
		if w.dh > 1 || w.dw > 1 || w.h+w.pad[2]+w.pad[3] < w.kh || w.w+w.pad[0]+w.pad[1] < w.kw {
			continue
		}
		p := point{name: fmt.Sprintf("%s_%dx%dx%d_k%dx%d_s%dx%d_p%d%d%d%d", w.name, w.h, w.w, w.c, w.kh, w.kw, w.sh, w.sw,
			w.pad[0], w.pad[1], w.pad[2], w.pad[3]),
			params: map[string]int{"kernel_h": w.kh, "kernel_w": w.kw, "stride_h": w.sh, "stride_w": w.sw,
				"pad_l": w.pad[0], "pad_r": w.pad[1], "pad_t": w.pad[2], "pad_b": w.pad[3]},
			shapes: map[string][]int{"in": {w.h, w.w, w.c}}}
		p.adjust = func(c *nn.Call) { // outputs in the format of the map, a finer and a coarser one
			in, out := c.Input("in").Format, &c.Out[0].Format
			if in.Kind == nn.Fixed {
				out.Frac = in.Frac + i%4 - 2
				return
			}
			out.ScaleFrac = in.ScaleFrac + i%3 - 1
		}
		all = append(all, p)
	}
	if f.Data.Affine() { // units of the output so large that the zero point leaves 32 bits, or nothing is left of them
		for _, frac := range []int{12, 20, 26} {
			p := all[0]
			p.name, p.adjust, p.formats = fmt.Sprintf("coarse%d", frac), nil, map[string]nn.Format{}
			for role, at := range map[string]int{"in": frac, "out": 0} {
				p.formats[role] = nn.Format{Kind: nn.Mantissa, Axis: -1, Mantissas: []int32{30011}, ScaleFrac: at, Zeros: []int64{int64(127 - frac + at)}}
			}
			all = append(all, p)
		}
	}
	for _, side := range []int{23, 33} { // the greatest bytes: the half that rounds their sum up leaves 32 bits, or the sum does
		all = append(all, point{name: fmt.Sprintf("greatest%d", side), params: map[string]int{"kernel_h": side, "kernel_w": side},
			shapes: map[string][]int{"in": {side, side + 1, 2}}, adjust: func(c *nn.Call) {
				in, out := c.Input("in"), c.Out[0]
				if _, most := in.Type.Range(); in.Format.Kind == nn.Fixed {
					out.Format.Frac = in.Format.Frac - 2
					for i := range in.Ints {
						in.Ints[i] = most
					}
				}
			}})
	}
	return append(all, point{name: "many-taps", params: map[string]int{"kernel_h": 17, "kernel_w": 18},
		shapes: map[string][]int{"in": {18, 20, 3}}})
}
