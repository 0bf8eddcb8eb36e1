package tosa

import (
	"fmt"
	"slices"

	"arcv2dsp/nn"
)

// Predicates that many operators share. Each returns the values of a breach, or "".

// atLeast is the rule that no element of a list attribute is below least.
func atLeast(attr string, least int) func(*nn.Call) string {
	return func(c *nn.Call) string {
		if v := c.Attrs.Ints(attr); slices.ContainsFunc(v, func(x int) bool { return x < least }) {
			return fmt.Sprintf("%s is %v", attr, v)
		}
		return ""
	}
}

// differ describes two quantities that must be equal.
func differ(what string, got, want any) string {
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		return fmt.Sprintf("%s is %s, it must be %s", what, g, w)
	}
	return ""
}

// zeroPoint wants a zero point to be zero unless the tensor it belongs to is of type i8, and then a
// value of the type.
func zeroPoint(attr string, of func(*nn.Call) *nn.Tensor) Condition {
	return Condition{
		Name: attr, Text: attr + " is zero unless its tensor is i8, and a value of that type", Outcome: nn.Error,
		Broken: func(c *nn.Call) string {
			zp, t := c.Attrs.Int(attr), of(c).Type
			if zp != 0 && (t != nn.I8 || !t.Holds(int64(zp))) {
				return fmt.Sprintf("%s is %d for %s", attr, zp, t)
			}
			return ""
		},
	}
}

func input(i int) func(*nn.Call) *nn.Tensor { return func(c *nn.Call) *nn.Tensor { return c.In[i] } }

func output(c *nn.Call) *nn.Tensor { return c.Out[0] }

// sameShape is the rule that the output has the shape of the first input.
var sameShape = Condition{
	Name: "shape", Text: "input and output have the same shape", Outcome: nn.Error,
	Broken: func(c *nn.Call) string { return differ("the output's shape", c.Out[0].Shape, c.In[0].Shape) },
}

// axisInRange is the rule that the axis is a dimension of the first input.
var axisInRange = Condition{
	Name: "axis", Text: "axis is a dimension of the input", Outcome: nn.Error,
	Broken: func(c *nn.Call) string {
		if a, n := c.Attrs.Int("axis"), len(c.In[0].Shape); a < 0 || a >= n {
			return fmt.Sprintf("axis is %d, the rank %d", a, n)
		}
		return ""
	},
}

// accumulatorType wants acc_type, where it is given, to be an accumulator of the combination of types: of
// integers it is the type of a tensor.
func accumulatorType(of func(*nn.Call) *nn.Tensor) Condition {
	return Condition{
		Name: "acc_type", Text: "acc_type is an accumulator of the combination of types", Outcome: nn.Error,
		Broken: func(c *nn.Call) string {
			t, in := c.Attrs.Type("acc_type"), c.In[0].Type
			switch {
			case t == nn.NoType:
			case in.Float() && !floatAccumulator(in, t):
				return fmt.Sprintf("acc_type is %s for %s", t, in)
			case !in.Float() && t != of(c).Type:
				return fmt.Sprintf("acc_type is %s, it must be %s", t, of(c).Type)
			}
			return ""
		},
	}
}

// valuesOf wants attributes to be values of the type of the first input: reals of a floating-point type, of which
// NaN is none.
func valuesOf(attrs ...string) func(*nn.Call) string {
	return func(c *nn.Call) string {
		for _, a := range attrs {
			_, real := c.Attrs[a].(float64)
			if real != c.In[0].Type.Float() {
				return fmt.Sprintf("%s is %v for %s", a, c.Attrs[a], c.In[0].Type)
			}
			if real {
				if v := c.Attrs.Float(a); c.In[0].Type.Round(v) != v {
					return fmt.Sprintf("%s is %g, no number of %s", a, v, c.In[0].Type)
				}
			} else if v := c.Attrs.Int(a); !c.In[0].Type.Holds(int64(v)) {
				return fmt.Sprintf("%s is %d, outside %s", a, v, c.In[0].Type)
			}
		}
		return ""
	}
}

// outside finds the first element of an input that is outside a range.
func outside(t *nn.Tensor, lo, hi int64) string {
	for i, v := range t.Ints {
		if v < lo || v > hi {
			return fmt.Sprintf("element %v is %d", nn.Coordinates(i, t.Shape), v)
		}
	}
	return ""
}

// at names an element of the output in a breach.
func at(c *nn.Call, i int) string { return fmt.Sprint(nn.Coordinates(i, c.Out[0].Shape)) }
