package mli11

import (
	"arcv2dsp/mlikernels/internal/mli"
	"fmt"

	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// The sizes of networks, and formats at their limits. The grid around small shapes cannot see a step between
// channels or rows that does not fit an immediate, a plane beyond 32 or 64 KB, a count beyond 12 bits.

// largeSlides are windows over maps as networks have them: rectangular, with four different paddings,
// with strides to 16, with many channels, with rows and planes that are far apart.
func largeSlides() []slide {
	return []slide{
		{h: 224, w: 224, c: 3, o: 2, kh: 3, kw: 3, sh: 2, sw: 2, r: 1, b: 1, relu: 3},
		{h: 200, w: 170, c: 1, o: 2, kh: 5, kw: 3, sh: 1, sw: 2, l: 2, r: 1, t: 3, b: 4, relu: 1},
		{h: 130, w: 260, c: 2, o: 1, kh: 7, kw: 6, sh: 16, sw: 15, l: 5, r: 1, t: 2, b: 3},
		{h: 112, w: 300, c: 2, o: 2, kh: 1, kw: 1, sh: 1, sw: 3},
		{h: 3, w: 3, c: 2050, o: 2, kh: 1, kw: 1, sh: 1, sw: 1, relu: 1},
		{h: 3, w: 4, c: 1030, o: 3, kh: 3, kw: 2, sh: 1, sw: 1, l: 1, t: 2, b: 1},
		{h: 5, w: 4100, c: 1, o: 2, kh: 3, kw: 5, sh: 2, sw: 9, l: 1, r: 3, t: 2},
		{h: 40, w: 50, c: 5, o: 3, kh: 3, kw: 5, sh: 16, sw: 16, l: 4, r: 2, b: 2, relu: 2},
		{h: 56, w: 56, c: 8, o: 1, kh: 2, kw: 3, sh: 9, sw: 10, r: 2, t: 1},
	}
}

// globalWindows are windows that cover the whole map, or most of it.
func globalWindows() []slide {
	return []slide{
		{h: 56, w: 56, c: 3, kh: 56, kw: 56, sh: 1, sw: 1},
		{h: 7, w: 7, c: 260, kh: 7, kw: 7, sh: 1, sw: 1},
		{h: 31, w: 100, c: 2, kh: 30, kw: 99, sh: 3, sw: 2, l: 7, b: 1},
	}
}

// large lists the points of the sizes of networks.
func (f *function) large() []point {
	var all []point
	add := func(name string, params map[string]int, lists, shapes map[string][]int) {
		all = append(all, point{name: "large_" + name, params: params, lists: lists, shapes: shapes})
	}
	switch {
	case f.config == convConfiguration:
		for _, p := range f.slidePoints(largeSlides()) {
			add(p.name, p.params, nil, p.shapes)
		}
	case f.config == mli.Pool:
		for _, p := range f.windowPoints(append(largeSlides(), globalWindows()...)) {
			add(p.name, p.params, nil, p.shapes)
		}
	case f.config == paddingConfiguration:
		for _, m := range [][3]int{{100, 120, 3}, {3, 4100, 2}, {2, 3, 1030}} {
			add(mli.Join(m[:]), map[string]int{"pad_l": 20, "pad_r": 17, "pad_t": 3, "pad_b": 5}, nil,
				map[string][]int{"in": f.order.maps(m[0], m[1], m[2])})
		}
	case f.gates > 0:
		for _, n := range [][2]int{{2050, 3}, {5, 70}} {
			add(fmt.Sprintf("%d-%d", n[0], n[1]), map[string]int{"act": 1}, nil, map[string][]int{"in": {n[0]}, "prev_out": {n[1]},
				"cell": {n[1]}, "w": append(f.gateDims(), n[1], n[0]+n[1]), "b": append(f.gateDims(), n[1])})
		}
	case f.weights():
		for _, n := range [][2]int{{2048, 3}, {4099, 2}, {3, 2100}, {1031, 65}} {
			add(fmt.Sprintf("%d-%d", n[0], n[1]), nil, nil, map[string][]int{"in": {n[0]}, "w": {n[1], n[0]}, "b": {n[1]}})
		}
	case f.config == concatConfiguration:
		for axis := range 3 {
			shapes := map[string][]int{}
			for i, n := range []int{1, 37, 5} {
				s := []int{40, 50, 30}
				s[axis] = n
				shapes[fmt.Sprintf("in%d", i)] = s
			}
			add(fmt.Sprintf("axis%d", axis), map[string]int{"axis": axis}, nil, shapes)
		}
	case f.config == mli.Permute:
		for _, perm := range [][]int{{2, 0, 1}, {1, 2, 0}, {2, 1, 0}} {
			add("100x90x5_"+mli.Join(perm), nil, map[string][]int{"perm": perm}, map[string][]int{"in": {100, 90, 5}})
		}
		add("3x2x70x100_3x1x0x2", nil, map[string][]int{"perm": {3, 1, 0, 2}}, map[string][]int{"in": {3, 2, 70, 100}})
	default:
		for i, n := range []int{4096, 4099, 35001} {
			add(fmt.Sprint(n), map[string]int{"relu": 1 + i}, nil,
				map[string][]int{"in": {n}, "in1": {n}, "in2": {n}, "slope": {1}})
		}
	}
	for i := range all {
		all[i].style, all[i].large = mli.StyleOf(i), true
	}
	return all
}

// farShifts are right shifts of sums at and beyond the width of a word and of an accumulator.
var farShifts = []int{30, 31, 32, 33, 39, 40, 41, 63}

// zeroPoints are those at the ends of elements, beside them and at the ends of what a tensor holds.
var zeroPoints = []int64{-128, -127, 127, 128, -129, 0, 32767, -32767}

// limits lists points with formats at their limits.
func (f *function) limits() []point {
	ints, lists, shapes := f.plainShapes()
	var all []point
	add := func(name string, adjust func(*nn.Call)) {
		all = append(all, point{name: "limit_" + name, params: ints, lists: lists, shapes: shapes, style: mli.Extreme,
			adjust: adjust})
	}
	if f.Data == golden.SA8 {
		for _, zero := range zeroPoints {
			if f.weights() {
				add(fmt.Sprintf("in_zero%d", zero), func(c *nn.Call) { c.Input("in").Format.Zeros = []int64{zero} })
				add(fmt.Sprintf("out_zero%d", zero), func(c *nn.Call) { c.Out[0].Format.Zeros = []int64{zero} })
			}
		}
		if f.config == convConfiguration && !f.order.depthwise { // enough positions for filters by pairs
			shapes = map[string][]int{"in": f.order.maps(12, 12, 1), "w": f.order.weights(4, 1, 3, 3), "b": {4}}
			for _, zero := range []int64{32767, -32767} {
				add(fmt.Sprintf("pairs_out_zero%d", zero), func(c *nn.Call) { c.Out[0].Format.Zeros = []int64{zero} })
			}
		}
		return all
	}
	for _, shift := range farShifts {
		switch {
		case f.gates > 0 && shift > 40: // the inner formats of a cell are fixed
		case f.weights():
			add(fmt.Sprintf("shift%d", shift), func(c *nn.Call) {
				in, w := c.Input("in"), c.Input("w")
				in.Format.Frac, w.Format.Frac = shift/2+2, shift-shift/2+2
				c.Input("b").Format.Frac = 4 + shift
				c.Out[0].Format.Frac = 4
				if prev := c.Input("prev_out"); prev != nil {
					prev.Format.Frac = in.Format.Frac
				}
			})
		case f.product:
			add(fmt.Sprintf("shift%d", shift), func(c *nn.Call) {
				c.In[0].Format.Frac, c.In[1].Format.Frac, c.Out[0].Format.Frac = 3+shift/2, shift-shift/2, 3
			})
		}
	}
	return all
}

// plainShapes are shapes without anything special.
func (f *function) plainShapes() (ints map[string]int, lists map[string][]int, shapes map[string][]int) {
	ints = map[string]int{"stride_w": 1, "stride_h": 1, "kernel_w": 2, "kernel_h": 2}
	switch {
	case f.config == convConfiguration:
		outputs := 2
		if f.order.depthwise {
			outputs = 4
		}
		shapes = map[string][]int{"in": f.order.maps(5, 6, 4), "w": f.order.weights(outputs, 4, 3, 3), "b": {outputs}}
	case f.gates > 0:
		shapes = map[string][]int{"in": {6}, "prev_out": {4}, "w": append(f.gateDims(), 4, 10), "b": append(f.gateDims(), 4), "cell": {4}}
	case f.weights():
		shapes = map[string][]int{"in": {12}, "w": {5, 12}, "b": {5}}
	case f.config == concatConfiguration:
		ints, shapes = map[string]int{"axis": 1}, map[string][]int{"in0": {2, 3}, "in1": {2, 4}}
	case f.config == mli.Permute:
		lists, shapes = map[string][]int{"perm": {0, 1, 2}}, map[string][]int{"in": {4, 3, 2}}
	case f.config == paddingConfiguration:
		ints, shapes = map[string]int{"pad_l": 1}, map[string][]int{"in": {2, 3, 4}}
	default:
		shapes = map[string][]int{"in": {2, 4, 6}, "slope": {1}, "in1": {4, 6}, "in2": {4, 6}}
	}
	return ints, lists, shapes
}
