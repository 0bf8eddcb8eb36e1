package dspunit

import "math/bits"

// The accumulator is 80 bits of state: two 32-bit words, r58 and r59, and a guard byte for each.
//
//	lane lo   {GLO guard, r58}   40 bits
//	lane hi   {GHI guard, r59}   40 bits
//	wide      {GHI guard, r59, r58}   72 bits; DEVIATION(3): GLO's guard is no part of it
//
// DEVIATION(6): GE = 0 means that guards do not take part. An operation that reads an accumulator
// sees the sign extension of its 32 or 64 bits, and one that writes it sets the guard to the sign
// extension of the result. GE = 1 uses all 40 or 72 bits.

// Lane returns v reduced to lane width, as a signed number: 32 bits, or 40 with guard bits. It is
// both how a stored lane reads and how a sum wraps.
func Lane(v, signLane, maskLane int64) (r int64) {
	return (v+signLane)&maskLane - signLane
}

// Clamping functions also return what was lost: a number that is zero unless the value changed, so
// that one test serves for all clamps of an instruction. See Events.

// ClampLane returns the lane value nearest to v.
func ClampLane(v, limLane int64) (r, lost int64) {
	r = max(min(v, limLane), ^limLane)
	return r, v ^ r
}

// FracLane returns the term that a fractional sum of products adds to a lane: the sum, doubled when
// PA = 1, clamped to lane width.
func FracLane(p, preMask, limLane int64) (term, lost int64) {
	term, lost = ClampLane(p+p&preMask, limLane)
	return term, lost
}

// FracProduct is FracLane for a single product of 16 x 16 bits, which cannot be too small.
// DEVIATION(7): only GE = 0 can clamp it, at 0x8000 squared; with guard bits +1.0 stays +1.0.
func FracProduct(p, preMask, limLane int64) (term, lost int64) {
	v := p + p&preMask
	term = min(v, limLane)
	return term, v ^ term
}

// AddLane returns the lane acc plus term, clamped.
func AddLane(acc, term, limLane, signLane, maskLane int64) (acc2, lost int64) {
	acc2, lost = ClampLane((acc+signLane)&maskLane+(term-signLane), limLane)
	return acc2, lost
}

// SubLane returns the lane acc minus term, clamped.
func SubLane(acc, term, limLane, signLane, maskLane int64) (acc2, lost int64) {
	acc2, lost = ClampLane((acc+signLane)&maskLane-(term+signLane), limLane)
	return acc2, lost
}

// Half returns the 16-bit result of a lane: bits 31:16 of acc, doubled when PA = 0, rounded as rnd15
// and rndEven say (zero for truncation), clamped to 16 bits. Rounding comes first and sees the guard
// bits, so it cannot wrap. DEVIATION(8): the doubling of the result is exact.
func Half(acc, postMask, rnd15 int64, rndEven uint64) (h, lost int64) {
	v := acc + acc&postMask
	v = (v + rnd15 + v>>16&int64(rndEven)) >> 16
	return Clamp16(v), Over16(v)
}

// Word returns the 32-bit result of a lane: acc, doubled when PA = 0, clamped to 32 bits.
func Word(acc, postMask int64) (w, lost int64) {
	v := acc + acc&postMask
	return Clamp32(v), Over32(v)
}

// Pack2 returns the register with h0 in bits 15:0 and h1 in bits 31:16.
func Pack2(h0, h1 int64) (z uint32) {
	return uint32(h0)&0xffff | uint32(h1)<<16
}

// WideGuard returns the guard that the wide accumulator reads with: the stored one, or the sign
// extension of bit 63 when GE = 0.
func WideGuard(wide uint64, guard int32, geMask int64) (g int32) {
	sign := int32(int64(wide) >> 63)
	return guard&int32(geMask) | sign&^int32(geMask)
}

// wrapGuard returns the guard to store above wide for the exact bits 64 upwards, top.
func wrapGuard(wide uint64, top int32, geMask int64) (g int32) {
	return int32(int8(top))&int32(geMask) | int32(int64(wide)>>63)&^int32(geMask)
}

// AddWide returns the wide accumulator plus the signed p, wrapped to 64 bits, or 72 with guard
// bits; over is 1 when the exact sum did not fit. DEVIATION(4): integer sums wrap.
func AddWide(wide uint64, guard int32, p, geMask int64) (wide2 uint64, guard2 int32, over uint32) {
	sum, carry := bits.Add64(wide, uint64(p), 0)
	high := int32(p>>63) + int32(carry)
	guard2 = wrapGuard(sum, guard+high, geMask)
	exact := WideGuard(wide, guard, geMask) + high
	return sum, guard2, Happened(int64(exact ^ guard2))
}

// AddWideUnsigned returns the wide accumulator plus the unsigned p, wrapped to 64 bits, or 72 with
// guard bits; over is the carry out of that width.
func AddWideUnsigned(wide uint64, guard int32, p uint64, geMask int64) (wide2 uint64, guard2 int32, over uint32) {
	sum, carry := bits.Add64(wide, p, 0)
	guard2 = wrapGuard(sum, guard+int32(carry), geMask)
	carry72 := (uint32(uint8(guard)) + uint32(carry)) >> 8
	over = carry72&uint32(geMask) | uint32(carry)&^uint32(geMask)
	return sum, guard2, over
}

// ExtendUnsigned returns the guard above the unsigned 64-bit number wide: 0, or with GE = 0 the
// sign extension that every write leaves.
func ExtendUnsigned(wide uint64, geMask int64) (guard2 int32) {
	return wrapGuard(wide, 0, geMask)
}

// ClampWide returns the wide accumulator value nearest to the 128-bit number top:low. top must be
// within 32 bits.
func ClampWide(top int64, low uint64, limWide uint64, limGuard int32, limTop int64) (wide2 uint64, guard2 int32, lost int64) {
	wide2, guard2 = low, int32(top)
	b63 := top<<1 | int64(low>>63) // the number divided by 2^63
	if b63 > limTop {
		wide2, guard2, lost = limWide, limGuard, 1
	}
	if b63 < ^limTop {
		wide2, guard2, lost = ^limWide, ^limGuard, 1
	}
	return wide2, guard2, lost
}

// FracWide returns the term that a fractional product p of 32 x 32 bits adds to the wide accumulator:
// p, doubled when PA = 1, clamped. Only 0x80000000 squared can be too large, and only when GE = 0.
func FracWide(p, preMask int64, limWide uint64, limGuard int32, limTop int64) (low uint64, top int32, lost int64) {
	low, top = uint64(p+p&preMask), int32(p>>63)
	if p&preMask == 1<<62 && limTop == 0 {
		low, top, lost = limWide, limGuard, 1
	}
	return low, top, lost
}

// AddWideClamp returns the wide accumulator plus top:low, clamped.
func AddWideClamp(wide uint64, guard int32, low uint64, top int32, geMask int64, limWide uint64, limGuard int32, limTop int64) (wide2 uint64, guard2 int32, lost int64) {
	sum, carry := bits.Add64(wide, low, 0)
	high := int64(WideGuard(wide, guard, geMask)) + int64(top) + int64(carry)
	wide2, guard2, lost = ClampWide(high, sum, limWide, limGuard, limTop)
	return wide2, guard2, lost
}

// SubWideClamp returns the wide accumulator minus top:low, clamped.
func SubWideClamp(wide uint64, guard int32, low uint64, top int32, geMask int64, limWide uint64, limGuard int32, limTop int64) (wide2 uint64, guard2 int32, lost int64) {
	diff, borrow := bits.Sub64(wide, low, 0)
	high := int64(WideGuard(wide, guard, geMask)) - int64(top) - int64(borrow)
	wide2, guard2, lost = ClampWide(high, diff, limWide, limGuard, limTop)
	return wide2, guard2, lost
}

// WideWord returns the 32-bit result of a 32 x 32 fractional operation: bits 63:32 of the wide
// accumulator, doubled when PA = 0, rounded, clamped to 32 bits.
func WideWord(wide uint64, guard int32, postMask int64, rnd31, rndEven uint64) (w, lost int64) {
	low := wide + wide&uint64(postMask)
	top := int64(guard) + (int64(guard)+int64(wide>>63))&postMask
	sum, carry := bits.Add64(low, rnd31+low>>32&rndEven, 0)
	v := (top+int64(carry))<<32 | int64(sum>>32)
	return Clamp32(v), Over32(v)
}

// WideWord48 is WideWord for 32 x 16 fractional operations, whose result is in bits 47:16.
// DEVIATION(52): the 48-bit product is accumulated at bit 0.
func WideWord48(wide uint64, guard int32, postMask, rnd15 int64, rndEven uint64) (w, lost int64) {
	low := wide + wide&uint64(postMask)
	top := int64(guard) + (int64(guard)+int64(wide>>63))&postMask
	sum, carry := bits.Add64(low, uint64(rnd15)+low>>16&rndEven, 0)
	v := (top+int64(carry))<<48 | int64(sum>>16)
	return Clamp32(v), Over32(v)
}

// WideDouble returns the 64-bit result of a 32 x 32 fractional operation: the wide accumulator,
// doubled when PA = 0, clamped to 64 bits. DEVIATION(47): macdf and msubdf double on the way out like
// mpydf.
func WideDouble(wide uint64, guard int32, postMask int64) (d uint64, lost int64) {
	low := wide + wide&uint64(postMask)
	top := int64(guard) + (int64(guard)+int64(wide>>63))&postMask
	d, _, lost = ClampWide(top, low, 1<<63-1, 0, 0)
	return d, lost
}

// WideOf returns the wide accumulator of the two lanes.
func WideOf(lo, hi int64) (wide uint64, guard int32) {
	return uint64(uint32(lo)) | uint64(hi)<<32, int32(hi >> 32)
}

// SetWide returns the lanes after the wide accumulator was written; GLO's guard stays.
func SetWide(lo int64, wide uint64, guard int32) (lo2, hi2 int64) {
	return lo&^0xffffffff | int64(uint32(wide)), int64(guard)<<32 | int64(wide>>32)
}

// LaneFlags returns the private flags of a lane in the layout of STATUS32 flags: Z = 8, N = 4, V = 1.
// over is the sticky overflow bit.
//
// DEVIATION(13): Z and N are those of the value as it stands, C is zero.
func LaneFlags(lane int64, over uint32, signLane, maskLane int64) (f uint32) {
	v := Lane(lane, signLane, maskLane)
	f = uint32(uint64(v)>>63)<<2 | over
	if v == 0 {
		f |= 8
	}
	return f
}

// WideFlags returns the private flags of the wide accumulator.
func WideFlags(wide uint64, guard int32, over uint32, geMask int64) (f uint32) {
	g := WideGuard(wide, guard, geMask)
	f = uint32(g)>>31<<2 | over
	if wide == 0 && g == 0 {
		f |= 8
	}
	return f
}
