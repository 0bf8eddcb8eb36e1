package tflite

import (
	"context"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/nn"
	golden "arcv2dsp/nn/internal/golden/tflite"
)

var operators = nn.NewRegistry(golden.Operators())

func operator(name string) *nn.Operator {
	op, ok := operators.Lookup(nn.TFLite, name)
	if !ok {
		panic(name)
	}
	return op
}

func scaled(zero int64, scales ...float32) nn.Format {
	zeros := make([]int64, len(scales))
	for i := range zeros {
		zeros[i] = zero
	}
	return nn.Format{Kind: nn.Scaled, Scales: scales, Zeros: zeros}
}

// mixed is a network with every kind of option, weights of 4 bits, a variable, an absent input and a
// custom operator.
func mixed() *nn.Graph {
	weights := nn.FromInts(nn.I4, []int{3, 1, 1, 2}, []int64{-8, 7, 1, -1, 3, 0})
	weights.Format = scaled(0, 0.5, 0.25, 0.125)
	feature := nn.FromInts(nn.I8, []int{2, 3}, []int64{1, -2, 3, -4, 5, -6})
	feature.Format = scaled(0, 0.5)
	time := nn.FromInts(nn.I8, []int{2, 2}, []int64{1, 2, 3, 4})
	time.Format = scaled(0, 0.5)
	return &nn.Graph{
		Name: "mixed",
		Values: []nn.Value{
			{Name: "in", Tensor: &nn.Tensor{Type: nn.I8, Shape: []int{1, 2, 2, 2}, Format: scaled(-3, 0.5)}},
			{Name: "weights", Tensor: weights},
			{Name: "conv", Tensor: &nn.Tensor{Type: nn.I8, Shape: []int{1, 1, 1, 3}, Format: scaled(4, 0.75)}},
			{Name: "shape", Tensor: nn.FromInts(nn.I32, []int{2}, []int64{1, 3})},
			{Name: "flat", Tensor: &nn.Tensor{Type: nn.I8, Shape: []int{1, 3}, Format: scaled(4, 0.75)}},
			{Name: "feature", Tensor: feature},
			{Name: "time", Tensor: time},
			{Name: "state", Variable: true, Tensor: &nn.Tensor{Type: nn.I8, Shape: []int{1, 4}, Format: scaled(2, 0.25)}},
			{Name: "svdf", Tensor: &nn.Tensor{Type: nn.I8, Shape: []int{1, 2}, Format: scaled(-1, 1)}},
			{Name: "soft", Tensor: &nn.Tensor{Type: nn.I8, Shape: []int{1, 2}, Format: scaled(-128, 1.0/256)}},
			{Name: "samples", Tensor: &nn.Tensor{Type: nn.I16, Shape: []int{2}}},
			{Name: "window", Tensor: nn.FromInts(nn.I16, []int{2}, []int64{4096, -2048})},
			{Name: "windowed", Tensor: &nn.Tensor{Type: nn.I16, Shape: []int{2}}},
		},
		Nodes: []nn.Node{
			{Name: "operator 0 CONV_2D", Op: operator("CONV_2D"), Rounding: nn.Double, In: []int{0, 1}, Out: []int{2},
				Attrs: nn.Attrs{"padding": "VALID", "stride_w": 2, "stride_h": 2, "fused_activation_function": "RELU6",
					"dilation_w_factor": 3, "quantized_bias_type": nn.I32}},
			{Name: "operator 1 RESHAPE", Op: operator("RESHAPE"), Rounding: nn.Double, In: []int{2, 3}, Out: []int{4},
				Attrs: nn.Attrs{"new_shape": []int{-1, 3}}},
			{Name: "operator 2 SVDF", Op: operator("SVDF"), Rounding: nn.Double, In: []int{4, 5, 6, nn.Absent, 7}, Out: []int{8},
				Attrs: nn.Attrs{"rank": 1}},
			{Name: "operator 3 SOFTMAX", Op: operator("SOFTMAX"), Rounding: nn.Double, In: []int{8}, Out: []int{9},
				Attrs: nn.Attrs{"beta": 1.5}},
			{Name: "operator 4 SignalWindow", Op: operator("SignalWindow"), Rounding: nn.Double, In: []int{10, 11}, Out: []int{12},
				Attrs: nn.Attrs{"shift": 12}},
		},
		Inputs: []int{0, 10}, Outputs: []int{9, 12},
	}
}

func written(t testing.TB) []byte {
	g := mixed()
	require.NoError(t, g.Check())
	data, err := Write(g)
	require.NoError(t, err)
	return data
}

func TestWriteAndReadAreInverse(t *testing.T) {
	g := mixed()
	require.NoError(t, g.Check())
	data := written(t)
	back, err := Read(data, operators, nn.Double)
	require.NoError(t, err)
	require.Equal(t, g, back)
	again, err := Write(back)
	require.NoError(t, err)
	require.Equal(t, data, again)
}

// The numbers were worked out by hand: (x+3) * w summed over two channels, times the scales.
func TestReadNetworkRuns(t *testing.T) {
	g, err := Read(written(t), operators, nn.Double)
	require.NoError(t, err)
	s := nn.NewSession(g, nn.GoldenExecutor{})
	conv := []int64{}
	s.After = func(node int, c *nn.Call) error {
		if node == 0 {
			conv = c.Out[0].Ints
		}
		return nil
	}
	in := nn.FromInts(nn.I8, []int{1, 2, 2, 2}, []int64{1, 7, 9, 9, 9, 9, 9, 9})
	out, err := s.Run(context.Background(), []*nn.Tensor{in, nn.FromInts(nn.I16, []int{2}, []int64{100, 101})})
	require.NoError(t, err)
	// Sums 4*-8+10*7 = 38, 4-10 = -6, 12; factors 1/3, 1/6, 1/12: 12.67, -1, 1; zero point 4; RELU6 to 4..12.
	require.Equal(t, []int64{12, 4, 5}, conv)
	require.Equal(t, []int64{100, -51}, out[1].Ints)
}

func TestFlexMapsAreInverse(t *testing.T) {
	want := map[string]any{"shift": 12, "negative": -5, "clamping": true, "no": false}
	got, err := parseFlexMap(formatFlexMap(want))
	require.NoError(t, err)
	require.Equal(t, want, got)
	// A map of one entry as other writers pack it, in bytes: {"a": 7}.
	got, err = parseFlexMap([]byte{'a', 0, 1, 3, 1, 1, 1, 7, byte(flexInt) << 2, 2, byte(flexMap) << 2, 1})
	require.NoError(t, err)
	require.Equal(t, map[string]any{"a": 7}, got)
}

func TestReadSaysWhatIsWrong(t *testing.T) {
	// damaged writes a changed network without checking it.
	damaged := func(change func(g *nn.Graph)) []byte {
		g := mixed()
		change(g)
		data, err := Write(g)
		require.NoError(t, err)
		return data
	}
	unknown := &nn.Operator{Library: nn.TFLite, Name: "LSTM"}
	foreign := &nn.Operator{Library: nn.TFLite, Name: "MyOperator"}
	for _, c := range []struct {
		name, want string
		data       []byte
	}{
		{name: "empty", data: nil, want: `bytes 4 to 7 are not "TFL3"`},
		{name: "other file", data: []byte("\x7fELF............"), want: "no TensorFlow Lite file"},
		{name: "no root", data: []byte("\xff\xff\xff\x7fTFL3"), want: "go beyond the"},
		{name: "version", data: patched(t, written(t), modelVersion, 4), want: "version 4 of the format"},
		{name: "unknown operator", want: "operator 1 LSTM at offset",
			data: damaged(func(g *nn.Graph) { g.Nodes[1].Op = unknown })},
		{name: "custom operator", want: "operator 4 MyOperator at offset",
			data: damaged(func(g *nn.Graph) { g.Nodes[4].Op = foreign })},
		{name: "used before", want: "operator 0 CONV_2D: value flat is used before it is computed",
			data: damaged(func(g *nn.Graph) { g.Nodes[0].In[0] = 4 })},
		{name: "types", want: "operator 0 CONV_2D: types: no combination of types u8,i4,i8",
			data: damaged(func(g *nn.Graph) { g.Values[0].Tensor.Type = nn.U8 })},
		{name: "shape", want: "shape: out is [1 1 1 4], it must be [1 1 1 3]",
			data: damaged(func(g *nn.Graph) { g.Values[2].Tensor.Shape = []int{1, 1, 1, 4} })},
		{name: "contents", want: `the buffer has 3 bytes, i4[3 1 1 20] needs 30`,
			data: damaged(func(g *nn.Graph) { g.Values[1].Tensor.Shape = []int{3, 1, 1, 20} })},
		{name: "dimension", want: "dimension 1 is -1",
			data: damaged(func(g *nn.Graph) { g.Values[0].Tensor.Shape = []int{1, -1, 2, 2} })},
		{name: "huge", want: "more than 67108864 elements",
			data: damaged(func(g *nn.Graph) { g.Values[0].Tensor.Shape = []int{1 << 27} })},
		{name: "scale", want: "scale 0 is -1",
			data: damaged(func(g *nn.Graph) { g.Values[1].Tensor.Format = scaled(0, -1) })},
		{name: "zero point", want: "zero point 1099511627776 has more than 32 bits",
			data: damaged(func(g *nn.Graph) { g.Values[1].Tensor.Format = scaled(1<<40, 1) })},
		{name: "operator code", want: "there is no operator code 1", data: oneCode(written(t))},
		{name: "stride", want: "stride 0",
			data: damaged(func(g *nn.Graph) { g.Nodes[0].Attrs["stride_w"] = 0 })},
	} {
		_, err := Read(c.data, operators, nn.Double)
		require.ErrorContains(t, err, c.want, c.name)
	}
}

// oneCode shortens the list of operator codes to its first.
func oneCode(data []byte) []byte {
	root := binary.LittleEndian.Uint32(data)
	slots := root - binary.LittleEndian.Uint32(data[root:])
	at := root + uint32(binary.LittleEndian.Uint16(data[slots+4+2*modelOperatorCodes:]))
	binary.LittleEndian.PutUint32(data[at+binary.LittleEndian.Uint32(data[at:]):], 1)
	return data
}

// patched changes a 32-bit field of the root table.
func patched(t *testing.T, data []byte, slot int, v uint32) []byte {
	root := binary.LittleEndian.Uint32(data)
	slots := root - binary.LittleEndian.Uint32(data[root:])
	field := binary.LittleEndian.Uint16(data[slots+4+2*uint32(slot):])
	require.NotZero(t, field)
	binary.LittleEndian.PutUint32(data[root+uint32(field):], v)
	return data
}

func TestEveryTruncationIsAnError(t *testing.T) {
	data := written(t)
	for n := range len(data) - 1 {
		_, err := Read(data[:n], operators, nn.Double)
		if err == nil {
			// Only padding and the last bytes of the last buffer's table may be missing unnoticed.
			require.Greater(t, n, len(data)-16)
		}
	}
}

func TestEveryOperatorWithAttributesHasOptions(t *testing.T) {
	for _, op := range operators.All() {
		row, ok := optionsOf(op.Name)
		if !slices.Contains(builtins, op.Name) { // files name custom operators
			require.False(t, ok, op.Name)
			continue
		}
		for _, a := range op.Attrs {
			found := false
			for _, f := range row.fields {
				found = found || f.name == a.Name
			}
			require.True(t, found, "%s: attribute %s is no option of the format", op.Name, a.Name)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(written(f))
	f.Add(counter("state"))
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := Read(data, operators, nn.Double)
		if err != nil {
			return
		}
		again, err := Write(g)
		if err != nil {
			return
		}
		_, err = Read(again, operators, nn.Double)
		require.NoError(t, err)
	})
}
