package tosacheck

import (
	"math"
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/nn/tosa"
)

// mistake is a way to break one condition of some operators.
type mistake struct {
	ops       []string
	condition string
	make      func(m *maker) *nn.Call
}

// from makes a mistake by changing a valid call.
func from(change func(c *nn.Call)) func(*maker) *nn.Call {
	return func(m *maker) *nn.Call {
		c := clone(m.base)
		change(c)
		return c
	}
}

// attr makes a mistake by another value of an attribute.
func attr(name string, v any) func(*maker) *nn.Call {
	return from(func(c *nn.Call) { c.Attrs[name] = v })
}

// element makes a mistake by another element of a list attribute.
func element(name string, i, v int) func(*maker) *nn.Call {
	return from(func(c *nn.Call) { c.Attrs.Ints(name)[i] = v })
}

// taller makes a mistake by one row more of the output.
func taller(d int) func(*maker) *nn.Call {
	return from(func(c *nn.Call) { c.Out[0].Shape[d]++ })
}

// wide is a call of an operator with weights in the types of EXT-INT16, whose operands have no zero points.
func wide(m *maker) *nn.Call {
	c := clone(m.base)
	for i, t := range m.spec.Sets[len(m.spec.Sets)-1].Types {
		if i < len(c.In) {
			c.In[i] = nn.New(t, c.In[i].Shape...)
		} else {
			c.Out[0].Type = t
		}
	}
	for name, v := range c.Attrs {
		if _, number := v.(int); number {
			c.Attrs[name] = 0
		}
	}
	if _, ok := m.spec.Attr("acc_type"); ok && len(c.In) == 3 {
		c.Attrs["acc_type"] = c.Out[0].Type
	}
	return c
}

// onWide changes such a call.
func onWide(change func(c *nn.Call)) func(*maker) *nn.Call {
	return func(m *maker) *nn.Call {
		c := wide(m)
		change(c)
		return c
	}
}

// point is a call of an operator with weights on one pixel with that many channels, all of whose elements are
// equal.
func point(m *maker, t nn.Signature, channels int, v, zp, bias int64) *nn.Call {
	ones := func(last int) []int { return append(slices.Repeat([]int{1}, m.spec.Ranks[0].Min-1), last) }
	x, w := nn.New(t[0], ones(channels)...), nn.New(t[1], ones(channels)...)
	for i := range x.Ints {
		x.Ints[i], w.Ints[i] = v, v
	}
	attrs := nn.Attrs{"input_zp": int(zp), "weight_zp": int(zp)}
	for _, l := range m.spec.Lengths {
		n := 1
		if l.Attr == "pad" || l.Attr == "out_pad" {
			n = 0
		}
		attrs[l.Attr] = slices.Repeat([]int{n}, l.Of(nil))
	}
	return m.call(attrs, shaped(t[3], ones(1)...), x, w, list(t[2], bias))
}

// rescaled is a call of RESCALE on one element.
func rescaled(from, to nn.Type, v, multiplier, shift int64, attrs nn.Attrs) func(*maker) *nn.Call {
	return func(m *maker) *nn.Call {
		t := nn.I16
		if attrs.Bool("scale32") {
			t = nn.I32
		}
		return m.call(attrs, shaped(to, 1), list(from, v), list(t, multiplier), list(nn.I8, shift))
	}
}

func ops(names ...string) []string { return names }

// taps32 is more products of 255 * 255 than 32 bits hold.
const taps32 = 33100

var mistakes = []mistake{
	// Operators with weights and windows.
	{ops: convolutionOps, condition: "shapes", make: from(func(c *nn.Call) { c.Out[0].Shape[len(c.Out[0].Shape)-1]++ })},
	{ops: windowOps, condition: "shapes", make: from(func(c *nn.Call) { c.Out[0].Shape[0]++ })},
	{ops: ops("CONV2D", "CONV3D", "TRANSPOSE_CONV2D", "FULLY_CONNECTED"), condition: "shapes", make: from(func(c *nn.Call) {
		c.In[1].Shape[len(c.In[1].Shape)-1]++
		c.In[1].Alloc()
	})},
	{ops: ops("DEPTHWISE_CONV2D"), condition: "shapes", make: from(func(c *nn.Call) {
		c.In[1].Shape[2]++
		c.In[1].Alloc()
	})},
	{ops: ops("TRANSPOSE_CONV2D", "FULLY_CONNECTED"), condition: "shapes", make: taller(0)},
	{ops: weightOps, condition: "bias", make: from(func(c *nn.Call) { c.In[2] = nn.New(c.In[2].Type, 17) })},
	{ops: weightOps, condition: "input_zp", make: attr("input_zp", 128)},
	{ops: weightOps, condition: "input_zp", make: onWide(func(c *nn.Call) { c.Attrs["input_zp"] = 1 })},
	{ops: weightOps, condition: "weight_zp", make: attr("weight_zp", -129)},
	{ops: weightOps, condition: "weight_zp", make: from(func(c *nn.Call) {
		c.In[1] = nn.New(nn.I4, c.In[1].Shape...)
		c.Attrs["weight_zp"] = 1
	})},
	{ops: weightOps, condition: "acc_type", make: attr("acc_type", nn.I48)},
	{ops: weightOps, condition: "i4 weights", make: from(func(c *nn.Call) {
		c.In[1] = nn.New(nn.I4, c.In[1].Shape...)
		c.In[1].Ints[0], c.Attrs["weight_zp"] = -8, 0
	})},
	{ops: weightOps, condition: "accumulator", make: func(m *maker) *nn.Call {
		return point(m, m.spec.Sets[0].Types, 1, 1, 0, math.MaxInt32)
	}},
	{ops: weightOps, condition: "accumulator", make: func(m *maker) *nn.Call {
		return point(m, m.spec.Sets[2].Types, 1, 1, 0, 1<<47-1)
	}},
	{ops: ops("CONV2D", "CONV3D", "FULLY_CONNECTED", "TRANSPOSE_CONV2D"), condition: "accumulator", make: func(m *maker) *nn.Call {
		return point(m, m.spec.Sets[0].Types, taps32, 127, -128, math.MinInt32) // with the bias the sum fits again, before it does not
	}},
	{ops: windowOps, condition: "pad", make: element("pad", 0, -1)},
	{ops: windowOps, condition: "pad", make: element("pad", 3, -1)},
	{ops: append(slices.Clone(windowOps), "TRANSPOSE_CONV2D"), condition: "stride", make: element("stride", 0, 0)},
	{ops: append(slices.Clone(windowOps), "TRANSPOSE_CONV2D"), condition: "stride", make: element("stride", 1, -1)},
	{ops: convolutionOps, condition: "dilation", make: element("dilation", 0, 0)},
	{ops: convolutionOps, condition: "dilation", make: element("dilation", 1, -2)},
	{ops: windowOps, condition: "output size", make: taller(1)},
	{ops: append(slices.Clone(windowOps), "TRANSPOSE_CONV2D"), condition: "output size", make: taller(2)},
	{ops: ops("TRANSPOSE_CONV2D"), condition: "output size", make: taller(1)},
	{ops: windowOps, condition: "output size", make: from(func(c *nn.Call) { // a rest remains
		c.In[0].Shape[1] += 1
		c.In[0].Alloc()
		c.Attrs.Ints("stride")[0] = 7
	})},
	{ops: ops("TRANSPOSE_CONV2D"), condition: "out_pad", make: from(func(c *nn.Call) { c.Attrs.Ints("out_pad")[0] = -c.In[1].Shape[1] })},
	{ops: ops("TRANSPOSE_CONV2D"), condition: "out_pad", make: from(func(c *nn.Call) { c.Attrs.Ints("out_pad")[3] = -c.In[1].Shape[2] })},
	{ops: poolOps, condition: "kernel", make: element("kernel", 0, 0)},
	{ops: poolOps, condition: "pad < kernel", make: from(func(c *nn.Call) { c.Attrs.Ints("pad")[0] = c.Attrs.Ints("kernel")[0] })},
	{ops: poolOps, condition: "pad < kernel", make: from(func(c *nn.Call) { c.Attrs.Ints("pad")[3] = c.Attrs.Ints("kernel")[1] + 1 })},
	{ops: ops("AVG_POOL2D"), condition: "input_zp", make: onWide(func(c *nn.Call) { c.Attrs["input_zp"] = 3 })},
	{ops: ops("AVG_POOL2D"), condition: "output_zp", make: onWide(func(c *nn.Call) { c.Attrs["output_zp"] = -3 })},
	{ops: ops("AVG_POOL2D"), condition: "acc_type", make: attr("acc_type", nn.I48)},
	{ops: ops("AVG_POOL2D"), condition: "accumulator", make: func(m *maker) *nn.Call {
		const side = 257 // more than 2^16 elements of -2^15
		x := nn.New(nn.I16, 1, side, side, 1)
		for i := range x.Ints {
			x.Ints[i] = math.MinInt16
		}
		return m.call(nn.Attrs{"kernel": []int{side, side}, "stride": []int{1, 1}, "pad": []int{0, 0, 0, 0}}, shaped(nn.I16, 1, 1, 1, 1), x)
	}},
	{ops: ops("MATMUL"), condition: "shapes", make: taller(2)},
	{ops: ops("MATMUL"), condition: "shapes", make: from(func(c *nn.Call) {
		c.In[1].Shape[1]++
		c.In[1].Alloc()
	})},
	{ops: ops("MATMUL"), condition: "a_zp", make: onWide(func(c *nn.Call) { c.Attrs["a_zp"] = 1 })},
	{ops: ops("MATMUL"), condition: "b_zp", make: onWide(func(c *nn.Call) { c.Attrs["b_zp"] = 1 })},
	{ops: ops("MATMUL"), condition: "accumulator", make: func(m *maker) *nn.Call {
		a, b := nn.New(nn.I8, 1, 1, taps32), nn.New(nn.I8, 1, taps32, 1)
		for i := range a.Ints {
			a.Ints[i], b.Ints[i] = 127, 127
		}
		return m.call(nn.Attrs{"a_zp": -128, "b_zp": -128}, shaped(nn.I32, 1, 1, 1), a, b)
	}},

	// Elementwise operators.
	{ops: sameShapeOps, condition: "shape", make: from(func(c *nn.Call) { c.Out[0].Shape[0]++ })},
	{ops: binaryOps, condition: "broadcast", make: from(func(c *nn.Call) { c.Out[0].Shape[0]++ })},
	{ops: binaryOps, condition: "broadcast", make: from(func(c *nn.Call) {
		c.In[1].Shape = append([]int{1}, c.In[1].Shape...)
	})},
	{ops: binaryOps, condition: "broadcast", make: from(func(c *nn.Call) {
		c.In[0].Shape, c.In[1].Shape, c.Out[0].Shape = []int{2, 3}, []int{2, 2}, []int{2, 3}
		for _, t := range c.In[:2] {
			t.Alloc()
		}
	})},
	{ops: ops("CLAMP"), condition: "min_val <= max_val", make: from(func(c *nn.Call) { c.Attrs["min_val"], c.Attrs["max_val"] = 5, 4 })},
	{ops: ops("CLAMP"), condition: "limits", make: attr("max_val", 128)},
	{ops: ops("ADD"), condition: "result", make: pairOf(math.MaxInt32, 1)},
	{ops: ops("SUB"), condition: "result", make: pairOf(math.MinInt32, 1)},
	{ops: ops("INTDIV"), condition: "result", make: pairOf(math.MinInt32, -1)},
	{ops: ops("INTDIV"), condition: "divisor", make: pairOf(1, 0)},
	{ops: ops("LOGICAL_LEFT_SHIFT", "LOGICAL_RIGHT_SHIFT"), condition: "shift", make: pairOf(1, 32)},
	{ops: ops("LOGICAL_LEFT_SHIFT", "LOGICAL_RIGHT_SHIFT", "ARITHMETIC_RIGHT_SHIFT"), condition: "shift", make: pairOf(1, -1)},
	{ops: ops("ARITHMETIC_RIGHT_SHIFT"), condition: "shift", make: pairOf(1, 32)},
	{ops: ops("MUL"), condition: "shift length", make: from(func(c *nn.Call) { c.In[2] = list(nn.I8, 0, 0) })},
	{ops: ops("MUL"), condition: "shift", make: product(nn.I32, 2, 3, 64)},
	{ops: ops("MUL"), condition: "shift", make: product(nn.I32, 2, 3, -1)},
	{ops: ops("MUL"), condition: "shift", make: product(nn.I16, 2, 3, 1)},
	{ops: ops("MUL"), condition: "product", make: product(nn.I32, math.MinInt32, math.MinInt32, 63)},
	{ops: ops("MUL"), condition: "result", make: product(nn.I32, math.MaxInt32, math.MaxInt32, 20)},
	{ops: ops("ABS"), condition: "minimum", make: func(m *maker) *nn.Call { return m.call(nil, shaped(nn.I32, 1), list(nn.I32, math.MinInt32)) }},
	{ops: ops("NEGATE"), condition: "input1_zp", make: onWide(func(c *nn.Call) { c.Attrs["input1_zp"] = 1 })},
	{ops: ops("NEGATE"), condition: "output_zp", make: onWide(func(c *nn.Call) { c.Attrs["output_zp"] = 1 })},
	{ops: ops("NEGATE"), condition: "result", make: func(m *maker) *nn.Call { return m.call(nil, shaped(nn.I32, 1), list(nn.I32, math.MinInt32)) }},
	{ops: ops("TABLE"), condition: "table length", make: from(func(c *nn.Call) { c.In[1] = nn.New(nn.I8, 255) })},
	{ops: ops("TABLE"), condition: "table length", make: from(func(c *nn.Call) { // the error before it counts less
		c.Out[0].Shape[0]++
		c.In[1] = nn.New(nn.I8, 257)
	})},
	{ops: ops("TABLE"), condition: "slope", make: func(m *maker) *nn.Call {
		t := nn.New(nn.I16, 513)
		t.Ints[512], t.Ints[511] = math.MaxInt16, -1
		return m.call(nil, shaped(nn.I32, 1), list(nn.I16, math.MaxInt16), t)
	}},

	// Axes and layout.
	{ops: append(ops("ARGMAX", "REVERSE", "CONCAT"), reduceOps...), condition: "axis", make: attr("axis", -1)},
	{ops: append(ops("ARGMAX", "REVERSE", "CONCAT"), reduceOps...), condition: "axis", make: attr("axis", maxGridRank)},
	{ops: otherShapeOps, condition: "shape", make: from(func(c *nn.Call) { c.Out[0].Shape[len(c.Out[0].Shape)-1]++ })},
	{ops: ops("REDUCE_SUM"), condition: "result", make: func(m *maker) *nn.Call {
		return m.call(nn.Attrs{"axis": 0}, shaped(nn.I32, 1), list(nn.I32, math.MaxInt32, 1, -1)) // fits again at the end
	}},
	{ops: ops("CONCAT"), condition: "inputs", make: func(m *maker) *nn.Call {
		return m.call(nn.Attrs{"axis": 0}, shaped(nn.I8, 2, 2), nn.New(nn.I8, 1, 2), nn.New(nn.I8, 1, 3))
	}},
	{ops: ops("CONCAT"), condition: "inputs", make: func(m *maker) *nn.Call {
		return m.call(nn.Attrs{"axis": 0}, shaped(nn.I8, 2, 2), nn.New(nn.I8, 1, 2), nn.New(nn.I8, 1, 2, 1))
	}},
	{ops: ops("PAD"), condition: "padding", make: element("padding", 0, -1)},
	{ops: ops("PAD"), condition: "pad_const", make: attr("pad_const", 2)},
	{ops: ops("RESHAPE"), condition: "element count", make: from(func(c *nn.Call) { c.Out[0].Shape = []int{7} })},
	{ops: ops("RESHAPE"), condition: "shape", make: attr("shape", []int{24, 1, 1, 1, 1})},
	{ops: ops("SLICE"), condition: "start", make: element("start", 0, -1)},
	{ops: ops("SLICE"), condition: "size", make: element("size", 0, 0)},
	{ops: ops("SLICE"), condition: "end", make: from(func(c *nn.Call) { c.Attrs.Ints("start")[0] = c.In[0].Shape[0] })},
	{ops: ops("TRANSPOSE"), condition: "perms", make: element("perms", 0, maxGridRank)},
	{ops: ops("TRANSPOSE"), condition: "perms", make: element("perms", 0, 1)},
	{ops: ops("GATHER", "SCATTER"), condition: "shapes", make: taller(2)},
	{ops: ops("GATHER", "SCATTER"), condition: "shapes", make: from(func(c *nn.Call) {
		c.In[1].Shape[0]++
		c.In[1].Alloc()
	})},
	{ops: ops("GATHER", "SCATTER"), condition: "index", make: from(func(c *nn.Call) { c.In[1].Ints[0] = int64(c.In[0].Shape[1]) })},
	{ops: ops("GATHER", "SCATTER"), condition: "index", make: from(func(c *nn.Call) { c.In[1].Ints[0] = -1 })},
	{ops: ops("SCATTER"), condition: "index twice", make: from(func(c *nn.Call) { c.In[1].Ints[1] = c.In[1].Ints[0] })},

	// RESIZE: the condition about scales comes before those that divide by them.
	{ops: ops("RESIZE"), condition: "shapes", make: taller(3)},
	{ops: ops("RESIZE"), condition: "mode", make: attr("mode", tosa.Bilinear)},
	{ops: ops("RESIZE"), condition: "extent", make: from(func(c *nn.Call) { c.Out[0].Shape[1] = 16384 })},
	{ops: ops("RESIZE"), condition: "scale > 0", make: element("scale", 0, 0)},
	{ops: ops("RESIZE"), condition: "scale > 0", make: element("scale", 3, -1)},
	{ops: ops("RESIZE"), condition: "scale_n", make: attr("scale", []int{2049, 2, 1, 1})},
	{ops: ops("RESIZE"), condition: "scale_d", make: attr("scale", []int{1, 16, 1, 1})},
	{ops: ops("RESIZE"), condition: "offset", make: from(func(c *nn.Call) { c.Attrs.Ints("offset")[0] = -c.Attrs.Ints("scale")[0] - 1 })},
	{ops: ops("RESIZE"), condition: "offset", make: from(func(c *nn.Call) { c.Attrs.Ints("offset")[1] = 16 * c.Attrs.Ints("scale")[2] })},
	{ops: ops("RESIZE"), condition: "border", make: from(func(c *nn.Call) { c.Attrs.Ints("border")[0] = c.Attrs.Ints("scale")[0] })},
	{ops: ops("RESIZE"), condition: "border", make: from(func(c *nn.Call) { c.Attrs.Ints("border")[1] = -16*c.Attrs.Ints("scale")[2] - 1 })},
	{ops: ops("RESIZE"), condition: "output size", make: taller(1)},
	{ops: ops("RESIZE"), condition: "output size", make: taller(2)},

	{ops: ops("RESCALE"), condition: "multiplier type", make: from(func(c *nn.Call) { c.Attrs["scale32"] = !c.Attrs.Bool("scale32") })},
	{ops: ops("RESCALE"), condition: "input_zp", make: rescaled(nn.I16, nn.I8, 1, 1, 2, nn.Attrs{"input_zp": 1, "scale32": true})},
	{ops: ops("RESCALE"), condition: "input_zp", make: rescaled(nn.I16, nn.I8, 1, 1, 2, nn.Attrs{"input_zp": 7, "input_unsigned": true})},
	{ops: ops("RESCALE"), condition: "input_zp", make: rescaled(nn.I8, nn.I8, 1, 1, 2, nn.Attrs{"input_zp": 200})},
	{ops: ops("RESCALE"), condition: "input_zp", make: rescaled(nn.I48, nn.I8, 1, 1, 2, nn.Attrs{"input_zp": 1})},
	{ops: ops("RESCALE"), condition: "output_zp", make: rescaled(nn.I8, nn.I32, 1, 1, 2, nn.Attrs{"output_zp": 1, "scale32": true})},
	{ops: ops("RESCALE"), condition: "output_zp", make: rescaled(nn.I8, nn.I16, 1, 1, 2, nn.Attrs{"output_zp": 7, "output_unsigned": true})},
	{ops: ops("RESCALE"), condition: "scale32 with i48", make: rescaled(nn.I48, nn.I8, 1, 1, 2, nn.Attrs{"scale32": true})},
	{ops: ops("RESCALE"), condition: "double_round with scale32", make: rescaled(nn.I8, nn.I8, 1, 1, 2, nn.Attrs{"double_round": true})},
	{ops: ops("RESCALE"), condition: "unsigned", make: rescaled(nn.I8, nn.I8, 1, 1, 2, nn.Attrs{"input_unsigned": true, "output_unsigned": true})},
	{ops: ops("RESCALE"), condition: "unsigned", make: rescaled(nn.I8, nn.I32, 1, 1, 2, nn.Attrs{"input_unsigned": true})},
	{ops: ops("RESCALE"), condition: "unsigned", make: rescaled(nn.I32, nn.I8, 1, 1, 2, nn.Attrs{"output_unsigned": true, "scale32": true})},
	{ops: ops("RESCALE"), condition: "unsigned", make: rescaled(nn.I48, nn.I16, 1, 1, 2, nn.Attrs{"output_unsigned": true})},
	{ops: ops("RESCALE"), condition: "channels", make: from(func(c *nn.Call) { c.In[1] = nn.New(c.In[1].Type, 9) })},
	{ops: ops("RESCALE"), condition: "channels", make: from(func(c *nn.Call) { c.In[2] = nn.New(nn.I8, 9) })},
	{ops: ops("RESCALE"), condition: "channels", make: func(m *maker) *nn.Call {
		return m.call(nn.Attrs{"per_channel": true}, shaped(nn.I8), nn.New(nn.I8), list(nn.I16, 1), list(nn.I8, 2))
	}},
	{ops: ops("RESCALE"), condition: "multiplier >= 0", make: rescaled(nn.I8, nn.I8, 1, -1, 2, nn.Attrs{"scale32": true})},
	{ops: ops("RESCALE"), condition: "shift", make: rescaled(nn.I8, nn.I8, 1, 1, 1, nn.Attrs{})},
	{ops: ops("RESCALE"), condition: "shift", make: rescaled(nn.I8, nn.I8, 1, 1, 63, nn.Attrs{})},
	{ops: ops("RESCALE"), condition: "value", make: rescaled(nn.I8, nn.I8, 8, 1, 4, nn.Attrs{"scale32": true})},
	{ops: ops("RESCALE"), condition: "value", make: rescaled(nn.I32, nn.I8, math.MinInt32, 1, 31, nn.Attrs{"scale32": true})},
	{ops: ops("RESCALE"), condition: "scaled value", make: rescaled(nn.I48, nn.I8, 1<<46, math.MaxInt16, 2, nn.Attrs{})},
	{ops: ops("RESCALE"), condition: "result", make: rescaled(nn.I32, nn.I8, math.MaxInt32, 1<<14, 14, nn.Attrs{"output_zp": 1})},

	// Control flow.
	{ops: ops("COND_IF"), condition: "condition", make: from(func(c *nn.Call) { c.In[0] = list(nn.I32, 1) })},
	{ops: ops("COND_IF"), condition: "condition", make: from(func(c *nn.Call) { c.In[0] = nn.New(nn.Bool, 2) })},
	{ops: ops("COND_IF"), condition: "then_graph", make: attr("then_graph", addition(1, 2))},
	{ops: ops("COND_IF"), condition: "else_graph", make: attr("else_graph", below(1, 1))},
	{ops: ops("WHILE_LOOP"), condition: "loop values", make: from(func(c *nn.Call) { c.Out[0].Shape = []int{2} })},
	{ops: ops("WHILE_LOOP"), condition: "cond_graph", make: attr("cond_graph", addition(1, 2))},
	{ops: ops("WHILE_LOOP"), condition: "body_graph", make: attr("body_graph", addition(1, 3))},
}

// pairOf is a call of a binary operator on i32 with these elements.
func pairOf(a, b int64) func(*maker) *nn.Call {
	return func(m *maker) *nn.Call { return m.call(nil, shaped(nn.I32, 1), list(nn.I32, a), list(nn.I32, b)) }
}

// product is a call of MUL.
func product(t nn.Type, a, b, shift int64) func(*maker) *nn.Call {
	return func(m *maker) *nn.Call {
		return m.call(nil, shaped(nn.I32, 1), list(t, a), list(t, b), list(nn.I8, shift))
	}
}
