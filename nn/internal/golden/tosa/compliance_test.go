package tosa_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/tosa"
)

// TestComplianceOfElements judges single elements at and beyond the bound of each mode. The bounds are computed by hand.
func TestComplianceOfElements(t *testing.T) {
	const (
		ulp32 = 0x1p-23
		ulp16 = 0x1p-10
	)
	for _, c := range []struct {
		name       string
		how        tosa.Compliance
		typ        nn.Type
		ref, bound float64
		pass, fail []float64
	}{
		{name: "exact", how: tosa.Compliance{Mode: tosa.Exact}, typ: nn.F32, ref: 1.5, pass: []float64{1.5}, fail: []float64{1.5 + ulp32, -1.5, nan}},
		{name: "exact zero", how: tosa.Compliance{Mode: tosa.Exact}, typ: nn.F16, ref: 0, pass: []float64{0, math.Copysign(0, -1)}, fail: []float64{0x1p-24}},
		{name: "exact NaN", how: tosa.Compliance{Mode: tosa.Exact}, typ: nn.F16, ref: nan, pass: []float64{nan}, fail: []float64{0, infinity}},
		{name: "exact of 8 bits", how: tosa.Compliance{Mode: tosa.Exact}, typ: nn.F8E4M3, ref: 0x1p-9, pass: []float64{0x1p-9}, fail: []float64{0, nan}},
		{name: "exact of 8 bits beyond the greatest number", how: tosa.Compliance{Mode: tosa.Exact}, typ: nn.F8E4M3, ref: 500, fail: []float64{nan, 448}},
		{name: "8 bits are never flushed", how: tosa.Compliance{Mode: tosa.Ulps, Ulp: 0.5}, typ: nn.F8E4M3, ref: 0x1p-9, pass: []float64{0x1p-9}, fail: []float64{0}},
		{name: "a small number may be flushed", how: tosa.Compliance{Mode: tosa.Exact}, typ: nn.F16, ref: 0x1p-15, pass: []float64{0x1p-15, 0}, fail: []float64{0x1p-16}},
		{name: "a normal one may not", how: tosa.Compliance{Mode: tosa.Exact}, typ: nn.F16, ref: 0x1p-14, pass: []float64{0x1p-14}, fail: []float64{0}},
		{name: "half a place", how: tosa.Compliance{Mode: tosa.Ulps, Ulp: 0.5}, typ: nn.F32, ref: 1 + ulp32/2, pass: []float64{1, 1 + ulp32}, fail: []float64{1 - ulp32/2, 1 + 2*ulp32}},
		{name: "three places of a negative number", how: tosa.Compliance{Mode: tosa.Ulps, Ulp: 3}, typ: nn.F16, ref: -4,
			pass: []float64{-4 - 12*ulp16, -4 + 12*ulp16}, fail: []float64{-4 - 16*ulp16, -4 + 16*ulp16, 4}},
		{name: "a place of a small number is that of the least normal one", how: tosa.Compliance{Mode: tosa.Ulps, Ulp: 2}, typ: nn.F16, ref: 0x1p-20,
			pass: []float64{0x1p-20 + 0x1p-23, 0}, fail: []float64{0x1p-20 + 0x1p-22}},
		{name: "beyond the greatest number", how: tosa.Compliance{Mode: tosa.Ulps, Ulp: 1}, typ: nn.F16, ref: 65504, pass: []float64{65504, infinity}, fail: []float64{65408, nan}},
		{name: "far beyond it", how: tosa.Compliance{Mode: tosa.Ulps, Ulp: 0.5}, typ: nn.F16, ref: 1e6, pass: []float64{infinity}, fail: []float64{65504, math.Inf(-1)}},
		{name: "far below it", how: tosa.Compliance{Mode: tosa.Ulps, Ulp: 0.5}, typ: nn.F16, ref: -1e6, pass: []float64{math.Inf(-1)}, fail: []float64{-65504, infinity}},
		{name: "NaN in place of infinity", how: tosa.Compliance{Mode: tosa.Ulps, Ulp: 0.5}, typ: nn.F8E4M3, ref: 600, pass: []float64{nan}, fail: []float64{448}},
		{name: "no NaN where there is infinity", how: tosa.Compliance{Mode: tosa.Ulps, Ulp: 0.5}, typ: nn.F8E5M2, ref: 1e6, pass: []float64{infinity}, fail: []float64{nan, 57344}},
		{name: "an infinite reference", how: tosa.Compliance{Mode: tosa.Ulps, Ulp: 5}, typ: nn.F32, ref: infinity, pass: []float64{infinity}, fail: []float64{math.MaxFloat32, nan}},
		{name: "three factors", how: tosa.Compliance{Mode: tosa.ReduceProduct, N: 3}, typ: nn.F16, ref: 1, pass: []float64{1 + ulp16, 1 - ulp16}, fail: []float64{1 + 2*ulp16, 1 - 2*ulp16}},
		{name: "a share of the greatest input", how: tosa.Compliance{Mode: tosa.Relative, Greatest: 8, Scale: 0.0625, Ulp: 1}, typ: nn.F32, ref: 1,
			pass: []float64{1.5, 0.5}, fail: []float64{1.500001, 0.499}},
		{name: "at least some places", how: tosa.Compliance{Mode: tosa.Relative, Greatest: 8, Scale: 1e-9, Ulp: 20}, typ: nn.F32, ref: 1,
			pass: []float64{1 + 20*ulp32}, fail: []float64{1 + 21*ulp32}},
		{name: "a bound times the last place", how: tosa.Compliance{Mode: tosa.AbsError}, typ: nn.F16, ref: 2, bound: 3, pass: []float64{2 + 6*ulp16, 2 - 6*ulp16}, fail: []float64{2 + 8*ulp16, 2 - 7*ulp16}},
		{name: "half the places", how: tosa.Compliance{Mode: tosa.AbsError, Divisor: 2}, typ: nn.F16, ref: 1, bound: 1, pass: []float64{1 + 0x1p-5}, fail: []float64{1 + 0x1p-5 + ulp16}},
		{name: "places are cut, not rounded", how: tosa.Compliance{Mode: tosa.AbsError, Divisor: 2}, typ: nn.F32, ref: 1, bound: 1, pass: []float64{1 + 0x1p-11}, fail: []float64{1 + 0x1p-11 + ulp32}},
		{name: "the bound is the magnitude", how: tosa.Compliance{Mode: tosa.AbsError, BoundAsMagnitude: true}, typ: nn.F16, ref: 0, bound: 16, pass: []float64{0x1p-6, -0x1p-6}, fail: []float64{0x1.1p-6}},
		{name: "a lower bound", how: tosa.Compliance{Mode: tosa.AbsError, LowerBound: 0.5}, typ: nn.F16, ref: 0x1p-10, bound: 4, pass: []float64{0x1p-10 + 0x1p-11}, fail: []float64{0x1p-10 + 0x1.1p-11}},
		{name: "at least the greatest comparison", how: tosa.Compliance{Mode: tosa.AbsError, MaxCompare: 0.25}, typ: nn.F16, ref: 1, bound: 1, pass: []float64{1.25}, fail: []float64{1.251}},
		{name: "an infinite bound", how: tosa.Compliance{Mode: tosa.AbsError}, typ: nn.F16, ref: 1, bound: infinity, pass: []float64{-7, infinity}},
		{name: "infinity of either kind", how: tosa.Compliance{Mode: tosa.FPSpecial}, typ: nn.F32, ref: infinity, bound: infinity, pass: []float64{infinity}, fail: []float64{math.Inf(-1), 3, nan}},
		{name: "values do not count", how: tosa.Compliance{Mode: tosa.FPSpecial}, typ: nn.F32, ref: -5, bound: 5, pass: []float64{-5, -100}, fail: []float64{5, math.Inf(-1), nan}},
		{name: "NaN by the bound", how: tosa.Compliance{Mode: tosa.FPSpecial}, typ: nn.F32, ref: 3, bound: nan, pass: []float64{nan, 3}, fail: []float64{infinity, -3}},
		{name: "anything of f16 by a NaN bound", how: tosa.Compliance{Mode: tosa.FPSpecial}, typ: nn.F16, ref: 3, bound: nan, pass: []float64{nan, infinity, -3}},
		{name: "zero of either sign", how: tosa.Compliance{Mode: tosa.FPSpecial}, typ: nn.F32, ref: 0, bound: 0, pass: []float64{0, math.Copysign(0, -1)}, fail: []float64{-1, nan}},
	} {
		judge := func(v float64) error {
			r := tosa.Reference{Compliance: c.how, Shape: []int{1}, Values: []float64{c.ref}, Bounds: []float64{c.bound}}
			return r.Check(reals(c.typ, []int{1}, v))
		}
		for _, v := range c.pass {
			require.NoError(t, judge(v), "%s: %g", c.name, v)
		}
		for _, v := range c.fail {
			require.Error(t, judge(v), "%s: %g", c.name, v)
		}
	}
}

// TestComplianceOfSums judges sums of products: each one, their mean square and, where the data have no bias, their sum.
func TestComplianceOfSums(t *testing.T) {
	const half = 0x1p-11 // of f16
	judge := func(set, ks int, refs, bounds []float64, errs ...float64) error {
		r := tosa.Reference{Compliance: tosa.Compliance{Mode: tosa.DotProduct, Set: set, KS: ks}, Shape: []int{len(refs)}, Values: refs, Bounds: bounds}
		v := make([]float64, len(refs))
		for i := range v {
			v[i] = refs[i] + errs[i]*bounds[i]*half
		}
		return r.Check(reals(nn.F16, []int{len(v)}, v...))
	}
	of := func(v float64, n int) []float64 {
		list := make([]float64, n)
		for i := range list {
			list[i] = v
		}
		return list
	}
	one := of(1, 10)
	require.NoError(t, judge(0, 4, one, one, 4, 0, 0, 0, 0, 0, 0, 0, 0, -0))
	require.ErrorContains(t, judge(0, 4, one, one, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0), "the error is 6 times the last half place")
	require.ErrorContains(t, judge(0, 4, one, one, -6, 0, 0, 0, 0, 0, 0, 0, 0, 0), "the error is -6 times")
	// Squares: 0.4 * 4 * 10 = 16.
	require.NoError(t, judge(0, 4, one, one, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0))
	require.ErrorContains(t, judge(0, 4, one, one, 2, 2, 2, 2, 2, 0, 0, 0, 0, 0), "mean square of the errors is 2, at most 1.6")
	// Sums of unbiased data: 2 * sqrt(25 * 4) = 20; squares up to 40.
	four := of(1, 4)
	require.NoError(t, judge(3, 25, four, of(2, 4), 6, 0, 0, 0))
	many := of(1, 100)
	ones := of(2, 100)
	require.ErrorContains(t, judge(3, 16, many, of(1, 100), ones...), "the errors sum up to 200, at most 80")
	require.ErrorContains(t, judge(5, 16, many, of(1, 100), ones...), "the results are biased")
	require.NoError(t, judge(2, 16, many, of(1, 100), ones...))
	require.NoError(t, judge(6, 16, many, of(1, 100), ones...))
	check := func(ref, bound, v float64) error {
		r := tosa.Reference{Compliance: tosa.Compliance{Mode: tosa.DotProduct, KS: 4}, Shape: []int{1}, Values: []float64{ref}, Bounds: []float64{bound}}
		return r.Check(reals(nn.F16, []int{1}, v))
	}
	require.NoError(t, check(nan, 1, nan))
	require.ErrorContains(t, check(nan, 1, 2), "want NaN")
	require.NoError(t, check(1, nan, 2))
	require.NoError(t, check(1, 65504, infinity), "such a sum may overflow")
	require.Error(t, check(1, 60000, infinity))
	require.Error(t, check(1, 1, nan))
	require.NoError(t, check(0, 0, 0))
	require.ErrorContains(t, check(0, 0, 0x1p-24), "all products are zero")
	require.NoError(t, check(0, 0x1p-20, 0x1p-14), "the least normal number is the least unit")
	missing := tosa.Reference{Compliance: tosa.Compliance{Mode: tosa.DotProduct}, Shape: []int{1}, Values: []float64{1}}
	require.ErrorContains(t, missing.Check(reals(nn.F16, []int{1}, 1)), "0 bounds for 1 elements")
	require.ErrorContains(t, missing.Check(reals(nn.F16, []int{2}, 1, 1)), "2 elements, want 1")
}

// TestComplianceOfCalls judges results by what each operator owes, without a recorded reference.
func TestComplianceOfCalls(t *testing.T) {
	for _, c := range []struct {
		op         string
		attrs      nn.Attrs
		in         []*nn.Tensor
		shape      []int
		pass, fail float64
	}{
		{op: "ADD", in: []*nn.Tensor{row(nn.F32, 1), row(nn.F32, 2)}, shape: []int{1}, pass: 3, fail: 3 + 0x1p-22},
		{op: "EXP", in: []*nn.Tensor{row(nn.F32, 0)}, shape: []int{1}, pass: 1 + 0x1p-23, fail: 1 + 0x1p-21},
		{op: "TANH", in: []*nn.Tensor{row(nn.F32, 0)}, shape: []int{1}, pass: 0x1p-24, fail: 0x1p-20},
		{op: "SIN", in: []*nn.Tensor{row(nn.F32, 0x1p-4)}, shape: []int{1}, pass: 0.06248, fail: 0.0625},
		{op: "ABS", in: []*nn.Tensor{row(nn.F32, -2)}, shape: []int{1}, pass: 2, fail: 2 + 0x1p-22},
		{op: "REDUCE_PRODUCT", attrs: nn.Attrs{"axis": 0}, in: []*nn.Tensor{row(nn.F32, 2, 3)}, shape: []int{1}, pass: 6, fail: 6 + 0x1p-19},
		// Three products of magnitude 1 and half places of 2^-24: 4 of them at most.
		{op: "MATMUL", in: []*nn.Tensor{reals(nn.F32, []int{1, 1, 3}, 1, -1, 1), reals(nn.F32, []int{1, 3, 1}, 1, 1, 1)}, shape: []int{1, 1, 1},
			pass: 1 + 0x1p-23, fail: 1 + 13*0x1p-24},
		{op: "AVG_POOL2D", attrs: nn.Attrs{"kernel": []int{1, 2}, "stride": []int{1, 1}, "pad": []int{0, 0, 0, 0}},
			in: []*nn.Tensor{reals(nn.F32, []int{1, 1, 2, 1}, 1, 3)}, shape: []int{1, 1, 1, 1}, pass: 2, fail: 2 + 8*0x1p-23},
	} {
		call := called(t, c.op, c.attrs, reals(nn.F32, c.shape), c.in...)
		require.NoError(t, tosa.Everything().Prepare(call), c.op)
		require.NoError(t, call.Op.Conforms(call, reals(nn.F32, c.shape, c.pass)), c.op)
		require.Error(t, call.Op.Conforms(call, reals(nn.F32, c.shape, c.fail)), c.op)
	}
	compare := called(t, "EQUAL", nil, nn.FromInts(nn.Bool, []int{1}, nil), row(nn.F32, 1), row(nn.F32, 1))
	require.NoError(t, compare.Prepare())
	require.NoError(t, compare.Op.Conforms(compare, nn.FromInts(nn.Bool, []int{1}, []int64{1})))
	require.Error(t, compare.Op.Conforms(compare, nn.FromInts(nn.Bool, []int{1}, []int64{0})))
}
