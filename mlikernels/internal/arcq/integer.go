package arcq

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite"
)

// integerPair is one operation on two tensors of integers.
type integerPair struct {
	name, doc string
	code      string    // the symbol that selects its code
	types     []nn.Type // of the inputs
	out       nn.Type   // of the output, NoType for that of the inputs
	tflite    string
	tosa      []string
	// second are the least and the greatest element of the second input; two that are equal are no
	// limits.
	second [2]int64
	// small says that elements take one bit less in TOSA, which leaves results that do not fit undefined.
	small bool
}

var integerTypes = []nn.Type{nn.I8, nn.I16, nn.I32}

var integerOperations = []integerPair{
	{name: "add", doc: "sum", code: "IS_ADD", types: []nn.Type{nn.I32}, tflite: "ADD", tosa: []string{"ADD"}, small: true},
	{name: "sub", doc: "difference", code: "IS_SUB", types: []nn.Type{nn.I32}, tflite: "SUB", tosa: []string{"SUB"}, small: true},
	{name: "mul", doc: "product", code: "IS_MUL", types: []nn.Type{nn.I32}, tflite: "MUL", tosa: []string{"MUL"}},
	{name: "div", doc: "quotient", code: "IS_DIV", types: []nn.Type{nn.I32}, tflite: "DIV", tosa: []string{"INTDIV"}, second: [2]int64{1, math.MaxInt32}, small: true},
	{name: "product", doc: "product of 32 bits", code: "IS_PRODUCT", types: []nn.Type{nn.I8, nn.I16}, out: nn.I32, tosa: []string{"MUL"}},
	{name: "max", doc: "greater element", code: "IS_MAX", types: append([]nn.Type{nn.U8}, integerTypes...), tflite: "MAXIMUM", tosa: []string{"MAXIMUM"}},
	{name: "min", doc: "lesser element", code: "IS_MIN", types: append([]nn.Type{nn.U8}, integerTypes...), tflite: "MINIMUM", tosa: []string{"MINIMUM"}},
	{name: "and", doc: "and of the bits", code: "IS_AND", types: integerTypes, tflite: "LOGICAL_AND", tosa: []string{"BITWISE_AND", "LOGICAL_AND"}},
	{name: "or", doc: "or of the bits", code: "IS_OR", types: integerTypes, tflite: "LOGICAL_OR", tosa: []string{"BITWISE_OR", "LOGICAL_OR"}},
	{name: "xor", doc: "exclusive or of the bits", code: "IS_XOR", types: integerTypes, tosa: []string{"BITWISE_XOR", "LOGICAL_XOR"}},
	{name: "lsl", doc: "shift to the left", code: "IS_LSL", types: integerTypes, tosa: []string{"LOGICAL_LEFT_SHIFT"}, second: [2]int64{0, 31}},
	{name: "lsr", doc: "shift to the right, zeros from above", code: "IS_LSR", types: integerTypes, tosa: []string{"LOGICAL_RIGHT_SHIFT"}, second: [2]int64{0, 31}},
	{name: "asr", doc: "shift to the right with the sign", code: "IS_ASR", types: integerTypes, tosa: []string{"ARITHMETIC_RIGHT_SHIFT"}, second: [2]int64{0, 7}},
	{name: "equal", doc: "whether elements are equal", code: "IS_EQUAL", types: []nn.Type{nn.Bool, nn.I32}, out: nn.Bool, tflite: "EQUAL", tosa: []string{"EQUAL"}},
	{name: "not_equal", doc: "whether elements differ", code: "IS_NOT_EQUAL", types: []nn.Type{nn.Bool, nn.I32}, out: nn.Bool, tflite: "NOT_EQUAL"},
	{name: "greater", doc: "whether the first element is greater", code: "IS_GREATER", types: []nn.Type{nn.I32}, out: nn.Bool, tflite: "GREATER", tosa: []string{"GREATER"}},
	{name: "less", doc: "whether the first element is less", code: "IS_LESS", types: []nn.Type{nn.I32}, out: nn.Bool, tflite: "LESS"},
	{name: "less_equal", doc: "whether the first element is not greater", code: "IS_LESS_EQUAL", types: []nn.Type{nn.I32}, out: nn.Bool, tflite: "LESS_EQUAL"},
	{name: "squared_difference", doc: "the square of the difference", code: "IS_SQUARED_DIFFERENCE", types: []nn.Type{nn.I32}, tflite: "SQUARED_DIFFERENCE"},
	{name: "greater_equal", doc: "whether the first element is not less", code: "IS_GREATER_EQUAL", types: []nn.Type{nn.I32}, out: nn.Bool, tflite: "GREATER_EQUAL", tosa: []string{"GREATER_EQUAL"}},
}

// integerPairs are the rows of the operations, one for each type.
func integerPairs() []row {
	var all []row
	for _, o := range integerOperations {
		for _, t := range o.types {
			all = append(all, o.row(t))
		}
	}
	return all
}

func (o integerPair) row(t nn.Type) row {
	out := o.out
	if out == nn.NoType {
		out = t
	}
	r := row{
		symbol: "arcq_" + o.name + "_" + typeName(t), operator: o.name, types: typeName(t), body: "integer.inc", params: integerParams,
		doc:  o.doc + " of two tensors of integers",
		equ:  []string{o.code + ",1", fmt.Sprintf("IN_BYTES,%d", t.Bytes()), fmt.Sprintf("OUT_BYTES,%d", out.Bytes()), unsigned("IN", t)},
		fits: widthOf(t), fill: fillInteger,
	}
	if o.tflite != "" && takes(operator(nn.TFLite, o.tflite), t) {
		r.computes = append(r.computes, operator(nn.TFLite, o.tflite))
	}
	for _, name := range o.tosa {
		if op := operator(nn.TOSA, name); takes(op, t) && t.Signed() {
			r.computes = append(r.computes, op)
		}
	}
	r.grid = func(g *grid) {
		for i, s := range pairShapes() {
			op := r.computes[i%len(r.computes)]
			g.add(fmt.Sprintf("%v_%v_%s", s[0], s[1], op.Library), func(r *rand.Rand) *nn.Call { return o.call(r, op, t, s) })
		}
	}
	return r
}

// wideComparisons are the rows of comparisons of 64 bits: less, in one order or the other, or different; and their opposites.
func wideComparisons() []row {
	var all []row
	for _, k := range []struct {
		name string
		equ  []string
	}{
		{"EQUAL", []string{"IS_DIFFERENT,1", "IS_INVERTED,1"}}, {"NOT_EQUAL", []string{"IS_DIFFERENT,1", "IS_INVERTED,0"}},
		{"GREATER", []string{"IS_SWAPPED,1", "IS_INVERTED,0"}}, {"LESS_EQUAL", []string{"IS_SWAPPED,1", "IS_INVERTED,1"}},
		{"LESS", []string{"IS_SWAPPED,0", "IS_INVERTED,0"}}, {"GREATER_EQUAL", []string{"IS_SWAPPED,0", "IS_INVERTED,1"}},
	} {
		op, name := operator(nn.TFLite, k.name), strings.ToLower(k.name)
		all = append(all, row{symbol: "arcq_" + name + "_s64", operator: name, types: "s64", body: "integer64.inc", params: integerParams, equ: k.equ,
			doc: op.Doc + ", of 64 bits", computes: []*nn.Operator{op}, fits: inputsOf(nn.I64), fill: fillInteger, grid: func(g *grid) {
				for _, s := range pairShapes() {
					g.add(fmt.Sprintf("%v_%v", s[0], s[1]), func(r *rand.Rand) *nn.Call {
						a, b := random(r, nn.I64, s[0]...), random(r, nn.I64, s[1]...)
						for i := range b.Ints { // many are equal, or differ in one word alone
							switch v := a.Ints[i%len(a.Ints)]; r.IntN(4) {
							case 0:
								b.Ints[i] = v
							case 1:
								b.Ints[i] = v ^ 1<<r.IntN(64)
							}
						}
						return &nn.Call{Op: op, In: []*nn.Tensor{a, b}, Out: []*nn.Tensor{{Type: nn.Bool, Shape: s[2]}}, Attrs: nn.Attrs{}}
					})
				}
			}})
	}
	return all
}

// takes reports whether an operator exists for integers as wide as those of a type.
func takes(op *nn.Operator, t nn.Type) bool {
	for _, s := range op.Types {
		if !s[0].Float() && s[0].Bytes() == t.Bytes() {
			return true
		}
	}
	return op.Types == nil
}

// widthOf is the rule of kernels that only see how wide elements are.
func widthOf(t nn.Type) func(*nn.Call) error {
	return func(c *nn.Call) error {
		if in := c.In[0].Type; in.Bytes() != t.Bytes() || in.Float() || (in == nn.U8) != (t == nn.U8) || !in.Signed() && in.Bytes() > 1 {
			return fmt.Errorf("elements of %s, not %s", in, t)
		}
		if c.In[0].Type == nn.I8 && c.Out[0].Type == nn.Bool {
			return fmt.Errorf("elements of i8 that are compared by their values")
		}
		return nil
	}
}

func fillInteger(p *params, c *nn.Call) {
	p.pair(c)
	l := tflite.Limits{Min: math.MinInt32, Max: math.MaxInt32}
	if _, ok := c.Op.Attr("fused_activation_function"); ok {
		l = must(tflite.Activation(c.Attrs.String("fused_activation_function"), c.Out[0]))
	}
	p.limits(l)
	if s := c.Input("shift"); s != nil && s.Ints[0] != 0 {
		p.set("control", getUpper|int64(uint8(pointUpper-s.Ints[0])))
	}
	if _, ok := c.Op.Attr("round"); ok && c.Attrs.Bool("round") {
		p.set("control", 1)
	}
}

// call is a call of an operator that computes the operation.
func (o integerPair) call(r *rand.Rand, op *nn.Operator, t nn.Type, s [3][]int) *nn.Call {
	if op.Types != nil && op.Types[0][0] == nn.Bool && t.Bytes() == 1 {
		t = nn.Bool
	}
	out := o.out
	if out == nn.NoType {
		out = t
	}
	a, b := random(r, t, s[0]...), random(r, t, s[1]...)
	for i := range b.Ints {
		if lo, hi := o.second[0], o.second[1]; lo != hi {
			b.Ints[i] = lo + r.Int64N(hi-lo+1)
		}
		if o.name == "div" { // also by small and by negative numbers, never by 0
			b.Ints[i] = max(1, b.Ints[i]>>r.IntN(31)) * (1 - 2*r.Int64N(2))
		}
	}
	c := &nn.Call{Op: op, In: []*nn.Tensor{a, b}, Out: []*nn.Tensor{{Type: out, Shape: s[2]}}, Attrs: nn.Attrs{}}
	if op.Library == nn.TFLite {
		if _, ok := op.Attr("fused_activation_function"); ok {
			c.Attrs["fused_activation_function"] = []string{"NONE", "RELU", "RELU6", "RELU_N1_TO_1"}[r.IntN(4)]
		}
		return c
	}
	if o.small {
		for i := range a.Ints {
			a.Ints[i] >>= 1
		}
		for i := range b.Ints {
			b.Ints[i] = max(b.Ints[i]>>1, -1<<30) | o.second[0]
		}
	}
	switch op.Name {
	case "MUL":
		shift := int64(0)
		if t == nn.I32 && r.IntN(2) == 0 {
			shift = 31 + r.Int64N(32)
		}
		if shift == 31 || shift == 63 { // with these the square of the least element has no defined result
			for i, v := range b.Ints {
				b.Ints[i] = max(v, -math.MaxInt32)
			}
		}
		c.In = append(c.In, nn.FromInts(nn.I8, []int{1}, []int64{shift}))
	case "ARITHMETIC_RIGHT_SHIFT":
		c.Attrs["round"] = r.IntN(2) == 0
	}
	return c
}
