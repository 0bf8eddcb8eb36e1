package tflite

import (
	"math"

	"arcv2dsp/nn"
)

// Functions of one element. Floats take the function of double precision, rounded once. Elements of 8 bits take a table:
// the function of the real value in single precision, times the inverse scale of the output, ties away from zero.

// elementary describes a function of floats, and of integers where prepare is not nil.
func elementary(name, doc string, types []nn.Type, attrs []nn.AttrSpec, f func(c *nn.Call, x float32) float32, prepare func(*nn.Call) func(int64) int64) *nn.Operator {
	if prepare == nil {
		prepare = func(*nn.Call) func(int64) int64 { return nil }
	}
	op := pointwise(name, doc, sameTypes(2, append(types, nn.F32)...), attrs, func(c *nn.Call) func(int64) int64 {
		if c.In[0].Type.Float() {
			return nil
		}
		return prepare(c)
	})
	whole := op.Golden
	op.Golden = ruled(func(c *nn.Call) {
		if !c.In[0].Type.Float() {
			whole(c)
			return
		}
		for i, x := range c.In[0].Floats {
			c.Out[0].Floats[i] = f(c, x)
		}
	})
	return op
}

// real makes a function of floats of one of double precision.
func real(f func(float64) float64) func(*nn.Call, float32) float32 {
	return func(_ *nn.Call, x float32) float32 { return float32(f(float64(x))) }
}

// tabled makes the function of 8-bit elements of a function of floats.
func tabled(f func(c *nn.Call, x float32) float32) func(*nn.Call) func(int64) int64 {
	return func(c *nn.Call) func(int64) int64 {
		s := scales(c, "in", "out")
		inverse := 1 / s[1]
		zi, zo := c.In[0].Format.Zero(0), c.Out[0].Format.Zero(0)
		return func(x int64) int64 {
			v := f(c, s[0]*float32(x-zi))
			return c.Out[0].Type.Clamp(roundAway(v*inverse) + zo)
		}
	}
}

var (
	absolute = elementary("ABS", "the magnitude", []nn.Type{nn.I8, nn.I16}, nil, real(math.Abs), prepareAbs)
	negate   = elementary("NEG", "the negative", nil, nil, func(_ *nn.Call, x float32) float32 { return -x }, nil)
	square   = elementary("SQUARE", "the square", nil, nil, func(_ *nn.Call, x float32) float32 { return x * x }, nil)
	sqrt     = elementary("SQRT", "the square root", nil, nil, real(math.Sqrt), nil)
	rsqrt    = elementary("RSQRT", "the inverse of the square root", []nn.Type{nn.I8}, nil,
		real(func(x float64) float64 { return 1 / math.Sqrt(x) }), prepareRsqrt)
	exp   = elementary("EXP", "the exponential", nil, nil, real(math.Exp), nil)
	log   = elementary("LOG", "the natural logarithm", nil, nil, real(math.Log), nil)
	sin   = elementary("SIN", "the sine", nil, nil, real(math.Sin), nil)
	cos   = elementary("COS", "the cosine", nil, nil, real(math.Cos), nil)
	ceil  = elementary("CEIL", "the nearest whole number that is not less", nil, nil, real(math.Ceil), nil)
	floor = elementary("FLOOR", "the nearest whole number that is not greater", nil, nil, real(math.Floor), nil)
	round = elementary("ROUND", "the nearest whole number, ties to even", nil, nil, real(nearestEven), nil)
	elu   = elementary("ELU", "exp(x) - 1 of negative elements", []nn.Type{nn.I8}, nil, eluOf, tabled(eluOf))
	gelu  = elementary("GELU", "x times the share of a normal distribution below x", []nn.Type{nn.I8},
		[]nn.AttrSpec{{Name: "approximate", Default: false, Doc: "by the hyperbolic tangent of a cubic"}}, geluOf, tabled(geluOf))
)

// nearestEven never is the zero with a sign, unless it was one.
func nearestEven(x float64) float64 {
	if x == 0 {
		return x
	}
	return math.RoundToEven(x) + 0
}

// eluOf subtracts in single precision.
func eluOf(_ *nn.Call, x float32) float32 {
	if x < 0 {
		return float32(math.Exp(float64(x))) - 1
	}
	return x
}

func geluOf(c *nn.Call, x float32) float32 {
	v := float64(x)
	if c.Attrs.Bool("approximate") {
		return float32(v / 2 * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(v+0.044715*v*v*v))))
	}
	return float32(v / 2 * math.Erfc(-v*math.Sqrt2/2))
}

// prepareAbs: equal scales leave the magnitude as it is; the factor of others is formed in single precision. Elements
// of 16 bits without a scale are whole numbers.
func prepareAbs(c *nn.Call) func(int64) int64 {
	in, out := c.In[0], c.Out[0]
	magnitude := func(x int64) int64 { return max(x, -x) }
	if in.Type == nn.I16 && in.Format.Kind == nn.Plain && out.Format.Kind == nn.Plain {
		return func(x int64) int64 { return nn.I16.Wrap(magnitude(x)) }
	}
	s := scales(c, "in", "out")
	r := requantize(c, float64(s[0]/s[1]))
	zi, zo := in.Format.Zero(0), out.Format.Zero(0)
	symmetric(in, out)
	return func(x int64) int64 {
		v := magnitude(x - zi)
		if s[0] != s[1] {
			v = r.apply(v)
		}
		return out.Type.Clamp(v + zo)
	}
}

// rootBits are the bits below the point of an inverse root before it is scaled.
const rootBits = 20

// prepareRsqrt: the root of the scale is one of single precision; the inverse root of an element is one of fixed point.
// Zero has the greatest result. DEVIATION(282): the library fails for an element below its zero point; here that one
// has the greatest result, too.
func prepareRsqrt(c *nn.Call) func(int64) int64 {
	s := scales(c, "in", "out")
	r := requantize(c, 1/float64(float32(math.Sqrt(float64(s[0])))*s[1]))
	zi, zo := c.In[0].Format.Zero(0), c.Out[0].Format.Zero(0)
	l := whole(c.Out[0].Type)
	scaled := r
	scaled.factor.Shift -= rootBits
	return func(x int64) int64 {
		if x <= zi {
			return l.hi
		}
		root := requantizer{r.scaling, inverseRoot(int32(x - zi))}
		root.factor.Shift += rootBits
		return l.clamp(scaled.apply(root.apply(1)) + zo)
	}
}

// floatPair describes an operator on two tensors of floats.
func floatPair(name, doc string, f func(a, b float32) float32) *nn.Operator {
	op := pairwise(name, doc, []nn.Type{nn.F32}, nil, func(*nn.Call) func(a, b int64) int64 { return nil })
	op.Golden = ruled(func(c *nn.Call) { floatPairs(c, f) })
	return op
}

func floatPairs(c *nn.Call, f func(a, b float32) float32) {
	out := c.Out[0]
	ia, ib := spread(c.In[0], out.Shape), spread(c.In[1], out.Shape)
	for i := range out.Floats {
		out.Floats[i] = f(c.In[0].Floats[ia[i]], c.In[1].Floats[ib[i]])
	}
}

var (
	floorDiv = floatPair("FLOOR_DIV", "the quotient, rounded down", func(a, b float32) float32 { return float32(math.Floor(float64(a / b))) })
	floorMod = floatPair("FLOOR_MOD", "the remainder, with the sign of the divisor", func(a, b float32) float32 {
		rest := float32(math.Mod(float64(a), float64(b)))
		if rest != 0 && (rest < 0) != (b < 0) {
			rest += b
		}
		return rest
	})
)
