package mlir

import (
	"fmt"
	"math"

	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// containers are the element types that both sides have.
var containers = []struct {
	elem    nn.Type
	storage quant.Storage
}{
	{elem: nn.I8, storage: quant.Int8},
	{elem: nn.U8, storage: quant.Uint8},
	{elem: nn.I16, storage: quant.Int16},
	{elem: nn.U16, storage: quant.Uint16},
	{elem: nn.I32, storage: quant.Int32},
	{elem: nn.I4, storage: quant.MakeStorage(true, 4)},
	{elem: nn.I64, storage: quant.MakeStorage(true, 64)},
}

// TensorOf is a tensor of a type, without elements. A quantized type becomes a fixed-point format where
// its scale is a power of two and its zero point 0, else scales of float32. lost is the greatest
// relative error of a scale, 0 where every one is exact.
func TensorOf(t Type) (x *nn.Tensor, lost float64, err error) {
	if t.Shaping != Ranked || !t.Static() {
		return nil, 0, fmt.Errorf("%s is no tensor of known size", t)
	}
	x = &nn.Tensor{Shape: t.Shape}
	switch {
	case t.Elem.Float == quant.F32:
		x.Type = nn.F32
		return x, 0, nil
	case t.Elem.Quant == nil:
		for _, c := range containers {
			if c.storage.Bits == t.Elem.Int && c.storage.Signed == (t.Elem.Sign != Unsigned) {
				x.Type = c.elem
				return x, 0, nil
			}
		}
		return nil, 0, fmt.Errorf("no elements of %s", t.Elem)
	}
	q := *t.Elem.Quant
	for _, c := range containers {
		if c.storage == q.Storage.Whole() && q.Table == nil {
			x.Type = c.elem
		}
	}
	if x.Type == nn.NoType || q.Form != quant.PerLayer && q.Form != quant.PerAxis {
		return nil, 0, fmt.Errorf("no elements of %s", q)
	}
	if frac, err := q.FX(); err == nil {
		x.Format = nn.Format{Kind: nn.Fixed, Frac: frac}
		return x, 0, nil
	}
	x.Format = nn.Format{Kind: nn.Scaled, Axis: q.Axis}
	for _, p := range q.Params {
		s := float32(p.Scale)
		if s == 0 || math.IsInf(float64(s), 0) {
			return nil, 0, fmt.Errorf("scale %s is no float32", quant.FormatReal(p.Scale))
		}
		lost = max(lost, math.Abs(float64(s)/p.Scale-1))
		x.Format.Scales = append(x.Format.Scales, s)
		x.Format.Zeros = append(x.Format.Zeros, p.ZeroPoint)
	}
	return x, lost, nil
}
