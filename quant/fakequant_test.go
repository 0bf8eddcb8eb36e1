package quant_test

import (
	"math"
	"testing"

	"arcv2dsp/quant"

	"github.com/stretchr/testify/require"
)

func TestFakeQuantRefuses(t *testing.T) {
	nan := float32(math.NaN())
	for _, v := range []struct {
		lo, hi float32
		bits   int
		want   string
	}{
		{lo: nan, hi: 1, bits: 8, want: "range NaN to 1 is not finite"},
		{lo: 1, hi: -1, bits: 8, want: "range 1 to -1 is empty"},
		{lo: 1, hi: 1, bits: 8, want: "range 1 to 1 has no scale in float32"},
		{lo: -3e38, hi: 3e38, bits: 8, want: "range -3e+38 to 3e+38 has no scale in float32"},
		{lo: 0, hi: 1, bits: 1, want: "fake quantization to 1 bits (2 to 16)"},
		{lo: 0, hi: 1, bits: 17, want: "fake quantization to 17 bits (2 to 16)"},
	} {
		_, err := quant.NewFakeQuant(v.lo, v.hi, v.bits, false)
		require.EqualError(t, err, v.want)
	}
	f, err := quant.NewFakeQuant(-1, 1, 8, false)
	require.NoError(t, err)
	require.Equal(t, f.ZeroPoint, f.Level(nan))
	dx, lo, hi := f.Backward(nan, 1)
	require.Zero(t, dx+lo+hi)
}
