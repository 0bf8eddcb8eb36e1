package semantics

import "arcv2dsp/dspunit"

// Scalar saturation and rounding. Whatever clamps sets DSP_CTRL.SAT (DEVIATION(12)).

// SATH: z = clamp16(y).
func SATH(y, fl uint32) (z, f, q uint32) {
	v := int64(int32(y))
	r := dspunit.Clamp16(v)
	q = dspunit.Happened(v ^ r)
	return uint32(r), flagsClip(uint32(r), q, fl), q
}

// RNDH: z = y rounded to bits 31:16, clamped to 16 bits, sign-extended.
func RNDH(y, fl uint32, rnd15 int64, rndEven uint64) (z, f, q uint32) {
	r, lost := dspunit.Half(int64(int32(y)), 0, rnd15, rndEven)
	q = dspunit.Happened(lost)
	return uint32(r), flagsClip(uint32(r), q, fl), q
}

// SATF: z = y when V is clear; otherwise the limit that the overflowed sum y went over, judged by N:
// a negative sum was too large, a positive one too small.
func SATF(y, fl uint32) (z, f, q uint32) {
	limit := 0x80000000 - fl>>2&1
	over := -(fl & flagV)
	z = y&^over | limit&over
	return z, flagsClip(z, fl&flagV, fl), fl & flagV
}

// ABSSH: z = clamp16(|y.h0|), sign-extended.
func ABSSH(y, fl uint32) (z, f, q uint32) {
	v := max(h0(y), -h0(y))
	r := dspunit.Clamp16(v)
	q = dspunit.Happened(v ^ r)
	return uint32(r), flagsClip(uint32(r), q, fl), q
}

// NEGSH: z = clamp16(-y.h0), sign-extended.
func NEGSH(y, fl uint32) (z, f, q uint32) {
	v := -h0(y)
	r := dspunit.Clamp16(v)
	q = dspunit.Happened(v ^ r)
	return uint32(r), flagsClip(uint32(r), q, fl), q
}

// ASRSR: z = x * 2^-y, y signed: to the right rounded by RM, to the left clamped to 32 bits.
func ASRSR(x, y, fl uint32, rndMask, rndEven uint64) (z, f, q uint32) {
	v := dspunit.ShiftRound32(int64(int32(x)), int32(y), rndMask, rndEven)
	r := dspunit.Clamp32(v)
	q = dspunit.Happened(v ^ r)
	return uint32(r), flagsClip(uint32(r), q, fl), q
}

// DIVF: z = x/y as Q31, truncated, clamped. Preconditions: y is not zero.
//
//engine:reference
func DIVF(x, y, fl uint32) (z, f, q uint32) {
	r, c := dspunit.DivFrac(int32(x), int32(y))
	return uint32(r), flagsClip(uint32(r), c, fl), c
}

// SQRT: z = the square root of the unsigned y, rounded down.
//
//engine:reference
func SQRT(y, fl uint32) (z, f uint32) {
	z = dspunit.Sqrt(uint64(y))
	return z, flagsClip(z, 0, fl)
}

// SQRTF: z = the Q31 square root of the Q31 number y, rounded down; 0 for a negative one.
//
//engine:reference
func SQRTF(y, fl uint32) (z, f, q uint32) {
	z, c := dspunit.SqrtFrac(int32(y))
	return z, flagsClip(z, c, fl), c
}
