package mli

import (
	"fmt"

	"arcv2dsp/nn"
)

// Type is an element type of the library: the width of an element and the kind of its format.
type Type uint8

// The element types.
const (
	FX8  Type = iota // 8-bit fixed point
	FX16             // 16-bit fixed point
	SA8              // 8-bit affine
	SA32             // 32-bit affine: biases, indices
	FP32             // floating point, only in conversions
)

var elementTypes = [...]struct {
	name    string
	element nn.Type
	kind    nn.FormatKind
}{
	FX8:  {name: "fx8", element: nn.I8, kind: nn.Fixed},
	FX16: {name: "fx16", element: nn.I16, kind: nn.Fixed},
	SA8:  {name: "sa8", element: nn.I8, kind: nn.Mantissa},
	SA32: {name: "sa32", element: nn.I32, kind: nn.Mantissa},
	FP32: {name: "fp32", element: nn.F32, kind: nn.Plain},
}

func (t Type) String() string {
	if int(t) < len(elementTypes) {
		return elementTypes[t].name
	}
	return fmt.Sprintf("type(%d)", uint8(t))
}

// ParseType reads the name that String prints.
func ParseType(s string) (Type, error) {
	for t, row := range elementTypes {
		if s == row.name {
			return Type(t), nil
		}
	}
	return 0, fmt.Errorf("unknown element type %q (fx8, fx16, sa8, sa32, fp32)", s)
}

// TypeOf is the element type that a tensor has.
func TypeOf(t *nn.Tensor) (Type, error) {
	for typ, row := range elementTypes {
		if t.Type == row.element && t.Format.Kind == row.kind {
			return Type(typ), nil
		}
	}
	return 0, fmt.Errorf("the library has no tensors of %s in this format", t.Type)
}

// Element is the integer an element is held in.
func (t Type) Element() nn.Type { return elementTypes[t].element }

// Bits is the width of one element.
func (t Type) Bits() int { return t.Element().Bits() }

// Affine reports whether the type carries scale and zero point instead of fractional bits.
func (t Type) Affine() bool { return elementTypes[t].kind == nn.Mantissa }

// maxFrac bounds the fractional bits: the interface keeps them in one byte.
const maxFrac = 255

// Check says what is wrong with a tensor as one of the type: its element and its format.
func (t Type) Check(x *nn.Tensor) error {
	if x.Type != t.Element() {
		return fmt.Errorf("elements are %s, they must be %s", x.Type, t.Element())
	}
	return t.CheckFormat(x.Format)
}

// CheckFormat says what is wrong with the format of a tensor of the type.
func (t Type) CheckFormat(f nn.Format) error {
	switch {
	case f.Kind != elementTypes[t].kind:
		return fmt.Errorf("the format is not that of %s", t)
	case f.Frac < -maxFrac || f.Frac > maxFrac || f.ScaleFrac < -maxFrac || f.ScaleFrac > maxFrac:
		return fmt.Errorf("more than %d fractional bits", maxFrac)
	case t.Affine() && (len(f.Mantissas) == 0 || len(f.Zeros) == 0):
		return fmt.Errorf("no scale or no zero point")
	}
	return nil
}

// PerTensor reports whether a tensor has one scale and one zero point and says so.
func PerTensor(f nn.Format) bool { return f.Axis < 0 }

// Mantissa is the scale of position i along the tensor's axis.
func Mantissa(f nn.Format, i int) int64 {
	if PerTensor(f) || len(f.Mantissas) == 1 {
		i = 0
	}
	return int64(f.Mantissas[i])
}

// ScaleFrac is the number of fractional bits of the scale of position i along the tensor's axis.
func ScaleFrac(f nn.Format, i int) int {
	if f.ScaleFracs == nil {
		return f.ScaleFrac
	}
	return f.ScaleFracs[i]
}
