package tosa

import (
	"cmp"
	"fmt"

	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/nn"
)

// compliance is how a description states the way to compare an output.
type compliance struct {
	Mode Mode `json:"mode"`
	ULP  struct {
		ULP float64 `json:"ulp"`
	} `json:"ulp_info"`
	Sum struct {
		Set int `json:"s"`
		KS  int `json:"ks"`
	} `json:"dot_product_info"`
	Product struct {
		N int `json:"n"`
	} `json:"reduce_product_info"`
	Relative struct {
		Max   float64 `json:"max"`
		Scale float64 `json:"scale"`
		ULP   float64 `json:"ulp_bound"`
	} `json:"relative_info"`
	Absolute struct {
		LowerBound       float64 `json:"lower_bound"`
		Divisor          float64 `json:"normal_divisor"`
		MaxCompare       float64 `json:"max_compare"`
		BoundAsMagnitude bool    `json:"bound_as_magnitude"`
	} `json:"abs_error_info"`
}

// complies gives the parameters their names; an output without a mode must be exact.
func (c *compliance) complies() (Compliance, error) {
	out := Compliance{
		Mode: cmp.Or(c.Mode, Exact), Ulp: cmp.Or(c.ULP.ULP, c.Relative.ULP), Set: c.Sum.Set, KS: c.Sum.KS, N: c.Product.N,
		Greatest: c.Relative.Max, Scale: c.Relative.Scale, LowerBound: c.Absolute.LowerBound, Divisor: c.Absolute.Divisor,
		MaxCompare: c.Absolute.MaxCompare, BoundAsMagnitude: c.Absolute.BoundAsMagnitude,
	}
	switch out.Mode {
	case Exact, DotProduct, Ulps, FPSpecial, ReduceProduct, AbsError, Relative:
		return out, nil
	}
	return out, fmt.Errorf("unknown mode of compliance %q", out.Mode)
}

// reference reads the values and bounds of an output, in double precision or as elements of a type.
func (t *Test) reference(value *nn.Value, file, bounds string) (*Reference, error) {
	c := t.Description.Meta.Compliance.Tensors[value.Name]
	how, err := c.complies()
	if err != nil {
		return nil, err
	}
	r := &Reference{Compliance: how, Shape: value.Tensor.Shape}
	if r.Values, err = t.reals(file, value.Tensor); err != nil {
		return nil, err
	}
	if bounds != "" {
		r.Bounds, err = t.reals(bounds, value.Tensor)
	}
	return r, err
}

// reals reads the elements of a file as real numbers of a tensor's shape.
func (t *Test) reals(file string, of *nn.Tensor) ([]float64, error) {
	data, err := hostfile.Read(t.path(file), maxFile)
	if err != nil {
		return nil, err
	}
	shape, values, err := nn.ParseNPYReals(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.path(file), err)
	}
	if x, err := nn.ParseNPY(data); err == nil && !x.Type.Float() { // raw bits
		if x, err = convert(x, of); err != nil {
			return nil, fmt.Errorf("%s: %w", t.path(file), err)
		}
		values = x.Values()
	}
	if len(values) != of.Len() {
		return nil, fmt.Errorf("%s: %d elements of shape %v for a tensor of shape %v", t.path(file), len(values), shape, of.Shape)
	}
	return values, nil
}
