package quant

import (
	"fmt"
	"math"
)

// SA is a scale of MLI's affine formats: Scale * 2^-Frac with an integer of 16 bits. The zero point is an
// int16, also for tensors of bytes.
type SA struct {
	Scale     int16
	Frac      int
	ZeroPoint int16
}

// saBits is the number of significant bits of an integer scale.
const saBits = 15

// Params is the same relation with a real scale, exactly.
func (sa SA) Params() Params {
	return Params{Scale: math.Ldexp(float64(sa.Scale), -sa.Frac), ZeroPoint: int64(sa.ZeroPoint)}
}

// Limits of the number of fraction bits of a scale, which MLI keeps in an int8.
const minFrac, maxFrac = math.MinInt8, math.MaxInt8

// NearestSA is the integer scale nearest to a real one. The greatest power of two is divided out of it,
// so that a scale that came from SA.Params returns to the smallest equal one. RelativeError says what
// is lost.
func NearestSA(p Params) (SA, error) {
	if err := p.Check(); err != nil {
		return SA{}, err
	}
	if p.ZeroPoint < math.MinInt16+1 || p.ZeroPoint > math.MaxInt16 {
		return SA{}, fmt.Errorf("zero point %d does not fit MLI's %d to %d", p.ZeroPoint, math.MinInt16+1, math.MaxInt16)
	}
	fraction, exponent := math.Frexp(p.Scale)
	scale, frac := int(math.Round(math.Ldexp(fraction, saBits))), saBits-exponent
	for scale%2 == 0 || scale > math.MaxInt16 {
		scale, frac = scale/2, frac-1
	}
	for frac < 0 && scale <= math.MaxInt16/2 {
		scale, frac = scale*2, frac+1
	}
	if frac < minFrac || frac > maxFrac {
		return SA{}, fmt.Errorf("scale %g has %d fraction bits, MLI keeps %d to %d", p.Scale, frac, minFrac, maxFrac)
	}
	return SA{Scale: int16(scale), Frac: frac, ZeroPoint: int16(p.ZeroPoint)}, nil
}

// RelativeError is how far the integer scale is from the real one, as a part of the real one.
func (sa SA) RelativeError(p Params) float64 { return math.Abs(sa.Params().Scale/p.Scale - 1) }
