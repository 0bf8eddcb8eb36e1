package model

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// A graph of TOSA in single precision is measured where the core has the unit, and judged by the operators' bounds.
func TestBenchOfFloats(t *testing.T) {
	lookup := func(name string) *nn.Operator {
		op, ok := golden.Operators().Lookup(nn.TOSA, name)
		require.True(t, ok)
		return op
	}
	value := func(name string) nn.Value {
		return nn.Value{Name: name, Tensor: &nn.Tensor{Type: nn.F32, Shape: []int{5}}}
	}
	g := &nn.Graph{Name: "floats", Values: []nn.Value{value("x"), value("e"), value("y")}, Inputs: []int{0}, Outputs: []int{2}, Nodes: []nn.Node{
		{Name: "exp", Op: lookup("EXP"), In: []int{0}, Out: []int{1}}, {Name: "add", Op: lookup("ADD"), In: []int{1, 0}, Out: []int{2}},
	}}
	require.NoError(t, g.Check())
	in := &nn.Tensor{Type: nn.F32, Shape: []int{5}, Floats: []float32{-3, 0, 0.5, 10, -90}}
	for core, host := range map[string]int{"hs38": 0, "wei-em9d": 0, "em9d": 2} {
		b, err := RunBench(context.Background(), g, []*nn.Tensor{in}, BenchOptions{Core: core})
		require.NoError(t, err, core)
		require.Zero(t, b.Wrong(), core)
		require.Equal(t, host, b.Host, core)
		require.Equal(t, host == 0, b.Cycles > 0, core)
	}
}
