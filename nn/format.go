package nn

import (
	"fmt"
	"math"
)

// Format gives the integers of a tensor their real values. The zero Format says that the integers
// mean themselves.
type Format struct {
	Kind FormatKind

	// Frac is the number of fractional bits of a Fixed format; it may exceed the element.
	Frac int

	// Axis is the dimension along which scales and zero points run; it counts only when there is more than
	// one of them.
	Axis int
	// Zeros are the zero points of a Mantissa or Scaled format.
	Zeros []int64
	// Mantissas and ScaleFrac are the scales of a Mantissa format: mantissa / 2^ScaleFrac.
	Mantissas []int32
	ScaleFrac int
	// ScaleFracs are those of each scale where they may differ; nil when ScaleFrac is that of all.
	ScaleFracs []int
	// Scales are the scales of a Scaled format.
	Scales []float32
	// Fine are the same scales in double precision, where single precision cannot say them; nil elsewhere.
	Fine []float64
}

// FormatKind is the way a format writes its scale.
type FormatKind uint8

const (
	// Plain integers mean themselves.
	Plain FormatKind = iota
	// Fixed point: value = integer / 2^Frac.
	Fixed
	// Mantissa: value = (integer - zero) * mantissa / 2^ScaleFrac, as MLI writes affine formats.
	Mantissa
	// Scaled: value = (integer - zero) * scale in floating point, as TensorFlow Lite writes them.
	Scaled
)

// Steps is the number of scales.
func (f Format) Steps() int {
	switch f.Kind {
	case Mantissa:
		return len(f.Mantissas)
	case Scaled:
		return len(f.Scales)
	default:
		return 1
	}
}

// Scale is scale i; a format with one scale has it for every i.
func (f Format) Scale(i int) float64 {
	if f.Steps() == 1 {
		i = 0
	}
	switch f.Kind {
	case Fixed:
		return math.Ldexp(1, -f.Frac)
	case Mantissa:
		frac := f.ScaleFrac
		if f.ScaleFracs != nil {
			frac = f.ScaleFracs[i]
		}
		return math.Ldexp(float64(f.Mantissas[i]), -frac)
	case Scaled:
		if f.Fine != nil {
			return f.Fine[i]
		}
		return float64(f.Scales[i])
	default:
		return 1
	}
}

// Zero is zero point i; a format with one zero point has it for every i, one without has 0.
func (f Format) Zero(i int) int64 {
	switch len(f.Zeros) {
	case 0:
		return 0
	case 1:
		return f.Zeros[0]
	default:
		return f.Zeros[i]
	}
}

// check fails for a format that does not fit the shape.
func (f Format) check(shape []int) error {
	if f.Kind == Plain || f.Kind == Fixed {
		return nil
	}
	n := f.Steps()
	if n == 0 {
		return fmt.Errorf("a format without a scale")
	}
	if len(f.Zeros) > 1 && len(f.Zeros) != n {
		return fmt.Errorf("%d zero points for %d scales", len(f.Zeros), n)
	}
	if f.ScaleFracs != nil && len(f.ScaleFracs) != n {
		return fmt.Errorf("fractional bits of %d scales, there are %d", len(f.ScaleFracs), n)
	}
	if n > 1 {
		if f.Axis < 0 || f.Axis >= len(shape) {
			return fmt.Errorf("scales along dimension %d of a tensor with %d dimensions", f.Axis, len(shape))
		}
		if shape[f.Axis] != n {
			return fmt.Errorf("%d scales along dimension %d of size %d", n, f.Axis, shape[f.Axis])
		}
	}
	for i := range n {
		if s := f.Scale(i); !(s > 0) || math.IsInf(s, 0) {
			return fmt.Errorf("scale %d is %v, it must be positive and finite", i, s)
		}
	}
	return nil
}
