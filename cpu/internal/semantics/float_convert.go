package semantics

import "arcv2dsp/cpu/internal/fpunit"

// Conversions: y says which. Bit 0: to an integer, else from one; bit 1: of a signed integer; bit 3: to an
// integer, cut off whatever the rounding mode is. Bit 2 converts between the two floating-point formats. The
// name says the widths of the operand and the result.
//
// DEVIATION(237): bit 2 counts before the others, and operand and result of one width are the same number
// then; all other bits are ignored.

// Fields of the second operand of a conversion.
const (
	toInteger = 1 << 0
	isSigned  = 1 << 1
	toFloat   = 1 << 2
	cutOff    = 1 << 3
)

// integer is the type of integers that a conversion names.
func integer(y, width uint32) fpunit.Integer {
	return fpunit.Integer{Bits: width, Signed: y&isSigned != 0}
}

// rounding is the rounding mode of a conversion to an integer.
func rounding(y, round uint32) uint32 {
	if y&cutOff != 0 {
		return fpunit.RoundTowardZero
	}
	return round
}

// FCVT32: single precision and 32-bit integers.
//
//engine:reference
func FCVT32(x, y, round uint32) (z, e uint32) {
	z64 := uint64(x)
	switch {
	case y&toFloat != 0:
	case y&toInteger != 0:
		z64, e = fpunit.ToInteger(z64, integer(y, 32), rounding(y, round), fpunit.Single)
	default:
		z64, e = fpunit.FromInteger(z64, integer(y, 32), round, fpunit.Single)
	}
	return uint32(z64), e
}

// FCVT32_64: single to double precision, single precision to 64-bit integers, 32-bit integers to double
// precision.
//
//engine:reference
func FCVT32_64(x, y, round uint32) (z64 uint64, e uint32) {
	switch {
	case y&toFloat != 0:
		z64, e = fpunit.Widen(uint64(x))
	case y&toInteger != 0:
		z64, e = fpunit.ToInteger(uint64(x), integer(y, 64), rounding(y, round), fpunit.Single)
	default:
		z64, e = fpunit.FromInteger(uint64(x), integer(y, 32), round, fpunit.Double)
	}
	return z64, e
}

// FCVT64: double precision and 64-bit integers.
//
//engine:reference
func FCVT64(x64 uint64, y, round uint32) (z64 uint64, e uint32) {
	z64 = x64
	switch {
	case y&toFloat != 0:
	case y&toInteger != 0:
		z64, e = fpunit.ToInteger(x64, integer(y, 64), rounding(y, round), fpunit.Double)
	default:
		z64, e = fpunit.FromInteger(x64, integer(y, 64), round, fpunit.Double)
	}
	return z64, e
}

// FCVT64_32: double to single precision, double precision to 32-bit integers, 64-bit integers to single
// precision.
//
//engine:reference
func FCVT64_32(x64 uint64, y, round uint32) (z, e uint32) {
	var z64 uint64
	switch {
	case y&toFloat != 0:
		z64, e = fpunit.Narrow(x64, round)
	case y&toInteger != 0:
		z64, e = fpunit.ToInteger(x64, integer(y, 32), rounding(y, round), fpunit.Double)
	default:
		z64, e = fpunit.FromInteger(x64, integer(y, 64), round, fpunit.Single)
	}
	return uint32(z64), e
}
