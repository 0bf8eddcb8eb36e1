package quant

import (
	"fmt"
	"math"
)

// activation is a function of one real that tables hold.
type activation struct {
	name string
	of   func(x float64) float64
}

var activations = []activation{
	{name: "abs", of: math.Abs},
	{name: "elu", of: func(x float64) float64 {
		if x < 0 {
			return math.Expm1(x)
		}
		return x
	}},
	{name: "erf", of: math.Erf},
	{name: "exp", of: math.Exp},
	{name: "gelu", of: func(x float64) float64 { return x / 2 * math.Erfc(-x/math.Sqrt2) }},
	{name: "hard_swish", of: func(x float64) float64 { return x * max(0, min(x+3, 6)) / 6 }},
	{name: "identity", of: func(x float64) float64 { return x }},
	{name: "log", of: math.Log},
	{name: "logistic", of: func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }},
	{name: "neg", of: func(x float64) float64 { return -x }},
	{name: "relu", of: func(x float64) float64 { return max(0, x) }},
	{name: "rsqrt", of: func(x float64) float64 { return 1 / math.Sqrt(x) }},
	{name: "sign", of: func(x float64) float64 {
		switch {
		case x > 0:
			return 1
		case x < 0:
			return -1
		}
		return 0
	}},
	{name: "sin", of: math.Sin},
	{name: "softplus", of: func(x float64) float64 { return max(0, x) + math.Log1p(math.Exp(-math.Abs(x))) }},
	{name: "sqrt", of: math.Sqrt},
	{name: "square", of: func(x float64) float64 { return x * x }},
	{name: "swish", of: func(x float64) float64 { return x / (1 + math.Exp(-x)) }},
	{name: "tanh", of: math.Tanh},
}

// Activations are the names of the functions that tables hold.
func Activations() []string {
	var names []string
	for _, a := range activations {
		names = append(names, a.name)
	}
	return names
}

// ActivationTable are the integers of a function at every integer of an 8-bit type, lowest first. A type of 16 bits has 513
// entries for interpolation: at every 128th integer from the lowest, and one step beyond the greatest. An
// argument for which the function has no value counts as the nearest end of the result: infinities saturate, and the
// logarithm and the root of a negative number are those of 0.
func ActivationTable(name string, in, out Type, rule RealRule) ([]int64, error) {
	if in.Form != PerLayer || out.Form != PerLayer || in.Storage.Float != NoFloat || out.Storage.Float != NoFloat {
		return nil, fmt.Errorf("a table takes integers with one scale, not %s to %s", in, out)
	}
	step, n := int64(1), in.Storage.Whole().Levels()+1
	switch in.Storage.Bits {
	case 8:
	case 16:
		step, n = 128, 513
	default:
		return nil, fmt.Errorf("a table has arguments of 8 or 16 bits, not %s", in.Storage)
	}
	for _, a := range activations {
		if a.name != name {
			continue
		}
		table := make([]int64, n)
		for i := range table {
			x := in.Params[0].Dequantize(in.Storage.Whole().Min + int64(i)*step)
			y := a.of(x)
			if math.IsNaN(y) {
				y = a.of(0)
			}
			table[i] = rule.Quantize(y, out.Params[0], out.Storage)
		}
		return table, nil
	}
	return nil, fmt.Errorf("no function %q (%v)", name, Activations())
}
