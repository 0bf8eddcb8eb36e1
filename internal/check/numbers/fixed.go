package numbers

import (
	"fmt"

	"arcv2dsp/internal/term/steps"
	"arcv2dsp/quant"
)

// fixedLine is a record of gemmlowp's primitives and functions.
type fixedLine struct {
	Fn, Type string
	A, B     list[int32]
	X, Out   []int32
	Exponent int
	Integer  int `json:"integer_bits"`
	Result   int `json:"integer_bits_dst"`
}

// primitive checks an operation on integers of 16 or 32 bits.
func primitive(v fixedLine) {
	switch v.Type {
	case "i32":
		primitiveOf[int32](v)
	case "i16":
		primitiveOf[int16](v)
	case "i8":
		bytePrimitive(v)
	default:
		steps.Check(fmt.Errorf("no integers of type %q", v.Type))
	}
}

func primitiveOf[T quant.Raw](v fixedLine) {
	two := map[string]func(a, b T) T{
		"SaturatingRoundingDoublingHighMul": quant.SaturatingRoundingDoublingHighMul[T],
		"RoundingHalfSum":                   quant.RoundingHalfSum[T],
		"SaturatingAdd":                     quant.SaturatingAdd[T],
	}
	power := map[string]func(x T, exponent int) T{
		"RoundingDivideByPOT":             quant.RoundingDivideByPOT[T],
		"ShiftLeft":                       quant.SaturatingShiftLeft[T],
		"SaturatingRoundingMultiplyByPOT": quant.SaturatingRoundingMultiplyByPOT[T],
	}
	var out []int32
	switch {
	case two[v.Fn] != nil:
		if len(v.A) == 0 {
			steps.Check(fmt.Errorf("%s without a", v.Fn))
		}
		for i, b := range v.B {
			out = append(out, int32(two[v.Fn](T(v.A[min(i, len(v.A)-1)]), T(b))))
		}
	case power[v.Fn] != nil:
		for _, x := range v.X {
			out = append(out, int32(power[v.Fn](T(x), v.Exponent)))
		}
	default:
		steps.Check(fmt.Errorf("no function %q of %s", v.Fn, v.Type))
	}
	equal(v.Fn, out, v.Out)
}

// bytePrimitive checks the one operation that gemmlowp has on bytes: its sum saturates.
func bytePrimitive(v fixedLine) {
	if v.Fn != "SaturatingAdd" || len(v.A) == 0 {
		steps.Check(fmt.Errorf("no function %q of i8", v.Fn))
	}
	var out []int32
	for i, b := range v.B {
		out = append(out, int32(quant.Saturate(int64(v.A[min(i, len(v.A)-1)])+int64(b), 8)))
	}
	equal(v.Fn, out, v.Out)
}

// fixedPoint checks a function of fixed-point numbers.
func fixedPoint(v fixedLine) {
	switch v.Type {
	case "i32":
		functionOf[int32](v)
	case "i16":
		functionOf[int16](v)
	default:
		steps.Check(fmt.Errorf("no fixed-point numbers of type %q", v.Type))
	}
}

func functionOf[T quant.Raw](v fixedLine) {
	from := steps.Must(quant.NewFixed[T](v.Integer))
	to := steps.Must(quant.NewFixed[T](v.Result))
	function := map[string]func(T) T{
		"tanh":                             from.Tanh,
		"logistic":                         from.Logistic,
		"exp_on_negative_values":           from.ExpNegative,
		"one_over_one_plus_x_for_x_in_0_1": quant.OneOverOnePlus[T],
		"one_minus_x_over_one_plus_x_for_x_in_0_1":                quant.OneMinusOverOnePlus[T],
		"exp_on_interval_between_negative_one_quarter_and_0_excl": quant.ExpOnQuarter[T],
		"Rescale": func(x T) T { return from.Rescale(x, to) },
	}[v.Fn]
	if function == nil {
		steps.Check(fmt.Errorf("no function %q", v.Fn))
	}
	var out []int32
	for _, x := range v.X {
		out = append(out, int32(function(T(x))))
	}
	equal(v.Fn, out, v.Out)
}
