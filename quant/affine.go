package quant

import (
	"fmt"
	"math"
)

// Storage is the integer container of a quantized value: its width, its sign and the part of its
// range that is used.
type Storage struct {
	Signed   bool
	Bits     int // 1 to 32
	Min, Max int64
	Float    Float // small floating-point numbers instead of integers
}

// The containers the libraries use.
var (
	Int8   = MakeStorage(true, 8)
	Uint8  = MakeStorage(false, 8)
	Int16  = MakeStorage(true, 16)
	Uint16 = MakeStorage(false, 16)
	Int32  = MakeStorage(true, 32)
)

// MakeStorage is a container of the given width, 1 to 32 bits, with its whole range in use.
func MakeStorage(signed bool, bits int) Storage {
	s := Storage{Signed: signed, Bits: bits, Max: 1<<bits - 1}
	if signed {
		s.Min, s.Max = -1<<(bits-1), 1<<(bits-1)-1
	}
	return s
}

// floatStorage is a container of small floating-point numbers.
func floatStorage(f Float) Storage {
	reach := int64(floats[f].largest)
	return Storage{Signed: true, Bits: f.Bits(), Min: -reach, Max: reach, Float: f}
}

// Narrow is the container without its lowest value.
func (s Storage) Narrow() Storage {
	s.Min++
	return s
}

// Whole is the container with its whole range in use.
func (s Storage) Whole() Storage {
	if s.Float != NoFloat {
		return floatStorage(s.Float)
	}
	return MakeStorage(s.Signed, s.Bits)
}

// Clamp is the value of the used range that is nearest to x.
func (s Storage) Clamp(x int64) int64 { return max(s.Min, min(x, s.Max)) }

// Levels is the number of steps between the ends of the used range.
func (s Storage) Levels() int64 { return s.Max - s.Min }

// Check says whether the container can exist.
func (s Storage) Check() error {
	if s.Bits < 1 || s.Bits > 32 {
		return fmt.Errorf("storage of %d bits (1 to 32)", s.Bits)
	}
	if whole := s.Whole(); s.Min >= s.Max || s.Min < whole.Min || s.Max > whole.Max {
		return fmt.Errorf("range %d to %d does not fit storage %s", s.Min, s.Max, whole)
	}
	return nil
}

// String is i8 or u8, with the range behind it where a part is used: i8<-127:127>.
func (s Storage) String() string {
	name := fmt.Sprintf("u%d", s.Bits)
	if s.Signed {
		name = fmt.Sprintf("i%d", s.Bits)
	}
	if s.Float != NoFloat {
		name = s.Float.String()
	}
	if s == s.Whole() {
		return name
	}
	return fmt.Sprintf("%s<%d:%d>", name, s.Min, s.Max)
}

// Params is an affine relation: real = (integer - ZeroPoint) * Scale.
type Params struct {
	Scale     float64
	ZeroPoint int64
}

// Check says whether the relation can quantize.
func (p Params) Check() error {
	if !(p.Scale > 0) || math.IsInf(p.Scale, 0) {
		return fmt.Errorf("scale %g is not a positive number", p.Scale)
	}
	return nil
}

// Dequantize is the real value an integer stands for.
func (p Params) Dequantize(q int64) float64 { return float64(q-p.ZeroPoint) * p.Scale }

// DequantizeSingle is the same in float32 arithmetic, as TensorFlow Lite's kernel does it.
func (p Params) DequantizeSingle(q int64) float32 { return float32(p.Scale) * float32(q-p.ZeroPoint) }

// ZeroFirst says when the zero point joins the quotient.
type ZeroFirst uint8

const (
	ZeroAfter  ZeroFirst = iota // round(x/scale) + zero point
	ZeroBefore                  // round(x/scale + zero point)
	ZeroBytes                   // before rounding for containers of 8 bits, after it for others
)

// RealRule is the way in which a library turns a real into an integer. The result is clamped to the
// container whatever the rule; a rule that clamps before it rounds gives the same, since limits are
// integers.
type RealRule struct {
	Rounding Rounding
	Single   bool // quotient and sum in float32
	Zero     ZeroFirst
}

// The rules of the profiles, and two more.
var (
	RealGemmlowp = RealRule{Rounding: HalfAway, Single: true, Zero: ZeroBefore}
	RealTFLite   = RealRule{Rounding: HalfAway, Single: true, Zero: ZeroAfter}
	RealMLI      = RealRule{Rounding: HalfAway, Zero: ZeroAfter}
	// RealMLIRConst adds the zero point before rounding for 8-bit containers and after it for wider
	// ones.
	RealMLIRConst = RealRule{Rounding: HalfAway, Zero: ZeroBytes}
	// RealMLIRLower truncates and clamps only narrowed ranges; a value outside a whole range is
	// undefined there. DEVIATION(260): it saturates here.
	RealMLIRLower = RealRule{Rounding: TowardZero, Single: true, Zero: ZeroBefore}
	// RealStableHLO is uniform_quantize of StableHLO.
	RealStableHLO = RealRule{Rounding: NearestEven, Single: true, Zero: ZeroBefore}
)

// Quantize makes an integer of a real. DEVIATION(261): a quotient that is not a number becomes the zero
// point; the libraries leave it undefined.
func (r RealRule) Quantize(x float64, p Params, s Storage) int64 {
	before := r.Zero == ZeroBefore || r.Zero == ZeroBytes && s.Bits == 8
	v := x / p.Scale
	if r.Single {
		v = float64(float32(x) / float32(p.Scale))
	}
	if before {
		v += float64(p.ZeroPoint)
		if r.Single {
			v = float64(float32(v))
		}
	}
	v = r.Rounding.Real(v)
	if !before {
		v += float64(p.ZeroPoint)
	}
	switch {
	case math.IsNaN(v):
		return s.Clamp(p.ZeroPoint)
	case v >= float64(s.Max):
		return s.Max
	case v > float64(s.Min):
		return int64(v)
	}
	return s.Min
}

// QuantizeAll quantizes values in order.
func (r RealRule) QuantizeAll(values []float64, p Params, s Storage) []int64 {
	out := make([]int64, len(values))
	for i, x := range values {
		out[i] = r.Quantize(x, p, s)
	}
	return out
}

// Rescale is the integer of relation to that stands for the same real as q does in relation p,
// computed in float64.
func (p Params) Rescale(q int64, to Params, s Storage, r Rounding) int64 {
	return RealRule{Rounding: r}.Quantize(p.Dequantize(q), to, s)
}
