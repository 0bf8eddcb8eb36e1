package quantnet

import (
	"fmt"
	"math"
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/quant"
)

// Functions of MLI on several tensors, and means. Fixed point has them; sums and extremes want one format for all.

// mliJoins are the operators whose inputs and output share a format in MLI, and the functions that compute them.
var mliJoins = map[string]string{
	golden.Add: "eltwise_add", golden.Sub: "eltwise_sub", golden.Maximum: "eltwise_max", golden.Minimum: "eltwise_min", golden.Concatenation: "concat",
}

// mliRule says where the format of an operator's output comes from in MLI.
func mliRule(op string) (outputRule, bool) {
	if _, ok := mliJoins[op]; ok {
		return joinedOutput, true
	}
	return ownOutput, op == golden.Mul
}

// mliJoined writes a sum, a difference, an extreme or a concatenation.
func (b *builder) mliJoined(n *nn.Node) error {
	r := b.ranges[n.Out[0]]
	for _, v := range n.In {
		r = r.union(b.ranges[v])
	}
	f, err := fixedFormat(r.Lo, r.Hi, b.layer.Way.Data)
	if err != nil {
		return err
	}
	var in []int
	for _, v := range n.In {
		x, err := b.mliOperand(n, v, f)
		if err != nil {
			return err
		}
		in = append(in, x)
	}
	attrs := nn.Attrs{}
	if n.Op.Name == golden.Concatenation {
		axis := n.Attrs.Int("axis")
		if axis < 0 {
			axis += len(b.float.Values[n.Out[0]].Tensor.Shape)
		}
		attrs["axis"] = axis - 1 // without the batch
	}
	return b.mliRectified(n, mliJoins[n.Op.Name], attrs, f, in...)
}

// mliProduct writes a product, whose factors keep their formats.
func (b *builder) mliProduct(n *nn.Node) error {
	var in []int
	for _, v := range n.In {
		x, err := b.mliFactor(n, v)
		if err != nil {
			return err
		}
		in = append(in, x)
	}
	f, err := b.format(n.Out[0])
	if err != nil {
		return err
	}
	return b.mliRectified(n, "eltwise_mul", nil, f, in...)
}

// mliRectified calls a function, and a rectifier behind it where the node has one.
func (b *builder) mliRectified(n *nn.Node, function string, attrs nn.Attrs, f nn.Format, in ...int) error {
	shape, err := withoutBatch(b.float.Values[n.Out[0]].Tensor.Shape)
	if err != nil {
		return err
	}
	way, out := b.layer.Way, &nn.Tensor{Type: b.layer.Way.element, Shape: shape, Format: f}
	relu := 0
	if _, ok := n.Op.Attr(fusedAttr); ok {
		relu = rectifiers[n.Attrs.String(fusedAttr)]
	}
	if relu == 0 {
		return b.mliCall(function, way.plain, attrs, b.output(n, out), in...)
	}
	before := *out
	linear := b.tensor(n.Name+" before", &before)
	if err := b.mliCall(function, way.plain, attrs, linear, in...); err != nil {
		return err
	}
	return b.mliCall("relu", way.plain, nn.Attrs{"relu": relu}, b.output(n, out), linear)
}

// mliOperand is an operand in a format: a product with one brings it there.
func (b *builder) mliOperand(n *nn.Node, v int, f nn.Format) (int, error) {
	if b.float.Values[v].Constant() {
		return b.mliConstant(n, v, f)
	}
	x, err := b.input(v)
	if err != nil {
		return 0, err
	}
	t := b.net.Graph.Values[x].Tensor
	if t.Format.Frac == f.Frac {
		return x, nil
	}
	way := b.layer.Way
	one := b.tensor(n.Name+" one", &nn.Tensor{Type: way.element, Shape: []int{1}, Ints: []int64{1}, Format: nn.Format{Kind: nn.Fixed}})
	to := b.tensor(b.net.Graph.Values[x].Name+" scaled", &nn.Tensor{Type: way.element, Shape: t.Shape, Format: f})
	return to, b.mliCall("eltwise_mul", way.plain, nil, to, x, one)
}

// mliFactor is an operand in its own format.
func (b *builder) mliFactor(n *nn.Node, v int) (int, error) {
	if !b.float.Values[v].Constant() {
		return b.input(v)
	}
	f, err := b.format(v)
	if err != nil {
		return 0, err
	}
	return b.mliConstant(n, v, f)
}

// mliConstant quantizes a constant. MLI repeats one element alone, so that others take the shape of the output here.
func (b *builder) mliConstant(n *nn.Node, v int, f nn.Format) (int, error) {
	x, whole := b.float.Values[v].Tensor, b.float.Values[n.Out[0]].Tensor.Shape
	shape, values := []int{1}, x.Values()
	if x.Len() > 1 && n.Op.Name != golden.Concatenation {
		shape = whole
		spread := make([]float64, nn.Count(whole))
		for i := range spread {
			at, k := nn.Coordinates(i, whole), 0
			for d, size := range x.Shape {
				k = k*size + min(at[len(at)-len(x.Shape)+d], size-1)
			}
			spread[i] = values[k]
		}
		values = spread
	} else if x.Len() > 1 {
		shape = x.Shape
	}
	shape, err := withoutBatch(shape)
	t := &nn.Tensor{Type: b.layer.Way.element, Shape: shape, Format: f}
	return b.tensor(b.float.Values[v].Name, quantized(t, values, 0, b.layer.Way.Data)), err
}

// mliMean writes a mean over rows and columns: a pool whose window is the map.
func (b *builder) mliMean(n *nn.Node, x int) error {
	in, axes := b.float.Values[n.In[0]].Tensor.Shape, b.float.Values[n.In[1]]
	if len(in) != 4 || !axes.Constant() {
		return fmt.Errorf("MLI has means over rows and columns alone")
	}
	var list []int64
	for _, d := range axes.Tensor.Ints {
		list = append(list, (d+4)%4)
	}
	if slices.Sort(list); !slices.Equal(list, []int64{1, 2}) {
		return fmt.Errorf("MLI has means over rows and columns alone, not over the dimensions %v", axes.Tensor.Ints)
	}
	if max(in[1], in[2]) > math.MaxUint8 {
		return fmt.Errorf("a mean of %d x %d cells, MLI's windows have at most %d", in[1], in[2], math.MaxUint8)
	}
	from := b.net.Graph.Values[x].Tensor
	out := &nn.Tensor{Type: from.Type, Shape: []int{1, 1, in[3]}, Format: from.Format}
	attrs := nn.Attrs{"kernel_h": in[1], "kernel_w": in[2], "stride_h": 1, "stride_w": 1, "pad_t": 0, "pad_b": 0, "pad_l": 0, "pad_r": 0}
	return b.mliCall("avepool_hwc", b.layer.Way.plain, attrs, b.output(n, out), x)
}

// mliLeaky writes a rectifier with a slope.
func (b *builder) mliLeaky(n *nn.Node, x int) error {
	alpha := n.Attrs.Float("alpha")
	f, err := fixedFormat(min(alpha, 0), max(alpha, 0), b.layer.Way.Data)
	if err != nil {
		return err
	}
	from := b.net.Graph.Values[x].Tensor
	if from.Type == nn.I16 { // MLI compares with one in 16 bits
		f.Frac = min(f.Frac, from.Type.Bits()-2)
	}
	slope := quantized(&nn.Tensor{Type: from.Type, Shape: []int{1}, Format: f}, []float64{alpha}, 0, quant.MakeStorage(true, from.Type.Bits()))
	out := &nn.Tensor{Type: from.Type, Shape: from.Shape, Format: from.Format}
	return b.mliCall("leaky_relu", b.layer.Way.plain, nil, b.output(n, out), x, b.tensor(n.Name+" slope", slope))
}
