package mlir_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/network/mlir"
	"arcv2dsp/quant"
)

// lines reads recorded lines; testdata/quant/FORMAT.md says where they come from.
func lines[T any](t *testing.T, name string) []T {
	t.Helper()
	f, err := os.Open("../../../testdata/quant/mlir_" + name + ".jsonl.gz")
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	var list []T
	for d := json.NewDecoder(bufio.NewReader(z)); d.More(); {
		var v T
		require.NoError(t, d.Decode(&v))
		list = append(list, v)
	}
	require.NotEmpty(t, list)
	return list
}

// pass parses a text, runs passes on it and prints it.
func pass(t *testing.T, text string, names ...string) *mlir.Module {
	t.Helper()
	m, err := mlir.Parse("test.mlir", text)
	require.NoError(t, err, text)
	require.NoError(t, mlir.Run(m, names, mlir.Options{}))
	again, err := mlir.Parse("again.mlir", m.String())
	require.NoError(t, err, m.String())
	require.Equal(t, m.String(), again.String())
	return m
}

func floatText(x float64) string {
	s := strconv.FormatFloat(x, 'e', 8, 32)
	return s
}

func TestConstantsFoldAsMLIR(t *testing.T) {
	type line struct {
		Type      string
		Shape     []int
		Values    []float64
		Quantized []int64
	}
	values := 0
	for _, v := range lines[line](t, "quantize_const") {
		dims, n := "", 1
		for _, d := range v.Shape {
			dims += strconv.Itoa(d) + "x"
			n *= d
		}
		var nest func(shape []int, x []float64) string
		nest = func(shape []int, x []float64) string {
			if len(shape) == 0 {
				return floatText(x[0])
			}
			step := len(x) / shape[0]
			parts := make([]string, shape[0])
			for i := range parts {
				parts[i] = nest(shape[1:], x[i*step:(i+1)*step])
			}
			return "[" + strings.Join(parts, ", ") + "]"
		}
		text := fmt.Sprintf(`func.func @f() -> tensor<%[1]s%[2]s> {
  %%0 = arith.constant dense<%[3]s> : tensor<%[1]sf32>
  %%1 = "quant.qcast"(%%0) : (tensor<%[1]sf32>) -> tensor<%[1]s%[2]s>
  return %%1 : tensor<%[1]s%[2]s>
}`, dims, v.Type, nest(v.Shape, v.Values))
		m := pass(t, text, "convert-const", "simplify")
		require.Len(t, m.Funcs[0].Body.Ops, 3, m)
		out, err := mlir.Evaluator{}.Run(m.Funcs[0])
		require.NoError(t, err)
		require.Equal(t, v.Quantized, out[0].Ints, v.Type)
		require.Len(t, out[0].Ints, n)
		values += n
	}
	require.Positive(t, values)
}

func TestRealMathLowersAsFxpMath(t *testing.T) {
	type line struct {
		Op            string
		Bits          int      `json:"storage_bits"`
		LhsLog        int      `json:"lhs_log2_scale"`
		RhsLog        int      `json:"rhs_log2_scale"`
		OutLog        int      `json:"result_log2_scale"`
		ClampMin      *float64 `json:"clamp_min"`
		ClampMax      *float64 `json:"clamp_max"`
		ZeroPoint     int64    `json:"zero_point"`
		LhsScale      float64  `json:"lhs_scale"`
		RhsScale      float64  `json:"rhs_scale"`
		OutScale      float64  `json:"result_scale"`
		LhsZero       int64    `json:"lhs_zp"`
		RhsZero       int64    `json:"rhs_zp"`
		OutZero       int64    `json:"result_zp"`
		Multiplier    int64
		Exponent      int64
		Lhs, Rhs, Out []int64
	}
	seen := map[string]int{}
	for _, v := range lines[line](t, "fxpmath") {
		seen[v.Op]++
		name, bits := "fxpmath.real_add_ew", v.Bits
		scale := func(log int) float64 { x, _ := strconv.ParseFloat(fmt.Sprintf("0x1p%d", log), 64); return x }
		params := [3]quant.Params{{Scale: 0.25, ZeroPoint: v.ZeroPoint}, {Scale: 0.25, ZeroPoint: v.ZeroPoint}, {Scale: 0.25, ZeroPoint: v.ZeroPoint}}
		switch v.Op {
		case "real_add_ew_pot":
			params = [3]quant.Params{{Scale: scale(v.LhsLog)}, {Scale: scale(v.RhsLog)}, {Scale: scale(v.OutLog)}}
		case "real_mul_ew":
			name, bits = "fxpmath.real_mul_ew", 8
			params = [3]quant.Params{{Scale: v.LhsScale, ZeroPoint: v.LhsZero}, {Scale: v.RhsScale, ZeroPoint: v.RhsZero}, {Scale: v.OutScale, ZeroPoint: v.OutZero}}
		}
		var types [3]string
		for i, p := range params {
			types[i] = fmt.Sprintf("tensor<%dx%s>", len(v.Lhs), quant.Uniform(quant.MakeStorage(true, bits), quant.F32, p))
		}
		attrs := ""
		if v.ClampMin != nil {
			attrs = fmt.Sprintf(" {clamp_min = %e, clamp_max = %e}", *v.ClampMin, *v.ClampMax)
		}
		m := pass(t, fmt.Sprintf(`func.func @f(%%a: %[1]s, %%b: %[2]s) -> %[3]s {
  %%0 = %[4]q(%%a, %%b)%[5]s : (%[1]s, %[2]s) -> %[3]s
  return %%0 : %[3]s
}`, types[0], types[1], types[2], name, attrs), "lower-real-math")
		text := m.String()
		require.NotContains(t, text, "fxpmath.real", "lowered")
		if v.Op == "real_mul_ew" {
			require.Contains(t, text, fmt.Sprintf("b = %d : i32", v.Multiplier))
			require.Contains(t, text, fmt.Sprintf("exponent = %d : i32", -v.Exponent))
		}
		f := m.Funcs[0]
		arg := func(i int, x []int64) *mlir.Tensor { return &mlir.Tensor{Type: f.Body.Args[i].Type, Ints: x} }
		out, err := mlir.Evaluator{}.Run(f, arg(0, v.Lhs), arg(1, v.Rhs))
		require.NoError(t, err)
		require.Equal(t, v.Out, out[0].Ints, text)
	}
	require.Len(t, seen, 3)
}
