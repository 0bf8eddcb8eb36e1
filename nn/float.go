package nn

import "math"

// floatFormat is the layout of a floating-point type: the bits of fraction and exponent below the sign. A type
// without infinities has numbers in the place of theirs, and gives NaN where a number is too large.
type floatFormat struct {
	fraction, exponent int
	infinite           bool
}

// bias is what the exponent of 1 is stored as.
func (f floatFormat) bias() int { return 1<<(f.exponent-1) - 1 }

// Fraction is the number of bits behind the point of a normal number.
func (t Type) Fraction() int { return types[t].float.fraction }

// LeastNormal is the smallest positive number with all bits of the fraction.
func (t Type) LeastNormal() float64 { return math.Ldexp(1, 1-types[t].float.bias()) }

// Largest is the greatest finite number of a floating-point type.
func (t Type) Largest() float64 {
	f := types[t].float
	if !f.infinite { // the greatest exponent is one of numbers, all ones but the last of NaN
		return math.Ldexp(2-math.Ldexp(2, -f.fraction), f.bias()+1)
	}
	return math.Ldexp(2-math.Ldexp(1, -f.fraction), f.bias())
}

// Overflow is what stands for a number that is too large: an infinity, or NaN where the type has none.
func (t Type) Overflow(sign float64) float64 {
	if !types[t].float.infinite {
		return math.NaN()
	}
	return math.Copysign(math.Inf(1), sign)
}

// Round is the number of a floating-point type that is nearest to v, of two the one whose last bit is zero.
func (t Type) Round(v float64) float64 {
	switch {
	case t == F32:
		return float64(float32(v))
	case v == 0 || math.IsNaN(v):
		return v
	case math.IsInf(v, 0):
		return t.Overflow(v)
	}
	f := types[t].float
	_, e := math.Frexp(v) // v has the exponent e-1
	step := math.Ldexp(1, max(e-1, 1-f.bias())-f.fraction)
	r := math.RoundToEven(v/step) * step
	if math.Abs(r) > t.Largest() {
		return t.Overflow(v)
	}
	return r
}

// FloatBits are the bits of an element of a floating-point type, which has the value v.
func (t Type) FloatBits(v float32) uint64 {
	if t == F32 {
		return uint64(math.Float32bits(v))
	}
	f := types[t].float
	var sign uint64
	if math.Signbit(float64(v)) {
		sign = 1 << (f.fraction + f.exponent)
	}
	ones := uint64(1)<<f.exponent - 1
	switch a := math.Abs(float64(v)); {
	case a != a && f.infinite:
		return sign | ones<<f.fraction | 1<<(f.fraction-1)
	case a != a:
		return sign | 1<<(f.fraction+f.exponent) - 1
	case math.IsInf(a, 0):
		return sign | ones<<f.fraction
	case a < t.LeastNormal():
		return sign | uint64(math.Ldexp(a, f.bias()-1+f.fraction))
	default:
		m, e := math.Frexp(a)
		return sign | uint64(e-1+f.bias())<<f.fraction | uint64(math.Ldexp(2*m-1, f.fraction))
	}
}

// FromFloatBits is the value of an element of a floating-point type.
func (t Type) FromFloatBits(bits uint64) float32 {
	if t == F32 {
		return math.Float32frombits(uint32(bits))
	}
	f := types[t].float
	fraction := bits & (1<<f.fraction - 1)
	e := int(bits >> f.fraction & (1<<f.exponent - 1))
	var a float64
	switch top := e == 1<<f.exponent-1; {
	case top && f.infinite && fraction == 0:
		a = math.Inf(1)
	case top && (f.infinite || fraction == 1<<f.fraction-1):
		a = math.NaN()
	case e == 0:
		a = math.Ldexp(float64(fraction), 1-f.bias()-f.fraction)
	default:
		a = math.Ldexp(float64(fraction|1<<f.fraction), e-f.bias()-f.fraction)
	}
	if bits>>(f.fraction+f.exponent)&1 != 0 {
		a = math.Copysign(a, -1)
	}
	return float32(a)
}

// element is element i as an integer with the bits that memory and files hold.
func (t *Tensor) element(i int) int64 {
	if t.Type.Float() {
		return int64(t.Type.FloatBits(t.Floats[i]))
	}
	return t.Ints[i]
}
