package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/nn/tflite"
)

// unsignedNetwork is a network of bytes without a sign, as converters wrote them before there were signed ones: weights with a
// zero point in the middle, a dilated window, a map of twice the size, and every operator that has a kernel of its own for them.
func unsignedNetwork(t *testing.T) *nn.Graph {
	t.Helper()
	r := rand.New(rand.NewPCG(11, 8))
	g := &nn.Graph{}
	value := func(x *nn.Tensor, scale float32, zero int64) int {
		if x.Type == nn.U8 {
			x.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{scale}, Zeros: []int64{zero}}
		}
		g.Values = append(g.Values, nn.Value{Tensor: x})
		return len(g.Values) - 1
	}
	activation := func(scale float32, zero int64, shape ...int) int {
		return value(&nn.Tensor{Type: nn.U8, Shape: shape}, scale, zero)
	}
	weights := func(shape ...int) int {
		x := nn.New(nn.U8, shape...)
		for i := range x.Ints {
			x.Ints[i] = r.Int64N(256)
		}
		return value(x, 0.01, 117)
	}
	whole := func(v ...int64) int { return value(nn.FromInts(nn.I32, []int{len(v)}, v), 0, 0) }
	node := func(name string, attrs nn.Attrs, out int, in ...int) int {
		op, ok := golden.Operators().Lookup(nn.TFLite, name)
		require.True(t, ok, name)
		if attrs == nil {
			attrs = nn.Attrs{}
		}
		g.Nodes = append(g.Nodes, nn.Node{Name: name, Op: op, In: in, Out: []int{out}, Attrs: attrs, Rounding: nn.Double})
		return out
	}
	bias := func(n int) int {
		x := make([]int64, n)
		for i := range x {
			x[i] = r.Int64N(4000) - 2000
		}
		return whole(x...)
	}
	window := func(more nn.Attrs) nn.Attrs {
		a := nn.Attrs{"padding": "SAME", "stride_h": 1, "stride_w": 1}
		for k, v := range more {
			a[k] = v
		}
		return a
	}
	in := activation(0.02, 128, 1, 9, 9, 3)
	g.Inputs = []int{in}
	x := node("CONV_2D", window(nn.Attrs{"fused_activation_function": "RELU6"}), activation(0.03, 0, 1, 9, 9, 8), in, weights(8, 3, 3, 3), bias(8))
	x = node("DEPTHWISE_CONV_2D", window(nn.Attrs{"dilation_h_factor": 2, "dilation_w_factor": 2}), activation(0.05, 90, 1, 9, 9, 8), x, weights(1, 3, 3, 8), bias(8))
	small := node("MAX_POOL_2D", nn.Attrs{"padding": "VALID", "stride_h": 2, "stride_w": 2, "filter_height": 2, "filter_width": 2}, activation(0.05, 90, 1, 4, 4, 8), x)
	twice := node("RESIZE_BILINEAR", nil, activation(0.05, 90, 1, 8, 8, 8), small, whole(8, 8))
	mean := node("AVERAGE_POOL_2D", window(nn.Attrs{"filter_height": 3, "filter_width": 3}), activation(0.05, 90, 1, 8, 8, 8), twice)
	product := node("MUL", nil, activation(0.1, 100, 1, 8, 8, 8), twice, mean)
	sum := node("ADD", nil, activation(0.1, 100, 1, 8, 8, 8), product, mean)
	least := node("MINIMUM", nil, activation(0.1, 100, 1, 8, 8, 8), sum, product)
	greatest := node("MAXIMUM", nil, activation(0.1, 100, 1, 8, 8, 8), least, mean)
	row := node("MEAN", nn.Attrs{"keep_dims": false}, activation(0.02, 60, 1, 8), greatest, whole(1, 2))
	row = node("FULLY_CONNECTED", nil, activation(0.05, 128, 1, 5), row, weights(5, 8), bias(5))
	row = node("SOFTMAX", nn.Attrs{"beta": 1.0}, activation(1.0/256, 0, 1, 5), row)
	g.Outputs = []int{row, greatest}
	require.NoError(t, g.Check())
	return g
}

// TestCompiledUnsigned: a network of bytes without a sign becomes C, every layer a kernel, with the bytes of the golden functions
// on both cores.
func TestCompiledUnsigned(t *testing.T) {
	level.NeedsPlain(t, "builds programs")
	data, err := tflite.Write(unsignedNetwork(t))
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "unsigned.tflite")
	require.NoError(t, os.WriteFile(path, data, 0o644))
	g, err := tflite.Read(data, golden.Operators(), nn.Double)
	require.NoError(t, err)
	steps, flags := stepsOf(t, g, 3)
	for _, to := range []target{targets[0], targets[2]} {
		var outputs []string
		for _, line := range compiled(t, to, path, flags...) {
			if strings.HasPrefix(line, "output") {
				outputs = append(outputs, line)
			}
		}
		require.Equal(t, goldenOutputs(t, g, steps), outputs, to.name)
	}
}
