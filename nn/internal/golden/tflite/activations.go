package tflite

import (
	"math"
	"math/bits"
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// signBits is the number of copies of the sign below it, 0 for zero.
func signBits(x int32) int {
	if x == 0 {
		return 0
	}
	return bits.LeadingZeros32(uint32(x^x>>31)) - 1
}

var inPort = []nn.Port{{Role: "in"}}

// pointwise describes an operator on the elements of one tensor. prepare makes the function for the elements
// of a call.
func pointwise(name, doc string, types []nn.Signature, attrs []nn.AttrSpec, prepare func(*nn.Call) func(x int64) int64) *nn.Operator {
	return &nn.Operator{
		Library: nn.TFLite, Name: name, Doc: doc,
		Inputs: inPort, Outputs: outPort, Types: types, Attrs: attrs,
		InPlace: true,
		Check: ruled(func(c *nn.Call) {
			sameShape("out", c.Out[0], c.In[0].Shape)
			prepare(c)
		}),
		Golden: ruled(func(c *nn.Call) {
			f := prepare(c)
			for i, x := range c.In[0].Ints {
				c.Out[0].Ints[i] = f(x)
			}
		}),
	}
}

var (
	quantized = sameTypes(2, nn.I8, nn.I16)

	logistic  = pointwise("LOGISTIC", "1/(1+exp(-x))", quantized, nil, prepareLogistic)
	tanh      = pointwise("TANH", "the hyperbolic tangent", quantized, nil, prepareTanh)
	relu      = pointwise("RELU", "cuts off negative values and changes the scale", slices.Concat(quantized, sameTypes(2, nn.U8)), nil, prepareRelu)
	relu6     = pointwise("RELU6", "cuts off negative values and those above 6; the scale stays", slices.Concat(quantized, sameTypes(2, nn.U8)), nil, prepareRelu6)
	leakyRelu = pointwise("LEAKY_RELU", "multiplies negative values by alpha", quantized,
		[]nn.AttrSpec{{Name: "alpha", Default: 0.0, Doc: "slope of the negative side"}}, prepareLeakyRelu)
	hardSwish = pointwise("HARD_SWISH", "x * relu6(x+3) / 6", sameTypes(2, nn.I8), nil, prepareHardSwish)
)

func prepareRelu(c *nn.Call) func(int64) int64 {
	s := scales(c, "in", "out")
	r := requantize(c, float64(s[0])/float64(s[1]))
	l := activated("RELU", c.Out[0])
	zi, zo := c.In[0].Format.Zero(0), c.Out[0].Format.Zero(0)
	symmetric(c.In[0], c.Out[0])
	return func(x int64) int64 { return l.clamp(r.apply(x-zi) + zo) }
}

// prepareRelu6 clamps elements as they are, to the bounds in the scale of the input.
func prepareRelu6(c *nn.Call) func(int64) int64 {
	sameQuantization(c.In[0], c.Out[0])
	return activated("RELU6", c.In[0]).clamp
}

// prepareLeakyRelu forms both factors in single precision.
func prepareLeakyRelu(c *nn.Call) func(int64) int64 {
	s := scales(c, "in", "out")
	alpha := float32(c.Attrs.Float("alpha"))
	slope := float32(float32(s[0]*alpha) / s[1])
	list := requantizeAll(c, []float64{float64(float32(s[0] / s[1])), math.Abs(float64(slope))})
	l := whole(c.Out[0].Type)
	zi, zo := c.In[0].Format.Zero(0), c.Out[0].Format.Zero(0)
	symmetric(c.In[0], c.Out[0])
	return func(x int64) int64 {
		v := x - zi
		switch {
		case v >= 0:
			v = list[0].apply(v)
		case slope < 0:
			v = -list[1].apply(v)
		default:
			v = list[1].apply(v)
		}
		return l.clamp(v + zo)
	}
}

// prepareHardSwish works in 16 bits: the value times 128, and relu6(x+3)/6 as a fraction of 15 bits.
func prepareHardSwish(c *nn.Call) func(int64) int64 {
	s := scales(c, "in", "out")
	high := float32(s[0] / 128)
	const unit = float32(3.0 / 32768)
	list := requantizeAll(c, []float64{float64(float32(high / s[1])), float64(float32(high / unit))})
	out, slope := list[0].factor.Reduce16(), list[1].factor.Reduce16()
	if out.Shift > 0 {
		panic(violation("scale", "the scale of the output, %v, is too small for that of the input, %v", s[1], s[0]))
	}
	l := whole(nn.I8)
	zi, zo := c.In[0].Format.Zero(0), c.Out[0].Format.Zero(0)
	return func(x int64) int64 {
		value := int16((x - zi) << 7)
		scaled := quant.SaturatingRoundingDoublingHighMul(value, out.Value)
		part := hardSigmoid(value, slope)
		product := saturatingDoublingHighMul(scaled, part)
		return l.clamp(int64(quant.RoundingDivideByPOT(product, -out.Shift)) + zo)
	}
}

// hardSigmoid is relu6(x+3)/6 with 15 bits below the point. The last bit of a left shift follows the
// multiplication, so that saturation comes late.
func hardSigmoid(x int16, slope quant.Multiplier16) int16 {
	if slope.Shift > 0 {
		x = quant.SaturatingShiftLeft(x, slope.Shift-1)
	}
	x = quant.SaturatingRoundingDoublingHighMul(x, slope.Value)
	switch {
	case slope.Shift > 0:
		x = quant.SaturatingShiftLeft(x, 1)
	case slope.Shift < 0:
		x = quant.RoundingDivideByPOT(x, -slope.Shift)
	}
	return int16((int32(x) + 1<<15) >> 1)
}

// saturatingDoublingHighMul drops the fraction: the one product of the library that does not round.
func saturatingDoublingHighMul(a, b int16) int16 {
	return int16(min(int32(a)*int32(b)/(1<<15), math.MaxInt16))
}

var prelu = &nn.Operator{
	Library: nn.TFLite, Name: "PRELU", Doc: "multiplies negative values by slopes that broadcast",
	Inputs:  []nn.Port{{Role: "in"}, {Role: "alpha", Weights: true}},
	Outputs: outPort,
	Types:   sameTypes(3, nn.I8),
	Check: ruled(func(c *nn.Call) {
		shape := broadcast(c.In[0].Shape, c.In[1].Shape)
		sameShape("out", c.Out[0], shape)
		preluFactors(c)
	}),
	Golden: computed(preluFactors, func(c *nn.Call, factors []requantizer) {
		out := c.Out[0]
		in, alpha := spread(c.In[0], out.Shape), spread(c.In[1], out.Shape)
		l, zi, za, zo := whole(nn.I8), c.In[0].Format.Zero(0), c.In[1].Format.Zero(0), out.Format.Zero(0)
		for i := range out.Ints {
			v := c.In[0].Ints[in[i]] - zi
			if v >= 0 {
				v = factors[0].apply(v)
			} else {
				v = factors[1].apply(v * (c.In[1].Ints[alpha[i]] - za))
			}
			out.Ints[i] = l.clamp(v + zo)
		}
	}),
}

// preluFactors are the factors of positive and of negative values, in double precision.
func preluFactors(c *nn.Call) []requantizer {
	s := scales(c, "in", "alpha", "out")
	in, alpha, out := float64(s[0]), float64(s[1]), float64(s[2])
	return requantizeAll(c, []float64{in / out, in * alpha / out})
}
