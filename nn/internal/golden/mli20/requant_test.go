package mli20_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/nn"
)

// TestHalfSaturates: rounding up adds the half within 32 bits, so that a sum at their end loses the half; to even it is the
// nearest number. Results by hand: 2^31 - 1 less what is dropped is 2^(31-n) - 1, and 2^(31-n) is the nearest.
func TestHalfSaturates(t *testing.T) {
	op, ok := registry.Lookup(nn.MLI20, "mli_krn_eltwise_add_fx16")
	require.True(t, ok)
	for _, dropped := range []int{17, 18, 23, 30, 31} {
		t.Run(fmt.Sprint(dropped), func(t *testing.T) {
			full := int64(1) << (31 - dropped)
			for round, want := range map[nn.Rounding][]int64{nn.Up: {full - 1, -full, full - 1}, nn.Convergent: {full, -full, full}} {
				a := &nn.Tensor{Type: nn.I16, Shape: []int{3}, Ints: []int64{math.MaxInt16, math.MinInt16, math.MaxInt16}, Format: nn.Format{Kind: nn.Fixed}}
				b := &nn.Tensor{Type: nn.I16, Shape: []int{3}, Ints: []int64{math.MaxInt16, math.MinInt16, 0}, Format: nn.Format{Kind: nn.Fixed, Frac: dropped}}
				out := &nn.Tensor{Type: nn.I16, Shape: []int{3}, Format: nn.Format{Kind: nn.Fixed}}
				c := &nn.Call{Op: op, Attrs: nn.Attrs{}, In: []*nn.Tensor{a, b}, Out: []*nn.Tensor{out}, Rounding: round}
				require.NoError(t, c.Run())
				require.Equal(t, want, out.Ints, "%v", round)
			}
		})
	}
}
