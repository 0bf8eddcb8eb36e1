package mli20

import (
	"math"
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/mli"
	"arcv2dsp/nn/internal/golden/rule"
)

// axes checks the attribute perm: dimension d of the output is dimension perm[d] of the input.
func axes(c *nn.Call) ([]int, error) {
	in, perm := c.Input("in"), c.Attrs.Ints("perm")
	if len(perm) < len(in.Shape) {
		return nil, violation(badConfig, "%d axes for %d dimensions", len(perm), len(in.Shape))
	}
	perm = perm[:len(in.Shape)]
	sorted := slices.Clone(perm)
	slices.Sort(sorted)
	for d := range sorted {
		if sorted[d] != d {
			return nil, violation(badConfig, "axes %v are not a permutation", perm)
		}
	}
	return perm, nil
}

// permute reorders the axes; scales along an axis go with it.
func permute() model {
	return model{
		format: func(_ Typing, c *nn.Call) nn.Format {
			f := c.Input("in").Format
			if perm, err := axes(c); err == nil && f.Kind == nn.Mantissa && f.Axis >= 0 {
				f.Axis = slices.Index(perm, f.Axis)
			}
			return f
		},
		shape: func(_ Typing, c *nn.Call) []int {
			perm, err := axes(c)
			rule.Hold(err)
			shape := make([]int, len(perm))
			for d, p := range perm {
				shape[d] = c.Input("in").Shape[p]
			}
			if out := c.Out[0]; out.Shape != nil && !slices.Equal(out.Shape, shape) {
				panic(violation(shapeWrong, "output of shape %v, it must be %v", out.Shape, shape))
			}
			return shape
		},
		exact: func(_ Typing, c *nn.Call) {
			perm, err := axes(c)
			rule.Hold(err)
			in, out := c.Input("in"), c.Out[0]
			at := make([]int, len(perm))
			for i := range out.Ints {
				for d, x := range nn.Coordinates(i, out.Shape) {
					at[perm[d]] = x
				}
				out.Ints[i] = in.Ints[nn.Index(at, in.Shape)]
			}
		},
	}
}

// convert gives the values of a tensor in another format.
func convert() model {
	return model{
		shape: inputShape,
		check: func(_ Typing, c *nn.Call) {
			f, g := c.Input("in").Format, c.Out[0].Format
			for _, x := range []*nn.Tensor{c.Input("in"), c.Out[0]} {
				typ, err := mli.TypeOf(x)
				rule.Hold(err)
				rule.Hold(checkFormat(typ, x.Format))
			}
			if f.Kind == nn.Mantissa && g.Kind == nn.Mantissa && f.Axis >= 0 && g.Axis >= 0 && f.Axis != g.Axis {
				panic(violation(wrongSize, "scales along %d and %d", f.Axis, g.Axis))
			}
		},
		exact: func(_ Typing, c *nn.Call) {
			in, out := c.Input("in"), c.Out[0]
			for i := range in.Len() {
				convertElement(c.Rounding, in, out, i)
			}
		},
	}
}

// along is the index of the scale of element i.
func along(t *nn.Tensor, i int) int {
	if t.Format.Kind != nn.Mantissa || t.Format.Axis < 0 {
		return 0
	}
	return position(i, t.Format.Axis, t.Shape)
}

func convertElement(r nn.Rounding, in, out *nn.Tensor, i int) {
	k, l := along(in, i), along(out, i)
	s, f, z := scaleOf(in.Format, k), fracOf(in.Format, k), zeroOf(in.Format, k)
	d, g, y := scaleOf(out.Format, l), fracOf(out.Format, l), zeroOf(out.Format, l)
	switch {
	case in.Type.Float() && out.Type.Float():
		out.Floats[i] = in.Floats[i]
	case in.Type.Float():
		out.Ints[i] = fromFloat(in.Floats[i], d, g, y, out.Type)
	case out.Type.Float():
		scale := float32(math.Ldexp(float64(float32(s)), -f))
		// DEVIATION(392): a distance from the zero point saturates.
		out.Floats[i] = float32(mli.Saturate(in.Ints[i]-z, 32)) * scale
	default:
		to := newChange(r, single(s, f, z), single(d, g, y))
		out.Ints[i] = to.element(r, in.Ints[i], z, y, in.Type == nn.I32 || out.Type == nn.I32, out.Type)
	}
}

// single is an affine format with one scale.
func single(s int64, frac int, z int64) nn.Format {
	return nn.Format{Kind: nn.Mantissa, Axis: -1, Mantissas: []int32{int32(s)}, ScaleFrac: frac, Zeros: []int64{z}}
}

// element converts an integer; wide ones multiply two 32-bit numbers and keep the upper half.
func (t change) element(r nn.Rounding, x, zero, zeroOut int64, wide bool, to nn.Type) int64 {
	if !wide {
		return to.Clamp(rounded(r, mli.Saturate(x-zero, 16)*t.scale, min(t.shift, 31), 32) + zeroOut)
	}
	v := mli.Saturate(x-zero, 32)
	a, b := norm(v, 32), norm(t.scale, 32)
	upper := (v << a) * (t.scale << b) >> 32
	return to.Clamp(mli.Saturate(rounded(r, upper, min(t.shift, 63)+a+b-32, 32)+zeroOut, 32))
}

// fromFloat rounds a real number half away from zero, in single precision.
func fromFloat(x float32, scale int64, frac int, zero int64, to nn.Type) int64 {
	c := float32(math.Ldexp(float64(1/float32(scale)), frac))
	half := float32(-0.5)
	if x > 0 {
		half = 0.5
	}
	v := float64(x*c + half)
	switch {
	case v != v:
		return to.Clamp(zero)
	case v >= math.MaxInt32:
		v = math.MaxInt32
	case v <= math.MinInt32:
		v = math.MinInt32
	}
	return to.Clamp(int64(v) + zero)
}
