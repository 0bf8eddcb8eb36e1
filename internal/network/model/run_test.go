package model

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
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

// TestNetworksWithoutInputsRunOnce: all tensors of the network are constants; its recorded case is one step.
func TestNetworksWithoutInputsRunOnce(t *testing.T) {
	row, ok := golden.Floats().Lookup(nn.TFLite, golden.Relu)
	require.True(t, ok)
	g := &nn.Graph{Name: "constant", Outputs: []int{1}, Values: []nn.Value{
		{Name: "in", Tensor: &nn.Tensor{Type: nn.F32, Shape: []int{3}, Floats: []float32{-1, 2, -3}}},
		{Name: "out", Tensor: &nn.Tensor{Type: nn.F32, Shape: []int{3}}},
	}}
	g.Nodes = []nn.Node{{Name: "relu", Op: row, In: []int{0}, Out: []int{1}, Attrs: nn.Attrs{}}}
	require.NoError(t, g.Check())
	r, err := Run(context.Background(), g, nn.GoldenExecutor{}, nil, true)
	require.NoError(t, err)
	require.Equal(t, 1, r.Steps)
	require.Equal(t, [][]float32{{0, 2, 0}}, r.Outputs[0].Floats)
	dir := t.TempDir()
	require.NoError(t, r.Write(dir))
	c, done, err := OpenCase(dir, 0)
	require.NoError(t, err)
	k, err := Check(context.Background(), g, nn.GoldenExecutor{}, c, EndToEnd)
	require.NoError(t, err)
	require.Equal(t, 1, k.Tensors)
	require.Empty(t, k.Faults)
	require.NoError(t, done())
}
