package mli11

import (
	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/mli"
	"arcv2dsp/nn/internal/golden/rule"
)

// reduction is a pooling kernel's operation on the elements under its window.
type reduction func(elems []int64, t Type, r nn.Rounding) int64

func maxOf(elems []int64, _ Type, _ nn.Rounding) int64 {
	m := elems[0]
	for _, v := range elems {
		m = max(m, v)
	}
	return m
}

// meanOf divides by a truncated 15-bit reciprocal, as the library does, so a mean is sometimes
// one below the correctly rounded one.
func meanOf(elems []int64, t Type, r nn.Rounding) int64 {
	var sum int64
	for _, v := range elems {
		sum += v
	}
	mul, shift := mli.Reciprocal(len(elems))
	return mli.Saturate(mli.Shift(r, sum*mul, shift), t.Bits())
}

// pool slides the reduction over every channel; elements under the padding do not count.
func pool(l layout, red reduction) model {
	return model{
		format: inputFormat,
		shape: func(_ Typing, c *nn.Call) []int {
			return newPooling(l, c).outShape
		},
		exact: func(t Typing, c *nn.Call) {
			p := newPooling(l, c)
			in, out := c.Input("in"), c.Out[0]
			var elems []int64
			p.each(func(ch, y, x, index int) {
				elems = elems[:0]
				p.taps(ch, y, x, func(i int) { elems = append(elems, in.Ints[i]) })
				out.Ints[index] = red(elems, t.Data, c.Rounding)
			})
		},
	}
}

type pooling struct {
	window
	in, out  plane
	outShape []int
}

func newPooling(l layout, c *nn.Call) *pooling {
	p := l.plane(c.Input("in").Shape)
	win := newWindow(c.Attrs, c.Attrs.Int("kernel_h"), c.Attrs.Int("kernel_w"), p)
	pl := &pooling{window: win, in: p, outShape: l.shape(win.outH, win.outW, p.c)}
	rule.Hold(mli.CheckWork(win.outH, win.outW, p.c, win.kh, win.kw))
	pl.out = l.plane(pl.outShape)
	return pl
}

func (p *pooling) each(f func(ch, y, x, index int)) {
	for ch := range p.out.c {
		for y := range p.out.h {
			for x := range p.out.w {
				f(ch, y, x, y*p.out.sy+x*p.out.sx+ch*p.out.sc)
			}
		}
	}
}

func (p *pooling) taps(ch, y, x int, f func(index int)) {
	for row := max(0, y*p.sh-p.top); row < min(p.in.h, y*p.sh-p.top+p.kh); row++ {
		for col := max(0, x*p.sw-p.lft); col < min(p.in.w, x*p.sw-p.lft+p.kw); col++ {
			f(row*p.in.sy + col*p.in.sx + ch*p.in.sc)
		}
	}
}
