package tflite

import (
	"math"

	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// The logistic function and the hyperbolic tangent: elements of 8 bits go through the fixed-point functions of
// gemmlowp, elements of 16 bits through a table with linear interpolation.

// integerBits is the number of integer bits of the fixed-point argument.
const integerBits = 4

// squash is a prepared function of 8-bit elements: argument scaled to 4 integer bits, and the distance
// from zero at which the function is flat.
type squash struct {
	requantizer
	zero, radius int64
}

func prepareSquash(c *nn.Call) squash {
	s := scale("in", c.In[0])
	p := squash{zero: c.In[0].Format.Zero(0)}
	p.requantizer = requantize(c, math.Ldexp(float64(s), 31-integerBits))
	p.radius = inputRadius(integerBits, p.factor.Shift)
	return p
}

// inputRadius is the greatest distance from zero that a fixed-point argument can hold behind a shift.
func inputRadius(integer, shift int) int64 {
	return int64(math.Floor(math.Ldexp(float64(int64(1)<<integer-1), 31-integer-shift)))
}

var q4, _ = quant.NewFixed[int32](integerBits)

func prepareLogistic(c *nn.Call) func(int64) int64 {
	if c.In[0].Type == nn.I16 {
		return prepareTable(c, 0, logistic16)
	}
	p := prepareSquash(c)
	if c.Out[0].Format.Zero(0) != math.MinInt8 {
		panic(violation("zero point", "zero point %d of the output, it must be -128", c.Out[0].Format.Zero(0)))
	}
	return func(x int64) int64 {
		switch x -= p.zero; {
		case x <= -p.radius:
			return math.MinInt8
		case x >= p.radius:
			return math.MaxInt8
		}
		v := quant.RoundingDivideByPOT(q4.Logistic(int32(p.apply(x))), 23)
		return nn.I8.Clamp(int64(v) + math.MinInt8)
	}
}

func prepareTanh(c *nn.Call) func(int64) int64 {
	if c.In[0].Type == nn.I16 {
		return prepareTable(c, 1, tanh16)
	}
	p := prepareSquash(c)
	if c.Out[0].Format.Zero(0) != 0 {
		panic(violation("zero point", "zero point %d of the output, it must be 0", c.Out[0].Format.Zero(0)))
	}
	return func(x int64) int64 {
		switch x -= p.zero; {
		case x <= -p.radius:
			return math.MinInt8
		case x >= p.radius:
			return math.MaxInt8
		}
		return nn.I8.Clamp(int64(quant.RoundingDivideByPOT(q4.Tanh(int32(p.apply(x))), 24)))
	}
}

// tableScale brings an argument of 16 bits to the step of the table, 1/24 with 9 bits below the point. A
// factor of zero stands for 3<<shift, which is the factor of arguments with 12 bits below the point.
type tableScale struct {
	factor int64
	shift  int
}

func (s tableScale) apply(x int64) int64 {
	if s.factor == 0 {
		return int64(int32(x * (3 << s.shift)))
	}
	return int64(int32(quant.HalfUp.Shift(int64(int32(x*s.factor)), s.shift)))
}

// powerOfTwo is how near the logarithm of a scale must be to an integer to count as a power of two.
const powerOfTwo = 1e-3

// prepareTable prepares a function of 16-bit elements. Scales of 2^-12, and up to 2^(extra-12), need no
// multiplication; others get the factor with most bits that fits 16.
func prepareTable(c *nn.Call, extra int, f func(int64, tableScale) int64) func(int64) int64 {
	s := scale("in", c.In[0])
	var p tableScale
	log := math.Log2(float64(s))
	shift := int(math.Round(log)) + 12
	if math.Abs(log-math.Round(log)) < powerOfTwo && shift >= 0 && shift <= extra {
		p.shift = shift
	} else {
		real := float64(s) * 4096 * 3
		for real <= 32767.0/2 && p.shift <= 30 {
			real, p.shift = 2*real, p.shift+1
		}
		refuse(real > math.MaxInt32, "scale", "the scale of the input, %v, is too large", s)
		p.factor = int64(real)
	}
	symmetric(c.In[0], c.Out[0])
	return func(x int64) int64 { return f(x, p) }
}

// interpolate reads the table at an argument without a sign, fraction bits below the index. Beyond the table
// the function is flat.
func interpolate(v int64, fraction int, beyond int64) int64 {
	i := v >> fraction
	if i >= int64(len(quant.SigmoidTable))-1 {
		return beyond
	}
	low, high := int64(quant.SigmoidTable[i]), int64(quant.SigmoidTable[i+1])
	return low<<fraction + (v&(1<<fraction-1))*(high-low)
}

// logistic16 gives 15 bits below the point.
func logistic16(x int64, s tableScale) int64 {
	v := s.apply(x)
	r := interpolate(magnitude(v), 9, 0x7fff<<10)
	if v >= 0 {
		return (r + 1<<9) >> 10
	}
	return (1<<25 - r + 1<<9 - 1) >> 10
}

// tanh16 gives 15 bits below the point: the table at twice the argument, less one half, doubled.
func tanh16(x int64, s tableScale) int64 {
	v := s.apply(x)
	r := interpolate(magnitude(v), 8, 0xffff<<8)
	if v >= 0 {
		return (r - 1<<23 + 1<<7) >> 8
	}
	return (-r + 1<<23 + 1<<7 - 1) >> 8
}

// magnitude is |v|.
func magnitude(v int64) int64 { return max(v, -v) }
