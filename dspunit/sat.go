package dspunit

// Clamp16 returns the number nearest to v in [-2^15, 2^15-1].
func Clamp16(v int64) (r int64) {
	return max(min(v, 0x7fff), -0x8000)
}

// Clamp32 returns the number nearest to v in [-2^31, 2^31-1].
func Clamp32(v int64) (r int64) {
	return max(min(v, 0x7fffffff), -0x80000000)
}

// Differs returns 1 when v was clamped to another number r, else 0.
func Differs(v, r int64) (c uint32) {
	if v != r {
		c = 1
	}
	return c
}

// ShiftRound32 returns v * 2^-n for a 32-bit v, rounded by the mode when n > 0, not clamped beyond
// what keeps a later clamp to 32 bits exact: n >= 40 acts as 40, n <= -31 as -31.
//
// The rounding addend for dropping k+1 bits of 2v is half = 2^k (up), or half-1 plus the lowest
// kept bit (to even); working on 2v makes k = 0 need no case of its own.
func ShiftRound32(v int64, n int32, rndMask, rndEven uint64) (r int64) {
	left := uint32(max(min(-n, 31), 0))
	right := uint32(max(min(n, 40), 0))
	w := v << (left & 31) << 1
	half := uint64(1) << (right & 63) & rndMask
	odd := uint64(w>>(right&63)>>1) & rndEven
	return (w + int64(half-rndEven+odd)) >> (right & 63) >> 1
}

// ShiftLane16 returns v * 2^n of a 16-bit v rounded down, not clamped beyond what keeps a later
// clamp to 16 bits exact: n >= 16 acts as 16, n <= -16 as -16.
func ShiftLane16(v int64, n int64) (r int64) {
	left := uint32(max(min(n, 16), 0))
	right := uint32(max(min(-n, 16), 0))
	return v << (left & 31) >> (right & 31)
}
