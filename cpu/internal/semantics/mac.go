package semantics

import "arcv2dsp/dspunit"

// Integer multiply and multiply-accumulate on the wide accumulator. Sums wrap at 64 bits, the guard
// becoming the sign extension, or at 72 bits when GE = 1 (DEVIATION(4)).

// MPYD: acc = x*y; the pair receives the product.
func MPYD(x, y, fl uint32) (z64 uint64, f uint32, wide2 uint64, guard2 int32) {
	p := int64(int32(x)) * int64(int32(y))
	return uint64(p), flagsMpy(p, fl), uint64(p), int32(p >> 63)
}

// MPYDU: MPYD unsigned. DEVIATION(53): an unsigned product leaves a zero guard when GE = 1.
func MPYDU(x, y, fl uint32, geMask int64) (z64 uint64, f uint32, wide2 uint64, guard2 int32) {
	p := uint64(x) * uint64(y)
	return p, flagsMpyU(fl), p, dspunit.ExtendUnsigned(p, geMask)
}

// MAC: acc += x*y; z is the low word.
func MAC(x, y, fl uint32, wide uint64, guard int32, geMask int64) (z, f uint32, wide2 uint64, guard2 int32) {
	w, g, over := dspunit.AddWide(wide, guard, int64(int32(x))*int64(int32(y)), geMask)
	return uint32(w), flagsMac(g, over, fl), w, g
}

// MACU: MAC unsigned.
func MACU(x, y, fl uint32, wide uint64, guard int32, geMask int64) (z, f uint32, wide2 uint64, guard2 int32) {
	w, g, over := dspunit.AddWideUnsigned(wide, guard, uint64(x)*uint64(y), geMask)
	return uint32(w), flagsMacU(over, fl), w, g
}

// MACD: acc += x*y; the pair receives the low 64 bits.
func MACD(x, y, fl uint32, wide uint64, guard int32, geMask int64) (z64 uint64, f uint32, wide2 uint64, guard2 int32) {
	w, g, over := dspunit.AddWide(wide, guard, int64(int32(x))*int64(int32(y)), geMask)
	return w, flagsMac(g, over, fl), w, g
}

// MACDU: MACD unsigned.
func MACDU(x, y, fl uint32, wide uint64, guard int32, geMask int64) (z64 uint64, f uint32, wide2 uint64, guard2 int32) {
	w, g, over := dspunit.AddWideUnsigned(wide, guard, uint64(x)*uint64(y), geMask)
	return w, flagsMacU(over, fl), w, g
}

// DMPYH: acc = x.h0*y.h0 + x.h1*y.h1 sign-extended (DEVIATION(34)); z is the low word.
func DMPYH(x, y, fl uint32) (z, f uint32, wide2 uint64, guard2 int32) {
	s := dotHH(x, y)
	return uint32(s), flagsMpy(s, fl), uint64(s), int32(s >> 63)
}

// DMPYHU: DMPYH unsigned.
func DMPYHU(x, y, fl uint32) (z, f uint32, wide2 uint64, guard2 int32) {
	s := dotHHU(x, y)
	return uint32(s), flagsMpyU(fl), s, 0
}

// DMACH: acc += x.h0*y.h0 + x.h1*y.h1; z is the low word.
func DMACH(x, y, fl uint32, wide uint64, guard int32, geMask int64) (z, f uint32, wide2 uint64, guard2 int32) {
	w, g, over := dspunit.AddWide(wide, guard, dotHH(x, y), geMask)
	return uint32(w), flagsMac(g, over, fl), w, g
}

// DMACHU: DMACH unsigned.
func DMACHU(x, y, fl uint32, wide uint64, guard int32, geMask int64) (z, f uint32, wide2 uint64, guard2 int32) {
	w, g, over := dspunit.AddWideUnsigned(wide, guard, dotHHU(x, y), geMask)
	return uint32(w), flagsMacU(over, fl), w, g
}

// DMPYHBL: acc = x.h0*y.b0 + x.h1*y.b1, bytes signed; z is the low word.
func DMPYHBL(x, y, fl uint32) (z, f uint32, wide2 uint64, guard2 int32) {
	s := dotHBL(x, y)
	return uint32(s), flagsMpy(s, fl), uint64(s), int32(s >> 63)
}

// DMPYHBM: acc = x.h0*y.b2 + x.h1*y.b3, bytes signed; z is the low word.
func DMPYHBM(x, y, fl uint32) (z, f uint32, wide2 uint64, guard2 int32) {
	s := dotHBM(x, y)
	return uint32(s), flagsMpy(s, fl), uint64(s), int32(s >> 63)
}

// DMACHBL: acc += x.h0*y.b0 + x.h1*y.b1, bytes signed; z is the low word.
func DMACHBL(x, y, fl uint32, wide uint64, guard int32, geMask int64) (z, f uint32, wide2 uint64, guard2 int32) {
	w, g, over := dspunit.AddWide(wide, guard, dotHBL(x, y), geMask)
	return uint32(w), flagsMac(g, over, fl), w, g
}

// DMACHBM: acc += x.h0*y.b2 + x.h1*y.b3, bytes signed; z is the low word.
func DMACHBM(x, y, fl uint32, wide uint64, guard int32, geMask int64) (z, f uint32, wide2 uint64, guard2 int32) {
	w, g, over := dspunit.AddWide(wide, guard, dotHBM(x, y), geMask)
	return uint32(w), flagsMac(g, over, fl), w, g
}

// VMPY2H: lo = x.h0*y.h0, hi = x.h1*y.h1; the pair receives both.
func VMPY2H(x, y uint32) (z64 uint64, lo2, hi2 int64) {
	p0, p1 := h0(x)*h0(y), h1(x)*h1(y)
	return pair(p0, p1), p0, p1
}

// VMPY2HU: VMPY2H unsigned.
func VMPY2HU(x, y uint32, signLane, maskLane int64) (z64 uint64, lo2, hi2 int64) {
	p0, p1 := int64(u0(x)*u0(y)), int64(u1(x)*u1(y))
	return pair(p0, p1), dspunit.Lane(p0, signLane, maskLane), dspunit.Lane(p1, signLane, maskLane)
}

// VMAC2H: lo += x.h0*y.h0, hi += x.h1*y.h1; the pair receives the low words. Lanes wrap at 32 bits,
// or 40 when GE = 1 (DEVIATION(5)).
func VMAC2H(x, y uint32, lo, hi int64, signLane, maskLane int64) (z64 uint64, lo2, hi2 int64) {
	s0 := dspunit.Lane(lo+h0(x)*h0(y), signLane, maskLane)
	s1 := dspunit.Lane(hi+h1(x)*h1(y), signLane, maskLane)
	return pair(s0, s1), s0, s1
}

// VMAC2HU: VMAC2H unsigned.
func VMAC2HU(x, y uint32, lo, hi int64, signLane, maskLane int64) (z64 uint64, lo2, hi2 int64) {
	s0 := dspunit.Lane(lo+int64(u0(x)*u0(y)), signLane, maskLane)
	s1 := dspunit.Lane(hi+int64(u1(x)*u1(y)), signLane, maskLane)
	return pair(s0, s1), s0, s1
}
