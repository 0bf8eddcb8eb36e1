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

// graphBuilder makes networks of TensorFlow Lite's operators.
type graphBuilder struct {
	t *testing.T
	g *nn.Graph
}

func (b *graphBuilder) value(x *nn.Tensor, scale float32, zero int64) int {
	if scale != 0 {
		x.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{scale}, Zeros: []int64{zero}}
	}
	b.g.Values = append(b.g.Values, nn.Value{Tensor: x})
	return len(b.g.Values) - 1
}

func (b *graphBuilder) whole(v ...int64) int {
	return b.value(nn.FromInts(nn.I32, []int{len(v)}, v), 0, 0)
}

// node appends an operator with the state that it keeps, and returns its first output.
func (b *graphBuilder) node(name string, attrs nn.Attrs, out []int, in ...int) int {
	op, ok := golden.Operators().Lookup(nn.TFLite, name)
	require.True(b.t, ok, name)
	if attrs == nil {
		attrs = nn.Attrs{}
	}
	tensors := func(list []int) (all []*nn.Tensor) {
		for _, v := range list {
			all = append(all, b.g.Values[v].Tensor)
		}
		return all
	}
	for i, p := range op.Inputs {
		if p.Hidden != nil && len(in) == i {
			b.g.Values = append(b.g.Values, nn.Value{Name: name + " " + p.Role, Variable: true, Tensor: p.Hidden(attrs, tensors(in), tensors(out))})
			in = append(in, len(b.g.Values)-1)
		}
	}
	b.g.Nodes = append(b.g.Nodes, nn.Node{Name: name, Op: op, In: in, Out: out, Attrs: attrs, Rounding: nn.Double})
	return out[0]
}

// streamNetwork has operators that keep samples from run to run, and others that networks have beside them.
func streamNetwork(t *testing.T) *nn.Graph {
	t.Helper()
	b := &graphBuilder{t: t, g: &nn.Graph{}}
	of := func(typ nn.Type, scale float32, zero int64, shape ...int) int {
		return b.value(&nn.Tensor{Type: typ, Shape: shape}, scale, zero)
	}
	samples := func(shape ...int) int { return of(nn.I16, 0, 0, shape...) }
	in, slice, spectrum := samples(1, 32), of(nn.I8, 0.1, 3, 1, 1, 2, 5), of(nn.I32, 0, 0, 1, 34)
	late := b.node("SignalDelay", nn.Attrs{"delay_length": 5}, []int{samples(1, 32)}, in)
	complete, enough := of(nn.Bool, 0, 0, 1), of(nn.Bool, 0, 0, 1)
	frames := b.node("SignalFramer", nn.Attrs{"frame_size": 16, "frame_step": 8, "prefill": false}, []int{samples(1, 4, 16), complete}, late)
	sums := b.node("SignalOverlapAdd", nn.Attrs{"frame_step": 8, "T": 7}, []int{samples(1, 32)}, frames)
	stack := b.node("SignalStacker", nn.Attrs{"num_channels": 32, "stacker_left_context": 1, "stacker_right_context": 1, "stacker_step": 2}, []int{samples(96), enough}, sums)
	kept := b.node("CIRCULAR_BUFFER", nn.Attrs{"cycles_max": 1}, []int{of(nn.I8, 0.1, 3, 1, 4, 2, 5)}, slice)
	along := b.node("CUMSUM", nn.Attrs{"reverse": true}, []int{of(nn.I8, 0.3, -7, 1, 4, 2, 5)}, kept, b.whole(1))
	twice := b.node("ADD_N", nil, []int{of(nn.I8, 0.5, 10, 1, 4, 2, 5)}, along, along, along)
	logarithm := b.node("LOG_SOFTMAX", nil, []int{of(nn.I8, 1.0/16, 127, 1, 4, 2, 5)}, twice)
	wave := b.node("SignalIrfft", nn.Attrs{"fft_length": 32, "T": 2}, []int{of(nn.I32, 0, 0, 1, 32)}, spectrum)
	b.g.Inputs, b.g.Outputs = []int{in, slice, spectrum}, []int{sums, complete, stack, enough, logarithm, wave}
	require.NoError(t, b.g.Check())
	return b.g
}

// TestCompiledStreams: such a network becomes C, every layer a kernel, with the bytes of the golden functions over runs on both
// cores, and with everything at the addresses of a placement.
func TestCompiledStreams(t *testing.T) {
	level.NeedsPlain(t, "builds programs")
	data, err := tflite.Write(streamNetwork(t))
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "streams.tflite")
	require.NoError(t, os.WriteFile(path, data, 0o644))
	g, err := tflite.Read(data, golden.Operators(), nn.Double)
	require.NoError(t, err)
	steps, flags := stepsOf(t, g, 5)
	want := goldenOutputs(t, g, steps)
	require.NotEqual(t, goldenOutputs(t, g, steps[4:]), want[4*len(g.Outputs):], "what a step computes is not what it computes first")
	for _, to := range []target{targets[0], targets[2], {name: "placed", core: "em9d", make: []string{"LDSCRIPT=streams.ld"}}} {
		more := flags
		if to.name == "placed" {
			more = append([]string{"--placed"}, flags...)
		}
		var outputs []string
		for _, line := range compiled(t, to, path, more...) {
			if strings.HasPrefix(line, "output") {
				outputs = append(outputs, line)
			}
		}
		require.Equal(t, want, outputs, to.name)
	}
}

// unsignedNetwork is a network of bytes without a sign, as converters wrote them before there were signed ones: weights with a
// zero point in the middle, a dilated window, a map of twice the size, and every operator that has a kernel of its own for them.
func unsignedNetwork(t *testing.T) *nn.Graph {
	t.Helper()
	r := rand.New(rand.NewPCG(11, 8))
	b := &graphBuilder{t: t, g: &nn.Graph{}}
	activation := func(scale float32, zero int64, shape ...int) int {
		return b.value(&nn.Tensor{Type: nn.U8, Shape: shape}, scale, zero)
	}
	weights := func(shape ...int) int {
		x := nn.New(nn.U8, shape...)
		for i := range x.Ints {
			x.Ints[i] = r.Int64N(256)
		}
		return b.value(x, 0.01, 117)
	}
	node := func(name string, attrs nn.Attrs, out int, in ...int) int {
		return b.node(name, attrs, []int{out}, in...)
	}
	whole := b.whole
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
	b.g.Inputs = []int{in}
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
	b.g.Outputs = []int{row, greatest}
	require.NoError(t, b.g.Check())
	return b.g
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
