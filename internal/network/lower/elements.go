package lower

import (
	"fmt"
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite"
	"arcv2dsp/quant"
)

// Operators that compute element by element, along dimensions, or only move elements.

// unit is the factor 1, which RESCALE applies exactly.
var unit = quant.Multiplier{Value: 1 << 30, Shift: 1}

// whole brings elements of 8 or 16 bits to 32 bits, less their zero point.
func (g *graph) whole(v int, zero int64) int {
	return g.rescale32(v, []quant.Multiplier{unit}, nn.Attrs{"scale32": true, "input_zp": int(zero)}, nn.I32)
}

// narrowed scales integers of 32 bits that reach so far to the type of the output, and clamps them.
func (g *graph) narrowed(c *nn.Call, v int, m quant.Multiplier, reach, zero int64, l tflite.Limits) int {
	if limit := int64(1) << min(m.Down()-1, 31); reach >= limit {
		shape := g.tensor(v).Shape
		v = g.op("MAXIMUM", nil, nn.I32, shape, v, g.scalar("least", nn.I32, len(shape), -limit))
		v = g.op("MINIMUM", nil, nn.I32, shape, v, g.scalar("greatest", nn.I32, len(shape), limit-1))
	}
	attrs := nn.Attrs{"scale32": true, "double_round": c.Rounding == nn.Double, "output_zp": int(zero)}
	return g.clamp(g.rescale32(v, []quant.Multiplier{m}, attrs, c.Out[0].Type), l)
}

// ranked gives a value as many dimensions as the output has; those in front have size 1.
func (g *graph) ranked(v int, c *nn.Call) int {
	shape := g.tensor(v).Shape
	return g.shaped(v, slices.Concat(slices.Repeat([]int{1}, len(c.Out[0].Shape)-len(shape)), shape))
}

// signed refuses elements that RESCALE does not take.
func signed(c *nn.Call) {
	for _, t := range append(c.In[:1:1], c.Out[0]) {
		if t.Type != nn.I8 && t.Type != nn.I16 {
			panic(unlowered{fmt.Errorf("elements of %s", t.Type)})
		}
	}
}

// multiply is MUL of 32 bits between two changes of scale.
func (g *graph) multiply(c *nn.Call) {
	signed(c)
	s := must(tflite.Multiplied(c, 0))
	reach := int64(1)
	var in [2]int
	for i := range in {
		lo, hi := c.In[i].Type.Range()
		reach *= max(hi-s.InZeros[i], s.InZeros[i]-lo)
		in[i] = g.whole(g.ranked(g.value(g.node.In[i]), c), s.InZeros[i])
	}
	v := g.op("MUL", nil, nn.I32, c.Out[0].Shape, in[0], in[1], g.constant("shift", nn.I8, []int{1}, []int64{0}))
	g.give(g.narrowed(c, v, s.Factor, reach, s.OutZero, s.Limits))
}

// reduce applies an operator along each of the dimensions that a constant lists.
func (g *graph) reduce(op string, c *nn.Call, v int) int {
	t := g.tensor(v)
	shape := t.Shape
	for _, d := range c.In[1].Ints {
		if d < 0 {
			d += int64(len(shape))
		}
		shape = slices.Clone(shape)
		shape[d] = 1
		v = g.op(op, nn.Attrs{"axis": int(d)}, t.Type, shape, v)
	}
	return v
}

// mean is MEAN or SUM: REDUCE_SUM of 32 bits, whose factor has the division.
func (g *graph) mean(c *nn.Call) {
	signed(c)
	if !c.In[1].Filled() {
		panic(unlowered{fmt.Errorf("dimensions that are not constant")})
	}
	n := c.In[0].Len() / max(1, c.Out[0].Len())
	s := must(tflite.Multiplied(c, n))
	lo, hi := c.In[0].Type.Range()
	v := g.reduce("REDUCE_SUM", c, g.whole(g.value(g.node.In[0]), s.InZeros[0]))
	v = g.narrowed(c, v, s.Factor, int64(n)*max(hi-s.InZeros[0], s.InZeros[0]-lo), s.OutZero, s.Limits)
	g.give(g.shaped(v, c.Out[0].Shape))
}

// extreme is REDUCE_MAX or REDUCE_MIN.
func (g *graph) extreme(c *nn.Call) {
	signed(c)
	if !c.In[1].Filled() {
		panic(unlowered{fmt.Errorf("dimensions that are not constant")})
	}
	g.give(g.shaped(g.reduce(c.Op.Name, c, g.value(g.node.In[0])), c.Out[0].Shape))
}

// choice is MAXIMUM or MINIMUM, which TOSA has with 32 bits.
func (g *graph) choice(c *nn.Call) {
	signed(c)
	a, b := g.whole(g.ranked(g.value(g.node.In[0]), c), 0), g.whole(g.ranked(g.value(g.node.In[1]), c), 0)
	lo, hi := c.Out[0].Type.Range()
	g.give(g.narrowed(c, g.op(c.Op.Name, nil, nn.I32, c.Out[0].Shape, a, b), unit, hi, 0, tflite.Limits{Min: lo, Max: hi}))
}

// lookup is TABLE with what the operator gives for each byte.
func (g *graph) lookup(c *nn.Call) {
	if c.In[0].Type != nn.I8 || c.Out[0].Type != nn.I8 {
		panic(unlowered{fmt.Errorf("a table of elements of %s", c.In[0].Type)})
	}
	lo, hi := nn.I8.Range()
	in := &nn.Tensor{Type: nn.I8, Shape: []int{int(hi - lo + 1)}, Format: c.In[0].Format}
	for q := lo; q <= hi; q++ {
		in.Ints = append(in.Ints, q)
	}
	every := &nn.Call{Op: c.Op, Attrs: c.Attrs, Rounding: c.Rounding, In: []*nn.Tensor{in},
		Out: []*nn.Tensor{{Type: nn.I8, Shape: in.Shape, Format: c.Out[0].Format}}}
	every.Out[0].Alloc()
	if err := c.Op.Golden(every); err != nil {
		panic(unlowered{err})
	}
	table := g.constant("table", nn.I8, in.Shape, every.Out[0].Ints)
	g.give(g.op("TABLE", nil, nn.I8, c.Out[0].Shape, g.value(g.node.In[0]), table))
}

// quantize is a change of scale between integers.
func (g *graph) quantize(c *nn.Call) {
	if c.In[0].Type == nn.I8 && c.Out[0].Type == nn.I8 {
		g.lookup(c)
		return
	}
	signed(c)
	s := must(tflite.Multiplied(c, 0))
	lo, hi := c.In[0].Type.Range()
	v := g.whole(g.value(g.node.In[0]), s.InZeros[0])
	g.give(g.narrowed(c, v, s.Factor, max(hi-s.InZeros[0], s.InZeros[0]-lo), s.OutZero, s.Limits))
}

// moved is an operator that only moves elements.
func (g *graph) moved(c *nn.Call) {
	in, out := g.value(g.node.In[0]), c.Out[0]
	op, attrs := c.Op.Name, nn.Attrs{}
	for _, t := range c.In[1:] {
		if op != "CONCATENATION" && t != nil && !t.Filled() {
			panic(unlowered{fmt.Errorf("places that are not constant")})
		}
	}
	numbers := func(i int) (list []int) {
		for _, v := range c.In[i].Ints {
			list = append(list, int(v))
		}
		return list
	}
	switch op {
	case "CONCATENATION":
		axis := c.Attrs.Int("axis")
		if axis < 0 {
			axis += len(out.Shape)
		}
		var all []int
		for _, v := range g.node.In {
			all = append(all, g.value(v))
		}
		g.give(g.op("CONCAT", nn.Attrs{"axis": axis}, out.Type, out.Shape, all...))
		return
	case "PAD":
		attrs["padding"], attrs["pad_const"] = numbers(1), int(out.Format.Zero(0))
	case "TRANSPOSE":
		attrs["perms"] = numbers(1)
	case "SLICE":
		attrs["start"], attrs["size"] = numbers(1), out.Shape
	}
	g.give(g.op(op, attrs, out.Type, out.Shape, in))
}
