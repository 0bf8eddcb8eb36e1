package mlikernels

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// chain is a convolution, a depthwise convolution and a matrix product.
func chain(t *testing.T) *nn.Graph {
	r := rand.New(rand.NewPCG(1, 2))
	data := func(shape ...int) *nn.Tensor {
		return &nn.Tensor{Type: nn.I8, Shape: shape, Format: nn.Format{Kind: nn.Scaled, Scales: []float32{0.05}, Zeros: []int64{-3}}}
	}
	weights := func(axis int, shape ...int) *nn.Tensor {
		w := nn.New(nn.I8, shape...)
		w.Format = nn.Format{Kind: nn.Scaled, Axis: axis}
		for i := range w.Ints {
			w.Ints[i] = int64(r.IntN(255) - 127)
		}
		for range shape[axis] {
			w.Format.Scales = append(w.Format.Scales, 0.002+r.Float32()/500)
		}
		return w
	}
	op := func(name string) *nn.Operator {
		op, ok := golden.Operators().Lookup(nn.TFLite, name)
		require.True(t, ok)
		return op
	}
	window := nn.Attrs{"padding": "SAME", "stride_h": 1, "stride_w": 1}
	g := &nn.Graph{
		Values: []nn.Value{
			{Name: "in", Tensor: data(1, 8, 8, 3)},
			{Name: "w0", Tensor: weights(0, 8, 3, 3, 3)}, {Name: "a", Tensor: data(1, 8, 8, 8)},
			{Name: "w1", Tensor: weights(3, 1, 3, 3, 8)}, {Name: "b", Tensor: data(1, 8, 8, 8)},
			{Name: "w2", Tensor: weights(0, 10, 512)}, {Name: "out", Tensor: data(1, 10)},
		},
		Nodes: []nn.Node{
			{Name: "conv", Op: op("CONV_2D"), Attrs: window, In: []int{0, 1}, Out: []int{2}, Rounding: nn.Double},
			{Name: "depthwise", Op: op("DEPTHWISE_CONV_2D"), Attrs: window, In: []int{2, 3}, Out: []int{4}, Rounding: nn.Double},
			{Name: "product", Op: op("FULLY_CONNECTED"), In: []int{4, 5}, Out: []int{6}, Rounding: nn.Double},
		},
		Inputs: []int{0}, Outputs: []int{6},
	}
	require.NoError(t, g.Check())
	return g
}

func TestExecutorComputesAGraph(t *testing.T) {
	g, in := chain(t), nn.New(nn.I8, 1, 8, 8, 3)
	for i := range in.Ints {
		in.Ints[i] = int64(i%256 - 128)
	}
	want, err := nn.NewSession(g, nn.GoldenExecutor{}).Run(context.Background(), []*nn.Tensor{in})
	require.NoError(t, err)
	for _, core := range []string{"em9d", "em7d"} {
		e, err := NewExecutor(ExecutorOptions{Core: core})
		require.NoError(t, err)
		got, err := nn.NewSession(g, e).Run(context.Background(), []*nn.Tensor{in})
		require.NoError(t, err)
		require.NoError(t, nn.Difference(got[0], want[0]))
		done := e.Executions()
		require.Len(t, done, 3)
		require.Equal(t, "arcq_depthwise_conv2d_s8", done[1].Kernel.Symbol)
		require.Greater(t, done[0].Report.Cycles, uint64(8*8*8*27/2))
		require.Empty(t, e.Executions())
		require.NoError(t, e.Close())
	}
}

func TestExecutorSaysWhatNoKernelTakes(t *testing.T) {
	op, ok := golden.Operators().Lookup(nn.TFLite, "DEQUANTIZE") // its output is float: no kernel of the core
	require.True(t, ok)
	in := nn.FromInts(nn.I8, []int{2}, []int64{1, 2})
	in.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{0.5}}
	c := &nn.Call{Op: op, In: []*nn.Tensor{in}, Out: []*nn.Tensor{{Type: nn.F32, Shape: []int{2}}}}
	require.NoError(t, c.Prepare())
	e, err := NewExecutor(ExecutorOptions{Core: "em9d"})
	require.NoError(t, err)
	require.EqualError(t, e.Execute(context.Background(), 0, c), "no kernel computes DEQUANTIZE of tflite")
	require.NoError(t, e.Close())
	e, err = NewExecutor(ExecutorOptions{Core: "em9d", Host: true})
	require.NoError(t, err)
	require.NoError(t, e.Execute(context.Background(), 0, c))
	require.Equal(t, []float32{0.5, 1}, c.Out[0].Floats)
	require.Nil(t, e.Executions()[0].Kernel)
	require.Equal(t, "0 calls of 0 operators by kernels on em9d, 0 cycles, 1 calls without a kernel: DEQUANTIZE", e.Summary())
	require.NoError(t, e.Close())
	_, err = NewExecutor(ExecutorOptions{Core: "hs38"})
	require.ErrorContains(t, err, `core "hs38" does not run the kernels`)
}
