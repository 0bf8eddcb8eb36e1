package tflite

import (
	"fmt"
	"math"

	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// Terms is a prepared sum or difference of two tensors: both are shifted to the left, brought to a common
// scale, added, and brought to the scale of the output.
type Terms struct {
	LeftShift             int
	A, B, Out             quant.Multiplier
	AZero, BZero, OutZero int64
	Limits
}

// Summed prepares ADD, SUB, SQUARED_DIFFERENCE, ADD_N and CUMSUM of elements with scales. All terms of the last two are as the first.
func Summed(c *nn.Call) (Terms, error) {
	second := c.In[1]
	if c.Op.Name == "CUMSUM" {
		second = c.In[0]
	}
	t := Terms{LeftShift: 20, AZero: c.In[0].Format.Zero(0), BZero: second.Format.Zero(0), OutZero: c.Out[0].Format.Zero(0)}
	if c.In[0].Type == nn.I16 {
		t.LeftShift = 15
	}
	a, b, out := step(c.In[0]), step(second), step(c.Out[0])
	twice := 2 * max(a, b)
	unit := math.Ldexp(float64(out), t.LeftShift)
	real := []float64{float64(a) / float64(twice), float64(b) / float64(twice), float64(twice) / unit}
	switch c.Op.Name {
	case "ADD", "ADD_N", "CUMSUM":
	case "SUB":
		real = []float64{single(a / twice), single(b / twice), single(twice / float32(unit))}
	case "SQUARED_DIFFERENCE":
		t.LeftShift = 7
		if c.In[0].Type == nn.I16 {
			t.LeftShift = 0
		}
		double := 2 * float64(max(a, b))
		real = []float64{float64(a) / double, float64(b) / double, double * double / math.Ldexp(float64(out), 2*t.LeftShift)}
	default:
		return t, fmt.Errorf("%s is no sum", c.Op.Name)
	}
	list, err := factors(c, real...)
	if err != nil {
		return t, err
	}
	t.A, t.B, t.Out = list[0], list[1], list[2]
	function := "NONE"
	if _, ok := c.Op.Attr(fused); ok {
		function = c.Attrs.String(fused)
	}
	t.Limits, err = Activation(function, c.Out[0])
	return t, err
}

// CompareShift is the left shift of 8-bit elements before their values are compared.
const CompareShift = 8

// Compared prepares comparisons of 8-bit elements: the factors that bring both to a common scale.
func Compared(c *nn.Call) ([]quant.Multiplier, error) {
	return factors(c, float64(step(c.In[0])), float64(step(c.In[1])))
}

// Scaled is a prepared operator that multiplies by one factor, or by one of two.
type Scaled struct {
	Factor quant.Multiplier
	// Negative is the factor of negative values of LEAKY_RELU and PRELU. Negate says that the slope is
	// negative: the product changes its sign.
	Negative quant.Multiplier
	Negate   bool
	// InZeros are the zero points of the inputs.
	InZeros []int64
	OutZero int64
	Limits
}

// Multiplied prepares MUL, DIV, QUANTIZE, RELU, LEAKY_RELU, PRELU, SUM and MEAN. For MEAN, count is the number of
// elements that make one; the division by it is in the factor.
func Multiplied(c *nn.Call, count int) (Scaled, error) {
	s := Scaled{OutZero: c.Out[0].Format.Zero(0)}
	for _, t := range c.In {
		s.InZeros = append(s.InZeros, t.Format.Zero(0))
	}
	in, out, function := step(c.In[0]), step(c.Out[0]), "NONE"
	real, negative := float64(in)/float64(out), 0.0
	switch c.Op.Name {
	case "MUL":
		real = float64(in) * float64(step(c.In[1])) / float64(out)
		function = c.Attrs.String(fused)
	case "DIV":
		real = single(in / float32(step(c.In[1])*out))
		function = c.Attrs.String(fused)
	case "RELU":
		function = "RELU"
	case "ABS":
		real = single(in / out)
	case "LEAKY_RELU":
		real = single(in / out)
		negative = single(float32(in*float32(c.Attrs.Float("alpha"))) / out)
	case "PRELU":
		negative = float64(in) * float64(step(c.In[1])) / float64(out)
	case "QUANTIZE", "SUM", "MEAN":
	default:
		return s, fmt.Errorf("%s has no single factor", c.Op.Name)
	}
	list, err := factors(c, real, math.Abs(negative))
	if err != nil {
		return s, err
	}
	s.Factor, s.Negative, s.Negate = list[0], list[1], negative < 0
	if c.Op.Name == "MEAN" {
		s.Factor = divided(s.Factor, count)
	}
	s.Limits, err = Activation(function, c.Out[0])
	return s, err
}

// divided is a multiplier by a number of elements. The quotient keeps as many more bits as the number has
// below its first, as far as the shift allows.
func divided(m quant.Multiplier, n int) quant.Multiplier {
	bits := 0
	for n>>(bits+1) > 0 {
		bits++
	}
	bits = min(bits, 32, 31+m.Shift)
	return quant.Multiplier{Value: int32((int64(m.Value) << bits) / int64(n)), Shift: m.Shift - bits}
}
