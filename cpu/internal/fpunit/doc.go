// Package fpunit is the arithmetic of the floating-point units: IEEE 754 binary32 and binary64 on
// bit patterns, computed with integers, in all rounding modes, with the exceptions that each
// operation signals.
//
// It has no state. Rounding modes and exceptions have the numbers of the FPU_CTRL and FPU_STATUS
// registers. A format is named by the width of its fraction, Single or Double; a single-precision
// number is the low half of a uint64.
//
// Inside, a number is unpacked: a sign (1 is negative), an exponent, a significand with its leading
// one in bit 62, and a kind. Its value is significand / 2^62 * 2^exponent. When a result has more
// bits than the significand, bit 0 is set if any of the lost bits was: that is enough to round.
package fpunit

// Formats, by the width of their fraction.
const (
	Single = 23
	Double = 52
)

// Rounding modes, as in FPU_CTRL.RM.
const (
	RoundTowardZero = 0
	RoundNearest    = 1
	RoundUp         = 2
	RoundDown       = 3
)

// Exceptions, as in FPU_STATUS.
const (
	Invalid   = 1 << 0
	DivByZero = 1 << 1
	Overflow  = 1 << 2
	Underflow = 1 << 3
	Inexact   = 1 << 4

	AllExceptions = Invalid | DivByZero | Overflow | Underflow | Inexact
)

// Kinds of numbers, one bit each, so that the kinds of two operands combine. The NaNs are the largest.
const (
	kindZero       = 1 << 0
	kindFinite     = 1 << 1
	kindInfinite   = 1 << 2
	kindQuiet      = 1 << 3
	kindSignalling = 1 << 4
)

// exponentOfZero is below every exponent that a number can have, sums of two included.
const exponentOfZero = -5000
