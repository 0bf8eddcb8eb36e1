package quant

import "unsafe"

// The integer primitives of gemmlowp's fixed-point layer, under the names it gives them. They exist
// for 16 and 32 bits. Rounding differs from one to the next and is part of the definition.

// Raw is an integer that holds a fixed-point value.
type Raw interface{ ~int16 | ~int32 }

// width is the number of bits of T.
func width[T Raw]() int {
	var x T
	return 8 * int(unsafe.Sizeof(x))
}

// saturated narrows x to T.
func saturated[T Raw](x int64) T { return T(Saturate(x, width[T]())) }

// SaturatingRoundingDoublingHighMul is a*b / 2^(w-1), ties towards plus infinity, w the width of T.
// Only the square of the most negative value saturates.
func SaturatingRoundingDoublingHighMul[T Raw](a, b T) T {
	return saturated[T](HalfUp.Shift(int64(a)*int64(b), width[T]()-1))
}

// RoundingDivideByPOT is x / 2^exponent, ties away from zero. gemmlowp allows exponents below the
// width; greater ones follow the same rule.
func RoundingDivideByPOT[T Raw](x T, exponent int) T {
	return T(HalfAway.Shift(int64(x), max(exponent, 0)))
}

// RoundingHalfSum is (a+b) / 2, ties away from zero.
func RoundingHalfSum[T Raw](a, b T) T { return T(HalfAway.Shift(int64(a)+int64(b), 1)) }

// SaturatingShiftLeft is x * 2^exponent, saturated.
func SaturatingShiftLeft[T Raw](x T, exponent int) T {
	return saturated[T](shiftLeft(int64(x), max(exponent, 0)))
}

// SaturatingRoundingMultiplyByPOT is x * 2^exponent: to the left it saturates, to the right ties go
// away from zero.
func SaturatingRoundingMultiplyByPOT[T Raw](x T, exponent int) T {
	return saturated[T](HalfAway.Shift(int64(x), -exponent))
}

// SaturatingAdd is a+b, saturated.
func SaturatingAdd[T Raw](a, b T) T { return saturated[T](int64(a) + int64(b)) }
