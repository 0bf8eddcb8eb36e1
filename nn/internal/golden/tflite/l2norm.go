package tflite

import (
	"math"
	"math/bits"

	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

var l2Normalization = &nn.Operator{
	Library: nn.TFLite, Name: "L2_NORMALIZATION",
	Doc:     "divides by the square root of the sum of squares along the last dimension",
	Inputs:  inPort,
	Outputs: outPort,
	Types:   sameTypes(2, nn.I8),
	Attrs:   onlyActivation,
	Check: ruled(func(c *nn.Call) {
		refuse(len(c.In[0].Shape) == 0, "rank", "in is a scalar")
		if f := c.Attrs.String(activation.Name); f != "NONE" {
			panic(violation("activation", "a fused %s is not supported", f))
		}
		if z := c.Out[0].Format.Zero(0); z != 0 {
			panic(violation("zero point", "zero point %d of the output, it must be 0", z))
		}
		requantize(c, 1)
		sameShape("out", c.Out[0], c.In[0].Shape)
	}),
	Golden: ruled(func(c *nn.Call) {
		in, out, n := c.In[0].Ints, c.Out[0].Ints, c.In[0].Dim(-1)
		r := requantize(c, 1)
		for i := 0; i < len(in); i += n {
			normalize(r.scaling, c.In[0].Format.Zero(0), in[i:i+n], out[i:i+n])
		}
	}),
}

// outputBits is the number of bits below the point of a normalized element.
const outputBits = 7

func normalize(s quant.Scaling, zero int64, in, out []int64) {
	var sum int32
	for _, x := range in {
		sum += int32((x - zero) * (x - zero))
	}
	factor := inverseRoot(sum)
	factor.Shift += outputBits
	for i, x := range in {
		out[i] = nn.I8.Clamp(int64(s.Apply(int32(x-zero), factor)))
	}
}

// Constants of inverseRoot: 3/2 with 28 bits below the point, the root of 1/2 with 31.
const (
	threeHalves  = 3 << 27
	rootOfHalf   = 1518500250
	newtonRounds = 5
)

// inverseRoot is 1/sqrt(x): x is brought to 29 bits by an even shift, then Newton's iteration runs with
// three integer bits.
func inverseRoot(x int32) quant.Multiplier {
	if x <= 1 {
		return quant.Multiplier{Value: math.MaxInt32}
	}
	shift := 11
	for x >= 1<<29 {
		x /= 4
		shift++
	}
	pairs := (bits.LeadingZeros32(uint32(x))-1)/2 - 1
	shift -= pairs
	x <<= 2 * pairs
	q3, _ := quant.NewFixed[int32](3)
	mul := quant.SaturatingRoundingDoublingHighMul[int32]
	product := func(factors int, v int32) int32 { // of several factors with three integer bits each
		return quant.SaturatingRoundingMultiplyByPOT(v, 3*(factors-1))
	}
	half := quant.RoundingDivideByPOT(x>>1, 1)
	root := q3.One()
	for range newtonRounds {
		cube := product(3, mul(mul(root, root), root))
		root = product(2, mul(threeHalves, root)-mul(half, cube))
	}
	value := mul(root, rootOfHalf)
	if shift < 0 {
		value, shift = value<<-shift, 0
	}
	return quant.Multiplier{Value: value, Shift: -shift}
}
