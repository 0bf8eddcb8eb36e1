package mli20

import (
	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/mli"
	"arcv2dsp/nn/internal/golden/rule"
)

// filter says which input channels an output channel sums over.
type filter uint8

const (
	fullFilter    filter = iota // all of them
	channelFilter               // the input channel with its own number
	groupFilter                 // those of its group
)

// window is how a kernel slides over a map of H, W, C. Of the padding only top and left move it; right and
// bottom count where the library checks the extent of the output.
type window struct {
	h, w, c                int // the map
	kh, kw                 int
	sh, sw, dh, dw         int
	top, left, bottom, rgt int
	outH, outW, outC       int
}

// extent is the length that a kernel covers along an axis.
func extent(k, dilation int) int { return (k-1)*dilation + 1 }

// newWindow reads the attributes; a map whose rank is not 3 is refused.
func newWindow(c *nn.Call, kh, kw int) window {
	in, a := c.Input("in"), c.Attrs
	refuse(len(in.Shape) != 3, shapeWrong, "input of shape %v is no map", in.Shape)
	w := window{h: in.Shape[0], w: in.Shape[1], c: in.Shape[2], kh: kh, kw: kw, sh: a.Int("stride_h"), sw: a.Int("stride_w"),
		dh: 1, dw: 1, top: a.Int("pad_t"), left: a.Int("pad_l"), bottom: a.Int("pad_b"), rgt: a.Int("pad_r")}
	if _, ok := c.Op.Attr("dil_h"); ok {
		w.dh, w.dw = a.Int("dil_h"), a.Int("dil_w")
	}
	return w
}

// maxByte is the largest number the configurations hold.
const maxByte = 255

// check states the rules for kernel, padding, strides and dilation.
func (w window) check() {
	refuse(w.kh <= 0 || w.kw <= 0, badConfig, "kernel %dx%d is empty", w.kh, w.kw)
	for _, v := range []int{w.sh, w.sw, w.dh, w.dw, w.top, w.left, w.bottom, w.rgt} {
		refuse(v < 0 || v > maxByte, badConfig, "%d is no byte", v)
	}
	refuse(w.dh == 0 || w.dw == 0, badConfig, "dilation %dx%d", w.dh, w.dw)
	eh, ew := extent(w.kh, w.dh), extent(w.kw, w.dw)
	if w.top >= eh || w.bottom >= eh || w.left >= ew || w.rgt >= ew {
		panic(violation(badConfig, "padding %d,%d,%d,%d around a kernel of %dx%d", w.left, w.rgt, w.top, w.bottom, eh, ew))
	}
	refuse(w.sh == 0 || w.sw == 0, badConfig, "stride %dx%d", w.sh, w.sw)
}

// fit says how many outputs there can be, and checks how many there are.
func (w *window) fit(out *nn.Tensor, channels int) {
	eh, ew := extent(w.kh, w.dh), extent(w.kw, w.dw)
	mostH, mostW := (w.h+w.top+w.bottom-eh)/w.sh+1, (w.w+w.left+w.rgt-ew)/w.sw+1
	refuse(w.h+w.top+w.bottom < eh || w.w+w.left+w.rgt < ew, badConfig, "kernel %dx%d does not fit into the padded map", eh, ew)
	if out.Shape == nil {
		w.outH, w.outW, w.outC = mostH, mostW, channels
		return
	}
	w.outH, w.outW, w.outC = out.Shape[0], out.Shape[1], out.Shape[2]
	refuse(w.outH > mostH || w.outW > mostW, badConfig, "output %dx%d, the map has room for %dx%d windows", w.outH, w.outW, mostH, mostW)
}

// taps visits row and column of the map and of the kernel under the window at an output.
func (w window) taps(y, x int, f func(row, col, ky, kx int)) {
	for ky := range w.kh {
		row := y*w.sh - w.top + ky*w.dh
		if row < 0 || row >= w.h {
			continue
		}
		for kx := range w.kw {
			if col := x*w.sw - w.left + kx*w.dw; col >= 0 && col < w.w {
				f(row, col, ky, kx)
			}
		}
	}
}

// inside counts, over all positions of the kernel along one side, the taps within the map.
func inside(positions, stride, dilation, pad, kernel, size int) (n int64) {
	for p := range positions {
		for k := range kernel {
			if at := p*stride - pad + k*dilation; at >= 0 && at < size {
				n++
			}
		}
	}
	return n
}

// convolution is one call with everything resolved to numbers.
type convolution struct {
	window
	filter   filter
	channels int // input channels that one output sums over
	perGroup int // outputs of a group
}

// newConvolution checks shapes and configuration in the order of the library.
func newConvolution(kind filter, c *nn.Call) *convolution {
	in, w, b, out := c.Input("in"), c.Input("w"), c.Input("b"), c.Out[0]
	if len(in.Shape) != 3 || len(w.Shape) != 4 || len(b.Shape) != 1 || out.Shape != nil && len(out.Shape) != 3 {
		panic(violation(shapeWrong, "shapes %v, %v, %v, %v have not 3, 4, 1 and 3 dimensions", in.Shape, w.Shape, b.Shape, out.Shape))
	}
	channels, inputs, outputs := in.Shape[2], w.Shape[2], w.Shape[3]
	groups := 1
	switch {
	case kind == channelFilter && (inputs != 1 || outputs != channels):
		panic(violation(shapeWrong, "weights of shape %v for %d channels", w.Shape, channels))
	case kind == groupFilter && (channels%inputs != 0 || outputs%(channels/inputs) != 0):
		panic(violation(shapeWrong, "%d channels and %d outputs do not make groups of %d", channels, outputs, inputs))
	case kind == fullFilter && inputs != channels:
		panic(violation(shapeWrong, "weights for %d channels, input has %d", inputs, channels))
	case kind == groupFilter:
		groups = channels / inputs
	}
	if b.Shape[0] != outputs || out.Shape != nil && out.Shape[2] != outputs {
		panic(violation(shapeWrong, "%d outputs, biases of shape %v, output of shape %v", outputs, b.Shape, out.Shape))
	}
	cv := &convolution{window: newWindow(c, w.Shape[0], w.Shape[1]), filter: kind, channels: inputs, perGroup: outputs / groups}
	cv.check()
	cv.fit(out, outputs)
	rule.Hold(mli.CheckWork(cv.outH, cv.outW, outputs, cv.kh, cv.kw, inputs))
	return cv
}

// first is the first input channel of an output channel.
func (cv *convolution) first(o int) int {
	switch cv.filter {
	case channelFilter:
		return o
	case groupFilter:
		return o / cv.perGroup * cv.channels
	}
	return 0
}

// visitor visits row and column of the map and of the kernel for every tap of an output.
type visitor func(cv *convolution, y, x int, f func(row, col, ky, kx int))

// convolved is a function that sums the taps of every output: plan checks a call, counted are the taps of all outputs of a
// channel.
func convolved(plan func(*nn.Call) *convolution, visit visitor, counted func(*convolution) int64) model {
	return model{
		shape: func(t Typing, c *nn.Call) []int {
			checkFixedFirst(t, c)
			cv := plan(c)
			return []int{cv.outH, cv.outW, cv.outC}
		},
		check: checkAffineLast(3),
		exact: func(t Typing, c *nn.Call) {
			cv := plan(c)
			s := newStore(t, c)
			in, w, b, out := c.Input("in").Ints, c.Input("w").Ints, c.Input("b").Ints, c.Out[0].Ints
			var over mli.Overflows
			acc := mli.NewAccumulator(t.AccBits)
			for i := range out {
				y, x, o := i/cv.outC/cv.outW, i/cv.outC%cv.outW, i%cv.outC
				first := cv.first(o)
				acc.Reset()
				visit(cv, y, x, func(row, col, ky, kx int) {
					for k := range cv.channels {
						acc.Add((in[(row*cv.w+col)*cv.c+first+k] - s.zero()) * w[((ky*cv.kw+kx)*cv.channels+k)*cv.outC+o])
					}
				})
				out[i] = s.element(&acc, b[o], o)
				over = acc.Report(over, i)
			}
			rule.Hold(mli.Overflowed(over))
		},
		macs: func(_ Typing, c *nn.Call) int64 {
			cv := plan(c)
			return counted(cv) * int64(cv.channels) * int64(cv.outC)
		},
	}
}

func conv(kind filter) model {
	return convolved(func(c *nn.Call) *convolution { return newConvolution(kind, c) },
		func(cv *convolution, y, x int, f func(row, col, ky, kx int)) { cv.taps(y, x, f) },
		func(cv *convolution) int64 {
			return inside(cv.outH, cv.sh, cv.dh, cv.top, cv.kh, cv.h) * inside(cv.outW, cv.sw, cv.dw, cv.left, cv.kw, cv.w)
		})
}

// checkFixedFirst: functions on fixed-point data look at the formats before anything else, those on affine data
// after everything else.
func checkFixedFirst(t Typing, c *nn.Call) {
	if t.Data.Affine() {
		return
	}
	checkFixedSums(c.Input("in").Format, c.Input("w").Format, c.Input("b").Format, c.Out[0].Format)
}

// checkAffineLast checks affine formats, those of the weights along a dimension.
func checkAffineLast(wdim int) func(Typing, *nn.Call) {
	return func(t Typing, c *nn.Call) {
		reluLimits(c.Attrs.Int("relu"), t.Data, c.Out[0].Format)
		if !t.Data.Affine() {
			return
		}
		checkSums(c.Input("in").Format, c.Input("w").Format, c.Input("b").Format, c.Out[0].Format, wdim)
	}
}

// newTransposed checks a transposed convolution: every output follows from the shapes.
func newTransposed(c *nn.Call) *convolution {
	in, w, b, out := c.Input("in"), c.Input("w"), c.Input("b"), c.Out[0]
	if len(in.Shape) != 3 || len(w.Shape) != 4 || len(b.Shape) != 1 || out.Shape != nil && len(out.Shape) != 3 {
		panic(violation(shapeWrong, "shapes %v, %v, %v, %v have not 3, 4, 1 and 3 dimensions", in.Shape, w.Shape, b.Shape, out.Shape))
	}
	outputs := w.Shape[3]
	if w.Shape[2] != in.Shape[2] || b.Shape[0] != outputs || out.Shape != nil && out.Shape[2] != outputs {
		panic(violation(shapeWrong, "weights of shape %v for an input of shape %v and %d biases", w.Shape, in.Shape, b.Shape[0]))
	}
	cv := &convolution{window: newWindow(c, w.Shape[0], w.Shape[1]), channels: w.Shape[2]}
	refuse(cv.dh != 1 || cv.dw != 1, badConfig, "dilation %dx%d of a transposed convolution", cv.dh, cv.dw)
	cv.check()
	refuse(cv.sh > cv.kh || cv.sw > cv.kw, badConfig, "stride %dx%d beyond the kernel %dx%d", cv.sh, cv.sw, cv.kh, cv.kw)
	cv.outH, cv.outW, cv.outC = (cv.h-1)*cv.sh+cv.kh-cv.top-cv.bottom, (cv.w-1)*cv.sw+cv.kw-cv.left-cv.rgt, outputs
	if cv.outH <= 0 || cv.outW <= 0 || out.Shape != nil && (out.Shape[0] != cv.outH || out.Shape[1] != cv.outW) {
		panic(violation(badConfig, "output of shape %v, it must be %dx%d", out.Shape, cv.outH, cv.outW))
	}
	rule.Hold(mli.CheckWork(cv.outH, cv.outW, outputs, cv.kh, cv.kw, cv.channels))
	return cv
}

// source is the row or column of the map that tap k of output at adds, -1 for none.
func source(at, pad, k, stride, size int) int {
	if n := at + pad - k; n >= 0 && n%stride == 0 && n/stride < size {
		return n / stride
	}
	return -1
}

func transposeConv() model {
	return convolved(newTransposed, (*convolution).sources, func(cv *convolution) int64 {
		return used(cv.outH, cv.top, cv.kh, cv.sh, cv.h) * used(cv.outW, cv.left, cv.kw, cv.sw, cv.w)
	})
}

// sources visits the row and column of the map that each tap of the kernel adds to an output, where there is one.
func (cv *convolution) sources(y, x int, f func(row, col, ky, kx int)) {
	for ky := range cv.kh {
		row := source(y, cv.top, ky, cv.sh, cv.h)
		for kx := range cv.kw {
			if col := source(x, cv.left, kx, cv.sw, cv.w); row >= 0 && col >= 0 {
				f(row, col, ky, kx)
			}
		}
	}
}

// used counts the taps of a transposed kernel along one side.
func used(outputs, pad, kernel, stride, size int) (n int64) {
	for at := range outputs {
		for k := range kernel {
			if source(at, pad, k, stride, size) >= 0 {
				n++
			}
		}
	}
	return n
}
