package tflite

import (
	"slices"

	"arcv2dsp/nn"
)

// Operators that move elements and compute nothing.

// copied is the rule of outputs whose elements are elements of an input.
func copied(in, out *nn.Tensor) {
	refuse(in.Type != out.Type, "types", "elements of %s become %s", in.Type, out.Type)
	sameQuantization(in, out)
}

// reshaping describes an operator that keeps the elements in their order. The new shape is that of the
// output; inputs and attributes that repeat it do not count.
func reshaping(name, doc string, extra []nn.Port, attrs []nn.AttrSpec) *nn.Operator {
	return &nn.Operator{
		Library: nn.TFLite, Name: name, Doc: doc,
		Inputs: slices.Concat(inPort, extra), Outputs: outPort, Attrs: attrs,
		InPlace: true,
		Check: ruled(func(c *nn.Call) {
			copied(c.In[0], c.Out[0])
			if c.In[0].Len() != c.Out[0].Len() {
				panic(violation("shape", "%v and %v have different numbers of elements", c.In[0].Shape, c.Out[0].Shape))
			}
		}),
		Golden: ruled(func(c *nn.Call) {
			copyElements(c.Out[0], 0, c.In[0], 0, c.In[0].Len())
		}),
	}
}

// copyElements copies n elements of one type.
func copyElements(to *nn.Tensor, at int, from *nn.Tensor, first, n int) {
	if to.Type.Float() {
		copy(to.Floats[at:at+n], from.Floats[first:first+n])
	} else {
		copy(to.Ints[at:at+n], from.Ints[first:first+n])
	}
}

var (
	reshape = reshaping("RESHAPE", "gives the elements another shape", []nn.Port{{Role: "shape", Optional: true, Weights: true}},
		[]nn.AttrSpec{{Name: "new_shape", Default: []int{}, Doc: "repeats the shape of the output"}})
	squeeze = reshaping("SQUEEZE", "drops dimensions of size 1", nil,
		[]nn.AttrSpec{{Name: "squeeze_dims", Default: []int{}, Doc: "the dimensions; the shape of the output says so, too"}})
	expandDims = reshaping("EXPAND_DIMS", "inserts a dimension of size 1", []nn.Port{{Role: "axis", Weights: true}}, nil)
)

var transpose = &nn.Operator{
	Library: nn.TFLite, Name: "TRANSPOSE", Doc: "exchanges dimensions",
	Inputs: []nn.Port{{Role: "in"}, {Role: "perm", Weights: true}}, Outputs: outPort,
	Types: secondIsI32(2),
	Check: ruled(func(c *nn.Call) {
		copied(c.In[0], c.Out[0])
		perm := permutation(c)
		want := make([]int, len(perm))
		for d, p := range perm {
			want[d] = c.In[0].Dim(p)
		}
		sameShape("out", c.Out[0], want)
	}),
	Golden: ruled(func(c *nn.Call) {
		in, out := c.In[0], c.Out[0]
		perm := permutation(c)
		from := make([]int, len(perm))
		for i := range out.Len() {
			for d, v := range nn.Coordinates(i, out.Shape) {
				from[perm[d]] = v
			}
			copyElements(out, i, in, nn.Index(from, in.Shape), 1)
		}
	}),
}

// secondIsI32 is the signature of operators with one input of integers behind the data.
func secondIsI32(inputs int) []nn.Signature {
	s := nn.Signature{nn.NoType, nn.I32}
	for len(s) < inputs+1 {
		s = append(s, nn.NoType)
	}
	return []nn.Signature{s}
}

// permutation is the dimension of the input that each dimension of the output comes from.
func permutation(c *nn.Call) []int {
	constant("perm", c.In[1])
	n := len(c.In[0].Shape)
	perm := make([]int, 0, n)
	for _, v := range c.In[1].Ints {
		d := axisOf(v, n)
		refuse(slices.Contains(perm, d), "axis", "dimension %d twice", d)
		perm = append(perm, d)
	}
	refuse(len(perm) != n, "axis", "%d dimensions, the tensor has %d", len(perm), n)
	return perm
}

var gather = &nn.Operator{
	Library: nn.TFLite, Name: "GATHER", Doc: "picks slices along a dimension by index",
	Inputs: []nn.Port{{Role: "in"}, {Role: "indices"}}, Outputs: outPort,
	Types: secondIsI32(2),
	Attrs: []nn.AttrSpec{
		{Name: "axis", Default: 0, Doc: "the dimension"},
		{Name: "batch_dims", Default: 0, Doc: "leading dimensions that go together"},
	},
	Check: ruled(func(c *nn.Call) {
		copied(c.In[0], c.Out[0])
		axis, batch := gatherAxes(c)
		in, indices := c.In[0].Shape, c.In[1].Shape
		sameShape("out", c.Out[0], slices.Concat(in[:axis], indices[batch:], in[axis+1:]))
	}),
	Golden: ruled(func(c *nn.Call) {
		in, indices, out := c.In[0], c.In[1], c.Out[0]
		axis, batch := gatherAxes(c)
		inner, picks := nn.Count(in.Shape[axis+1:]), nn.Count(indices.Shape[batch:])
		outer := nn.Count(in.Shape[batch:axis])
		at := 0
		for b := range nn.Count(in.Shape[:batch]) {
			for o := range outer {
				for p := range picks {
					index := indices.Ints[b*picks+p]
					if index < 0 || index >= int64(in.Dim(axis)) {
						panic(violation("index", "index %d along a dimension of %d", index, in.Dim(axis)))
					}
					copyElements(out, at, in, ((b*outer+o)*in.Dim(axis)+int(index))*inner, inner)
					at += inner
				}
			}
		}
	}),
}

// gatherAxes are the dimension that is indexed and the number of dimensions that go together.
func gatherAxes(c *nn.Call) (axis, batch int) {
	n := len(c.In[0].Shape)
	axis = axisOf(int64(c.Attrs.Int("axis")), n)
	batch = c.Attrs.Int("batch_dims")
	if batch < 0 || batch > axis || batch > len(c.In[1].Shape) ||
		!slices.Equal(c.In[0].Shape[:batch], c.In[1].Shape[:batch]) {
		panic(violation("axis", "batch_dims %d of %v by %v along %d", batch, c.In[0].Shape, c.In[1].Shape, axis))
	}
	return axis, batch
}
