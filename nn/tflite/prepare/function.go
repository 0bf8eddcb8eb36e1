package prepare

import (
	"fmt"
	"math"

	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// Argument brings the elements of a function to fixed point.
type Argument struct {
	Factor quant.Multiplier
	// Reach is the greatest distance that the fixed-point format can hold: from the zero point for
	// LOGISTIC and TANH, below the greatest element for SOFTMAX.
	Reach int64
	Zero  int64
}

// reach is how many steps of a factor fit into a fixed-point format, less one integer.
func reach(integerBits, shift int) int64 {
	whole := math.Ldexp(1, integerBits) - 1
	return int64(math.Floor(whole * math.Ldexp(1, 31-integerBits-shift)))
}

// Squashed prepares LOGISTIC and TANH of 8-bit elements: four integer bits.
func Squashed(c *nn.Call) (Argument, error) {
	const integerBits = 4
	m, err := factor(c, float64(step(c.In[0]))*(1<<(31-integerBits)))
	return Argument{Factor: m, Reach: reach(integerBits, m.Shift), Zero: c.In[0].Format.Zero(0)}, err
}

// Softmaxed prepares SOFTMAX. Elements of 8 bits get five integer bits; those of 16 bits the steps of
// the table of exponentials, which reaches from -10 to 0.
func Softmaxed(c *nn.Call) (Argument, error) {
	const integerBits = 5
	beta := c.Attrs.Float("beta")
	if c.In[0].Type == nn.I16 {
		m, err := factor(c, float64(step(c.In[0]))*beta/(10.0/65535.0))
		return Argument{Factor: m}, err
	}
	real := min(beta*float64(step(c.In[0]))*(1<<(31-integerBits)), 1<<31-1)
	m, err := factor(c, real)
	if err == nil && m.Shift < 0 {
		err = fmt.Errorf("SOFTMAX: a factor of %g is below one half", real)
	}
	return Argument{Factor: m, Reach: reach(integerBits, m.Shift)}, err
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
