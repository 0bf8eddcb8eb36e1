package mli11

import (
	"fmt"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/mli"
	"arcv2dsp/nn/internal/golden/rule"
)

// reluLimits finds the range of a rectifier in a format of a type.
func reluLimits(kind int, t Type, f nn.Format) mli.Limits {
	lim, ok := mli.ReluLimits(kind, t, func(k int64) int64 {
		if t.Affine() {
			return f.Zero(0) + mli.ShiftLeft(k, f.ScaleFrac)/mli.Mantissa(f, 0)
		}
		return mli.ShiftLeft(k, f.Frac)
	})
	rule.Refuse(!ok, "relu kind %d is unknown", kind)
	return lim
}

// relu keeps shape and format.
func relu() model {
	limitsOf := func(t Typing, c *nn.Call) mli.Limits {
		return reluLimits(c.Attrs.Int("relu"), t.Data, c.Input("in").Format)
	}
	return model{
		format: inputFormat,
		shape: func(t Typing, c *nn.Call) []int {
			limitsOf(t, c)
			return c.Input("in").Shape
		},
		exact: func(t Typing, c *nn.Call) {
			lim := limitsOf(t, c)
			out := c.Out[0]
			for i, v := range c.Input("in").Ints {
				out.Ints[i] = lim.Clamp(v)
			}
		},
	}
}

// leakyReLU scales negative inputs by the slope. The library picks the larger of x and the scaled x
// when the slope is below one, else the smaller.
func leakyReLU() model {
	return model{
		format:  inputFormat,
		scalars: []string{"slope"},
		shape: func(_ Typing, c *nn.Call) []int {
			if slope := c.Input("slope"); slope.Len() != 1 {
				panic(fmt.Errorf("slope of shape %v is not a scalar", slope.Shape))
			}
			return c.Input("in").Shape
		},
		exact: func(t Typing, c *nn.Call) {
			slope, out := c.Input("slope"), c.Out[0]
			s, frac := slope.Ints[0], slope.Format.Frac
			below := s < slopeOne(frac, t.Data)
			for i, x := range c.Input("in").Ints {
				y := mli.Saturate(mli.Shift(c.Rounding, x*s, frac), t.Data.Bits())
				if below {
					y = max(x, y)
				} else {
					y = min(x, y)
				}
				out.Ints[i] = y
			}
		},
	}
}

// slopeOne is the value 1.0 the slope is compared with. MLI 1.1 computes it in 16 bits: with 15
// fractional bits it wraps to -1.0, and every Q.15 slope counts as at least one.
func slopeOne(frac int, t Type) int64 {
	if t == FX16 {
		return int64(int16(mli.ShiftLeft(1, frac)))
	}
	return mli.ShiftLeft(1, frac)
}
