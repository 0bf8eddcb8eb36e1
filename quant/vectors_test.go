package quant_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"testing"

	"arcv2dsp/quant"

	"github.com/stretchr/testify/require"
)

// vectors reads the recorded lines of one file of testdata/quant. testdata/quant/FORMAT.md says
// where they come from.
func vectors[T any](t *testing.T, name string) []T {
	t.Helper()
	f, err := os.Open("../testdata/quant/" + name + ".jsonl.gz")
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	var lines []T
	scan := bufio.NewScanner(z)
	scan.Buffer(nil, 1<<22)
	for scan.Scan() {
		var line T
		require.NoError(t, json.Unmarshal(scan.Bytes(), &line), "%s line %d", name, len(lines)+1)
		lines = append(lines, line)
	}
	require.NoError(t, scan.Err())
	require.NotEmpty(t, lines)
	return lines
}

type fixedVector struct {
	Fn, Type string
	A, B     json.RawMessage // a number or a list
	X, Out   []int32
	Exponent int
	Integer  int `json:"integer_bits"`
	Dst      int `json:"integer_bits_dst"`
}

func numbers(t *testing.T, raw json.RawMessage) []int32 {
	t.Helper()
	var list []int32
	if json.Unmarshal(raw, &list) == nil {
		return list
	}
	var one int32
	require.NoError(t, json.Unmarshal(raw, &one))
	return []int32{one}
}

// primitives runs a line with elements of type T.
func primitives[T quant.Raw](t *testing.T, v fixedVector) []int32 {
	t.Helper()
	two := map[string]func(a, b T) T{
		"SaturatingRoundingDoublingHighMul": quant.SaturatingRoundingDoublingHighMul[T],
		"RoundingHalfSum":                   quant.RoundingHalfSum[T],
		"SaturatingAdd":                     quant.SaturatingAdd[T],
	}
	pot := map[string]func(x T, exponent int) T{
		"RoundingDivideByPOT":             quant.RoundingDivideByPOT[T],
		"ShiftLeft":                       quant.SaturatingShiftLeft[T],
		"SaturatingRoundingMultiplyByPOT": quant.SaturatingRoundingMultiplyByPOT[T],
	}
	var out []int32
	if f := two[v.Fn]; f != nil {
		a := numbers(t, v.A)
		for i, b := range numbers(t, v.B) {
			out = append(out, int32(f(T(a[min(i, len(a)-1)]), T(b))))
		}
		return out
	}
	f := pot[v.Fn]
	require.NotNil(t, f, v.Fn)
	for _, x := range v.X {
		out = append(out, int32(f(T(x), v.Exponent)))
	}
	return out
}

func TestPrimitivesAsGemmlowp(t *testing.T) {
	for _, v := range vectors[fixedVector](t, "gemmlowp_primitives") {
		switch v.Type {
		case "i32":
			require.Equal(t, v.Out, primitives[int32](t, v), "%s %s %d", v.Fn, v.Type, v.Exponent)
		case "i16":
			require.Equal(t, v.Out, primitives[int16](t, v), "%s %s %d", v.Fn, v.Type, v.Exponent)
		default:
			t.Fatalf("type %s", v.Type)
		}
	}
}

// functions runs a line of the fixed-point layer with elements of type T.
func functions[T quant.Raw](t *testing.T, v fixedVector) []int32 {
	t.Helper()
	format := func(integer int) quant.Fixed[T] {
		f, err := quant.NewFixed[T](integer)
		require.NoError(t, err)
		return f
	}
	f := format(v.Integer)
	fn := map[string]func(T) T{
		"tanh":                             f.Tanh,
		"logistic":                         f.Logistic,
		"exp_on_negative_values":           f.ExpNegative,
		"one_over_one_plus_x_for_x_in_0_1": quant.OneOverOnePlus[T],
		"one_minus_x_over_one_plus_x_for_x_in_0_1":                quant.OneMinusOverOnePlus[T],
		"exp_on_interval_between_negative_one_quarter_and_0_excl": quant.ExpOnQuarter[T],
		"Rescale": func(x T) T { return f.Rescale(x, format(v.Dst)) },
	}[v.Fn]
	require.NotNil(t, fn, v.Fn)
	var out []int32
	for _, x := range v.X {
		out = append(out, int32(fn(T(x))))
	}
	return out
}

func TestFixedPointAsGemmlowp(t *testing.T) {
	for _, v := range vectors[fixedVector](t, "gemmlowp_fixedpoint") {
		got := []int32(nil)
		switch v.Type {
		case "i32":
			got = functions[int32](t, v)
		case "i16":
			got = functions[int16](t, v)
		}
		require.Equal(t, v.Out, got, "%s %s Q%d", v.Fn, v.Type, v.Integer)
	}
}

func TestRequantizationAsTFLM(t *testing.T) {
	type line struct {
		Op, Rounding string
		Multiplier   json.RawMessage // a number, or a list for QuantizeMultiplier
		Shift        json.RawMessage
		X            []json.Number
		Out          []int32
	}
	seen := map[string]int{}
	for _, v := range vectors[line](t, "tflm_requant_primitives") {
		profile, err := quant.ParseProfile("tflite-" + v.Rounding)
		require.NoError(t, err)
		seen[v.Op+" "+v.Rounding] += len(v.X)
		if v.Op == "QuantizeMultiplier" {
			choose := quant.QuantizeMultiplier
			if v.Rounding == "single" {
				choose = quant.QuantizeMultiplierSingle
			}
			values, shifts := numbers(t, v.Multiplier), numbers(t, v.Shift)
			for i, x := range v.X {
				real, err := x.Float64()
				require.NoError(t, err)
				m, err := choose(real)
				require.NoError(t, err)
				require.Equal(t, quant.Multiplier{Value: values[i], Shift: int(shifts[i])}, m, "%v", real)
			}
			continue
		}
		m := quant.Multiplier{Value: numbers(t, v.Multiplier)[0], Shift: int(numbers(t, v.Shift)[0])}
		for i, number := range v.X {
			x, err := number.Int64()
			require.NoError(t, err)
			var got int32
			if v.Op == "MultiplyByQuantizedMultiplier_i64" {
				got = quant.Apply48(x, m.Reduce16())
			} else {
				got, err = profile.Requantize(int32(x), m)
				require.NoError(t, err)
			}
			require.Equal(t, v.Out[i], got, "%s %s: %d * %v", v.Op, v.Rounding, x, m)
		}
	}
	require.Len(t, seen, 8, "%v", seen)
}

func TestApplyScaleAsMLIR(t *testing.T) {
	type line struct {
		Multiplier int32
		Shift      int
		Double     bool `json:"double_round"`
		Value, Out []int32
	}
	values := 0
	for _, v := range vectors[line](t, "mlir_tosa_apply_scale_32") {
		m, err := quant.FromTOSA(v.Multiplier, v.Shift)
		require.NoError(t, err)
		scaling := quant.ScaleSingle
		if v.Double {
			scaling = quant.ScaleNudged
		}
		for i, x := range v.Value {
			require.NoError(t, quant.CheckApplyScale32(x, m))
			require.Equal(t, v.Out[i], scaling.Apply(x, m), "%d * %v, double %t", x, m, v.Double)
			values++
		}
	}
	require.Equal(t, 804, values)
}
