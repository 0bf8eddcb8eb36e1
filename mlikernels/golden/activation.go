package golden

import "fmt"

// Kinds of rectifier, as the library numbers them.
const (
	reluNone = 0 // container range only
	reluGen  = 1 // [0, max]
	relu1    = 2 // [-1, 1]
	relu6    = 3 // [0, 6]
)

// limits is the closed range a rectifier lets through.
type limits struct{ lo, hi int64 }

func (l limits) clamp(x int64) int64 { return clamp(x, l.lo, l.hi) }

// reluLimits finds the range of a rectifier in the format of t. A limit that the container cannot
// hold is the container's own.
func reluLimits(kind int, t *Tensor) (limits, error) {
	bits := t.Type.Bits()
	lo, hi := int64(-1)<<(bits-1), int64(1)<<(bits-1)-1
	level := func(k int64) int64 {
		if t.Type.Affine() {
			return clamp(t.zero(0)+shiftLeft(k, t.ScaleFrac)/t.scale(0), lo, hi)
		}
		return clamp(shiftLeft(k, t.Frac), lo, hi)
	}
	switch kind {
	case reluNone:
		return limits{lo: lo, hi: hi}, nil
	case reluGen:
		return limits{lo: level(0), hi: hi}, nil
	case relu1:
		return limits{lo: level(-1), hi: level(1)}, nil
	case relu6:
		return limits{lo: level(0), hi: level(6)}, nil
	}
	return limits{}, fmt.Errorf("relu kind %d is unknown", kind)
}

func relu(t typing) func(*Case, Rounding) (Result, error) {
	return func(c *Case, _ Rounding) (Result, error) {
		in := c.Tensors["in"]
		lim, err := reluLimits(c.Params.Int("relu"), in)
		if err != nil {
			return Result{}, err
		}
		out := in.like(in.Shape...)
		for i, v := range in.Data {
			out.Data[i] = int32(lim.clamp(int64(v)))
		}
		return c.one("out", out, nil), nil
	}
}

// leakyReLU scales negative inputs by the slope. The library picks the larger of x and the scaled x
// when the slope is below one, else the smaller.
func leakyReLU(t typing) func(*Case, Rounding) (Result, error) {
	return func(c *Case, r Rounding) (Result, error) {
		in, slope := c.Tensors["in"], c.Tensors["slope"]
		if slope.Len() != 1 {
			return Result{}, fmt.Errorf("slope of shape %v is not a scalar", slope.Shape)
		}
		s := int64(slope.Data[0])
		below := s < slopeOne(slope.Frac, t.data)
		out := in.like(in.Shape...)
		for i, v := range in.Data {
			x := int64(v)
			y := saturate(r.Shift(x*s, slope.Frac), t.data.Bits())
			if below {
				y = max(x, y)
			} else {
				y = min(x, y)
			}
			out.Data[i] = int32(y)
		}
		return c.one("out", out, nil), nil
	}
}

// slopeOne is the value 1.0 the slope is compared with. MLI 1.1 computes it in 16 bits: with 15
// fractional bits it wraps to -1.0, and every Q.15 slope counts as at least one.
func slopeOne(frac int, t Type) int64 {
	if t == FX16 {
		return int64(int16(shiftLeft(1, frac)))
	}
	return shiftLeft(1, frac)
}
