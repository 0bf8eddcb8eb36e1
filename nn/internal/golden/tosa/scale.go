package tosa

import (
	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// Limits of the shift of a scaling.
const (
	minShift = 2
	maxShift = 62
)

// Conditions of the scalings. RESCALE reaches all of them, AVG_POOL2D the range of the value.
var (
	scaleMultiplier = Condition{
		Name: "multiplier >= 0", Text: "no multiplier is negative", Outcome: nn.Unpredictable,
	}
	scaleShift = Condition{
		Name: "shift", Text: "every shift is 2 to 62", Outcome: nn.Unpredictable,
	}
	scaleValue = Condition{
		Name: "value", Text: "the value to be scaled with 32 bits is in [-2^(shift-1), 2^(shift-1))", Outcome: nn.Unpredictable,
	}
	scaleResult = Condition{
		Name: "scaled value", Text: "a value scaled with 16 bits fits i32", Outcome: nn.Unpredictable,
	}
)

// applyScale32 is v * multiplier / 2^shift, ties up. Double rounding first moves the product away from
// zero by 2^30, where the shift exceeds 31.
func applyScale32(v, multiplier int64, shift int, double bool) (int64, error) {
	if v < -1<<(shift-1) || v >= 1<<(shift-1) {
		return 0, scaleValue.breach("%d with the shift %d", v, shift)
	}
	scaling := quant.ScaleSingle
	if double {
		scaling = quant.ScaleNudged
	}
	return int64(scaling.Apply(int32(v), quant.Multiplier{Value: int32(multiplier), Shift: 31 - shift})), nil
}

// applyScale16 is v * multiplier / 2^shift, ties up, for values of 48 bits and multipliers of 16.
func applyScale16(v, multiplier int64, shift int) (int64, error) {
	r := quant.HalfUp.Shift(v*multiplier, shift)
	if !nn.I32.Holds(r) {
		return 0, scaleResult.breach("%d * %d / 2^%d is %d", v, multiplier, shift, r)
	}
	return r, nil
}
