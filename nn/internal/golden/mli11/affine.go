package mli11

import (
	"fmt"
	"math"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/mli"
	"arcv2dsp/nn/internal/golden/rule"
)

// affine rescales integer sums of an affine MAC kernel to the output's scale. MLI 1.1 does it with
// 32-bit mantissas: the ratio of the input's to the output's scale with 30 fractional bits, times
// the weight scale of the output channel, of which the upper word is kept,
// rounded. Small scales therefore keep few bits, and that is part of the result.
type affine struct {
	zeroIn, zeroOut int64
	mul             []int64 // per output channel
	shift           int
}

func newAffine(c *nn.Call) affine {
	in, w, out := c.Input("in").Format, c.Input("w").Format, c.Out[0].Format
	rule.Refuse(!mli.PerTensor(in), "tensor %q has scales per axis", "in")
	rule.Refuse(!mli.PerTensor(out), "tensor %q has scales per axis", "out")
	if out.Mantissas[0] <= 0 {
		panic(fmt.Errorf("tensor %q: scale %d is not positive", "out", out.Mantissas[0]))
	}
	for _, z := range w.Zeros {
		rule.Refuse(z != 0, "weights with zero point %d", z)
	}
	const ratioFrac, wordBits = 30, 32
	ratio := mli.Clamp(mli.Mantissa(in, 0)<<ratioFrac/mli.Mantissa(out, 0), math.MinInt32, math.MaxInt32)
	q := affine{zeroIn: in.Zero(0), zeroOut: out.Zero(0)}
	for _, m := range w.Mantissas {
		q.mul = append(q.mul, mli.Shift(c.Rounding, ratio*int64(m), wordBits))
	}
	q.shift = ratioFrac + in.ScaleFrac - out.ScaleFrac + w.ScaleFrac - wordBits
	return q
}

// store rescales the sum of output channel o: rounded to 16 bits, zero point added with saturation.
func (q affine) store(sum int64, o int, r nn.Rounding) int64 {
	mul := q.mul[min(o, len(q.mul)-1)]
	v := mli.Saturate(mli.Shift(r, mli.Saturate(sum, 32)*mul, q.shift), 16)
	return mli.Saturate(v+q.zeroOut, 16)
}
