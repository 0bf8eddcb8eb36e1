package quant

import (
	"fmt"
	"math/bits"
)

// Steps says where the product of a sum and a multiplier is rounded.
type Steps uint8

const (
	Once   Steps = iota // the exact product, one shift
	Twice               // the product to 32 bits, then the rest of the shift
	Nudged              // one shift of the product after 2^30 towards its sign: TOSA's double_round
	Narrow              // the product of 32 bits, which wraps, one shift: gemmlowp's oldest stage
)

var stepsNames = [...]string{Once: "once", Twice: "twice", Nudged: "nudged", Narrow: "narrow"}

func (s Steps) String() string {
	if int(s) < len(stepsNames) {
		return stepsNames[s]
	}
	return fmt.Sprintf("steps(%d)", uint8(s))
}

// Overflow says what becomes of a number that does not fit its container.
type Overflow uint8

const (
	Wrap  Overflow = iota // the upper bits are lost
	Clamp                 // the nearest limit
)

func (o Overflow) String() string {
	if o == Clamp {
		return "clamp"
	}
	return "wrap"
}

func (o Overflow) narrow(x int64) int32 {
	if o == Clamp {
		return int32(Saturate(x, 32))
	}
	return int32(x)
}

// Scaling is the way in which a library multiplies an int32 sum by a Multiplier.
type Scaling struct {
	Steps    Steps
	Product  Rounding // Twice: of the upper half of the product
	Shift    Rounding // of the last shift
	Overflow Overflow // of a left shift before the product (Twice) and of the result
}

// The scalings of the profiles.
var (
	// ScaleLegacy: RoundingDivideByPOT of a product of 32 bits.
	ScaleLegacy = Scaling{Steps: Narrow, Shift: HalfAway, Overflow: Wrap}
	// ScaleGemmlowp: gemmlowp's stage of fixed-point multiplier and exponent.
	ScaleGemmlowp = Scaling{Steps: Twice, Product: HalfUp, Shift: HalfAway, Overflow: Clamp}
	// ScaleDouble: TensorFlow Lite's MultiplyByQuantizedMultiplier.
	ScaleDouble = Scaling{Steps: Twice, Product: HalfUp, Shift: HalfAway, Overflow: Wrap}
	// ScaleSingle: the same, built with TFLITE_SINGLE_ROUNDING, and TOSA without double_round.
	ScaleSingle = Scaling{Steps: Once, Shift: HalfUp, Overflow: Wrap}
	// ScaleNudged: TOSA with double_round.
	ScaleNudged = Scaling{Steps: Nudged, Shift: HalfUp, Overflow: Wrap}
	// ScaleConvergent and ScaleUp: MLI, by the rounding mode of the core.
	ScaleConvergent = Scaling{Steps: Once, Shift: NearestEven, Overflow: Clamp}
	ScaleUp         = Scaling{Steps: Once, Shift: HalfUp, Overflow: Clamp}
)

// Apply multiplies a sum by a multiplier.
func (s Scaling) Apply(x int32, m Multiplier) int32 {
	switch s.Steps {
	case Twice:
		left := x
		switch {
		case m.Shift > 0 && s.Overflow == Clamp:
			left = SaturatingShiftLeft(x, m.Shift)
		case m.Shift > 0:
			left = x << m.Shift
		}
		high := saturated[int32](s.Product.Shift(int64(left)*int64(m.Value), 31))
		return int32(s.Shift.Shift(int64(high), max(-m.Shift, 0)))
	case Narrow:
		return s.Overflow.narrow(s.Shift.Shift(int64(x*m.Value), m.Down()))
	case Nudged:
		product := int64(x) * int64(m.Value)
		if m.Down() > 31 {
			product += nudge(x)
		}
		return s.Overflow.narrow(s.Shift.Shift(product, m.Down()))
	}
	return s.Overflow.narrow(s.Shift.Shift(int64(x)*int64(m.Value), m.Down()))
}

// nudge is half of the last bit that a first rounding to 32 bits would keep, with the sign of x.
func nudge(x int32) int64 {
	if x < 0 {
		return -1 << 30
	}
	return 1 << 30
}

// Apply48 multiplies a sum of up to 48 bits by a multiplier of 16: TensorFlow Lite's kernels with 16-bit
// activations in both of its builds, and TOSA's apply_scale_16. One rounding, ties up.
func Apply48(x int64, m Multiplier16) int32 {
	return int32(HalfUp.Shift(x*int64(m.Value), m.Down()))
}

// CheckApplyScale32 says whether TOSA defines apply_scale_32 for these numbers. Apply answers either way.
func CheckApplyScale32(value int32, m Multiplier) error {
	if err := checkTOSA(int64(m.Value), m.Down()); err != nil {
		return err
	}
	limit := int64(1) << (m.Down() - 1)
	if v := int64(value); v < -limit || v >= limit {
		return fmt.Errorf("TOSA takes values of -2^%d to 2^%d-1 with a shift of %d, not %d",
			m.Down()-1, m.Down()-1, m.Down(), value)
	}
	return nil
}

// ReciprocalScale is TOSA's multiplier for 1/n. Its ties round down when negative.
func ReciprocalScale(n uint32) (Multiplier, error) {
	if n == 0 {
		return Multiplier{}, fmt.Errorf("zero has no reciprocal")
	}
	k := bits.Len32(n - 1)
	return Multiplier{Value: int32((1<<30 + 1) << k / uint64(n)), Shift: 1 - k}, nil
}
