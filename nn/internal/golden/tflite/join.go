package tflite

import (
	"slices"

	"arcv2dsp/nn"
)

// Operators that put tensors together along a dimension or take them apart.

var (
	variadicIn  = []nn.Port{{Role: "in", Variadic: true}}
	variadicOut = []nn.Port{{Role: "out", Variadic: true}}
)

// pieces is one tensor as a row of others along a dimension: outer rows of inner elements per step.
type pieces struct {
	outer, inner int
	sizes        []int // along the dimension
}

// move copies the pieces into the whole, or out of it.
func (p pieces) move(all *nn.Tensor, parts []*nn.Tensor, out bool) {
	at := 0
	for o := range p.outer {
		for i, size := range p.sizes {
			n := size * p.inner
			if out {
				copyElements(parts[i], o*n, all, at, n)
			} else {
				copyElements(all, at, parts[i], o*n, n)
			}
			at += n
		}
	}
}

// along cuts a shape at a dimension. Every part must have the shape but for that dimension, and together
// they must fill it.
func along(all *nn.Tensor, axis int, parts []*nn.Tensor) pieces {
	p := pieces{outer: nn.Count(all.Shape[:axis]), inner: nn.Count(all.Shape[axis+1:])}
	total := 0
	for _, t := range parts {
		if t == nil {
			panic(violation("ports", "a tensor is missing"))
		}
		refuse(len(t.Shape) != len(all.Shape), "shape", "%v is no part of %v", t.Shape, all.Shape)
		want := slices.Clone(all.Shape)
		want[axis] = t.Dim(axis)
		sameShape("a part", t, want)
		copied(t, all)
		p.sizes = append(p.sizes, t.Dim(axis))
		total += t.Dim(axis)
	}
	if total != all.Dim(axis) {
		panic(violation("shape", "parts of %v along dimension %d do not make %d", p.sizes, axis, all.Dim(axis)))
	}
	return p
}

var concatenation = &nn.Operator{
	Library: nn.TFLite, Name: "CONCATENATION", Doc: "puts tensors behind one another along a dimension",
	Inputs: variadicIn, Outputs: outPort,
	Attrs:  []nn.AttrSpec{{Name: "axis", Default: 0, Doc: "the dimension"}, activation},
	Check:  checked(prepareConcatenation),
	Golden: computed(prepareConcatenation, func(c *nn.Call, p pieces) { p.move(c.Out[0], c.In, false) }),
}

func prepareConcatenation(c *nn.Call) pieces {
	if f := c.Attrs.String(activation.Name); f != "NONE" {
		panic(violation("activation", "a fused %s is not supported", f))
	}
	axis := axisOf(int64(c.Attrs.Int("axis")), len(c.Out[0].Shape))
	return along(c.Out[0], axis, c.In)
}

// splitting describes an operator that cuts a tensor along a dimension. data and axis are positions of
// inputs.
func splitting(name, doc string, inputs []nn.Port, types []nn.Signature, data, axis int) *nn.Operator {
	prepare := func(c *nn.Call) pieces {
		if n := c.Attrs.Int("num_splits"); n != len(c.Out) {
			panic(violation("ports", "num_splits is %d, there are %d outputs", n, len(c.Out)))
		}
		d := onlyAxis(c.In[axis], len(c.In[data].Shape))
		return along(c.In[data], d, c.Out)
	}
	return &nn.Operator{
		Library: nn.TFLite, Name: name, Doc: doc,
		Inputs: inputs, Outputs: variadicOut, Types: types,
		Attrs: []nn.AttrSpec{{Name: "num_splits", Default: 0, Doc: "number of outputs"}},
		Check: checked(prepare),
		Golden: ruled(func(c *nn.Call) {
			p := prepare(c)
			p.move(c.In[data], c.Out, true)
		}),
	}
}

var (
	split = splitting("SPLIT", "cuts a tensor into equal parts along a dimension",
		[]nn.Port{{Role: "axis", Weights: true}, {Role: "in"}}, []nn.Signature{{nn.I32, nn.NoType, nn.NoType}}, 1, 0)
	splitV = splitting("SPLIT_V", "cuts a tensor into parts of given sizes along a dimension",
		[]nn.Port{{Role: "in"}, {Role: "sizes", Weights: true}, {Role: "axis", Weights: true}},
		[]nn.Signature{{nn.NoType, nn.I32, nn.I32, nn.NoType}}, 0, 2)
)

// stacked is a tensor with the dimension that PACK inserts and UNPACK removes; the parts get it with
// size 1.
func stacked(all *nn.Tensor, axis int, parts []*nn.Tensor) pieces {
	d := axisOf(int64(axis), len(all.Shape))
	views := make([]*nn.Tensor, len(parts))
	for i, t := range parts {
		if t == nil || len(t.Shape) != len(all.Shape)-1 {
			panic(violation("shape", "a part has not one dimension less than %v", all.Shape))
		}
		view := *t
		view.Shape = slices.Insert(slices.Clone(t.Shape), d, 1)
		views[i] = &view
	}
	return along(all, d, views)
}

var pack = &nn.Operator{
	Library: nn.TFLite, Name: "PACK", Doc: "puts tensors side by side along a new dimension",
	Inputs: variadicIn, Outputs: outPort,
	Attrs:  []nn.AttrSpec{{Name: "values_count", Default: 0, Doc: "number of inputs"}, {Name: "axis", Default: 0, Doc: "the new dimension"}},
	Check:  checked(preparePack),
	Golden: computed(preparePack, func(c *nn.Call, p pieces) { p.move(c.Out[0], c.In, false) }),
}

func preparePack(c *nn.Call) pieces {
	if n := c.Attrs.Int("values_count"); n != len(c.In) {
		panic(violation("ports", "values_count is %d, there are %d inputs", n, len(c.In)))
	}
	return stacked(c.Out[0], c.Attrs.Int("axis"), c.In)
}

var unpack = &nn.Operator{
	Library: nn.TFLite, Name: "UNPACK", Doc: "takes a tensor apart along a dimension, which vanishes",
	Inputs: inPort, Outputs: variadicOut,
	Attrs:  []nn.AttrSpec{{Name: "num", Default: 0, Doc: "number of outputs"}, {Name: "axis", Default: 0, Doc: "the dimension"}},
	Check:  checked(prepareUnpack),
	Golden: computed(prepareUnpack, func(c *nn.Call, p pieces) { p.move(c.In[0], c.Out, true) }),
}

func prepareUnpack(c *nn.Call) pieces {
	if n := c.Attrs.Int("num"); n != len(c.Out) {
		panic(violation("ports", "num is %d, there are %d outputs", n, len(c.Out)))
	}
	return stacked(c.In[0], c.Attrs.Int("axis"), c.Out)
}
