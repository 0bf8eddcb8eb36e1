package semantics

import "arcv2dsp/dspunit"

// Fractional 32 x 32 multiply and multiply-accumulate on the wide accumulator: sums clamp at 64
// bits, or 72 when GE = 1. A 32-bit result is bits 63:32, a 64-bit one bits 63:0, clamped.

// MPYF: acc = x*y; z truncated.
func MPYF(x, y, fl uint32, preMask, postMask int64, limWide uint64, limGuard int32, limTop int64) (z, f, q uint32, wide2 uint64, guard2 int32) {
	wide2, guard2, c := dspunit.FracWide(int64(int32(x))*int64(int32(y)), preMask, limWide, limGuard, limTop)
	r, d := dspunit.WideWord(wide2, guard2, postMask, 0, 0)
	q = dspunit.Events(0, c, d)
	return uint32(r), flagsClip(uint32(r), q, fl), q, wide2, guard2
}

// MPYFR: MPYF with z rounded by RM.
func MPYFR(x, y, fl uint32, preMask, postMask int64, limWide uint64, limGuard int32, limTop int64, rnd31, rndEven uint64) (z, f, q uint32, wide2 uint64, guard2 int32) {
	wide2, guard2, c := dspunit.FracWide(int64(int32(x))*int64(int32(y)), preMask, limWide, limGuard, limTop)
	r, d := dspunit.WideWord(wide2, guard2, postMask, rnd31, rndEven)
	q = dspunit.Events(0, c, d)
	return uint32(r), flagsClip(uint32(r), q, fl), q, wide2, guard2
}

// MACF: acc += x*y; z truncated.
func MACF(x, y, fl uint32, wide uint64, guard int32, geMask, preMask, postMask int64, limWide uint64, limGuard int32, limTop int64) (z, f, q uint32, wide2 uint64, guard2 int32) {
	t, g, ct := dspunit.FracWide(int64(int32(x))*int64(int32(y)), preMask, limWide, limGuard, limTop)
	wide2, guard2, c := dspunit.AddWideClamp(wide, guard, t, g, geMask, limWide, limGuard, limTop)
	r, d := dspunit.WideWord(wide2, guard2, postMask, 0, 0)
	q = dspunit.Events(0, c|ct, d)
	return uint32(r), flagsClip(uint32(r), q, fl), q, wide2, guard2
}

// MACFR: MACF with z rounded by RM.
func MACFR(x, y, fl uint32, wide uint64, guard int32, geMask, preMask, postMask int64, limWide uint64, limGuard int32, limTop int64, rnd31, rndEven uint64) (z, f, q uint32, wide2 uint64, guard2 int32) {
	t, g, ct := dspunit.FracWide(int64(int32(x))*int64(int32(y)), preMask, limWide, limGuard, limTop)
	wide2, guard2, c := dspunit.AddWideClamp(wide, guard, t, g, geMask, limWide, limGuard, limTop)
	r, d := dspunit.WideWord(wide2, guard2, postMask, rnd31, rndEven)
	q = dspunit.Events(0, c|ct, d)
	return uint32(r), flagsClip(uint32(r), q, fl), q, wide2, guard2
}

// MSUBF: acc -= x*y; z truncated.
func MSUBF(x, y, fl uint32, wide uint64, guard int32, geMask, preMask, postMask int64, limWide uint64, limGuard int32, limTop int64) (z, f, q uint32, wide2 uint64, guard2 int32) {
	t, g, ct := dspunit.FracWide(int64(int32(x))*int64(int32(y)), preMask, limWide, limGuard, limTop)
	wide2, guard2, c := dspunit.SubWideClamp(wide, guard, t, g, geMask, limWide, limGuard, limTop)
	r, d := dspunit.WideWord(wide2, guard2, postMask, 0, 0)
	q = dspunit.Events(0, c|ct, d)
	return uint32(r), flagsClip(uint32(r), q, fl), q, wide2, guard2
}

// MSUBFR: MSUBF with z rounded by RM.
func MSUBFR(x, y, fl uint32, wide uint64, guard int32, geMask, preMask, postMask int64, limWide uint64, limGuard int32, limTop int64, rnd31, rndEven uint64) (z, f, q uint32, wide2 uint64, guard2 int32) {
	t, g, ct := dspunit.FracWide(int64(int32(x))*int64(int32(y)), preMask, limWide, limGuard, limTop)
	wide2, guard2, c := dspunit.SubWideClamp(wide, guard, t, g, geMask, limWide, limGuard, limTop)
	r, d := dspunit.WideWord(wide2, guard2, postMask, rnd31, rndEven)
	q = dspunit.Events(0, c|ct, d)
	return uint32(r), flagsClip(uint32(r), q, fl), q, wide2, guard2
}

// MPYDF: acc = x*y; the pair receives 64 bits.
func MPYDF(x, y, fl uint32, preMask, postMask int64, limWide uint64, limGuard int32, limTop int64) (z64 uint64, f, q uint32, wide2 uint64, guard2 int32) {
	wide2, guard2, c := dspunit.FracWide(int64(int32(x))*int64(int32(y)), preMask, limWide, limGuard, limTop)
	r, d := dspunit.WideDouble(wide2, guard2, postMask)
	q = dspunit.Events(0, c, d)
	return r, flagsClip64(r, q, fl), q, wide2, guard2
}

// MACDF: acc += x*y; the pair receives 64 bits.
func MACDF(x, y, fl uint32, wide uint64, guard int32, geMask, preMask, postMask int64, limWide uint64, limGuard int32, limTop int64) (z64 uint64, f, q uint32, wide2 uint64, guard2 int32) {
	t, g, ct := dspunit.FracWide(int64(int32(x))*int64(int32(y)), preMask, limWide, limGuard, limTop)
	wide2, guard2, c := dspunit.AddWideClamp(wide, guard, t, g, geMask, limWide, limGuard, limTop)
	r, d := dspunit.WideDouble(wide2, guard2, postMask)
	q = dspunit.Events(0, c|ct, d)
	return r, flagsClip64(r, q, fl), q, wide2, guard2
}

// MSUBDF: acc -= x*y; the pair receives 64 bits.
func MSUBDF(x, y, fl uint32, wide uint64, guard int32, geMask, preMask, postMask int64, limWide uint64, limGuard int32, limTop int64) (z64 uint64, f, q uint32, wide2 uint64, guard2 int32) {
	t, g, ct := dspunit.FracWide(int64(int32(x))*int64(int32(y)), preMask, limWide, limGuard, limTop)
	wide2, guard2, c := dspunit.SubWideClamp(wide, guard, t, g, geMask, limWide, limGuard, limTop)
	r, d := dspunit.WideDouble(wide2, guard2, postMask)
	q = dspunit.Events(0, c|ct, d)
	return r, flagsClip64(r, q, fl), q, wide2, guard2
}
