package fpunit

import "math/bits"

// Integer is a type of integers that conversions know.
type Integer struct {
	Bits   uint32 // 32 or 64
	Signed bool
}

// FromInteger converts an integer, which stands in the low bits of x, to a floating-point format.
func FromInteger(x uint64, from Integer, round, p uint32) (z uint64, e uint32) {
	x <<= 64 - from.Bits
	neg := uint32(0)
	if from.Signed && x>>63 != 0 {
		neg = 1
		x = -x
	}
	if x == 0 {
		return 0, 0
	}
	lead := uint32(bits.LeadingZeros64(x))
	sig := x << lead
	return pack(neg, int32(from.Bits)-1-int32(lead), sig>>1|sig&1, round, p)
}

// ToInteger converts a number to an integer. A number that does not fit is invalid.
//
// DEVIATION(234): a number that does not fit gives the nearest integer that does, a NaN the largest.
func ToInteger(x uint64, to Integer, round, p uint32) (z uint64, e uint32) {
	neg, exp, sig, kind := unpack(x, p)
	all := ^uint64(0) >> (64 - to.Bits)
	least, greatest := uint64(0), all // magnitudes
	if to.Signed {
		least, greatest = all>>1+1, all>>1
	}
	if kind >= kindQuiet {
		return greatest, Invalid
	}
	limit := greatest
	if neg != 0 {
		limit = least
	}
	magnitude, inexact := uint64(0), uint32(0)
	switch {
	case kind == kindInfinite || exp > 63:
		magnitude, e = limit, Invalid
	case exp == 63:
		magnitude = sig << 1
	case exp > Double:
		magnitude = sig >> uint32(62-exp)
	default:
		// two bits stay below the point, the last for all that is lost
		magnitude, inexact = cut(neg, shiftRight(sig, uint32(60-max(exp, -3))), round, 2)
	}
	if magnitude > limit {
		magnitude, e = limit, Invalid
	}
	if e == 0 {
		e = inexact
	}
	if neg != 0 {
		magnitude = -magnitude & all
	}
	return magnitude, e
}

// Widen converts single to double precision.
func Widen(x uint64) (z uint64, e uint32) {
	neg, exp, sig, kind := unpack(x, Single)
	switch {
	case kind >= kindQuiet:
		z = signed(neg, infinity(Double)|x<<(Double-Single)&(1<<Double-1)|quietBit(Double), Double)
		return z, kind / kindSignalling * Invalid
	case kind == kindInfinite:
		return signed(neg, infinity(Double), Double), 0
	}
	return pack(neg, exp, sig, RoundNearest, Double)
}

// Narrow converts double to single precision.
func Narrow(x uint64, round uint32) (z uint64, e uint32) {
	neg, exp, sig, kind := unpack(x, Double)
	switch {
	case kind >= kindQuiet:
		z = signed(neg, infinity(Single)|x>>(Double-Single)&(1<<Single-1)|quietBit(Single), Single)
		return z, kind / kindSignalling * Invalid
	case kind == kindInfinite:
		return signed(neg, infinity(Single), Single), 0
	}
	return pack(neg, exp, sig, round, Single)
}
