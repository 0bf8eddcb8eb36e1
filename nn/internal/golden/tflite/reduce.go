package tflite

import (
	"cmp"
	"math/bits"
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// reduction describes an operator on the elements along some dimensions. factor turns the factor of a
// sum into the factor of the result for n elements.
func reduction(name, doc string, factor func(m quant.Multiplier, n int) quant.Multiplier) *nn.Operator {
	return &nn.Operator{
		Library: nn.TFLite, Name: name, Doc: doc,
		Inputs:  []nn.Port{{Role: "in"}, {Role: "axis", Weights: true}},
		Outputs: outPort,
		Types:   []nn.Signature{{nn.I8, nn.I32, nn.I8}, {nn.I16, nn.I32, nn.I16}, {nn.U8, nn.I32, nn.U8}},
		Attrs:   keepDims,
		Check: ruled(func(c *nn.Call) {
			prepareReduction(c, factor)
			reducedShape(c)
		}),
		Golden: ruled(func(c *nn.Call) {
			r := prepareReduction(c, factor)
			reduced, n := reducedAxes(c)
			in, out := c.In[0], c.Out[0]
			sums := make([]int64, out.Len())
			for i, x := range in.Ints {
				sums[kept(nn.Coordinates(i, in.Shape), in.Shape, reduced)] += x
			}
			zi, zo := in.Format.Zero(0), out.Format.Zero(0)
			for i, v := range sums {
				out.Ints[i] = out.Type.Clamp(r.apply(v-int64(n)*zi) + zo)
			}
		}),
	}
}

var (
	mean = reduction("MEAN", "the mean along some dimensions", meanFactor)
	sum  = reduction("SUM", "the sum along some dimensions", func(m quant.Multiplier, _ int) quant.Multiplier { return m })
)

// meanFactor divides a multiplier by n, with as many more bits as n has, so that the division costs
// little precision and no step of its own.
func meanFactor(m quant.Multiplier, n int) quant.Multiplier {
	more := min(bits.Len(uint(n))-1, 32, 31+m.Shift)
	return quant.Multiplier{Value: int32(int64(m.Value) << more / int64(n)), Shift: m.Shift - more}
}

func prepareReduction(c *nn.Call, factor func(quant.Multiplier, int) quant.Multiplier) requantizer {
	_, n := reducedAxes(c)
	s := scales(c, "in", "out")
	r := requantize(c, float64(s[0])/float64(s[1]))
	r.factor = factor(r.factor, n)
	return r
}

// reducedAxes says which dimensions are reduced, and how many elements make one.
func reducedAxes(c *nn.Call) (reduced []bool, n int) {
	constant("axis", c.In[1])
	shape := c.In[0].Shape
	reduced, n = make([]bool, len(shape)), 1
	for _, v := range c.In[1].Ints {
		d := axisOf(v, len(shape))
		if !reduced[d] {
			reduced[d] = true
			n *= shape[d]
		}
	}
	return reduced, n
}

// axisOf is a dimension; negative numbers count from the end.
func axisOf(v int64, rank int) int {
	d := v
	if d < 0 {
		d += int64(rank)
	}
	refuse(d < 0 || d >= int64(rank), "axis", "dimension %d of a tensor with %d dimensions", v, rank)
	return int(d)
}

// kept is the index of an element without its reduced dimensions.
func kept(at, shape []int, reduced []bool) int {
	i := 0
	for d, n := range shape {
		if !reduced[d] {
			i = i*n + at[d]
		}
	}
	return i
}

// extremeIndex describes an operator that says where along a dimension the first element lies that no other comes
// before.
func extremeIndex(name, doc string, before func(order int) bool) *nn.Operator {
	op := &nn.Operator{
		Library: nn.TFLite, Name: name, Doc: doc,
		Inputs:  []nn.Port{{Role: "in"}, {Role: "axis", Weights: true}},
		Outputs: outPort,
		Attrs:   []nn.AttrSpec{{Name: "output_type", Default: nn.F32, Doc: "element type of the output"}},
		Check: ruled(func(c *nn.Call) {
			d := onlyAxis(c.In[1], len(c.In[0].Shape))
			sameShape("out", c.Out[0], slices.Delete(slices.Clone(c.In[0].Shape), d, d+1))
		}),
		Golden: ruled(func(c *nn.Call) {
			in, out := c.In[0], c.Out[0]
			d := onlyAxis(c.In[1], len(in.Shape))
			compare := func(a, b int) int { return cmp.Compare(in.Ints[a], in.Ints[b]) }
			if in.Type.Float() {
				compare = func(a, b int) int { return cmp.Compare(in.Floats[a], in.Floats[b]) }
			}
			n, inner := in.Dim(d), nn.Count(in.Shape[d+1:])
			for i := range out.Ints {
				first := i/inner*n*inner + i%inner
				for k := range n {
					if before(compare(first+k*inner, first+int(out.Ints[i])*inner)) {
						out.Ints[i] = int64(k)
					}
				}
			}
		}),
	}
	for _, t := range []nn.Type{nn.I8, nn.I16, nn.U8, nn.F32} {
		op.Types = append(op.Types, nn.Signature{t, nn.I32, nn.I32}, nn.Signature{t, nn.I32, nn.I64})
	}
	return op
}

var (
	argMax = extremeIndex("ARG_MAX", "the index of the first greatest element along a dimension", func(o int) bool { return o > 0 })
	argMin = extremeIndex("ARG_MIN", "the index of the first least element along a dimension", func(o int) bool { return o < 0 })
)

// onlyAxis is the dimension that a constant of one element names.
func onlyAxis(t *nn.Tensor, rank int) int {
	constant("axis", t)
	refuse(t.Len() != 1, "axis", "%d dimensions, there must be one", t.Len())
	return axisOf(t.Ints[0], rank)
}
