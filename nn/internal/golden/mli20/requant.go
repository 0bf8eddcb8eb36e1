package mli20

import (
	"math/bits"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/mli"
)

// rounded is x / 2^n in a register of the given width: rounding up adds the half with saturation, a negative
// n shifts left with saturation, and n of the width or more gives 0.
func rounded(r nn.Rounding, x int64, n, width int) int64 {
	switch {
	case n < 0:
		return mli.Saturate(mli.ShiftLeft(x, -n), width)
	case n == 0:
		return x
	case n >= width:
		return 0
	case r == nn.Up && width < 64:
		return mli.Saturate(x+1<<(n-1), width) >> n
	}
	return mli.Shift(r, x, n)
}

// norm counts the redundant sign bits of x in a register of the given width.
func norm(x int64, width int) int {
	return bits.LeadingZeros64(uint64(x^x>>63)) - (64 - width) - 1
}

// normalized is the mantissa of x with as many bits as fit, and the shift it took: x is the mantissa times
// 2^shift.
func normalized(r nn.Rounding, x int64, from, to int) (mantissa int64, shift int) {
	n := from - to - norm(x, from)
	return mli.Saturate(rounded(r, x, n, from), to), n
}

// quotient normalizes a positive 32-bit number, divides it and keeps 16 bits: x / d is the mantissa divided by
// 2^shift.
func quotient(r nn.Rounding, x, d int64) (mantissa int64, shift int) {
	v, n := normalized(r, x, 32, 32)
	m, n2 := normalized(r, v/d, 32, 16)
	return m, -n - n2
}

// scaleOf, fracOf and zeroOf are the parameters of position i: those of fixed point are 1, its fractional
// bits and 0.
func scaleOf(f nn.Format, i int) int64 {
	if f.Kind != nn.Mantissa {
		return 1
	}
	return mli.Mantissa(f, i)
}

func fracOf(f nn.Format, i int) int {
	if f.Kind != nn.Mantissa {
		return f.Frac
	}
	if mli.PerTensor(f) {
		i = 0
	}
	return mli.ScaleFrac(f, i)
}

func zeroOf(f nn.Format, i int) int64 {
	if f.Kind != nn.Mantissa {
		return 0
	}
	return f.Zero(i)
}

// change is the way from one format with one scale to another: x * scale / 2^shift + offset.
type change struct {
	scale  int64
	shift  int
	offset int64
}

func newChange(r nn.Rounding, in, out nn.Format) change {
	s, d := scaleOf(in, 0), scaleOf(out, 0)
	k := norm(s, 32) - norm(d, 16) // positive: scales have 16 bits
	m, n := normalized(r, s<<k/d, 32, 16)
	c := change{scale: m, shift: k + fracOf(in, 0) - fracOf(out, 0) - n}
	c.offset = mli.Saturate(zeroOf(out, 0)-mli.Saturate(rounded(r, m*zeroOf(in, 0), c.shift, 32), 16), 16)
	return c
}

// sums turns affine sums of products into output elements.
type sums struct {
	round           nn.Rounding
	full            bool
	zeroIn, zeroOut int64
	mul             []int64 // per output channel
	shift           []int
}

// Limits of the reduced accumulator: the multiplier and the sum have 16 bits, and the sum loses up to 8 low
// bits, as many as the shift behind the product has beyond 21.
const (
	narrowBits  = 16
	keptShift   = 21
	maxPreShift = 8
)

// newSums prepares the sums over input and weights, of which the scale of channel c is at position at(c).
func newSums(c *nn.Call, in, w, out nn.Format) sums {
	s := sums{round: c.Rounding, full: c.Attrs.Bool("full_accumulator"), zeroIn: in.Zero(0), zeroOut: out.Zero(0)}
	ratio, shift := quotient(s.round, mli.Mantissa(in, 0), mli.Mantissa(out, 0))
	for i, m := range w.Mantissas {
		mul, n := ratio*int64(m), shift+fracOf(in, 0)-fracOf(out, 0)+fracOf(w, i)
		if !s.full {
			k := norm(mul, 32)
			mul = mli.Saturate(rounded(s.round, mul<<k, narrowBits, 32), narrowBits)
			n += k - narrowBits
		}
		s.mul, s.shift = append(s.mul, mul), append(s.shift, n)
	}
	return s
}

// at is the index of the scale of channel o.
func (s sums) at(o int) int { return min(o, len(s.mul)-1) }

// bias is a bias as it goes into a sum: without the full accumulator its 16 highest bits.
func (s sums) bias(b int64) int64 {
	if s.full {
		return b
	}
	drop := max(narrowBits-norm(b, 32), 0)
	return b >> drop << drop
}

// scaled is a sum in units of the output, before the zero point.
func (s sums) scaled(sum int64, o int) int64 {
	i := s.at(o)
	sum, n := mli.Saturate(sum, 32), s.shift[i]
	if !s.full {
		p := int(mli.Clamp(int64(n-keptShift), 0, maxPreShift))
		sum, n = mli.Saturate(rounded(s.round, sum, p, 32), narrowBits), n-p
	}
	return mli.Saturate(rounded(s.round, sum*s.mul[i], min(n, 63), 64), narrowBits)
}

// store is an output element of the sum for channel o.
func (s sums) store(sum int64, o int) int64 {
	return mli.Saturate(mli.Saturate(s.scaled(sum, o)+s.zeroOut, 16), 8)
}

// checkSums states the rules for formats of affine sums: input and output have one scale and zero points of
// one byte, weights and bias no zero point, and both one scale or both one for each of the channels at wdim.
func checkSums(in, w, b, out nn.Format, wdim int) {
	for _, f := range []struct {
		name string
		nn.Format
	}{{"in", in}, {"out", out}} {
		refuse(!byteZero(f.Zero(0)), incompatible, "zero point %d of %s is no byte", f.Zero(0), f.name)
	}
	for _, f := range []nn.Format{w, b} {
		for _, z := range f.Zeros {
			refuse(z != 0, incompatible, "weights or biases with zero point %d", z)
		}
	}
	switch {
	case mli.PerTensor(w) != mli.PerTensor(b):
		panic(violation(incompatible, "scales of weights and of biases differ in number"))
	case !mli.PerTensor(w) && (w.Axis != wdim || b.Axis != 0 || len(w.Mantissas) != len(b.Mantissas)):
		panic(violation(incompatible, "scales run along %d of the weights and %d of the biases", w.Axis, b.Axis))
	case !mli.PerTensor(in) || !mli.PerTensor(out):
		panic(violation(incompatible, "in or out has scales per axis"))
	}
	checkBiasScale(in, w, b)
}

func byteZero(z int64) bool { return z == int64(int8(z)) }

// checkBiasScale: the scale of the biases is that of the products, give or take less than two in the last place. The product of two
// scales has 30 bits, so that a difference of farBits between the points decides whatever the scales are.
func checkBiasScale(in, w, b nn.Format) {
	const farBits = 32
	for i := range w.Mantissas {
		product := mli.Mantissa(in, 0) * int64(w.Mantissas[i])
		shift := min(fracOf(in, 0)+fracOf(w, i)-fracOf(b, i), farBits)
		d := mli.ShiftLeft(int64(b.Mantissas[i]), shift) - product
		if shift < 0 {
			d = int64(b.Mantissas[i]) - mli.ShiftLeft(product, -shift)
		}
		if max(d, -d)>>max(0, shift) > 1 {
			panic(violation(incompatible, "scale %d of the biases is %d/2^%d, the products have %d/2^%d", i,
				b.Mantissas[i], fracOf(b, i), product, fracOf(in, 0)+fracOf(w, i)))
		}
	}
}

// fixedSums turns fixed-point sums of products into output elements.
type fixedSums struct {
	round               nn.Rounding
	biasShift, outShift int
	bits                int
}

func newFixedSums(t Typing, c *nn.Call, in, w, b, out nn.Format) fixedSums {
	product := in.Frac + w.Frac
	return fixedSums{round: c.Rounding, biasShift: product - b.Frac, outShift: product - out.Frac, bits: t.Data.Bits()}
}

func (q fixedSums) bias(b int64) int64 { return mli.ShiftLeft(b, q.biasShift) }

func (q fixedSums) store(sum int64) int64 {
	return mli.Saturate(rounded(q.round, sum, q.outShift, 64), q.bits)
}

// checkFixedSums: neither bias nor output has more fractional bits than the products.
func checkFixedSums(in, w, b, out nn.Format) {
	product := in.Frac + w.Frac
	refuse(b.Frac > product, incompatible, "bias has %d fractional bits, products only %d", b.Frac, product)
	refuse(out.Frac > product, incompatible, "output has %d fractional bits, products only %d", out.Frac, product)
}

// store makes output elements of sums, in either kind of format.
type store struct {
	t      Typing
	fixed  fixedSums
	affine sums
	lim    mli.Limits
}

func newStore(t Typing, c *nn.Call) store {
	in, w, b, out := c.Input("in").Format, c.Input("w").Format, c.Input("b").Format, c.Out[0].Format
	s := store{t: t}
	if t.Data.Affine() {
		s.affine = newSums(c, in, w, out)
	} else {
		s.fixed = newFixedSums(t, c, in, w, b, out)
	}
	s.lim = reluLimits(c.Attrs.Int("relu"), t.Data, out)
	return s
}

// zero is subtracted from every input element.
func (s store) zero() int64 { return s.affine.zeroIn }

// element is the output element of a sum of products and its bias, which goes to an affine sum last and with saturation.
func (s store) element(acc *mli.Accumulator, bias int64, o int) int64 {
	if s.t.Data.Affine() {
		return s.lim.Clamp(s.affine.store(acc.Sum+s.affine.bias(bias), o))
	}
	acc.Add(s.fixed.bias(bias))
	return s.lim.Clamp(s.fixed.store(acc.Sum))
}
