package quant_test

import (
	"math"
	"testing"

	"arcv2dsp/quant"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Quantized by its own ranges, no weight is off by more than half a step of its channel.
func TestChannelsHaveScalesOfTheirOwn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape := []int{rapid.IntRange(1, 3).Draw(t, "a"), rapid.IntRange(1, 5).Draw(t, "b"), rapid.IntRange(1, 3).Draw(t, "c")}
		n := shape[0] * shape[1] * shape[2]
		values := rapid.SliceOfN(rapid.Float64Range(-100, 100), n, n).Draw(t, "values")
		axis := rapid.IntRange(0, 2).Draw(t, "axis")
		typ, err := quant.TFLiteSymmetric.ChooseAxis(values, shape, axis, quant.Int8)
		require.NoError(t, err)
		require.Len(t, typ.Params, shape[axis])
		q, err := typ.Quantize(values, shape, quant.RealMLI)
		require.NoError(t, err)
		back, err := typ.Dequantize(q, shape)
		require.NoError(t, err)
		of, err := typ.Of(shape)
		require.NoError(t, err)
		for i := range values {
			require.InDelta(t, values[i], back[i], of(i).Scale*(0.5+1e-5))
		}
	})
}

// TestTinyChannels: a channel whose scale would be no normal float32 has scale 1.
func TestTinyChannels(t *testing.T) {
	for _, v := range []float64{5e-324, 1e-45, 1e-37} {
		typ, err := quant.TFLiteSymmetric.ChooseAxis([]float64{v, 1}, []int{2}, 0, quant.Int8)
		require.NoError(t, err)
		require.Equal(t, 1.0, typ.Params[0].Scale)
	}
}

func TestAxisRanges(t *testing.T) {
	ranges, err := quant.AxisRanges([]float64{1, 2, 3, -4, 5, 6}, []int{2, 3}, 1)
	require.NoError(t, err)
	var got [][2]float64
	for i := range ranges {
		lo, hi, err := ranges[i].Range()
		require.NoError(t, err)
		got = append(got, [2]float64{lo, hi})
	}
	require.Equal(t, [][2]float64{{-4, 1}, {2, 5}, {3, 6}}, got)
	_, err = quant.AxisRanges([]float64{1}, []int{1}, 1)
	require.EqualError(t, err, "axis 1 of a tensor with 1 dimensions")
	_, err = quant.AxisRanges([]float64{1}, []int{2}, 0)
	require.EqualError(t, err, "1 elements for shape [2]")
	_, err = quant.AxisRanges([]float64{math.NaN()}, []int{1}, 0)
	require.EqualError(t, err, "element 0: value 0 is NaN")
	_, err = quant.Uniform(quant.Int8, quant.F32, quant.Params{Scale: 1}).Quantize([]float64{1}, []int{-1}, quant.RealMLI)
	require.EqualError(t, err, "shape [-1] is not known")
	zeros, err := quant.TFLiteAsymmetric.ChooseAxis([]float64{0, 0}, []int{2}, 0, quant.Int8)
	require.NoError(t, err)
	require.Equal(t, 1.0, zeros.Params[0].Scale)
	_, err = quant.TFLiteSymmetric.ChooseAxis(nil, []int{2, 0}, 0, quant.Int8)
	require.EqualError(t, err, "empty statistics: no values were observed")
}

// Qm.n names a format by its bits above and below the point, Q.n by those below it in the smallest container; the notations are
// those of MLI's document of its data formats.
func TestQNames(t *testing.T) {
	for name, want := range map[string]quant.QFormat{
		"Q3.4": {Bits: 8, Frac: 4}, "q0.15": {Bits: 16, Frac: 15}, "Q7.0": {Bits: 8}, "Q-2.9": {Bits: 8, Frac: 9}, "Q9.-2": {Bits: 8, Frac: -2},
		"Q-3.10": {Bits: 8, Frac: 10}, "Q.7": {Bits: 8, Frac: 7}, "Q.8": {Bits: 16, Frac: 8}, "Q.15": {Bits: 16, Frac: 15}, "Q.16": {Bits: 32, Frac: 16},
		"Q.-3": {Bits: 8, Frac: -3}, "Q4.-4": {Bits: 1, Frac: -4}, "Q16.16": {Bits: 33, Frac: 16}, "Q.63": {Bits: 64, Frac: 63}, "Q63.0": {Bits: 64},
	} {
		got, err := quant.ParseQ(name)
		require.NoError(t, err, name)
		require.Equal(t, want, got, name)
		again, err := quant.ParseQ(got.String())
		require.NoError(t, err)
		require.Equal(t, want, again)
		typ, err := got.Type()
		if want.Bits != 8 && want.Bits != 16 && want.Bits != 32 {
			require.Error(t, err, name)
			continue
		}
		require.NoError(t, err)
		frac, err := typ.FX()
		require.NoError(t, err)
		require.Equal(t, want.Frac, frac)
	}
	for _, bad := range []string{"", "3.4", "Q3", "Q", "Q.", "Q3.x", "Qx.3", "Q99999999999999999999.1", "Q64.0", "Q.64", "Q.-65", "Q3.-4", "Q70.-60", "Q-60.70"} {
		_, err := quant.ParseQ(bad)
		require.Error(t, err, bad)
	}
}

// TestFormatsOfResults: formats, ranges and conversions as MLI's document of its data formats works them out.
func TestFormatsOfResults(t *testing.T) {
	q := func(name string) quant.QFormat {
		f, err := quant.ParseQ(name)
		require.NoError(t, err)
		return f
	}
	require.Equal(t, q("Q9.10"), q("Q4.3").Mul(q("Q5.7")))
	require.Equal(t, q("Q9.6"), q("Q16.16").Div(q("Q7.10")))
	require.Equal(t, q("Q4.-4"), q("Q7.8").Div(q("Q3.12")))
	require.Equal(t, q("Q9.4"), q("Q3.4").Sum(34))
	require.Equal(t, q("Q5.10"), q("Q3.4").Common(q("Q5.10")))
	lo, hi := q("Q.7").Range()
	require.Equal(t, []float64{-1, 0.9921875}, []float64{lo, hi})
	lo, hi = q("Q.15").Range()
	require.Equal(t, []float64{-1, 0.999969482421875}, []float64{lo, hi})
	require.EqualValues(t, 109, q("Q.7").Quantize(0.85, quant.NearestEven))
	require.EqualValues(t, -1116, q("Q.10").Quantize(-1.09, quant.NearestEven))
	require.Equal(t, 0.166259765625, q("Q.15").Real(5448))
	require.Equal(t, -1.08984375, q("Q.10").Real(-1116))
	require.EqualValues(t, 0x240, q("Q.8").Convert(0x24, q("Q.12"), quant.HalfUp))
	require.True(t, q("Q-3.10").Holds(0x20))
	require.False(t, q("Q-3.10").Holds(0x220))
}

// TestResultsFit: no operands leave the format of a result, but for the product of the two least values, and a format one bit
// narrower is left by some.
func TestResultsFit(t *testing.T) {
	ends := func(f quant.QFormat) []int64 { return []int64{-1 << (f.Bits - 1), 1<<(f.Bits-1) - 1} }
	for _, a := range []quant.QFormat{{Bits: 8, Frac: 4}, {Bits: 8, Frac: 10}, {Bits: 16, Frac: 3}} {
		for _, b := range []quant.QFormat{{Bits: 8, Frac: 7}, {Bits: 16, Frac: 11}, {Bits: 16, Frac: -2}} {
			product, sum := a.Mul(b), a.Common(b).Sum(2)
			left := map[string]bool{}
			for _, x := range ends(a) {
				for _, y := range ends(b) {
					if x < 0 && y < 0 {
						require.False(t, product.Holds(x*y))
						require.True(t, product.Holds(x*y-1))
					} else {
						require.True(t, product.Holds(x*y))
					}
					left["product"] = left["product"] || !product.In(product.Bits-1).Holds(x*y)
					for _, s := range []int64{x<<(sum.Frac-a.Frac) + y<<(sum.Frac-b.Frac), x<<(sum.Frac-a.Frac) - y<<(sum.Frac-b.Frac)} {
						require.True(t, sum.Holds(s))
						left["sum"] = left["sum"] || !sum.In(sum.Bits-1).Holds(s)
					}
				}
			}
			require.Equal(t, map[string]bool{"product": true, "sum": true}, left)
		}
	}
}

// TestEndsOfQuantize: the ends of a container of 64 bits and what is no number.
func TestEndsOfQuantize(t *testing.T) {
	wide := quant.QFormat{Bits: 64, Frac: 0}
	require.EqualValues(t, math.MaxInt64, wide.Quantize(math.Ldexp(1, 63), quant.NearestEven))
	require.EqualValues(t, math.MinInt64, wide.Quantize(-math.Ldexp(1, 63), quant.NearestEven))
	require.EqualValues(t, math.MinInt64, wide.Quantize(math.Inf(-1), quant.Floor))
	require.Zero(t, wide.Quantize(math.NaN(), quant.Floor))
	require.EqualValues(t, 127, quant.QFormat{Bits: 8, Frac: 7}.Quantize(0.9999, quant.NearestEven))
}

// A change of fixed-point format is a shift: exact to the left, rounded to the right, saturated at the ends.
func TestFormatsChangeByShift(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := quant.QFormat{Bits: 16, Frac: rapid.IntRange(-20, 40).Draw(t, "from")}
		to := quant.QFormat{Bits: rapid.SampledFrom([]int{8, 16}).Draw(t, "bits"), Frac: rapid.IntRange(-20, 40).Draw(t, "to")}
		v := int64(rapid.Int16().Draw(t, "v"))
		for _, r := range []quant.Rounding{quant.NearestEven, quant.HalfUp} {
			exact := r.Real(math.Ldexp(float64(v), to.Frac-from.Frac))
			limit := math.Ldexp(1, to.Bits-1)
			require.Equal(t, int64(max(-limit, min(exact, limit-1))), from.Convert(v, to, r))
		}
		p := from.Params()
		s := quant.MakeStorage(true, to.Bits)
		require.Equal(t, from.Convert(v, to, quant.HalfAway), p.Rescale(v, to.Params(), s, quant.HalfAway))
	})
}
