package quant_test

import (
	"math"
	"math/bits"
	"testing"

	_ "arcv2dsp/internal/dev/testkit/nofiles"
	"arcv2dsp/quant"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// No inputs and no order of summation leave the proven range, and inputs exist that reach its ends without a
// bias.
func TestHeadroomHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weights := rapid.SliceOfN(rapid.Int64Range(-128, 127), 1, 50).Draw(t, "weights")
		offset := rapid.Int64Range(-128, 128).Draw(t, "offset")
		bias := rapid.Int64Range(math.MinInt32, math.MaxInt32).Draw(t, "bias")
		h := quant.ProveHeadroom(weights, offset, bias, quant.Int8)
		low := -int64(1) << (h.Bits - 1)
		sum := bias
		inside := func() {
			require.True(t, sum >= h.Lo.Int64() && sum <= h.Hi.Int64() && sum >= low && sum < -low)
		}
		for _, i := range rapid.Permutation(indices(len(weights))).Draw(t, "order") {
			inside()
			sum += weights[i] * (rapid.SampledFrom([]int64{-128, 127, 0, 5}).Draw(t, "x") + offset)
		}
		inside()
	})
	h := quant.ProveHeadroom([]int64{127, -127, 3}, 0, 0, quant.Int8)
	require.Equal(t, "sums of -32769 to 32766, 17 bits", h.String()) // 127*-128 + -127*127 - 3*128, 127*127 + 127*128 + 3*127
	require.False(t, h.Fits(16))
	require.True(t, quant.ProveHeadroom([]int64{127, -127}, 0, 0, quant.Int8).Fits(16))
	require.Equal(t, 1+bits.Len(127*128), quant.ProveHeadroom([]int64{-127}, 0, 0, quant.Int8).Bits)
	require.Equal(t, 1, quant.ProveHeadroom(nil, 0, 0, quant.Int8).Bits)
}

func indices(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}
