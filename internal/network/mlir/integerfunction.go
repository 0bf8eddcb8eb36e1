package mlir

// Lowering of functions of one value, comparisons and quotients. The historic dialect had no rules for them; these are exact to
// the rounding of the result, half away from zero.

import "arcv2dsp/quant"

// functions are the names of package quant for the functions of real_unary_ew.
var functions = map[string]string{
	"IDENTITY": "identity", "ABS": "abs", "EXP": "exp", "LOG": "log", "NEG": "neg", "RSQRT": "rsqrt", "SIGMOID": "logistic",
	"SIGN": "sign", "SIN": "sin", "SQRT": "sqrt", "SQUARE": "square", "TANH": "tanh",
}

// unary looks the function up: in 256 entries for bytes, in 513 entries with interpolation for 16 bits, whose
// results have seven bits more.
func (l *realLowering) unary() *Value {
	bits := l.out.Storage.Bits
	t := l.op.Results[0].Type
	in := l.in[0].Storage
	if t.Shaping != Ranked || !in.Signed || in.Bits != bits || bits != 8 && bits != 16 || !l.out.Storage.Signed {
		return nil
	}
	table, err := quant.ActivationTable(functions[l.op.text("fn")], l.in[0], l.out, quant.RealMLIRConst)
	if err != nil {
		return nil
	}
	entries := Type{Shaping: Ranked, Shape: []int{len(table)}, Elem: integer(bits)}
	c := l.r.emit(l.op.Pos, "arith.constant", entries, Attrs{"value": Dense{Type: entries, Ints: table}})
	x := l.stored(0, bits)
	if bits == 8 {
		return l.finish(l.convert(l.r.emit(l.op.Pos, "tosa.table", x.Type, nil, x, c), 32))
	}
	v := l.r.emit(l.op.Pos, "tosa.table", x.Type.With(integer(32)), nil, x, c)
	return l.finish(l.r.emit(l.op.Pos, "fxpmath.rounding_divide_by_potis", v.Type, Attrs{"exponent": Int{Value: 7, Type: i32}}, v))
}

// predicates are the relations of arith.cmpi, for signed and for unsigned integers.
var predicates = map[string]struct{ signed, unsigned int64 }{
	"CMPZ": {0, 0}, "CMPNZ": {1, 1}, "CMPLZ": {signed: 2, unsigned: 6}, "CMPLZE": {signed: 3, unsigned: 7},
	"CMPGZ": {signed: 4, unsigned: 8}, "CMPGZE": {signed: 5, unsigned: 9},
}

const signedAtLeast = 5

// compare compares integers with the zero point.
func (l *realLowering) compare() *Value {
	q := l.op.Operands[0].Type.Elem.Quant
	if q == nil || q.Form != quant.PerLayer || q.Table != nil || q.Storage.Float != quant.NoFloat || q.Storage.Clamp(q.Params[0].ZeroPoint) != q.Params[0].ZeroPoint {
		return nil
	}
	x := l.stored(0, q.Storage.Bits)
	p := predicates[l.op.text("comparison")].signed
	if !q.Storage.Signed {
		p = predicates[l.op.text("comparison")].unsigned
	}
	zero := l.number(x.Type, wrap(q.Params[0].ZeroPoint, x.Type.Elem.Int))
	return l.relation(p, x, zero)
}

func (l *realLowering) relation(predicate int64, a, b *Value) *Value {
	return l.r.emit(l.op.Pos, "arith.cmpi", a.Type.With(integer(1)), Attrs{"predicate": Int{Value: predicate, Type: i64}}, a, b)
}

func (l *realLowering) choose(truth, a, b *Value) *Value {
	return l.r.emit(l.op.Pos, "arith.select", a.Type, nil, truth, a, b)
}

// divide is a quotient of signed bytes: the dividend times the multiplier of the scales, plus or minus half the divisor, through
// the divisor. DEVIATION(430): a quotient by zero saturates by the sign of the dividend, and zero by zero is zero.
func (l *realLowering) divide() *Value {
	for _, q := range append(l.in[:len(l.in):len(l.in)], l.out) {
		if !q.Storage.Signed || q.Storage.Bits > 8 {
			return nil
		}
	}
	m, err := quant.QuantizeMultiplier(l.params[0].Scale / l.params[1].Scale / l.result.Scale)
	down := 31 - m.Shift
	if err != nil || down < 1 || down > 50 {
		return nil
	}
	binary := func(name string, a, b *Value) *Value { return l.r.emit(l.op.Pos, name, a.Type, nil, a, b) }
	a := l.add(l.stored(0, 64), -l.params[0].ZeroPoint)
	b := l.add(l.stored(1, 64), -l.params[1].ZeroPoint)
	zero := l.number(a.Type, 0)
	above := l.relation(signedAtLeast, binary("arith.muli", a, b), zero)
	half := binary("arith.muli", b, l.number(b.Type, 1<<(down-1)))
	divisor := binary("arith.addi", half, half)
	dividend := binary("arith.addi", binary("arith.muli", a, l.number(a.Type, int64(m.Value))), l.choose(above, half, binary("arith.subi", zero, half)))
	divisor = l.choose(l.relation(predicates["CMPZ"].signed, b, zero), l.number(b.Type, 1), divisor)
	return l.finish(l.add(binary("arith.divsi", dividend, divisor), l.result.ZeroPoint))
}
