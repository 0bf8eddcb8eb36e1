package semantics

import "arcv2dsp/dspunit"

// Vector operations on the two 16-bit lanes or four bytes of a register. None has flags. A lane
// that clamps sets DSP_CTRL.SAT (DEVIATION(12)).

// clampPair clamps both lanes to 16 bits and packs them.
func clampPair(v0, v1 int64) (z, q uint32) {
	r0, r1 := dspunit.Clamp16(v0), dspunit.Clamp16(v1)
	return dspunit.Pack2(r0, r1), dspunit.Happened((v0 ^ r0) | (v1 ^ r1))
}

// VADD2H: lanes x + y, wrapping.
func VADD2H(x, y uint32) (z uint32) { return dspunit.Pack2(h0(x)+h0(y), h1(x)+h1(y)) }

// VSUB2H: lanes x - y, wrapping.
func VSUB2H(x, y uint32) (z uint32) { return dspunit.Pack2(h0(x)-h0(y), h1(x)-h1(y)) }

// VADDSUB2H: h0 = x.h0 + y.h0, h1 = x.h1 - y.h1, wrapping.
func VADDSUB2H(x, y uint32) (z uint32) { return dspunit.Pack2(h0(x)+h0(y), h1(x)-h1(y)) }

// VSUBADD2H: h0 = x.h0 - y.h0, h1 = x.h1 + y.h1, wrapping.
func VSUBADD2H(x, y uint32) (z uint32) { return dspunit.Pack2(h0(x)-h0(y), h1(x)+h1(y)) }

// VADDS2H: lanes clamp16(x + y).
func VADDS2H(x, y uint32) (z, q uint32) {
	z, q = clampPair(h0(x)+h0(y), h1(x)+h1(y))
	return z, q
}

// VSUBS2H: lanes clamp16(x - y).
func VSUBS2H(x, y uint32) (z, q uint32) {
	z, q = clampPair(h0(x)-h0(y), h1(x)-h1(y))
	return z, q
}

// VADDSUBS2H: VADDSUB2H with lanes clamped to 16 bits.
func VADDSUBS2H(x, y uint32) (z, q uint32) {
	z, q = clampPair(h0(x)+h0(y), h1(x)-h1(y))
	return z, q
}

// VSUBADDS2H: VSUBADD2H with lanes clamped to 16 bits.
func VSUBADDS2H(x, y uint32) (z, q uint32) {
	z, q = clampPair(h0(x)-h0(y), h1(x)+h1(y))
	return z, q
}

// VADD4B: bytes x + y, wrapping. The upper bit of each byte is added apart, so that no carry
// crosses.
func VADD4B(x, y uint32) (z uint32) {
	return (x&0x7f7f7f7f + y&0x7f7f7f7f) ^ (x^y)&0x80808080
}

// VSUB4B: bytes x - y, wrapping.
func VSUB4B(x, y uint32) (z uint32) {
	return (x | 0x80808080 - y&0x7f7f7f7f) ^ (x^^y)&0x80808080
}

// VMAX2H: lanes max(x, y), signed.
func VMAX2H(x, y uint32) (z uint32) {
	return dspunit.Pack2(max(h0(x), h0(y)), max(h1(x), h1(y)))
}

// VMIN2H: lanes min(x, y), signed.
func VMIN2H(x, y uint32) (z uint32) {
	return dspunit.Pack2(min(h0(x), h0(y)), min(h1(x), h1(y)))
}

// VABS2H: lanes |y|; -0x8000 stays.
func VABS2H(y uint32) (z uint32) {
	return dspunit.Pack2(max(h0(y), -h0(y)), max(h1(y), -h1(y)))
}

// VABSS2H: lanes clamp16(|y|).
func VABSS2H(y uint32) (z, q uint32) {
	z, q = clampPair(max(h0(y), -h0(y)), max(h1(y), -h1(y)))
	return z, q
}

// VNEG2H: lanes -y; -0x8000 stays.
func VNEG2H(y uint32) (z uint32) { return dspunit.Pack2(-h0(y), -h1(y)) }

// VNEGS2H: lanes clamp16(-y).
func VNEGS2H(y uint32) (z, q uint32) {
	z, q = clampPair(-h0(y), -h1(y))
	return z, q
}

// VNORM2H: lanes the number of sign bits that are not needed, 15 for 0 and -1. A lane sign-extended
// to 40 bits has 24 more.
func VNORM2H(y uint32) (z uint32) {
	n0 := int64(dspunit.Redundant40(h0(y))) - 24
	n1 := int64(dspunit.Redundant40(h1(y))) - 24
	return dspunit.Pack2(n0, n1)
}

// VASL2H: lanes x << y, wrapping. DEVIATION(20): the amount is the low 4 bits of the lane of y.
func VASL2H(x, y uint32) (z uint32) {
	return dspunit.Pack2(h0(x)<<(y&15), h1(x)<<(y>>16&15))
}

// VASR2H: lanes x >> y. DEVIATION(20): as VASL2H.
func VASR2H(x, y uint32) (z uint32) {
	return dspunit.Pack2(h0(x)>>(y&15), h1(x)>>(y>>16&15))
}

// VLSR2H: lanes x >> y, filled with zeros. DEVIATION(20): as VASL2H.
func VLSR2H(x, y uint32) (z uint32) {
	return dspunit.Pack2(int64(u0(x)>>(y&15)), int64(u1(x)>>(y>>16&15)))
}

// VASLS2H: lanes clamp16(x * 2^y), y signed; to the right rounded down. DEVIATION(19): the whole
// lane is the amount.
func VASLS2H(x, y uint32) (z, q uint32) {
	z, q = clampPair(dspunit.ShiftLane16(h0(x), h0(y)), dspunit.ShiftLane16(h1(x), h1(y)))
	return z, q
}

// VASRS2H: lanes clamp16(x * 2^-y), y signed; to the right rounded down.
func VASRS2H(x, y uint32) (z, q uint32) {
	z, q = clampPair(dspunit.ShiftLane16(h0(x), -h0(y)), dspunit.ShiftLane16(h1(x), -h1(y)))
	return z, q
}

// VASRSR2H: lanes clamp16(x * 2^-y), y signed; to the right rounded by RM.
func VASRSR2H(x, y uint32, rndMask, rndEven uint64) (z, q uint32) {
	v0 := dspunit.ShiftRound32(h0(x), int32(h0(y)), rndMask, rndEven)
	v1 := dspunit.ShiftRound32(h1(x), int32(h1(y)), rndMask, rndEven)
	z, q = clampPair(v0, v1)
	return z, q
}

// VALGN2H: the middle of the 64-bit concatenation x:y. DEVIATION(22).
func VALGN2H(x, y uint32) (z uint32) { return x<<16 | y>>16 }
