package quantnet

import (
	"fmt"
	"math"
	"slices"

	"arcv2dsp/internal/term/steps"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/quant"
)

// withoutBatch is a shape of TensorFlow Lite as MLI has it: it computes one image at a time.
func withoutBatch(shape []int) ([]int, error) {
	if len(shape) < 2 {
		return shape, nil
	}
	if shape[0] != 1 {
		return nil, fmt.Errorf("shape %v: MLI computes one input at a time, not %d", shape, shape[0])
	}
	return shape[1:], nil
}

// rectifiers are MLI's numbers of the fused activation functions.
var rectifiers = map[string]int{"NONE": 0, "RELU": 1, "RELU_N1_TO_1": 2, "RELU6": 3}

// mliFunctions are the functions without weights. Those of one element come with the width alone.
var mliFunctions = map[string]string{
	golden.AveragePool2D: "avepool_hwc", golden.MaxPool2D: "maxpool_hwc", golden.Relu: "relu", golden.Relu6: "relu",
	golden.Logistic: "sigm", golden.Tanh: "tanh", golden.Softmax: "softmax",
}

// mliNode writes a node with functions of MLI.
func (b *builder) mliNode(n *nn.Node) (err error) {
	defer steps.Return(&err)
	_, joins := mliJoins[n.Op.Name]
	switch {
	case (joins || n.Op.Name == golden.Mul) && b.layer.Way.affine():
		return fmt.Errorf("MLI has no %s of affine bytes", n.Op.Name)
	case joins:
		return b.mliJoined(n)
	case n.Op.Name == golden.Mul:
		return b.mliProduct(n)
	case !n.Op.Inputs[0].Weights && b.float.Values[n.In[0]].Constant():
		return fmt.Errorf("the input %s is a constant", b.float.Values[n.In[0]].Name)
	}
	x := steps.Must(b.input(n.In[0]))
	if filtered(n.Op) {
		return b.mliFilter(n, x)
	}
	in := b.net.Graph.Values[x].Tensor
	switch n.Op.Name {
	case golden.Reshape, "SQUEEZE", "EXPAND_DIMS": // the elements and their order stay
		b.set(n.Out[0], x)
		return nil
	case golden.Mean:
		return b.mliMean(n, x)
	case golden.LeakyRelu:
		return b.mliLeaky(n, x)
	}
	name, ok := mliFunctions[n.Op.Name]
	if !ok {
		return fmt.Errorf("MLI has no %s", n.Op.Name)
	}
	shape := steps.Must(withoutBatch(b.float.Values[n.Out[0]].Tensor.Shape))
	out := &nn.Tensor{Type: in.Type, Shape: shape, Format: in.Format}
	attrs := nn.Attrs{}
	switch n.Op.Name {
	case golden.AveragePool2D, golden.MaxPool2D:
		if f := n.Attrs.String(fusedAttr); f != "NONE" {
			return fmt.Errorf("a pool of MLI with a fused %s", f)
		}
		attrs = steps.Must(b.mliWindow(n))
		attrs["kernel_h"], attrs["kernel_w"] = n.Attrs.Int("filter_height"), n.Attrs.Int("filter_width")
	case golden.Relu, golden.Relu6:
		attrs["relu"] = rectifiers[n.Op.Name]
	case golden.Softmax:
		if n.Attrs.Float("beta") != 1 {
			return fmt.Errorf("MLI's softmax has no factor of %g", n.Attrs.Float("beta"))
		}
	}
	return b.mliCall(name, b.layer.Way.plain, attrs, b.output(n, out), x)
}

// mliCall adds a call of a function by its name without prefix and types.
func (b *builder) mliCall(function, types string, attrs nn.Attrs, out int, in ...int) error {
	return b.call("mli_krn_"+function+"_"+types, attrs, []int{out}, in...)
}

// mliWindow are the stride and the padding of a window.
func (b *builder) mliWindow(n *nn.Node) (nn.Attrs, error) {
	rows, columns, err := golden.FloatWindow(b.float.Call(n))
	if err != nil {
		return nil, err
	}
	if rows.Dilation != 1 || columns.Dilation != 1 {
		return nil, fmt.Errorf("a window with holes")
	}
	return nn.Attrs{"stride_h": rows.Stride, "stride_w": columns.Stride, "pad_t": rows.Before, "pad_b": rows.After,
		"pad_l": columns.Before, "pad_r": columns.After}, nil
}

// mliFilter writes a layer with weights.
func (b *builder) mliFilter(n *nn.Node, x int) (err error) {
	defer steps.Return(&err)
	way := b.layer.Way
	in := b.net.Graph.Values[x].Tensor
	weights, channels, axis, bias, err := b.constants(n)
	steps.Check(err)
	out := steps.Must(b.activation(n.Out[0], b.float.Values[n.Out[0]].Tensor.Shape))
	w := &nn.Tensor{Type: way.weightElement(), Shape: weights.Shape}
	sums := &nn.Tensor{Type: way.bias, Shape: []int{channels}}
	if way.affine() {
		err = b.affineFilter(in, w, sums, weights, axis, bias)
	} else {
		err = b.fixedFilter(in, w, sums, weights, axis, bias)
	}
	steps.Check(err)
	if n.Op.Name == golden.FullyConnected {
		return b.mliDense(n, x, out, w, sums)
	}
	attrs := steps.Must(b.mliWindow(n))
	attrs["relu"] = rectifiers[n.Attrs.String(fusedAttr)]
	constants := func() []int { return []int{x, b.tensor(n.Name+" weights", w), b.tensor(n.Name+" bias", sums)} }
	switch {
	case n.Op.Name == golden.Conv2D && way.affine():
		return b.mliCall("conv2d_nhwc", way.filters, attrs, b.output(n, out), constants()...)
	case n.Op.Name == golden.Conv2D:
		return b.mliCall("conv2d_hwc", way.filters, attrs, b.output(n, out), constants()...)
	case way.affine():
		return b.mliCall("depthwise_conv2d_hwcn", way.filters, attrs, b.output(n, out), constants()...)
	}
	return b.mliDepthwise(n, x, attrs, out, w, sums)
}

// mliDense writes a matrix product. It has no rectifier of its own. Fixed point has one behind it; an affine
// output saturates at the ends of its range, which the rectifier has cut already: the zero point is the lowest
// byte.
func (b *builder) mliDense(n *nn.Node, x int, out, w, sums *nn.Tensor) error {
	way, relu := b.layer.Way, rectifiers[n.Attrs.String(fusedAttr)]
	constants := []int{x, b.tensor(n.Name+" weights", w), b.tensor(n.Name+" bias", sums)}
	if relu == 0 || way.affine() {
		return b.mliCall("fully_connected", way.filters, nil, b.output(n, out), constants...)
	}
	product := *out
	linear := b.tensor(n.Name+" product", &product)
	if err := b.mliCall("fully_connected", way.filters, nil, linear, constants...); err != nil {
		return err
	}
	return b.mliCall("relu", way.plain, nn.Attrs{"relu": relu}, b.output(n, out), linear)
}

// mliDepthwise writes a fixed-point convolution of each channel, which MLI has with channels first only.
func (b *builder) mliDepthwise(n *nn.Node, x int, attrs nn.Attrs, out, w, sums *nn.Tensor) error {
	way, in := b.layer.Way, b.net.Graph.Values[x].Tensor
	w.Ints = transposed(w.Ints, w.Dim(3))
	w.Shape = []int{w.Dim(3), 1, w.Dim(1), w.Dim(2)}
	first := func(t *nn.Tensor) *nn.Tensor {
		return &nn.Tensor{Type: t.Type, Format: t.Format, Shape: []int{t.Dim(2), t.Dim(0), t.Dim(1)}}
	}
	from, to := b.tensor(n.Name+" channels first", first(in)), b.tensor(n.Name+" channels", first(out))
	if err := b.mliCall("permute", way.plain, nn.Attrs{"perm": []int{2, 0, 1}}, from, x); err != nil {
		return err
	}
	if err := b.mliCall("depthwise_conv2d_chw", way.filters, attrs, to, from, b.tensor(n.Name+" weights", w),
		b.tensor(n.Name+" bias", sums)); err != nil {
		return err
	}
	return b.mliCall("permute", way.plain, nn.Attrs{"perm": []int{1, 2, 0}}, b.output(n, out), to)
}

// transposed puts the last dimension of v, of size n, first.
func transposed(v []int64, n int) []int64 {
	out := make([]int64, len(v))
	for i, x := range v {
		out[i%n*(len(v)/n)+i/n] = x
	}
	return out
}

// Limits of the number of fraction bits that MLI's interface has room for.
const minFrac, maxFrac = math.MinInt8, math.MaxInt8

// fixedFormat has as many fraction bits as the range leaves.
func fixedFormat(lo, hi float64, s quant.Storage) (nn.Format, error) {
	frac, err := quant.FractionBits(lo, hi, s)
	if err == nil && (frac < minFrac || frac > maxFrac) {
		err = fmt.Errorf("scale overflow: range %g to %g wants %d fraction bits, MLI keeps %d to %d", lo, hi, frac, minFrac, maxFrac)
	}
	return nn.Format{Kind: nn.Fixed, Frac: frac}, err
}

// fixedFilter quantizes weights and biases in fixed point. DEVIATION(321): where the accumulator could overflow for
// some input, the weights alone give up fraction bits until it cannot; MLI's rule of thumb takes half of them from
// the activations, which belong to the layer before as well.
func (b *builder) fixedFilter(in, w, sums, weights *nn.Tensor, axis int, bias []float64) error {
	way := b.layer.Way
	reach := slices.Max(reaches(weights, axis))
	var err error
	if w.Format, err = fixedFormat(-reach, reach, way.weights); err != nil {
		return fmt.Errorf("weights: %w", err)
	}
	widest := w.Format.Frac
	op, ok := golden.Operators().Lookup(nn.MLI11, "mli_krn_fully_connected_"+way.filters)
	if !ok {
		return fmt.Errorf("MLI has no weights as %s", way)
	}
	width := golden.MLI11FunctionOf(op).AccBits
	for {
		quantized(w, weights.Values(), axis, way.weights)
		product := in.Format.Frac + w.Format.Frac
		if err := fixedBias(sums, bias, product, quant.MakeStorage(true, way.bias.Bits())); err != nil {
			return err
		}
		preset := make([]int64, len(sums.Ints))
		for i, v := range sums.Ints {
			preset[i] = v << min(product-sums.Format.Frac, 40) // 40: beyond every accumulator already
		}
		p := prove(w, axis, 0, preset, way.Data, width)
		p.GivenUp = widest - w.Format.Frac
		p.Advice = quant.AdviseAccumulator(p.Products, quant.QFormat{Bits: way.Data.Bits, Frac: in.Format.Frac},
			quant.QFormat{Bits: way.weights.Bits, Frac: widest}, width).String()
		b.layer.Proof = p
		if p.Holds() {
			return nil
		}
		if p.GivenUp >= way.weights.Bits || w.Format.Frac <= minFrac {
			return fmt.Errorf("no format of the weights keeps %s in %d bits", p.Headroom, width)
		}
		w.Format.Frac--
	}
}

// fixedBias quantizes biases with at most as many fraction bits as products have.
func fixedBias(t *nn.Tensor, bias []float64, product int, s quant.Storage) error {
	f, err := fixedFormat(min(slices.Min(bias), 0), max(slices.Max(bias), 0), s)
	if err != nil {
		return fmt.Errorf("biases: %w", err)
	}
	f.Frac = min(f.Frac, product)
	t.Format = f
	quantized(t, bias, 0, s)
	return nil
}

// scaleBits is the number of significant bits of an integer scale.
const scaleBits = 15

// mantissas are integer scales of at least one with common fraction bits, the greatest with 15 significant bits.
// DEVIATION(320): they are rounded up, so that no weight lies beyond the format; MLI leaves it to the tool that
// writes the network.
func mantissas(scales []float64) (m []int32, frac int, err error) {
	top := slices.Max(scales)
	if err := (quant.Params{Scale: top}).Check(); err != nil {
		return nil, 0, err
	}
	_, exponent := math.Frexp(top)
	frac = scaleBits - exponent
	if math.Ceil(math.Ldexp(top, frac)) > math.MaxInt16 {
		frac--
	}
	if frac < minFrac || frac > maxFrac {
		return nil, 0, fmt.Errorf("scale overflow: scale %g has %d fraction bits, MLI keeps %d to %d", top, frac, minFrac, maxFrac)
	}
	for _, s := range scales {
		m = append(m, int32(max(1, math.Ceil(math.Ldexp(s, frac)))))
	}
	return m, frac, nil
}

// affineFormat is the format of affine activations in a range. The mantissa has all its bits: MLI divides
// mantissas, and short ones leave a short factor.
func affineFormat(r Range) (nn.Format, error) {
	p, _, err := quant.TFLiteAsymmetric.Choose(r.Lo, r.Hi, quant.Int8)
	if err != nil {
		return nn.Format{}, err
	}
	if p.Scale == 0 {
		p.Scale = 1
	}
	m, frac, err := mantissas([]float64{p.Scale})
	return nn.Format{Kind: nn.Mantissa, Axis: -1, Mantissas: m, ScaleFrac: frac, Zeros: []int64{p.ZeroPoint}}, err
}

// affineSums is the width of the sums of affine functions.
const affineSums = 32

// affineFilter quantizes weights with a scale per channel, biases with the product of scales. Matrix products of
// MLI take one scale.
func (b *builder) affineFilter(in, w, sums, weights *nn.Tensor, axis int, bias []float64) error {
	way, formatAxis, biasAxis := b.layer.Way, axis, 0
	reach := reaches(weights, axis)
	if b.layer.Op == golden.FullyConnected {
		reach, formatAxis, biasAxis = []float64{slices.Max(reach)}, -1, -1
	}
	var scales []float64
	for _, r := range reach {
		p, _, err := quant.TFLiteSymmetric.Choose(-r, r, way.weights)
		if err != nil {
			return fmt.Errorf("weights: %w", err)
		}
		scales = append(scales, p.Scale)
	}
	m, frac, err := mantissas(scales)
	if err != nil {
		return fmt.Errorf("weights: %w", err)
	}
	w.Format = nn.Format{Kind: nn.Mantissa, Axis: formatAxis, Mantissas: m, ScaleFrac: frac, Zeros: make([]int64, len(m))}
	quantized(w, weights.Values(), axis, way.weights.Narrow())
	sums.Format = nn.Format{Kind: nn.Mantissa, Axis: biasAxis, ScaleFrac: in.Format.ScaleFrac + frac, Zeros: make([]int64, len(m))}
	for _, s := range m {
		sums.Format.Mantissas = append(sums.Format.Mantissas, in.Format.Mantissas[0]*s)
	}
	if sums.Format.ScaleFrac > maxFrac || sums.Format.ScaleFrac < minFrac {
		return fmt.Errorf("scale overflow: the biases have %d fraction bits, MLI keeps %d to %d", sums.Format.ScaleFrac, minFrac, maxFrac)
	}
	for ch, v := range bias {
		if q := v / sums.Format.Scale(ch); math.Abs(q) >= math.MaxInt32 {
			return fmt.Errorf("scale overflow: the bias %g of channel %d is %g steps, it has 32 bits", v, ch, q)
		}
	}
	quantized(sums, bias, 0, quant.Int32)
	b.layer.Proof = prove(w, axis, -in.Format.Zero(0), sums.Ints, way.Data, affineSums)
	return nil
}
