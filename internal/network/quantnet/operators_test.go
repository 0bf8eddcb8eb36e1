package quantnet

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/nn/tflite"
	"arcv2dsp/quant"
)

// lone is a network of one operator on a picture and constants, with three inputs for it.
type lone struct {
	op     string
	attrs  nn.Attrs
	in     []int        // the picture
	rest   []*nn.Tensor // other inputs; nil for none
	first  bool         // the constants come before the picture
	out    []int
	halves bool // 16 bits have it, too
}

// network makes the graph. States are variables.
func (l *lone) network(t *testing.T) (*nn.Graph, [][]*nn.Tensor) {
	t.Helper()
	b := &sampler{graph: &nn.Graph{Name: l.op}, random: rand.New(rand.NewPCG(3, 4))}
	x := b.input(l.in...)
	op, ok := golden.Floats().Lookup(nn.TFLite, l.op)
	require.True(t, ok, l.op)
	var in []int
	for _, c := range l.rest {
		v := nn.Absent
		if c != nil {
			v = b.value("constant", c)
		}
		in = append(in, v)
	}
	at := 0
	if l.first {
		at = 2
	}
	in = append(in[:at], append([]int{x}, in[at:]...)...)
	for k, v := range in {
		if op.Inputs[min(k, len(op.Inputs)-1)].State {
			b.graph.Values[v].Variable = true
		}
	}
	b.graph.Outputs = []int{b.node(l.op, l.op, l.attrs, in, l.out)}
	require.NoError(t, b.graph.Check(), l.op)
	var runs [][]*nn.Tensor
	for range 3 {
		runs = append(runs, []*nn.Tensor{b.picture(l.in)})
	}
	return b.graph, runs
}

// seeded is a constant of noise about a mean.
func seeded(mean float64, shape ...int) *nn.Tensor {
	random, t := rand.New(rand.NewPCG(uint64(nn.Count(shape)), 1)), nn.New(nn.F32, shape...)
	for i := range t.Floats {
		t.Floats[i] = float32(mean + random.NormFloat64()/2)
	}
	return t
}

func whole(v ...int64) *nn.Tensor { return nn.FromInts(nn.I32, []int{len(v)}, v) }

var lones = []lone{
	{op: golden.TransposeConv, attrs: nn.Attrs{"padding": "SAME", "stride_h": 2, "stride_w": 2}, in: []int{1, 3, 4, 2}, first: true, halves: true,
		rest: []*nn.Tensor{whole(1, 6, 8, 3), seeded(0, 3, 3, 3, 2), seeded(0, 3)}, out: []int{1, 6, 8, 3}},
	{op: golden.TransposeConv, attrs: nn.Attrs{"padding": "VALID", "stride_h": 1, "stride_w": 1}, in: []int{1, 3, 4, 2}, first: true, halves: true,
		rest: []*nn.Tensor{whole(1, 4, 5, 3), seeded(0, 3, 2, 2, 2)}, out: []int{1, 4, 5, 3}},
	{op: golden.BatchMatmul, attrs: nn.Attrs{"adj_y": true}, in: []int{2, 3, 8}, rest: []*nn.Tensor{seeded(0, 1, 5, 8)}, out: []int{2, 3, 5}, halves: true},
	{op: golden.ResizeBilinear, attrs: nn.Attrs{"half_pixel_centers": true}, in: []int{1, 4, 5, 3}, rest: []*nn.Tensor{whole(8, 7)}, out: []int{1, 8, 7, 3}},
	{op: golden.ResizeNearest, in: []int{1, 4, 5, 3}, rest: []*nn.Tensor{whole(8, 10)}, out: []int{1, 8, 10, 3}, halves: true},
	{op: golden.PRelu, in: []int{1, 4, 4, 6}, rest: []*nn.Tensor{seeded(0.3, 1, 1, 6)}, out: []int{1, 4, 4, 6}},
	{op: golden.SVDF, attrs: nn.Attrs{"rank": 2}, in: []int{1, 9}, rest: []*nn.Tensor{seeded(0, 8, 9), seeded(0, 8, 5), seeded(0, 4), nn.New(nn.F32, 1, 40)}, out: []int{1, 4}},
	{op: golden.SVDF, attrs: nn.Attrs{"rank": 1, fusedAttr: "RELU"}, in: []int{1, 9}, rest: []*nn.Tensor{seeded(0, 8, 9), seeded(0, 8, 5), nil, nn.New(nn.F32, 1, 40)}, out: []int{1, 8}},
	{op: "REDUCE_MAX", in: []int{1, 4, 4, 6}, rest: []*nn.Tensor{whole(1, 2)}, out: []int{1, 6}, halves: true},
	{op: "REDUCE_MIN", attrs: nn.Attrs{"keep_dims": true}, in: []int{1, 4, 4, 6}, rest: []*nn.Tensor{whole(-1)}, out: []int{1, 4, 4, 1}, halves: true},
	{op: "SPACE_TO_DEPTH", attrs: nn.Attrs{"block_size": 2}, in: []int{1, 4, 4, 2}, out: []int{1, 2, 2, 8}},
	{op: "DEPTH_TO_SPACE", attrs: nn.Attrs{"block_size": 2}, in: []int{1, 2, 2, 8}, out: []int{1, 4, 4, 2}},
	{op: "ABS", in: []int{1, 30}, out: []int{1, 30}},
	{op: "ELU", in: []int{1, 30}, out: []int{1, 30}},
	{op: "GELU", in: []int{1, 30}, out: []int{1, 30}},
}

// TestLoneOperators: each operator becomes bytes, and halves where there are some, runs on the core, and loses no more than its way
// does. A file of the network has the same bytes again when it is read and written, and gives the same integers; so does the network
// that is made of it once more.
func TestLoneOperators(t *testing.T) {
	for _, l := range lones {
		g, in := l.network(t)
		for _, name := range []string{"int8", "16x8"} {
			if name == "16x8" && !l.halves {
				continue
			}
			way, err := ParseWay(name)
			require.NoError(t, err)
			ranges, err := Calibrate(context.Background(), g, in, "minmax", way.Data)
			require.NoError(t, err, l.op)
			n, err := Quantize(g, ranges, func(int) *Way { return way })
			require.NoError(t, err, l.op)
			r, err := n.Measure(context.Background(), Data{Inputs: in}, em9d)
			require.NoError(t, err, l.op)
			require.Zero(t, r.Host, l.op)
			require.Greater(t, r.Output.SQNR, 25.0, "%s as %s", l.op, name)
			file, err := n.File(".tflite")
			require.NoError(t, err, l.op)
			back, err := tflite.Read(file, golden.Operators(), nn.Double)
			require.NoError(t, err, l.op)
			again, err := tflite.Write(back)
			require.NoError(t, err, l.op)
			require.Equal(t, file, again, l.op)
			taken, fixed, err := FloatsOf(back)
			require.NoError(t, err, l.op)
			ranges, err = Calibrate(context.Background(), taken, in, "minmax", way.Data)
			require.NoError(t, err, l.op)
			same, err := Quantize(taken, Fix(ranges, fixed), func(int) *Way { return way })
			require.NoError(t, err, l.op)
			wrote := nn.NewSession(n.Graph, nn.GoldenExecutor{})
			others := []*nn.Session{nn.NewSession(back, nn.GoldenExecutor{}), nn.NewSession(same.Graph, nn.GoldenExecutor{})}
			for _, x := range in {
				q := []*nn.Tensor{n.Input(0, x[0])}
				want, err := wrote.Run(context.Background(), q)
				require.NoError(t, err)
				for _, other := range others {
					got, err := other.Run(context.Background(), q)
					require.NoError(t, err)
					require.NoError(t, nn.Difference(got[0], want[0]), l.op)
				}
			}
		}
	}
}

// TestGivenWeightsStay: bytes that do not use their whole range keep their scale.
func TestGivenWeightsStay(t *testing.T) {
	w := nn.FromInts(nn.I8, []int{1, 2}, []int64{50, -3})
	w.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{0.5}, Zeros: []int64{0}}
	b := &builder{float: &nn.Graph{Values: []nn.Value{{Name: "w", Tensor: w}}}, ranges: []Range{{Lo: -1.5, Hi: 25}}}
	same, err := b.gateWeights(0, quant.Int8)
	require.NoError(t, err)
	require.Same(t, w, same)
	wide, err := b.gateWeights(0, quant.Int16)
	require.NoError(t, err)
	require.Equal(t, nn.I16, wide.Type)
	require.InDelta(t, -1.5, wide.Value(1), 1e-3)
}

// several is a network of what MLI has on several tensors, with means and slopes.
func several(t *testing.T) (*nn.Graph, [][]*nn.Tensor) {
	t.Helper()
	b := &sampler{graph: &nn.Graph{Name: "several"}, random: rand.New(rand.NewPCG(6, 7))}
	x := b.input(1, 4, 5, 3)
	shape := []int{1, 4, 5, 3}
	scaled := b.node("scaled", golden.Mul, nn.Attrs{fusedAttr: "NONE"}, []int{x, b.value("factors", seeded(3, 3))}, shape)
	sum := b.node("sum", golden.Add, nn.Attrs{fusedAttr: "RELU"}, []int{scaled, x}, shape)
	rest := b.node("rest", golden.Sub, nn.Attrs{fusedAttr: "NONE"}, []int{sum, b.value("offsets", seeded(0.5, 1, 1, 1, 3))}, shape)
	most := b.node("most", golden.Maximum, nil, []int{rest, b.value("level", &nn.Tensor{Type: nn.F32, Shape: []int{1}, Floats: []float32{0.125}})}, shape)
	joined := b.node("joined", golden.Concatenation, nn.Attrs{"axis": -1}, []int{most, scaled}, []int{1, 4, 5, 6})
	leaky := b.node("leaky", golden.LeakyRelu, nn.Attrs{"alpha": 0.25}, []int{joined}, []int{1, 4, 5, 6})
	mean := b.node("mean", golden.Mean, nil, []int{leaky, b.value("dimensions", whole(1, 2))}, []int{1, 6})
	b.graph.Outputs = []int{b.dense("dense", mean, 6, 4, "NONE")}
	require.NoError(t, b.graph.Check())
	var in [][]*nn.Tensor
	for range 3 {
		in = append(in, []*nn.Tensor{b.picture(shape)})
	}
	return b.graph, in
}

// TestSeveralTensorsInMLI: products with a constant, sums and extremes in one format, means and slopes run in kernels, and their text
// is read again with the same integers. What MLI lacks is said.
func TestSeveralTensorsInMLI(t *testing.T) {
	g, in := several(t)
	for name, least := range map[string]float64{"fx8": 25, "fx16": 70, "fx16x8": 30} {
		way, err := ParseWay(name)
		require.NoError(t, err)
		ranges, err := Calibrate(context.Background(), g, in, "minmax", way.Data)
		require.NoError(t, err)
		n, err := Quantize(g, ranges, func(int) *Way { return way })
		require.NoError(t, err)
		r, err := n.Measure(context.Background(), Data{Inputs: in}, em9d)
		require.NoError(t, err)
		require.Zero(t, r.Host, name)
		require.Greater(t, r.Output.SQNR, least, name)
		text, err := n.File(".mlir")
		require.NoError(t, err)
		back, err := ReadText("several.mlir", text)
		require.NoError(t, err)
		for _, x := range in {
			q := []*nn.Tensor{n.Input(0, x[0])}
			want, err := nn.NewSession(n.Graph, nn.GoldenExecutor{}).Run(context.Background(), q)
			require.NoError(t, err)
			got, err := nn.NewSession(back, nn.GoldenExecutor{}).Run(context.Background(), q)
			require.NoError(t, err)
			require.Equal(t, want[0].Ints, got[0].Ints, name)
		}
	}
	_, err := everyWay(t, g, in, "sa8")
	require.ErrorContains(t, err, "scaled as sa8: MLI has no MUL of affine bytes")
	b := &sampler{graph: &nn.Graph{Name: "depth"}, random: rand.New(rand.NewPCG(6, 7))}
	x := b.input(1, 2, 2, 3)
	b.graph.Outputs = []int{b.node("mean", golden.Mean, nil, []int{x, b.value("dimensions", whole(3))}, []int{1, 2, 2})}
	_, err = everyWay(t, b.graph, [][]*nn.Tensor{{b.picture([]int{1, 2, 2, 3})}}, "fx8")
	require.ErrorContains(t, err, "MLI has means over rows and columns alone, not over the dimensions [3]")
}
