package tflite

import "arcv2dsp/nn"

// folding describes an operator that takes the elements along some dimensions two at a time, in any order. Elements stay
// what they are: the output has the scale of the input.
func folding(name, doc string, types []nn.Type, whole func(a, b int64) int64, floats func(a, b float32) float32) *nn.Operator {
	op := &nn.Operator{
		Library: nn.TFLite, Name: name, Doc: doc,
		Inputs:  []nn.Port{{Role: "in"}, {Role: "axis", Weights: true}},
		Outputs: outPort,
		Attrs:   keepDims,
		Check: ruled(func(c *nn.Call) {
			copied(c.In[0], c.Out[0])
			reducedShape(c)
		}),
		Golden: ruled(func(c *nn.Call) {
			reduced, _ := reducedAxes(c)
			in, out := c.In[0], c.Out[0]
			seen := make([]bool, out.Len())
			for i := range in.Len() {
				at := kept(nn.Coordinates(i, in.Shape), in.Shape, reduced)
				switch {
				case !seen[at]:
					copyElements(out, at, in, i, 1)
					seen[at] = true
				case in.Type.Float():
					out.Floats[at] = floats(out.Floats[at], in.Floats[i])
				default:
					out.Ints[at] = out.Type.Wrap(whole(out.Ints[at], in.Ints[i]))
				}
			}
		}),
	}
	for _, t := range types {
		op.Types = append(op.Types, nn.Signature{t, nn.I32, t})
	}
	return op
}

// reducedShape is the rule of the shape of a reduction.
func reducedShape(c *nn.Call) {
	reduced, _ := reducedAxes(c)
	var shape []int
	for d, n := range c.In[0].Shape {
		switch {
		case !reduced[d]:
			shape = append(shape, n)
		case c.Attrs.Bool("keep_dims"):
			shape = append(shape, 1)
		}
	}
	sameShape("out", c.Out[0], shape)
}

var keepDims = []nn.AttrSpec{{Name: "keep_dims", Default: false, Doc: "reduced dimensions stay, with size 1"}}

var (
	reduceMax = folding("REDUCE_MAX", "the greatest element along some dimensions", []nn.Type{nn.I8, nn.I16, nn.I32, nn.F32}, maxInt, maxFloat)
	reduceMin = folding("REDUCE_MIN", "the least element along some dimensions", []nn.Type{nn.I8, nn.I16, nn.I32, nn.F32}, minInt, minFloat)
	reduceAll = folding("REDUCE_ALL", "whether all elements along some dimensions are true", []nn.Type{nn.Bool}, minInt, nil)
	// Networks compute sizes with it, before a run.
	reduceProd = folding("REDUCE_PROD", "the product of whole numbers along some dimensions", []nn.Type{nn.I32},
		func(a, b int64) int64 { return a * b }, nil)
)

func maxFloat(a, b float32) float32 {
	if b > a {
		return b
	}
	return a
}

func minFloat(a, b float32) float32 {
	if b < a {
		return b
	}
	return a
}
