package arcq

import (
	"context"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "arcv2dsp/internal/dev/testkit/nofiles"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
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

// TestAverageOfManyEqualBytes: the average of equal elements is that element, for as many as a half can sum and one more.
func TestAverageOfManyEqualBytes(t *testing.T) {
	for _, of := range []struct {
		typ    nn.Type
		taps   []int
		values []int64
	}{{nn.I8, []int{256, 257}, []int64{-128, 127}}, {nn.U8, []int{128, 129, 256}, []int64{0, 255}}} {
		list := Collection().Kernels
		k := list[slices.IndexFunc(list, func(k *kernel.Kernel) bool { return k.Symbol == "arcq_average_pool2d_"+typeName(of.typ) })]
		for _, core := range testCores {
			m := newTestMachine(t, core)
			for _, taps := range of.taps {
				for _, v := range of.values {
					in := &nn.Tensor{Type: of.typ, Shape: []int{1, taps, 1, 8}, Format: nn.Format{Kind: nn.Scaled, Scales: []float32{1}, Zeros: []int64{0}}}
					in.Alloc()
					for i := range in.Ints {
						in.Ints[i] = v
					}
					c := &nn.Call{Op: k.Computes[0], Rounding: nn.Double, In: []*nn.Tensor{in}, Out: []*nn.Tensor{{Type: of.typ, Shape: []int{1, 1, 1, 8}, Format: in.Format}},
						Attrs: nn.Attrs{"padding": "VALID", "stride_h": 1, "stride_w": 1, "filter_height": taps, "filter_width": 1, "fused_activation_function": "NONE"}}
					require.NoError(t, c.Prepare())
					rep, err := m.Run(context.Background(), k, &kernel.Job{Call: c})
					require.NoError(t, err)
					require.Equal(t, slices.Repeat([]int64{v}, 8), rep.Results["out"].Ints, "%d taps of %s on %s", taps, of.typ, core)
				}
			}
		}
	}
}
