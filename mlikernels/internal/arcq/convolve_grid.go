package arcq

import (
	"fmt"
	"math/rand/v2"

	"arcv2dsp/nn"
)

// The kinds of convolution of the grid.
const (
	plain     = "conv"
	depthwise = "depthwise"
	transpose = "transpose"
	product   = "product"
	solid     = "solid" // three dimensions
)

// window is a case of the grid of general convolutions.
type window struct {
	kind       string
	slide      slide
	dh, dw     int // dilation
	groups     int // of plain
	multiplier int // of depthwise
	int4       bool
}

func (w window) name() string {
	n := w.kind + "_" + w.slide.name()
	switch {
	case w.kind == depthwise:
		n += fmt.Sprintf("_m%d", w.multiplier)
	case w.groups > 1:
		n += fmt.Sprintf("_g%d", w.groups)
	}
	if w.dh*w.dw > 1 {
		n += fmt.Sprintf("_d%dx%d", w.dh, w.dw)
	}
	if w.int4 {
		n += "_i4"
	}
	return n
}

// windows varies one thing at a time.
func windows() []window {
	base := slide{batches: 1, h: 7, w: 6, c: 4, o: 4, kh: 3, kw: 3, sh: 1, sw: 1, same: true}
	var all []window
	add := func(kind string, change func(*window)) {
		w := window{kind: kind, slide: base, dh: 1, dw: 1, groups: 1, multiplier: 1}
		change(&w)
		if kind == depthwise {
			w.slide.o = w.slide.c * w.multiplier
		}
		all = append(all, w)
	}
	for i, n := range edges[:11] {
		add(plain, func(w *window) { w.slide.c, w.dh, w.dw = n, 1+i%2, 1+i%3 })
		add(plain, func(w *window) { w.slide.o, w.int4 = n, i%2 == 0 })
		add(depthwise, func(w *window) { w.slide.c, w.multiplier, w.dh, w.dw = n, 1+i%3, 1+i/3%2, 1+i%2 })
		add(transpose, func(w *window) { w.slide.c, w.slide.sh, w.slide.sw = n, 2, 1+i%3 })
	}
	for i, n := range edges {
		add(product, func(w *window) { w.slide.batches, w.slide.c, w.slide.o = 1+i%3, n, 5 })
	}
	for i, size := range [][2]int{{1, 1}, {1, 3}, {2, 1}, {2, 2}, {4, 3}, {5, 5}} {
		for _, stride := range [][2]int{{1, 1}, {2, 2}, {1, 3}, {3, 2}} {
			same := (i+stride[0])%2 == 0
			set := func(w *window) {
				w.slide.kh, w.slide.kw, w.slide.sh, w.slide.sw, w.slide.same = size[0], size[1], stride[0], stride[1], same
			}
			add(transpose, set)
			add(plain, func(w *window) {
				set(w)
				w.dh, w.dw = 1+i%2, 1+(i+1)%2
				w.slide.h, w.slide.w = 11, 12
			})
		}
	}
	for _, g := range []int{2, 3, 4} {
		add(plain, func(w *window) { w.slide.c, w.slide.o, w.groups = 4*g, 2*g, g })
		add(plain, func(w *window) { w.slide.c, w.slide.o, w.groups, w.dw = g, 3*g, g, 2 })
	}
	add(depthwise, func(w *window) { w.slide.c, w.multiplier, w.int4 = 8, 2, true })
	add(plain, func(w *window) { w.slide.batches, w.dh, w.dw = 3, 2, 2 })
	add(depthwise, func(w *window) { w.slide.batches, w.dh, w.dw, w.slide.kw = 2, 3, 3, 4 })
	add(transpose, func(w *window) { w.slide.batches, w.slide.sh, w.slide.sw = 2, 2, 2 })
	add(plain, func(w *window) { w.slide.h, w.slide.w, w.slide.c, w.slide.o, w.dh, w.dw = 12, 12, 32, 16, 2, 2 })
	for i, rows := range []int{2, 4, 6, 7} { // for outputs enough that windows are copied
		add(plain, func(w *window) {
			w.slide.h, w.slide.w, w.slide.c, w.slide.o, w.slide.kh, w.slide.kw, w.slide.same = 8, 3, 6-i, 32, rows, 1, i%2 == 0
		})
		add(plain, func(w *window) {
			w.slide.h, w.slide.c, w.slide.o, w.slide.kh, w.dh, w.dw, w.groups = 3, 6-2*(i/2), 24, 1+i, 1+i%2, 2, 1+i%2
		})
	}
	return all
}

// scaledTensors gives the tensors of a call of TensorFlow Lite scales and zero points. Data of 16 bits have no zero
// points; weights without a sign have one, and one scale.
func scaledTensors(r *rand.Rand, data, bias nn.Type, kind string, n, channels, axis int, in, w, b, out *nn.Tensor) {
	zero := func() []int64 {
		if data == nn.I16 {
			return []int64{0}
		}
		lo, hi := data.Range()
		return []int64{[]int64{lo, hi, lo + 128, lo + int64(r.IntN(256))}[r.IntN(4)]}
	}
	in.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{1}, Zeros: zero()}
	out.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{1}, Zeros: zero()}
	w.Format = nn.Format{Kind: nn.Scaled, Axis: axis}
	if data == nn.U8 {
		channels, w.Format.Zeros = 1, zero()
	}
	for range channels {
		f := factorOf(r, kind, n)
		if data == nn.I16 {
			f /= 1 << 8 // scaled sums keep to 32 bits
		}
		w.Format.Scales = append(w.Format.Scales, f)
	}
	for i := range b.Ints {
		b.Ints[i] >>= 16 // of 52 bits 36 are left
		if kind == "large" {
			b.Ints[i] >>= 12
		}
	}
}

// scaledGrid is the grid of general convolutions of TensorFlow Lite.
func scaledGrid(data, bias nn.Type) func(*grid) {
	return func(g *grid) {
		for i, w := range windows() {
			if data == nn.I16 && (w.int4 || bias == nn.I32 && w.kind != plain && w.kind != product) || data == nn.U8 && (w.int4 || w.kind == transpose) {
				continue
			}
			kind := factorKinds[i%len(factorKinds)]
			g.add(w.name()+"_"+kind, func(r *rand.Rand) *nn.Call { return w.lite(r, data, bias, kind) })
		}
	}
}

// lite makes a call of TensorFlow Lite.
func (w window) lite(r *rand.Rand, data, biasType nn.Type, kind string) *nn.Call {
	s := w.slide
	weight := nn.I8
	switch {
	case w.int4:
		weight = nn.I4
	case data == nn.U8:
		weight = nn.U8
	}
	b := random(r, nn.I32, s.o)
	if b.Type = biasType; biasType == nn.I64 {
		for i := range b.Ints {
			b.Ints[i] <<= 20
		}
	}
	attrs := nn.Attrs{}
	if w.kind == product {
		in, weights := random(r, data, s.batches, s.c), random(r, weight, s.o, s.c)
		out := &nn.Tensor{Type: data, Shape: []int{s.batches, s.o}}
		scaledTensors(r, data, biasType, kind, s.c, 1, 0, in, weights, b, out)
		if data != nn.U8 && weights.Format.Steps() == 1 && r.IntN(2) == 0 { // a zero point without which they keep to 8 bits
			zero := int64(r.IntN(16) - 8)
			for i, v := range weights.Ints {
				if !nn.I8.Holds(v - zero) {
					weights.Ints[i] = v + zero
				}
			}
			weights.Format.Zeros = []int64{zero}
		}
		return &nn.Call{Op: operator(nn.TFLite, "FULLY_CONNECTED"), In: []*nn.Tensor{in, weights, b}, Out: []*nn.Tensor{out}, Attrs: attrs}
	}
	attrs["padding"], attrs["stride_h"], attrs["stride_w"] = "VALID", s.sh, s.sw
	if s.same {
		attrs["padding"] = "SAME"
	}
	in := random(r, data, s.batches, s.h, s.w, s.c)
	switch w.kind {
	case transpose:
		weights := random(r, weight, s.o, s.kh, s.kw, s.c)
		shape := []int{s.batches, s.spread(s.h, s.kh, s.sh), s.spread(s.w, s.kw, s.sw), s.o}
		out := &nn.Tensor{Type: data, Shape: shape}
		scaledTensors(r, data, biasType, kind, s.kh*s.kw*s.c, s.o, 0, in, weights, b, out)
		dims := nn.FromInts(nn.I32, []int{4}, []int64{int64(shape[0]), int64(shape[1]), int64(shape[2]), int64(shape[3])})
		return &nn.Call{Op: operator(nn.TFLite, "TRANSPOSE_CONV"), In: []*nn.Tensor{dims, weights, in, b}, Out: []*nn.Tensor{out}, Attrs: attrs}
	}
	attrs["fused_activation_function"] = []string{"NONE", "RELU", "RELU6"}[r.IntN(3)]
	attrs["dilation_h_factor"], attrs["dilation_w_factor"] = w.dh, w.dw
	out := &nn.Tensor{Type: data, Shape: []int{s.batches, s.extent(s.h, (s.kh-1)*w.dh+1, s.sh), s.extent(s.w, (s.kw-1)*w.dw+1, s.sw), s.o}}
	name, weights, axis, n := "CONV_2D", random(r, weight, s.o, s.kh, s.kw, s.c/w.groups), 0, s.kh*s.kw*s.c/w.groups
	if w.kind == depthwise {
		name, weights, axis, n = "DEPTHWISE_CONV_2D", random(r, weight, 1, s.kh, s.kw, s.o), 3, s.kh*s.kw
	}
	scaledTensors(r, data, biasType, kind, n, s.o, axis, in, weights, b, out)
	return &nn.Call{Op: operator(nn.TFLite, name), In: []*nn.Tensor{in, weights, b}, Out: []*nn.Tensor{out}, Attrs: attrs}
}

// spread is the output of an axis whose cells spread over windows.
func (s slide) spread(in, size, stride int) int {
	if s.same {
		return in*stride - (stride - 1)
	}
	return (in-1)*stride + size
}

// sumsGrid is the grid of general convolutions of TOSA.
func sumsGrid(data, sum nn.Type) func(*grid) {
	return func(g *grid) {
		for i, w := range windows() {
			if w.groups > 1 || data == nn.I16 && w.int4 {
				continue
			}
			if w.kind == plain && i%5 == 0 {
				w.kind = solid
			}
			g.add(w.name(), func(r *rand.Rand) *nn.Call { return w.spec(r, data, sum) })
		}
	}
}

// exact gives the extent of a map at whose end the last window ends, and the extent of the output.
func exact(in, size, stride, before, after int) (int, int) {
	out := max(1, (in+before+after-size)/stride+1)
	return (out-1)*stride + size - before - after, out
}

// spec makes a call of TOSA.
func (w window) spec(r *rand.Rand, data, sum nn.Type) *nn.Call {
	s := w.slide
	weight := nn.I8
	zero := func(t nn.Type) int {
		if t != nn.I8 {
			return 0
		}
		return []int{-128, 127, 0, r.IntN(256) - 128}[r.IntN(4)]
	}
	if w.int4 {
		weight = nn.I4
	}
	weights := func(shape ...int) *nn.Tensor {
		t := random(r, weight, shape...)
		for i, v := range t.Ints {
			if weight == nn.I4 {
				t.Ints[i] = max(v, -7)
			}
		}
		return t
	}
	attrs := nn.Attrs{"input_zp": zero(data), "weight_zp": zero(weight), "acc_type": sum}
	bias := random(r, sum, []int{s.o, 1}[r.IntN(2)])
	for i := range bias.Ints {
		bias.Ints[i] >>= 2
	}
	call := func(name string, in, w *nn.Tensor, out ...int) *nn.Call {
		return &nn.Call{Op: operator(nn.TOSA, name), In: []*nn.Tensor{in, w, bias}, Out: []*nn.Tensor{{Type: sum, Shape: out}}, Attrs: attrs}
	}
	if w.kind == product {
		return call("FULLY_CONNECTED", random(r, data, s.batches, s.c), weights(s.o, s.c), s.batches, s.o)
	}
	pad := []int{r.IntN(3), r.IntN(3), r.IntN(3), r.IntN(3)}
	attrs["stride"] = []int{s.sh, s.sw}
	if w.kind == transpose {
		for i := range pad {
			pad[i] = max(pad[i]-1, 1-s.kh, 1-s.kw)
		}
		attrs["out_pad"] = pad
		return call("TRANSPOSE_CONV2D", random(r, data, s.batches, s.h, s.w, s.c), weights(s.o, s.kh, s.kw, s.c),
			s.batches, (s.h-1)*s.sh+pad[0]+pad[1]+s.kh, (s.w-1)*s.sw+pad[2]+pad[3]+s.kw, s.o)
	}
	attrs["pad"], attrs["dilation"] = pad, []int{w.dh, w.dw}
	h, oh := exact(s.h, (s.kh-1)*w.dh+1, s.sh, pad[0], pad[1])
	v, ow := exact(s.w, (s.kw-1)*w.dw+1, s.sw, pad[2], pad[3])
	switch w.kind {
	case depthwise:
		return call("DEPTHWISE_CONV2D", random(r, data, s.batches, h, v, s.c), weights(s.kh, s.kw, s.c, w.multiplier), s.batches, oh, ow, s.o)
	case solid:
		attrs["pad"], attrs["dilation"], attrs["stride"] = append([]int{1, 0}, pad...), []int{2, w.dh, w.dw}, []int{2, s.sh, s.sw}
		return call("CONV3D", random(r, data, s.batches, 6, h, v, s.c), weights(s.o, 3, s.kh, s.kw, s.c), s.batches, 2, oh, ow, s.o)
	}
	return call("CONV2D", random(r, data, s.batches, h, v, s.c), weights(s.o, s.kh, s.kw, s.c), s.batches, oh, ow, s.o)
}
