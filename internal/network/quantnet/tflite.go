package quantnet

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/quant"
)

// tfliteNode writes a node with operators of TensorFlow Lite.
func (b *builder) tfliteNode(n *nn.Node) error {
	x, err := b.input(n)
	if err != nil {
		return err
	}
	if filtered(n.Op) {
		return b.tfliteFilter(n, x)
	}
	in, shape := b.net.Graph.Values[x].Tensor, b.float.Values[n.Out[0]].Tensor.Shape
	out, attrs := &nn.Tensor{Type: in.Type, Shape: shape}, n.Attrs
	switch n.Op.Name {
	case golden.Relu:
		if out, err = b.activation(n.Out[0], shape); err != nil {
			return err
		}
	case golden.Softmax, golden.Logistic, golden.Tanh:
		out.Format = fixedOutput(n.Op.Name, in.Type)
	case golden.Reshape:
		out.Format, attrs = in.Format, nn.Attrs{"new_shape": slices.Clone(shape)}
	default: // pools and clamps keep what they are given
		out.Format = in.Format
	}
	return b.call(n.Op.Name, attrs, b.output(n, out), x)
}

// fixedOutput is the format that the library wants behind a function with a known range.
func fixedOutput(op string, t nn.Type) nn.Format {
	f := nn.Format{Kind: nn.Scaled, Scales: []float32{1.0 / (1 << 15)}, Zeros: []int64{0}}
	switch {
	case t == nn.I16:
	case op == golden.Tanh:
		f.Scales[0] = 1.0 / (1 << 7)
	default:
		f.Scales[0], f.Zeros[0] = 1.0/(1<<8), math.MinInt8
	}
	return f
}

// tfliteFilter writes a layer with weights. The library has a scale per channel, but for matrix products
// of 16-bit activations.
func (b *builder) tfliteFilter(n *nn.Node, x int) error {
	way, in := b.layer.Way, b.net.Graph.Values[x].Tensor
	weights, channels, axis, bias, err := b.constants(n)
	if err != nil {
		return err
	}
	reach := reaches(weights, axis)
	if n.Op.Name == golden.FullyConnected && way.element == nn.I16 {
		reach = []float64{slices.Max(reach)}
	}
	w := &nn.Tensor{Type: nn.I8, Shape: weights.Shape, Format: nn.Format{Kind: nn.Scaled, Axis: axis}}
	for ch, r := range reach {
		p, _, err := quant.TFLiteSymmetric.Choose(-r, r, way.weights)
		biases := bias
		if len(reach) > 1 {
			biases = bias[ch : ch+1]
		}
		p.Scale = widened(p.Scale, in.Format.Scale(0), biases)
		f, err := scaled(p, err)
		if err != nil {
			return fmt.Errorf("weights: %w", err)
		}
		w.Format.Scales, w.Format.Zeros = append(w.Format.Scales, f.Scales[0]), append(w.Format.Zeros, 0)
	}
	quantized(w, weights.Values(), axis, way.weights.Narrow())

	sums := &nn.Tensor{Type: way.bias, Shape: []int{channels}, Ints: make([]int64, channels), Format: nn.Format{Kind: nn.Scaled}}
	lo, hi := way.bias.Range()
	for ch, v := range bias {
		step := in.Format.Scale(0) * w.Format.Scale(ch)
		q := math.Round(v / step)
		if q < float64(lo) || q >= float64(hi) {
			return fmt.Errorf("scale overflow: the bias %g of channel %d is %g steps of %g, it has %d bits", v, ch, q, step, way.bias.Bits())
		}
		sums.Ints[ch] = int64(q)
	}
	for ch := range w.Format.Scales {
		s := float32(in.Format.Scale(0) * w.Format.Scale(ch))
		sums.Format.Scales, sums.Format.Zeros = append(sums.Format.Scales, s), append(sums.Format.Zeros, 0)
	}
	out, err := b.activation(n.Out[0], b.float.Values[n.Out[0]].Tensor.Shape)
	if err != nil {
		return err
	}
	b.layer.Proof = prove(w, axis, -in.Format.Zero(0), sums.Ints, way.Data, way.accBits)
	attrs := maps.Clone(n.Attrs)
	return b.call(n.Op.Name, attrs, b.output(n, out), x, b.tensor(n.Name+" weights", w), b.tensor(n.Name+" bias", sums))
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
