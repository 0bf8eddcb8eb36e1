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

func prepareSummation(c *nn.Call) (summation, error) {
	in, out := c.In[0], c.Out[0]
	s := summation{inZero: in.Format.Zero(0), outZero: out.Format.Zero(0), limits: whole(out.Type)}
	ends := make([]float64, 2)
	for i, t := range []*nn.Tensor{in, out} {
		step, err := scale([]string{"in", "out"}[i], t)
		if err != nil {
			return s, err
		}
		ends[i] = float64(step)
	}
	var err error
	if s.half, err = belowOne(c, ends[0]/(2*ends[0])); err != nil {
		return s, err
	}
	s.out, err = belowOne(c, 2*ends[0]/(math.Ldexp(ends[1], termBits)))
	return s, err
}

func (s *summation) term(x int64) int64 { return s.half.apply((x - s.inZero) << termBits) }

func (s *summation) result(sum int64) int64 { return s.clamp(s.out.apply(sum) + s.outZero) }

var addN = &nn.Operator{
	Library: nn.TFLite, Name: "ADD_N", Doc: "the sum of several tensors of one scale",
	Inputs: []nn.Port{{Role: "a"}, {Role: "b"}, {Role: "more", Variadic: true}}, Outputs: outPort,
	Types: []nn.Signature{{nn.I8, nn.I8, nn.I8, nn.I8}, {nn.F32, nn.F32, nn.F32, nn.F32}},
	Check: func(c *nn.Call) error {
		for _, t := range c.In {
			if err := sameShape("in", t, c.Out[0].Shape); err != nil {
				return err
			}
			if err := sameQuantization(c.In[0], t); err != nil {
				return err
			}
		}
		if c.In[0].Type.Float() {
			return nil
		}
		_, err := prepareSummation(c)
		return err
	},
	Golden: func(c *nn.Call) error {
		out := c.Out[0]
		if out.Type.Float() {
			for i := range out.Floats {
				for _, t := range c.In {
					out.Floats[i] += t.Floats[i]
				}
			}
			return nil
		}
		s, err := prepareSummation(c)
		if err != nil {
			return err
		}
		for i := range out.Ints {
			var sum int64
			for _, t := range c.In {
				sum += s.term(t.Ints[i])
			}
			out.Ints[i] = s.result(sum)
		}
		return nil
	},
}

var cumsum = &nn.Operator{
	Library: nn.TFLite, Name: "CUMSUM", Doc: "the sums of all elements up to each along a dimension",
	Inputs: []nn.Port{{Role: "in"}, {Role: "axis", Weights: true}}, Outputs: outPort,
	Types: []nn.Signature{{nn.I8, nn.I32, nn.I8}, {nn.F32, nn.I32, nn.F32}},
	Attrs: []nn.AttrSpec{
		{Name: "exclusive", Default: false, Doc: "without the element itself"},
		{Name: "reverse", Default: false, Doc: "from the last element on"},
	},
	Check: func(c *nn.Call) error {
		if _, err := onlyAxis(c.In[1], len(c.In[0].Shape)); err != nil {
			return err
		}
		if err := sameShape("out", c.Out[0], c.In[0].Shape); err != nil || c.In[0].Type.Float() {
			return err
		}
		_, err := prepareSummation(c)
		return err
	},
	Golden: func(c *nn.Call) error {
		in, out := c.In[0], c.Out[0]
		d, err := onlyAxis(c.In[1], len(in.Shape))
		if err != nil {
			return err
		}
		var s summation
		if !in.Type.Float() {
			if s, err = prepareSummation(c); err != nil {
				return err
			}
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
		return nil
	},
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
	op.Golden = func(c *nn.Call) error {
		if c.Out[0].Type.Float() {
			return floatPairs(c, func(a, b float32) float32 { return (a - b) * (a - b) })
		}
		return whole(c)
	}
	return op
}()

// prepareSquares forms the factors in double precision.
func prepareSquares(c *nn.Call) (func(a, b int64) (int64, error), error) {
	switch c.In[0].Type {
	case nn.F32:
		return nil, nil
	case nn.I32:
		return func(a, b int64) (int64, error) { return nn.I32.Wrap(nn.I32.Wrap(a-b) * nn.I32.Wrap(a-b)), nil }, nil
	}
	s, err := scales(c, "a", "b", "out")
	if err != nil {
		return nil, err
	}
	shift := differenceBits(c.In[0].Type)
	twice := 2 * float64(max(s[0], s[1]))
	list, err := requantizeAll(c, []float64{float64(s[0]) / twice, float64(s[1]) / twice, twice * twice / math.Ldexp(float64(s[2]), 2*shift)})
	if err != nil {
		return nil, err
	}
	za, zb, zo := c.In[0].Format.Zero(0), c.In[1].Format.Zero(0), c.Out[0].Format.Zero(0)
	l := whole(c.Out[0].Type)
	return func(a, b int64) (int64, error) {
		d := list[0].apply((a-za)<<shift) - list[1].apply((b-zb)<<shift)
		return l.clamp(list[2].apply(d*d) + zo), nil
	}, symmetric(c.In[0], c.In[1], c.Out[0])
}

var l2Pool2D = &nn.Operator{
	Library: nn.TFLite, Name: "L2_POOL_2D", Doc: "the root of the mean square of the cells of a window that lie inside the image",
	Inputs: inPort, Outputs: outPort, Types: sameTypes(2, nn.F32), Attrs: poolAttrs,
	Check: func(c *nn.Call) error {
		if err := rank("in", c.In[0], 4); err != nil {
			return err
		}
		if _, _, ok := realBounds(c.Attrs.String(activation.Name)); !ok {
			return violation("activation", "a fused %s is not supported", c.Attrs.String(activation.Name))
		}
		_, err := imagePlane(c, c.In[0], c.Attrs.Int("filter_height"), c.Attrs.Int("filter_width"), c.In[0].Dim(3))
		return err
	},
	Golden: func(c *nn.Call) error {
		in, out := c.In[0], c.Out[0]
		p, err := imagePlane(c, in, c.Attrs.Int("filter_height"), c.Attrs.Int("filter_width"), in.Dim(3))
		if err != nil {
			return err
		}
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
		return nil
	},
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
	Check: func(c *nn.Call) error {
		if err := sameShape("out", c.Out[0], c.In[0].Shape); err != nil {
			return err
		}
		if len(c.In[0].Shape) == 0 {
			return violation("rank", "in is a scalar")
		}
		if c.In[0].Type.Float() {
			return nil
		}
		if f := c.Out[0].Format; f.Kind != nn.Scaled || f.Scales[0] != logScale || f.Zero(0) != logZero {
			return violation("scale", "the output must have scale 1/16 and zero point 127")
		}
		_, err := prepareLogSoftmax(c)
		return err
	},
	Golden: func(c *nn.Call) error {
		n := c.In[0].Dim(-1)
		if c.In[0].Type.Float() {
			for i := 0; i < c.In[0].Len(); i += n {
				logSoftmaxReal(c.In[0].Floats[i:i+n], c.Out[0].Floats[i:i+n])
			}
			return nil
		}
		row, err := prepareLogSoftmax(c)
		if err != nil {
			return err
		}
		for i := 0; i < c.In[0].Len(); i += n {
			row(c.In[0].Ints[i:i+n], c.Out[0].Ints[i:i+n])
		}
		return nil
	},
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
func prepareLogSoftmax(c *nn.Call) (func(in, out []int64), error) {
	s, err := scale("in", c.In[0])
	if err != nil {
		return nil, err
	}
	r, err := requantize(c, min(math.Ldexp(float64(s), 31-softmaxInteger), math.MaxInt32))
	if err != nil {
		return nil, err
	}
	if r.factor.Shift < 0 || r.factor.Shift > 30 {
		return nil, violation("scale", "the scale of the input, %v, has no argument of 5 integer bits", s)
	}
	back, err := belowOne(c, math.Ldexp(1, 31-r.factor.Shift)/float64(r.factor.Value))
	if err != nil {
		return nil, err
	}
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
	}, nil
}
