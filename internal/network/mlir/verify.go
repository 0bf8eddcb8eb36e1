package mlir

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"arcv2dsp/quant"
)

// Verify holds every operation against its row. The first fault is of kind *Error, with the place of the
// operation.
func Verify(m *Module) error {
	for _, f := range m.Funcs {
		if f.Body == nil {
			continue
		}
		if err := verifyBlock(f.Body, "func.return", f.Results, f.Pos); err != nil {
			return err
		}
	}
	return nil
}

func verifyBlock(b *Block, end string, results []Type, pos Pos) error {
	if n := len(b.Ops); n == 0 || b.Ops[n-1].Name != end {
		return &Error{Pos: pos, Msg: fmt.Sprintf("the block does not end with %s", end)}
	}
	for i, op := range b.Ops {
		err := op.verify()
		if err == nil && op.Name == end {
			if i != len(b.Ops)-1 {
				err = fmt.Errorf("operations follow it")
			} else {
				err = sameTypes(op.Operands, results)
			}
		}
		if _, placed := err.(*Error); placed {
			return err
		}
		if err != nil {
			return &Error{Pos: op.Pos, Msg: op.Name + ": " + err.Error()}
		}
	}
	return nil
}

func sameTypes(values []*Value, types []Type) error {
	if len(values) != len(types) {
		return fmt.Errorf("%d values, %d are promised", len(values), len(types))
	}
	for i, v := range values {
		if !v.Type.Equal(types[i]) {
			return fmt.Errorf("value %d is %s, %s is promised", i+1, v.Type, types[i])
		}
	}
	return nil
}

func (op *Op) verify() error {
	s := table[op.Name]
	if s == nil {
		for _, d := range dialects {
			if strings.HasPrefix(op.Name, d) {
				return fmt.Errorf("unknown operation")
			}
		}
		for _, region := range op.Regions {
			for _, inner := range region.Ops {
				if err := inner.verify(); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if n := len(op.Operands); n < s.operands || n > s.operands && !s.variadic {
		return fmt.Errorf("%d operands, it has %d", n, s.operands)
	}
	if n := len(op.Results); s.results != anyNumber && n != s.results {
		return fmt.Errorf("%d results, it has %d", n, s.results)
	}
	for _, a := range s.attrs {
		v := op.Attrs[a.name]
		switch {
		case v == nil && a.optional:
		case v == nil:
			return fmt.Errorf("attribute %s is missing", a.name)
		case !a.kind.holds(v):
			return fmt.Errorf("attribute %s is %s, expected %s", a.name, v, attrKindNames[a.kind])
		}
	}
	for _, name := range op.Attrs.names() {
		if !slices.ContainsFunc(s.attrs, func(a attrSpec) bool { return a.name == name }) {
			return fmt.Errorf("there is no attribute %s", name)
		}
	}
	if s.check == nil {
		return nil
	}
	return s.check(op)
}

func (k attrKind) holds(v Attr) bool {
	switch v := v.(type) {
	case Real:
		return k == isReal || k == isAny
	case Int:
		return k == isInt || k == isAny
	case Bool:
		return k == isBool || k == isAny
	case Text:
		return k == isText || k == isAny
	case Dense:
		return k == isReals && v.Reals != nil || k == isAny
	case Array:
		return k == isAny || k == isReals && !slices.ContainsFunc(v, func(a Attr) bool {
			_, real := a.(Real)
			return !real
		})
	}
	return k == isAny
}

// ends are the types of the first operand and the only result.
func (op *Op) ends() (in, out Type) { return op.Operands[0].Type, op.Results[0].Type }

func checkConstant(op *Op) error {
	t, ok := constantType(op.Attrs["value"])
	if !ok {
		return fmt.Errorf("a constant is a number or dense<...>")
	}
	if !t.Equal(op.Results[0].Type) {
		return fmt.Errorf("a value of type %s for a result of %s", t, op.Results[0].Type)
	}
	return nil
}

// checkCast compares the sides of a cast between a quantized type and something else.
func checkCast(q, other Type, what string, want Elem) error {
	switch {
	case q.Elem.Quant == nil:
		return fmt.Errorf("%s is no quantized type", q)
	case q.Shaping == Vector:
		return fmt.Errorf("%s is neither a scalar nor a tensor", q)
	case q.Shaping != other.Shaping || !slices.Equal(q.Shape, other.Shape):
		return fmt.Errorf("%s and %s differ in shape", q, other)
	case other.Elem != want:
		return fmt.Errorf("%s has elements of %s, the %s type is %s", other, other.Elem, what, want)
	case !q.Elem.Quant.Uniformly():
		return fmt.Errorf("%s has no scale", q.Elem)
	case q.Elem.Quant.Form == quant.PerLayer || q.Shaping == Unranked:
		return nil
	case q.Shaping == Scalar:
		return fmt.Errorf("a scalar has no axis for the scales of %s", q.Elem)
	}
	_, err := q.Elem.Quant.Of(q.Shape)
	return err
}

func expressed(t Type) Elem {
	if t.Elem.Quant == nil {
		return Elem{}
	}
	return Elem{Float: t.Elem.Quant.Expressed}
}

func checkQCast(op *Op) error {
	in, out := op.ends()
	return checkCast(out, in, "expressed", expressed(out))
}

func checkDCast(op *Op) error {
	in, out := op.ends()
	return checkCast(in, out, "expressed", expressed(in))
}

func checkSCast(op *Op) error {
	in, out := op.ends()
	if in.Elem.Quant == nil {
		in, out = out, in
	}
	if in.Elem.Quant == nil {
		return fmt.Errorf("neither %s nor %s is quantized", in, out)
	}
	return checkCast(in, out, "storage", storage(*in.Elem.Quant))
}

func checkIdentity(op *Op) error {
	if in, out := op.ends(); !in.Equal(out) {
		return fmt.Errorf("%s becomes %s", in, out)
	}
	return nil
}

func checkFakeQuant(op *Op) error {
	if err := checkIdentity(op); err != nil {
		return err
	}
	if op.Operands[0].Type.Elem.Float == quant.NoFloat {
		return fmt.Errorf("%s is no tensor of reals", op.Operands[0].Type)
	}
	if n := op.int("num_bits"); n < 1 || n > 32 {
		return fmt.Errorf("%d bits (1 to 32)", n)
	}
	_, err := fakeQuantType(op)
	return err
}

func checkStats(op *Op) error {
	if err := checkIdentity(op); err != nil {
		return err
	}
	t := op.Operands[0].Type
	if t.Elem.Float == quant.NoFloat {
		return fmt.Errorf("%s is no tensor of reals", t)
	}
	layer := op.reals("layerStats")
	if len(layer) != 2 {
		return fmt.Errorf("layerStats has %d numbers, a minimum and a maximum are needed", len(layer))
	}
	axis, ok := op.Attrs["axisStats"]
	if !ok {
		return checkStatistics(layer)
	}
	d, dense := axis.(Dense)
	if !dense || len(d.Type.Shape) != 2 || d.Type.Shape[1] != 2 {
		return fmt.Errorf("axisStats is a tensor of N x 2 numbers, not %s", axis)
	}
	if t.Shaping == Ranked && op.Attrs["axis"] == nil && d.Type.Shape[0] != len(t.Shape) {
		return fmt.Errorf("axisStats of %d axes for %d dimensions", d.Type.Shape[0], len(t.Shape))
	}
	return checkStatistics(append(slices.Clone(layer), d.values()...))
}

// checkStatistics refuses pairs that are no range.
func checkStatistics(pairs []float64) error {
	for i := 0; i+1 < len(pairs); i += 2 {
		lo, hi := pairs[i], pairs[i+1]
		if !(lo <= hi) || math.IsInf(lo, 0) || math.IsInf(hi, 0) {
			return fmt.Errorf("statistics %g to %g are no range", lo, hi)
		}
	}
	return nil
}

func checkRegion(op *Op) error {
	if len(op.Regions) != 1 {
		return fmt.Errorf("%d regions, it has 1", len(op.Regions))
	}
	body := op.Regions[0]
	if err := sameTypes(body.Args, valueTypes(op.Operands)); err != nil {
		return err
	}
	return verifyBlock(body, "quant.return", valueTypes(op.Results), op.Pos)
}

// checkReal wants real or quantized elements of one shape.
func checkReal(op *Op) error {
	out := op.Results[0].Type
	for _, v := range op.Operands {
		if float(v.Type.Elem) == quant.NoFloat || float(v.Type.Elem) != float(out.Elem) {
			return fmt.Errorf("%s and %s express different reals", v.Type, out)
		}
		if !v.Type.sameShape(out) {
			return fmt.Errorf("%s and %s differ in shape", v.Type, out)
		}
	}
	if lo, hi := op.real("clamp_min", math.Inf(-1)), op.real("clamp_max", math.Inf(1)); !(lo <= hi) {
		return fmt.Errorf("clamp to %g to %g", lo, hi)
	}
	return nil
}

// unaries are the functions of real_unary_ew.
var unaries = []string{"IDENTITY", "ABS", "EXP", "LOG", "NEG", "RSQRT", "SIGMOID", "SIGN", "SIN", "SQRT", "SQUARE", "TANH"}

func checkUnary(op *Op) error {
	if !slices.Contains(unaries, op.text("fn")) {
		return fmt.Errorf("unknown function %q", op.text("fn"))
	}
	return checkReal(op)
}

// comparisons are the relations to zero that real_compare_zero_ew tests.
var comparisons = []string{"CMPZ", "CMPNZ", "CMPLZ", "CMPLZE", "CMPGZ", "CMPGZE"}

func checkCompare(op *Op) error {
	if !slices.Contains(comparisons, op.text("comparison")) {
		return fmt.Errorf("unknown comparison %q", op.text("comparison"))
	}
	in, out := op.ends()
	if float(in.Elem) == quant.NoFloat || out.Elem != integer(1) || !in.sameShape(out) {
		return fmt.Errorf("reals become i1 of the same shape, not %s %s", in, out)
	}
	return nil
}

func checkMatmul(op *Op) error {
	lhs, rhs, out := op.Operands[0].Type, op.Operands[1].Type, op.Results[0].Type
	for _, t := range []Type{lhs, rhs, out} {
		if t.Shaping != Ranked || len(t.Shape) != 2 {
			return fmt.Errorf("%s is no matrix", t)
		}
		if float(t.Elem) == quant.NoFloat || float(t.Elem) != float(out.Elem) {
			return fmt.Errorf("%s and %s express different reals", t, out)
		}
	}
	for _, pair := range [][2]int{{lhs.Shape[1], rhs.Shape[0]}, {lhs.Shape[0], out.Shape[0]}, {rhs.Shape[1], out.Shape[1]}} {
		if pair[0] != pair[1] && pair[0] != Dynamic && pair[1] != Dynamic {
			return fmt.Errorf("%s times %s is no %s", lhs, rhs, out)
		}
	}
	if len(op.Operands) == 3 {
		bias := op.Operands[2].Type
		if bias.Shaping != Ranked || len(bias.Shape) != 1 || float(bias.Elem) != float(out.Elem) ||
			bias.Shape[0] != out.Shape[1] && bias.Shape[0] != Dynamic && out.Shape[1] != Dynamic {
			return fmt.Errorf("%s is no bias of %s", bias, out)
		}
	}
	return nil
}

// integers reports whether a type has signless integers.
func integers(t Type) bool { return t.Elem.Int > 0 && t.Elem.Sign == Signless }

func checkInts(op *Op) error {
	out := op.Results[0].Type
	for _, v := range op.Operands {
		if !integers(v.Type) || !v.Type.Equal(out) {
			return fmt.Errorf("operands and result are signless integers of one type, not %s and %s", v.Type, out)
		}
	}
	return nil
}

// checkRelation wants integers of one type on both sides, and truths of their shape.
func checkRelation(op *Op) error {
	in, out := op.ends()
	if !integers(in) || !in.Equal(op.Operands[1].Type) || out.Elem != integer(1) || !in.sameShape(out) {
		return fmt.Errorf("integers of one type become i1 of the same shape, not %s and %s %s", in, op.Operands[1].Type, out)
	}
	if p := op.int("predicate"); p < 0 || p > 9 {
		return fmt.Errorf("predicate %d (0 to 9)", p)
	}
	return nil
}

func checkSelect(op *Op) error {
	truth, a, b := op.Operands[0].Type, op.Operands[1].Type, op.Operands[2].Type
	if truth.Elem != integer(1) || !truth.sameShape(a) || !a.Equal(b) || !a.Equal(op.Results[0].Type) {
		return fmt.Errorf("truths choose between values of one type, not %s between %s and %s", truth, a, b)
	}
	return nil
}

func checkFloats(op *Op) error {
	out := op.Results[0].Type
	for _, v := range op.Operands {
		if out.Elem.Float == quant.NoFloat || !v.Type.Equal(out) {
			return fmt.Errorf("operands and result are reals of one type, not %s and %s", v.Type, out)
		}
	}
	return nil
}

func checkConvert(op *Op) error {
	if in, out := op.ends(); !integers(in) || !integers(out) || !in.sameShape(out) {
		return fmt.Errorf("signless integers become such of the same shape, not %s %s", in, out)
	}
	return nil
}

func checkToReal(op *Op) error {
	if in, out := op.ends(); !integers(in) || out.Elem.Float == quant.NoFloat || !in.sameShape(out) {
		return fmt.Errorf("signless integers become reals of the same shape, not %s %s", in, out)
	}
	return nil
}

func checkToInt(op *Op) error {
	if in, out := op.ends(); !integers(out) || in.Elem.Float == quant.NoFloat || !in.sameShape(out) {
		return fmt.Errorf("reals become signless integers of the same shape, not %s %s", in, out)
	}
	return nil
}

func checkDivide(op *Op) error {
	if e := op.int("exponent"); e < 0 || e > 31 {
		return fmt.Errorf("exponent %d (0 to 31)", e)
	}
	return checkInts(op)
}

func checkGemm(op *Op) error {
	for i, v := range []*Value{op.Operands[0], op.Operands[1], op.Results[0]} {
		if !integers(v.Type) || i < 2 && v.Type.Elem.Int != 8 || len(v.Type.Shape) != 2 {
			return fmt.Errorf("%s is no matrix of integers", v.Type)
		}
	}
	lhs, rhs := op.Operands[0].Type, op.Operands[1].Type
	if lhs.Shape[1] != rhs.Shape[0] {
		return fmt.Errorf("%s times %s", lhs, rhs)
	}
	return nil
}
