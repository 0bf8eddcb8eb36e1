package quant

import (
	"fmt"
	"math"
)

// Multiplier is a real factor as an integer and a power of two: Value * 2^(Shift-31). A positive
// Shift scales up. TensorFlow Lite and gemmlowp's exponent stage write the pair in this way; TOSA
// counts the whole right shift (TOSA), gemmlowp's oldest stage has integers without a point (Legacy).
type Multiplier struct {
	Value int32
	Shift int
}

// Limits of Multiplier.Shift that QuantizeMultiplier gives.
const (
	minShift       = -31
	maxShift       = 31
	maxShiftSingle = 30 // the shift of one rounding is 31-Shift and stays positive
)

// QuantizeMultiplier is the multiplier nearest to a real factor, halves away from zero, with 31
// significant bits. A factor below 2^-32 becomes zero.
func QuantizeMultiplier(real float64) (Multiplier, error) {
	switch {
	case real == 0:
		return Multiplier{}, nil
	case math.IsNaN(real) || math.IsInf(real, 0):
		return Multiplier{}, fmt.Errorf("factor %g has no multiplier", real)
	}
	fraction, shift := math.Frexp(real)
	q := int64(math.Round(math.Ldexp(fraction, 31)))
	if q == 1<<31 || q == -1<<31 {
		q /= 2
		shift++
	}
	switch {
	case shift < minShift:
		return Multiplier{}, nil
	case shift > maxShift:
		return Multiplier{}, fmt.Errorf("factor %g is 2^%d or more: no multiplier of 32 bits", real, maxShift)
	}
	return Multiplier{Value: int32(q), Shift: shift}, nil
}

// QuantizeMultiplierSingle is QuantizeMultiplier for scalings with one rounding: factors of 2^30 and
// more become the greatest one.
func QuantizeMultiplierSingle(real float64) (Multiplier, error) {
	m, err := QuantizeMultiplier(real)
	if err == nil && m.Shift > maxShiftSingle {
		m = Multiplier{Value: math.MaxInt32, Shift: maxShiftSingle}
	}
	return m, err
}

// Real is the factor a multiplier stands for, exactly.
func (m Multiplier) Real() float64 { return math.Ldexp(float64(m.Value), m.Shift-31) }

// Down is the number of bits that the product of an integer and Value is shifted to the right.
func (m Multiplier) Down() int { return 31 - m.Shift }

func (m Multiplier) String() string { return fmt.Sprintf("%d * 2^%d", m.Value, m.Shift-31) }

// Legacy is the multiplier of gemmlowp's oldest stage: an integer, then a shift to the right.
func Legacy(multiplier int32, shift int) Multiplier {
	return Multiplier{Value: multiplier, Shift: 31 - shift}
}

// Multiplier16 is a factor with 16 bits, Value * 2^(Shift-15), for sums of 48 bits.
type Multiplier16 struct {
	Value int16
	Shift int
}

// Reduce16 drops the lower 16 bits of a multiplier, ties up. The greatest values saturate.
func (m Multiplier) Reduce16() Multiplier16 {
	return Multiplier16{Value: int16(min(HalfUp.Shift(int64(m.Value), 16), math.MaxInt16)), Shift: m.Shift}
}

// Real is the factor a multiplier stands for, exactly.
func (m Multiplier16) Real() float64 { return math.Ldexp(float64(m.Value), m.Shift-15) }

// Down is the number of bits that the product of an integer and Value is shifted to the right.
func (m Multiplier16) Down() int { return 15 - m.Shift }

// Limits of the shift of TOSA's RESCALE.
const (
	minShiftTOSA = 2
	maxShiftTOSA = 62
)

// TOSA gives the two numbers of RESCALE with scale32. Shifts outside 2..62 have none.
func (m Multiplier) TOSA() (multiplier int32, shift int, err error) {
	return m.Value, m.Down(), checkTOSA(int64(m.Value), m.Down())
}

// TOSA gives the two numbers of RESCALE without scale32. Shifts outside 2..62 have none.
func (m Multiplier16) TOSA() (multiplier int16, shift int, err error) {
	return m.Value, m.Down(), checkTOSA(int64(m.Value), m.Down())
}

// FromTOSA reads the numbers of RESCALE with scale32.
func FromTOSA(multiplier int32, shift int) (Multiplier, error) {
	return Multiplier{Value: multiplier, Shift: 31 - shift}, checkTOSA(int64(multiplier), shift)
}

// FromTOSA16 reads the numbers of RESCALE without scale32.
func FromTOSA16(multiplier int16, shift int) (Multiplier16, error) {
	return Multiplier16{Value: multiplier, Shift: 15 - shift}, checkTOSA(int64(multiplier), shift)
}

func checkTOSA(multiplier int64, shift int) error {
	switch {
	case multiplier < 0:
		return fmt.Errorf("TOSA takes no negative multiplier (%d)", multiplier)
	case shift < minShiftTOSA || shift > maxShiftTOSA:
		return fmt.Errorf("TOSA takes shifts of %d to %d, not %d", minShiftTOSA, maxShiftTOSA, shift)
	}
	return nil
}
