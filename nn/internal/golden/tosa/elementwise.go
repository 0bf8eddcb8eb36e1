package tosa

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"arcv2dsp/nn"
)

// The chapters of activation functions and of elementwise operators.

const (
	activationChapter = "activation functions"
	binaryChapter     = "elementwise binary operators"
	unaryChapter      = "elementwise unary operators"
	ternaryChapter    = "elementwise ternary operators"
	comparisonChapter = "comparison operators"
)

func activations() []*Spec { return append([]*Spec{clamp()}, floatActivations()...) }

func clamp() *Spec {
	s := &Spec{
		Operator: nn.Operator{
			Name: "CLAMP", Doc: "every element brought into a range",
			Inputs: []nn.Port{{Role: "input"}}, Outputs: outPort,
			Attrs: []nn.AttrSpec{
				{Name: "min_val", Default: 0, Also: 0.0, Required: true, Doc: "least value of the output"},
				{Name: "max_val", Default: 0, Also: 0.0, Required: true, Doc: "greatest value of the output"},
				nanAttr,
			},
			Golden: func(c *nn.Call) error {
				lo, hi := int64(c.Attrs.Int("min_val")), int64(c.Attrs.Int("max_val"))
				for i, v := range c.In[0].Ints {
					c.Out[0].Ints[i] = min(max(v, lo), hi)
				}
				return nil
			},
		},
		Chapter: activationChapter,
		Sets:    []TypeSet{{Types: nn.Signature{nn.I8, nn.I8}}, {Types: nn.Signature{nn.I16, nn.I16}, Extension: Int16}},
		Ranks:   []Rank{rankFrom(0), rankFrom(0)},
		Conditions: []Condition{
			sameShape,
			{
				Name: "min_val <= max_val", Text: "min_val is not greater than max_val", Outcome: nn.Error,
				Broken: func(c *nn.Call) string {
					if hi, lo := c.Attrs.Int("max_val"), c.Attrs.Int("min_val"); hi < lo {
						return fmt.Sprintf("min_val is %d, max_val %d", lo, hi)
					}
					if hi, lo := c.Attrs.Float("max_val"), c.Attrs.Float("min_val"); hi < lo {
						return fmt.Sprintf("min_val is %g, max_val %g", lo, hi)
					}
					return ""
				},
			},
			{Name: "limits", Text: "min_val and max_val are values of the type", Outcome: nn.Error, Broken: valuesOf("min_val", "max_val")},
		},
	}
	return s.withFloats(func(c *nn.Call) error {
		lo, hi := c.Attrs.Float("min_val"), c.Attrs.Float("max_val")
		for i, v := range c.In[0].Floats {
			put(c.Out[0], i, lesserOf(c, greaterOf(c, float64(v), lo), hi))
		}
		return nil
	}, everyFloat(2, floatTypes)...)
}

// broadcasts wants equal ranks, and in each dimension equal extents or 1; the output has the greater.
var broadcasts = Condition{
	Name: "broadcast", Text: "ranks are equal, each extent is equal or 1, and the output has the extents of the broadcast", Outcome: nn.Error,
	Broken: func(c *nn.Call) string {
		var list [][]int
		for i, t := range c.In {
			if !c.Op.Inputs[i].Weights {
				list = append(list, t.Shape)
			}
		}
		want := slices.Clone(list[0])
		for _, s := range list[1:] {
			if len(s) != len(want) {
				return fmt.Sprintf("shapes %v have different ranks", list)
			}
			for d, n := range s {
				switch {
				case want[d] == 1:
					want[d] = n
				case n != 1 && n != want[d]:
					return fmt.Sprintf("shapes %v do not broadcast", list)
				}
			}
		}
		return differ("the output's shape", c.Out[0].Shape, want)
	},
}

// broadcast visits every output element with the elements of the inputs that belong to it.
func broadcast(out []int, in []*nn.Tensor, visit func(o int, at []int) error) error {
	steps := make([][]int, len(in)) // per input: the step in elements for each dimension, 0 along broadcast ones
	for k, t := range in {
		steps[k] = make([]int, len(out))
		step := 1
		for d := len(out) - 1; d >= 0; d-- {
			if t.Shape[d] != 1 {
				steps[k][d] = step
			}
			step *= t.Shape[d]
		}
	}
	at, place := make([]int, len(in)), make([]int, len(out))
	for o := range nn.Count(out) {
		if err := visit(o, at); err != nil {
			return err
		}
		for d := len(out) - 1; d >= 0; d-- {
			place[d]++
			for k := range at {
				at[k] += steps[k][d]
			}
			if place[d] < out[d] {
				break
			}
			place[d] = 0
			for k := range at {
				at[k] -= steps[k][d] * out[d]
			}
		}
	}
	return nil
}

var binaryPorts = []nn.Port{{Role: "input1"}, {Role: "input2"}}

// binary is an operator of two operands.
func binary(name, doc string, sets []TypeSet, f func(c *nn.Call, a, b int64) (int64, error), conditions ...Condition) *Spec {
	return &Spec{
		Operator: nn.Operator{
			Name: name, Doc: doc, Inputs: binaryPorts, Outputs: outPort,
			Golden: func(c *nn.Call) error {
				return broadcast(c.Out[0].Shape, c.In[:2], func(o int, i []int) error {
					v, err := f(c, c.In[0].Ints[i[0]], c.In[1].Ints[i[1]])
					if err != nil {
						return fmt.Errorf("output %s: %w", at(c, o), err)
					}
					c.Out[0].Ints[o] = v
					return nil
				})
			},
		},
		Chapter: binaryChapter, Sets: sets, Ranks: []Rank{rankFrom(0), rankFrom(0), rankFrom(0)},
		Conditions: append([]Condition{broadcasts}, conditions...),
	}
}

// exactly makes a function of two operands that no value breaks.
func exactly(f func(a, b int64) int64) func(*nn.Call, int64, int64) (int64, error) {
	return func(_ *nn.Call, a, b int64) (int64, error) { return f(a, b), nil }
}

// fitsI32 is the condition that an exact result fits i32.
var fitsI32 = Condition{Name: "result", Text: "the result fits i32", Outcome: nn.Unpredictable}

func checked(f func(a, b int64) int64) func(*nn.Call, int64, int64) (int64, error) {
	return func(_ *nn.Call, a, b int64) (int64, error) {
		v := f(a, b)
		if !nn.I32.Holds(v) {
			return 0, fitsI32.breach("%d", v)
		}
		return v, nil
	}
}

func elementwise() []*Spec {
	i32, ints, bools := everyType(3, nn.I32), everyType(3, nn.I8, nn.I16, nn.I32), shared(everyType(3, nn.Bool))
	both, floats := shared(everyType(3, nn.I32)), everyFloat(3, floatTypes)
	compare := []TypeSet{{Types: nn.Signature{nn.I32, nn.I32, nn.Bool}}}
	comparison := func(name, doc string, f func(a, b int64) bool, real func(a, b float32) bool) *Spec {
		s := binary(name, doc, compare, exactly(func(a, b int64) int64 { return truth(f(a, b)) }))
		s.Chapter = comparisonChapter
		var sets []TypeSet
		for _, t := range floatTypes {
			sets = append(sets, floatSet(t, t, nn.Bool))
		}
		return s.withFloats(compareFloats(real), sets...)
	}
	extreme := func(name, doc string, f func(a, b int64) int64, real func(c *nn.Call, a, b float64) float64) *Spec {
		s := binary(name, doc, i32, exactly(f)).withFloats(binaryFloats(real), floats...)
		s.Attrs = []nn.AttrSpec{nanAttr}
		return s
	}
	list := []*Spec{
		binary("ADD", "sum", both, checked(func(a, b int64) int64 { return a + b }), fitsI32).withFloats(
			binaryFloats(pure(func(a, b float64) float64 { return a + b })), floats...),
		arithmeticRightShift(),
		binary("BITWISE_AND", "and of the bits", ints, exactly(func(a, b int64) int64 { return a & b })),
		binary("BITWISE_OR", "or of the bits", ints, exactly(func(a, b int64) int64 { return a | b })),
		binary("BITWISE_XOR", "exclusive or of the bits", ints, exactly(func(a, b int64) int64 { return a ^ b })),
		intDiv(),
		binary("LOGICAL_AND", "and of truth values", bools, exactly(func(a, b int64) int64 { return a & b })),
		binary("LOGICAL_LEFT_SHIFT", "shift to the left, upper bits dropped", shared(slices.Clone(ints)), func(c *nn.Call, a, n int64) (int64, error) {
			return c.Out[0].Type.Wrap(a << n), nil
		}, shiftCount(31)),
		binary("LOGICAL_RIGHT_SHIFT", "shift to the right of the element's own bits, zeros from above", shared(slices.Clone(ints)), func(c *nn.Call, a, n int64) (int64, error) {
			t := c.Out[0].Type
			return t.Wrap(side(t, true).Wrap(a) >> n), nil
		}, shiftCount(31)),
		binary("LOGICAL_OR", "or of truth values", bools, exactly(func(a, b int64) int64 { return a | b })),
		binary("LOGICAL_XOR", "exclusive or of truth values", bools, exactly(func(a, b int64) int64 { return a ^ b })),
		extreme("MAXIMUM", "greater of two elements", func(a, b int64) int64 { return max(a, b) }, greaterOf),
		extreme("MINIMUM", "smaller of two elements", func(a, b int64) int64 { return min(a, b) }, lesserOf),
		mul(), pow(),
		binary("SUB", "difference", both, checked(func(a, b int64) int64 { return a - b }), fitsI32).withFloats(
			binaryFloats(pure(func(a, b float64) float64 { return a - b })), floats...),
		table(),
		unary("ABS", "magnitude", everyType(2, nn.I32), func(_ *nn.Call, v int64) int64 { return max(v, -v) }, Condition{
			Name: "minimum", Text: "no element is the least of its type", Outcome: nn.Unpredictable, Elements: true,
			Broken: func(c *nn.Call) string { return outside(c.In[0], -(1<<31 - 1), 1<<31-1) },
		}).withFloats(unaryFloats(math.Abs), everyFloat(2, floatTypes)...),
		unary("BITWISE_NOT", "complement of the bits", everyType(2, nn.I8, nn.I16, nn.I32), func(_ *nn.Call, v int64) int64 { return ^v }),
		unary("CLZ", "number of zeros above the highest set bit", everyType(2, nn.I32), func(_ *nn.Call, v int64) int64 {
			return int64(bits.LeadingZeros32(uint32(v)))
		}),
		unary("LOGICAL_NOT", "opposite truth value", shared(everyType(2, nn.Bool)), func(_ *nn.Call, v int64) int64 { return 1 - v }),
		negate(),
		selectSpec(),
		comparison("EQUAL", "whether two elements are equal", func(a, b int64) bool { return a == b }, func(a, b float32) bool { return a == b }),
		comparison("GREATER", "whether the first element is greater", func(a, b int64) bool { return a > b }, func(a, b float32) bool { return a > b }),
		comparison("GREATER_EQUAL", "whether the first element is not smaller", func(a, b int64) bool { return a >= b },
			func(a, b float32) bool { return a >= b }),
	}
	return append(list, floatFunctions()...)
}

// shiftCount bounds the second operand of a shift. DEVIATION(292): logical shifts take counts up to 31 for
// every type, as the revision of March 2024 says; later ones stop at the element's width.
func shiftCount(most int64) Condition {
	return Condition{
		Name: "shift", Text: fmt.Sprintf("every shift is 0 to %d", most), Outcome: nn.Unpredictable, Elements: true,
		Broken: func(c *nn.Call) string { return outside(c.In[1], 0, most) },
	}
}

func arithmeticRightShift() *Spec {
	s := binary("ARITHMETIC_RIGHT_SHIFT", "shift to the right that keeps the sign, rounded up at one half if round is set",
		everyType(3, nn.I8, nn.I16, nn.I32), func(c *nn.Call, a, n int64) (int64, error) {
			v := a >> n
			if c.Attrs.Bool("round") && n > 0 {
				v += a >> (n - 1) & 1
			}
			return v, nil
		}, Condition{
			Name: "shift", Text: "every shift is 0 to the element's width less 1", Outcome: nn.Unpredictable, Elements: true,
			Broken: func(c *nn.Call) string { return outside(c.In[1], 0, int64(c.In[1].Type.Bits())-1) },
		})
	s.Attrs = []nn.AttrSpec{{Name: "round", Default: false, Doc: "round to nearest, ties up"}}
	return s
}

func intDiv() *Spec {
	return binary("INTDIV", "quotient, truncated towards zero", shared(everyType(3, nn.I32)),
		func(_ *nn.Call, a, b int64) (int64, error) {
			if v := a / b; nn.I32.Holds(v) {
				return v, nil
			}
			return 0, fitsI32.breach("%d / %d", a, b)
		},
		Condition{
			Name: "divisor", Text: "no divisor is zero", Outcome: nn.Unpredictable, Elements: true,
			Broken: func(c *nn.Call) string {
				if i := slices.Index(c.In[1].Ints, 0); i >= 0 {
					return fmt.Sprintf("element %v is 0", nn.Coordinates(i, c.In[1].Shape))
				}
				return ""
			},
		}, fitsI32)
}

// mulProduct is the condition that product and rounding stay within 64 bits, which the least i32 squared
// with the shift 63 does not. DEVIATION(291): the exact quotient would fit; the specification's own
// arithmetic overflows there.
var mulProduct = Condition{
	Name: "product", Text: "the product plus the rounding fits 64 bits", Outcome: nn.Unpredictable,
}

func mul() *Spec {
	f := func(c *nn.Call, a, b int64) (int64, error) {
		n := c.In[2].Ints[0]
		if n == 0 {
			return c.Out[0].Type.Wrap(a * b), nil
		}
		product, round := a*b, int64(1)<<(n-1)
		if product > math.MaxInt64-round {
			return 0, mulProduct.breach("%d * %d with the shift %d", a, b, n)
		}
		v := (product + round) >> n
		if !nn.I32.Holds(v) {
			return 0, fitsI32.breach("%d * %d with the shift %d is %d", a, b, n, v)
		}
		return v, nil
	}
	s := binary("MUL", "product; for i32 shifted to the right with rounding up at one half", []TypeSet{
		{Types: nn.Signature{nn.I8, nn.I8, nn.I8, nn.I32}},
		{Types: nn.Signature{nn.I16, nn.I16, nn.I8, nn.I32}},
		{Types: nn.Signature{nn.I32, nn.I32, nn.I8, nn.I32}, Shared: true},
	}, f,
		Condition{
			Name: "shift length", Text: "shift has one element", Outcome: nn.Error,
			Broken: func(c *nn.Call) string { return differ("the number of shifts", c.In[2].Len(), 1) },
		},
		Condition{
			Name: "shift", Text: "shift is 0 to 63, and 0 unless the operands are i32", Outcome: nn.Unpredictable, Elements: true,
			Broken: func(c *nn.Call) string {
				most := int64(63)
				if c.In[0].Type != nn.I32 {
					most = 0
				}
				return outside(c.In[2], 0, most)
			},
		}, mulProduct, fitsI32)
	s.Inputs = append(slices.Clone(binaryPorts), nn.Port{Role: "shift", Weights: true})
	s.Ranks = []Rank{rankFrom(0), rankFrom(0), {Min: 0, Max: 1}, rankFrom(0)}
	var sets []TypeSet
	for _, t := range floatTypes {
		sets = append(sets, floatSet(t, t, nn.I8, t))
	}
	return s.withFloats(binaryFloats(pure(func(a, b float64) float64 { return a * b })), sets...)
}

// unary is an operator of one operand.
func unary(name, doc string, sets []TypeSet, f func(c *nn.Call, v int64) int64, conditions ...Condition) *Spec {
	return &Spec{
		Operator: nn.Operator{
			Name: name, Doc: doc, Inputs: []nn.Port{{Role: "input1"}}, Outputs: outPort,
			Golden: func(c *nn.Call) error {
				for i, v := range c.In[0].Ints {
					c.Out[0].Ints[i] = f(c, v)
				}
				return nil
			},
		},
		Chapter: unaryChapter, Sets: sets, Ranks: []Rank{rankFrom(0), rankFrom(0)},
		Conditions: append([]Condition{sameShape}, conditions...),
	}
}

var negated = Condition{
	Name: "result", Text: "the zero points and the element leave the result within i32", Outcome: nn.Unpredictable,
}

func negate() *Spec {
	s := unary("NEGATE", "zero point less the element, saturated", everyType(2, nn.I8, nn.I16, nn.I32), nil,
		zeroPoint("input1_zp", input(0)), zeroPoint("output_zp", output), negated)
	s.Attrs = []nn.AttrSpec{{Name: "input1_zp", Default: 0, Doc: "zero point of the input"}, outputZPAttr}
	s.Golden = func(c *nn.Call) error {
		zp := int64(c.Attrs.Int("input1_zp")) + int64(c.Attrs.Int("output_zp"))
		for i, x := range c.In[0].Ints {
			v := zp - x
			if !nn.I32.Holds(v) {
				return negated.breach("output %s: %d", at(c, i), v)
			}
			c.Out[0].Ints[i] = c.Watch.Clamp(c.Out[0].Type, v, i)
		}
		return nil
	}
	return s.withFloats(unaryFloats(func(v float64) float64 { return -v }), everyFloat(2, floatTypes)...)
}

var slope = Condition{
	Name: "slope", Text: "the difference of neighbouring entries fits i16 where the table is used", Outcome: nn.Unpredictable,
}

// Lengths of the tables: one entry for each i8, or one for each step of 128 and the end.
const (
	tableLength8  = 256
	tableLength16 = 513
)

func table() *Spec {
	return &Spec{
		Operator: nn.Operator{
			Name: "TABLE", Doc: "look-up; for i16 with interpolation between 513 entries, 7 more bits of result",
			Inputs: []nn.Port{{Role: "input"}, {Role: "table", Weights: true}}, Outputs: outPort,
			Golden: func(c *nn.Call) error {
				t := c.In[1].Ints
				for i, v := range c.In[0].Ints {
					if c.In[0].Type == nn.I8 {
						c.Out[0].Ints[i] = t[v+128]
						continue
					}
					base, next := t[(v+32768)>>7], t[(v+32768)>>7+1]
					if !nn.I16.Holds(next - base) {
						return slope.breach("output %s: entries %d and %d", at(c, i), base, next)
					}
					c.Out[0].Ints[i] = base<<7 + (next-base)*(v&127)
				}
				return nil
			},
		},
		Chapter: binaryChapter,
		Sets: []TypeSet{
			{Types: nn.Signature{nn.I8, nn.I8, nn.I8}},
			{Types: nn.Signature{nn.I16, nn.I16, nn.I32}, Extension: Int16},
		},
		Ranks: []Rank{rankFrom(0), rank(1), rankFrom(0)},
		Conditions: []Condition{
			sameShape,
			{
				Name: "table length", Text: "the table has 256 entries for i8, 513 for i16", Outcome: nn.Unpredictable,
				Broken: func(c *nn.Call) string {
					want := tableLength8
					if c.In[0].Type == nn.I16 {
						want = tableLength16
					}
					return differ("the table's length", c.In[1].Len(), want)
				},
			},
			slope,
		},
	}
}

func selectSpec() *Spec {
	var sets []TypeSet
	for _, t := range []nn.Type{nn.Bool, nn.I8, nn.I16, nn.I32} {
		sets = append(sets, TypeSet{Types: nn.Signature{nn.Bool, t, t, t}, Shared: t == nn.Bool})
	}
	for _, t := range floatTypes {
		sets = append(sets, floatSet(nn.Bool, t, t, t))
	}
	return &Spec{
		Operator: nn.Operator{
			Name: "SELECT", Doc: "elements of one tensor or another by a condition",
			Inputs: []nn.Port{{Role: "input1"}, {Role: "input2"}, {Role: "input3"}}, Outputs: outPort,
			Golden: func(c *nn.Call) error {
				return broadcast(c.Out[0].Shape, c.In, func(o int, i []int) error {
					k := 2
					if c.In[0].Ints[i[0]] != 0 {
						k = 1
					}
					c.Out[0].Copy(o, c.In[k], i[k], 1)
					return nil
				})
			},
		},
		Chapter: ternaryChapter, Sets: sets, Ranks: slices.Repeat([]Rank{rankFrom(0)}, 4), Conditions: []Condition{broadcasts},
	}
}
