package tflite

import (
	"arcv2dsp/nn"
)

// Operators that copy a part of a tensor, or put a tensor into a larger one.

// padding describes PAD and PADV2. The value of the new cells is an input, or else the zero point of the
// output for 8-bit elements and 0 for others.
func padding(name, doc string, extra []nn.Port, types []nn.Signature) *nn.Operator {
	return &nn.Operator{
		Library: nn.TFLite, Name: name, Doc: doc,
		Inputs:  append([]nn.Port{{Role: "in"}, {Role: "paddings", Weights: true}}, extra...),
		Outputs: outPort,
		Types:   types,
		Check: ruled(func(c *nn.Call) {
			copied(c.In[0], c.Out[0])
			lead, want := paddings(c)
			if len(lead) == 0 {
				return
			}
			if v := c.Input("value"); v != nil && (v.Type != c.In[0].Type || v.Len() != 1) {
				panic(violation("types", "the value is %s%v, it must be one %s", v.Type, v.Shape, c.In[0].Type))
			}
			sameShape("out", c.Out[0], want)
		}),
		Golden: ruled(func(c *nn.Call) {
			in, out := c.In[0], c.Out[0]
			lead, _ := paddings(c)
			fill(c, out)
			for i := range in.Len() {
				at := nn.Coordinates(i, in.Shape)
				for d := range at {
					at[d] += lead[d]
				}
				copyElements(out, nn.Index(at, out.Shape), in, i, 1)
			}
		}),
	}
}

var (
	pad = padding("PAD", "surrounds a tensor with cells of the value zero", nil,
		[]nn.Signature{{nn.I8, nn.I32, nn.I8}, {nn.I16, nn.I32, nn.I16}, {nn.I32, nn.I32, nn.I32}, {nn.F32, nn.I32, nn.F32}})
	padV2 = padding("PADV2", "surrounds a tensor with cells of a given value", []nn.Port{{Role: "value"}},
		[]nn.Signature{{nn.I8, nn.I32, nn.I8, nn.I8}, {nn.I16, nn.I32, nn.I16, nn.I16}, {nn.I32, nn.I32, nn.I32, nn.I32},
			{nn.F32, nn.I32, nn.F32, nn.F32}})
)

// fill gives every cell of the output the value of the new ones.
func fill(c *nn.Call, out *nn.Tensor) {
	value := c.Input("value")
	if out.Type.Float() {
		for i := range out.Floats {
			if value != nil {
				out.Floats[i] = value.Floats[0]
			}
		}
		return
	}
	var v int64
	switch {
	case value != nil:
		v = value.Ints[0]
	case out.Type == nn.I8:
		v = out.Format.Zero(0)
	}
	for i := range out.Ints {
		out.Ints[i] = v
	}
}

// paddings are the cells before each dimension, and the shape of the output.
func paddings(c *nn.Call) (lead, shape []int) {
	constant("paddings", c.In[1])
	p, in := c.In[1].Ints, c.In[0].Shape
	refuse(len(p) != 2*len(in), "shape", "%d paddings for %d dimensions", len(p), len(in))
	for d, n := range in {
		if p[2*d] < 0 || p[2*d+1] < 0 || p[2*d]+p[2*d+1] > nn.MaxElements {
			panic(violation("padding", "paddings %d and %d", p[2*d], p[2*d+1]))
		}
		lead, shape = append(lead, int(p[2*d])), append(shape, n+int(p[2*d]+p[2*d+1]))
	}
	return lead, shape
}

// part is a regular selection of the elements of a tensor.
type part struct{ begin, stride, size []int }

// take copies the selection.
func (p part) take(in, out *nn.Tensor) {
	at := make([]int, len(p.size))
	for i := range out.Len() {
		for d, v := range nn.Coordinates(i, p.size) {
			at[d] = p.begin[d] + v*p.stride[d]
		}
		copyElements(out, i, in, nn.Index(at, in.Shape), 1)
	}
}

var slice = &nn.Operator{
	Library: nn.TFLite, Name: "SLICE", Doc: "copies a box of elements",
	Inputs: []nn.Port{{Role: "in"}, {Role: "begin", Weights: true}, {Role: "size", Weights: true}}, Outputs: outPort,
	Types: []nn.Signature{{nn.NoType, nn.I32, nn.I32, nn.NoType}},
	Check: ruled(func(c *nn.Call) {
		p := prepareSlice(c)
		copied(c.In[0], c.Out[0])
		sameShape("out", c.Out[0], p.size)
	}),
	Golden: computed(prepareSlice, func(c *nn.Call, p part) { p.take(c.In[0], c.Out[0]) }),
}

// prepareSlice reads begin and size; a size of -1 takes all that is left.
func prepareSlice(c *nn.Call) part {
	var p part
	in := c.In[0].Shape
	lists := constants(c, len(in), "begin", "size")
	for d, n := range in {
		begin, size := lists[0][d], lists[1][d]
		if size == -1 {
			size = int64(n) - begin
		}
		if begin < 0 || size < 1 || begin > int64(n) || size > int64(n)-begin {
			panic(violation("range", "%d elements from %d along dimension %d of size %d", size, begin, d, n))
		}
		p.begin, p.stride, p.size = append(p.begin, int(begin)), append(p.stride, 1), append(p.size, int(size))
	}
	return p
}

// constants are the elements of constant inputs with one element for each dimension.
func constants(c *nn.Call, n int, roles ...string) [][]int64 {
	var lists [][]int64
	for _, role := range roles {
		t := c.Input(role)
		constant(role, t)
		refuse(t.Len() != n, "shape", "%s has %d elements, the tensor has %d dimensions", role, t.Len(), n)
		lists = append(lists, t.Ints)
	}
	return lists
}

// The masks of STRIDED_SLICE have a bit for each dimension.
var stridedSlice = &nn.Operator{
	Library: nn.TFLite, Name: "STRIDED_SLICE", Doc: "copies every n-th element of a box, also backwards",
	Inputs:  []nn.Port{{Role: "in"}, {Role: "begin", Weights: true}, {Role: "end", Weights: true}, {Role: "strides", Weights: true}},
	Outputs: outPort,
	Types:   []nn.Signature{{nn.NoType, nn.I32, nn.I32, nn.I32, nn.NoType}},
	Attrs: []nn.AttrSpec{
		{Name: "begin_mask", Default: 0, Doc: "dimensions that begin at their first element, whatever begin says"},
		{Name: "end_mask", Default: 0, Doc: "dimensions that end behind their last element"},
		{Name: "ellipsis_mask", Default: 0, Doc: "not supported"},
		{Name: "new_axis_mask", Default: 0, Doc: "not supported"},
		{Name: "shrink_axis_mask", Default: 0, Doc: "dimensions of which one element is taken; they vanish"},
		{Name: "offset", Default: false, Doc: "end counts from begin"},
	},
	Check: ruled(func(c *nn.Call) {
		p := prepareStridedSlice(c)
		copied(c.In[0], c.Out[0])
		var shape []int
		for d, n := range p.size {
			if c.Attrs.Int("shrink_axis_mask")>>d&1 == 0 {
				shape = append(shape, n)
			}
		}
		sameShape("out", c.Out[0], shape)
	}),
	Golden: computed(prepareStridedSlice, func(c *nn.Call, p part) { p.take(c.In[0], c.Out[0]) }),
}

func prepareStridedSlice(c *nn.Call) part {
	var p part
	in := c.In[0].Shape
	lists := constants(c, len(in), "begin", "end", "strides")
	for _, name := range []string{"ellipsis_mask", "new_axis_mask"} {
		if m := c.Attrs.Int(name); m != 0 {
			panic(violation("mask", "%s is %#x, only 0 is supported", name, m))
		}
	}
	for d, n := range in {
		begin, end, stride := lists[0][d], lists[1][d], lists[2][d]
		refuse(stride == 0, "stride", "stride 0 along dimension %d", d)
		from, to := stridedRange(c, d, int64(n), begin, end, stride)
		size := (to - from + stride - sign(stride)) / stride
		refuse(size < 1, "range", "no elements from %d to %d by %d along dimension %d", begin, end, stride, d)
		p.begin, p.stride, p.size = append(p.begin, int(from)), append(p.stride, int(stride)), append(p.size, int(size))
	}
	return p
}

func sign(v int64) int64 {
	if v < 0 {
		return -1
	}
	return 1
}

// stridedRange is the first element of a dimension and the end that is not taken. Negative numbers count
// from the end of the dimension; positions outside are brought to its ends.
func stridedRange(c *nn.Call, d int, n, begin, end, stride int64) (from, to int64) {
	masked := func(name string) bool { return c.Attrs.Int(name)>>d&1 != 0 }
	lo, hi := int64(0), n // of positions
	if stride < 0 {
		lo, hi = -1, n-1
	}
	position := func(v int64) int64 {
		if v < 0 {
			v += n
		}
		return max(lo, min(v, hi))
	}
	if c.Attrs.Bool("offset") {
		end += begin
	}
	from, to = position(begin), position(end)
	if masked("begin_mask") {
		from = lo
		if stride < 0 {
			from = hi
		}
	}
	switch {
	case masked("shrink_axis_mask"):
		// One element, wherever it begins; a position outside leaves nothing.
		if from < 0 || from >= n {
			return 0, 0
		}
		return from, from + sign(stride)
	case masked("end_mask"):
		to = hi
		if stride < 0 {
			to = lo
		}
	}
	return from, to
}
