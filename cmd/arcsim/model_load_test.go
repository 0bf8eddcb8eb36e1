package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/nn/tflite"
)

// hybridFile is a network of floats whose weights are bytes that stand for them: a product of two inputs with
// 1, -1/2 and 2, 1/4.
func hybridFile(t *testing.T) string {
	t.Helper()
	product, ok := golden.Floats().Lookup(nn.TFLite, "FULLY_CONNECTED")
	require.True(t, ok)
	weights := nn.FromInts(nn.I8, []int{2, 2}, []int64{4, -2, 8, 1})
	weights.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{0.25}, Zeros: []int64{0}}
	g := &nn.Graph{Inputs: []int{0}, Outputs: []int{2}, Values: []nn.Value{
		{Name: "in", Tensor: &nn.Tensor{Type: nn.F32, Shape: []int{1, 2}}}, {Name: "weights", Tensor: weights}, {Name: "out", Tensor: &nn.Tensor{Type: nn.F32, Shape: []int{1, 2}}},
	}, Nodes: []nn.Node{{Name: "product", Op: product, In: []int{0, 1}, Out: []int{2}, Rounding: nn.Double}}}
	require.NoError(t, g.Check())
	data, err := tflite.Write(g)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "hybrid.tflite")
	require.NoError(t, os.WriteFile(path, data, 0o644))
	return path
}

// TestHybridWeightsRun: the command runs and shows such a network, with the results of the reals that its weights stand for.
func TestHybridWeightsRun(t *testing.T) {
	path := hybridFile(t)
	npy, err := nn.FormatNPY(&nn.Tensor{Type: nn.F32, Shape: []int{1, 2}, Floats: []float32{1, 2}})
	require.NoError(t, err)
	input := filepath.Join(t.TempDir(), "in.npy")
	require.NoError(t, os.WriteFile(input, npy, 0o644))
	var out, errs strings.Builder
	require.Zero(t, Main([]string{"model", "run", path, "--input", input}, strings.NewReader(""), &out, &errs), errs.String())
	require.Equal(t, "out f32[1 2]: 0 2.5\n", out.String()) // 1 - 1, 2 + 1/2
	out.Reset()
	require.Zero(t, Main([]string{"model", "show", path}, strings.NewReader(""), &out, &errs), errs.String())
	require.Contains(t, out.String(), "on the host: floats")
}

// TestElementsBound: a network beyond the bound that the command states is refused with its tensor.
func TestElementsBound(t *testing.T) {
	data, err := tflite.Write(unsignedNetwork(t))
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "unsigned.tflite")
	require.NoError(t, os.WriteFile(path, data, 0o644))
	for flag, want := range map[string]string{
		"--elements=1000": "the tensors have more than 1000 elements; --elements allows more", "--elements=0": "--elements 0: a network has at least one", "--elements=10000": "",
	} {
		var out, errs strings.Builder
		status := Main([]string{"model", "show", path, flag}, strings.NewReader(""), &out, &errs)
		require.Equal(t, want == "", status == 0, flag)
		require.Contains(t, errs.String(), want)
		require.LessOrEqual(t, strings.Count(errs.String(), "\n"), 1)
	}
}

// TestNetworkWithoutInputs: a network that counts its runs has no inputs, and runs on the host, on a core, and placed.
func TestNetworkWithoutInputs(t *testing.T) {
	b := &graphBuilder{t: t, g: &nn.Graph{}}
	one := b.whole(1)
	kept := b.value(&nn.Tensor{Type: nn.I32, Shape: []int{1}}, 0, 0)
	b.g.Values[kept].Name, b.g.Values[kept].Variable = "kept", true
	sum := b.value(&nn.Tensor{Type: nn.I32, Shape: []int{1}}, 0, 0)
	b.node("ADD", nil, []int{sum}, kept, one)
	b.node("ASSIGN_VARIABLE", nil, []int{kept}, sum)
	b.g.Outputs = []int{sum}
	require.NoError(t, b.g.Check())
	data, err := tflite.Write(b.g)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "counter.tflite")
	require.NoError(t, os.WriteFile(path, data, 0o644))
	for _, c := range []struct {
		args []string
		want string
	}{
		{args: []string{"run"}, want: " i32[1]: 1\n"},
		{args: []string{"run", "--core", "em7d"}, want: " i32[1]: 1\n2 calls of 2 operators by kernels on em7d"},
		{args: []string{"bench", "--core", "em9d", "--placed"}, want: "arcq_move_s32"},
	} {
		var out, errs strings.Builder
		require.Zero(t, Main(append([]string{"model", c.args[0], path}, c.args[1:]...), strings.NewReader(""), &out, &errs), errs.String())
		require.Contains(t, out.String(), c.want)
	}
}
