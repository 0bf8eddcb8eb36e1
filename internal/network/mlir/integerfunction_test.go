package mlir_test

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/network/mlir"
	"arcv2dsp/quant"
)

// realFunctions are the functions of real_unary_ew by their definitions; what has no value saturates as the limit does.
var realFunctions = map[string]func(x float64) float64{
	"IDENTITY": func(x float64) float64 { return x },
	"ABS":      math.Abs,
	"EXP":      math.Exp,
	"LOG":      func(x float64) float64 { return math.Log(max(x, 0)) },
	"NEG":      func(x float64) float64 { return -x },
	"RSQRT":    func(x float64) float64 { return 1 / math.Sqrt(max(x, 0)) },
	"SIGMOID":  func(x float64) float64 { return 1 / (1 + math.Exp(-x)) },
	"SIGN": func(x float64) float64 {
		if x == 0 {
			return 0
		}
		return math.Copysign(1, x)
	},
	"SIN":    math.Sin,
	"SQRT":   func(x float64) float64 { return math.Sqrt(max(x, 0)) },
	"SQUARE": func(x float64) float64 { return x * x },
	"TANH":   math.Tanh,
}

// lowered runs a function on integers after lower-real-math, which must leave nothing real.
func lowered(t *testing.T, text string, args ...[]int64) []int64 {
	t.Helper()
	m := pass(t, text, "lower-real-math")
	require.NotContains(t, m.String(), "fxpmath.real")
	f := m.Funcs[0]
	var tensors []*mlir.Tensor
	for i, ints := range args {
		tensors = append(tensors, &mlir.Tensor{Type: f.Body.Args[i].Type, Ints: ints})
	}
	out, err := mlir.Evaluator{}.Run(f, tensors...)
	require.NoError(t, err)
	return out[0].Ints
}

// TestFunctionsAsTables: with bytes every result is the rounded value of the function; with 16 bits it is where the
// interpolation is exact, and near it between.
func TestFunctionsAsTables(t *testing.T) {
	for fn, f := range realFunctions {
		in, out := quant.Params{Scale: 1.0 / 16, ZeroPoint: -3}, quant.Params{Scale: 1.0 / 32, ZeroPoint: 5}
		text := func(width, n int, in, out quant.Params, attrs string) string {
			a := fmt.Sprintf("tensor<%dx%s>", n, quant.Uniform(quant.MakeStorage(true, width), quant.F32, in))
			b := fmt.Sprintf("tensor<%dx%s>", n, quant.Uniform(quant.MakeStorage(true, width), quant.F32, out))
			return fmt.Sprintf("func.func @f(%%a: %[1]s) -> %[2]s {\n  %%0 = \"fxpmath.real_unary_ew\"(%%a) {fn = \"%[3]s\"%[4]s} : (%[1]s) -> %[2]s\n  return %%0 : %[2]s\n}", a, b, fn, attrs)
		}
		bytes := make([]int64, 256)
		want := make([]int64, 256)
		clamped := make([]int64, 256)
		for i := range bytes {
			bytes[i] = int64(i) - 128
			want[i] = quant.RealMLIRConst.Quantize(f(in.Dequantize(bytes[i])), out, quant.Int8)
			clamped[i] = max(quant.RealMLIRConst.Quantize(-0.5, out, quant.Int8), min(want[i], quant.RealMLIRConst.Quantize(1, out, quant.Int8)))
		}
		require.Equal(t, want, lowered(t, text(8, 256, in, out, ""), bytes), fn)
		require.Equal(t, clamped, lowered(t, text(8, 256, in, out, ", clamp_min = -0.5, clamp_max = 1.0"), bytes), fn)

		in, out = quant.Params{Scale: 1.0 / 4096}, quant.Params{Scale: 1.0 / 1024}
		var words []int64
		for x := int64(-32768); x < 32768; x += 64 {
			words = append(words, x)
		}
		for i, got := range lowered(t, text(16, len(words), in, out, ""), words) {
			x := in.Dequantize(words[i])
			exact := quant.RealMLIRConst.Quantize(f(x), out, quant.Int16)
			near := 1.0
			switch { // between entries: the bend of the function times a step squared
			case words[i]%128 == 0:
				near = 0
			case math.Abs(x) < 0.5 && (fn == "LOG" || fn == "RSQRT" || fn == "SQRT" || fn == "SIGN"), fn == "EXP", exact > 32600:
				continue
			}
			require.InDelta(t, exact, got, near, "%s(%g)", fn, x)
		}
	}
}

func TestComparisonsWithZero(t *testing.T) {
	relations := map[string]func(x int64) bool{
		"CMPZ": func(x int64) bool { return x == 0 }, "CMPNZ": func(x int64) bool { return x != 0 },
		"CMPLZ": func(x int64) bool { return x < 0 }, "CMPLZE": func(x int64) bool { return x <= 0 },
		"CMPGZ": func(x int64) bool { return x > 0 }, "CMPGZE": func(x int64) bool { return x >= 0 },
	}
	for name, holds := range relations {
		for _, typ := range []struct {
			text string
			zero int64
			low  int64
		}{{text: "!quant.uniform<i8:f32, 0.5:-7>", zero: -7, low: -128}, {text: "!quant.uniform<u8:f32, 0.5:200>", zero: 200}} {
			text := fmt.Sprintf("func.func @f(%%a: tensor<256x%[1]s>) -> tensor<256xi1> {\n  %%0 = \"fxpmath.real_compare_zero_ew\"(%%a) {comparison = \"%[2]s\"} : (tensor<256x%[1]s>) -> tensor<256xi1>\n  return %%0 : tensor<256xi1>\n}", typ.text, name)
			var x, want []int64
			for v := range int64(256) {
				x = append(x, typ.low+v)
				want = append(want, map[bool]int64{true: 1}[holds(typ.low+v-typ.zero)])
			}
			require.Equal(t, want, lowered(t, text, x), "%s of %s", name, typ.text)
		}
	}
}

// TestQuotients: every quotient of bytes against one of whole numbers, rounded half away from zero.
func TestQuotients(t *testing.T) {
	a, b, out := quant.Params{Scale: 0.03, ZeroPoint: 4}, quant.Params{Scale: 0.11, ZeroPoint: -9}, quant.Params{Scale: 0.05, ZeroPoint: 11}
	m, err := quant.QuantizeMultiplier(a.Scale / b.Scale / out.Scale)
	require.NoError(t, err)
	typ := func(p quant.Params) string {
		return fmt.Sprintf("tensor<65536x%s>", quant.Uniform(quant.Int8, quant.F32, p))
	}
	text := strings.NewReplacer("A", typ(a), "B", typ(b), "C", typ(out)).Replace("func.func @f(%a: A, %b: B) -> C {\n  %0 = \"fxpmath.real_div_ew\"(%a, %b) : (A, B) -> C\n  return %0 : C\n}")
	var x, y, want []int64
	for i := range int64(65536) {
		n, d := i&255-128, i>>8-128
		x, y = append(x, n), append(y, d)
		n, d = n-a.ZeroPoint, d-b.ZeroPoint
		switch {
		case d == 0:
			want = append(want, quant.Int8.Clamp(out.ZeroPoint+1000*n))
			continue
		}
		exact := new(big.Rat).SetFrac(big.NewInt(2*n*int64(m.Value)), new(big.Int).Lsh(big.NewInt(d), uint(31-m.Shift)))
		twice := new(big.Rat).Add(exact, big.NewRat(int64(exact.Sign()), 1)) // of the value: one half away, then dropped
		rounded := new(big.Int).Quo(twice.Num(), new(big.Int).Mul(twice.Denom(), big.NewInt(2)))
		want = append(want, quant.Int8.Clamp(rounded.Int64()+out.ZeroPoint))
		require.InDelta(t, quant.RealMLIRConst.Quantize(a.Scale*float64(n)/(b.Scale*float64(d)), out, quant.Int8), want[i], 1)
	}
	require.Equal(t, want, lowered(t, text, x, y))
}
