package semantics

import "arcv2dsp/cpu/internal/fpunit"

// The single precision of FPX, the extension before the floating-point unit.
//
// DEVIATION(238): FPX rounds to nearest, knows subnormal numbers and NaNs as the floating-point unit does, and
// with .f sets Z and N by the result: Z for zero of either sign, N for less than zero.

// floatFlags replaces Z and N of fl by those of a single-precision number.
func floatFlags(z, fl uint32) (f uint32) {
	f = fl & 3
	if z<<1 == 0 {
		f |= 8
	} else if z>>31 != 0 && z<<1 <= 0xff00_0000 {
		f |= 4
	}
	return f
}

// FADD: x + y.
//
//engine:reference
func FADD(x, y, fl uint32) (z, f, e uint32) {
	z64, e := fpunit.Add(uint64(x), uint64(y), fpunit.RoundNearest, fpunit.Single)
	z = uint32(z64)
	f = floatFlags(z, fl)
	return z, f, e
}

// FSUB: x - y.
//
//engine:reference
func FSUB(x, y, fl uint32) (z, f, e uint32) {
	z64, e := fpunit.Subtract(uint64(x), uint64(y), fpunit.RoundNearest, fpunit.Single)
	z = uint32(z64)
	f = floatFlags(z, fl)
	return z, f, e
}

// FMUL: x * y.
//
//engine:reference
func FMUL(x, y, fl uint32) (z, f, e uint32) {
	z64, e := fpunit.Multiply(uint64(x), uint64(y), fpunit.RoundNearest, fpunit.Single)
	z = uint32(z64)
	f = floatFlags(z, fl)
	return z, f, e
}
