package mli11_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"arcv2dsp/nn"
	"arcv2dsp/nn/golden/mli11"
)

// The examples of the MLI data-format documentation.
func TestFormatExamples(t *testing.T) {
	require.EqualValues(t, 109, mli11.Format{Bits: 8, Frac: 7}.Quantize(0.85))
	require.EqualValues(t, -1116, mli11.Format{Bits: 16, Frac: 10}.Quantize(-1.09))
	q4, q1 := mli11.Format{Bits: 8, Frac: 4}, mli11.Format{Bits: 8, Frac: 1}
	require.EqualValues(t, 5, q4.Convert(0x24, q1, nn.Up))
	require.EqualValues(t, 4, q4.Convert(0x24, q1, nn.Convergent), "4.5 goes to even")
}

func TestFormatArithmetic(t *testing.T) {
	a, b := mli11.Format{Bits: 16, Frac: 11}, mli11.Format{Bits: 8, Frac: 7}
	require.Equal(t, mli11.Format{Bits: 24, Frac: 18}, a.Product(b))
	require.Equal(t, mli11.Format{Bits: 17, Frac: 4}, a.Quotient(b))
	require.Equal(t, "Q4.11", a.String())
	for text, want := range map[string]mli11.Format{
		"Q4.11": {Bits: 16, Frac: 11}, "q.7": {Bits: 8, Frac: 7}, "Q-3.10": {Bits: 8, Frac: 10},
	} {
		got, err := mli11.ParseFormat(text, 8)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "Q", "7", "Q3", "Qx.4", "Q3.y", "Q60.9", "Q.-"} {
		_, err := mli11.ParseFormat(text, 8)
		require.Error(t, err, text)
	}
}

func TestQuantizeLimits(t *testing.T) {
	f := mli11.Format{Bits: 8, Frac: 7}
	for x, want := range map[float64]int64{
		1: 127, -1: -128, -1.5: -128, math.Inf(1): 127, math.Inf(-1): -128, 0.5 / 128: 1, -0.5 / 128: -1,
	} {
		require.Equal(t, want, f.Quantize(x), "%v", x)
	}
	require.Zero(t, f.Quantize(math.NaN()))
}

// TestConvertNearest: converting never misses the nearest representable value by more than the tie.
func TestConvertNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := mli11.Format{Bits: 32, Frac: rapid.IntRange(0, 31).Draw(t, "from")}
		to := mli11.Format{Bits: 40, Frac: rapid.IntRange(0, 31).Draw(t, "to")}
		v := int64(rapid.Int32().Draw(t, "v"))
		got := from.Convert(v, to, nn.Convergent)
		exact := math.Ldexp(float64(v), to.Frac-from.Frac)
		if math.Abs(exact) >= math.Ldexp(1, 39) {
			t.Skip("saturates")
		}
		require.Equal(t, int64(math.RoundToEven(exact)), got)
		require.Equal(t, int64(math.Floor(exact+0.5)), from.Convert(v, to, nn.Up))
	})
}

func TestAdvisor(t *testing.T) {
	q := func(n int) mli11.Format { return mli11.Format{Bits: 16, Frac: n} }
	adv := mli11.AdviseAccumulator(5*5*64, q(11), q(15), 40)
	require.Equal(t, mli11.Advice{Accumulations: 1600, ExtraBits: 11, SpareBits: 9, Short: 2,
		A: q(10), B: q(14)}, adv)
	require.Contains(t, adv.String(), "Q.10 and Q.14")

	odd := mli11.AdviseAccumulator(1<<10, q(11), q(15), 40)
	require.Equal(t, 1, odd.Short)
	require.Equal(t, []mli11.Format{q(11), q(14)}, []mli11.Format{odd.A, odd.B})

	byteFormat := mli11.Format{Bits: 8, Frac: 7}
	fits := mli11.AdviseAccumulator(1<<17, byteFormat, byteFormat, 32)
	require.Zero(t, fits.Short)
	require.Equal(t, 17, fits.ExtraBits)
	require.Zero(t, mli11.AdviseAccumulator(1, byteFormat, byteFormat, 32).ExtraBits)
}

func TestQuality(t *testing.T) {
	got := &nn.Tensor{Type: nn.I8, Shape: []int{2}, Format: nn.Format{Kind: nn.Fixed, Frac: 4}, Ints: []int64{16, -16}}
	q, err := mli11.Compare([]float64{1, -1}, got)
	require.NoError(t, err)
	require.True(t, math.IsInf(q.SNR, 1))

	// An error of a tenth of the signal is 20 dB; none of it comes from the format.
	q, err = mli11.Compare([]float64{10.0 / 9, -10.0 / 9}, got)
	require.NoError(t, err)
	require.InDelta(t, 20, q.SNRdB, 1e-9)
	require.InDelta(t, 1.0/9, q.MaxAbs, 1e-9)
	require.InDelta(t, (10.0/9-18.0/16)/(1.0/9)*-1, q.QuantShare, 1e-9)

	affine := &nn.Tensor{Type: nn.I8, Shape: []int{1}, Ints: []int64{-2},
		Format: nn.Format{Kind: nn.Mantissa, Axis: -1, Mantissas: []int32{3}, ScaleFrac: 1, Zeros: []int64{-4}}}
	q, err = mli11.Compare([]float64{3.5}, affine)
	require.NoError(t, err)
	require.InDelta(t, 7, q.SNR, 1e-9)
	require.InDelta(t, 1, q.QuantShare, 1e-9, "all of the error is the format's")

	_, err = mli11.Compare(nil, got)
	require.Error(t, err)
}
