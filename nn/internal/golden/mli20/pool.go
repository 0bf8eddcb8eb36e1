package mli20

import (
	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/mli"
	"arcv2dsp/nn/internal/golden/rule"
)

// newPooling checks the shapes and the configuration of a pooling function.
func newPooling(c *nn.Call) window {
	out := c.Out[0]
	w := newWindow(c, c.Attrs.Int("kernel_h"), c.Attrs.Int("kernel_w"))
	if out.Shape != nil && len(out.Shape) != 3 {
		panic(violation(shapeWrong, "output of shape %v is no map", out.Shape))
	}
	refuse(w.kh > maxByte || w.kw > maxByte, badConfig, "kernel %dx%d", w.kh, w.kw)
	w.check()
	w.fit(out, w.c)
	refuse(w.outC != w.c, badConfig, "%d channels of the output, the map has %d", w.outC, w.c)
	rule.Hold(mli.CheckWork(w.outH, w.outW, w.c, w.kh, w.kw))
	return w
}

// pool slides over every channel; reduce makes an output of the elements under the window.
func pool(format func(Typing, *nn.Call) nn.Format, check func(Typing, *nn.Call),
	reducer func(Typing, *nn.Call) func(elems []int64) int64) model {
	return model{
		format: format,
		shape: func(_ Typing, c *nn.Call) []int {
			w := newPooling(c)
			return []int{w.outH, w.outW, w.c}
		},
		check: check,
		exact: func(t Typing, c *nn.Call) {
			w := newPooling(c)
			in, out, reduce := c.Input("in").Ints, c.Out[0].Ints, reducer(t, c)
			var elems []int64
			for i := range out {
				elems = elems[:0]
				w.taps(i/w.c/w.outW, i/w.c%w.outW, func(row, col, _, _ int) {
					elems = append(elems, in[(row*w.w+col)*w.c+i%w.c])
				})
				out[i] = reduce(elems)
			}
		},
	}
}

func maxPool() model {
	return pool(inputFormat, perTensorInput, func(t Typing, _ *nn.Call) func([]int64) int64 {
		return func(elems []int64) int64 {
			m, _ := t.Data.Element().Range()
			for _, v := range elems {
				m = max(m, v)
			}
			return m
		}
	})
}

const (
	meanBits   = 8    // of the multiplier of an affine mean
	narrowTaps = 1024 // bytes whose sum 32 bits hold
)

// meanPool multiplies the sum by a truncated reciprocal; a change of format goes into the same product.
func meanPool() model {
	check := func(t Typing, c *nn.Call) {
		perTensorInput(t, c)
		if out := c.Out[0].Format; t.Data.Affine() && (!mli.PerTensor(out) || !byteZero(out.Zero(0)) || !byteZero(c.Input("in").Format.Zero(0))) {
			panic(violation(incompatible, "zero points or scales of a mean"))
		}
	}
	return pool(nil, check, func(t Typing, c *nn.Call) func([]int64) int64 {
		in, out, r := c.Input("in").Format, c.Out[0].Format, c.Rounding
		return func(elems []int64) int64 {
			if len(elems) == 0 {
				return 0
			}
			var sum int64
			for _, v := range elems {
				sum += v
			}
			mul, shift := mli.Reciprocal(len(elems))
			if !t.Data.Affine() {
				width := 64
				if t.Data == mli.FX8 && len(elems) <= narrowTaps {
					// DEVIATION(391): the sums of more bytes have more than 32 bits.
					width = 32
				}
				return mli.Saturate(rounded(r, sum*mul, shift+in.Frac-out.Frac, width), t.Data.Bits())
			}
			to := newChange(r, in, out)
			m, n := normalized(r, to.scale*mul, 32, meanBits)
			shift += to.shift - n
			offset := mli.Saturate(mli.ShiftLeft(to.offset, shift), 32)
			return mli.Saturate(rounded(r, mli.Saturate(offset+m*sum, 32), shift, 32), 8)
		}
	})
}

// inputFormat is the rule of functions whose output has the format of their input.
func inputFormat(_ Typing, c *nn.Call) nn.Format { return c.Input("in").Format }

// perTensorInput: affine inputs have one scale.
func perTensorInput(t Typing, c *nn.Call) {
	if f := c.Input("in").Format; t.Data.Affine() && !mli.PerTensor(f) {
		panic(violation(incompatible, "input has scales along dimension %d", f.Axis))
	}
}
