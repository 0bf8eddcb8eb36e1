package semantics

import "arcv2dsp/dspunit"

// 32 x 16 multiply and multiply-accumulate on the wide accumulator. Integer forms use the low half
// of y; the sum wraps at 64 bits, or 72 when GE = 1; z is the low word, or bits 47:16 in the "k"
// forms; .f is that of mpyd and mac (DEVIATION(48)). Fractional forms name the half of y (l, m);
// sums clamp, and the result is bits 47:16 after doubling.

// MPYWHL: acc = x*y.h0; z is the low word.
func MPYWHL(x, y, fl uint32) (z, f uint32, wide2 uint64, guard2 int32) {
	p := int64(int32(x)) * h0(y)
	return uint32(p), flagsMpy(p, fl), uint64(p), int32(p >> 63)
}

// MPYWHUL: MPYWHL unsigned.
func MPYWHUL(x, y, fl uint32) (z, f uint32, wide2 uint64, guard2 int32) {
	p := uint64(x) * u0(y)
	return uint32(p), flagsMpyU(fl), p, 0
}

// MPYWHKL: acc = x*y.h0; z is bits 47:16.
func MPYWHKL(x, y, fl uint32) (z, f uint32, wide2 uint64, guard2 int32) {
	p := int64(int32(x)) * h0(y)
	return uint32(p >> 16), flagsMpy(p, fl), uint64(p), int32(p >> 63)
}

// MPYWHKUL: MPYWHKL unsigned.
func MPYWHKUL(x, y, fl uint32) (z, f uint32, wide2 uint64, guard2 int32) {
	p := uint64(x) * u0(y)
	return uint32(p >> 16), flagsMpyU(fl), p, 0
}

// MACWHL: acc += x*y.h0; z is the low word.
func MACWHL(x, y, fl uint32, wide uint64, guard int32, geMask int64) (z, f uint32, wide2 uint64, guard2 int32) {
	w, g, over := dspunit.AddWide(wide, guard, int64(int32(x))*h0(y), geMask)
	return uint32(w), flagsMac(g, over, fl), w, g
}

// MACWHUL: MACWHL unsigned.
func MACWHUL(x, y, fl uint32, wide uint64, guard int32, geMask int64) (z, f uint32, wide2 uint64, guard2 int32) {
	w, g, over := dspunit.AddWideUnsigned(wide, guard, uint64(x)*u0(y), geMask)
	return uint32(w), flagsMacU(over, fl), w, g
}

// MACWHKL: acc += x*y.h0; z is bits 47:16.
func MACWHKL(x, y, fl uint32, wide uint64, guard int32, geMask int64) (z, f uint32, wide2 uint64, guard2 int32) {
	w, g, over := dspunit.AddWide(wide, guard, int64(int32(x))*h0(y), geMask)
	return uint32(w >> 16), flagsMac(g, over, fl), w, g
}

// MACWHKUL: MACWHKL unsigned.
func MACWHKUL(x, y, fl uint32, wide uint64, guard int32, geMask int64) (z, f uint32, wide2 uint64, guard2 int32) {
	w, g, over := dspunit.AddWideUnsigned(wide, guard, uint64(x)*u0(y), geMask)
	return uint32(w >> 16), flagsMacU(over, fl), w, g
}

// fracWide is the product p as the fractional multiplies leave it: accumulator, result and flags.
func fracWide(p int64, fl uint32, preMask, postMask, rnd15 int64, rndEven uint64) (z, f, q uint32, wide2 uint64, guard2 int32) {
	t := p + p&preMask
	r, d := dspunit.WideWord48(uint64(t), int32(t>>63), postMask, rnd15, rndEven)
	q = dspunit.Happened(d)
	return uint32(r), flagsClip(uint32(r), q, fl), q, uint64(t), int32(t >> 63)
}

// fracAddWide adds the product p to the accumulator as the fractional forms do.
func fracAddWide(p int64, fl uint32, wide uint64, guard int32, geMask, preMask, postMask int64, limWide uint64, limGuard int32, limTop, rnd15 int64, rndEven uint64) (z, f, q uint32, wide2 uint64, guard2 int32) {
	t := p + p&preMask
	wide2, guard2, c := dspunit.AddWideClamp(wide, guard, uint64(t), int32(t>>63), geMask, limWide, limGuard, limTop)
	r, d := dspunit.WideWord48(wide2, guard2, postMask, rnd15, rndEven)
	q = dspunit.Events(0, c, d)
	return uint32(r), flagsClip(uint32(r), q, fl), q, wide2, guard2
}

// fracSubWide subtracts the product p from the accumulator as the fractional forms do.
func fracSubWide(p int64, fl uint32, wide uint64, guard int32, geMask, preMask, postMask int64, limWide uint64, limGuard int32, limTop, rnd15 int64, rndEven uint64) (z, f, q uint32, wide2 uint64, guard2 int32) {
	t := p + p&preMask
	wide2, guard2, c := dspunit.SubWideClamp(wide, guard, uint64(t), int32(t>>63), geMask, limWide, limGuard, limTop)
	r, d := dspunit.WideWord48(wide2, guard2, postMask, rnd15, rndEven)
	q = dspunit.Events(0, c, d)
	return uint32(r), flagsClip(uint32(r), q, fl), q, wide2, guard2
}

// MPYWHFL: acc = x*y.h0, fractional; z truncated.
func MPYWHFL(x, y, fl uint32, preMask, postMask int64) (z, f, q uint32, wide2 uint64, guard2 int32) {
	return fracWide(int64(int32(x))*h0(y), fl, preMask, postMask, 0, 0)
}

// MPYWHFLR: MPYWHFL with z rounded by RM.
func MPYWHFLR(x, y, fl uint32, preMask, postMask, rnd15 int64, rndEven uint64) (z, f, q uint32, wide2 uint64, guard2 int32) {
	return fracWide(int64(int32(x))*h0(y), fl, preMask, postMask, rnd15, rndEven)
}

// MACWHFL: acc += x*y.h0, fractional; z truncated.
func MACWHFL(x, y, fl uint32, wide uint64, guard int32, geMask, preMask, postMask int64, limWide uint64, limGuard int32, limTop int64) (z, f, q uint32, wide2 uint64, guard2 int32) {
	return fracAddWide(int64(int32(x))*h0(y), fl, wide, guard, geMask, preMask, postMask, limWide, limGuard, limTop, 0, 0)
}

// MACWHFLR: MACWHFL with z rounded by RM.
func MACWHFLR(x, y, fl uint32, wide uint64, guard int32, geMask, preMask, postMask int64, limWide uint64, limGuard int32, limTop, rnd15 int64, rndEven uint64) (z, f, q uint32, wide2 uint64, guard2 int32) {
	return fracAddWide(int64(int32(x))*h0(y), fl, wide, guard, geMask, preMask, postMask, limWide, limGuard, limTop, rnd15, rndEven)
}

// MSUBWHFL: acc -= x*y.h0, fractional; z truncated.
func MSUBWHFL(x, y, fl uint32, wide uint64, guard int32, geMask, preMask, postMask int64, limWide uint64, limGuard int32, limTop int64) (z, f, q uint32, wide2 uint64, guard2 int32) {
	return fracSubWide(int64(int32(x))*h0(y), fl, wide, guard, geMask, preMask, postMask, limWide, limGuard, limTop, 0, 0)
}

// MSUBWHFLR: MSUBWHFL with z rounded by RM.
func MSUBWHFLR(x, y, fl uint32, wide uint64, guard int32, geMask, preMask, postMask int64, limWide uint64, limGuard int32, limTop, rnd15 int64, rndEven uint64) (z, f, q uint32, wide2 uint64, guard2 int32) {
	return fracSubWide(int64(int32(x))*h0(y), fl, wide, guard, geMask, preMask, postMask, limWide, limGuard, limTop, rnd15, rndEven)
}

// MPYWHFM: acc = x*y.h1, fractional; z truncated.
func MPYWHFM(x, y, fl uint32, preMask, postMask int64) (z, f, q uint32, wide2 uint64, guard2 int32) {
	return fracWide(int64(int32(x))*h1(y), fl, preMask, postMask, 0, 0)
}

// MPYWHFMR: MPYWHFM with z rounded by RM.
func MPYWHFMR(x, y, fl uint32, preMask, postMask, rnd15 int64, rndEven uint64) (z, f, q uint32, wide2 uint64, guard2 int32) {
	return fracWide(int64(int32(x))*h1(y), fl, preMask, postMask, rnd15, rndEven)
}

// MACWHFM: acc += x*y.h1, fractional; z truncated.
func MACWHFM(x, y, fl uint32, wide uint64, guard int32, geMask, preMask, postMask int64, limWide uint64, limGuard int32, limTop int64) (z, f, q uint32, wide2 uint64, guard2 int32) {
	return fracAddWide(int64(int32(x))*h1(y), fl, wide, guard, geMask, preMask, postMask, limWide, limGuard, limTop, 0, 0)
}

// MACWHFMR: MACWHFM with z rounded by RM.
func MACWHFMR(x, y, fl uint32, wide uint64, guard int32, geMask, preMask, postMask int64, limWide uint64, limGuard int32, limTop, rnd15 int64, rndEven uint64) (z, f, q uint32, wide2 uint64, guard2 int32) {
	return fracAddWide(int64(int32(x))*h1(y), fl, wide, guard, geMask, preMask, postMask, limWide, limGuard, limTop, rnd15, rndEven)
}

// MSUBWHFM: acc -= x*y.h1, fractional; z truncated.
func MSUBWHFM(x, y, fl uint32, wide uint64, guard int32, geMask, preMask, postMask int64, limWide uint64, limGuard int32, limTop int64) (z, f, q uint32, wide2 uint64, guard2 int32) {
	return fracSubWide(int64(int32(x))*h1(y), fl, wide, guard, geMask, preMask, postMask, limWide, limGuard, limTop, 0, 0)
}

// MSUBWHFMR: MSUBWHFM with z rounded by RM.
func MSUBWHFMR(x, y, fl uint32, wide uint64, guard int32, geMask, preMask, postMask int64, limWide uint64, limGuard int32, limTop, rnd15 int64, rndEven uint64) (z, f, q uint32, wide2 uint64, guard2 int32) {
	return fracSubWide(int64(int32(x))*h1(y), fl, wide, guard, geMask, preMask, postMask, limWide, limGuard, limTop, rnd15, rndEven)
}
