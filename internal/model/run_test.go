package model

import (
	"math/rand/v2"
	"slices"
	"testing"

	"arcv2dsp/nn"

	"github.com/stretchr/testify/require"
)

// TestGreatest: a long output shows the elements that stand first when all of them are sorted.
func TestGreatest(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for n := shown; n < 200; n++ {
		x := &nn.Tensor{Type: nn.I8, Shape: []int{n}, Ints: make([]int64, n)}
		sorted := make([]int, n)
		for i := range sorted {
			sorted[i], x.Ints[i] = i, rng.Int64N(20)-10 // many equal ones
		}
		slices.SortStableFunc(sorted, func(a, b int) int { return int(x.Ints[b] - x.Ints[a]) })
		require.Equal(t, sorted[:shown], greatest(x), x.Ints)
	}
}
