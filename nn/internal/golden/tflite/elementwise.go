package tflite

import (
	"math"

	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

var pairPorts = []nn.Port{{Role: "a"}, {Role: "b"}}

// sameTypes are signatures of n ports that all have one type.
func sameTypes(n int, types ...nn.Type) []nn.Signature {
	list := make([]nn.Signature, len(types))
	for i, t := range types {
		for range n {
			list[i] = append(list[i], t)
		}
	}
	return list
}

// pairwise describes an operator on the elements of two tensors that broadcast. prepare makes the function
// for elements of a call; the rounding, the scales and the types are known then.
func pairwise(name, doc string, types []nn.Type, attrs []nn.AttrSpec, prepare func(*nn.Call) func(a, b int64) int64) *nn.Operator {
	return &nn.Operator{
		Library: nn.TFLite, Name: name, Doc: doc,
		Inputs: pairPorts, Outputs: outPort,
		Types:   sameTypes(3, types...),
		Attrs:   attrs,
		InPlace: true,
		Check: ruled(func(c *nn.Call) {
			shape := broadcast(c.In[0].Shape, c.In[1].Shape)
			sameShape("out", c.Out[0], shape)
			prepare(c)
		}),
		Golden: ruled(func(c *nn.Call) {
			f := prepare(c)
			out := c.Out[0]
			ia, ib := spread(c.In[0], out.Shape), spread(c.In[1], out.Shape)
			for i := range out.Ints {
				out.Ints[i] = f(c.In[0].Ints[ia[i]], c.In[1].Ints[ib[i]])
			}
		}),
	}
}

var (
	quantizedOrWhole = []nn.Type{nn.I8, nn.I16, nn.I32, nn.U8}
	onlyActivation   = []nn.AttrSpec{activation}

	add = pairwise("ADD", "adds elements", quantizedOrWhole, onlyActivation, prepareAdd)
	sub = pairwise("SUB", "subtracts elements", quantizedOrWhole, onlyActivation, prepareSub)
	mul = pairwise("MUL", "multiplies elements", quantizedOrWhole, onlyActivation, prepareMul)
	div = pairwise("DIV", "divides elements", []nn.Type{nn.I8, nn.I32}, onlyActivation, prepareDiv)

	maximum = pairwise("MAXIMUM", "takes the greater of two elements, as integers", quantizedOrWhole, nil, choose(maxInt))
	minimum = pairwise("MINIMUM", "takes the lesser of two elements, as integers", quantizedOrWhole, nil, choose(minInt))
)

func maxInt(a, b int64) int64 { return max(a, b) }
func minInt(a, b int64) int64 { return min(a, b) }

func choose(f func(a, b int64) int64) func(*nn.Call) func(a, b int64) int64 {
	return func(*nn.Call) func(a, b int64) int64 {
		return f
	}
}

// wholeNumbers is an operation on 32-bit integers without scales: it wraps, then the activation
// function clamps integers as they are.
func wholeNumbers(c *nn.Call, f func(a, b int64) int64) func(a, b int64) int64 {
	l := whole(nn.I32)
	switch c.Attrs.String(activation.Name) {
	case "NONE":
	case "RELU":
		l.lo = 0
	case "RELU6":
		l = limits{0, 6}
	case "RELU_N1_TO_1":
		l = limits{-1, 1}
	default:
		panic(violation("activation", "a fused %s is not supported", c.Attrs.String(activation.Name)))
	}
	return func(a, b int64) int64 {
		return l.clamp(nn.I32.Wrap(f(a, b)))
	}
}

// headroom is the left shift of the terms of a sum before they are brought to a common scale.
func headroom(t nn.Type) int {
	if t == nn.I16 {
		return 15
	}
	return 20
}

// terms are the requantizers of a sum or difference of two tensors.
type terms struct {
	a, b, out requantizer
	shift     int
}

func prepareTerms(c *nn.Call, a, b, out float64) terms {
	t := terms{shift: headroom(c.In[0].Type)}
	list := requantizeAll(c, []float64{a, b, out})
	t.a, t.b, t.out = list[0], list[1], list[2]
	symmetric(c.In[0], c.In[1], c.Out[0])
	return t
}

// combine makes the function of a sum (sign 1) or difference (sign -1).
func (t terms) combine(c *nn.Call, sign int64) func(a, b int64) int64 {
	l := activated(c.Attrs.String(activation.Name), c.Out[0])
	za, zb, zo := c.In[0].Format.Zero(0), c.In[1].Format.Zero(0), c.Out[0].Format.Zero(0)
	return func(a, b int64) int64 {
		sum := t.a.apply((a-za)<<t.shift) + sign*t.b.apply((b-zb)<<t.shift)
		return l.clamp(t.out.apply(sum) + zo)
	}
}

// prepareAdd forms the factors in double precision: both terms are brought to twice the greater scale.
func prepareAdd(c *nn.Call) func(a, b int64) int64 {
	if c.In[0].Type == nn.I32 {
		return wholeNumbers(c, func(a, b int64) int64 { return a + b })
	}
	s := scales(c, "a", "b", "out")
	a, b, out := float64(s[0]), float64(s[1]), float64(s[2])
	twice := 2 * max(a, b)
	t := prepareTerms(c, a/twice, b/twice, twice/(math.Ldexp(out, headroom(c.In[0].Type))))
	return t.combine(c, 1)
}

// prepareSub forms the same factors as prepareAdd, in single precision.
func prepareSub(c *nn.Call) func(a, b int64) int64 {
	if c.In[0].Type == nn.I32 {
		return wholeNumbers(c, func(a, b int64) int64 { return a - b })
	}
	s := scales(c, "a", "b", "out")
	twice := 2 * max(s[0], s[1])
	unit := float32(math.Ldexp(float64(s[2]), headroom(c.In[0].Type)))
	t := prepareTerms(c, float64(float32(s[0]/twice)), float64(float32(s[1]/twice)), float64(float32(twice/unit)))
	return t.combine(c, -1)
}

func prepareMul(c *nn.Call) func(a, b int64) int64 {
	if c.In[0].Type == nn.I32 {
		return wholeNumbers(c, func(a, b int64) int64 { return a * b })
	}
	s := scales(c, "a", "b", "out")
	r := requantize(c, float64(s[0])*float64(s[1])/float64(s[2]))
	l := activated(c.Attrs.String(activation.Name), c.Out[0])
	za, zb, zo := c.In[0].Format.Zero(0), c.In[1].Format.Zero(0), c.Out[0].Format.Zero(0)
	symmetric(c.In[0], c.In[1], c.Out[0])
	return func(a, b int64) int64 {
		return l.clamp(r.apply((a-za)*(b-zb)) + zo)
	}
}

// divisionByZero is the error of a case that the library leaves undefined.
func divisionByZero() error {
	return &nn.Violation{Outcome: nn.Unpredictable, Condition: "division", Detail: "a divisor is zero"}
}

// prepareDiv: the quotient of quantized elements is the product with a reciprocal of 31 bits, scaled to
// use all bits before the one rounding that counts.
func prepareDiv(c *nn.Call) func(a, b int64) int64 {
	if c.In[0].Type == nn.I32 {
		return wholeNumbers(c, func(a, b int64) int64 {
			if b == 0 {
				panic(divisionByZero())
			}
			return a / b
		})
	}
	s := scales(c, "a", "b", "out")
	r := requantize(c, float64(float32(s[0]/float32(s[1]*s[2]))))
	l := activated(c.Attrs.String(activation.Name), c.Out[0])
	za, zb, zo := c.In[0].Format.Zero(0), c.In[1].Format.Zero(0), c.Out[0].Format.Zero(0)
	return func(a, b int64) int64 {
		a, b = a-za, b-zb
		if b == 0 {
			panic(divisionByZero())
		}
		if b < 0 {
			a, b = -a, -b
		}
		inverse, over := quant.Reciprocal(int32(b), 31)
		room := signBits(int32(a))
		quotient := requantizer{r.scaling, quant.Multiplier{Value: inverse, Shift: room}}.apply(a)
		scaled := requantizer{r.scaling, quant.Multiplier{Value: r.factor.Value, Shift: r.factor.Shift - over - room}}
		return l.clamp(scaled.apply(quotient) + zo)
	}
}
