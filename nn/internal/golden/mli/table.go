package mli

import (
	"math"

	"arcv2dsp/nn"
)

// Table approximates a function by 16-bit samples.
type Table struct {
	InFrac  int // fractional bits of the sample position
	OutFrac int // and of the samples
	Offset  int // index of position 0
	Data    []int32
}

// Sampled is the table with length samples of a function, each rounded half away from zero.
func (t Table) Sampled(length int, f func(float64) float64) *Table {
	t.Data = make([]int32, length)
	for i := range t.Data {
		x := math.Ldexp(float64(i-t.Offset), -t.InFrac)
		t.Data[i] = int32(Clamp(int64(math.Round(math.Ldexp(f(x), t.OutFrac))), -32767, 32767))
	}
	return &t
}

// maxInterpolation is the largest number of bits below a sample position that take part in the
// interpolation: the product of difference and fraction must fit the 16-bit multiplier.
const maxInterpolation = 15

// At evaluates the table at x with frac fractional bits; the result has OutFrac.
func (t *Table) At(x int64, frac int, r nn.Rounding) int64 {
	shift := frac - t.InFrac
	if shift > maxInterpolation {
		// DEVIATION(200): bits beyond the 15 the interpolation can use are dropped, not rounded.
		x >>= min(shift-maxInterpolation, 63)
		shift = maxInterpolation
	}
	if shift <= 0 {
		i := Clamp(ShiftLeft(x, -shift), -int64(t.Offset), int64(len(t.Data)-1-t.Offset)) + int64(t.Offset)
		return int64(t.Data[i])
	}
	// The fraction comes from x even where the position was clamped.
	i := Clamp(x>>shift+int64(t.Offset), 0, int64(len(t.Data)-2))
	fraction := x & (1<<shift - 1)
	here, next := int64(t.Data[i]), int64(t.Data[i+1])
	return here - Saturate(Shift(r, (here-next)*fraction, shift), 16)
}
