package golden

import "math/bits"

// softmax normalises the exponentials of the whole tensor. The maximum is subtracted first, so all
// exponents are negative; when the smallest difference does not fit the container everything is
// halved before.
func softmax(t typing) func(*Case, Rounding) (Result, error) {
	return func(c *Case, r Rounding) (Result, error) {
		in := c.Tensors["in"]
		width := t.data.Bits()
		lo, hi := int64(in.Data[0]), int64(in.Data[0])
		for _, v := range in.Data {
			lo, hi = min(lo, int64(v)), max(hi, int64(v))
		}
		frac, halve := in.Frac, 0
		if lo-hi < -1<<(width-1) {
			frac, halve = frac-1, 1
		}

		table := expnegTable()
		e := make([]int64, len(in.Data))
		acc := newAccumulator(40)
		for i, v := range in.Data {
			e[i] = narrow(table.at(int64(v)>>halve-hi>>halve, frac, r), t.data, r)
			acc.add(e[i])
		}
		over := acc.report(nil, 0)

		// The reciprocal has a 15-bit mantissa: the sum is brought to [2^30, 2^31) and divided.
		norm := bits.LeadingZeros64(uint64(acc.sum)) - 33
		mantissa := r.Shift(acc.sum, 16-norm)
		reciprocal := min(int64(1)<<29/mantissa, 1<<15-1)

		out := in.like(in.Shape...)
		out.Frac = width - 1
		for i := range e {
			out.Data[i] = int32(saturate(r.Shift(reciprocal*e[i], 46-norm-width), width))
		}
		return c.one("out", out, over), nil
	}
}
