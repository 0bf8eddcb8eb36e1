package mli11

import (
	"fmt"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/mli"
	"arcv2dsp/nn/internal/golden/rule"
)

// layout says where rows, columns and channels sit in a feature map and its weights.
type layout struct {
	name      string
	h, w, c   int  // axes of the feature map
	depthwise bool // one filter per channel
	shares    bool // or several filters for one channel
	o, i      int  // axes of the weights: outputs (depthwise: channels), inputs (depthwise: the 1)
	kh, kw    int
}

var (
	chw = layout{name: "chw", c: 0, h: 1, w: 2, o: 0, i: 1, kh: 2, kw: 3}
	hwc = layout{name: "hwc", h: 0, w: 1, c: 2, o: 0, kh: 1, kw: 2, i: 3}

	depthwiseCHW  = layout{name: "chw", depthwise: true, c: 0, h: 1, w: 2, o: 0, i: 1, kh: 2, kw: 3}
	depthwiseHWCN = layout{name: "hwcn", depthwise: true, shares: true, h: 0, w: 1, c: 2, i: 0, kh: 1, kw: 2, o: 3}
)

// plane gives a three-dimensional tensor its coordinates: index = y*sy + x*sx + c*sc.
type plane struct {
	h, w, c    int
	sy, sx, sc int
}

func (l layout) plane(shape []int) plane {
	rule.Refuse(len(shape) != 3, "shape %v is not a feature map", shape)
	s := strides(shape)
	return plane{h: shape[l.h], w: shape[l.w], c: shape[l.c], sy: s[l.h], sx: s[l.w], sc: s[l.c]}
}

// shape puts extents into the order of the layout.
func (l layout) shape(h, w, c int) []int {
	s := make([]int, 3)
	s[l.h], s[l.w], s[l.c] = h, w, c
	return s
}

func strides(shape []int) []int {
	s := make([]int, len(shape))
	n := 1
	for i := len(shape) - 1; i >= 0; i-- {
		s[i] = n
		n *= shape[i]
	}
	return s
}

// window is how a kernel slides over a map.
type window struct {
	kh, kw   int
	sh, sw   int
	top, lft int
	outH     int
	outW     int
}

// maxPad is the largest padding the interface can express.
const maxPad = 255

// newWindow checks the parameters of a sliding kernel against the map and finds the output extent:
// one position per stride as long as the kernel fits into the padded map.
func newWindow(p nn.Attrs, kh, kw int, in plane) window {
	w := window{kh: kh, kw: kw, sh: p.Int("stride_h"), sw: p.Int("stride_w"),
		top: p.Int("pad_t"), lft: p.Int("pad_l")}
	bottom, right := p.Int("pad_b"), p.Int("pad_r")
	rule.Refuse(kh <= 0 || kw <= 0, "kernel %dx%d is empty", kh, kw)
	rule.Refuse(w.sh <= 0 || w.sw <= 0, "stride %dx%d is not positive", w.sh, w.sw)
	for _, pad := range []struct {
		name  string
		v, lt int
	}{{"top", w.top, kh}, {"bottom", bottom, kh}, {"left", w.lft, kw}, {"right", right, kw}} {
		rule.Refuse(pad.v < 0 || pad.v >= pad.lt || pad.v > maxPad, "%s padding %d outside a kernel of %d", pad.name, pad.v, pad.lt)
	}
	rule.Refuse(in.h+w.top+bottom < kh || in.w+w.lft+right < kw, "kernel %dx%d does not fit into the padded map", kh, kw)
	w.outH = (in.h+w.top+bottom-kh)/w.sh + 1
	w.outW = (in.w+w.lft+right-kw)/w.sw + 1
	return w
}

// convolution is one call with everything resolved to numbers.
type convolution struct {
	window
	layout        layout
	in            plane
	out           plane
	outShape      []int
	so, si        int // weight strides
	sky, skx      int
	channels      int // input channels one output sums over
	data, weights []int64
	bias          []int64
}

func newConvolution(l layout, c *nn.Call) *convolution {
	in, w, b := c.Input("in"), c.Input("w"), c.Input("b")
	p := l.plane(in.Shape)
	rule.Refuse(len(w.Shape) != 4, "weights of shape %v", w.Shape)
	win := newWindow(c.Attrs, w.Shape[l.kh], w.Shape[l.kw], p)
	outputs := w.Shape[l.o]
	want := p.c
	if l.depthwise {
		want = 1
		rule.Refuse(outputs != p.c && (p.c != 1 || !l.shares), "%d filters for %d channels", outputs, p.c)
	}
	if w.Shape[l.i] != want {
		panic(fmt.Errorf("weights for %d channels, input has %d", w.Shape[l.i], want))
	}
	rule.Refuse(b.Len() != outputs, "%d biases for %d outputs", b.Len(), outputs)
	s := strides(w.Shape)
	cv := &convolution{window: win, layout: l, in: p, so: s[l.o], si: s[l.i], sky: s[l.kh], skx: s[l.kw],
		channels: want, data: in.Ints, weights: w.Ints, bias: b.Ints,
		outShape: l.shape(win.outH, win.outW, outputs)}
	rule.Hold(mli.CheckWork(win.outH, win.outW, outputs, win.kh, win.kw, want))
	cv.out = l.plane(cv.outShape)
	return cv
}

// each visits every output in the order of the output tensor's channels, rows and columns.
func (cv *convolution) each(f func(o, y, x, index int)) {
	for o := range cv.out.c {
		for y := range cv.out.h {
			for x := range cv.out.w {
				f(o, y, x, y*cv.out.sy+x*cv.out.sx+o*cv.out.sc)
			}
		}
	}
}

// taps visits the inputs and weights under the kernel at one output, padding left out.
func (cv *convolution) taps(o, y, x int, f func(data, weight int64)) {
	for i := range cv.channels {
		channel := i
		if cv.layout.depthwise {
			channel = min(o, cv.in.c-1)
		}
		for ky := range cv.kh {
			row := y*cv.sh - cv.top + ky
			if row < 0 || row >= cv.in.h {
				continue
			}
			for kx := range cv.kw {
				col := x*cv.sw - cv.lft + kx
				if col < 0 || col >= cv.in.w {
					continue
				}
				f(cv.data[row*cv.in.sy+col*cv.in.sx+channel*cv.in.sc], cv.weights[o*cv.so+i*cv.si+ky*cv.sky+kx*cv.skx])
			}
		}
	}
}

// convolve is the convolution: the bias is preset into the accumulator, then the products of the taps inside the image
// are added, so padding stands for the real value zero, and the sum is rounded, saturated and clamped once.
func convolve(l layout) model {
	plan := func(t Typing, c *nn.Call) (*convolution, sums, mli.Limits) {
		return newConvolution(l, c), newSums(t, c), reluLimits(c.Attrs.Int("relu"), t.Data, c.Out[0].Format)
	}
	return model{
		shape: func(t Typing, c *nn.Call) []int {
			cv, _, _ := plan(t, c)
			return cv.outShape
		},
		exact: func(t Typing, c *nn.Call) {
			cv, s, lim := plan(t, c)
			out := c.Out[0]
			var over mli.Overflows
			acc := mli.NewAccumulator(t.AccBits)
			cv.each(func(o, y, x, index int) {
				acc.Reset()
				acc.Set(mli.ShiftLeft(cv.bias[o], s.biasShift))
				cv.taps(o, y, x, func(d, w int64) { acc.Add((d - s.zero) * w) })
				over = acc.Report(over, index)
				out.Ints[index] = lim.Clamp(s.store(acc.Sum, o))
			})
			rule.Hold(mli.Overflowed(over))
		},
		macs: convMACs(l),
	}
}

// convMACs counts the products of a convolution with elements of the map.
func convMACs(l layout) func(*nn.Call) int64 {
	return rule.Counted(func(c *nn.Call) int64 {
		cv := newConvolution(l, c)
		rows := inside(cv.out.h, cv.sh, cv.top, cv.kh, cv.in.h)
		cols := inside(cv.out.w, cv.sw, cv.lft, cv.kw, cv.in.w)
		return rows * cols * int64(cv.channels) * int64(cv.out.c)
	})
}

// inside counts, over all positions of a window along one side, the taps within the map.
func inside(positions, stride, pad, kernel, size int) (n int64) {
	for p := range positions {
		first := p*stride - pad
		n += int64(max(0, min(first+kernel, size)-max(first, 0)))
	}
	return n
}
