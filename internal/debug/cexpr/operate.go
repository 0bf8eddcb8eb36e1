package cexpr

import (
	"cmp"
	"math"

	"arcv2dsp/internal/program/dwarf"
)

// common is the type that both operands of an operator are converted to: C's usual conversions, with floating point for
// fixed-point types.
func common(a, b *Type) *Type {
	real := func(t *Type) bool { return t.Kind == dwarf.KindFloat || t.Kind == dwarf.KindFixed }
	switch {
	case real(a) || real(b):
		return typeDouble
	case a.Size == 8 && !a.Signed || b.Size == 8 && !b.Signed:
		return typeUint64
	case a.Size == 8 || b.Size == 8:
		return typeInt64
	case a.Size == 4 && !a.Signed || b.Size == 4 && !b.Signed:
		return typeUint
	}
	return typeInt
}

// operate evaluates an arithmetic operator.
func operate(e *env, at int, op string, x, y Value) Value {
	if e.err != nil {
		return x
	}
	x, y = decay(x), decay(y)
	if x.Type.Kind == dwarf.KindPointer || y.Type.Kind == dwarf.KindPointer {
		if v, ok := pointerArithmetic(e, at, op, x, y); ok {
			return v
		}
	}
	if !x.Type.Scalar() || !y.Type.Scalar() {
		bad := x.Type
		if x.Type.Scalar() {
			bad = y.Type
		}
		return e.fail(at, "operator %s does not apply to %s", op, bad.Name)
	}
	t := common(x.Type, y.Type)
	if t.Kind == dwarf.KindFloat {
		return floating(e, at, op, x.Float(), y.Float())
	}
	a, b := Truncate(x.Num, t), Truncate(y.Num, t)
	order := cmp.Compare(a, b)
	if !t.Signed {
		order = cmp.Compare(uint64(a), uint64(b))
	}
	var n int64
	switch op {
	case "+":
		n = a + b
	case "-":
		n = a - b
	case "*":
		n = a * b
	case "/", "%":
		if b == 0 {
			return e.fail(at, "division by zero")
		}
		n = quotient(a, b, op == "%", t.Signed)
	case "&":
		n = a & b
	case "|":
		n = a | b
	case "^":
		n = a ^ b
	case "<<", ">>":
		t = common(x.Type, typeInt)
		a, count := Truncate(x.Num, t), uint64(y.Num)&63
		switch {
		case op == "<<":
			n = a << count
		case t.Signed:
			n = a >> count
		default:
			n = int64(uint64(a) >> count)
		}
	default:
		return truth(relation(op, order))
	}
	return Value{Type: t, Num: Truncate(n, t)}
}

// quotient is a / b, or the rest of it; b is not 0.
func quotient(a, b int64, rest, signed bool) int64 {
	switch {
	case !signed && rest:
		return int64(uint64(a) % uint64(b))
	case !signed:
		return int64(uint64(a) / uint64(b))
	case b == -1 && rest: // the least number by -1 has no quotient
		return 0
	case b == -1:
		return -a
	case rest:
		return a % b
	}
	return a / b
}

// unordered is the order of a pair of which one is not a number.
const unordered = 2

// relation is what a comparison finds for operands of an order: -1, 0, 1 or unordered.
func relation(op string, order int) bool {
	switch op {
	case "==":
		return order == 0
	case "!=":
		return order != 0
	case "<":
		return order < 0
	case ">":
		return order == 1
	case "<=":
		return order <= 0
	}
	return order == 0 || order == 1 // >=
}

func floating(e *env, at int, op string, a, b float64) Value {
	f := 0.0
	switch op {
	case "+":
		f = a + b
	case "-":
		f = a - b
	case "*":
		f = a * b
	case "/":
		if b == 0 {
			return e.fail(at, "division by zero")
		}
		f = a / b
	case "==", "!=", "<", ">", "<=", ">=":
		order := cmp.Compare(a, b)
		if math.IsNaN(a) || math.IsNaN(b) {
			order = unordered
		}
		return truth(relation(op, order))
	default:
		return e.fail(at, "operator %s does not apply to %s", op, typeDouble.Name)
	}
	return Value{Type: typeDouble, Flt: f}
}

// decay turns an array or function into the address of its start.
func decay(v Value) Value {
	switch {
	case v.Type.Kind == dwarf.KindArray && v.place.kind == placeMemory:
		return Value{Type: dwarf.PointerTo(v.Type.Elem()), Num: int64(v.place.addr)}
	case v.Type.Kind == dwarf.KindFunction:
		return Value{Type: dwarf.PointerTo(v.Type), Num: v.Num}
	}
	return v
}

// pointerArithmetic is + and - with pointers; everything else is for the addresses as numbers.
func pointerArithmetic(e *env, at int, op string, x, y Value) (Value, bool) {
	px, py := x.Type.Kind == dwarf.KindPointer, y.Type.Kind == dwarf.KindPointer
	size := func(t *Type) int64 { return int64(max(t.Elem().Size, 1)) }
	switch {
	case op == "-" && px && py:
		return Value{Type: typeInt, Num: int64(int32(x.Num-y.Num)) / size(x.Type)}, true
	case op == "+" && py && !px:
		x, y, px = y, x, true
		fallthrough
	case (op == "+" || op == "-") && px && !py:
		if !y.Type.Integer() {
			return e.fail(at, "operator %s does not apply to %s", op, y.Type.Name), true
		}
		n := y.Num * size(x.Type)
		if op == "-" {
			n = -n
		}
		return Value{Type: x.Type, Num: int64(uint32(x.Num + n))}, true
	}
	return Value{}, false
}

// prefix evaluates - + ! ~.
func prefix(e *env, at int, op string, v Value) Value {
	if e.err != nil {
		return v
	}
	if op == "!" {
		return truth(!v.Truth())
	}
	if !v.Type.Scalar() || op == "~" && !v.Type.Integer() {
		return e.fail(at, "operator %s does not apply to %s", op, v.Type.Name)
	}
	t := common(v.Type, typeInt)
	if t.Kind == dwarf.KindFloat {
		f := v.Float()
		if op == "-" {
			f = -f
		}
		return Value{Type: t, Flt: f}
	}
	n := Truncate(v.Num, t)
	switch op {
	case "-":
		n = -n
	case "~":
		n = ^n
	}
	return Value{Type: t, Num: Truncate(n, t)}
}

// deref reads what a pointer, or a number as an address, points to.
func (l *Language) deref(e *env, at int, v Value) Value {
	if e.err != nil {
		return v
	}
	v = decay(v)
	var t *Type
	switch {
	case v.Type.Kind == dwarf.KindPointer:
		t = v.Type.Elem()
		if t.Kind == dwarf.KindVoid {
			t = typeInt
		}
	case v.Type.Integer():
		t = typeInt
	default:
		return e.fail(at, "%s is no pointer", v.Type.Name)
	}
	if e.types && t.Size <= MaxValue {
		out := unread(t)
		out.place = location{kind: placeMemory, addr: uint32(v.Num)}
		return out
	}
	out, err := l.Load(t, uint32(v.Num))
	if err != nil {
		return e.fail(at, "%v", err)
	}
	return out
}

// element is x[i].
func (l *Language) element(e *env, at int, x, i Value) Value {
	if e.err != nil {
		return x
	}
	if !i.Type.Integer() {
		return e.fail(at, "an index is an integer, not %s", i.Type.Name)
	}
	if x.Type.Kind == dwarf.KindArray && x.place.kind != placeMemory {
		t := x.Type.Elem()
		if i.Num < 0 || uint64(i.Num+1)*uint64(t.Size) > uint64(len(x.Data)) {
			return e.fail(at, "index %d is outside the array", i.Num)
		}
		return FromBytes(t, x.Data[uint32(i.Num)*t.Size:][:t.Size])
	}
	if x.Type.Kind != dwarf.KindArray && x.Type.Kind != dwarf.KindPointer {
		return e.fail(at, "%s cannot be indexed", x.Type.Name)
	}
	return l.deref(e, at, operate(e, at, "+", x, i))
}

// member is x.name.
func (l *Language) member(e *env, at int, x Value, name string) Value {
	if e.err != nil {
		return x
	}
	if x.Type.Kind != dwarf.KindStruct && x.Type.Kind != dwarf.KindUnion {
		return e.fail(at, "%s has no members", x.Type.Name)
	}
	v, ok, err := l.find(x, name, 8)
	switch {
	case err != nil:
		return e.fail(at, "%v", err)
	case !ok:
		return e.fail(at, "%s has no member named %s", x.Type.Name, name)
	}
	return v
}

// find looks for a member, in anonymous members too.
func (l *Language) find(x Value, name string, depth int) (Value, bool, error) {
	for i := range x.Type.Fields {
		f := &x.Type.Fields[i]
		switch {
		case f.Name == name:
			v, err := l.field(x, f)
			return v, true, err
		case f.Name == "" && depth > 0:
			inner, err := l.field(x, f)
			if err != nil {
				return Value{}, false, err
			}
			if v, ok, err := l.find(inner, name, depth-1); ok || err != nil {
				return v, ok, err
			}
		}
	}
	return Value{}, false, nil
}

// field takes a member out of a structure.
func (l *Language) field(x Value, f *dwarf.Field) (Value, error) {
	t := f.Type()
	size := uint64(t.Size)
	if f.BitSize > 0 {
		size = 4
	}
	var v Value
	switch {
	case uint64(f.Offset)+size <= uint64(len(x.Data)):
		v = FromBytes(t, x.Data[f.Offset:][:size])
	case f.BitSize > 0 && f.Offset < uint32(len(x.Data)):
		v = FromBytes(t, x.Data[f.Offset:])
	default:
		v = Value{Type: t}
	}
	if x.place.kind == placeMemory {
		v.place = location{kind: placeMemory, addr: x.place.addr + f.Offset}
	}
	if f.BitSize > 0 && f.BitSize < 64 {
		raw := uint64(0)
		for i, b := range x.Data[min(f.Offset, uint32(len(x.Data))):] {
			if i == 8 {
				break
			}
			raw |= uint64(b) << (8 * i)
		}
		n := int64(raw >> f.BitShift << (64 - f.BitSize))
		if t.Signed {
			v.Num = n >> (64 - f.BitSize)
		} else {
			v.Num = int64(uint64(n) >> (64 - f.BitSize))
		}
		v.place.bits, v.place.shift = uint8(f.BitSize), uint8(f.BitShift)
	}
	return v, nil
}
