package tflite

import (
	"fmt"
	"math"

	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

func violation(condition, format string, args ...any) error {
	return &nn.Violation{Outcome: nn.Error, Condition: condition, Detail: fmt.Sprintf(format, args...)}
}

// refuse is a rule: it refuses a call where something holds.
func refuse(when bool, condition, format string, args ...any) {
	if when {
		panic(violation(condition, format, args...))
	}
}

// requantizer multiplies sums by a real factor, as the library was built to round.
type requantizer struct {
	scaling quant.Scaling
	factor  quant.Multiplier
}

// requantize makes the integer multiplier of a real factor.
func requantize(c *nn.Call, real float64) requantizer {
	r := requantizer{scaling: quant.ScaleDouble}
	quantize := quant.QuantizeMultiplier
	switch c.Rounding {
	case nn.Double:
	case nn.Single:
		r.scaling, quantize = quant.ScaleSingle, quant.QuantizeMultiplierSingle
	default:
		panic(violation("rounding", "rounding is %s, the library has %s and %s", c.Rounding, nn.Double, nn.Single))
	}
	var err error
	if r.factor, err = quantize(real); err != nil {
		panic(violation("scale", "%v", err))
	}
	return r
}

// requantizeAll makes one multiplier for each factor.
func requantizeAll(c *nn.Call, real []float64) []requantizer {
	list := make([]requantizer, len(real))
	for i, f := range real {
		list[i] = requantize(c, f)
	}
	return list
}

// apply scales a sum of 32 bits; a wider one has wrapped.
func (r requantizer) apply(sum int64) int64 { return int64(r.scaling.Apply(int32(sum), r.factor)) }

// applyWide scales a sum of 64 bits with the 16 upper bits of the multiplier and one rounding, whichever way
// the library was built.
func (r requantizer) applyWide(sum int64) int64 {
	return int64(quant.Apply48(sum, r.factor.Reduce16()))
}

// scale is the one scale of a tensor.
func scale(what string, t *nn.Tensor) float32 {
	refuse(t.Format.Kind != nn.Scaled, "scale", "%s has no scale", what)
	if n := len(t.Format.Scales); n != 1 {
		panic(violation("scale", "%s has %d scales, it must have one", what, n))
	}
	return t.Format.Scales[0]
}

// scales are the single scales of several tensors of a call, by role.
func scales(c *nn.Call, roles ...string) []float32 {
	list := make([]float32, len(roles))
	for i, role := range roles {
		t := c.Input(role)
		if t == nil {
			t = c.Output(role)
		}
		list[i] = scale(role, t)
	}
	return list
}

// limits is a range of quantized values.
type limits struct{ lo, hi int64 }

func (l limits) clamp(v int64) int64 { return max(l.lo, min(v, l.hi)) }

// whole is the range of a type.
func whole(t nn.Type) limits {
	lo, hi := t.Range()
	return limits{lo, hi}
}

// activated is the range of an output behind a fused activation function: the real bounds, quantized
// with a division in single precision and ties away from zero.
func activated(function string, out *nn.Tensor) limits {
	l := whole(out.Type)
	if function == "NONE" {
		return l
	}
	step := scale("out", out)
	at := func(real float32) int64 { return out.Format.Zero(0) + roundAway(real/step) }
	switch function {
	case "RELU":
		l.lo = max(l.lo, at(0))
	case "RELU6":
		l = limits{lo: max(l.lo, at(0)), hi: min(l.hi, at(6))}
	case "RELU_N1_TO_1":
		l = limits{lo: max(l.lo, at(-1)), hi: min(l.hi, at(1))}
	default:
		panic(violation("activation", "a fused %s is not supported", function))
	}
	return l
}

// roundAway is the nearest integer, ties away from zero, within 32 bits.
func roundAway(v float32) int64 {
	return int64(max(math.MinInt32, min(math.Round(float64(v)), math.MaxInt32)))
}

// activation is the attribute of a fused activation function.
var activation = nn.AttrSpec{Name: "fused_activation_function", Default: "NONE",
	Values: []string{"NONE", "RELU", "RELU_N1_TO_1", "RELU6", "TANH", "SIGN_BIT"}, Doc: "clamps the output"}
