package mlir_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/network/mlir"
	"arcv2dsp/nn/golden"
	"arcv2dsp/quant"
)

// matmul is a layer: a matrix product with constant weights and bias, its input and output watched.
const matmul = `func.func @layer(%x: tensor<4x3xf32>) -> tensor<4x2xf32> {
  %in = "quant.stats"(%x) {layerStats = dense<[-1.0, 1.0]> : tensor<2xf32>} : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %w = arith.constant dense<[[0.5, -0.25], [0.125, 1.0], [-0.75, 0.3]]> : tensor<3x2xf32>
  %b = arith.constant dense<[0.1, -0.2]> : tensor<2xf32>
  %y = "fxpmath.real_matmul_bias"(%in, %w, %b) {clamp_min = 0.0, clamp_max = 6.0}
    : (tensor<4x3xf32>, tensor<3x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
  %out = "quant.stats"(%y) {layerStats = dense<[0.0, 2.0]> : tensor<2xf32>} : (tensor<4x2xf32>) -> tensor<4x2xf32>
  return %out : tensor<4x2xf32>
}
`

const additions = `func.func @sum(%a: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<64xf32> {
  %0 = "fxpmath.real_add_ew"(%a, %b) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %1 = "fxpmath.real_mul_ew"(%0, %b) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %1 : tensor<64xf32>
}
`

// toIntegers are the passes from a float function with statistics to integers.
var toIntegers = []string{"solve", "simplify", "lower-real-math", "convert-const", "simplify"}

func values(t *testing.T, seed uint64, shape mlir.Type) *mlir.Tensor {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	x := &mlir.Tensor{Type: shape, Reals: make([]float64, shape.Count())}
	for i := range x.Reals {
		x.Reals[i] = float64(float32(2*r.Float64() - 1))
	}
	return x
}

// The integer program of a layer stays within the steps of its types of the float one, and all of its
// arithmetic is that of the kernel.
func TestLayerBecomesIntegers(t *testing.T) {
	float, err := mlir.Parse("float.mlir", matmul)
	require.NoError(t, err)
	m := pass(t, matmul, toIntegers...)
	text := m.String()
	require.Contains(t, text, `"gemmlowp.GemmWithOutputPipeline"`)
	require.Contains(t, text, "BiasAddition")
	require.NotContains(t, text, "fxpmath.real_")
	for seed := range uint64(20) {
		x := values(t, seed, float.Funcs[0].Body.Args[0].Type)
		want, err := mlir.Evaluator{Rule: quant.RealTFLite}.Run(float.Funcs[0], x)
		require.NoError(t, err)
		got, err := mlir.Evaluator{Rule: quant.RealTFLite, Kernels: golden.Operators()}.Run(m.Funcs[0], x)
		require.NoError(t, err)
		for i := range want[0].Reals {
			// Half a step of 2/255 each for three inputs and weights up to 1, one step of the result for its
			// own rounding and the bias.
			require.InDelta(t, min(want[0].Reals[i], 6), got[0].Reals[i], 0.035)
		}
	}
	_, err = mlir.Evaluator{}.Run(m.Funcs[0], values(t, 1, float.Funcs[0].Body.Args[0].Type))
	require.ErrorContains(t, err, "gemmlowp.GemmWithOutputPipeline: cannot be computed without kernels")
}

// trained is a layer with fake quantization around it, weights by column, as training leaves it.
const trained = `func.func @layer(%x: tensor<4x3xf32>) -> tensor<4x2xf32> {
  %in = "quant.const_fake_quant"(%x) {min = -1.0 : f32, max = 1.0 : f32, num_bits = 8, is_signed = true} : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %c = arith.constant dense<[[0.5, -0.25], [0.125, 1.0], [-0.75, 0.3]]> : tensor<3x2xf32>
  %w = "quant.const_fake_quant_per_axis"(%c) {min = [-0.75 : f32, -1.0 : f32], max = [0.75 : f32, 1.0 : f32], axis = 1, num_bits = 8,
    is_signed = true, narrow_range = true} : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %b = arith.constant dense<[0.1, -0.2]> : tensor<2xf32>
  %y = "fxpmath.real_matmul_bias"(%in, %w, %b) : (tensor<4x3xf32>, tensor<3x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
  %out = "quant.const_fake_quant"(%y) {min = -2.0 : f32, max = 2.0 : f32, num_bits = 8, is_signed = true} : (tensor<4x2xf32>) -> tensor<4x2xf32>
  return %out : tensor<4x2xf32>
}
`

// A model trained with fake quantization becomes integers that give what its simulation gives, to a step
// where the multiplier rounds the other way.
func TestTrainedLayerBecomesIntegers(t *testing.T) {
	simulated := pass(t, trained, "convert-simulated-quantization")
	m := pass(t, trained, "convert-simulated-quantization", "convert-const", "simplify", "fuse", "lower-real-math", "simplify")
	text := m.String()
	require.Contains(t, text, "ScaleInt32ByFixedPointAndExponentPC")
	require.NotContains(t, text, "fxpmath.real_")
	require.Equal(t, 1, strings.Count(text, "quant.qcast"), "the input's")
	exact, total := 0, 0
	for seed := range uint64(50) {
		x := values(t, seed, m.Funcs[0].Body.Args[0].Type)
		want, err := mlir.Evaluator{Rule: quant.RealTFLite}.Run(simulated.Funcs[0], x)
		require.NoError(t, err)
		got, err := mlir.Evaluator{Rule: quant.RealTFLite, Kernels: golden.Operators()}.Run(m.Funcs[0], x)
		require.NoError(t, err)
		for i := range want[0].Reals {
			require.InDelta(t, want[0].Reals[i], got[0].Reals[i], 4.0/255*1.001)
			total++
			if math.Abs(want[0].Reals[i]-got[0].Reals[i]) < 1e-6 {
				exact++
			}
		}
	}
	require.Greater(t, float64(exact)/float64(total), 0.95)
}

func TestStatisticsOnDemand(t *testing.T) {
	m := pass(t, additions, "instrument")
	text := m.String()
	for _, key := range []string{"@sum:0", "@sum:1", "@sum:2", "@sum:3"} {
		require.Equal(t, 1, strings.Count(text, key), text)
	}
	stats := map[string][2]float64{"@sum:0": {-1, 1}, "@sum:1": {-1, 1}, "@sum:2": {-2, 2}, "@sum:3": {-2, 2}}
	require.NoError(t, mlir.Run(m, append([]string{"apply-stats"}, toIntegers...), mlir.Options{Stats: stats}))
	text = m.String()
	require.NotContains(t, text, "stats")
	require.NotContains(t, text, "fxpmath.real_")
	require.Contains(t, text, "high_mulis")

	float, err := mlir.Parse("float.mlir", additions)
	require.NoError(t, err)
	a, b := values(t, 3, float.Funcs[0].Body.Args[0].Type), values(t, 4, float.Funcs[0].Body.Args[0].Type)
	want, err := mlir.Evaluator{}.Run(float.Funcs[0], a, b)
	require.NoError(t, err)
	got, err := mlir.Evaluator{Rule: quant.RealTFLite}.Run(m.Funcs[0], a, b)
	require.NoError(t, err)
	r, err := quant.CompareReals(want[0].Reals, got[0].Reals, 4.0/255)
	require.NoError(t, err)
	require.Greater(t, r.SQNR, 28.0, r)
	require.Less(t, r.MaxSteps(), 5.0)

	m = pass(t, additions, "instrument")
	err = mlir.Run(m, []string{"apply-stats"}, mlir.Options{Stats: map[string][2]float64{"@sum:0": {math.NaN(), 1}}})
	require.ErrorContains(t, err, `key "@sum:0": statistics NaN to 1 are no range`)
	require.ErrorContains(t, mlir.Run(m, []string{"fold"}, mlir.Options{}), `unknown pass "fold" (convert-simulated-quantization,`)
	require.ErrorContains(t, mlir.Run(m, []string{"solve"}, mlir.Options{Candidates: []int{40}}), "candidates of 40 bits (2 to 32)")
}

// Without a range nothing is quantized; with wider candidates the noise falls by 6 dB a bit.
func TestSolverNeedsRangesAndTakesWidths(t *testing.T) {
	m := pass(t, additions, "solve")
	require.NotContains(t, m.String(), "!quant")
	wide, err := mlir.Parse("float.mlir", matmul)
	require.NoError(t, err)
	require.NoError(t, mlir.Run(wide, []string{"solve", "simplify"}, mlir.Options{Candidates: []int{16}}))
	require.Contains(t, wide.String(), "!quant.uniform<i16:f32")
	require.NotContains(t, wide.String(), "!quant.uniform<i8:f32")
}

// A coupled key gives two values one type.
func TestCoupledValuesShareAType(t *testing.T) {
	m := pass(t, `func.func @f(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "quant.coupled_ref"(%a) {coupledKey = "k"} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "quant.coupled_ref"(%b) {coupledKey = "k"} : (tensor<2xf32>) -> tensor<2xf32>
  %2 = "quant.stats"(%1) {layerStats = dense<[-4.0, 4.0]> : tensor<2xf32>} : (tensor<2xf32>) -> tensor<2xf32>
  %3 = "fxpmath.real_mul_ew"(%0, %2) {clamp_min = -1.0, clamp_max = 1.0} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %3 : tensor<2xf32>
}`, "solve", "simplify")
	ops := m.Funcs[0].Body.Ops
	require.Equal(t, "quant.qcast", ops[0].Name)
	require.Equal(t, ops[0].Results[0].Type.String(), ops[1].Results[0].Type.String())
	require.InDelta(t, 8.0/255, ops[0].Results[0].Type.Elem.Quant.Params[0].Scale, 1e-3)
}

// The lowered casts are the profile mlir-lower, the arithmetic of dcast is exact to float32.
func TestLoweredCastsAreTheProfile(t *testing.T) {
	for _, q := range []string{
		"!quant.uniform<i8:f32, 0.0371:-5>", "!quant.uniform<u8:f32, 0.0171:130>", "!quant.uniform<i8<-127:127>:f32, 0.015>",
		"!quant.uniform<i4:f32, 0.25:1>", "!quant.uniform<i16:f32, 0.0001>", "!quant.uniform<u8<1:255>:f32:1, {0.5:3,0.25:7}>",
		"!quant.uniform<i8:f32:{0:2, 1:1}, {{0.5, 0.25}, {0.125:2, 0.3}}>",
	} {
		text := `func.func @f(%x: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4x2x` + q + `>) {
  %q = quant.qcast %x : tensor<4x2xf32> to tensor<4x2x` + q + `>
  %d = quant.dcast %q : tensor<4x2x` + q + `> to tensor<4x2xf32>
  return %d, %q : tensor<4x2xf32>, tensor<4x2x` + q + `>
}`
		before, err := mlir.Parse("before.mlir", text)
		require.NoError(t, err)
		after := pass(t, text, "lower-quant-ops")
		require.NotContains(t, after.String(), "cast %arg0")
		for seed := range uint64(20) {
			x := values(t, seed, before.Funcs[0].Body.Args[0].Type)
			want, err := mlir.Evaluator{Rule: quant.RealMLIRLower}.Run(before.Funcs[0], x)
			require.NoError(t, err)
			got, err := mlir.Evaluator{}.Run(after.Funcs[0], x)
			require.NoError(t, err)
			require.Equal(t, want[1].Ints, got[1].Ints, "%s %v", q, x.Reals)
			for i := range want[0].Reals {
				require.InDelta(t, want[0].Reals[i], got[0].Reals[i], 1e-6)
			}
		}
	}
}

func TestTypesAtTheBorders(t *testing.T) {
	text := `func.func @f(%q: tensor<2x1x!quant.uniform<u8:f32:{0:1}, {{2.0:127}, {3.0}}>>) -> tensor<2x1x!quant.uniform<u8:f32:{0:1}, {{2.0:127}, {3.0}}>> {
  return %q : tensor<2x1x!quant.uniform<u8:f32:{0:1}, {{2.0:127}, {3.0}}>>
}`
	m := pass(t, text, "normalize-quant-types")
	require.Contains(t, m.String(), "-> tensor<2x1x!quant.uniform<u8:f32:0, {2.000000e+00:127,3.000000e+00}>>")
	m = pass(t, text, "strip-func-quant-types")
	require.Contains(t, m.String(), "func.func @f(%arg0: tensor<2x1xi8>) -> tensor<2x1xi8> {\n  %0 = quant.scast %arg0")
	m = pass(t, text, "strip-func-quant-types", "simplify")
	require.Equal(t, "func.func @f(%arg0: tensor<2x1xi8>) -> tensor<2x1xi8> {\n  return %arg0 : tensor<2x1xi8>\n}\n", m.String())
}

func TestCastsCancel(t *testing.T) {
	m := pass(t, `func.func @f(%q: tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5>> {
  %d = quant.dcast %q : tensor<2x!quant.uniform<i8:f32, 0.5>> to tensor<2xf32>
  %u = arith.addf %d, %d : tensor<2xf32>
  %r = quant.qcast %d : tensor<2xf32> to tensor<2x!quant.uniform<i8:f32, 0.5>>
  return %r : tensor<2x!quant.uniform<i8:f32, 0.5>>
}`, "simplify")
	require.Len(t, m.Funcs[0].Body.Ops, 1)
	// A cast to another type is arithmetic and stays.
	m = pass(t, `func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %q = quant.qcast %x : tensor<2xf32> to tensor<2x!quant.uniform<i8:f32, 0.5>>
  %d = quant.dcast %q : tensor<2x!quant.uniform<i8:f32, 0.5>> to tensor<2xf32>
  return %d : tensor<2xf32>
}`, "simplify")
	require.Len(t, m.Funcs[0].Body.Ops, 3)
}

func TestMultipliersOfOneAndMoreStay(t *testing.T) {
	for scale, lowered := range map[string]bool{"0.5": false, "0.500001": true, "0.25": false} {
		m := pass(t, strings.ReplaceAll(`func.func @f(%a: tensor<2x!quant.uniform<i8:f32, 0.5>>, %b: tensor<2x!quant.uniform<i8:f32, 1.0>>) -> tensor<2x!quant.uniform<i8:f32, SCALE>> {
  %0 = "fxpmath.real_mul_ew"(%a, %b) : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<2x!quant.uniform<i8:f32, 1.0>>) -> tensor<2x!quant.uniform<i8:f32, SCALE>>
  return %0 : tensor<2x!quant.uniform<i8:f32, SCALE>>
}`, "SCALE", scale), "lower-real-math")
		require.Equal(t, lowered, !strings.Contains(m.String(), "real_mul_ew"), scale)
	}
}

// TestJoinedValuesShareTheWiderRange: the values of an addition have one type, for the widest range among them.
func TestJoinedValuesShareTheWiderRange(t *testing.T) {
	m := pass(t, `func.func @f(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "quant.stats"(%a) {layerStats = dense<[-4.0, 4.0]> : tensor<2xf32>} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "quant.stats"(%b) {layerStats = dense<[-1.0, 1.0]> : tensor<2xf32>} : (tensor<2xf32>) -> tensor<2xf32>
  %2 = "fxpmath.real_add_ew"(%0, %1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}`, "solve", "simplify")
	for _, op := range m.Funcs[0].Body.Ops[:2] {
		require.Equal(t, "quant.qcast", op.Name)
		require.InDelta(t, 8.0/255, op.Results[0].Type.Elem.Quant.Params[0].Scale, 1e-3)
	}
}

// TestFinerResultOfPowersStaysReal: an operand that is coarser than the result would have to be shifted up, which the
// integer addition does not do.
func TestFinerResultOfPowersStaysReal(t *testing.T) {
	for scale, lowered := range map[string]bool{"0.0625": true, "0.125": false} {
		m := pass(t, `!a = !quant.uniform<i8:f32, `+scale+`>
!q = !quant.uniform<i8:f32, 0.0625>
func.func @f(%a: tensor<2x!a>, %b: tensor<2x!q>) -> tensor<2x!q> {
  %0 = "fxpmath.real_add_ew"(%a, %b) : (tensor<2x!a>, tensor<2x!q>) -> tensor<2x!q>
  return %0 : tensor<2x!q>
}`, "lower-real-math")
		require.Equal(t, lowered, strings.Contains(m.String(), "fxpmath.saturating_addi"), scale)
	}
}

// TestEqualCastsAreOne: of two equal casts of one value, one is left; casts to other types and of other values stay.
func TestEqualCastsAreOne(t *testing.T) {
	m := pass(t, `func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4x!quant.uniform<i8:f32, 0.5>>, tensor<4x!quant.uniform<i8:f32, 0.5>>, tensor<4x!quant.uniform<i8:f32, 0.25>>, tensor<4x!quant.uniform<i8:f32, 0.5>>) {
  %0 = quant.qcast %a : tensor<4xf32> to tensor<4x!quant.uniform<i8:f32, 0.5>>
  %1 = quant.qcast %a : tensor<4xf32> to tensor<4x!quant.uniform<i8:f32, 0.5>>
  %2 = quant.qcast %a : tensor<4xf32> to tensor<4x!quant.uniform<i8:f32, 0.25>>
  %3 = quant.qcast %b : tensor<4xf32> to tensor<4x!quant.uniform<i8:f32, 0.5>>
  return %0, %1, %2, %3 : tensor<4x!quant.uniform<i8:f32, 0.5>>, tensor<4x!quant.uniform<i8:f32, 0.5>>, tensor<4x!quant.uniform<i8:f32, 0.25>>, tensor<4x!quant.uniform<i8:f32, 0.5>>
}`, "simplify")
	require.Equal(t, 3, strings.Count(m.String(), "quant.qcast"))
	last := m.Funcs[0].Body.Ops[3]
	require.Same(t, last.Operands[0], last.Operands[1])
}
