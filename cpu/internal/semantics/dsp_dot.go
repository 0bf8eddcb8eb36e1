package semantics

import "arcv2dsp/dspunit"

// Fractional dot products of two or four 16 x 16 products on the high lane; the low lane is not
// touched. The sum of products is doubled as one (PA = 1) and clamps at 32 bits, or 40 when GE = 1
// (DEVIATION(54)). 16-bit results are sign-extended (DEVIATION(9)).

// DMPYHF: hi = x.h0*y.h0 + x.h1*y.h1; z is bits 31:16, truncated.
func DMPYHF(x, y, fl uint32, preMask, postMask, limLane int64) (z, f, q uint32, hi2 int64) {
	a, c := dspunit.FracLane(dotHH(x, y), preMask, limLane)
	r, d := dspunit.Half(a, postMask, 0, 0)
	q = dspunit.Events(0, c, d)
	return uint32(r), flagsClip(uint32(r), q, fl), q, a
}

// DMPYHFR: DMPYHF with the result rounded by RM.
func DMPYHFR(x, y, fl uint32, preMask, postMask, limLane, rnd15 int64, rndEven uint64) (z, f, q uint32, hi2 int64) {
	a, c := dspunit.FracLane(dotHH(x, y), preMask, limLane)
	r, d := dspunit.Half(a, postMask, rnd15, rndEven)
	q = dspunit.Events(0, c, d)
	return uint32(r), flagsClip(uint32(r), q, fl), q, a
}

// DMPYHWF: hi as DMPYHF; z is 32 bits.
func DMPYHWF(x, y, fl uint32, preMask, postMask, limLane int64) (z, f, q uint32, hi2 int64) {
	a, c := dspunit.FracLane(dotHH(x, y), preMask, limLane)
	r, d := dspunit.Word(a, postMask)
	q = dspunit.Events(0, c, d)
	return uint32(r), flagsClip(uint32(r), q, fl), q, a
}

// DMACHF: hi += x.h0*y.h0 + x.h1*y.h1; z is bits 31:16, truncated.
func DMACHF(x, y, fl uint32, hi int64, preMask, postMask, limLane, signLane, maskLane int64) (z, f, q uint32, hi2 int64) {
	t, ct := dspunit.FracLane(dotHH(x, y), preMask, limLane)
	a, c := dspunit.AddLane(hi, t, limLane, signLane, maskLane)
	r, d := dspunit.Half(a, postMask, 0, 0)
	q = dspunit.Events(0, c|ct, d)
	return uint32(r), flagsClip(uint32(r), q, fl), q, a
}

// DMACHFR: DMACHF with the result rounded by RM.
func DMACHFR(x, y, fl uint32, hi int64, preMask, postMask, limLane, signLane, maskLane, rnd15 int64, rndEven uint64) (z, f, q uint32, hi2 int64) {
	t, ct := dspunit.FracLane(dotHH(x, y), preMask, limLane)
	a, c := dspunit.AddLane(hi, t, limLane, signLane, maskLane)
	r, d := dspunit.Half(a, postMask, rnd15, rndEven)
	q = dspunit.Events(0, c|ct, d)
	return uint32(r), flagsClip(uint32(r), q, fl), q, a
}

// dotQuad is the sum of the four products of 16-bit lanes.
func dotQuad(x64, y64 uint64) (s int64) {
	return q0(x64)*q0(y64) + q1(x64)*q1(y64) + q2(x64)*q2(y64) + q3(x64)*q3(y64)
}

// QMPYHF: hi = the sum of four products; z is 32 bits (DEVIATION(55)).
func QMPYHF(x64, y64 uint64, fl uint32, preMask, postMask, limLane int64) (z, f, q uint32, hi2 int64) {
	a, c := dspunit.FracLane(dotQuad(x64, y64), preMask, limLane)
	r, d := dspunit.Word(a, postMask)
	q = dspunit.Events(0, c, d)
	return uint32(r), flagsClip(uint32(r), q, fl), q, a
}

// QMACHF: hi += the sum of four products; z is 32 bits (DEVIATION(55)).
func QMACHF(x64, y64 uint64, fl uint32, hi int64, preMask, postMask, limLane, signLane, maskLane int64) (z, f, q uint32, hi2 int64) {
	t, ct := dspunit.FracLane(dotQuad(x64, y64), preMask, limLane)
	a, c := dspunit.AddLane(hi, t, limLane, signLane, maskLane)
	r, d := dspunit.Word(a, postMask)
	q = dspunit.Events(0, c|ct, d)
	return uint32(r), flagsClip(uint32(r), q, fl), q, a
}
