package benchmarks

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"

	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

var operators = golden.Operators()

// builder makes a network layer by layer and runs each layer on a sample, so that the scale of its output fits
// what it computes: a network of random weights with guessed scales saturates after some layers.
type builder struct {
	graph  *nn.Graph
	sample []*nn.Tensor // of each value
	random *rand.Rand
}

// newBuilder begins a network; its name is the seed.
func newBuilder(name string) *builder {
	h := fnv.New64a()
	h.Write([]byte(name)) // cannot fail
	return &builder{graph: &nn.Graph{Name: name}, random: rand.New(rand.NewPCG(h.Sum64(), 1))}
}

func (b *builder) finish() (*nn.Graph, *nn.Tensor) {
	must(b.graph.Check())
	return b.graph, b.sample[b.graph.Inputs[0]]
}

// value adds a value with its sample.
func (b *builder) value(name string, t *nn.Tensor, sample *nn.Tensor) int {
	b.graph.Values = append(b.graph.Values, nn.Value{Name: name, Tensor: t})
	b.sample = append(b.sample, sample)
	return len(b.graph.Values) - 1
}

func single(scale float32, zero int64) nn.Format {
	return nn.Format{Kind: nn.Scaled, Scales: []float32{scale}, Zeros: []int64{zero}}
}

// input is an input of values around the zero point that use most of the range.
func (b *builder) input(scale float32, zero int64, shape ...int) int {
	t := &nn.Tensor{Type: nn.I8, Shape: shape, Format: single(scale, zero)}
	sample := t.Clone()
	sample.Alloc()
	for i := range sample.Ints {
		sample.Ints[i] = nn.I8.Clamp(int64(b.random.NormFloat64() * 50))
	}
	v := b.value("input", t, sample)
	b.graph.Inputs = []int{v}
	return v
}

func (b *builder) output(v int) { b.graph.Outputs = []int{v} }

// shape is that of a value.
func (b *builder) shape(v int) []int { return b.graph.Values[v].Tensor.Shape }

// window is the rows and columns of a filter, and the distance of windows.
type window struct{ h, w, stride int }

// out is the size of an image behind a window.
func (w window) out(in, kernel int, padding string) int {
	if padding == "VALID" {
		in -= kernel - 1
	}
	return (in + w.stride - 1) / w.stride
}

func (w window) attrs(padding, function string) nn.Attrs {
	return nn.Attrs{"padding": padding, "stride_h": w.stride, "stride_w": w.stride, "fused_activation_function": function}
}

func (b *builder) conv(x, channels int, w window, function string) int {
	in := b.shape(x)
	shape := []int{in[0], w.out(in[1], w.h, "SAME"), w.out(in[2], w.w, "SAME"), channels}
	return b.filtered("CONV_2D", x, []int{channels, w.h, w.w, in[3]}, 0, shape, w.attrs("SAME", function))
}

// depthwise is a depthwise convolution with filters of 3 by 3.
func (b *builder) depthwise(x, multiplier, stride int, function string) int {
	in, w := b.shape(x), window{3, 3, stride}
	channels := in[3] * multiplier
	attrs := w.attrs("SAME", function)
	attrs["depth_multiplier"] = multiplier
	shape := []int{in[0], w.out(in[1], 3, "SAME"), w.out(in[2], 3, "SAME"), channels}
	return b.filtered("DEPTHWISE_CONV_2D", x, []int{1, 3, 3, channels}, 3, shape, attrs)
}

// dense layers have one scale for all weights, as the published networks do.
func (b *builder) dense(x, units int, function string) int {
	in := b.shape(x)
	return b.filtered("FULLY_CONNECTED", x, []int{units, in[1]}, noAxis, []int{in[0], units}, nn.Attrs{"fused_activation_function": function})
}

// noAxis: the weights have one scale.
const noAxis = -1

// Root mean squares that outputs are scaled to. The greatest elements of a rectified output are some four
// times as large, and RELU6 cuts at 6.
const (
	rectified = 255.0 / 4
	linear    = 255.0 / 8
	below6    = 2.5
)

// weightRMS is the root mean square of weights from -127 to 127.
const weightRMS = 73

// filtered adds a layer with weights and biases. axis is the dimension of its output channels.
func (b *builder) filtered(op string, x int, weightShape []int, axis int, shape []int, attrs nn.Attrs) int {
	channels := shape[len(shape)-1]
	weights := nn.New(nn.I8, weightShape...)
	for i := range weights.Ints {
		weights.Ints[i] = int64(b.random.IntN(255)) - 127
	}
	weights.Format = nn.Format{Kind: nn.Scaled, Axis: max(axis, 0)}
	fan := math.Sqrt(float64(weights.Len() / channels))
	for range map[bool]int{true: 1, false: channels}[axis == noAxis] {
		weights.Format.Scales = append(weights.Format.Scales, float32((0.5+b.random.Float64())/(weightRMS*fan)))
	}
	weights.Format.Zeros = make([]int64, len(weights.Format.Scales))
	bias := nn.New(nn.I32, channels)
	in := b.graph.Values[x].Tensor
	for i := range bias.Ints {
		bias.Ints[i] = int64(b.random.NormFloat64() * 10 * weightRMS * fan)
	}

	// A first run with a wide scale and no function measures the output.
	function := attrs["fused_activation_function"].(string)
	rms := b.measure(op, x, weights, bias, shape, attrs)
	out := &nn.Tensor{Type: nn.I8, Shape: shape}
	switch function {
	case "RELU":
		out.Format = single(float32(rms/rectified), math.MinInt8)
	case "RELU6":
		for i := range weights.Format.Scales {
			weights.Format.Scales[i] *= float32(below6 / rms)
		}
		out.Format = single(6.0/255, math.MinInt8)
	default:
		out.Format = single(float32(rms/linear), int64(b.random.IntN(41))-20)
	}
	bias.Format = nn.Format{Kind: nn.Scaled, Zeros: weights.Format.Zeros}
	for _, s := range weights.Format.Scales {
		bias.Format.Scales = append(bias.Format.Scales, s*in.Format.Scales[0])
	}
	w := b.value(fmt.Sprintf("weights%d", len(b.graph.Nodes)), weights, nil)
	c := b.value(fmt.Sprintf("bias%d", len(b.graph.Nodes)), bias, nil)
	return b.node(op, attrs, out, x, w, c)
}

// measure is the root mean square of the real values of a layer without its function.
func (b *builder) measure(op string, x int, weights, bias *nn.Tensor, shape []int, attrs nn.Attrs) float64 {
	free := nn.Attrs{}
	for name, v := range attrs {
		free[name] = v
	}
	free["fused_activation_function"] = "NONE"
	in := b.sample[x]
	scale := float32(in.Format.Scale(0))
	for {
		out := b.run(op, free, &nn.Tensor{Type: nn.I8, Shape: shape, Format: single(scale, 0)}, in, weights, bias)
		sum, saturated := 0.0, 0
		for i, q := range out.Ints {
			sum += float64(out.Value(i) * out.Value(i)) // rounded: a fused sum would differ from host to host
			if q == math.MinInt8 || q == math.MaxInt8 {
				saturated++
			}
		}
		rms := math.Sqrt(sum / float64(out.Len()))
		switch {
		case saturated*100 > out.Len():
			scale *= 4
		case rms < 4*float64(scale):
			scale /= 4
		default:
			return rms
		}
	}
}

func (b *builder) run(op string, attrs nn.Attrs, out *nn.Tensor, in ...*nn.Tensor) *nn.Tensor {
	o, ok := operators.Lookup(nn.TFLite, op)
	if !ok {
		panic("networks: no operator " + op)
	}
	c := &nn.Call{Op: o, Attrs: attrs, In: in, Out: []*nn.Tensor{out}, Rounding: nn.Double}
	must(c.Prepare())
	must(c.Run())
	return c.Out[0]
}

// node adds an operator whose output has the given type, shape and format.
func (b *builder) node(op string, attrs nn.Attrs, out *nn.Tensor, in ...int) int {
	o, _ := operators.Lookup(nn.TFLite, op)
	inputs := make([]*nn.Tensor, len(in))
	for i, v := range in {
		if inputs[i] = b.sample[v]; inputs[i] == nil {
			inputs[i] = b.graph.Values[v].Tensor
		}
	}
	sample := b.run(op, attrs, out.Clone(), inputs...)
	index := len(b.graph.Nodes)
	v := b.value(fmt.Sprintf("%s%d", op, index), out, sample)
	b.graph.Nodes = append(b.graph.Nodes, nn.Node{Name: fmt.Sprintf("operator %d %s", index, op), Op: o, Attrs: attrs, Rounding: nn.Double,
		In: in, Out: []int{v}})
	return v
}

func (b *builder) pool(op string, x int, w window, padding, function string) int {
	in := b.graph.Values[x].Tensor
	attrs := w.attrs(padding, function)
	attrs["stride_w"] = min(w.stride, w.w) // a window over the whole image has a stride as large
	attrs["filter_height"], attrs["filter_width"] = w.h, w.w
	shape := []int{in.Shape[0], w.out(in.Shape[1], w.h, padding), w.out(in.Shape[2], w.w, padding), in.Shape[3]}
	return b.node(op, attrs, &nn.Tensor{Type: nn.I8, Shape: shape, Format: in.Format}, x)
}

// add joins two branches; the scale of the sum follows from those of the terms.
func (b *builder) add(x, y int, function string) int {
	p, q := b.graph.Values[x].Tensor, b.graph.Values[y].Tensor
	zero := int64(math.MinInt8)
	if function == "NONE" {
		zero = 0
	}
	square := func(t *nn.Tensor) float64 { return float64(t.Format.Scale(0) * t.Format.Scale(0)) }
	scale := float32(math.Sqrt(square(p) + square(q)))
	return b.node("ADD", nn.Attrs{"fused_activation_function": function}, &nn.Tensor{Type: nn.I8, Shape: p.Shape, Format: single(scale, zero)}, x, y)
}

// flatten makes one row of everything behind the first dimension.
func (b *builder) flatten(x int) int {
	in := b.graph.Values[x].Tensor
	shape := []int{in.Shape[0], in.Len() / in.Shape[0]}
	s := b.value("shape", nn.FromInts(nn.I32, []int{2}, []int64{int64(shape[0]), int64(shape[1])}), nil)
	return b.node("RESHAPE", nn.Attrs{}, &nn.Tensor{Type: nn.I8, Shape: shape, Format: in.Format}, x, s)
}

func (b *builder) softmax(x int) int {
	return b.node("SOFTMAX", nn.Attrs{"beta": 1.0}, &nn.Tensor{Type: nn.I8, Shape: b.shape(x), Format: single(1.0/256, math.MinInt8)}, x)
}
