package quant

import (
	"fmt"
	"math"
)

// Fixed is a signed fixed-point format of gemmlowp's FixedPoint: a raw value v of width w stands
// for v / 2^(w-1-integer). Its functions are exact restatements, faults included; NewFixed makes
// the formats in which all of them are defined.
type Fixed[T Raw] struct{ integer int }

// headroom is the number of bits a format needs below the integer bits: the sign, the quarter to
// which exp reduces its argument, and one bit for the doubled argument of tanh.
const headroom = 4

// NewFixed is the format with the given number of integer bits: 0 to 12 for 16 bits, 0 to 28 for 32.
func NewFixed[T Raw](integer int) (Fixed[T], error) {
	if integer < 0 || integer > width[T]()-headroom {
		return Fixed[T]{}, fmt.Errorf("%d integer bits: a format of %d bits takes 0 to %d",
			integer, width[T](), width[T]()-headroom)
	}
	return Fixed[T]{integer}, nil
}

// Fraction is the number of bits below the point.
func (f Fixed[T]) Fraction() int { return width[T]() - 1 - f.integer }

func (f Fixed[T]) String() string { return fmt.Sprintf("Q%d.%d", f.integer, f.Fraction()) }

// Real is the number a raw value stands for.
func (f Fixed[T]) Real(raw T) float64 { return math.Ldexp(float64(raw), -f.Fraction()) }

// FromReal is the nearest raw value, halves away from zero, saturated.
func (f Fixed[T]) FromReal(x float64) T {
	return T(RealMLI.Quantize(x, Params{Scale: math.Ldexp(1, -f.Fraction())}, MakeStorage(true, width[T]())))
}

// One is the raw value of 1. Without integer bits it is the greatest value there is.
func (f Fixed[T]) One() T {
	if f.integer == 0 {
		return maxRaw[T]()
	}
	return 1 << f.Fraction()
}

// Rescale is a raw value in another format: more integer bits drop fraction bits, ties away from
// zero, fewer saturate.
func (f Fixed[T]) Rescale(raw T, to Fixed[T]) T {
	return SaturatingRoundingMultiplyByPOT(raw, f.integer-to.integer)
}

func maxRaw[T Raw]() T { return saturated[T](math.MaxInt64) }

// constant narrows a 32-bit constant to T.
func constant[T Raw](c int32) T { return T(RoundingDivideByPOT(c, 32-width[T]())) }
