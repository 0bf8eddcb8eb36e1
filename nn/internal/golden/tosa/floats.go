package tosa

import (
	"math"
	"slices"

	"arcv2dsp/nn"
)

// The floating-point half of the operators. A golden function computes in double precision, as the reference of
// the specification does, and rounds each result once to the output's type.

// Types of floating point, by the range of operators that have them.
var (
	floatTypes = []nn.Type{nn.F16, nn.BF16, nn.F32}                                                     // those of arithmetic
	movedTypes = []nn.Type{nn.F8E4M3, nn.F8E5M2, nn.F16, nn.BF16, nn.F32}                               // those of operators that move or compare elements
	floatOf    = map[nn.Type]Extension{nn.BF16: BFloat16, nn.F8E4M3: Float8E4M3, nn.F8E5M2: Float8E5M2} // the extension of a type
)

// floatSet is a combination with floating-point types. Its extension is that of the narrowest type with one.
func floatSet(types ...nn.Type) TypeSet {
	set := TypeSet{Types: types}
	for _, t := range types {
		if e := floatOf[t]; e != "" && (set.Extension == "" || set.Extension == BFloat16) {
			set.Extension = e
		}
	}
	return set
}

// everyFloat lists combinations of n ports that all have one of the types.
func everyFloat(n int, types []nn.Type) []TypeSet {
	var sets []TypeSet
	for _, t := range types {
		sets = append(sets, floatSet(slices.Repeat(nn.Signature{t}, n)...))
	}
	return sets
}

// shared marks combinations of integers that belong to both profiles.
func shared(sets []TypeSet) []TypeSet {
	for i := range sets {
		sets[i].Shared = true
	}
	return sets
}

// floating reports whether a call computes with floating-point numbers.
func floating(c *nn.Call) bool { return c.In[0].Type.Float() || c.Out[0].Type.Float() }

// withFloats gives an operator of integers its floating-point half.
func (s *Spec) withFloats(golden func(*nn.Call) error, sets ...TypeSet) *Spec {
	integers := s.Golden
	s.Sets = append(s.Sets, sets...)
	s.Golden = func(c *nn.Call) error {
		if floating(c) {
			return golden(c)
		}
		return integers(c)
	}
	return s
}

// put rounds a result to the type of an output and stores it.
func put(t *nn.Tensor, i int, v float64) { t.Floats[i] = float32(t.Type.Round(v)) }

// unaryFloats computes every element by itself.
func unaryFloats(f func(v float64) float64) func(*nn.Call) error {
	return func(c *nn.Call) error {
		for i, v := range c.In[0].Floats {
			put(c.Out[0], i, f(float64(v)))
		}
		return nil
	}
}

// binaryFloats combines two operands that broadcast.
func binaryFloats(f func(c *nn.Call, a, b float64) float64) func(*nn.Call) error {
	return func(c *nn.Call) error {
		return broadcast(c.Out[0].Shape, c.In[:2], func(o int, i []int) error {
			put(c.Out[0], o, f(c, float64(c.In[0].Floats[i[0]]), float64(c.In[1].Floats[i[1]])))
			return nil
		})
	}
}

// pure makes a function of two operands that asks no attribute.
func pure(f func(a, b float64) float64) func(*nn.Call, float64, float64) float64 {
	return func(_ *nn.Call, a, b float64) float64 { return f(a, b) }
}

// compareFloats compares two operands that broadcast. A comparison with NaN is false.
func compareFloats(f func(a, b float32) bool) func(*nn.Call) error {
	return func(c *nn.Call) error {
		return broadcast(c.Out[0].Shape, c.In, func(o int, i []int) error {
			c.Out[0].Ints[o] = truth(f(c.In[0].Floats[i[0]], c.In[1].Floats[i[1]]))
			return nil
		})
	}
}

// Modes for NaN.
const (
	propagateNaN = "PROPAGATE"
	ignoreNaN    = "IGNORE"
)

var nanAttr = nn.AttrSpec{Name: "nan_mode", Default: propagateNaN, Values: []string{propagateNaN, ignoreNaN},
	Doc: "whether a NaN among floating-point operands is the result or counts for nothing"}

// greaterOf and lesserOf are the maximum and the minimum under the call's mode for NaN.
func greaterOf(c *nn.Call, a, b float64) float64 { return pick(c, a, b, a >= b) }

func lesserOf(c *nn.Call, a, b float64) float64 { return pick(c, a, b, a < b) }

func pick(c *nn.Call, a, b float64, first bool) float64 {
	ignore := c.Attrs.String(nanAttr.Name) == ignoreNaN
	switch {
	case math.IsNaN(a) && !ignore, math.IsNaN(b) && ignore:
		return a
	case math.IsNaN(a), math.IsNaN(b):
		return b
	case first:
		return a
	}
	return b
}

// reduceFloats folds the elements along an axis in double precision.
func reduceFloats(f func(c *nn.Call, a, b float64) float64) func(*nn.Call) error {
	return func(c *nn.Call) error {
		in, out := c.In[0], c.Out[0]
		outer, n, inner := around(in.Shape, c.Attrs.Int("axis"))
		for o := range outer {
			for i := range inner {
				acc := float64(in.Floats[o*n*inner+i])
				for k := 1; k < n; k++ {
					acc = f(c, acc, float64(in.Floats[(o*n+k)*inner+i]))
				}
				put(out, o*inner+i, acc)
			}
		}
		return nil
	}
}

// floatFunctions are the operators of one operand that integers do not have.
func floatFunctions() []*Spec {
	function := func(name, doc string, f func(v float64) float64) *Spec {
		s := unary(name, doc, nil, nil)
		s.Sets, s.Golden = everyFloat(2, floatTypes), unaryFloats(f)
		return s
	}
	return []*Spec{
		function("CEIL", "least whole number that is not smaller", math.Ceil),
		function("COS", "cosine", math.Cos),
		function("EXP", "e to the power of the element", math.Exp),
		function("FLOOR", "greatest whole number that is not greater", math.Floor),
		function("LOG", "natural logarithm", math.Log),
		function("RECIPROCAL", "1 divided by the element", func(v float64) float64 { return 1 / v }),
		function("RSQRT", "1 divided by the square root of the element", func(v float64) float64 { return 1 / math.Sqrt(v) }),
		function("SIN", "sine", math.Sin),
	}
}

// floatActivations are the activation functions that integers do not have.
func floatActivations() []*Spec {
	list := []*Spec{
		unary("ERF", "error function", nil, nil), unary("SIGMOID", "1 / (1 + exp(-x))", nil, nil), unary("TANH", "hyperbolic tangent", nil, nil),
	}
	for i, f := range []func(float64) float64{math.Erf, func(v float64) float64 { return 1 / (1 + math.Exp(-v)) }, math.Tanh} {
		list[i].Chapter, list[i].Sets, list[i].Golden = activationChapter, everyFloat(2, floatTypes), unaryFloats(f)
		list[i].Inputs = []nn.Port{{Role: "input"}}
	}
	return list
}

func pow() *Spec {
	s := binary("POW", "first element to the power of the second", nil, nil, Condition{
		Name: "domain", Text: "bases are finite and not negative, exponents finite, and a base of zero has a positive exponent", Outcome: nn.Unpredictable,
	})
	s.Sets = everyFloat(3, floatTypes)
	s.Golden = func(c *nn.Call) error {
		return broadcast(c.Out[0].Shape, c.In[:2], func(o int, i []int) error {
			a, b := float64(c.In[0].Floats[i[0]]), float64(c.In[1].Floats[i[1]])
			if !(a >= 0) || a == 0 && !(b > 0) || math.IsInf(a, 0) || math.IsInf(b, 0) || math.IsNaN(b) {
				return s.Conditions[1].breach("output %s: %g to the power of %g", at(c, o), a, b)
			}
			put(c.Out[0], o, math.Pow(a, b))
			return nil
		})
	}
	return s
}

// firstGreatest is the index that ARGMAX gives a row of floating-point numbers: of the first NaN, unless those
// are ignored, else of the first greatest.
func firstGreatest(c *nn.Call, at func(k int) float64, n int) int {
	ignore := c.Attrs.String(nanAttr.Name) == ignoreNaN
	best, greatest := 0, math.Inf(-1)
	if ignore {
		greatest = math.NaN()
	}
	for k := range n {
		v := at(k)
		switch {
		case math.IsNaN(v) && ignore:
		case math.IsNaN(v):
			return k
		case math.IsNaN(greatest) || v > greatest:
			best, greatest = k, v
		}
	}
	return best
}

// castFloats converts from or to floating point: to integers by the nearest, of two the even one, and clipped.
// DEVIATION(299): the specification leaves open which integer a NaN becomes; here it is 0.
func castFloats(c *nn.Call) error {
	in, out := c.In[0], c.Out[0]
	for i := range in.Len() {
		switch {
		case !in.Type.Float():
			put(out, i, float64(in.Ints[i]))
		case out.Type.Float():
			put(out, i, float64(in.Floats[i]))
		default:
			lo, hi := out.Type.Range()
			if v := math.RoundToEven(float64(in.Floats[i])); v == v {
				out.Ints[i] = int64(max(float64(lo), min(float64(hi), v)))
			}
		}
	}
	return nil
}

// floatCasts are the conversions from or to floating point.
func floatCasts() []TypeSet {
	var sets []TypeSet
	for _, t := range floatTypes {
		for _, i := range []nn.Type{nn.I8, nn.I16, nn.I32} {
			sets = append(sets, floatSet(t, i), floatSet(i, t))
		}
		for _, to := range floatTypes {
			if t != to && !(t == nn.F16 && to == nn.BF16 || t == nn.BF16 && to == nn.F16) {
				sets = append(sets, floatSet(t, to))
			}
		}
		for _, small := range []nn.Type{nn.F8E4M3, nn.F8E5M2} {
			sets = append(sets, floatSet(small, t), floatSet(t, small))
		}
	}
	return sets
}
