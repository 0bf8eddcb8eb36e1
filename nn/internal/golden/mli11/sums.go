package mli11

import (
	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/mli"
	"arcv2dsp/nn/internal/golden/rule"
)

// sums are the sums of products of a layer: how they begin, and the elements they become.
type sums struct {
	zero      int64 // of the input: products are of elements less that
	biasShift int   // from the bias format to the product format
	store     func(sum int64, o int) int64
}

// newSums chooses by the kind of format: affine or fixed point.
func newSums(t Typing, c *nn.Call) sums {
	if t.Data.Affine() {
		q := newAffine(c)
		return sums{zero: q.zeroIn, store: func(sum int64, o int) int64 {
			return mli.Saturate(q.store(sum, o, c.Rounding), t.Data.Bits())
		}}
	}
	q := newRequant(t, c)
	return sums{biasShift: q.biasShift, store: func(sum int64, _ int) int64 { return q.store(sum, c.Rounding) }}
}

// requant rounds sums to fixed-point elements.
type requant struct {
	bits      int // of an output element
	biasShift int // from the bias format to the product format
	outShift  int // from the product format to the output format
}

func newRequant(t Typing, c *nn.Call) requant {
	b := c.Input("b").Format.Frac
	product := c.Input("in").Format.Frac + c.Input("w").Format.Frac
	rule.Refuse(b > product, "bias has %d fractional bits, products only %d", b, product)
	return requant{bits: t.Data.Bits(), biasShift: product - b, outShift: product - c.Out[0].Format.Frac}
}

func (q requant) store(sum int64, r nn.Rounding) int64 {
	return mli.Saturate(mli.Shift(r, sum, q.outShift), q.bits)
}
