package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/term/cli"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/nn/tflite"
)

// TestQuantNetwork: a file of MLIR's text with inputs from a file, quantized in two ways.
func TestQuantNetwork(t *testing.T) {
	dir := t.TempDir()
	path, inputs := filepath.Join(dir, "net.mlir"), filepath.Join(dir, "in.npy")
	require.NoError(t, os.WriteFile(path, []byte(`func.func @net(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %w = arith.constant dense<[[1.0, -0.5], [0.3, 0.7]]> : tensor<2x2xf32>
  %y = "fxpmath.real_matmul"(%x, %w) {clamp_min = 0.0} : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
`), 0o644))
	x := nn.New(nn.F32, 3, 2)
	copy(x.Floats, []float32{0.5, -0.25, 1, 0.55, -1, 0.75})
	data, err := nn.FormatNPY(x)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(inputs, data, 0o644))
	run := func(args ...string) (int, string, string) {
		var out, msg bytes.Buffer
		status := Main(append([]string{"model", "quantize"}, args...), nil, &out, &msg)
		return status, out.String(), msg.String()
	}
	status, out, msg := run(path, "--calibrate", inputs, "--as", "int8,fx16", "--json")
	require.Equal(t, 0, status, msg)
	var report struct {
		Networks []struct {
			Way    string
			Inputs int
			Cycles int
			SQNR   float64 `json:"sqnr_db"`
			Layers []struct{ Kernels []string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(out), &report))
	require.Len(t, report.Networks, 2)
	require.Equal(t, 3, report.Networks[1].Inputs)
	require.Equal(t, []string{"mli_krn_fully_connected_fx16", "mli_krn_relu_fx16"}, report.Networks[1].Layers[0].Kernels)
	require.Greater(t, report.Networks[0].SQNR, 30.0)
	require.Greater(t, report.Networks[1].SQNR, 70.0)

	for _, c := range []struct {
		want   string
		status int
		args   []string
	}{
		{args: []string{path}, status: cli.Usage, want: "0 files of representative inputs, the network has 1 inputs (--calibrate)"},
		{args: []string{path, "--calibrate", inputs, "--as", "int9"}, status: cli.Usage, want: `unknown way "int9"`},
		{args: []string{path, "--calibrate", inputs, "--core", "hs38"}, status: cli.Usage, want: `core "hs38" does not run the kernels`},
		{args: []string{path, "--calibrate", inputs, "--stats", "median"}, status: cli.Usage, want: "--stats median: there are minmax"},
		{args: []string{path, "--calibrate", path}, status: cli.Host, want: "no NumPy file"},
		{args: []string{inputs, "--calibrate", inputs}, status: cli.Host, want: "no TensorFlow Lite file"},
		{args: []string{"lenet", "--calibrate", inputs}, status: cli.Host, want: "shape [3 2] does not fit the input input of shape [1 28 28 1]"},
		{args: []string{path, "--calibrate", inputs, "--as", "fx8,fx16", "--advise"}, status: cli.Host, want: "no advice for fx8"},
	} {
		status, _, msg := run(c.args...)
		require.Equal(t, c.status, status, msg)
		require.Contains(t, msg, c.want)
	}
}

// TestQuantizeHandsIntegersOn: a network of bytes without a sign has nothing to quantize; the command says so and writes it as it is,
// or in a form that has words for it.
func TestQuantizeHandsIntegersOn(t *testing.T) {
	dir := t.TempDir()
	path, out := filepath.Join(dir, "bytes.tflite"), filepath.Join(dir, "out.tflite")
	op, ok := golden.Operators().Lookup(nn.TFLite, golden.MaxPool2D)
	require.True(t, ok)
	picture := func(n int) *nn.Tensor {
		return &nn.Tensor{Type: nn.U8, Shape: []int{1, n, n, 2}, Format: nn.Format{Kind: nn.Scaled, Scales: []float32{0.5}, Zeros: []int64{7}}}
	}
	g := &nn.Graph{Values: []nn.Value{{Name: "in", Tensor: picture(4)}, {Name: "out", Tensor: picture(2)}}, Inputs: []int{0}, Outputs: []int{1},
		Nodes: []nn.Node{{Name: "pool", Op: op, In: []int{0}, Out: []int{1}, Rounding: nn.Double,
			Attrs: nn.Attrs{"padding": "VALID", "stride_w": 2, "stride_h": 2, "filter_width": 2, "filter_height": 2}}}}
	require.NoError(t, g.Check())
	data, err := tflite.Write(g)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, data, 0o644))
	var text, msg bytes.Buffer
	require.Zero(t, Main([]string{"model", "quantize", path, "-o", out}, nil, &text, &msg), msg.String())
	require.Equal(t, path+": a network of integers already, there is nothing to quantize: operator 0 MAX_POOL_2D: bytes without a sign, which no way writes\n", text.String())
	written, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Equal(t, data, written)
	text.Reset()
	require.Zero(t, Main([]string{"model", "quantize", path, "-o", filepath.Join(dir, "out.mlir"), "--json"}, nil, &text, &msg), msg.String())
	require.Contains(t, text.String(), `"integers": "a network of integers already`)
	again, err := os.ReadFile(filepath.Join(dir, "out.mlir"))
	require.NoError(t, err)
	require.Contains(t, string(again), `"tflite.MAX_POOL_2D"`)
}
