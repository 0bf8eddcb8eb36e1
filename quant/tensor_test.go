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

// Qm.n names a format by its integer and fraction bits, as MLI's texts do.
func TestQNames(t *testing.T) {
	for name, want := range map[string]quant.QFormat{
		"Q3.4": {Bits: 8, Frac: 4}, "q0.15": {Bits: 16, Frac: 15}, "Q7.0": {Bits: 8}, "Q-2.9": {Bits: 8, Frac: 9}, "Q9.-2": {Bits: 8, Frac: -2},
	} {
		got, err := quant.ParseQ(name)
		require.NoError(t, err, name)
		require.Equal(t, want, got)
		again, err := quant.ParseQ(got.String())
		require.NoError(t, err)
		require.Equal(t, want, again)
		typ, err := got.Type()
		require.NoError(t, err)
		frac, err := typ.FX()
		require.NoError(t, err)
		require.Equal(t, want.Frac, frac)
	}
	for _, bad := range []string{"", "3.4", "Q3", "Q.4", "Q3.x", "Q99999999999999999999.1", "Q40.0"} {
		_, err := quant.ParseQ(bad)
		require.Error(t, err, bad)
	}
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
