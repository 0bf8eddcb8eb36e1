package tflite

import (
	"math"
	"math/bits"
	"sync"

	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

var softmax = &nn.Operator{
	Library: nn.TFLite, Name: "SOFTMAX",
	Doc:     "exp(x) by the sum of all exp(x), along the last dimension",
	Inputs:  inPort,
	Outputs: outPort,
	Types:   []nn.Signature{{nn.I8, nn.I8}, {nn.I8, nn.I16}, {nn.I16, nn.I16}, {nn.U8, nn.U8}},
	Attrs:   []nn.AttrSpec{{Name: "beta", Default: 0.0, Doc: "factor of the argument"}},
	Check: ruled(func(c *nn.Call) {
		sameShape("out", c.Out[0], c.In[0].Shape)
		refuse(len(c.In[0].Shape) == 0, "rank", "in is a scalar")
		prepareSoftmax(c)
	}),
	Golden: ruled(func(c *nn.Call) {
		row := prepareSoftmax(c)
		in, out, n := c.In[0].Ints, c.Out[0].Ints, c.In[0].Dim(-1)
		for i := 0; i < len(in); i += n {
			row(in[i:i+n], out[i:i+n])
		}
	}),
}

// prepareSoftmax makes the function of a row.
func prepareSoftmax(c *nn.Call) func(in, out []int64) {
	s := scale("in", c.In[0])
	real := c.Attrs.Float("beta") * float64(s)
	if c.In[0].Type == nn.I16 {
		r := requantize(c, real/(10.0/65535))
		return func(in, out []int64) { softmaxTable(r, in, out) }
	}
	real = min(math.Ldexp(real, 31-softmaxInteger), math.MaxInt32)
	r := requantize(c, real)
	refuse(r.factor.Shift < 0, "scale", "beta %v times the scale of the input, %v, is too small", c.Attrs.Float("beta"), s)
	return func(in, out []int64) { softmaxFixed(r, c.Out[0].Type, in, out) }
}

// The fixed-point formats of the exponential's argument and of the sum of exponentials.
const (
	softmaxInteger = 5
	sumInteger     = 12
)

var q5, _ = quant.NewFixed[int32](softmaxInteger)

// softmaxFixed computes exponentials of the distance to the greatest element. Those too far away to be
// represented count as zero.
func softmaxFixed(r requantizer, typ nn.Type, in, out []int64) {
	top := in[0]
	for _, x := range in {
		top = max(top, x)
	}
	least := -inputRadius(softmaxInteger, r.factor.Shift)
	exp := func(d int64) int32 { return q5.ExpNegative(int32(r.apply(d))) }
	var sum int32
	for _, x := range in {
		if d := x - top; d >= least {
			sum += quant.RoundingDivideByPOT(exp(d), sumInteger)
		}
	}
	inverse, over := quant.Reciprocal(sum, sumInteger)
	l := whole(typ)
	for i, x := range in {
		d := x - top
		if d < least {
			out[i] = l.lo
			continue
		}
		part := quant.SaturatingRoundingDoublingHighMul(inverse, exp(d))
		out[i] = l.clamp(int64(quant.RoundingDivideByPOT(part, over+31-typ.Bits())) + l.lo)
	}
}

// steps is the number of segments of a table of a function of 16 bits.
const steps = 512

// tabulate fills a table that is read with linear interpolation: the function from lo to hi, with 15 bits
// below the point. Each entry moves by half of the error that interpolation would make in the middle of
// its segment. All arithmetic is in single precision.
func tabulate(f func(float32) float32, lo, hi float32) []int64 {
	step := (hi - lo) / steps
	at := func(i int) float32 { return lo + float32(float32(i)*step) }
	scaled := func(x float32) float32 { return float32(f(x) * (1 << 15)) }
	round := func(v float32) float32 { return float32(math.Round(float64(v))) }
	table := make([]int64, steps+1)
	for i := range steps {
		here, next := scaled(at(i)), scaled(at(i+1))
		middle := round(scaled(at(i) + step/2))
		between := round(float32(next+round(here)) / 2)
		table[i] = nn.I16.Clamp(int64(round(here) - round((between-middle)/2)))
	}
	table[steps] = nn.I16.Clamp(int64(round(scaled(hi))))
	return table
}

var (
	expTable = sync.OnceValue(func() []int64 {
		return tabulate(func(x float32) float32 { return float32(math.Exp(float64(x))) }, -10, 0)
	})
	inverseTable = sync.OnceValue(func() []int64 {
		return tabulate(func(x float32) float32 { return 1 / (1 + x) }, 0, 1)
	})
)

// lookUp reads a table of a function of 16 bits.
func lookUp(table []int64, x int64) int64 {
	i, rest := steps/2+x>>7, x&(1<<7-1)
	return table[i] + quant.HalfUp.Shift((table[i+1]-table[i])*rest, 7)
}

// softmaxTable works on elements of 16 bits with tables of exp and of 1/(1+x).
func softmaxTable(r requantizer, in, out []int64) {
	top := in[0]
	for _, x := range in {
		top = max(top, x)
	}
	exp := make([]int64, len(in))
	var sum int64
	for i, x := range in {
		exp[i] = lookUp(expTable(), nn.I16.Clamp(r.apply(x-top)+math.MaxInt16))
		sum += exp[i]
	}
	zeros := bits.LeadingZeros32(uint32(sum))
	normal := quant.HalfUp.Shift(sum<<(zeros-1), 14) // 1 to 2, 16 bits below the point
	inverse := lookUp(inverseTable(), nn.I16.Clamp(normal-(1<<16+1<<15)))
	for i, e := range exp {
		out[i] = max(0, min(quant.HalfUp.Shift(e*inverse, 31-zeros), math.MaxInt16))
	}
}
