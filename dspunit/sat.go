package dspunit

// Clamp16 returns the number nearest to v in [-2^15, 2^15-1].
func Clamp16(v int64) (r int64) {
	return max(min(v, 0x7fff), -0x8000)
}

// Clamp32 returns the number nearest to v in [-2^31, 2^31-1].
func Clamp32(v int64) (r int64) {
	return max(min(v, 0x7fffffff), -0x80000000)
}

// Over16 returns a number that is not zero when v is beyond 16 bits, that is when Clamp16 changes it.
func Over16(v int64) (lost int64) { return int64(uint64(v+0x8000) >> 16) }

// Over32 returns a number that is not zero when v is beyond 32 bits.
func Over32(v int64) (lost int64) { return int64(uint64(v+0x80000000) >> 32) }

// Happened returns 1 when lost is not zero, else 0.
func Happened(lost int64) (c uint32) {
	if lost != 0 {
		c = 1
	}
	return c
}

// Events returns the sticky events of an instruction: one for clamping the sum or product of
// the low lane, of the high lane or wide, and the result; each is zero when nothing was.
func Events(lo, hi, result int64) (q uint32) {
	if lo|hi|result != 0 {
		q = StickySAT
		if lo != 0 {
			q |= StickyLoV
		}
		if hi != 0 {
			q |= StickyHiV
		}
	}
	return q
}

// ShiftRound32 returns v * 2^-n for a 32-bit v, rounded by the mode when n > 0, not clamped beyond
// what keeps a later clamp to 32 bits exact: n >= 40 acts as 40, n <= -32 as -32.
//
// The addend that rounds is half of the unit kept (up), or one less than half plus the lowest kept
// bit (to even), or 0; and 0 when nothing is dropped.
func ShiftRound32(v int64, n int32, rndMask, rndEven uint64) (r int64) {
	left := uint32(max(-max(n, -32), 0)) // -n itself may overflow
	right := uint32(max(min(n, 40), 0))
	w := v << (left & 63)
	half := uint64(1) << (right & 63) >> 1 & rndMask
	even := rndEven & uint64(min(right, 1))
	odd := uint64(w>>(right&63)) & even
	return (w + int64(half-even+odd)) >> (right & 63)
}

// ShiftLane16 returns v * 2^n of a 16-bit v rounded down, not clamped beyond what keeps a later
// clamp to 16 bits exact: n >= 16 acts as 16, n <= -16 as -16.
func ShiftLane16(v int64, n int64) (r int64) {
	left := uint32(max(min(n, 16), 0))
	right := uint32(max(min(-n, 16), 0))
	return v << (left & 31) >> (right & 31)
}
