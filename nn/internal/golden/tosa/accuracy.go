package tosa

import (
	"fmt"
	"math"

	"arcv2dsp/nn"
)

// accuracy is what a floating-point operator owes its reference by the specification: a mode of compliance, and for
// ABS_ERROR the bound of an element. Operators that are not listed, and comparisons, must be exact.
var accuracy = map[string]struct {
	Compliance
	bound func(c *nn.Call, i int) float64
}{
	"ADD": {Compliance: Compliance{Mode: Ulps, Ulp: 0.5}}, "SUB": {Compliance: Compliance{Mode: Ulps, Ulp: 0.5}},
	"MUL": {Compliance: Compliance{Mode: Ulps, Ulp: 0.5}}, "CAST": {Compliance: Compliance{Mode: Ulps, Ulp: 0.5}},
	"CEIL": {Compliance: Compliance{Mode: Ulps, Ulp: 0.5}}, "FLOOR": {Compliance: Compliance{Mode: Ulps, Ulp: 0.5}},
	"RECIPROCAL": {Compliance: Compliance{Mode: Ulps, Ulp: 1}}, "RSQRT": {Compliance: Compliance{Mode: Ulps, Ulp: 2}},
	"LOG": {Compliance: Compliance{Mode: Ulps, Ulp: 5}}, "ERF": {Compliance: Compliance{Mode: Ulps, Ulp: 5}},
	"EXP":     {Compliance: Compliance{Mode: AbsError}, bound: func(c *nn.Call, i int) float64 { return 1 + magnitude(c, i) }},
	"SIGMOID": {Compliance: Compliance{Mode: AbsError}, bound: func(c *nn.Call, i int) float64 { return 2 * (1 + magnitude(c, i)) }},
	"TANH":    {Compliance: Compliance{Mode: AbsError, LowerBound: 0.5}, bound: func(c *nn.Call, i int) float64 { return 4 * (1 + magnitude(c, i)) }},
	"COS": {Compliance: Compliance{Mode: AbsError, Divisor: 2, BoundAsMagnitude: true},
		bound: func(c *nn.Call, i int) float64 { return 1 + magnitude(c, i) }},
	"SIN":            {Compliance: Compliance{Mode: AbsError, Divisor: 2, BoundAsMagnitude: true}, bound: magnitude},
	"RESIZE":         {Compliance: Compliance{Mode: Relative, Scale: 0.006, Ulp: 20}},
	"REDUCE_PRODUCT": {Compliance: Compliance{Mode: ReduceProduct}},
	"AVG_POOL2D":     {Compliance: Compliance{Mode: DotProduct}}, "REDUCE_SUM": {Compliance: Compliance{Mode: DotProduct}},
	"CONV2D": {Compliance: Compliance{Mode: DotProduct}}, "CONV3D": {Compliance: Compliance{Mode: DotProduct}},
	"DEPTHWISE_CONV2D": {Compliance: Compliance{Mode: DotProduct}}, "TRANSPOSE_CONV2D": {Compliance: Compliance{Mode: DotProduct}},
	"FULLY_CONNECTED": {Compliance: Compliance{Mode: DotProduct}}, "MATMUL": {Compliance: Compliance{Mode: DotProduct}},
}

func magnitude(c *nn.Call, i int) float64 { return math.Abs(float64(c.In[0].Floats[i])) }

// conforms says why an output of a call is further from the golden function's than the operator may be, or returns nil.
// The reference is rounded to the type, so a sum may have one more error of that size.
func conforms(c *nn.Call, got *nn.Tensor) error {
	want := c.Detach()
	if err := want.Run(); err != nil {
		return err
	}
	out := want.Out[0]
	if !out.Type.Float() {
		return nn.Difference(got, out)
	}
	rule, known := accuracy[c.Op.Name]
	r := Reference{Compliance: rule.Compliance, Shape: out.Shape, Values: out.Values()}
	switch {
	case !known:
		r.Mode = Exact
	case rule.bound != nil:
		for i := range r.Values {
			r.Bounds = append(r.Bounds, rule.bound(c, i))
		}
	case r.Mode == DotProduct:
		bounds, err := magnitudes(c)
		if err != nil {
			return err
		}
		r.Bounds, r.KS = bounds, terms(c)+1
	case r.Mode == Relative:
		for i := range c.In[0].Floats {
			r.Greatest = max(r.Greatest, magnitude(c, i))
		}
	case r.Mode == ReduceProduct:
		r.N = c.In[0].Dim(c.Attrs.Int("axis"))
	}
	return r.Check(got)
}

// magnitudes is the result of a call on the magnitudes of its inputs: what bounds a sum of products.
func magnitudes(c *nn.Call) ([]float64, error) {
	m := c.Detach()
	for i, t := range m.In {
		if t != nil {
			m.In[i] = t.Clone()
			for k, v := range t.Floats {
				m.In[i].Floats[k] = float32(math.Abs(float64(v)))
			}
		}
	}
	if err := m.Run(); err != nil {
		return nil, fmt.Errorf("bounds: %w", err)
	}
	return m.Out[0].Values(), nil
}

// terms is the number of products, or addends, in each sum of a call.
func terms(c *nn.Call) int {
	switch c.Op.Name {
	case "DEPTHWISE_CONV2D":
		return c.In[1].Dim(0) * c.In[1].Dim(1)
	case "CONV2D", "CONV3D", "TRANSPOSE_CONV2D":
		return c.In[1].Len() / c.In[1].Dim(0)
	case "AVG_POOL2D":
		return nn.Count(c.Attrs.Ints("kernel"))
	case "REDUCE_SUM":
		return c.In[0].Dim(c.Attrs.Int("axis"))
	}
	return c.In[0].Dim(-1)
}
