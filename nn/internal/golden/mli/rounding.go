package mli

import (
	"math"
	"math/bits"

	"arcv2dsp/nn"
)

// Shift returns x / 2^n, rounded to nearest: ties go to even in convergent rounding, else towards positive
// infinity. A negative n shifts left and saturates at 64 bits, which every
// narrower saturation that follows turns into its own limit.
func Shift(r nn.Rounding, x int64, n int) int64 {
	switch {
	case n == 0:
		return x
	case n < 0:
		return ShiftLeft(x, -n)
	case n > 63:
		return 0 // |x| is at most half of the last kept bit, and half only of the least integer: that tie goes to 0
	}
	floor := x >> n
	half := x >> (n - 1) & 1
	if half == 0 {
		return floor
	}
	if r == nn.Convergent && x&(1<<(n-1)-1) == 0 {
		return floor + floor&1
	}
	return floor + 1
}

// ShiftLeft saturates at 64 bits; a negative n drops bits.
func ShiftLeft(x int64, n int) int64 {
	if x == 0 {
		return 0
	}
	if n < 0 {
		return x >> min(-n, 63)
	}
	if n > 62 || x<<n>>n != x {
		if x < 0 {
			return math.MinInt64
		}
		return math.MaxInt64
	}
	return x << n
}

// Saturate clamps x to a signed container of the given width.
func Saturate(x int64, bits int) int64 {
	return Clamp(x, -1<<(bits-1), 1<<(bits-1)-1)
}

// Clamp brings x into a range.
func Clamp(x, lo, hi int64) int64 {
	return max(lo, min(x, hi))
}

// Reciprocal returns mul and shift with mul / 2^shift just below or equal to 1 / n, mul of 15 bits.
func Reciprocal(n int) (mul int64, shift int) {
	v := uint32(1 << 31 / uint64(n))
	norm := bits.LeadingZeros32(v)
	return int64(v << norm >> 17), 14 + norm
}
