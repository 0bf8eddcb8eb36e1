package floats

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/tflite"
)

func filled(shape []int, values ...float32) *nn.Tensor {
	return &nn.Tensor{Type: nn.F32, Shape: shape, Floats: values}
}

// integers are numbers of dimensions.
func integers(v ...int64) *nn.Tensor { return nn.FromInts(nn.I32, []int{len(v)}, v) }

func run(t *testing.T, name string, attrs nn.Attrs, out []int, in ...*nn.Tensor) ([]float32, error) {
	t.Helper()
	op, ok := nn.NewRegistry(Operators()).Lookup(nn.TFLite, name)
	require.True(t, ok)
	c := &nn.Call{Op: op, Attrs: attrs, In: in, Out: []*nn.Tensor{{Type: nn.F32, Shape: out}}}
	if err := c.Prepare(); err != nil {
		return nil, err
	}
	err := c.Run()
	return c.Out[0].Floats, err
}

// TestLayersByHand: sums small enough to be done on paper.
func TestLayersByHand(t *testing.T) {
	same := nn.Attrs{"padding": "SAME", "stride_h": 1, "stride_w": 1}
	picture := filled([]int{1, 2, 2, 1}, 1, 2, 3, 4)
	for _, c := range []struct {
		op    string
		attrs nn.Attrs
		in    []*nn.Tensor
		out   []int
		want  []float32
	}{
		// Windows of 2 by 2 begin at the cell and hang over the right and lower edges.
		{op: Conv2D, attrs: same, in: []*nn.Tensor{picture, filled([]int{1, 2, 2, 1}, 1, 10, 100, 1000), filled([]int{1}, 0.5)},
			out: []int{1, 2, 2, 1}, want: []float32{4321.5, 402.5, 43.5, 4.5}},
		{op: Conv2D, attrs: nn.Attrs{"padding": "VALID", "stride_h": 1, "stride_w": 1, "dilation_w_factor": 2, "fused_activation_function": "RELU6"},
			in:  []*nn.Tensor{filled([]int{1, 1, 4, 1}, 1, 2, 3, 4), filled([]int{1, 1, 2, 1}, -1, 2)},
			out: []int{1, 1, 2, 1}, want: []float32{5, 6}},
		{op: DepthwiseConv2D, attrs: nn.Attrs{"padding": "VALID", "stride_h": 1, "stride_w": 1},
			in:  []*nn.Tensor{filled([]int{1, 1, 2, 2}, 1, 2, 3, 4), filled([]int{1, 1, 2, 4}, 1, 2, 3, 4, 5, 6, 7, 8)},
			out: []int{1, 1, 1, 4}, want: []float32{1 + 15, 2 + 18, 6 + 28, 8 + 32}},
		{op: FullyConnected, in: []*nn.Tensor{filled([]int{2, 2}, 1, 2, 3, 4), filled([]int{3, 2}, 1, 0, 0, 1, 1, -1)},
			out: []int{2, 3}, want: []float32{1, 2, -1, 3, 4, -1}},
		{op: AveragePool2D, attrs: nn.Attrs{"padding": "SAME", "stride_h": 1, "stride_w": 1, "filter_height": 2, "filter_width": 2},
			in: []*nn.Tensor{picture}, out: []int{1, 2, 2, 1}, want: []float32{2.5, 3, 3.5, 4}},
		{op: MaxPool2D, attrs: nn.Attrs{"padding": "VALID", "stride_h": 1, "stride_w": 1, "filter_height": 2, "filter_width": 1},
			in: []*nn.Tensor{picture}, out: []int{1, 1, 2, 1}, want: []float32{3, 4}},
		{op: Relu6, in: []*nn.Tensor{filled([]int{3}, -1, 2, 7)}, out: []int{3}, want: []float32{0, 2, 6}},
		{op: Softmax, attrs: nn.Attrs{"beta": math.Ln2}, in: []*nn.Tensor{filled([]int{2, 2}, 1, 3, 500, 500)}, out: []int{2, 2},
			want: []float32{0.2, 0.8, 0.5, 0.5}},
		{op: Logistic, in: []*nn.Tensor{filled([]int{2}, 0, -1e4)}, out: []int{2}, want: []float32{0.5, 0}},
		{op: LeakyRelu, attrs: nn.Attrs{"alpha": 0.25}, in: []*nn.Tensor{filled([]int{3}, -4, 0, 4)}, out: []int{3}, want: []float32{-1, 0, 4}},
		{op: HardSwish, in: []*nn.Tensor{filled([]int{4}, -4, -1, 1, 6)}, out: []int{4}, want: []float32{0, -1.0 / 3, 4.0 / 6, 6}},
		{op: L2Normalization, in: []*nn.Tensor{filled([]int{2, 2}, 3, -4, 0, 0)}, out: []int{2, 2}, want: []float32{0.6, -0.8, 0, 0}},
		{op: Add, attrs: nn.Attrs{"fused_activation_function": "RELU6"}, in: []*nn.Tensor{filled([]int{2, 2}, 1, -5, 3, 4), filled([]int{2}, 1, 3)},
			out: []int{2, 2}, want: []float32{2, 0, 4, 6}},
		{op: Sub, in: []*nn.Tensor{filled([]int{1, 2}, 10, 20), filled([]int{2, 1}, 1, 2)}, out: []int{2, 2}, want: []float32{9, 19, 8, 18}},
		{op: Mul, in: []*nn.Tensor{filled([]int{2}, 3, -2), filled(nil, 0.5)}, out: []int{2}, want: []float32{1.5, -1}},
		{op: Div, in: []*nn.Tensor{filled([]int{2}, 3, -2), filled([]int{2}, 2, 4)}, out: []int{2}, want: []float32{1.5, -0.5}},
		{op: Maximum, in: []*nn.Tensor{filled([]int{2}, 3, -2), filled([]int{2}, 2, 4)}, out: []int{2}, want: []float32{3, 4}},
		{op: Minimum, in: []*nn.Tensor{filled([]int{2}, 3, -2), filled([]int{2}, 2, 4)}, out: []int{2}, want: []float32{2, -2}},
		{op: Mean, in: []*nn.Tensor{filled([]int{1, 2, 2, 2}, 1, 10, 2, 20, 3, 30, 6, 40), integers(1, 2)}, out: []int{1, 2}, want: []float32{3, 25}},
		{op: Sum, attrs: nn.Attrs{"keep_dims": true}, in: []*nn.Tensor{filled([]int{2, 2}, 1, 2, 3, 4), integers(-1)}, out: []int{2, 1}, want: []float32{3, 7}},
		{op: PRelu, in: []*nn.Tensor{filled([]int{2, 2}, -2, 3, -4, -5), filled([]int{2}, 0.5, 2)}, out: []int{2, 2}, want: []float32{-1, 3, -2, -10}},
		// Two cells spread over three by windows of two, one apart: the middle takes both.
		{op: TransposeConv, attrs: nn.Attrs{"padding": "VALID", "stride_h": 1, "stride_w": 1}, in: []*nn.Tensor{integers(1, 1, 3, 2),
			filled([]int{2, 1, 2, 1}, 1, 10, 100, 1000), filled([]int{1, 1, 2, 1}, 2, 3), filled([]int{2}, 0.5, 0)},
			out: []int{1, 1, 3, 2}, want: []float32{2.5, 200, 23.5, 2300, 30.5, 3000}},
		// Rows of a with the columns of b written as rows; the second matrix takes the same b.
		{op: BatchMatmul, attrs: nn.Attrs{"adj_y": true}, in: []*nn.Tensor{filled([]int{2, 1, 2}, 1, 2, 3, 4), filled([]int{1, 2, 2}, 1, 10, 0, 1)},
			out: []int{2, 1, 2}, want: []float32{21, 2, 43, 4}},
		{op: BatchMatmul, attrs: nn.Attrs{"adj_x": true}, in: []*nn.Tensor{filled([]int{2, 1}, 1, 2), filled([]int{2, 2}, 3, 4, 5, 6)},
			out: []int{1, 2}, want: []float32{13, 16}},
		{op: ResizeNearest, in: []*nn.Tensor{picture, integers(1, 4)}, out: []int{1, 1, 4, 1}, want: []float32{1, 1, 2, 2}},
		{op: ResizeNearest, attrs: nn.Attrs{"align_corners": true}, in: []*nn.Tensor{filled([]int{1, 1, 3, 1}, 1, 2, 3), integers(1, 2)}, out: []int{1, 1, 2, 1}, want: []float32{1, 3}},
		{op: ResizeBilinear, in: []*nn.Tensor{picture, integers(4, 2)}, out: []int{1, 4, 2, 1}, want: []float32{1, 2, 2, 3, 3, 4, 3, 4}},
		{op: ResizeBilinear, attrs: nn.Attrs{"half_pixel_centers": true}, in: []*nn.Tensor{filled([]int{1, 1, 2, 1}, 0, 4), integers(1, 4)}, out: []int{1, 1, 4, 1}, want: []float32{0, 1, 3, 4}},
		{op: ResizeBilinear, attrs: nn.Attrs{"align_corners": true}, in: []*nn.Tensor{filled([]int{1, 1, 2, 1}, 0, 4), integers(1, 3)}, out: []int{1, 1, 3, 1}, want: []float32{0, 2, 4}},
		// Levels of 0.5 from -1 to 0.5: two bits; 0.3 lies nearer to 0.5 than to 0.
		{op: FakeQuant, attrs: nn.Attrs{"min": -1.0, "max": 0.5, "num_bits": 2}, in: []*nn.Tensor{filled([]int{4}, -7, -0.3, 0.3, 7)}, out: []int{4},
			want: []float32{-1, -0.5, 0.5, 0.5}},
		// Weights of a hybrid network: 4 and -2 steps of 0.25.
		{op: FullyConnected, in: []*nn.Tensor{filled([]int{1, 2}, 3, 5), {Type: nn.I8, Shape: []int{1, 2}, Ints: []int64{4, -2},
			Format: nn.Format{Kind: nn.Scaled, Scales: []float32{0.25}}}}, out: []int{1, 1}, want: []float32{0.5}},
	} {
		got, err := run(t, c.op, c.attrs, c.out, c.in...)
		require.NoError(t, err, c.op)
		require.InDeltaSlice(t, c.want, got, 1e-6, c.op)
	}
}

func TestShapesThatDoNotFit(t *testing.T) {
	same := nn.Attrs{"padding": "SAME", "stride_h": 1, "stride_w": 1}
	picture := filled([]int{1, 2, 2, 1}, 1, 2, 3, 4)
	for _, c := range []struct {
		op, want string
		attrs    nn.Attrs
		in       []*nn.Tensor
		out      []int
	}{
		{op: Conv2D, attrs: same, in: []*nn.Tensor{picture, filled([]int{1, 1, 1, 2}, 1, 1)}, out: []int{1, 2, 2, 1},
			want: "weights [1 1 1 2] do not fit an input of [1 2 2 1]"},
		{op: Conv2D, attrs: same, in: []*nn.Tensor{picture, filled([]int{1, 1, 1, 1}, 1)}, out: []int{1, 2, 1, 1},
			want: "the output is [1 2 1 1], it must be [1 2 2 1]"},
		{op: Conv2D, attrs: nn.Attrs{"padding": "VALID", "stride_h": 0, "stride_w": 1}, in: []*nn.Tensor{picture, filled([]int{1, 1, 1, 1}, 1)},
			out: []int{1, 2, 2, 1}, want: "kernel 1, stride 0, dilation 1: they must be positive"},
		{op: FullyConnected, in: []*nn.Tensor{filled([]int{1, 3}, 1, 2, 3), filled([]int{1, 2}, 1, 1)}, out: []int{1, 1},
			want: "weights [1 2] do not fit an input of [1 3]"},
		{op: FullyConnected, attrs: nn.Attrs{"fused_activation_function": "TANH"},
			in: []*nn.Tensor{filled([]int{1, 1}, 1), filled([]int{1, 1}, 1)}, out: []int{1, 1}, want: "a fused TANH is not supported"},
		{op: Relu, in: []*nn.Tensor{nn.New(nn.I8, 2)}, out: []int{2}, want: "elements of i8 in a network of floats"},
		{op: Softmax, in: []*nn.Tensor{filled(nil, 1)}, out: nil, want: "the output is [], the input []"},
		{op: ResizeNearest, in: []*nn.Tensor{picture, filled([]int{2}, 2, 2)}, out: []int{1, 2, 2, 1}, want: "size has elements of f32, it must have i32"},
		{op: ResizeBilinear, in: []*nn.Tensor{picture, integers(2, 3)}, out: []int{1, 2, 2, 1}, want: "the output is [1 2 2 1], the network asks for [2 3]"},
		{op: TransposeConv, attrs: same, in: []*nn.Tensor{integers(1, 2, 2, 1), filled([]int{1, 1, 1, 1}, 1), picture}, out: []int{1, 3, 2, 1},
			want: "the output is [1 3 2 1], the network asks for [1 2 2 1]"},
		{op: BatchMatmul, in: []*nn.Tensor{filled([]int{2, 1}, 1, 2), filled([]int{2, 2}, 3, 4, 5, 6)}, out: []int{2, 2}, want: "1 columns of a, 2 rows of b"},
	} {
		_, err := run(t, c.op, c.attrs, c.out, c.in...)
		require.ErrorContains(t, err, c.want, c.op)
	}
}

// TestLSTMByHand: with weights of zero the gates are those of their biases: one half for three of them, tanh(1) for the cell gate.
// A second network's hidden state opens its output gate.
func TestLSTMByHand(t *testing.T) {
	sigmoid := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	for _, recurrent := range []float32{0, 2} {
		in := make([]*nn.Tensor, tflite.LSTMPorts)
		in[tflite.LSTMIn] = filled([]int{1, 2, 1}, 5, 5)
		for g := range tflite.Gates {
			in[tflite.LSTMWeights+g], in[tflite.LSTMRecurrent+g], in[tflite.LSTMBias+g] = filled([]int{1, 1}, 0), filled([]int{1, 1}, 0), filled([]int{1}, 0)
		}
		in[tflite.LSTMBias+tflite.CellGate].Floats[0] = 1
		in[tflite.LSTMBias+tflite.ForgetGate].Floats[0] = -1
		in[tflite.LSTMRecurrent+tflite.OutputGate].Floats[0] = recurrent
		in[tflite.LSTMHidden], in[tflite.LSTMCell] = filled([]int{1, 1}, 0), filled([]int{1, 1}, 0.5)
		got, err := run(t, LSTM, nn.Attrs{"fused_activation_function": "TANH"}, []int{1, 2, 1}, in...)
		require.NoError(t, err)
		cell := sigmoid(-1)*0.5 + 0.5*math.Tanh(1)
		first := math.Tanh(cell) / 2
		cell = sigmoid(-1)*cell + 0.5*math.Tanh(1)
		second := math.Tanh(cell) * sigmoid(float64(recurrent)*first)
		require.InDelta(t, first, got[0], 1e-6)
		require.InDelta(t, second, got[1], 1e-6)
		require.InDelta(t, cell, in[tflite.LSTMCell].Floats[0], 1e-6)
		require.Equal(t, got[1], in[tflite.LSTMHidden].Floats[0])
	}
}

// TestSVDFByHand: two filters for one output keep two samples each; the first run has samples of zero before it.
func TestSVDFByHand(t *testing.T) {
	in := []*nn.Tensor{filled([]int{1, 1}, 3), filled([]int{2, 1}, 1, -1), filled([]int{2, 2}, 10, 1, 0, 100), filled([]int{1}, 0.5), filled([]int{1, 4}, 0, 0, 0, 0)}
	for turn, want := range []float32{3 - 300 + 0.5, 30 + 5 - 500 + 0.5} {
		in[0].Floats[0] = float32(3 + 2*turn)
		got, err := run(t, SVDF, nn.Attrs{"rank": 2}, []int{1, 1}, in...)
		require.NoError(t, err)
		require.Equal(t, []float32{want}, got)
	}
	require.Equal(t, []float32{3, 5, -3, -5}, in[SVDFState].Floats)
	got, err := run(t, SVDF, nn.Attrs{"rank": 2, "fused_activation_function": "RELU"}, []int{1, 1}, in...)
	require.NoError(t, err)
	require.Equal(t, []float32{0}, got)
	_, err = run(t, SVDF, nn.Attrs{"rank": 3}, []int{1, 1}, in...)
	require.ErrorContains(t, err, "2 filters, 3 to an output")
}
