package mli20

import (
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/mli"
)

// elementwiseOp combines two tensors of one shape, or a tensor and a scalar.
type elementwiseOp struct {
	name  string
	doc   string
	exact func(a, b int64) int64
	kind  elementwiseKind
}

// elementwiseKind says how the operands are brought to one format.
type elementwiseKind uint8

const (
	sumKind elementwiseKind = iota
	productKind
	choiceKind
)

var elementwiseOps = []elementwiseOp{
	{name: "add", doc: "sum of two tensors", exact: func(a, b int64) int64 { return a + b }},
	{name: "sub", doc: "difference of two tensors", exact: func(a, b int64) int64 { return a - b }},
	{name: "mul", doc: "product of two tensors", exact: func(a, b int64) int64 { return a * b }, kind: productKind},
	{name: "min", doc: "smaller of two elements", exact: func(a, b int64) int64 { return min(a, b) }, kind: choiceKind},
	{name: "max", doc: "larger of two elements", exact: func(a, b int64) int64 { return max(a, b) }, kind: choiceKind},
}

// pairShape is the shape of the output: the shape of the operand that is no scalar.
func pairShape(_ Typing, c *nn.Call) []int {
	a, b, out := c.Input("in1"), c.Input("in2"), c.Out[0]
	shape := a.Shape
	switch {
	case len(a.Shape) == 0 && len(b.Shape) == 0:
		panic(violation(unsupported, "both operands are scalars"))
	case b.Len() == 1 && len(a.Shape) > 0:
	case a.Len() == 1:
		shape = b.Shape
	case !slices.Equal(a.Shape, b.Shape):
		panic(violation(shapeWrong, "operands of shape %v and %v", a.Shape, b.Shape))
	}
	if out.Shape != nil && !slices.Equal(out.Shape, shape) {
		panic(violation(shapeWrong, "output of shape %v, operands %v", out.Shape, shape))
	}
	return shape
}

// sameFormat reports whether two formats are the same.
func sameFormat(f, g nn.Format) bool {
	if f.Kind != nn.Mantissa {
		return f.Frac == g.Frac
	}
	return f.Axis == g.Axis && fracOf(f, 0) == fracOf(g, 0) && f.Zero(0) == g.Zero(0) && f.Mantissas[0] == g.Mantissas[0]
}

func elementwise(op elementwiseOp) model {
	return model{
		inPlace: true,
		shape:   pairShape,
		check: func(t Typing, c *nn.Call) {
			a, b, out := c.Input("in1").Format, c.Input("in2").Format, c.Out[0].Format
			refuse(op.kind == choiceKind && !sameFormat(a, b), incompatible, "operands in different formats")
			for _, f := range []nn.Format{a, b, out} {
				if t.Data.Affine() && (!mli.PerTensor(f) || !byteZero(f.Zero(0))) {
					panic(violation(incompatible, "scales per axis or a zero point that is no byte"))
				}
			}
		},
		exact: func(t Typing, c *nn.Call) {
			a, b, out := c.Input("in1"), c.Input("in2"), c.Out[0]
			f := op.element(t, c.Rounding, a.Format, b.Format, out.Format)
			for i := range out.Ints {
				out.Ints[i] = f(a.Ints[i%a.Len()], b.Ints[i%b.Len()])
			}
		},
	}
}

// element makes the function of two elements.
func (op elementwiseOp) element(t Typing, r nn.Rounding, f, g, out nn.Format) func(a, b int64) int64 {
	if t.Data.Affine() {
		return op.affineElement(r, f, g, out)
	}
	width := t.Data.Bits()
	return func(a, b int64) int64 {
		switch op.kind {
		case productKind:
			n := min(f.Frac+g.Frac-out.Frac, 2*width-1)
			return mli.Saturate(rounded(r, a*b, n, 64), width)
		case choiceKind:
			return rounded(r, op.exact(a, b), min(f.Frac-out.Frac, width-1), width)
		}
		a = rounded(r, a, min(f.Frac-g.Frac, 0), 32)
		b = rounded(r, b, min(g.Frac-f.Frac, 0), 32)
		n := min(max(f.Frac, g.Frac)-out.Frac, 2*width-1)
		return mli.Saturate(rounded(r, mli.Saturate(op.exact(a, b), 32), n, 32), width)
	}
}

// Limits of shifts: the mantissa of a sum loses what is beyond, so that product and shift fit 32 bits.
const (
	sumShift     = 23
	productShift = 31
	leastShift   = -31
)

// operand is the mantissa and the shift that bring an operand of scale s to the scale of the output.
func operand(r nn.Rounding, s int64, frac int, out nn.Format, most int) (mantissa int64, shift int) {
	m, n := quotient(r, s, scaleOf(out, 0))
	shift = n + frac - fracOf(out, 0)
	k := max(shift-most, 0) + min(shift-leastShift, 0)
	return rounded(r, m, k, 16), shift - k
}

func (op elementwiseOp) affineElement(r nn.Rounding, f, g, out nn.Format) func(a, b int64) int64 {
	za, zb, zo := f.Zero(0), g.Zero(0), out.Zero(0)
	finish := func(v int64) int64 {
		return mli.Saturate(mli.Saturate(mli.Saturate(v, 16)+zo, 16), 8)
	}
	switch op.kind {
	case productKind:
		m, p := operand(r, scaleOf(f, 0)*scaleOf(g, 0), fracOf(f, 0)+fracOf(g, 0), out, productShift)
		q := int(mli.Clamp(int64(p-keptShift), 0, 3))
		return func(a, b int64) int64 {
			v := mli.Saturate(rounded(r, (a-za)*(b-zb), q, 32), 16)
			return finish(rounded(r, v*m, p-q, 32))
		}
	case choiceKind:
		m, p := operand(r, scaleOf(f, 0), fracOf(f, 0), out, sumShift)
		return func(a, b int64) int64 { return finish(rounded(r, op.exact((a-za)*m, (b-zb)*m), p, 32)) }
	}
	ma, pa := operand(r, scaleOf(f, 0), fracOf(f, 0), out, sumShift)
	mb, pb := operand(r, scaleOf(g, 0), fracOf(g, 0), out, sumShift)
	return func(a, b int64) int64 {
		return finish(mli.Saturate(op.exact(rounded(r, (a-za)*ma, pa, 32), rounded(r, (b-zb)*mb, pb, 32)), 32))
	}
}
