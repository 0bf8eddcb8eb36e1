package semantics

import "arcv2dsp/dspunit"

// Fractional two-lane multiply and multiply-accumulate: lanes h0 on lo and h1 on hi. Products are
// doubled before accumulation (PA = 1) or results on the way out (PA = 0); sums clamp at 32 bits, or
// 40 when GE = 1. The "nf" forms double nowhere. A result lane is bits 31:16, clamped.
//
// DEVIATION(12): a clamped sum and a clamped result both set DSP_CTRL.SAT, the sum also the V flag
// of its lane; this holds for a dropped result too.

// mulLanes multiplies two lanes as the fractional forms do and gives halves.
func mulLanes(x, y uint32, preMask, postMask, limLane, rnd15 int64, rndEven uint64) (z, q uint32, lo2, hi2 int64) {
	a0, c0 := dspunit.FracProduct(h0(x)*h0(y), preMask, limLane)
	a1, c1 := dspunit.FracProduct(h1(x)*h1(y), preMask, limLane)
	r0, d0 := dspunit.Half(a0, postMask, rnd15, rndEven)
	r1, d1 := dspunit.Half(a1, postMask, rnd15, rndEven)
	return dspunit.Pack2(r0, r1), dspunit.Events(c0, c1, d0|d1), a0, a1
}

// addLanes multiplies two lanes, adds them to the accumulators as the fractional forms do, and gives halves.
func addLanes(x, y uint32, lo, hi int64, preMask, postMask, limLane, signLane, maskLane, rnd15 int64, rndEven uint64) (z, q uint32, lo2, hi2 int64) {
	t0, p0 := dspunit.FracProduct(h0(x)*h0(y), preMask, limLane)
	a0, s0 := dspunit.AddLane(lo, t0, limLane, signLane, maskLane)
	t1, p1 := dspunit.FracProduct(h1(x)*h1(y), preMask, limLane)
	a1, s1 := dspunit.AddLane(hi, t1, limLane, signLane, maskLane)
	r0, d0 := dspunit.Half(a0, postMask, rnd15, rndEven)
	r1, d1 := dspunit.Half(a1, postMask, rnd15, rndEven)
	return dspunit.Pack2(r0, r1), dspunit.Events(p0|s0, p1|s1, d0|d1), a0, a1
}

// subLanes is addLanes with a subtraction.
func subLanes(x, y uint32, lo, hi int64, preMask, postMask, limLane, signLane, maskLane, rnd15 int64, rndEven uint64) (z, q uint32, lo2, hi2 int64) {
	t0, p0 := dspunit.FracProduct(h0(x)*h0(y), preMask, limLane)
	a0, s0 := dspunit.SubLane(lo, t0, limLane, signLane, maskLane)
	t1, p1 := dspunit.FracProduct(h1(x)*h1(y), preMask, limLane)
	a1, s1 := dspunit.SubLane(hi, t1, limLane, signLane, maskLane)
	r0, d0 := dspunit.Half(a0, postMask, rnd15, rndEven)
	r1, d1 := dspunit.Half(a1, postMask, rnd15, rndEven)
	return dspunit.Pack2(r0, r1), dspunit.Events(p0|s0, p1|s1, d0|d1), a0, a1
}

// VMPY2HF: lo = x.h0*y.h0, hi = x.h1*y.h1, fractional; results truncated.
func VMPY2HF(x, y uint32, preMask, postMask, limLane int64) (z, q uint32, lo2, hi2 int64) {
	return mulLanes(x, y, preMask, postMask, limLane, 0, 0)
}

// VMPY2HFR: VMPY2HF with results rounded by RM.
func VMPY2HFR(x, y uint32, preMask, postMask, limLane, rnd15 int64, rndEven uint64) (z, q uint32, lo2, hi2 int64) {
	return mulLanes(x, y, preMask, postMask, limLane, rnd15, rndEven)
}

// VMPY2HWF: accumulators as VMPY2HF; the pair receives both lanes, clamped to 32 bits.
func VMPY2HWF(x, y uint32, preMask, postMask, limLane int64) (z64 uint64, q uint32, lo2, hi2 int64) {
	a0, c0 := dspunit.FracProduct(h0(x)*h0(y), preMask, limLane)
	a1, c1 := dspunit.FracProduct(h1(x)*h1(y), preMask, limLane)
	r0, d0 := dspunit.Word(a0, postMask)
	r1, d1 := dspunit.Word(a1, postMask)
	return pair(r0, r1), dspunit.Events(c0, c1, d0|d1), a0, a1
}

// VMAC2HF: lo += x.h0*y.h0, hi += x.h1*y.h1, fractional; results truncated.
func VMAC2HF(x, y uint32, lo, hi int64, preMask, postMask, limLane, signLane, maskLane int64) (z, q uint32, lo2, hi2 int64) {
	return addLanes(x, y, lo, hi, preMask, postMask, limLane, signLane, maskLane, 0, 0)
}

// VMAC2HFR: VMAC2HF with results rounded by RM.
func VMAC2HFR(x, y uint32, lo, hi int64, preMask, postMask, limLane, signLane, maskLane, rnd15 int64, rndEven uint64) (z, q uint32, lo2, hi2 int64) {
	return addLanes(x, y, lo, hi, preMask, postMask, limLane, signLane, maskLane, rnd15, rndEven)
}

// VMAC2HNFR: VMAC2HFR without doubling.
func VMAC2HNFR(x, y uint32, lo, hi int64, limLane, signLane, maskLane, rnd15 int64, rndEven uint64) (z, q uint32, lo2, hi2 int64) {
	a0, c0 := dspunit.AddLane(lo, h0(x)*h0(y), limLane, signLane, maskLane)
	a1, c1 := dspunit.AddLane(hi, h1(x)*h1(y), limLane, signLane, maskLane)
	r0, d0 := dspunit.Half(a0, 0, rnd15, rndEven)
	r1, d1 := dspunit.Half(a1, 0, rnd15, rndEven)
	return dspunit.Pack2(r0, r1), dspunit.Events(c0, c1, d0|d1), a0, a1
}

// VMSUB2HF: lo -= x.h0*y.h0, hi -= x.h1*y.h1, fractional; results truncated.
func VMSUB2HF(x, y uint32, lo, hi int64, preMask, postMask, limLane, signLane, maskLane int64) (z, q uint32, lo2, hi2 int64) {
	return subLanes(x, y, lo, hi, preMask, postMask, limLane, signLane, maskLane, 0, 0)
}

// VMSUB2HFR: VMSUB2HF with results rounded by RM.
func VMSUB2HFR(x, y uint32, lo, hi int64, preMask, postMask, limLane, signLane, maskLane, rnd15 int64, rndEven uint64) (z, q uint32, lo2, hi2 int64) {
	return subLanes(x, y, lo, hi, preMask, postMask, limLane, signLane, maskLane, rnd15, rndEven)
}

// VMSUB2HNFR: VMSUB2HFR without doubling.
func VMSUB2HNFR(x, y uint32, lo, hi int64, limLane, signLane, maskLane, rnd15 int64, rndEven uint64) (z, q uint32, lo2, hi2 int64) {
	a0, c0 := dspunit.SubLane(lo, h0(x)*h0(y), limLane, signLane, maskLane)
	a1, c1 := dspunit.SubLane(hi, h1(x)*h1(y), limLane, signLane, maskLane)
	r0, d0 := dspunit.Half(a0, 0, rnd15, rndEven)
	r1, d1 := dspunit.Half(a1, 0, rnd15, rndEven)
	return dspunit.Pack2(r0, r1), dspunit.Events(c0, c1, d0|d1), a0, a1
}
