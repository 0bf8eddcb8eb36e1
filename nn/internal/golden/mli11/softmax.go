package mli11

import (
	"math/bits"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/mli"
	"arcv2dsp/nn/internal/golden/rule"
)

// softmax normalises the exponentials of the whole tensor. The maximum is subtracted first, so all
// exponents are negative; when the smallest difference does not fit the container everything is
// halved before.
func softmax() model {
	return model{
		format: unitFormat,
		shape:  inputShape,
		exact: func(t Typing, c *nn.Call) {
			in, r := c.Input("in"), c.Rounding
			width := t.Data.Bits()
			lo, hi := in.Ints[0], in.Ints[0]
			for _, v := range in.Ints {
				lo, hi = min(lo, v), max(hi, v)
			}
			frac, halve := in.Format.Frac, 0
			if lo-hi < -1<<(width-1) {
				frac, halve = frac-1, 1
			}

			table := expnegTable()
			e := make([]int64, len(in.Ints))
			acc := mli.NewAccumulator(40)
			for i, v := range in.Ints {
				e[i] = narrow(table.At(v>>halve-hi>>halve, frac, r), t.Data, r)
				acc.Add(e[i])
			}
			over := acc.Report(nil, 0)

			// The reciprocal has a 15-bit mantissa: the sum is brought to [2^30, 2^31) and divided.
			norm := bits.LeadingZeros64(uint64(acc.Sum)) - 33
			mantissa := mli.Shift(r, acc.Sum, 16-norm)
			reciprocal := min(int64(1)<<29/mantissa, 1<<15-1)

			out := c.Out[0]
			for i := range e {
				out.Ints[i] = mli.Saturate(mli.Shift(r, reciprocal*e[i], 46-norm-width), width)
			}
			rule.Hold(mli.Overflowed(over))
		},
	}
}
