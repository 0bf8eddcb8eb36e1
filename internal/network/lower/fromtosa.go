package lower

import (
	"fmt"
	"math"
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite"
	"arcv2dsp/quant"
)

func newBack(from *nn.Graph, ops *nn.Registry) *back {
	g := &back{graph: newGraph(from), ops: ops, used: make([]bool, len(from.Nodes)), source: map[int]int{}, readers: map[int][]int{}}
	for i := range from.Nodes {
		for _, v := range from.Nodes[i].In {
			g.readers[v] = append(g.readers[v], i)
		}
	}
	return g
}

var fromTOSA = map[string]func(*back){
	"CONV2D": (*back).convolution, "DEPTHWISE_CONV2D": (*back).convolution, "FULLY_CONNECTED": (*back).convolution,
	"AVG_POOL2D": (*back).pool, "MAX_POOL2D": (*back).pool, "RESHAPE": (*back).reshape, "SLICE": (*back).slice, "RESCALE": (*back).sum,
}

// back is a graph on the way back. Nodes that a pattern has taken in are used.
type back struct {
	*graph
	ops     *nn.Registry
	used    []bool
	assumed []int         // values of the old graph that got scales
	source  map[int]int   // values behind a SLICE or RESHAPE that belongs to the reader, by what they are made of
	readers map[int][]int // nodes by the values they read
}

// old is the tensor of a value of the old graph.
func (g *back) old(v int) *nn.Tensor { return g.from.Values[v].Tensor }

// next is the node behind a value, if it is the only one, has one of the names and may be taken in.
func (g *back) next(v int, names ...string) *nn.Node {
	if len(g.readers[v]) != 1 || slices.Contains(g.from.Outputs, v) || g.old(v).Format.Kind == nn.Scaled {
		return nil
	}
	i := g.readers[v][0]
	n := &g.from.Nodes[i]
	if g.used[i] || !slices.Contains(names, n.Op.Name) {
		return nil
	}
	return n
}

// take marks a node as part of the pattern and returns its output.
func (g *back) take(n *nn.Node) int {
	for i := range g.from.Nodes {
		if &g.from.Nodes[i] == n {
			g.used[i] = true
		}
	}
	return n.Out[0]
}

// origin is the value that an input is cut or reshaped from.
func (g *back) origin(v int) int {
	if s, ok := g.source[v]; ok {
		return s
	}
	return v
}

// limits marks a CLAMP behind a value as part of the pattern and returns its limits; without a CLAMP it returns the limits
// of the type. A CLAMP that no fused function can express with the output's zero point stays a node of its own.
func (g *back) limits(v int, zero int64) (int, tflite.Limits) {
	lo, hi := g.old(v).Type.Range()
	l := tflite.Limits{Min: lo, Max: hi}
	n := g.next(v, "CLAMP")
	if n == nil {
		return v, l
	}
	clamp := tflite.Limits{Min: int64(n.Attrs.Int("min_val")), Max: int64(n.Attrs.Int("max_val"))}
	if _, ok := functionScale(clamp, zero, g.old(v).Type); !ok && g.old(n.Out[0]).Format.Kind != nn.Scaled {
		return v, l
	}
	return g.take(n), clamp
}

// emit adds an operator of TensorFlow Lite with one output, which stands for a value of the old graph.
func (g *back) emit(name string, attrs nn.Attrs, rounding nn.Rounding, out int, in ...int) {
	op, ok := g.ops.Lookup(nn.TFLite, name)
	if !ok {
		panic(unlowered{fmt.Errorf("there is no operator %s", name)})
	}
	t := g.old(out)
	v := g.add(nn.Value{Name: g.from.Values[out].Name, Tensor: &nn.Tensor{Type: t.Type, Shape: t.Shape, Format: t.Format}})
	g.place[out] = v
	g.to.Nodes = append(g.to.Nodes, nn.Node{Name: g.node.Name, Op: op, Attrs: attrs, In: in, Out: []int{v}, Rounding: rounding})
}

// call is a call of an operator of TensorFlow Lite, whose prepared numbers are compared with those of the graph.
func (g *back) call(name string, attrs nn.Attrs, rounding nn.Rounding, out *nn.Tensor, in ...*nn.Tensor) *nn.Call {
	op, ok := g.ops.Lookup(nn.TFLite, name)
	if !ok {
		panic(unlowered{fmt.Errorf("there is no operator %s", name)})
	}
	c := &nn.Call{Op: op, Attrs: nn.Attrs{}, In: in, Out: []*nn.Tensor{out}, Rounding: rounding}
	for _, row := range op.Attrs {
		c.Attrs[row.Name] = row.Default
	}
	for k, v := range attrs {
		c.Attrs[k] = v
	}
	return c
}

// scaled ends the lowering unless a value has one scale.
func (g *back) scaled(v int) {
	if f := g.old(v).Format; f.Kind != nn.Scaled || len(f.Scales) != 1 || f.Fine != nil {
		panic(unlowered{fmt.Errorf("%s has no scale", g.from.Values[v].Name)})
	}
}

const fusedAttr = "fused_activation_function"

// fused is the function that clamps an output to limits.
func fused(l tflite.Limits, out *nn.Tensor) string {
	for _, name := range []string{"NONE", "RELU", "RELU6", "RELU_N1_TO_1"} {
		if got, err := tflite.Activation(name, out); err == nil && got == l {
			return name
		}
	}
	panic(unlowered{fmt.Errorf("no fused function clamps to %d and %d", l.Min, l.Max)})
}

// requantized marks the nodes behind sums as part of the pattern: limits of the sums, RESCALE, CLAMP and RESHAPE.
type requantized struct {
	factors  []quant.Multiplier
	outZero  int64
	limits   tflite.Limits
	rounding nn.Rounding
	out      int
}

func (g *back) requantized(sums int) (r requantized) {
	var ends []*nn.Node // ToTOSA adds them where only saturation can follow
	for _, name := range []string{"MAXIMUM", "MINIMUM"} {
		if n := g.next(sums, name); n != nil && n.In[0] == sums {
			sums, ends = g.take(n), append(ends, n)
		}
	}
	n := g.next(sums, "RESCALE")
	if n == nil {
		panic(unlowered{fmt.Errorf("no RESCALE follows the sums alone")})
	}
	r.factors, r.rounding = g.factors(n)
	for _, e := range ends {
		if !g.saturates(e, r.factors) {
			panic(unlowered{fmt.Errorf("%s of its sums does more than saturate", e.Op.Name)})
		}
	}
	r.outZero = int64(n.Attrs.Int("output_zp"))
	r.out, r.limits = g.limits(g.take(n), r.outZero)
	if n := g.next(r.out, "RESHAPE"); n != nil && g.old(n.Out[0]).Format.Kind == nn.Scaled {
		r.out = g.take(n)
	}
	g.assume(r.out, r.outZero, r.limits)
	g.scaled(r.out)
	return r
}

// saturates reports whether a MAXIMUM or MINIMUM keeps sums where RESCALE is defined: sums that it cuts off would
// give an end of the output.
func (g *back) saturates(n *nn.Node, factors []quant.Multiplier) bool {
	ends := g.old(n.In[1])
	if !ends.Filled() || ends.Len() != len(factors) {
		return false
	}
	for i, m := range factors {
		limit := int64(1) << min(m.Down()-1, 31)
		if m.Value != 0 && m.Value < 1<<30 || n.Op.Name == "MAXIMUM" && ends.Ints[i] != -limit || n.Op.Name == "MINIMUM" && ends.Ints[i] != limit-1 {
			return false
		}
	}
	return true
}

// factors are the multipliers of a RESCALE from 32 bits, and how it rounds.
func (g *back) factors(n *nn.Node) ([]quant.Multiplier, nn.Rounding) {
	m, s := g.old(n.In[1]), g.old(n.In[2])
	wide := g.old(n.In[0]).Type == nn.I48
	if !m.Filled() || !s.Filled() || !wide && !n.Attrs.Bool("scale32") || n.Attrs.Bool("input_unsigned") || n.Attrs.Bool("output_unsigned") {
		panic(unlowered{fmt.Errorf("RESCALE has multipliers of 16 bits, unsigned sides, or operands that are not constant")})
	}
	rounding := nn.Single
	if n.Attrs.Bool("double_round") {
		rounding = nn.Double
	}
	var list []quant.Multiplier
	if wide {
		for i := range m.Ints {
			f := must(quant.FromTOSA16(int16(m.Ints[i]), int(s.Ints[i])))
			list = append(list, quant.Multiplier{Value: int32(f.Value) << 16, Shift: f.Shift}) // one that is reduced to it
		}
		return list, nn.Double
	}
	for i := range m.Ints {
		f := must(quant.FromTOSA(int32(m.Ints[i]), int(s.Ints[i])))
		list = append(list, f)
	}
	return list, rounding
}

// convolution makes CONV_2D, DEPTHWISE_CONV_2D or FULLY_CONNECTED.
func (g *back) convolution() {
	n := g.node
	in, weights, bias := g.origin(n.In[0]), g.old(n.In[1]), n.In[2]
	sums, product := n.Out[0], n.Op.Name == "FULLY_CONNECTED"
	if rows := g.next(sums, "RESHAPE"); rows != nil && g.oneCell(n) {
		sums, product = g.take(rows), true // as files of 1.0 have FULLY_CONNECTED
	}
	r := g.requantized(sums)
	g.assume(in, int64(n.Attrs.Int("input_zp")), tflite.Limits{})
	g.scaled(in)
	name, w := "CONV_2D", nn.FromInts(weights.Type, weights.Shape, weights.Ints)
	axis, channels := 0, weights.Dim(0)
	switch {
	case n.Op.Name == "DEPTHWISE_CONV2D":
		name, axis, channels = "DEPTHWISE_CONV_2D", 3, weights.Dim(2)*weights.Dim(3)
		w.Shape = []int{1, weights.Dim(0), weights.Dim(1), channels}
	case product:
		name, w.Shape = "FULLY_CONNECTED", []int{channels, weights.Len() / channels}
	}
	if !weights.Filled() || !g.old(bias).Filled() || len(r.factors) != 1 && len(r.factors) != channels {
		panic(unlowered{fmt.Errorf("weights or bias are not constant, or multipliers do not fit %d channels", channels)})
	}
	function := fused(r.limits, g.old(r.out))
	if name == "FULLY_CONNECTED" && len(r.factors) == 1 && int64(n.Attrs.Int("weight_zp")) == 0 {
		r.factors = slices.Repeat(r.factors, channels) // a factor for all comes from scales of single precision
	}
	attrs := nn.Attrs{fusedAttr: function}
	w.Format = nn.Format{Kind: nn.Scaled, Axis: axis, Zeros: []int64{int64(n.Attrs.Int("weight_zp"))}}
	w.Format.Scales = make([]float32, len(r.factors))
	if len(r.factors) > 1 {
		w.Format.Zeros = nil
	}
	biasType := nn.I32
	if g.old(bias).Type == nn.I48 {
		biasType = nn.I64
	}
	b := nn.FromInts(biasType, []int{channels}, g.old(bias).Ints)
	if len(b.Ints) == 1 {
		b.Ints = slices.Repeat(b.Ints, channels)
	}
	if name != "FULLY_CONNECTED" {
		d := n.Attrs.Ints("dilation")
		attrs["dilation_h_factor"], attrs["dilation_w_factor"] = d[0], d[1]
		g.window(name, attrs, in, r.out, w)
	}
	c := g.call(name, attrs, r.rounding, g.old(r.out), g.old(in), w, b)
	f := must(tflite.Filtered(c))
	if f.OutZero != r.outZero || f.InZero != int64(n.Attrs.Int("input_zp")) || f.WeightZero != int64(n.Attrs.Int("weight_zp")) {
		panic(unlowered{fmt.Errorf("its zero points are not those of its values")})
	}
	if !weightScales(c, r.factors) {
		fineScales(c, r.factors)
		w.Format = c.In[1].Format
	}
	g.emit(name, attrs, r.rounding, r.out, g.value(in), g.add(nn.Value{Name: g.from.Values[n.In[1]].Name, Tensor: w}),
		g.add(nn.Value{Name: g.from.Values[bias].Name, Tensor: b}))
}

// nearby is how many floats on either side of an exact quotient are tried. Scales are floats of 24 bits and
// multipliers have 31, so the one that a multiplier comes from is among the nearest.
const nearby = 3

// least is the least normal float: a scale so small that its multiplier is zero, as those of channels are
// that training has switched off.
const least = 0x1p-126

// weightScales finds scales of the weights that TensorFlow Lite makes these multipliers of, and reports whether there
// are any.
func weightScales(c *nn.Call, want []quant.Multiplier) bool {
	scales := c.In[1].Format.Scales
	found, missing := make([]bool, len(scales)), len(scales)
	kept := slices.Clone(scales)
	for k := range 2*nearby + 1 {
		for i, f := range want {
			exact := max(float32(f.Real()*c.Out[0].Format.Scale(0)/c.In[0].Format.Scale(0)), least)
			scales[i] = math.Float32frombits(math.Float32bits(exact) + uint32((k+1)/2*(1-k%2*2)))
		}
		f := must(tflite.Filtered(c))
		for i := range scales {
			if !found[i] && f.Factors[i] == want[i] {
				found[i], kept[i] = true, scales[i]
				missing--
			}
		}
	}
	copy(scales, kept)
	return missing == 0
}

// oneCell reports whether a CONV2D has an image and a window of one cell.
func (g *back) oneCell(n *nn.Node) bool {
	if n.Op.Name != "CONV2D" || slices.Max(n.Attrs.Ints("pad")) > 0 {
		return false
	}
	image, window := g.old(n.In[0]).Shape[1:3], g.old(n.In[1]).Shape[1:3]
	return slices.Equal(image, []int{1, 1}) && slices.Equal(window, []int{1, 1})
}

// fineScales gives the weights scales in double precision that make these multipliers.
func fineScales(c *nn.Call, want []quant.Multiplier) {
	w := c.In[1]
	w.Format.Fine = make([]float64, len(want))
	for i, f := range want {
		w.Format.Fine[i] = max(f.Real()*c.Out[0].Format.Scale(0)/c.In[0].Format.Scale(0), least)
		w.Format.Scales[i] = max(float32(w.Format.Fine[i]), least)
	}
	f := must(tflite.Filtered(c))
	for i, got := range f.Factors {
		if m := want[min(i, len(want)-1)]; got != m && got.Value|m.Value != 0 {
			panic(unlowered{fmt.Errorf("its multiplier %v is that of no scale", m)})
		}
	}
}

// window finds the padding that has the graph's pads, and sets it with the strides.
func (g *back) window(name string, attrs nn.Attrs, in, out int, weights *nn.Tensor) {
	stride, pad := g.node.Attrs.Ints("stride"), g.node.Attrs.Ints("pad")
	attrs["stride_h"], attrs["stride_w"] = stride[0], stride[1]
	for _, padding := range []string{"VALID", "SAME"} {
		attrs["padding"] = padding
		c := g.call(name, attrs, nn.Double, g.old(out), g.old(in), weights)
		w := must(tflite.Windowed(c))
		rows := places(padding, g.old(in).Dim(1), w.KernelH, w.StrideH, w.DilationH)
		columns := places(padding, g.old(in).Dim(2), w.KernelW, w.StrideW, w.DilationW)
		if w.PadTop == pad[0] && w.PadLeft == pad[2] && slices.Equal(g.old(g.node.Out[0]).Shape[1:3], []int{rows, columns}) {
			return
		}
	}
	panic(unlowered{fmt.Errorf("neither VALID nor SAME pads by %v", pad)})
}

// places is the number of windows along a direction.
func places(padding string, in, kernel, stride, dilation int) int {
	if padding == "SAME" {
		return (in + stride - 1) / stride
	}
	return (in-(kernel-1)*dilation-1)/stride + 1
}

// pool makes AVERAGE_POOL_2D or MAX_POOL_2D.
func (g *back) pool() {
	name := "MAX_POOL_2D"
	if g.node.Op.Name == "AVG_POOL2D" {
		name = "AVERAGE_POOL_2D"
		if g.node.Attrs.Int("input_zp") != 0 || g.node.Attrs.Int("output_zp") != 0 {
			panic(unlowered{fmt.Errorf("TensorFlow Lite takes the mean of elements without a zero point")})
		}
	}
	in := g.origin(g.node.In[0])
	zero := g.old(in).Format.Zero(0)
	out, limits := g.limits(g.node.Out[0], zero)
	if f := g.old(in).Format; f.Kind == nn.Scaled && g.old(out).Format.Kind != nn.Scaled {
		g.old(out).Format = f
		g.assumed = append(g.assumed, out)
	}
	for _, v := range []int{in, out} {
		g.scaled(v)
	}
	function := fused(limits, g.old(out))
	kernel := g.node.Attrs.Ints("kernel")
	attrs := nn.Attrs{fusedAttr: function, "filter_height": kernel[0], "filter_width": kernel[1]}
	g.window(name, attrs, in, out, nil)
	g.emit(name, attrs, nn.Double, out, g.value(in))
}

// reshape leaves it to the reader to take any shape.
func (g *back) reshape() {
	g.source[g.node.Out[0]] = g.origin(g.node.In[0])
}

// slice leaves it to the window behind to pass over what is cut off.
func (g *back) slice() {
	out := g.node.Out[0]
	if slices.Max(g.node.Attrs.Ints("start")) != 0 || g.next(out, "CONV2D", "DEPTHWISE_CONV2D", "AVG_POOL2D", "MAX_POOL2D") == nil {
		panic(unlowered{fmt.Errorf("it does not cut the end of an image for a window")})
	}
	g.source[out] = g.node.In[0]
}
