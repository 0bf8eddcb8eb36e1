package arcq

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "arcv2dsp/internal/testkit/nofiles"
	"arcv2dsp/quant"
)

// TestExactReciprocal: the rounded product is the quotient with ties away from zero, for every sum that a
// window can have.
func TestExactReciprocal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(1, mostCells).Draw(t, "cells")
		limit := n << 15
		sum := rapid.Int64Range(-limit, limit).Draw(t, "sum")
		if rapid.Bool().Draw(t, "tie") { // an odd number of halves, or next to it
			sum = sum/n*n + n/2 + rapid.Int64Range(-1, 1).Draw(t, "beside")
			sum = max(-limit, min(sum, limit))
		}
		twice := big.NewInt(2*max(sum, -sum) + n)
		want := twice.Quo(twice, big.NewInt(2*n)).Int64()
		if sum < 0 {
			want = -want
		}
		require.EqualValues(t, want, quant.ScaleSingle.Apply(int32(sum), exactReciprocal(int(n))))
	})
}
