package golden

import (
	"fmt"
	"math"
)

// affine rescales integer sums of an affine MAC kernel to the output's scale. MLI 1.1 does it with
// 32-bit mantissas: the ratio of the input's to the output's scale with 30 fractional bits, times
// the weight scale of the output channel, of which the upper word is kept,
// rounded. Small scales therefore keep few bits, and that is part of the result.
type affine struct {
	out    *Tensor
	zeroIn int64
	mul    []int64 // per output channel
	shift  int
}

func newAffine(c *Case, r Rounding) (affine, error) {
	in, w := c.Tensors["in"], c.Tensors["w"]
	out := c.outFormat("out", SA8)
	for role, t := range map[string]*Tensor{"in": in, "out": out} {
		if t.Dim >= 0 {
			return affine{}, fmt.Errorf("tensor %q has scales per axis", role)
		}
	}
	if err := (&Tensor{Type: SA8, Shape: []int{1}, Dim: -1, Scale: out.Scale, Zero: out.Zero}).Check(); err != nil {
		return affine{}, fmt.Errorf("tensor \"out\": %w", err)
	}
	for _, z := range w.Zero {
		if z != 0 {
			return affine{}, fmt.Errorf("weights with zero point %d", z)
		}
	}
	const ratioFrac, wordBits = 30, 32
	ratio := clamp(in.scale(0)<<ratioFrac/out.scale(0), math.MinInt32, math.MaxInt32)
	q := affine{out: out, zeroIn: in.zero(0)}
	for i := range w.Scale {
		q.mul = append(q.mul, r.Shift(ratio*int64(w.Scale[i]), wordBits))
	}
	q.shift = ratioFrac + in.ScaleFrac - out.ScaleFrac + w.ScaleFrac - wordBits
	return q, nil
}

// store rescales the sum of output channel o: rounded to 16 bits, zero point added with saturation.
func (q affine) store(sum int64, o int, r Rounding) int64 {
	mul := q.mul[min(o, len(q.mul)-1)]
	v := saturate(r.Shift(saturate(sum, 32)*mul, q.shift), 16)
	return saturate(v+q.out.zero(0), 16)
}

// convSA8 sums (input - zero point) * weight over the taps inside the image, so padding stands for
// the real value zero.
func convSA8(l layout) func(typing) func(*Case, Rounding) (Result, error) {
	return func(t typing) func(*Case, Rounding) (Result, error) {
		return func(c *Case, r Rounding) (Result, error) {
			cv, err := newConvolution(l, c)
			if err != nil {
				return Result{}, err
			}
			q, err := newAffine(c, r)
			if err != nil {
				return Result{}, err
			}
			lim, err := reluLimits(c.Params.Int("relu"), q.out)
			if err != nil {
				return Result{}, err
			}
			out := q.out.like(cv.outShape...)
			var over []Overflow
			acc := newAccumulator(t.acc)
			cv.each(func(o, y, x, index int) {
				acc.reset()
				acc.set(int64(cv.bias[o]))
				cv.taps(o, y, x, func(d, w int64) { acc.add((d - q.zeroIn) * w) })
				over = acc.report(over, index)
				out.Data[index] = int32(lim.clamp(q.store(acc.sum, o, r)))
			})
			return c.one("out", out, over), nil
		}
	}
}
