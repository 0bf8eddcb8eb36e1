package golden

import "fmt"

// elementwiseOp combines two tensors of one shape, or a tensor and a scalar.
type elementwiseOp struct {
	name  string
	exact func(a, b int64) int64
	float func(a, b float64) float64
	// product says that the result has the sum of the fractional bits; the other operators need
	// both operands in the same format and keep it.
	product bool
}

var elementwiseOps = []elementwiseOp{
	{name: "add", exact: func(a, b int64) int64 { return a + b },
		float: func(a, b float64) float64 { return a + b }},
	{name: "sub", exact: func(a, b int64) int64 { return a - b },
		float: func(a, b float64) float64 { return a - b }},
	{name: "mul", exact: func(a, b int64) int64 { return a * b },
		float: func(a, b float64) float64 { return a * b }, product: true},
	{name: "min", exact: func(a, b int64) int64 { return min(a, b) },
		float: func(a, b float64) float64 { return min(a, b) }},
	{name: "max", exact: func(a, b int64) int64 { return max(a, b) },
		float: func(a, b float64) float64 { return max(a, b) }},
}

// operands pairs the two inputs: stride 0 repeats a scalar.
type operands struct {
	a, b   *Tensor
	sa, sb int
	shape  []int
	n      int
}

func newOperands(c *Case) (operands, error) {
	o := operands{a: c.Tensors["in1"], b: c.Tensors["in2"], sa: 1, sb: 1}
	switch {
	case o.b.Len() == 1:
		o.sb, o.shape, o.n = 0, o.a.Shape, o.a.Len()
	case o.a.Len() == 1:
		o.sa, o.shape, o.n = 0, o.b.Shape, o.b.Len()
	default:
		if fmt.Sprint(o.a.Shape) != fmt.Sprint(o.b.Shape) {
			return o, fmt.Errorf("operands of shape %v and %v", o.a.Shape, o.b.Shape)
		}
		o.shape, o.n = o.a.Shape, o.a.Len()
	}
	return o, nil
}

func elementwise(op elementwiseOp) func(typing) func(*Case, Rounding) (Result, error) {
	return func(t typing) func(*Case, Rounding) (Result, error) {
		return func(c *Case, r Rounding) (Result, error) {
			o, err := newOperands(c)
			if err != nil {
				return Result{}, err
			}
			frac, shift := o.a.Frac, 0
			if op.product {
				frac = c.outFormat("out", t.data).Frac
				shift = o.a.Frac + o.b.Frac - frac
			} else if o.a.Frac != o.b.Frac {
				return Result{}, fmt.Errorf("operands with %d and %d fractional bits", o.a.Frac, o.b.Frac)
			}
			out := o.a.like(o.shape...)
			out.Frac = frac
			for i := range out.Data {
				v := op.exact(int64(o.a.Data[i*o.sa]), int64(o.b.Data[i*o.sb]))
				out.Data[i] = int32(saturate(r.Shift(v, shift), t.data.Bits()))
			}
			return c.one("out", out, nil), nil
		}
	}
}
