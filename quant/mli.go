package quant

import (
	"fmt"
	"math"
)

// MLI's formats are quantized types. An fx tensor is a signed container with zero point 0 and a scale of
// 2^-n, which MLIR's text holds exactly. An affine tensor has integer scales with a number of fraction
// bits, also exact; the way back rounds a real scale to 15 bits.

// FX is the type of an fx tensor: bits wide, 8 or 16 or 32, with frac bits below the point.
func FX(bits, frac int) (Type, error) {
	if bits != 8 && bits != 16 && bits != 32 {
		return Type{}, fmt.Errorf("MLI has no fx elements of %d bits", bits)
	}
	if frac < minFrac || frac > maxFrac {
		return Type{}, fmt.Errorf("%d fraction bits, MLI keeps %d to %d", frac, minFrac, maxFrac)
	}
	return Uniform(MakeStorage(true, bits), F32, Params{Scale: math.Ldexp(1, -frac)}), nil
}

// FX is the number of fraction bits of the fx tensor that has exactly the values of the type.
func (t Type) FX() (frac int, err error) {
	switch {
	case t.Form != PerLayer:
		return 0, fmt.Errorf("%s: an fx tensor has one scale", t)
	case t.Table != nil || t.Storage.Float != NoFloat || !t.Storage.Signed || t.Storage != t.Storage.Whole():
		return 0, fmt.Errorf("%s: an fx tensor uses all of a signed container", t)
	case t.Storage.Bits != 8 && t.Storage.Bits != 16 && t.Storage.Bits != 32:
		return 0, fmt.Errorf("%s: MLI has no fx elements of %d bits", t, t.Storage.Bits)
	case t.Params[0].ZeroPoint != 0:
		return 0, fmt.Errorf("%s: an fx tensor has the zero point 0", t)
	}
	fraction, exponent := math.Frexp(t.Params[0].Scale)
	if fraction != 0.5 {
		return 0, fmt.Errorf("%s: scale %s is no power of two", t, FormatReal(t.Params[0].Scale))
	}
	if frac = 1 - exponent; frac < minFrac || frac > maxFrac {
		return 0, fmt.Errorf("%s: %d fraction bits, MLI keeps %d to %d", t, frac, minFrac, maxFrac)
	}
	return frac, nil
}

// Affine is the type of an affine tensor of MLI: sa8, or sa32 for biases. One scale makes a type for the
// whole tensor, more of them one for an axis.
func Affine(bits, axis int, scales []SA) (Type, error) {
	if bits != 8 && bits != 32 {
		return Type{}, fmt.Errorf("MLI has no affine elements of %d bits", bits)
	}
	if len(scales) == 0 {
		return Type{}, fmt.Errorf("an affine tensor without a scale")
	}
	t := Type{Form: PerLayer, Storage: MakeStorage(true, bits), Expressed: F32}
	if len(scales) > 1 {
		t.Form, t.Axis = PerAxis, axis
	}
	for i, sa := range scales {
		if sa.Scale <= 0 {
			return Type{}, fmt.Errorf("scale %d is %d, it must be positive", i, sa.Scale)
		}
		t.Params = append(t.Params, sa.Params())
	}
	return t, t.valid()
}

// Affine gives the integer scales nearest to those of the type, and the greatest relative error of a scale.
func (t Type) Affine() (scales []SA, worst float64, err error) {
	if t.Form != PerLayer && t.Form != PerAxis || t.Table != nil || t.Storage.Float != NoFloat ||
		!t.Storage.Signed || t.Storage.Bits != 8 && t.Storage.Bits != 32 {
		return nil, 0, fmt.Errorf("%s: an affine tensor is signed, of 8 or 32 bits, with one scale or an axis of them", t)
	}
	for _, p := range t.Params {
		sa, err := NearestSA(p)
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w", t, err)
		}
		scales, worst = append(scales, sa), max(worst, sa.RelativeError(p))
	}
	return scales, worst, nil
}
