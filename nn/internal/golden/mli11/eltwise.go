package mli11

import (
	"fmt"
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/mli"
	"arcv2dsp/nn/internal/golden/rule"
)

// elementwiseOp combines two tensors of one shape, or a tensor and a scalar.
type elementwiseOp struct {
	name  string
	doc   string
	exact func(a, b int64) int64
	// product says that the result has the sum of the fractional bits; the other operators need
	// both operands in the same format and keep it.
	product bool
}

var elementwiseOps = []elementwiseOp{
	{name: "add", doc: "sum of two tensors", exact: func(a, b int64) int64 { return a + b }},
	{name: "sub", doc: "difference of two tensors", exact: func(a, b int64) int64 { return a - b }},
	{name: "mul", doc: "product of two tensors", exact: func(a, b int64) int64 { return a * b }, product: true},
	{name: "min", doc: "smaller of two elements", exact: func(a, b int64) int64 { return min(a, b) }},
	{name: "max", doc: "larger of two elements", exact: func(a, b int64) int64 { return max(a, b) }},
}

// operands pairs the two inputs: stride 0 repeats a scalar. The output has the shape of the other input; of
// two scalars the first is it, as in MLI.
type operands struct {
	a, b   *nn.Tensor
	sa, sb int
	shape  []int
}

func newOperands(c *nn.Call) operands {
	o := operands{a: c.Input("in1"), b: c.Input("in2"), sa: 1, sb: 1}
	switch {
	case o.a.Len() == 1:
		o.sa, o.shape = 0, o.b.Shape
	case o.b.Len() == 1:
		o.sb, o.shape = 0, o.a.Shape
	default:
		rule.Refuse(!slices.Equal(o.a.Shape, o.b.Shape), "operands of shape %v and %v", o.a.Shape, o.b.Shape)
		o.shape = o.a.Shape
	}
	if len(o.shape) == 0 {
		o.shape = []int{1} // two elements without dimensions
	}
	return o
}

func elementwise(op elementwiseOp) model {
	m := model{
		scalars: []string{"in1", "in2"},
		shape: func(_ Typing, c *nn.Call) []int {
			o := newOperands(c)
			if a, b := o.a.Format.Frac, o.b.Format.Frac; !op.product && a != b {
				panic(fmt.Errorf("operands with %d and %d fractional bits", a, b))
			}
			return o.shape
		},
		exact: func(t Typing, c *nn.Call) {
			o := newOperands(c)
			shift, out := 0, c.Out[0]
			if op.product {
				shift = o.a.Format.Frac + o.b.Format.Frac - out.Format.Frac
			}
			for i := range out.Ints {
				v := op.exact(o.a.Ints[i*o.sa], o.b.Ints[i*o.sb])
				out.Ints[i] = mli.Saturate(mli.Shift(c.Rounding, v, shift), t.Data.Bits())
			}
		},
	}
	if !op.product {
		m.format = func(_ Typing, c *nn.Call) (nn.Format, bool) { return c.Input("in1").Format, true }
	}
	return m
}
