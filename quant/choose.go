package quant

import (
	"fmt"
	"math"
)

// Convention is a way to choose scale and zero point for a range of reals.
type Convention uint8

const (
	TFLiteAsymmetric Convention = iota // the range grows to contain zero, zero is on the grid
	TFLiteSymmetric                    // zero point 0, the lowest value is not used
	MLIRFakeQuant                      // a range without zero is shifted, not widened
	HistoricSolver                     // the scale is searched until both ends and zero fit
	PowerOfTwo                         // MLI's fx formats: zero point 0, scale 2^-n
	IntegerScale                       // MLI's sa8: the scale is an integer of 15 bits and a shift
)

var conventionNames = [...]string{
	TFLiteAsymmetric: "tflite",
	TFLiteSymmetric:  "tflite-symmetric",
	MLIRFakeQuant:    "mlir-fake-quant",
	HistoricSolver:   "solver",
	PowerOfTwo:       "fx",
	IntegerScale:     "sa8",
}

// Conventions lists every convention.
func Conventions() []Convention {
	list := make([]Convention, len(conventionNames))
	for i := range list {
		list[i] = Convention(i)
	}
	return list
}

func (c Convention) String() string {
	if int(c) < len(conventionNames) {
		return conventionNames[c]
	}
	return fmt.Sprintf("convention(%d)", uint8(c))
}

// ParseConvention reads the name that String prints.
func ParseConvention(s string) (Convention, error) {
	for c, name := range conventionNames {
		if s == name {
			return Convention(c), nil
		}
	}
	return 0, fmt.Errorf("unknown convention %q (tflite, tflite-symmetric, mlir-fake-quant, solver, fx, sa8)", s)
}

// Choose gives scale and zero point for reals in [lo, hi], and the container with the part of it that
// is used. The narrow form of a container is asked for by its Min.
func (c Convention) Choose(lo, hi float64, s Storage) (Params, Storage, error) {
	if err := checkRange(lo, hi); err != nil {
		return Params{}, s, err
	}
	if err := s.Check(); err != nil {
		return Params{}, s, err
	}
	var p Params
	var err error
	switch c {
	case TFLiteAsymmetric:
		p, err = chooseTFLite(lo, hi, s)
	case TFLiteSymmetric:
		p, s, err = chooseSymmetric(lo, hi, s)
	case MLIRFakeQuant:
		p, err = chooseFakeQuant(lo, hi, s)
	case HistoricSolver:
		var fit Solution
		if fit, err = Solve(lo, hi, s.Levels(), s.Min); err == nil && !fit.Satisfied {
			err = fmt.Errorf("range %g to %g: no scale found in %d steps", lo, hi, fit.Steps)
		}
		p = fit.Params
	case PowerOfTwo:
		var frac int
		if frac, err = FractionBits(lo, hi, s); err == nil {
			p = Params{Scale: math.Ldexp(1, -frac)}
			err = p.Check()
		}
	case IntegerScale:
		if p, err = chooseTFLite(lo, hi, s); err == nil && p.Scale > 0 {
			var sa SA
			sa, err = NearestSA(p)
			p = sa.Params()
		}
	default:
		err = fmt.Errorf("unknown convention %d", c)
	}
	return p, s, err
}

// checkRange refuses what is no range of numbers.
func checkRange(lo, hi float64) error {
	switch {
	case math.IsNaN(lo) || math.IsNaN(hi) || math.IsInf(lo, 0) || math.IsInf(hi, 0):
		return fmt.Errorf("range %g to %g is not finite", lo, hi)
	case lo > hi:
		return fmt.Errorf("range %g to %g is empty", lo, hi)
	case math.IsInf(hi-lo, 0):
		return fmt.Errorf("range %g to %g is too wide for a scale", lo, hi)
	}
	return nil
}

// nudgeZero is the zero point for a range whose ends map to the ends of the container: from the end
// that loses less, rounded away from zero, inside the container.
func nudgeZero(lo, hi, scale float64, s Storage) int64 {
	qmin, qmax := float64(s.Min), float64(s.Max)
	zero, other := qmin-lo/scale, qmax-hi/scale
	if math.Abs(qmin)+math.Abs(lo/scale) >= math.Abs(qmax)+math.Abs(hi/scale) {
		zero = other
	}
	switch {
	case zero < qmin:
		return s.Min
	case zero > qmax:
		return s.Max
	}
	return int64(math.Round(zero))
}

// chooseTFLite widens the range to contain zero. The range of zero alone has scale 0.
func chooseTFLite(lo, hi float64, s Storage) (Params, error) {
	lo, hi = min(lo, 0), max(hi, 0)
	if lo == hi {
		return Params{}, nil
	}
	scale := (hi - lo) / float64(s.Levels())
	if err := (Params{Scale: scale}).Check(); err != nil {
		return Params{}, err
	}
	return Params{Scale: scale, ZeroPoint: nudgeZero(lo, hi, scale, s)}, nil
}

// smallestNormal is the least float32 with all bits of its fraction.
const smallestNormal = 0x1p-126

// chooseSymmetric never uses the lowest value, so that a value and its opposite are both there. A range
// of zero alone has scale 1, and so has one too small for a scale with all its bits. Scales are float32, as
// TensorFlow Lite computes them.
func chooseSymmetric(lo, hi float64, s Storage) (Params, Storage, error) {
	if !s.Signed {
		return Params{}, s, fmt.Errorf("a symmetric range needs a signed container, not %s", s)
	}
	s.Max = min(s.Max, -s.Whole().Narrow().Min)
	s.Min = -s.Max
	reach := float32(max(-lo, hi, 0))
	p := Params{Scale: float64(reach / float32(s.Max))}
	if p.Scale < smallestNormal {
		p.Scale = 1
	}
	return p, s, p.Check()
}

// epsilon is the smallest difference that MLIR takes for a range: the distance of 1 to the next float64.
const epsilon = 0x1p-52

// chooseFakeQuant keeps the width of the range: one without zero is moved, so that a range of 0.5 to 2
// has the scale of 1.5 and represents 0 to 1.5.
func chooseFakeQuant(lo, hi float64, s Storage) (Params, error) {
	if math.Abs(hi-lo) < epsilon {
		return Params{Scale: 1, ZeroPoint: s.Min}, nil
	}
	scale := (hi - lo) / float64(s.Levels())
	return Params{Scale: scale, ZeroPoint: nudgeZero(lo, hi, scale, s)}, nil
}

// FractionBits is the greatest number of fraction bits with which both ends of the range fit the
// container unsaturated. A range of zero alone gets all bits below the sign.
func FractionBits(lo, hi float64, s Storage) (int, error) {
	if err := checkRange(lo, hi); err != nil {
		return 0, err
	}
	if lo < 0 && s.Min >= 0 {
		return 0, fmt.Errorf("range %g to %g: container %s has no negative values", lo, hi, s)
	}
	frac := math.MaxInt
	for _, end := range []struct{ value, limit float64 }{
		{value: hi, limit: float64(s.Max)},
		{value: -lo, limit: -float64(s.Min)},
	} {
		if end.value <= 0 {
			continue
		}
		_, above := math.Frexp(end.limit)
		_, exponent := math.Frexp(end.value)
		n := above - exponent + 1 // value * 2^n is 2^above at least: beyond the limit
		for math.Round(math.Ldexp(end.value, n)) > end.limit {
			n--
		}
		frac = min(frac, n)
	}
	if frac == math.MaxInt {
		frac = s.Bits - 1
	}
	return frac, nil
}

// FakeQuantStorage is the container of a fake quantization: its width grows to 8, 16 or 32 bits without
// narrowing the range, so that 4 bits get the whole of a byte.
func FakeQuantStorage(bits int, signed, narrow bool) Storage {
	width := 32
	for _, w := range []int{16, 8} {
		if bits <= w {
			width = w
		}
	}
	s := MakeStorage(signed, width)
	if narrow {
		s = s.Narrow()
	}
	return s
}
