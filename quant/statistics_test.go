package quant_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"arcv2dsp/quant"

	"github.com/stretchr/testify/require"
)

func observed(t *testing.T, s quant.Statistics, inputs ...[]float64) (lo, hi float64) {
	t.Helper()
	for _, in := range inputs {
		require.NoError(t, s.Observe(in))
	}
	lo, hi, err := s.Range()
	require.NoError(t, err)
	return lo, hi
}

func TestMinMaxAndMovingAverage(t *testing.T) {
	lo, hi := observed(t, &quant.MinMax{}, []float64{1, -2}, nil, []float64{5})
	require.Equal(t, [2]float64{-2, 5}, [2]float64{lo, hi})
	lo, hi = observed(t, &quant.MovingAverage{Momentum: 0.75}, []float64{-4, 8}, []float64{-8, 0}, nil)
	require.Equal(t, [2]float64{-5, 6}, [2]float64{lo, hi})
}

func TestStatisticsRefuse(t *testing.T) {
	for _, s := range []quant.Statistics{&quant.MinMax{}, &quant.MovingAverage{}, &quant.Histogram{}} {
		_, _, err := s.Range()
		require.EqualError(t, err, "empty statistics: no values were observed")
		require.EqualError(t, s.Observe([]float64{1, math.NaN()}), "value 1 is NaN")
		require.EqualError(t, s.Observe([]float64{math.Inf(-1)}), "value 0 is -Inf")
		_, _, err = s.Range()
		require.Error(t, err, "a refused input leaves nothing behind")
	}
	require.EqualError(t, (&quant.MovingAverage{Momentum: 2}).Observe([]float64{1}), "momentum 2 (0 to 1)")
	h := &quant.Histogram{Percentile: 10}
	require.NoError(t, h.Observe([]float64{1}))
	_, _, err := h.Range()
	require.EqualError(t, err, "percentile 10 (above 50, to 100)")
	h.Cut = quant.CutMSE
	_, _, err = h.Range()
	require.EqualError(t, err, "storage of 0 bits (1 to 32)")
}

func TestPercentileDropsTheTails(t *testing.T) {
	var ramp []float64
	for i := range 100000 {
		ramp = append(ramp, float64(i)/1000-50)
	}
	lo, hi := observed(t, &quant.Histogram{Percentile: 99}, ramp)
	bin := 2 * 64.0 / 4096
	require.InDelta(t, -49, lo, bin)
	require.InDelta(t, 49, hi, bin)
	lo, hi = observed(t, &quant.Histogram{Percentile: 100}, ramp)
	require.Equal(t, [2]float64{ramp[0], ramp[len(ramp)-1]}, [2]float64{lo, hi})
}

// gauss draws normal numbers from a fixed seed.
func gauss(n int) []float64 {
	r := rand.New(rand.NewPCG(1, 2))
	x := make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return x
}

// The best range of a normal distribution is known: 2.55 standard deviations for 4 bits, 3.92 for 8
// (Banner et al. 2019, table of clipping values). The cost is flat about the optimum, so the error of
// the range found is also compared with that of every other range, on the values themselves.
func TestLeastSquaresFindTheBestRange(t *testing.T) {
	x := gauss(200000)
	for bits, want := range map[int]float64{4: 2.55, 8: 3.92} {
		s := quant.MakeStorage(true, bits)
		h := &quant.Histogram{Cut: quant.CutMSE, Storage: s}
		lo, hi := observed(t, h, x[:1000], x[1000:])
		require.InDelta(t, want, (hi-lo)/2, 0.3, "%d bits", bits)
		cost := func(lo, hi float64) float64 {
			p, _, err := quant.TFLiteAsymmetric.Choose(lo, hi, s)
			require.NoError(t, err)
			r, err := quant.Compare(x, quant.RealMLI.QuantizeAll(x, p, s), p, s)
			require.NoError(t, err)
			return r.RMSE
		}
		found := cost(lo, hi)
		for _, reach := range []float64{1.5, 2, 3, 5} {
			require.LessOrEqual(t, found, cost(-reach, reach)*1.01, "%d bits, %g", bits, reach)
		}
	}
}

// A rare outlier far from everything else is given up by both searches, kept by the whole range.
func TestSearchesGiveUpOutliers(t *testing.T) {
	x := append(gauss(50000), 400)
	_, whole := observed(t, &quant.MinMax{}, x)
	require.Equal(t, 400.0, whole)
	_, hi := observed(t, &quant.Histogram{Cut: quant.CutKL, Storage: quant.Int8}, x)
	require.Less(t, hi, 100.0, "finer steps than a bin change nothing that the histogram knows")
	require.Greater(t, hi, 2.0)
	// With 4 bits, a square of 40 is cheaper to lose than a step of 3 for everybody else.
	_, hi = observed(t, &quant.Histogram{Cut: quant.CutMSE, Storage: quant.MakeStorage(true, 4)}, append(gauss(50000), 40))
	require.Less(t, hi, 10.0)
}

func TestHistogramGrows(t *testing.T) {
	h := &quant.Histogram{Percentile: 100}
	lo, hi := observed(t, h, []float64{0.001, -0.002}, []float64{1e6}, []float64{0})
	require.Equal(t, [2]float64{-0.002, 1e6}, [2]float64{lo, hi})
	zero := &quant.Histogram{Cut: quant.CutKL, Storage: quant.Int8}
	lo, hi = observed(t, zero, []float64{0, 0})
	require.Zero(t, lo)
	require.Zero(t, hi)
}

// TestDivergenceOfFewValues: the output of a rectifier for few values, most of them zero, keeps more than the bin of
// zero.
func TestDivergenceOfFewValues(t *testing.T) {
	values := make([]float64, 256)
	for i := range 100 {
		values[2*i] = float64(i+1) / 50
	}
	for _, storage := range []quant.Storage{quant.Int8, quant.Int16} {
		h := &quant.Histogram{Cut: quant.CutKL, Storage: storage}
		lo, hi := observed(t, h, values)
		require.Zero(t, lo)
		require.Greater(t, hi, 0.25, storage) // at least 256 of the 2048 bins up to 2 or 4
	}
}
