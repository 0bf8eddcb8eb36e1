package mlir

import (
	"fmt"

	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// mostQuantBits is the width that MLIR's quantized types end at. Wider integers, biases of 16x8, are plain ones: their scale is that of
// the products that they are added to.
const mostQuantBits = 32

// TypeOf is the type of a tensor, the other way of TensorOf. The formats of MLI and TensorFlow Lite are quantized types, exactly.
func TypeOf(x *nn.Tensor) (Type, error) {
	t := Type{Shaping: Ranked, Shape: x.Shape}
	if x.Type == nn.F32 {
		return t.With(f32.Elem), nil
	}
	for _, c := range containers {
		if c.elem != x.Type {
			continue
		}
		q := quant.Type{Form: quant.PerLayer, Storage: c.storage, Expressed: quant.F32}
		if x.Format.Kind == nn.Plain || c.storage.Bits > mostQuantBits {
			return t.With(integer(c.storage.Bits)), nil
		}
		for i := range x.Format.Steps() {
			q.Params = append(q.Params, quant.Params{Scale: x.Format.Scale(i), ZeroPoint: x.Format.Zero(i)})
		}
		if len(q.Params) > 1 {
			q.Form, q.Axis = quant.PerAxis, x.Format.Axis
		}
		if len(q.Params) == 0 {
			return t, fmt.Errorf("a format without a scale")
		}
		return t.With(quantized(q)), nil
	}
	return t, fmt.Errorf("no type of the text for elements of %s", x.Type)
}
