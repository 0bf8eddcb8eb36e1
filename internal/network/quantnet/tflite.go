package quantnet

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"arcv2dsp/internal/term/steps"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/quant"
)

// outputRule says where the format of an operator's output comes from.
type outputRule uint8

const (
	ownOutput    outputRule = iota // its range
	sameOutput                     // the data input's: elements are moved, or chosen, and not computed
	joinedOutput                   // all inputs and the output have one
	fixedOutputs                   // the library states it
)

// outputRules are the operators without weights that have a form in integers.
var outputRules = map[string]outputRule{
	golden.Add: ownOutput, golden.Sub: ownOutput, golden.Mul: ownOutput, golden.Div: ownOutput, golden.Mean: ownOutput, golden.Sum: ownOutput,
	golden.Relu: ownOutput, golden.LeakyRelu: ownOutput, golden.HardSwish: ownOutput,
	golden.Softmax: fixedOutputs, golden.Logistic: fixedOutputs, golden.Tanh: fixedOutputs, golden.L2Normalization: fixedOutputs,
	golden.Concatenation: joinedOutput, golden.Pack: joinedOutput, golden.Maximum: joinedOutput, golden.Minimum: joinedOutput,
	golden.BatchMatmul: ownOutput, golden.PRelu: ownOutput, "ABS": ownOutput, "RSQRT": ownOutput, "ELU": ownOutput, "GELU": ownOutput,
	golden.ResizeBilinear: sameOutput, golden.ResizeNearest: sameOutput, "REDUCE_MAX": sameOutput, "REDUCE_MIN": sameOutput,
	"MIRROR_PAD": sameOutput, "TILE": sameOutput, "REVERSE_V2": sameOutput, "DEPTH_TO_SPACE": sameOutput, "SPACE_TO_DEPTH": sameOutput,
	"BATCH_TO_SPACE_ND": sameOutput, "SPACE_TO_BATCH_ND": sameOutput,
	golden.AveragePool2D: sameOutput, golden.MaxPool2D: sameOutput, golden.Relu6: sameOutput, golden.Reshape: sameOutput,
	"SQUEEZE": sameOutput, "EXPAND_DIMS": sameOutput, "TRANSPOSE": sameOutput, "GATHER": sameOutput, "SPLIT": sameOutput, "SPLIT_V": sameOutput,
	"UNPACK": sameOutput, "PAD": sameOutput, "SLICE": sameOutput, "STRIDED_SLICE": sameOutput,
}

// tfliteNode writes a node with operators of TensorFlow Lite.
func (b *builder) tfliteNode(n *nn.Node) error {
	switch {
	case n.Op.Name == golden.LSTM:
		return b.tfliteLSTM(n)
	case n.Op.Name == golden.SVDF:
		return b.tfliteSVDF(n)
	case filtered(n.Op), n.Op.Name == golden.TransposeConv:
		return b.tfliteFilter(n)
	}
	rule, ok := outputRules[n.Op.Name]
	if !ok {
		return fmt.Errorf("there is no rule for %s in integers", n.Op.Name)
	}
	in, data, err := b.operands(n)
	if err != nil {
		return err
	}
	var f nn.Format
	switch {
	case rule == fixedOutputs:
		f = fixedOutput(n.Op.Name, b.layer.Way.element)
	case rule == sameOutput:
		f = b.net.Graph.Values[in[data[0]]].Tensor.Format
	case rule == joinedOutput:
		f, err = b.join(n, in, data)
	default:
		f, err = b.format(n.Out[0])
	}
	if err != nil {
		return err
	}
	attrs := maps.Clone(n.Attrs)
	if n.Op.Name == golden.Reshape {
		attrs["new_shape"] = slices.Clone(b.float.Values[n.Out[0]].Tensor.Shape)
	}
	var out []int
	for _, v := range n.Out {
		out = append(out, b.result(v, &nn.Tensor{Type: b.layer.Way.element, Shape: b.float.Values[v].Tensor.Shape, Format: f}))
	}
	return b.call(n.Op.Name, attrs, out, in...)
}

// operands are the inputs of a node in the network of integers. Those at the places of data are activations, the others,
// shapes and dimensions, stay as they are.
func (b *builder) operands(n *nn.Node) (in, data []int, err error) {
	for k, v := range n.In {
		i := v
		switch {
		case v == nn.Absent:
		case b.float.Values[v].Tensor.Type.Float():
			if i, err = b.input(v); err != nil {
				return nil, nil, err
			}
			data = append(data, k)
		default:
			x := &b.float.Values[v]
			if !x.Constant() {
				return nil, nil, fmt.Errorf("the integers %s are computed", x.Name)
			}
			i = b.tensor(x.Name, x.Tensor)
		}
		in = append(in, i)
	}
	if len(data) == 0 {
		return nil, nil, fmt.Errorf("no input has floats")
	}
	return in, data, nil
}

// join gives the inputs of a node one format, that of the values of all: inputs of another one are converted.
func (b *builder) join(n *nn.Node, in, data []int) (nn.Format, error) {
	r := b.ranges[n.Out[0]]
	for _, k := range data {
		r = r.union(b.ranges[n.In[k]])
	}
	r.Format, r.Type = b.ranges[n.Out[0]].Format, b.ranges[n.Out[0]].Type
	f, err := b.formatOf(r)
	if err != nil {
		return f, err
	}
	g := b.net.Graph
	for _, k := range data {
		x := &g.Values[in[k]]
		if x.Tensor.Format.Scale(0) == f.Scale(0) && x.Tensor.Format.Zero(0) == f.Zero(0) {
			continue
		}
		t := &nn.Tensor{Type: x.Tensor.Type, Shape: x.Tensor.Shape, Format: f}
		if v := n.In[k]; x.Constant() {
			in[k] = b.tensor(x.Name, quantized(t, b.float.Values[v].Tensor.Values(), 0, b.layer.Way.Data))
			continue
		}
		name, from := x.Name, in[k]
		in[k] = b.tensor(name, t)
		if err := b.call(golden.Quantize, nil, []int{in[k]}, from); err != nil {
			return f, err
		}
	}
	return f, nil
}

// couple widens the ranges of values that only one joining node takes, and that a node with a free output computes, to what the
// node joins, so that no conversion is needed before it.
func couple(g *nn.Graph, ranges []Range, rules func(node int) (outputRule, bool)) []Range {
	ranges = slices.Clone(ranges)
	uses := useCounts(g)
	free := map[int]bool{}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		rule, ok := rules(i)
		if filtered(n.Op) || ok && rule == ownOutput {
			free[n.Out[0]] = true
		}
	}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if rule, ok := rules(i); !ok || rule != joinedOutput {
			continue
		}
		all := ranges[n.Out[0]]
		for _, v := range n.In {
			all = all.union(ranges[v])
		}
		for _, v := range n.In {
			if free[v] && uses[v] == 1 && ranges[v].Format.Kind == nn.Plain {
				ranges[v] = all
			}
		}
	}
	return ranges
}

// useCounts says how often nodes and outputs of a network take each value.
func useCounts(g *nn.Graph) []int {
	uses := make([]int, len(g.Values))
	for _, v := range g.Outputs {
		uses[v]++
	}
	for i := range g.Nodes {
		for _, v := range g.Nodes[i].In {
			if v != nn.Absent {
				uses[v]++
			}
		}
	}
	return uses
}

// fixedOutput is the format that the library prescribes behind a function with a known range.
func fixedOutput(op string, t nn.Type) nn.Format {
	f := nn.Format{Kind: nn.Scaled, Scales: []float32{1.0 / (1 << 15)}, Zeros: []int64{0}}
	switch {
	case t == nn.I16:
	case op == golden.Tanh, op == golden.L2Normalization:
		f.Scales[0] = 1.0 / (1 << 7)
	default:
		f.Scales[0], f.Zeros[0] = 1.0/(1<<8), math.MinInt8
	}
	return f
}

// tfliteFilter writes a layer with weights. The library has a scale per channel, but for matrix products
// of 16-bit activations.
func (b *builder) tfliteFilter(n *nn.Node) (err error) {
	defer steps.Return(&err)
	in := make([]int, len(n.Op.Inputs))
	data := slices.IndexFunc(n.Op.Inputs, func(p nn.Port) bool { return p.Role == "in" })
	x := steps.Must(b.input(n.In[data]))
	in[data] = x
	if data > 0 { // the shape of the output comes first
		shape := &b.float.Values[n.In[0]]
		if !shape.Constant() {
			return fmt.Errorf("the shape %s is computed", shape.Name)
		}
		in[0] = b.tensor(shape.Name, shape.Tensor)
	}
	w, sums, err := b.filter(n, b.net.Graph.Values[x].Tensor.Format.Scale(0), -b.net.Graph.Values[x].Tensor.Format.Zero(0))
	steps.Check(err)
	in[1], in[len(in)-1] = b.tensor(n.Name+" weights", w), b.tensor(n.Name+" bias", sums)
	out := steps.Must(b.activation(n.Out[0], b.float.Values[n.Out[0]].Tensor.Shape))
	return b.call(n.Op.Name, maps.Clone(n.Attrs), []int{b.output(n, out)}, in...)
}

// filter makes the weights and biases of a layer whose input has a scale and an offset.
func (b *builder) filter(n *nn.Node, scale float64, offset int64) (w, sums *nn.Tensor, err error) {
	way := b.layer.Way
	weights, channels, axis, bias, err := b.constants(n)
	if err != nil {
		return nil, nil, err
	}
	perTensor := n.Op.Name == golden.FullyConnected && way.element == nn.I16
	if w, err = b.stepsOf(weights, scale, axis, bias, perTensor); err != nil {
		return nil, nil, err
	}
	sums = &nn.Tensor{Type: way.bias, Shape: []int{channels}, Ints: make([]int64, channels), Format: nn.Format{Kind: nn.Scaled}}
	lo, hi := way.bias.Range()
	for ch, v := range bias {
		step := scale * w.Format.Scale(ch)
		q := math.Round(v / step)
		if q < float64(lo) || q >= float64(hi) {
			return nil, nil, fmt.Errorf("scale overflow: the bias %g of channel %d is %g steps of %g, it has %d bits", v, ch, q, step, way.bias.Bits())
		}
		sums.Ints[ch] = int64(q)
	}
	for ch := range w.Format.Scales {
		sums.Format.Scales, sums.Format.Zeros = append(sums.Format.Scales, float32(scale*w.Format.Scale(ch))), append(sums.Format.Zeros, 0)
	}
	b.layer.Proof = prove(w, axis, offset, sums.Ints, way.Data, way.accBits)
	return w, sums, nil
}

// stepsOf quantizes weights with a scale per channel, or one for all. Integers of the same width that the network of floats has
// already stay as they are, if the biases allow it.
func (b *builder) stepsOf(weights *nn.Tensor, in float64, axis int, bias []float64, perTensor bool) (*nn.Tensor, error) {
	way := b.layer.Way
	w := &nn.Tensor{Type: way.weightElement(), Shape: weights.Shape, Format: nn.Format{Kind: nn.Scaled, Axis: axis}}
	reach := reaches(weights, axis)
	given := weights.Type == w.Type && weights.Format.Kind == nn.Scaled && !slices.ContainsFunc(weights.Format.Zeros, func(z int64) bool { return z != 0 }) &&
		(weights.Format.Steps() == 1 || !perTensor && weights.Format.Steps() == len(reach))
	if perTensor {
		reach = []float64{slices.Max(reach)}
	}
	for ch, r := range reach {
		p, _, err := quant.TFLiteSymmetric.Choose(-r, r, way.weights)
		if given {
			p.Scale = weights.Format.Scale(ch)
		}
		biases := bias
		if len(reach) > 1 {
			biases = bias[ch : ch+1]
		}
		wide := widened(p.Scale, in, biases)
		given = given && wide == p.Scale
		p.Scale = wide
		f, err := scaled(p, err)
		if err != nil {
			return nil, fmt.Errorf("weights: %w", err)
		}
		w.Format.Scales, w.Format.Zeros = append(w.Format.Scales, f.Scales[0]), append(w.Format.Zeros, 0)
	}
	if given {
		w.Ints = weights.Ints
		return w, nil
	}
	return quantized(w, weights.Values(), axis, way.weights.Narrow()), nil
}

// leastScale is the least normal number of single precision.
const leastScale = 0x1p-126

// widened is a scale of weights under which each bias takes at most half of 32 bits: the scale itself, or a wider
// one for the weights of a dead unit, which are next to nothing beside its bias. TensorFlow Lite's converter widens
// scales in the same way, whatever the width of the biases. Weights that are all zero have the scale 0.
func widened(scale, in float64, biases []float64) float64 {
	wide := 0.0
	for _, b := range biases {
		wide = max(wide, 2*math.Abs(b)/math.MaxInt32/in)
	}
	if scale == 0 && wide < leastScale {
		return 0
	}
	return max(scale, wide)
}
