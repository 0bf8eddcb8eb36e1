package tflite

import (
	"math"

	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// Sums of several elements of 8 bits, and squared differences.

// termBits is the left shift of the terms of a sum.
const termBits = 20

// summation is the way of an element into a sum and of a sum to the output: each term is halved with 20 bits below the
// point, and the sum is scaled once.
type summation struct {
	half, out       requantizer
	inZero, outZero int64
	limits
}

func prepareSummation(c *nn.Call) summation {
	in, out := c.In[0], c.Out[0]
	s := summation{inZero: in.Format.Zero(0), outZero: out.Format.Zero(0), limits: whole(out.Type)}
	ends := make([]float64, 2)
	for i, t := range []*nn.Tensor{in, out} {
		step := scale([]string{"in", "out"}[i], t)
		ends[i] = float64(step)
	}
	s.half = belowOne(c, ends[0]/(2*ends[0]))
	s.out = belowOne(c, 2*ends[0]/(math.Ldexp(ends[1], termBits)))
	return s
}

func (s *summation) term(x int64) int64 { return s.half.apply((x - s.inZero) << termBits) }

func (s *summation) result(sum int64) int64 { return s.clamp(s.out.apply(sum) + s.outZero) }

var addN = &nn.Operator{
	Library: nn.TFLite, Name: "ADD_N", Doc: "the sum of several tensors of one scale",
	Inputs: []nn.Port{{Role: "a"}, {Role: "b"}, {Role: "more", Variadic: true}}, Outputs: outPort,
	Types: []nn.Signature{{nn.I8, nn.I8, nn.I8, nn.I8}, {nn.F32, nn.F32, nn.F32, nn.F32}},
	Check: ruled(func(c *nn.Call) {
		for _, t := range c.In {
			sameShape("in", t, c.Out[0].Shape)
			sameQuantization(c.In[0], t)
		}
		if c.In[0].Type.Float() {
			return
		}
		prepareSummation(c)
	}),
	Golden: ruled(func(c *nn.Call) {
		out := c.Out[0]
		if out.Type.Float() {
			for i := range out.Floats {
				for _, t := range c.In {
					out.Floats[i] += t.Floats[i]
				}
			}
			return
		}
		s := prepareSummation(c)
		for i := range out.Ints {
			var sum int64
			for _, t := range c.In {
				sum += s.term(t.Ints[i])
			}
			out.Ints[i] = s.result(sum)
		}
	}),
}

var cumsum = &nn.Operator{
	Library: nn.TFLite, Name: "CUMSUM", Doc: "the sums of all elements up to each along a dimension",
	Inputs: []nn.Port{{Role: "in"}, {Role: "axis", Weights: true}}, Outputs: outPort,
	Types: []nn.Signature{{nn.I8, nn.I32, nn.I8}, {nn.F32, nn.I32, nn.F32}},
	Attrs: []nn.AttrSpec{
		{Name: "exclusive", Default: false, Doc: "without the element itself"},
		{Name: "reverse", Default: false, Doc: "from the last element on"},
	},
	Check: ruled(func(c *nn.Call) {
		onlyAxis(c.In[1], len(c.In[0].Shape))
		sameShape("out", c.Out[0], c.In[0].Shape)
		if !c.In[0].Type.Float() {
			prepareSummation(c)
		}
	}),
	Golden: ruled(func(c *nn.Call) {
		in, out := c.In[0], c.Out[0]
		d := onlyAxis(c.In[1], len(in.Shape))
		var s summation
		if !in.Type.Float() {
			s = prepareSummation(c)
		}
		n, inner := in.Dim(d), nn.Count(in.Shape[d+1:])
		for line := range in.Len() / n {
			first := line/inner*n*inner + line%inner
			var sum int64
			var real float32
			for k := range n {
				at := first + k*inner
				if c.Attrs.Bool("reverse") {
					at = first + (n-1-k)*inner
				}
				before, realBefore := sum, real
				if in.Type.Float() {
					if real += in.Floats[at]; !c.Attrs.Bool("exclusive") {
						realBefore = real
					}
					out.Floats[at] = realBefore
					continue
				}
				if sum += s.term(in.Ints[at]); !c.Attrs.Bool("exclusive") {
					before = sum
				}
				out.Ints[at] = s.result(before)
			}
		}
	}),
}

// differenceBits is the left shift of the terms of a difference that is squared: a square has twice as many bits.
func differenceBits(t nn.Type) int {
	if t == nn.I16 {
		return 0
	}
	return 7
}

var squaredDifference = func() *nn.Operator {
	op := pairwise("SQUARED_DIFFERENCE", "the squares of the differences of elements", []nn.Type{nn.I8, nn.I16, nn.I32, nn.F32}, nil, prepareSquares)
	whole := op.Golden
	op.Golden = ruled(func(c *nn.Call) {
		if c.Out[0].Type.Float() {
			floatPairs(c, func(a, b float32) float32 { return (a - b) * (a - b) })
			return
		}
		whole(c)
	})
	return op
}()

// prepareSquares forms the factors in double precision.
func prepareSquares(c *nn.Call) func(a, b int64) int64 {
	switch c.In[0].Type {
	case nn.F32:
		return nil
	case nn.I32:
		return func(a, b int64) int64 { return nn.I32.Wrap(nn.I32.Wrap(a-b) * nn.I32.Wrap(a-b)) }
	}
	s := scales(c, "a", "b", "out")
	shift := differenceBits(c.In[0].Type)
	twice := 2 * float64(max(s[0], s[1]))
	list := requantizeAll(c, []float64{float64(s[0]) / twice, float64(s[1]) / twice, twice * twice / math.Ldexp(float64(s[2]), 2*shift)})
	za, zb, zo := c.In[0].Format.Zero(0), c.In[1].Format.Zero(0), c.Out[0].Format.Zero(0)
	l := whole(c.Out[0].Type)
	symmetric(c.In[0], c.In[1], c.Out[0])
	return func(a, b int64) int64 {
		d := list[0].apply((a-za)<<shift) - list[1].apply((b-zb)<<shift)
		return l.clamp(list[2].apply(d*d) + zo)
	}
}

var l2Pool2D = &nn.Operator{
	Library: nn.TFLite, Name: "L2_POOL_2D", Doc: "the root of the mean square of the cells of a window that lie inside the image",
	Inputs: inPort, Outputs: outPort, Types: sameTypes(2, nn.F32), Attrs: poolAttrs,
	Check: ruled(func(c *nn.Call) {
		rank("in", c.In[0], 4)
		if _, _, ok := realBounds(c.Attrs.String(activation.Name)); !ok {
			panic(violation("activation", "a fused %s is not supported", c.Attrs.String(activation.Name)))
		}
		imagePlane(c, c.In[0], c.Attrs.Int("filter_height"), c.Attrs.Int("filter_width"), c.In[0].Dim(3))
	}),
	Golden: ruled(func(c *nn.Call) {
		in, out := c.In[0], c.Out[0]
		p := imagePlane(c, in, c.Attrs.Int("filter_height"), c.Attrs.Int("filter_width"), in.Dim(3))
		lo, hi, _ := realBounds(c.Attrs.String(activation.Name))
		channels := in.Dim(3)
		for i := range out.Floats {
			at := nn.Coordinates(i, out.Shape)
			y0, y1 := p.h.Inside(at[1])
			x0, x1 := p.w.Inside(at[2])
			var sum float32
			for ky := y0; ky < y1; ky++ {
				for kx := x0; kx < x1; kx++ {
					v := in.Floats[((at[0]*p.h.In+p.h.First(at[1])+ky)*p.w.In+p.w.First(at[2])+kx)*channels+at[3]]
					sum += v * v
				}
			}
			cells := float32(max(1, (y1-y0)*(x1-x0)))
			out.Floats[i] = max(lo, min(float32(math.Sqrt(float64(sum/cells))), hi))
		}
	}),
}

// realBounds are the bounds of a fused activation function of floats.
func realBounds(function string) (lo, hi float32, ok bool) {
	inf := float32(math.Inf(1))
	switch function {
	case "NONE":
		return -inf, inf, true
	case "RELU":
		return 0, inf, true
	case "RELU6":
		return 0, 6, true
	case "RELU_N1_TO_1":
		return -1, 1, true
	}
	return 0, 0, false
}

// The logarithm of a softmax: the distance to the greatest element less the logarithm of the sum of exponentials.

// The format of the output of LOG_SOFTMAX of 8-bit elements is fixed.
const (
	logScale = 16.0 / 256
	logZero  = math.MaxInt8
	logBits  = 4 // integer bits of the output
)

var logSoftmax = &nn.Operator{
	Library: nn.TFLite, Name: "LOG_SOFTMAX", Doc: "the logarithm of the softmax along the last dimension",
	Inputs: inPort, Outputs: outPort, Types: sameTypes(2, nn.I8, nn.F32),
	Check: ruled(func(c *nn.Call) {
		sameShape("out", c.Out[0], c.In[0].Shape)
		refuse(len(c.In[0].Shape) == 0, "rank", "in is a scalar")
		if c.In[0].Type.Float() {
			return
		}
		if f := c.Out[0].Format; f.Kind != nn.Scaled || f.Scales[0] != logScale || f.Zero(0) != logZero {
			panic(violation("scale", "the output must have scale 1/16 and zero point 127"))
		}
		prepareLogSoftmax(c)
	}),
	Golden: ruled(func(c *nn.Call) {
		n := c.In[0].Dim(-1)
		if c.In[0].Type.Float() {
			for i := 0; i < c.In[0].Len(); i += n {
				logSoftmaxReal(c.In[0].Floats[i:i+n], c.Out[0].Floats[i:i+n])
			}
			return
		}
		row := prepareLogSoftmax(c)
		for i := 0; i < c.In[0].Len(); i += n {
			row(c.In[0].Ints[i:i+n], c.Out[0].Ints[i:i+n])
		}
	}),
}

func logSoftmaxReal(in, out []float32) {
	top := in[0]
	for _, x := range in {
		top = max(top, x)
	}
	var sum float32
	for _, x := range in {
		sum += float32(math.Exp(float64(x - top)))
	}
	logarithm := float32(math.Log(float64(sum)))
	for i, x := range in {
		out[i] = x - top - logarithm
	}
}

// prepareLogSoftmax makes the function of a row.
func prepareLogSoftmax(c *nn.Call) func(in, out []int64) {
	s := scale("in", c.In[0])
	r := requantize(c, min(math.Ldexp(float64(s), 31-softmaxInteger), math.MaxInt32))
	refuse(r.factor.Shift < 0 || r.factor.Shift > 30, "scale", "the scale of the input, %v, has no argument of 5 integer bits", s)
	back := belowOne(c, math.Ldexp(1, 31-r.factor.Shift)/float64(r.factor.Value))
	least := -inputRadius(softmaxInteger, r.factor.Shift)
	return func(in, out []int64) {
		top := in[0]
		for _, x := range in {
			top = max(top, x)
		}
		var sum int32
		for _, x := range in {
			if d := x - top; d >= least {
				sum += quant.RoundingDivideByPOT(q5.ExpNegative(int32(r.apply(d))), sumInteger)
			}
		}
		logarithm := q5.Log(sum, sumInteger)
		bound := max(least-1, back.apply(int64(logarithm)+math.MinInt32))
		for i, x := range in {
			out[i] = math.MinInt8
			if d := x - top; d > bound {
				v := quant.RoundingDivideByPOT(int32(r.apply(d))-logarithm, 31-softmaxInteger-logBits)
				out[i] = nn.I8.Clamp(int64(v) + math.MaxInt8)
			}
		}
	}
}
