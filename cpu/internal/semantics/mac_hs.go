package semantics

import "arcv2dsp/dspunit"

// Dual 32 x 16 and quad 16 x 16 multiply-accumulate of the HS family on the wide accumulator. The
// 32 x 16 forms take a pair and the two halves of y. Integer sums wrap as in mac.go.

func dotWH(x64 uint64, y uint32) (s int64) { return w0(x64)*h0(y) + w1(x64)*h1(y) }

func dotWHU(x64 uint64, y uint32) (s uint64) {
	return uint64(uint32(x64))*u0(y) + (x64>>32)*u1(y)
}

func dotQuadU(x64, y64 uint64) (s uint64) {
	xLow, yLow := uint32(x64), uint32(y64)
	xHigh, yHigh := uint32(x64>>32), uint32(y64>>32)
	return dotHHU(xLow, yLow) + dotHHU(xHigh, yHigh)
}

// DMPYWH: acc = x.w0*y.h0 + x.w1*y.h1; the pair receives it.
func DMPYWH(x64 uint64, y, fl uint32) (z64 uint64, f uint32, wide2 uint64, guard2 int32) {
	s := dotWH(x64, y)
	return uint64(s), flagsMpy(s, fl), uint64(s), int32(s >> 63)
}

// DMPYWHU: DMPYWH unsigned.
func DMPYWHU(x64 uint64, y, fl uint32) (z64 uint64, f uint32, wide2 uint64, guard2 int32) {
	s := dotWHU(x64, y)
	return s, flagsMpyU(fl), s, 0
}

// DMACWH: acc += x.w0*y.h0 + x.w1*y.h1; the pair receives the low 64 bits.
func DMACWH(x64 uint64, y, fl uint32, wide uint64, guard int32, geMask int64) (z64 uint64, f uint32, wide2 uint64, guard2 int32) {
	w, g, over := dspunit.AddWide(wide, guard, dotWH(x64, y), geMask)
	return w, flagsMac(g, over, fl), w, g
}

// DMACWHU: DMACWH unsigned.
func DMACWHU(x64 uint64, y, fl uint32, wide uint64, guard int32, geMask int64) (z64 uint64, f uint32, wide2 uint64, guard2 int32) {
	w, g, over := dspunit.AddWideUnsigned(wide, guard, dotWHU(x64, y), geMask)
	return w, flagsMacU(over, fl), w, g
}

// QMPYH: acc = the sum of four products; the pair receives it.
func QMPYH(x64, y64 uint64, fl uint32) (z64 uint64, f uint32, wide2 uint64, guard2 int32) {
	s := dotQuad(x64, y64)
	return uint64(s), flagsMpy(s, fl), uint64(s), int32(s >> 63)
}

// QMPYHU: QMPYH unsigned.
func QMPYHU(x64, y64 uint64, fl uint32) (z64 uint64, f uint32, wide2 uint64, guard2 int32) {
	s := dotQuadU(x64, y64)
	return s, flagsMpyU(fl), s, 0
}

// QMACH: acc += the sum of four products; the pair receives the low 64 bits.
func QMACH(x64, y64 uint64, fl uint32, wide uint64, guard int32, geMask int64) (z64 uint64, f uint32, wide2 uint64, guard2 int32) {
	w, g, over := dspunit.AddWide(wide, guard, dotQuad(x64, y64), geMask)
	return w, flagsMac(g, over, fl), w, g
}

// QMACHU: QMACH unsigned.
func QMACHU(x64, y64 uint64, fl uint32, wide uint64, guard int32, geMask int64) (z64 uint64, f uint32, wide2 uint64, guard2 int32) {
	w, g, over := dspunit.AddWideUnsigned(wide, guard, dotQuadU(x64, y64), geMask)
	return w, flagsMacU(over, fl), w, g
}

// DMPYWHF: acc = x.w0*y.h0 + x.w1*y.h1, fractional; z is bits 47:16, truncated (DEVIATION(55)).
func DMPYWHF(x64 uint64, y, fl uint32, preMask, postMask int64) (z, f, q uint32, wide2 uint64, guard2 int32) {
	s := dotWH(x64, y)
	t := s + s&preMask
	r, d := dspunit.WideWord48(uint64(t), int32(t>>63), postMask, 0, 0)
	q = dspunit.Happened(d)
	return uint32(r), flagsClip(uint32(r), q, fl), q, uint64(t), int32(t >> 63)
}

// DMACWHF: acc += x.w0*y.h0 + x.w1*y.h1, fractional; z is bits 47:16, truncated (DEVIATION(55)).
func DMACWHF(x64 uint64, y, fl uint32, wide uint64, guard int32, geMask, preMask, postMask int64, limWide uint64, limGuard int32, limTop int64) (z, f, q uint32, wide2 uint64, guard2 int32) {
	s := dotWH(x64, y)
	t := s + s&preMask
	wide2, guard2, c := dspunit.AddWideClamp(wide, guard, uint64(t), int32(t>>63), geMask, limWide, limGuard, limTop)
	r, d := dspunit.WideWord48(wide2, guard2, postMask, 0, 0)
	q = dspunit.Events(0, c, d)
	return uint32(r), flagsClip(uint32(r), q, fl), q, wide2, guard2
}
