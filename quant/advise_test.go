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
	require.Equal(t, quant.Advice{Accumulations: 1600, ExtraBits: 11, SpareBits: 9, Short: 2, A: q(10), B: q(14)}, adv)
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
