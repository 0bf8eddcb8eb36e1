package tflite

import (
	"math"

	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

var quantize = &nn.Operator{
	Library: nn.TFLite, Name: "QUANTIZE",
	InPlace: true,
	Doc:     "gives elements another scale, zero point or type, or makes integers of floats",
	Inputs:  inPort, Outputs: outPort,
	Types: []nn.Signature{
		{nn.F32, nn.I8}, {nn.F32, nn.U8}, {nn.F32, nn.I16},
		{nn.I8, nn.I8}, {nn.I8, nn.U8}, {nn.I8, nn.I16}, {nn.I8, nn.I32},
		{nn.U8, nn.I8}, {nn.U8, nn.U8}, {nn.I16, nn.I8}, {nn.I16, nn.I16}, {nn.I16, nn.I32}, {nn.I32, nn.I8}, {nn.I32, nn.I16},
	},
	Check: ruled(func(c *nn.Call) {
		sameShape("out", c.Out[0], c.In[0].Shape)
		scale("out", c.Out[0])
		if !c.In[0].Type.Float() {
			prepareQuantize(c)
		}
	}),
	Golden: ruled(func(c *nn.Call) {
		in, out := c.In[0], c.Out[0]
		if in.Type.Float() {
			p := quant.Params{Scale: float64(out.Format.Scales[0]), ZeroPoint: out.Format.Zero(0)}
			for i, x := range in.Floats {
				out.Ints[i] = quant.RealTFLite.Quantize(float64(x), p, quant.MakeStorage(out.Type.Signed(), out.Type.Bits()))
			}
			return
		}
		r := prepareQuantize(c)
		zi, zo := in.Format.Zero(0), out.Format.Zero(0)
		for i, x := range in.Ints {
			out.Ints[i] = out.Type.Clamp(r.apply(x-zi) + zo)
		}
	}),
}

func prepareQuantize(c *nn.Call) requantizer {
	s := scales(c, "in", "out")
	return requantize(c, float64(s[0])/float64(s[1]))
}

var dequantize = &nn.Operator{
	Library: nn.TFLite, Name: "DEQUANTIZE",
	Doc:    "makes floats of integers",
	Inputs: inPort, Outputs: outPort,
	Types: []nn.Signature{{nn.I8, nn.F32}, {nn.U8, nn.F32}, {nn.I16, nn.F32}},
	Check: ruled(func(c *nn.Call) {
		scale("in", c.In[0])
		sameShape("out", c.Out[0], c.In[0].Shape)
	}),
	Golden: ruled(func(c *nn.Call) {
		f := c.In[0].Format
		for i, x := range c.In[0].Ints {
			c.Out[0].Floats[i] = float32(float64(f.Scales[0]) * float64(x-f.Zero(0)))
		}
	}),
}

var castTypes = []nn.Type{nn.I8, nn.I16, nn.I32, nn.U8, nn.U16, nn.U32, nn.F32}

var cast = &nn.Operator{
	Library: nn.TFLite, Name: "CAST",
	InPlace: true,
	Doc:     "converts elements as C does, whatever their scale",
	Inputs:  inPort, Outputs: outPort,
	Types: castSignatures(),
	Check: ruled(func(c *nn.Call) { sameShape("out", c.Out[0], c.In[0].Shape) }),
	Golden: ruled(func(c *nn.Call) {
		in, out := c.In[0], c.Out[0]
		for i := range in.Len() {
			switch {
			case in.Type.Float() && out.Type.Float():
				out.Floats[i] = in.Floats[i]
			case out.Type.Float():
				out.Floats[i] = float32(in.Ints[i])
			case in.Type.Float():
				out.Ints[i] = truncated(in.Floats[i], out.Type)
			default:
				out.Ints[i] = out.Type.Wrap(in.Ints[i])
			}
		}
	}),
}

// castSignatures are all pairs of types; booleans are converted from only.
func castSignatures() []nn.Signature {
	var list []nn.Signature
	for _, to := range castTypes {
		list = append(list, nn.Signature{nn.Bool, to})
		for _, from := range castTypes {
			list = append(list, nn.Signature{from, to})
		}
	}
	return list
}

// truncated is the integer part of a float. DEVIATION(280): C leaves a float that does not fit undefined; here
// it becomes the nearest integer of the type, and what is not a number becomes 0.
func truncated(v float32, t nn.Type) int64 {
	lo, hi := t.Range()
	switch x := math.Trunc(float64(v)); {
	case x != x:
		return 0
	case x <= float64(lo):
		return lo
	case x >= float64(hi):
		return hi
	default:
		return int64(x)
	}
}
