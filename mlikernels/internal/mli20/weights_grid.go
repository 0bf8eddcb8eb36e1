package mli20

import (
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strings"

	"arcv2dsp/mlikernels/internal/mli"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// window is the geometry of a case: map, window, strides, dilations, paddings left, right, top, bottom.
type window struct {
	h, w, c, o     int
	kh, kw, sh, sw int
	dh, dw         int
	pad            [4]int
	name           string
}

// windows are the cases of convolutions: every side of padding, strides, dilations, sizes at the edges of what is
// unrolled, layers of networks.
func windows() []window {
	var all []window
	add := func(name string, w window) {
		w.name = name
		w.sh, w.sw, w.dh, w.dw = max(w.sh, 1), max(w.sw, 1), max(w.dh, 1), max(w.dw, 1)
		all = append(all, w)
	}
	for i, c := range mli.Edges {
		add("channels", window{h: 3, w: 4, c: c, o: mli.Edges[len(mli.Edges)-1-i], kh: 1, kw: 1})
		add("pairs", window{h: 4, w: 5, c: c, o: c, kh: 3, kw: 2, pad: [4]int{i & 1, i >> 1 & 1, i >> 2 & 1, i & 1}})
	}
	for side := range 4 {
		var p [4]int
		p[side] = 2
		add("side", window{h: 5, w: 6, c: 3, o: 4, kh: 3, kw: 3, pad: p})
	}
	for _, s := range [][2]int{{1, 2}, {2, 1}, {2, 2}, {3, 2}, {3, 5}} {
		add("stride", window{h: 9, w: 11, c: 4, o: 6, kh: 3, kw: 3, sh: s[0], sw: s[1], pad: [4]int{1, 1, 1, 1}})
	}
	for _, d := range [][2]int{{1, 2}, {2, 1}, {2, 2}, {3, 2}, {5, 4}} {
		add("dilation", window{h: 9, w: 10, c: 4, o: 5, kh: 3, kw: 2, dh: d[0], dw: d[1], pad: [4]int{d[1] - 1, 1, d[0], d[0]}})
	}
	add("apart", window{h: 2, w: 3, c: 3, o: 3, kh: 3, kw: 3, dh: 3, dw: 2, sh: 2, pad: [4]int{2, 3, 4, 4}})
	add("no-taps", window{h: 1, w: 1, c: 5, o: 3, kh: 2, kw: 2, dh: 2, dw: 2, pad: [4]int{1, 1, 1, 1}})
	add("no-row", window{h: 1, w: 6, c: 2, o: 4, kh: 2, kw: 3, dh: 2, dw: 1, pad: [4]int{1, 1, 1, 1}})
	add("row", window{h: 1, w: 20, c: 8, o: 6, kh: 1, kw: 5, pad: [4]int{2, 2, 0, 0}})
	add("column", window{h: 20, w: 1, c: 8, o: 6, kh: 5, kw: 1, pad: [4]int{0, 0, 2, 2}})
	add("two", window{h: 6, w: 8, c: 7, o: 5, kh: 2, kw: 2, sh: 2, sw: 2})
	add("four", window{h: 5, w: 4, c: 6, o: 9, kh: 4, kw: 4, sh: 2, sw: 2, pad: [4]int{1, 1, 1, 1}})
	add("large", window{h: 8, w: 9, c: 5, o: 4, kh: 7, kw: 6, pad: [4]int{3, 2, 3, 3}})
	add("whole", window{h: 4, w: 4, c: 12, o: 10, kh: 4, kw: 4})
	add("narrow", window{h: 6, w: 1, c: 3, o: 9, kh: 3, kw: 3, pad: [4]int{1, 1, 1, 1}})
	add("mobilenet-first", window{h: 12, w: 12, c: 3, o: 8, kh: 3, kw: 3, sh: 2, sw: 2, pad: [4]int{0, 1, 0, 1}})
	add("mobilenet-pointwise", window{h: 6, w: 6, c: 32, o: 16, kh: 1, kw: 1})
	add("cifar", window{h: 8, w: 8, c: 3, o: 32, kh: 5, kw: 5, pad: [4]int{2, 2, 2, 2}})
	add("resnet", window{h: 8, w: 8, c: 16, o: 16, kh: 3, kw: 3, pad: [4]int{1, 1, 1, 1}})
	add("keywords", window{h: 25, w: 5, c: 1, o: 16, kh: 10, kw: 4, sh: 2, sw: 2, pad: [4]int{1, 1, 4, 5}})
	return all
}

// convPoints are the cases of a convolution: the windows, as far as the kind of convolution takes them.
func convPoints(f *function) []point {
	var all []point
	for i, w := range windows() {
		groups := 1
		transposed := false
		switch f.Family {
		case "depthwise_conv2d_hwcn":
			w.o, groups = w.c, w.c
		case "group_conv2d_hwcn":
			groups = 1 + i%3
			w.c, w.o = w.c*groups, w.o*groups
		case "transpose_conv2d_hwcn":
			transposed = true
			w.dh, w.dw = 1, 1
			w.sh, w.sw = min(w.sh, w.kh), min(w.sw, w.kw)
			for j, k := range []int{w.kw, w.kw, w.kh, w.kh} {
				w.pad[j] = min(w.pad[j], k-1)
			}
			w.h, w.w = min(w.h, 8), min(w.w, 8)
			if (w.h-1)*w.sh+w.kh <= w.pad[2]+w.pad[3] || (w.w-1)*w.sw+w.kw <= w.pad[0]+w.pad[1] {
				w.pad = [4]int{}
			}
		}
		p := point{name: fmt.Sprintf("%s_%dx%dx%d-%d_k%dx%d_s%dx%d_d%dx%d_p%d%d%d%d", w.name, w.h, w.w, w.c, w.o, w.kh, w.kw, w.sh, w.sw, w.dh, w.dw,
			w.pad[0], w.pad[1], w.pad[2], w.pad[3]),
			params: map[string]int{"stride_h": w.sh, "stride_w": w.sw, "dil_h": w.dh, "dil_w": w.dw, "relu": i % 4,
				"pad_l": w.pad[0], "pad_r": w.pad[1], "pad_t": w.pad[2], "pad_b": w.pad[3]},
			shapes: map[string][]int{"in": {w.h, w.w, w.c}, "w": {w.kh, w.kw, w.c / groups, w.o}, "b": {w.o}}}
		taps := w.kh * w.kw * w.c / groups
		if transposed {
			taps = (w.kh + w.sh - 1) / w.sh * ((w.kw + w.sw - 1) / w.sw) * w.c
		}
		p.adjust = f.sumFormats(taps, 3, i)
		all = append(all, p)
	}
	// an output smaller than the map allows, and channels beyond the records and the filters that are kept
	if f.Family != "transpose_conv2d_hwcn" {
		all = append(all, point{name: "short-output", params: map[string]int{"pad_t": 1, "pad_l": 1},
			shapes: map[string][]int{"in": {6, 7, 4}, "w": {3, 3, channels(f, 4), 4}, "b": {4}, "out": {3, 4, 4}}, adjust: f.sumFormats(36, 3, 1)})
	}
	if f.Data.Affine() { // the least biases, which the zero point of the input, and the sums, lead beyond 32 bits
		i := slices.IndexFunc(all, func(p point) bool { return strings.HasPrefix(p.name, "pairs_4x5x3") })
		p := all[i]
		sums := p.adjust
		p.name, p.adjust = "least-biases", func(c *nn.Call) {
			sums(c)
			c.In[0].Format.Zeros[0] = 127
			for i := range c.Input("w").Ints {
				c.Input("w").Ints[i] |= 64
			}
			for i := range c.Input("b").Ints {
				c.Input("b").Ints[i] = math.MinInt32 + int64(i)
			}
		}
		all = append(all, p)
	}
	n := 513
	p := point{name: "many-channels", shapes: map[string][]int{"in": {2, 2, n}, "w": {1, 1, channels(f, n), n}, "b": {n}}, adjust: f.sumFormats(channels(f, n), 3, 0)}
	all = append(all, p)
	return all
}

// channels are the input channels of a filter for the only group of a case.
func channels(f *function, c int) int {
	if f.Family == "depthwise_conv2d_hwcn" {
		return 1
	}
	return c
}

// densePoints are the cases of fully connected layers.
func densePoints(f *function) []point {
	var all []point
	add := func(name string, in []int, outputs int) {
		i, n := len(all), nn.Count(in)
		all = append(all, point{name: fmt.Sprintf("%s_%s-%d", name, mli.Join(in), outputs), params: map[string]int{"relu": i % 4},
			shapes: map[string][]int{"in": in, "w": {n, outputs}, "b": {outputs}}, adjust: f.sumFormats(n, 1, i)})
	}
	for i, n := range mli.Edges {
		add("edge", []int{n}, mli.Edges[len(mli.Edges)-1-i])
		add("square", []int{n}, n)
	}
	add("map", []int{3, 4, 5}, 7)
	add("four", []int{2, 2, 3, 4}, 10)
	add("autoencoder", []int{128}, 8)
	add("classifier", []int{64}, 10)
	add("long", []int{2100}, 3)
	add("longer", []int{2050}, 24)
	add("wide", []int{24}, 300)
	return all
}

// severalPoints are the cases of rnn_dense.
func severalPoints(f *function) []point {
	var all []point
	for i, sizes := range [][]int{{1}, {5}, {8}, {16, 4}, {3, 7}, {9, 9}, {1, 2, 3}, {8, 16, 5}, {4, 3, 2, 1}, {17, 8, 9, 16}, {2000, 100}} {
		outputs := mli.Edges[i%len(mli.Edges)]
		p := point{name: fmt.Sprintf("inputs%d_%s-%d", len(sizes), mli.Join(sizes), outputs), params: map[string]int{"inputs": len(sizes)},
			shapes: map[string][]int{"b": {outputs}}}
		total := 0
		for k, n := range sizes {
			p.shapes[fmt.Sprintf("in%d", k)], p.shapes[fmt.Sprintf("w%d", k)] = []int{n}, []int{n, outputs}
			total += n
		}
		p.adjust = f.sumFormats(total, -1, i)
		all = append(all, p)
	}
	return all
}

// cellPoints are the cases of recurrent cells.
func cellPoints(gates int) func(*function) []point {
	return func(f *function) []point {
		var all []point
		for i, s := range [][3]int{{1, 1, 1}, {1, 5, 4}, {2, 3, 7}, {3, 8, 8}, {4, 2, 5}, {1, 16, 9}, {3, 7, 16}, {2, 13, 3}, {5, 4, 2}, {2, 32, 32}, {1, 2000, 60}} {
			steps, inputs, outputs := s[0], s[1], s[2]
			for mode := range 4 {
				if mode != i%4 && i%3 != 0 {
					continue
				}
				all = append(all, point{name: fmt.Sprintf("steps%d_%d-%d_mode%d", steps, inputs, outputs, mode),
					params: map[string]int{"direction": mode & 1, "results": mode >> 1, "act": (i + mode) % 3},
					shapes: map[string][]int{"in": {steps, inputs}, "prev_out": {outputs}, "w_in": {gates, inputs, outputs},
						"w_out": {gates, outputs, outputs}, "b": {gates, outputs}, "cell": {outputs}}, adjust: f.sumFormats(inputs+outputs, 0, i+mode)})
			}
		}
		// tables of the caller: both, and one beside that of the library
		tables := map[string][]int{"tanh_lut": {33}, "sigm_lut": {65}}
		params := map[string]int{"act": 1, "tanh_lut_in_frac": 2, "tanh_lut_offset": 16, "sigm_lut_in_frac": 3, "sigm_lut_offset": 30}
		for i, roles := range [][]string{{"tanh_lut", "sigm_lut"}, {"sigm_lut"}, {"tanh_lut"}} {
			p := point{name: "own-" + strings.Join(roles, "-"), params: params, adjust: f.sumFormats(12, 0, i), shapes: map[string][]int{
				"in": {2, 5}, "prev_out": {7}, "w_in": {gates, 5, 7}, "w_out": {gates, 7, 7}, "b": {gates, 7}, "cell": {7}}}
			for _, role := range roles {
				p.shapes[role] = tables[role]
			}
			all = append(all, p)
		}
		if !f.Data.Affine() { // sums with the former cell, or state, are at their limit
			coarse := all[0]
			coarse.name, coarse.shapes = "coarse", maps.Clone(coarse.shapes)
			coarse.shapes["prev_out"], coarse.shapes["cell"] = []int{6}, []int{6}
			coarse.shapes["w_in"], coarse.shapes["w_out"], coarse.shapes["b"] = []int{gates, 1, 6}, []int{gates, 6, 6}, []int{gates, 6}
			sums := coarse.adjust
			coarse.adjust = func(c *nn.Call) {
				sums(c)
				if cell := c.Input("cell"); cell != nil {
					cell.Format.Frac = -4
					return
				}
				c.Input("prev_out").Format.Frac, c.Out[0].Format.Frac = 31, 14
			}
			all = append(all, coarse)
		}
		return all
	}
}

// sumFormats chooses formats so that sums of n products neither vanish nor always saturate, and no accumulator
// overflows. Every second affine case has a scale for each channel, along dimension wdim of the weights; scales and
// zero points at their limits are among them.
func (f *function) sumFormats(n, wdim, i int) func(*nn.Call) {
	grow := bits.Len(uint(n)) / 2
	return func(c *nn.Call) {
		if !f.Data.Affine() {
			f.fixedFormats(c, grow, i)
			return
		}
		perAxis := wdim >= 0 && i%2 == 1
		var products []*nn.Tensor
		for k, port := range c.Op.Inputs {
			if t := c.In[k]; t != nil && port.Role[0] == 'w' && port.Weights {
				products = append(products, t)
			}
		}
		state := c.Input("prev_out") != nil
		out := &c.Out[0].Format
		for _, w := range products {
			scales := 1
			if perAxis {
				scales = w.Shape[wdim]
			}
			fm := nn.Format{Kind: nn.Mantissa, Axis: -1, Zeros: make([]int64, scales)}
			if perAxis {
				fm.Axis = wdim
			}
			for k := range scales {
				fm.Mantissas = append(fm.Mantissas, int32(1+(k*7919+i*104729)%32767))
				fm.ScaleFracs = append(fm.ScaleFracs, 20+(k+i)%3)
			}
			w.Format = mantissas(fm)
		}
		if state { // cells work in formats with the point in fixed places
			c.Input("in").Format.ScaleFrac, c.Input("prev_out").Format.ScaleFrac = 20, 21
			out.ScaleFrac = 21
			if cell := c.Input("cell"); cell != nil {
				cell.Format.ScaleFrac = 19
			}
		} else {
			for k, port := range c.Op.Inputs {
				if t := c.In[k]; t != nil && strings.HasPrefix(port.Role, "in") {
					t.Format.ScaleFrac = 19 + i%3
				}
			}
			out.ScaleFrac = 17 - grow + i%4
		}
		b, w, x := c.Input("b"), products[0].Format, c.In[0].Format
		if i%3 == 2 { // biases of more than 16 bits
			for j := range b.Ints {
				b.Ints[j] *= 61
			}
			out.ScaleFrac -= 3
		}
		b.Format = nn.Format{Kind: nn.Mantissa, Axis: -1, Zeros: make([]int64, len(w.Mantissas))}
		if perAxis {
			b.Format.Axis = 0
		}
		for k, m := range w.Mantissas { // the product of the scales, in 16 bits
			product, frac := int64(x.Mantissas[0])*int64(m), x.ScaleFrac+golden.MLIScaleFrac(w, k)
			for product > 1<<15-1 {
				product, frac = product>>1, frac-1
			}
			b.Format.Mantissas = append(b.Format.Mantissas, int32(product))
			b.Format.ScaleFracs = append(b.Format.ScaleFracs, frac)
		}
		b.Format = mantissas(b.Format)
	}
}

// mantissas brings a format with one scale into the form those have.
func mantissas(f nn.Format) nn.Format {
	if f.Axis < 0 {
		f.ScaleFrac, f.ScaleFracs = f.ScaleFracs[0], nil
	}
	return f
}

// fixedFormats chooses fractional bits: the bias is no finer than the products, the output coarser.
func (f *function) fixedFormats(c *nn.Call, grow, i int) {
	narrow := f.Weights.Bits() == 8 && f.Data.Bits() == 16
	for k, port := range c.Op.Inputs {
		t := c.In[k]
		if t == nil || t.Format.Kind != nn.Fixed {
			continue
		}
		switch {
		case port.Role[0] == 'w':
			t.Format.Frac = f.Weights.Bits() - 2 - i%3
		case port.Role == "b":
			t.Format.Frac = f.Bias.Bits() - 2
		default:
			t.Format.Frac = f.Data.Bits() - 4 - i%2
		}
		if narrow && port.Role[0] != 'w' && port.Role != "b" { // sums stay within 32 bits
			for j := range t.Ints {
				t.Ints[j] >>= max(0, 2*grow-8)
			}
		}
	}
	c.Out[0].Format.Frac = f.Data.Bits() - 4 - grow + i%3
	if c.Input("prev_out") != nil {
		c.Out[0].Format.Frac = f.Data.Bits() - 2
	}
}
