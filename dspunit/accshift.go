package dspunit

import "math/bits"

// ShiftLane returns the lane v (within lane width) shifted left by n, or right when n is negative,
// without rounding. Bits beyond lane width are lost: the result wraps.
func ShiftLane(v int64, n int32, signLane, maskLane int64) (r int64) {
	left := uint32(max(min(n, 40), 0))
	right := uint32(max(min(-n, 40), 0))
	return Lane(v<<(left&63)>>(right&63), signLane, maskLane)
}

// ShiftLaneClamp is ShiftLane with the exact result clamped to lane width.
func ShiftLaneClamp(v int64, n int32, geMask, limLane int64) (r, lost int64) {
	left := uint32(max(min(n, 40), 0))
	right := uint32(max(min(-n, 40), 0))
	r = v << (left & 63) >> (right & 63)
	room := Redundant40(v) - int32(8&^geMask) // largest shift that loses no bit
	if n > room && v != 0 {
		r, lost = v>>63^limLane, 1
	}
	return r, lost
}

// ShiftWide returns the 128-bit number top:low shifted left by n, or right when n is negative,
// without rounding; high is its upper half. n is in [-127, 127].
func ShiftWide(low uint64, top int64, n int32) (low2 uint64, high int64) {
	left := uint32(max(n, 0))
	right := uint32(max(-n, 0))
	if left >= 64 {
		top, low, left = int64(low), 0, left-64
	}
	if right >= 64 {
		low, top, right = uint64(top), top>>63, right-64
	}
	high = top<<(left&63) | int64(low>>1>>(63-left&63))
	low2 = low << (left & 63)
	low2 = low2>>(right&63) | uint64(high)<<1<<(63-right&63)
	high >>= right & 63
	return low2, high
}

// ShiftWideWrap returns the wide accumulator shifted left by n in [-128, 127], or right when n is
// negative, without rounding, wrapped to 64 bits, or 72 with guard bits.
func ShiftWideWrap(wide uint64, guard, n int32, geMask int64) (wide2 uint64, guard2 int32) {
	g := WideGuard(wide, guard, geMask)
	low, high := ShiftWide(wide, int64(g), max(n, -127))
	return low, wrapGuard(low, int32(high), geMask)
}

// ShiftWideClamp is ShiftWideWrap with the exact result clamped.
func ShiftWideClamp(wide uint64, guard, n int32, geMask int64, limWide uint64, limGuard int32) (wide2 uint64, guard2 int32, lost int64) {
	g := WideGuard(wide, guard, geMask)
	wide2, guard2 = ShiftWideWrap(wide, guard, n, geMask)
	room := Redundant72(wide, g) - int32(8&^geMask) // largest shift that loses no bit
	if n > room && (wide != 0 || g != 0) {
		sign := g >> 31
		wide2, guard2, lost = limWide^uint64(sign), limGuard^sign, 1
	}
	return wide2, guard2, lost
}

// Redundant40 returns the number of sign bits of the 40-bit v that are not needed, 39 for 0 and -1.
func Redundant40(v int64) (n int32) {
	return int32(bits.LeadingZeros64(uint64(v^v>>63))) - 25
}

// Redundant72 returns the number of sign bits of the 72-bit top:low that are not needed, 71 for 0
// and -1.
func Redundant72(low uint64, top int32) (n int32) {
	flip := int64(top >> 31)
	n = int32(bits.LeadingZeros64(low^uint64(flip))) + 7
	high := uint32(top) ^ uint32(flip)
	if high != 0 {
		n = int32(bits.LeadingZeros32(high)) - 25
	}
	return n
}
