package quant_test

import (
	"math"
	"testing"

	"arcv2dsp/quant"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestHybridQuantizationRefusesWhatIsNoNumber(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		_, _, err := quant.SymmetricFloats([]float32{1, float32(x)})
		require.ErrorContains(t, err, "is not finite")
		_, _, err = quant.AsymmetricFloats([]float32{1, float32(x)})
		require.ErrorContains(t, err, "is not finite")
	}
}

// Every convention represents the range it was asked for within one step, and zero exactly.
func TestChosenParametersCoverTheRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lo := rapid.Float64Range(-1000, 0).Draw(t, "lo")
		hi := rapid.Float64Range(1e-3, 1000).Draw(t, "hi")
		for _, c := range quant.Conventions() {
			p, s, err := c.Choose(lo, hi, quant.Int8)
			require.NoError(t, err, c)
			require.NoError(t, p.Check())
			require.LessOrEqual(t, p.Dequantize(s.Min), lo+p.Scale, c)
			require.GreaterOrEqual(t, p.Dequantize(s.Max), hi-p.Scale, c)
			require.Zero(t, p.Dequantize(s.Clamp(p.ZeroPoint)), c)
			q := quant.RealMLI.Quantize(lo/2, p, s)
			require.InDelta(t, lo/2, p.Dequantize(q), p.Scale*0.500001, c)
		}
	})
}

func TestRangesThatAreNone(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range quant.Conventions() {
		for want, r := range map[string][2]float64{
			"range NaN to 1 is not finite":                    {nan, 1},
			"range 0 to +Inf is not finite":                   {0, inf},
			"range 1 to 0 is empty":                           {1, 0},
			"range -1e+308 to 1e+308 is too wide for a scale": {-1e308, 1e308},
		} {
			_, _, err := c.Choose(r[0], r[1], quant.Int8)
			require.EqualError(t, err, want, c)
		}
	}
	_, _, err := quant.TFLiteSymmetric.Choose(0, 1, quant.Uint8)
	require.EqualError(t, err, "a symmetric range needs a signed container, not u8")
	_, _, err = quant.PowerOfTwo.Choose(-1, 1, quant.Uint8)
	require.EqualError(t, err, "range -1 to 1: container u8 has no negative values")
	_, _, err = quant.PowerOfTwo.Choose(0, math.SmallestNonzeroFloat64, quant.Int8)
	require.EqualError(t, err, "scale 0 is not a positive number")
	_, _, err = quant.TFLiteAsymmetric.Choose(0, 1, quant.Storage{Bits: 40})
	require.EqualError(t, err, "storage of 40 bits (1 to 32)")
}

func TestFractionBitsAreTheMost(t *testing.T) {
	for _, v := range []struct {
		lo, hi float64
		s      quant.Storage
		want   int
	}{
		{lo: -1, hi: 127.0 / 128, s: quant.Int8, want: 7},
		{lo: -1, hi: 1, s: quant.Int8, want: 6},
		{lo: 0, hi: 127, s: quant.Int8, want: 0},
		{lo: 0, hi: 128, s: quant.Int8, want: -1},
		{lo: -128, hi: 0, s: quant.Int8, want: 0},
		{lo: 0, hi: 0, s: quant.Int16, want: 15},
		{lo: 0, hi: 0.001, s: quant.Int8, want: 16},
		{lo: 0, hi: 1, s: quant.Uint8, want: 7},
		{lo: -0.25, hi: 0.25, s: quant.Int16, want: 16},
		{lo: -math.SmallestNonzeroFloat64, hi: 1, s: quant.Int8, want: 6}, // its quotient is infinite
		{lo: 0, hi: math.SmallestNonzeroFloat64, s: quant.Int8, want: 1080},
		{lo: -math.MaxFloat64, hi: 0, s: quant.Int8, want: -1017},
	} {
		got, err := quant.FractionBits(v.lo, v.hi, v.s)
		require.NoError(t, err)
		require.Equal(t, v.want, got, "%g to %g in %s", v.lo, v.hi, v.s)
	}
}

func TestIntegerScales(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := quant.Params{
			Scale:     math.Ldexp(rapid.Float64Range(1, 2).Draw(t, "scale"), rapid.IntRange(-100, 13).Draw(t, "exponent")),
			ZeroPoint: int64(rapid.IntRange(-128, 127).Draw(t, "zero")),
		}
		sa, err := quant.NearestSA(p)
		require.NoError(t, err)
		require.Positive(t, sa.Scale)
		require.LessOrEqual(t, sa.RelativeError(p), 0x1p-15)
		again, err := quant.NearestSA(sa.Params())
		require.NoError(t, err)
		require.Equal(t, sa, again)
		require.Zero(t, sa.RelativeError(again.Params()))
	})
	for _, p := range []quant.Params{{Scale: 0}, {Scale: -1}, {Scale: math.NaN()}, {Scale: 1e60}, {Scale: 0x1p-200}, {Scale: 1, ZeroPoint: 1 << 20}} {
		_, err := quant.NearestSA(p)
		require.Error(t, err, "%v", p)
	}
}

func TestReport(t *testing.T) {
	r, err := quant.Compare([]float64{1, -1, 0.6, 300}, []int64{1, -1, 1, 127}, quant.Params{Scale: 1}, quant.Int8)
	require.NoError(t, err)
	require.Equal(t, 1, r.Saturated)
	require.InDelta(t, 173, r.MaxError, 1e-12)
	require.Equal(t, 3, r.MaxIndex)
	require.InDelta(t, (0.4+173)/4, r.MeanError, 1e-12)
	require.InDelta(t, 10*math.Log10((1+1+0.36+90000)/(0.16+173*173)), r.SQNR, 1e-12)

	same, err := quant.CompareReals([]float64{1, 2}, []float64{1, 2}, 0)
	require.NoError(t, err)
	require.Equal(t, math.Inf(1), same.SQNR)
	require.InDelta(t, 1, same.Cosine, 1e-15)
	require.Equal(t, "2 values, SQNR +Inf dB, cosine 1.000000, max error 0 at 0, mean 0", same.String())

	// A ramp over many steps has the noise of ideal rounding and SQNR of 6.02 dB a bit.
	var ramp []float64
	for i := range 100000 {
		ramp = append(ramp, float64(i)/1000-50)
	}
	p := quant.Params{Scale: 1}
	noise, err := quant.Compare(ramp, quant.RealMLI.QuantizeAll(ramp, p, quant.Int8), p, quant.Int8)
	require.NoError(t, err)
	require.InDelta(t, 1, noise.NoiseRatio(), 0.01)
	require.InDelta(t, 0.25, noise.MeanSteps(), 0.001)
	require.InDelta(t, 0.5, noise.MaxSteps(), 0.001)
	require.InDelta(t, 10*math.Log10(100*100), noise.SQNR, 0.01)

	_, err = quant.CompareReals(nil, nil, 0)
	require.EqualError(t, err, "nothing to compare: no values")
	_, err = quant.CompareReals([]float64{1}, nil, 0)
	require.EqualError(t, err, "0 values for 1 of the reference")
}
