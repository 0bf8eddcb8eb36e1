package mli20

import (
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/mli"
)

// level is k in units of a format, greatest when the shift leaves 32 bits.
func level(k int64, f nn.Format, bits int) int64 {
	const greatest = 1<<31 - 1
	frac, s := fracOf(f, 0), scaleOf(f, 0)
	switch {
	case frac >= bits:
		return greatest
	case frac >= 0:
		return k << frac / s
	case frac > -3:
		return k >> -frac / s
	}
	return 0
}

// reluLimits finds the range of a rectifier in a format of a type.
func reluLimits(kind int, t mli.Type, f nn.Format) mli.Limits {
	z := zeroOf(f, 0)
	lim, ok := mli.ReluLimits(kind, t, func(k int64) int64 {
		switch k {
		case 0:
			return z
		case 6:
			return z + level(6, f, 28)
		}
		return z + k*level(1, f, 30)
	})
	refuse(!ok, badConfig, "relu kind %d is unknown", kind)
	return lim
}

// inputShape is the rule of functions whose output has the shape of their input.
func inputShape(_ Typing, c *nn.Call) []int {
	in, out := c.Input("in"), c.Out[0]
	if out.Shape != nil && !slices.Equal(out.Shape, in.Shape) {
		panic(violation(shapeWrong, "output of shape %v, input %v", out.Shape, in.Shape))
	}
	return in.Shape
}

// perElement is a function of every element of the input.
func perElement(format func(Typing, *nn.Call) nn.Format, check func(Typing, *nn.Call),
	element func(Typing, *nn.Call) func(x int64, i int) int64) model {
	return model{
		inPlace: true,
		format:  format,
		shape:   inputShape,
		check:   check,
		exact: func(t Typing, c *nn.Call) {
			f := element(t, c)
			for i, v := range c.Input("in").Ints {
				c.Out[0].Ints[i] = f(v, i)
			}
		},
	}
}

func relu() model {
	check := func(t Typing, c *nn.Call) {
		reluLimits(c.Attrs.Int("relu"), t.Data, c.Input("in").Format)
		if f := c.Input("in").Format; t.Data.Affine() && !byteZero(f.Zero(0)) {
			panic(violation(incompatible, "zero point %d is no byte", f.Zero(0)))
		}
		perTensorInput(t, c)
	}
	return perElement(inputFormat, check, func(t Typing, c *nn.Call) func(int64, int) int64 {
		lim := reluLimits(c.Attrs.Int("relu"), t.Data, c.Input("in").Format)
		return func(x int64, _ int) int64 { return lim.Clamp(x) }
	})
}

// axisOf reads the attribute axis; -1 stands for the whole tensor.
func axisOf(c *nn.Call, rank int) int {
	axis := c.Attrs.Int("axis")
	refuse(axis >= rank, badConfig, "axis %d of a tensor with %d dimensions", axis, rank)
	return max(axis, -1)
}

// position is the index of element i along an axis.
func position(i, axis int, shape []int) int {
	return i / nn.Count(shape[axis+1:]) % shape[axis]
}

// rectified has a slope below zero: one for all, or one for each position along an axis.
func rectified(axes bool) model {
	return perElement(nil, func(t Typing, c *nn.Call) { checkSlope(t, c, axes) },
		func(t Typing, c *nn.Call) func(int64, int) int64 {
			in, slope := c.Input("in"), c.Input("slope")
			axis := -1
			if axes {
				axis = axisOf(c, len(in.Shape))
			}
			at := func(i int) int64 {
				if axis < 0 {
					return slope.Ints[0]
				}
				return slope.Ints[position(i, axis, in.Shape)]
			}
			if t.Data.Affine() {
				return affineRectifier(c, at)
			}
			r, bits := c.Rounding, t.Data.Bits()
			return func(x int64, i int) int64 {
				s, n := at(i), in.Format.Frac+slope.Format.Frac-c.Out[0].Format.Frac
				if axis < 0 && bits == 16 {
					m, k := normalized(r, s, 16, 16)
					s, n = m, n-k
				}
				return mli.Saturate(max(0, x)+mli.Saturate(rounded(r, min(0, x)*s, min(n, 31), 32), bits), bits)
			}
		})
}

// checkSlope states the rules for the slope.
func checkSlope(t Typing, c *nn.Call, axes bool) {
	in, slope, out := c.Input("in"), c.Input("slope"), c.Out[0]
	axis := -1
	if axes {
		axis = axisOf(c, len(in.Shape))
	}
	refuse(axis < 0 && slope.Len() != 1, shapeWrong, "slope of shape %v is no scalar", slope.Shape)
	if axis >= 0 {
		want := slices.Repeat([]int{1}, len(in.Shape))
		want[axis] = in.Shape[axis]
		refuse(!slices.Equal(slope.Shape, want), incompatible, "slopes of shape %v, the input wants %v", slope.Shape, want)
	}
	if !t.Data.Affine() {
		refuse(in.Format.Frac != out.Format.Frac, badParams, "output with %d fractional bits, input %d", out.Format.Frac, in.Format.Frac)
		return
	}
	const slopeZero = 1 << 14
	z := slope.Format.Zero(0)
	if !byteZero(in.Format.Zero(0)) || !byteZero(out.Format.Zero(0)) || z < -slopeZero || z >= slopeZero {
		panic(violation(incompatible, "zero points %d, %d, %d", in.Format.Zero(0), out.Format.Zero(0), z))
	}
	for _, f := range []nn.Format{in.Format, slope.Format, out.Format} {
		refuse(!mli.PerTensor(f), incompatible, "scales per axis")
	}
}

// affineRectifier has one map for elements from the zero point on, and one below.
func affineRectifier(c *nn.Call, slope func(i int) int64) func(int64, int) int64 {
	in, s, out, r := c.Input("in").Format, c.Input("slope").Format, c.Out[0].Format, c.Rounding
	same := newChange(r, in, out)
	up := mli.Saturate(mli.ShiftLeft(same.scale, max(-same.shift, 0)), 16)
	shift := max(same.shift, 0)
	return func(x int64, i int) int64 {
		m, n := up, shift
		if x < in.Zero(0) {
			a, k := normalized(r, (slope(i)-s.Zero(0))*scaleOf(s, 0), 32, 16)
			b, k2 := normalized(r, up*a, 32, 16)
			m, n = b, shift+fracOf(s, 0)-k-k2
		}
		return mli.Saturate(rounded(r, m*(x-in.Zero(0)), n, 32)+out.Zero(0), 8)
	}
}
