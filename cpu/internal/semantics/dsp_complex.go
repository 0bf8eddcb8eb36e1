package semantics

import "arcv2dsp/dspunit"

// Complex multiply and multiply-accumulate: h0 is the real, h1 the imaginary part (DEVIATION(26));
// the real sum is on lo, the imaginary one on hi. Doubling, clamping and events are those of the
// fractional two-lane operations; results are rounded by RM. A conjugated operation conjugates its
// second operand (DEVIATION(25)).

func re(x, y uint32) (v int64)     { return h0(x)*h0(y) - h1(x)*h1(y) }
func im(x, y uint32) (v int64)     { return h0(x)*h1(y) + h1(x)*h0(y) }
func reConj(x, y uint32) (v int64) { return h0(x)*h0(y) + h1(x)*h1(y) }
func imConj(x, y uint32) (v int64) { return h1(x)*h0(y) - h0(x)*h1(y) }

// CMPYHFR: lo = re(x*y), hi = im(x*y), fractional.
func CMPYHFR(x, y uint32, preMask, postMask, limLane, rnd15 int64, rndEven uint64) (z, q uint32, lo2, hi2 int64) {
	a0, c0 := dspunit.FracLane(re(x, y), preMask, limLane)
	a1, c1 := dspunit.FracLane(im(x, y), preMask, limLane)
	r0, d0 := dspunit.Half(a0, postMask, rnd15, rndEven)
	r1, d1 := dspunit.Half(a1, postMask, rnd15, rndEven)
	return dspunit.Pack2(r0, r1), dspunit.Events(c0, c1, d0|d1), a0, a1
}

// CMPYHNFR: CMPYHFR without doubling.
func CMPYHNFR(x, y uint32, limLane, rnd15 int64, rndEven uint64) (z, q uint32, lo2, hi2 int64) {
	a0, c0 := dspunit.ClampLane(re(x, y), limLane)
	a1, c1 := dspunit.ClampLane(im(x, y), limLane)
	r0, d0 := dspunit.Half(a0, 0, rnd15, rndEven)
	r1, d1 := dspunit.Half(a1, 0, rnd15, rndEven)
	return dspunit.Pack2(r0, r1), dspunit.Events(c0, c1, d0|d1), a0, a1
}

// CMPYCHFR: lo = re(x*conj y), hi = im(x*conj y), fractional.
func CMPYCHFR(x, y uint32, preMask, postMask, limLane, rnd15 int64, rndEven uint64) (z, q uint32, lo2, hi2 int64) {
	a0, c0 := dspunit.FracLane(reConj(x, y), preMask, limLane)
	a1, c1 := dspunit.FracLane(imConj(x, y), preMask, limLane)
	r0, d0 := dspunit.Half(a0, postMask, rnd15, rndEven)
	r1, d1 := dspunit.Half(a1, postMask, rnd15, rndEven)
	return dspunit.Pack2(r0, r1), dspunit.Events(c0, c1, d0|d1), a0, a1
}

// CMPYCHNFR: CMPYCHFR without doubling.
func CMPYCHNFR(x, y uint32, limLane, rnd15 int64, rndEven uint64) (z, q uint32, lo2, hi2 int64) {
	a0, c0 := dspunit.ClampLane(reConj(x, y), limLane)
	a1, c1 := dspunit.ClampLane(imConj(x, y), limLane)
	r0, d0 := dspunit.Half(a0, 0, rnd15, rndEven)
	r1, d1 := dspunit.Half(a1, 0, rnd15, rndEven)
	return dspunit.Pack2(r0, r1), dspunit.Events(c0, c1, d0|d1), a0, a1
}

// CMPYHFMR: x times the real number y.h1: lo = x.h0*y.h1, hi = x.h1*y.h1, fractional.
func CMPYHFMR(x, y uint32, preMask, postMask, limLane, rnd15 int64, rndEven uint64) (z, q uint32, lo2, hi2 int64) {
	a0, c0 := dspunit.FracProduct(h0(x)*h1(y), preMask, limLane)
	a1, c1 := dspunit.FracProduct(h1(x)*h1(y), preMask, limLane)
	r0, d0 := dspunit.Half(a0, postMask, rnd15, rndEven)
	r1, d1 := dspunit.Half(a1, postMask, rnd15, rndEven)
	return dspunit.Pack2(r0, r1), dspunit.Events(c0, c1, d0|d1), a0, a1
}

// CMACHFR: lo += re(x*y), hi += im(x*y), fractional.
func CMACHFR(x, y uint32, lo, hi int64, preMask, postMask, limLane, signLane, maskLane, rnd15 int64, rndEven uint64) (z, q uint32, lo2, hi2 int64) {
	t0, p0 := dspunit.FracLane(re(x, y), preMask, limLane)
	a0, s0 := dspunit.AddLane(lo, t0, limLane, signLane, maskLane)
	t1, p1 := dspunit.FracLane(im(x, y), preMask, limLane)
	a1, s1 := dspunit.AddLane(hi, t1, limLane, signLane, maskLane)
	r0, d0 := dspunit.Half(a0, postMask, rnd15, rndEven)
	r1, d1 := dspunit.Half(a1, postMask, rnd15, rndEven)
	return dspunit.Pack2(r0, r1), dspunit.Events(p0|s0, p1|s1, d0|d1), a0, a1
}

// CMACHNFR: CMACHFR without doubling.
func CMACHNFR(x, y uint32, lo, hi int64, limLane, signLane, maskLane, rnd15 int64, rndEven uint64) (z, q uint32, lo2, hi2 int64) {
	a0, c0 := dspunit.AddLane(lo, re(x, y), limLane, signLane, maskLane)
	a1, c1 := dspunit.AddLane(hi, im(x, y), limLane, signLane, maskLane)
	r0, d0 := dspunit.Half(a0, 0, rnd15, rndEven)
	r1, d1 := dspunit.Half(a1, 0, rnd15, rndEven)
	return dspunit.Pack2(r0, r1), dspunit.Events(c0, c1, d0|d1), a0, a1
}

// CMACCHFR: lo += re(x*conj y), hi += im(x*conj y), fractional.
func CMACCHFR(x, y uint32, lo, hi int64, preMask, postMask, limLane, signLane, maskLane, rnd15 int64, rndEven uint64) (z, q uint32, lo2, hi2 int64) {
	t0, p0 := dspunit.FracLane(reConj(x, y), preMask, limLane)
	a0, s0 := dspunit.AddLane(lo, t0, limLane, signLane, maskLane)
	t1, p1 := dspunit.FracLane(imConj(x, y), preMask, limLane)
	a1, s1 := dspunit.AddLane(hi, t1, limLane, signLane, maskLane)
	r0, d0 := dspunit.Half(a0, postMask, rnd15, rndEven)
	r1, d1 := dspunit.Half(a1, postMask, rnd15, rndEven)
	return dspunit.Pack2(r0, r1), dspunit.Events(p0|s0, p1|s1, d0|d1), a0, a1
}

// CMACCHNFR: CMACCHFR without doubling.
func CMACCHNFR(x, y uint32, lo, hi int64, limLane, signLane, maskLane, rnd15 int64, rndEven uint64) (z, q uint32, lo2, hi2 int64) {
	a0, c0 := dspunit.AddLane(lo, reConj(x, y), limLane, signLane, maskLane)
	a1, c1 := dspunit.AddLane(hi, imConj(x, y), limLane, signLane, maskLane)
	r0, d0 := dspunit.Half(a0, 0, rnd15, rndEven)
	r1, d1 := dspunit.Half(a1, 0, rnd15, rndEven)
	return dspunit.Pack2(r0, r1), dspunit.Events(c0, c1, d0|d1), a0, a1
}

// DEVIATION(27): the butterflies cbflyhf0r and cbflyhf1r have no function; no open source describes
// DSP_BFLY0 and DSP_FFT_CTRL.
