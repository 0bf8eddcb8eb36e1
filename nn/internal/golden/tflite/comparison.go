package tflite

import (
	"cmp"

	"arcv2dsp/nn"
)

// compareShift is the left shift of 8-bit elements before they are brought to their real values.
const compareShift = 8

// comparison describes an operator that compares the elements of two tensors that broadcast. Elements of 8 bits are
// compared by their values, in whole steps of 2^-8 of a unit; the others as they are.
func comparison(name, doc string, types []nn.Type, holds func(order int) bool) *nn.Operator {
	op := &nn.Operator{
		Library: nn.TFLite, Name: name, Doc: doc,
		Inputs: pairPorts, Outputs: outPort,
		Check: ruled(func(c *nn.Call) {
			broadcasts(c, c.In...)
			comparedSteps(c)
		}),
		Golden: ruled(func(c *nn.Call) {
			steps := comparedSteps(c)
			a, b, out := c.In[0], c.In[1], c.Out[0]
			ia, ib := spread(a, out.Shape), spread(b, out.Shape)
			for i := range out.Ints {
				order := 0
				switch {
				case a.Type.Float():
					x, y := a.Floats[ia[i]], b.Floats[ib[i]]
					if order = cmp.Compare(x, y); x != x || y != y {
						out.Ints[i] = truth(name == "NOT_EQUAL") // what is not a number has no order
						continue
					}
				case steps != nil:
					order = cmp.Compare(steps[0](a.Ints[ia[i]]), steps[1](b.Ints[ib[i]]))
				default:
					order = cmp.Compare(a.Ints[ia[i]], b.Ints[ib[i]])
				}
				out.Ints[i] = truth(holds(order))
			}
		}),
	}
	for _, t := range types {
		op.Types = append(op.Types, nn.Signature{t, t, nn.Bool})
	}
	return op
}

func truth(v bool) int64 {
	if v {
		return 1
	}
	return 0
}

// broadcasts is the rule of the shape of an operator on tensors that broadcast.
func broadcasts(c *nn.Call, tensors ...*nn.Tensor) {
	var shape []int
	for _, t := range tensors {
		shape = broadcast(shape, t.Shape)
	}
	sameShape("out", c.Out[0], shape)
}

// comparedSteps are the functions that bring elements of 8 bits to a common scale; nil for other types.
func comparedSteps(c *nn.Call) []func(int64) int64 {
	if c.In[0].Type != nn.I8 {
		return nil
	}
	s := scales(c, "a", "b")
	list := make([]func(int64) int64, len(s))
	for i := range s {
		r := belowOne(c, float64(s[i]))
		zero := c.In[i].Format.Zero(0)
		list[i] = func(x int64) int64 { return r.apply((x - zero) << compareShift) }
	}
	return list
}

// belowOne is requantize with the rule that the factor is below 1.
func belowOne(c *nn.Call, real float64) requantizer {
	refuse(!(real < 1), "scale", "a factor of %g, it must be below 1", real)
	return requantize(c, real)
}

var (
	orderedTypes  = []nn.Type{nn.F32, nn.I32, nn.I64, nn.I8}
	equalityTypes = append([]nn.Type{nn.Bool}, orderedTypes...)

	equal        = comparison("EQUAL", "whether elements are equal", equalityTypes, func(o int) bool { return o == 0 })
	notEqual     = comparison("NOT_EQUAL", "whether elements differ", equalityTypes, func(o int) bool { return o != 0 })
	greater      = comparison("GREATER", "whether the first element is greater", orderedTypes, func(o int) bool { return o > 0 })
	greaterEqual = comparison("GREATER_EQUAL", "whether the first element is not less", orderedTypes, func(o int) bool { return o >= 0 })
	less         = comparison("LESS", "whether the first element is less", orderedTypes, func(o int) bool { return o < 0 })
	lessEqual    = comparison("LESS_EQUAL", "whether the first element is not greater", orderedTypes, func(o int) bool { return o <= 0 })
)

// logical describes an operator on two tensors of truth values.
func logical(name, doc string, f func(a, b int64) int64) *nn.Operator {
	return pairwise(name, doc, []nn.Type{nn.Bool}, nil, choose(f))
}

var (
	logicalAnd = logical("LOGICAL_AND", "whether both elements are true", func(a, b int64) int64 { return a & b })
	logicalOr  = logical("LOGICAL_OR", "whether one of two elements is true", func(a, b int64) int64 { return a | b })
	logicalNot = pointwise("LOGICAL_NOT", "the other truth value", sameTypes(2, nn.Bool), nil,
		func(*nn.Call) func(int64) int64 { return func(x int64) int64 { return 1 - x } })
)

var selectV2 = &nn.Operator{
	Library: nn.TFLite, Name: "SELECT_V2", Doc: "the element of one tensor where a condition holds, else that of another",
	Inputs: []nn.Port{{Role: "condition"}, {Role: "a"}, {Role: "b"}}, Outputs: outPort,
	Types: []nn.Signature{{nn.Bool, nn.I8, nn.I8, nn.I8}, {nn.Bool, nn.I16, nn.I16, nn.I16}, {nn.Bool, nn.F32, nn.F32, nn.F32}},
	Check: ruled(func(c *nn.Call) {
		for _, t := range c.In[1:] {
			copied(t, c.Out[0])
		}
		broadcasts(c, c.In...)
	}),
	Golden: ruled(func(c *nn.Call) {
		out := c.Out[0]
		condition, a, b := spread(c.In[0], out.Shape), spread(c.In[1], out.Shape), spread(c.In[2], out.Shape)
		for i := range condition {
			if c.In[0].Ints[condition[i]] != 0 {
				copyElements(out, i, c.In[1], a[i], 1)
			} else {
				copyElements(out, i, c.In[2], b[i], 1)
			}
		}
	}),
}
