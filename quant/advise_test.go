package quant_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/quant"
)

// TestAdvice: the examples of MLI's documentation of its data formats, and bits that do not divide by two.
func TestAdvice(t *testing.T) {
	q := func(n int) quant.QFormat { return quant.QFormat{Bits: 16, Frac: n} }
	adv := quant.AdviseAccumulator(5*5*64, q(11), q(15), 40)
	require.Equal(t, quant.Advice{
		Accumulations: 1600, Accumulator: 40, Term: quant.QFormat{Bits: 31, Frac: 26}, Result: quant.QFormat{Bits: 42, Frac: 26},
		ExtraBits: 11, SpareBits: 9, Short: 2, A: q(10), B: q(14),
	}, adv)
	require.Contains(t, adv.String(), "Q.10 and Q.14")

	odd := quant.AdviseAccumulator(1<<10, q(11), q(15), 40)
	require.Equal(t, 1, odd.Short)
	require.Equal(t, []quant.QFormat{q(11), q(14)}, []quant.QFormat{odd.A, odd.B})

	bytes := quant.QFormat{Bits: 8, Frac: 7}
	fits := quant.AdviseAccumulator(1<<17, bytes, bytes, 32)
	require.Zero(t, fits.Short)
	require.Equal(t, 17, fits.ExtraBits)
	require.Zero(t, quant.AdviseAccumulator(1, bytes, bytes, 32).ExtraBits)

	// 4.5 of a format with four bits below the point, in one with one.
	require.EqualValues(t, 5, quant.QFormat{Bits: 8, Frac: 4}.Convert(0x24, quant.QFormat{Bits: 8, Frac: 1}, quant.HalfUp))
	require.EqualValues(t, 4, quant.QFormat{Bits: 8, Frac: 4}.Convert(0x24, quant.QFormat{Bits: 8, Frac: 1}, quant.NearestEven))
}

// TestDepth: the numbers of terms that MLI's documentation states for its accumulators, and the term too many: as many products of the two least
// values as the rule allows are one above the accumulator's greatest value.
func TestDepth(t *testing.T) {
	for _, c := range []struct {
		a, b, accumulator int
		depth             int64
	}{
		{a: 8, b: 8, accumulator: 32, depth: 131072},
		{a: 16, b: 16, accumulator: 40, depth: 512},
		{a: 16, b: 8, accumulator: 32, depth: 512},
		{a: 8, accumulator: 32, depth: 16777216},
		{a: 16, accumulator: 40, depth: 16777216},
	} {
		term := quant.QFormat{Bits: c.a}
		adv := quant.AdviseSum(1, term, c.accumulator)
		least := int64(-1) << (c.a - 1)
		if c.b != 0 {
			adv = quant.AdviseAccumulator(1, term, quant.QFormat{Bits: c.b}, c.accumulator)
			least *= -1 << (c.b - 1)
		}
		require.Equal(t, c.depth, adv.Depth().Int64())
		acc := quant.QFormat{Bits: c.accumulator}
		require.True(t, acc.Holds(least*adv.Certain().Int64()))
		require.False(t, acc.Holds(least*(adv.Certain().Int64()+1)))
	}
	short := quant.AdviseSum(300, quant.QFormat{Bits: 16, Frac: 12}, 20)
	require.Equal(t, 5, short.Short)
	require.Equal(t, 7, short.A.Frac)
	require.Contains(t, short.String(), "use Q.7")
}

func TestOperations(t *testing.T) {
	a, b := quant.QFormat{Bits: 16, Frac: 8}, quant.QFormat{Bits: 16, Frac: 12}
	for _, name := range quant.Operations() {
		o, err := quant.Operate(a, name, b)
		require.NoError(t, err)
		switch name {
		case "+", "-":
			require.Equal(t, []int{4, 0}, []int{o.ShiftA, o.ShiftB})
			require.Equal(t, "Q8.12", o.Result.String())
			require.Equal(t, 5, o.Lost(16))
			require.Equal(t, "Q8.7", o.Kept(16).String())
			require.Empty(t, o.Warning())
		case "x":
			require.Equal(t, "Q10.20", o.Result.String())
			require.Equal(t, []int{23, 15, 0}, []int{o.Lost(8), o.Lost(16), o.Lost(32)})
		case "/":
			require.Zero(t, o.Significant())
			require.Contains(t, o.Warning(), "total loss of precision; with the dividend as Q7.23 the quotient has 15")
		}
	}
	_, err := quant.Operate(a, "%", b)
	require.ErrorContains(t, err, `no operation "%"`)
}
