package quant

import "fmt"

// Quantize makes integers of the elements of a tensor.
func (t Type) Quantize(values []float64, shape []int, rule RealRule) ([]int64, error) {
	of, err := t.elements(len(values), shape)
	if err != nil {
		return nil, err
	}
	q := make([]int64, len(values))
	for i, x := range values {
		q[i] = rule.Quantize(x, of(i), t.Storage)
	}
	return q, nil
}

// Dequantize gives the reals that the integers of a tensor stand for.
func (t Type) Dequantize(q []int64, shape []int) ([]float64, error) {
	of, err := t.elements(len(q), shape)
	if err != nil {
		return nil, err
	}
	values := make([]float64, len(q))
	for i, v := range q {
		values[i] = of(i).Dequantize(v)
	}
	return values, nil
}

// elements is Of for a tensor whose elements are there.
func (t Type) elements(n int, shape []int) (func(int) Params, error) {
	if err := checkElements(n, shape); err != nil {
		return nil, err
	}
	return t.Of(shape)
}

func checkElements(n int, shape []int) error {
	want := 1
	for _, d := range shape {
		if d < 0 {
			return fmt.Errorf("shape %v is not known", shape)
		}
		want *= d
	}
	if want != n {
		return fmt.Errorf("%d elements for shape %v", n, shape)
	}
	return nil
}

// AxisRanges are the ranges of the slices of a tensor along an axis.
func AxisRanges(values []float64, shape []int, axis int) ([]MinMax, error) {
	if err := checkElements(len(values), shape); err != nil {
		return nil, err
	}
	if axis < 0 || axis >= len(shape) {
		return nil, fmt.Errorf("axis %d of a tensor with %d dimensions", axis, len(shape))
	}
	ranges := make([]MinMax, shape[axis])
	inner := count(shape[axis+1:])
	for i, x := range values {
		if err := ranges[i/inner%shape[axis]].Observe([]float64{x}); err != nil {
			return nil, fmt.Errorf("element %d: %w", i, err)
		}
	}
	return ranges, nil
}

// ChooseAxis is the type that a convention gives a tensor with a scale for each index of an axis, as
// weights have one for each output channel.
func (c Convention) ChooseAxis(values []float64, shape []int, axis int, s Storage) (Type, error) {
	ranges, err := AxisRanges(values, shape, axis)
	if err != nil {
		return Type{}, err
	}
	t := Type{Form: PerAxis, Storage: s, Expressed: F32, Axis: axis}
	for i := range ranges {
		lo, hi, err := ranges[i].Range()
		if err != nil {
			return Type{}, err
		}
		p, used, err := c.Choose(lo, hi, s)
		if err != nil {
			return Type{}, fmt.Errorf("index %d of axis %d: %w", i, axis, err)
		}
		if p.Scale == 0 { // nothing but zeros: any scale represents them
			p.Scale = 1
		}
		t.Storage, t.Params = used, append(t.Params, p)
	}
	return t, t.valid()
}
