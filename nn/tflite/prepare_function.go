package tflite

import (
	"fmt"
	"math"

	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// Argument brings the elements of a function to fixed point.
type Argument struct {
	Factor quant.Multiplier
	// Reach is the greatest distance below the greatest element that the fixed-point format can hold.
	Reach int64
	// Back brings fixed point of LOG_SOFTMAX back to steps of the elements.
	Back quant.Multiplier
}

// reach is how many steps of a factor fit into a fixed-point format, less one integer.
func reach(integerBits, shift int) int64 {
	whole := math.Ldexp(1, integerBits) - 1
	return int64(math.Floor(whole * math.Ldexp(1, 31-integerBits-shift)))
}

// Softmaxed prepares SOFTMAX and LOG_SOFTMAX. Elements of 8 bits get five integer bits; those of 16 bits the steps of
// the table of exponentials, which reaches from -10 to 0.
func Softmaxed(c *nn.Call) (Argument, error) {
	const integerBits = 5
	beta := 1.0
	if c.Op.Name == "SOFTMAX" {
		beta = c.Attrs.Float("beta")
	}
	if c.In[0].Type == nn.I16 {
		m, err := factor(c, float64(step(c.In[0]))*beta/(10.0/65535.0))
		return Argument{Factor: m}, err
	}
	real := min(beta*float64(step(c.In[0]))*(1<<(31-integerBits)), 1<<31-1)
	m, err := factor(c, real)
	if err == nil && m.Shift < 0 {
		err = fmt.Errorf("%s: a factor of %g is below one half", c.Op.Name, real)
	}
	if err != nil {
		return Argument{}, err
	}
	back, err := factor(c, math.Ldexp(1, 31-m.Shift)/float64(m.Value))
	return Argument{Factor: m, Reach: reach(integerBits, m.Shift), Back: back}, err
}

// The tables of SOFTMAX of 16-bit elements: a function at 513 arguments, 15 bits below the point, for
// interpolation. Each entry is lower by half of what a straight line to the next would be too high in the
// middle between them. All of it in single precision.
const segments = 512

func table(from, to float32, function func(float64) float64) []int64 {
	width := (to - from) / segments
	value := func(x float32) float32 { return float32(function(float64(x))) * 32768 }
	nearest := func(v float32) float32 { return float32(math.Round(float64(v))) }
	list := make([]int64, 0, segments+1)
	for i := range segments {
		x, next := from+float32(float32(i)*width), from+float32(float32(i+1)*width)
		first := nearest(value(x))
		line := nearest(float32(value(next)+first) / 2)
		bow := nearest(float32(line-nearest(value(x+width/2))) / 2)
		list = append(list, int64(first-bow))
	}
	list = append(list, int64(nearest(value(to))))
	for i := range list {
		list[i] = max(math.MinInt16, min(list[i], math.MaxInt16))
	}
	return list
}

// Exponentials are those of -10 to 0.
func Exponentials() []int64 { return table(-10, 0, math.Exp) }

// Inverses are 1/(1+x) of 0 to 1.
func Inverses() []int64 {
	return table(0, 1, func(x float64) float64 { return float64(1 / (1 + float32(x))) })
}

// TableStep brings elements of 16 bits to the step of the sigmoid table: x * Factor / 2^Shift, ties up. A
// factor of 0 stands for a multiplication by 3 << Shift.
type TableStep struct {
	Factor int64
	Shift  int
}

// Tabled prepares LOGISTIC and TANH of 16-bit elements.
func Tabled(c *nn.Call) (TableStep, error) {
	s := step(c.In[0])
	powers := 0 // of two above 2^-12 that need no factor
	switch c.Op.Name {
	case "LOGISTIC":
	case "TANH":
		powers = 1
	default:
		return TableStep{}, fmt.Errorf("%s reads no sigmoid table", c.Op.Name)
	}
	log := math.Log2(float64(s)) + 12
	if near := math.Round(log); math.Abs(log-near) < 1e-3 && near >= 0 && int(near) <= powers {
		return TableStep{Shift: int(near)}, nil
	}
	real, shift := float64(s)*(3*4096), 0
	for ; real <= math.MaxInt16/2.0 && shift < 31; shift++ {
		real *= 2
	}
	if real > math.MaxInt32 {
		return TableStep{}, fmt.Errorf("%s: scale %g is too large", c.Op.Name, s)
	}
	return TableStep{Factor: int64(real), Shift: shift}, nil
}
