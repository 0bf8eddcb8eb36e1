package lower

import (
	"fmt"
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite"
	"arcv2dsp/quant"
)

// ToTOSA makes a TOSA graph of a network of TensorFlow Lite. Inputs and outputs are the same integers.
func ToTOSA(from *nn.Graph) (*nn.Graph, error) {
	g := newGraph(from)
	return g.build(func() {
		f := toTOSA[g.node.Op.Name]
		if f == nil || g.node.Op.Library != nn.TFLite {
			panic(unlowered{fmt.Errorf("TOSA has nothing that gives the same integers")})
		}
		f(g, g.from.Call(g.node))
	})
}

var toTOSA = map[string]func(*graph, *nn.Call){
	"CONV_2D": (*graph).convolution, "DEPTHWISE_CONV_2D": (*graph).convolution, "FULLY_CONNECTED": (*graph).product,
	"AVERAGE_POOL_2D": (*graph).pool, "MAX_POOL_2D": (*graph).pool, "RESHAPE": (*graph).reshape, "ADD": (*graph).sum, "SUB": (*graph).sum,
	"SOFTMAX": (*graph).softmax, "MUL": (*graph).multiply, "MEAN": (*graph).mean, "SUM": (*graph).mean,
	"REDUCE_MAX": (*graph).extreme, "REDUCE_MIN": (*graph).extreme, "MAXIMUM": (*graph).choice, "MINIMUM": (*graph).choice,
	"SQUEEZE": (*graph).reshape, "EXPAND_DIMS": (*graph).reshape, "CONCATENATION": (*graph).moved, "PAD": (*graph).moved,
	"TRANSPOSE": (*graph).moved, "SLICE": (*graph).moved, "QUANTIZE": (*graph).quantize, "RELU": (*graph).lookup, "RELU6": (*graph).lookup,
	"LEAKY_RELU": (*graph).lookup, "HARD_SWISH": (*graph).lookup, "LOGISTIC": (*graph).lookup, "TANH": (*graph).lookup, "ELU": (*graph).lookup,
	"GELU": (*graph).lookup, "ABS": (*graph).lookup, "RSQRT": (*graph).lookup,
}

// convolution is CONV2D or DEPTHWISE_CONV2D, then the requantization.
func (g *graph) convolution(c *nn.Call) {
	f := must(tflite.Filtered(c))
	in, weights, out := g.value(g.node.In[0]), c.In[1], c.Out[0]
	name, depth := "CONV2D", weights.Dim(3)
	shape := weights.Shape
	if g.node.Op.Name == "DEPTHWISE_CONV_2D" {
		// The filters of channel c are c*M to c*M+M-1 in both; only the shape is written otherwise.
		name, depth = "DEPTHWISE_CONV2D", c.In[0].Dim(3)
		shape = []int{weights.Dim(1), weights.Dim(2), depth, weights.Dim(3) / depth}
	}
	if depth != c.In[0].Dim(3) {
		panic(unlowered{fmt.Errorf("filters over groups of channels")})
	}
	w := g.weights(c, shape)
	window := must(tflite.Windowed(c))
	in, pad := g.fit(in, window, out)
	t := sumType(c.In[0].Type)
	attrs := nn.Attrs{
		"pad": pad, "stride": []int{window.StrideH, window.StrideW}, "dilation": []int{window.DilationH, window.DilationW},
		"input_zp": int(f.InZero), "weight_zp": 0, "acc_type": t,
	}
	bias := g.bias(c, out.Dim(3))
	g.requantize(c, f, g.op(name, attrs, t, out.Shape, in, w, bias))
}

// product is FULLY_CONNECTED on rows, then the requantization.
func (g *graph) product(c *nn.Call) {
	f := must(tflite.Filtered(c))
	channels, depth := c.In[1].Dim(0), c.In[1].Dim(1)
	rows := c.In[0].Len() / depth
	t := sumType(c.In[0].Type)
	attrs := nn.Attrs{"input_zp": int(f.InZero), "weight_zp": int(f.WeightZero), "acc_type": t}
	if t == nn.I48 { // files of today have no FULLY_CONNECTED, and RESHAPE knows no sums of 48 bits: an image of one pixel
		in := g.shaped(g.value(g.node.In[0]), []int{rows, 1, 1, depth})
		attrs["pad"], attrs["stride"], attrs["dilation"] = []int{0, 0, 0, 0}, []int{1, 1}, []int{1, 1}
		g.requantize(c, f, g.op("CONV2D", attrs, t, []int{rows, 1, 1, channels}, in, g.weights(c, []int{channels, 1, 1, depth}), g.bias(c, channels)))
		return
	}
	in := g.shaped(g.value(g.node.In[0]), []int{rows, depth})
	g.requantize(c, f, g.op("FULLY_CONNECTED", attrs, t, []int{rows, channels}, in, g.weights(c, c.In[1].Shape), g.bias(c, channels)))
}

// sumType is the accumulator for activations of a type.
func sumType(t nn.Type) nn.Type {
	if t == nn.I16 {
		return nn.I48
	}
	return nn.I32
}

// weights are the constant weights in a shape; they keep their scales.
func (g *graph) weights(c *nn.Call, shape []int) int {
	if !c.In[1].Filled() {
		panic(unlowered{fmt.Errorf("weights that are not constant")})
	}
	w := g.constant("weights", c.In[1].Type, shape, c.In[1].Ints)
	if slices.Equal(shape, c.In[1].Shape) {
		g.tensor(w).Format = c.In[1].Format
	}
	return w
}

// bias is the bias in the accumulator's type, one zero where there is none.
func (g *graph) bias(c *nn.Call, channels int) int {
	t := sumType(c.In[0].Type)
	b := c.Input("bias")
	if b == nil {
		return g.constant("bias", t, []int{1}, []int64{0})
	}
	for i, v := range b.Ints {
		if !t.Holds(v) {
			panic(unlowered{fmt.Errorf("bias %d is %d, outside %s", i, v, t)})
		}
	}
	if !b.Filled() || b.Len() != channels {
		panic(unlowered{fmt.Errorf("a bias of %d elements, or one that is not constant", b.Len())})
	}
	return g.constant("bias", t, []int{channels}, b.Ints)
}

// shaped gives a value another shape, if it has not that one already.
func (g *graph) shaped(v int, shape []int) int {
	t := g.tensor(v)
	if !slices.Equal(t.Shape, shape) {
		return g.op("RESHAPE", nn.Attrs{"shape": shape}, t.Type, shape, v)
	}
	return v
}

// fit makes a window divide the input exactly: the padding behind the image is as long as the part of the last window
// beyond it, and rows and columns that no window reaches are cut off.
func (g *graph) fit(in int, w tflite.Window, out *nn.Tensor) (v int, pad []int) {
	t := g.tensor(in)
	behind := func(d, kernel, stride, dilation, before int) int {
		return (out.Dim(d)-1)*stride + (kernel-1)*dilation + 1 - before - t.Dim(d)
	}
	bottom := behind(1, w.KernelH, w.StrideH, w.DilationH, w.PadTop)
	right := behind(2, w.KernelW, w.StrideW, w.DilationW, w.PadLeft)
	if bottom < 0 || right < 0 {
		size := []int{t.Dim(0), t.Dim(1) + min(bottom, 0), t.Dim(2) + min(right, 0), t.Dim(3)}
		in = g.op("SLICE", nn.Attrs{"start": []int{0, 0, 0, 0}, "size": size}, t.Type, size, in)
	}
	return in, []int{w.PadTop, max(bottom, 0), w.PadLeft, max(right, 0)}
}

// requantize brings sums to the output: RESCALE, CLAMP for a fused function, and the output's shape.
func (g *graph) requantize(c *nn.Call, f tflite.Filter, sums int) {
	if one := f.Factors[:1]; !slices.ContainsFunc(f.Factors, func(m quant.Multiplier) bool { return m != one[0] }) {
		f.Factors = one
	}
	attrs := nn.Attrs{"output_zp": int(f.OutZero), "per_channel": len(f.Factors) > 1}
	var v int
	if g.tensor(sums).Type == nn.I48 {
		v = g.rescale16(sums, f.Factors, attrs, c.Out[0].Type)
	} else {
		attrs["scale32"], attrs["double_round"] = true, c.Rounding == nn.Double
		v = g.rescale32(g.bounded(c, f, sums), f.Factors, attrs, c.Out[0].Type)
	}
	g.give(g.shaped(g.clamp(v, f.Limits), c.Out[0].Shape))
}

// bounded keeps the sums of each channel in the range that RESCALE is defined for, where weights and bias may take
// them out of it. TensorFlow Lite scales such sums as well: the multiplier has its upper bit set or is zero, so
// what is cut off would only saturate, or overflow the left shift of a factor above 1, where C defines nothing.
func (g *graph) bounded(c *nn.Call, f tflite.Filter, sums int) int {
	channels := len(f.Factors)
	greatest := sumReach(c, f)
	lo, hi, needed := make([]int64, channels), make([]int64, channels), false
	for ch, m := range f.Factors {
		limit := int64(1) << min(m.Down()-1, 31)
		lo[ch], hi[ch] = -limit, limit-1
		needed = needed || greatest[ch] >= limit
	}
	if !needed {
		return sums
	}
	shape := g.tensor(sums).Shape
	ends := append(slices.Repeat([]int{1}, len(shape)-1), channels)
	v := g.op("MAXIMUM", nil, nn.I32, shape, sums, g.constant("least sum", nn.I32, ends, lo))
	return g.op("MINIMUM", nil, nn.I32, shape, v, g.constant("greatest sum", nn.I32, ends, hi))
}

// sumReach bounds the magnitude of the sums for each factor.
func sumReach(c *nn.Call, f tflite.Filter) []int64 {
	weights, last := c.In[1], c.Op.Name == "DEPTHWISE_CONV_2D"
	channels := weights.Dim(0)
	if last {
		channels = weights.Dim(3)
	}
	reach := make([]int64, channels)
	lo, hi := c.In[0].Type.Range()
	x := max(hi-f.InZero, f.InZero-lo)
	for i, w := range weights.Ints {
		ch := i / (weights.Len() / channels)
		if last {
			ch = i % channels
		}
		reach[ch] += max(w-f.WeightZero, f.WeightZero-w) * x
	}
	if b := c.Input("bias"); b != nil {
		for ch, v := range b.Ints {
			reach[ch] += max(v, -v)
		}
	}
	if len(f.Factors) == 1 {
		return []int64{slices.Max(reach)}
	}
	return reach
}

// rescale32 is RESCALE with multipliers of 32 bits.
func (g *graph) rescale32(v int, factors []quant.Multiplier, attrs nn.Attrs, t nn.Type) int {
	multipliers, shifts := make([]int64, len(factors)), make([]int64, len(factors))
	for i, f := range factors {
		m, shift, err := f.TOSA()
		if err != nil {
			panic(unlowered{err})
		}
		multipliers[i], shifts[i] = int64(m), int64(shift)
	}
	return g.rescaled(v, nn.I32, multipliers, shifts, attrs, t)
}

// rescale16 is RESCALE of 48 bits with multipliers of 16.
func (g *graph) rescale16(v int, factors []quant.Multiplier, attrs nn.Attrs, t nn.Type) int {
	multipliers, shifts := make([]int64, len(factors)), make([]int64, len(factors))
	for i, f := range factors {
		m, shift, err := f.Reduce16().TOSA()
		if err != nil {
			panic(unlowered{err})
		}
		multipliers[i], shifts[i] = int64(m), int64(shift)
	}
	return g.rescaled(v, nn.I16, multipliers, shifts, attrs, t)
}

func (g *graph) rescaled(v int, wide nn.Type, multipliers, shifts []int64, attrs nn.Attrs, t nn.Type) int {
	n := []int{len(multipliers)}
	return g.op("RESCALE", attrs, t, g.tensor(v).Shape, v, g.constant("multiplier", wide, n, multipliers), g.constant("shift", nn.I8, n, shifts))
}

// clamp is CLAMP, unless the limits are those of the type.
func (g *graph) clamp(v int, l tflite.Limits) int {
	t := g.tensor(v)
	if lo, hi := t.Type.Range(); l.Min <= lo && l.Max >= hi {
		return v
	}
	return g.op("CLAMP", nn.Attrs{"min_val": int(l.Min), "max_val": int(l.Max)}, t.Type, t.Shape, v)
}

// pool is AVG_POOL2D without zero points, or MAX_POOL2D. TensorFlow Lite rounds the mean of the elements as they
// are, so zero points would move its ties.
func (g *graph) pool(c *nn.Call) {
	w := must(tflite.Windowed(c))
	limits := must(tflite.Activation(c.Attrs.String("fused_activation_function"), c.Out[0]))
	in, pad := g.fit(g.value(g.node.In[0]), w, c.Out[0])
	attrs := nn.Attrs{"kernel": []int{w.KernelH, w.KernelW}, "stride": []int{w.StrideH, w.StrideW}, "pad": pad}
	name := "MAX_POOL2D"
	if g.node.Op.Name == "AVERAGE_POOL_2D" {
		name, attrs["acc_type"] = "AVG_POOL2D", nn.I32
	}
	g.give(g.clamp(g.op(name, attrs, c.Out[0].Type, c.Out[0].Shape, in), limits))
}

func (g *graph) reshape(c *nn.Call) {
	in := g.value(g.node.In[0])
	g.give(g.op("RESHAPE", nn.Attrs{"shape": c.Out[0].Shape}, c.Out[0].Type, c.Out[0].Shape, in))
}

// sum is ADD or SUB: both terms go to the left and to a common scale, in 32 bits.
func (g *graph) sum(c *nn.Call) {
	signed(c)
	p := must(tflite.Summed(c))
	double := c.Rounding == nn.Double
	term := func(i int, zero int64, m quant.Multiplier) int {
		in := g.ranked(g.value(g.node.In[i]), c)
		if shape := g.tensor(in).Shape; c.In[0].Type == nn.I16 {
			v := g.op("LOGICAL_LEFT_SHIFT", nil, nn.I32, shape, g.whole(in, zero), g.scalar("left", nn.I32, len(shape), int64(p.LeftShift)))
			return g.rescale32(v, []quant.Multiplier{m}, nn.Attrs{"scale32": true, "double_round": double}, nn.I32)
		}
		// The shift to the left is a product with 2^30 that is shifted back by less; it is exact where RESCALE takes it.
		left := quant.Multiplier{Value: 1 << 30, Shift: 1 + p.LeftShift}
		v := g.rescale32(in, []quant.Multiplier{left}, nn.Attrs{"scale32": true, "input_zp": int(zero)}, nn.I32)
		return g.rescale32(v, []quant.Multiplier{m}, nn.Attrs{"scale32": true, "double_round": double}, nn.I32)
	}
	a := term(0, p.AZero, p.A)
	b := term(1, p.BZero, p.B)
	v := g.op(c.Op.Name, nil, nn.I32, c.Out[0].Shape, a, b)
	attrs := nn.Attrs{"scale32": true, "double_round": double, "output_zp": int(p.OutZero)}
	v = g.rescale32(v, []quant.Multiplier{p.Out}, attrs, c.Out[0].Type)
	g.give(g.clamp(v, p.Limits))
}
