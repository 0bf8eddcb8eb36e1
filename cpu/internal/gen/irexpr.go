package main

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"arcv2dsp/cpu/internal/jit/ir"
)

// Values of 8 and 16 bits are 32-bit values extended as their type says; pointers and booleans are 64-bit
// values and 0 or 1.

// kind is the part of a type that translation needs.
type kind struct {
	size   int64
	signed bool
}

func (k kind) wide() bool { return k.size == 8 }

func (t *translator) kindOf(typ types.Type) kind {
	k := kind{size: t.sizes.Sizeof(typ)}
	if b, ok := typ.Underlying().(*types.Basic); ok {
		k.signed = b.Info()&types.IsInteger != 0 && b.Info()&types.IsUnsigned == 0
	}
	return k
}

func (t *translator) typeOf(e ast.Expr) types.Type { return t.info.Types[e].Type }

func isNamed(typ types.Type, pointer bool, name string) bool {
	if p, ok := typ.(*types.Pointer); ok == pointer && ok {
		typ = p.Elem()
	} else if pointer {
		return false
	}
	n, ok := typ.(*types.Named)
	return ok && n.Obj().Name() == name
}

// expr translates an expression.
func (t *translator) expr(e ast.Expr) int32 {
	tv := t.info.Types[e]
	if tv.Value != nil {
		return t.literal(e, tv)
	}
	if isNamed(tv.Type, true, "Edge") {
		return t.way(e)
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return t.expr(e.X)
	case *ast.Ident:
		if tv.IsNil() {
			return t.constant(0)
		}
		if v, ok := t.env[t.info.Uses[e]]; ok {
			return v
		}
		if n := slices.Index(bases, e.Name); n >= 0 {
			return t.number(ir.Base, uint64(n))
		}
		return t.fail(e, "variable %s", e.Name)
	case *ast.UnaryExpr:
		return t.unary(e)
	case *ast.BinaryExpr:
		return t.binary(e.Op, e.X, e.Y, t.typeOf(e))
	case *ast.CallExpr:
		return t.call(e)
	case *ast.StarExpr:
		return t.load(t.expr(e.X), tv.Type)
	case *ast.SelectorExpr:
		if n, ok := t.field(e); ok {
			return n
		}
		if n := slices.Index(bases, path(e)); n >= 0 {
			return t.number(ir.Base, uint64(n))
		}
		return t.load(t.addr(e), tv.Type)
	case *ast.IndexExpr:
		return t.load(t.addr(e), tv.Type)
	}
	return t.fail(e, "expression %T", e)
}

// literal is a constant of its type.
func (t *translator) literal(e ast.Expr, tv types.TypeAndValue) int32 {
	if tv.Value.Kind() == constant.Bool {
		if constant.BoolVal(tv.Value) {
			return t.constant(1)
		}
		return t.constant(0)
	}
	v := constant.ToInt(tv.Value)
	n, ok := constant.Int64Val(v)
	if !ok {
		var u uint64
		if u, ok = constant.Uint64Val(v); !ok {
			return t.fail(e, "constant %s", tv.Value)
		}
		n = int64(u)
	}
	if t.kindOf(types.Default(tv.Type)).wide() {
		return t.constant(uint64(n))
	}
	return t.constant(uint64(uint32(n)))
}

// way is the number of an exit.
func (t *translator) way(e ast.Expr) int32 {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := t.env[t.info.Uses[e]]; ok {
			return v
		}
		return -1 // nil
	case *ast.UnaryExpr: // &blk.exits[1]
		if ix, ok := e.X.(*ast.IndexExpr); ok && path(ix.X) == "blk.Exits" {
			return t.expr(ix.Index)
		}
	case *ast.CallExpr: // by its offset, 0 for the first one
		d := t.number(ir.Field, ir.FieldD)
		return t.op(ir.Ne, false, d, t.constant(0))
	}
	return t.fail(e, "way out of the block")
}

// edge is the address of an edge.
func (t *translator) edge(e ast.Expr) int32 {
	if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok {
		return t.load(t.addr(sel), t.typeOf(e))
	}
	return t.emit(ir.Inst{Op: ir.Way, Wide: true, A: t.way(e), B: -1, C: -1})
}

// path is the text of a chain of names.
func path(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		if p := path(e.X); p != "" {
			return p + "." + e.Sel.Name
		}
	}
	return ""
}

// field is a field of the micro-operation.
func (t *translator) field(e *ast.SelectorExpr) (int32, bool) {
	id, ok := e.X.(*ast.Ident)
	if !ok || id.Name != "u" {
		return 0, false
	}
	n := slices.Index([]string{"A", "B", "C", "D", "Imm", "X"}, e.Sel.Name)
	if n < 0 {
		return t.fail(e, "field %s", e.Sel.Name), true
	}
	return t.number(ir.Field, uint64(n)), true
}

// addr translates the address of something in memory.
func (t *translator) addr(e ast.Expr) int32 {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return t.addr(e.X)
	case *ast.StarExpr:
		return t.expr(e.X)
	case *ast.SelectorExpr:
		base := t.typeOf(e.X)
		var from int32
		if p, ok := base.Underlying().(*types.Pointer); ok {
			base = p.Elem()
			from = t.expr(e.X)
		} else {
			from = t.addr(e.X)
		}
		name := types.TypeString(base, func(p *types.Package) string {
			if p.Path() == uopPath {
				return ""
			}
			return p.Name()
		})
		off := t.offset("unsafe.Offsetof((*" + name + ")(nil)." + e.Sel.Name + ")")
		return t.op(ir.Add, true, from, t.op(ir.ZextW, false, off))
	case *ast.IndexExpr:
		var from int32
		array := t.typeOf(e.X).Underlying()
		if p, ok := array.(*types.Pointer); ok {
			array = p.Elem().Underlying()
			from = t.expr(e.X)
		} else {
			from = t.addr(e.X)
		}
		elem := array.(*types.Array).Elem()
		index := t.convert(t.expr(e.Index), t.kindOf(t.typeOf(e.Index)), kind{size: 8})
		return t.op(ir.Add, true, from, t.scaled(index, t.sizes.Sizeof(elem)))
	}
	return t.fail(e, "address of %T", e)
}

// scaled is an index times a size.
func (t *translator) scaled(index int32, size int64) int32 {
	for shift := range uint64(12) {
		if size == 1<<shift {
			if shift == 0 {
				return index
			}
			return t.op(ir.Shl, true, index, t.constant(shift))
		}
	}
	return t.op(ir.Mul, true, index, t.constant(uint64(size)))
}

// load translates an access of a value of a type.
func (t *translator) load(addr int32, typ types.Type) int32 {
	k := t.kindOf(typ)
	var op ir.Op
	switch k.size {
	case 1:
		op = ir.Load8
	case 2:
		op = ir.Load16
	case 4:
		op = ir.Load32
	case 8:
		op = ir.Load64
	default:
		t.err = errorf("load of %s", typ)
		return 0
	}
	v := t.op(op, k.wide(), addr)
	if k.signed && k.size < 4 {
		return t.normal(v, k)
	}
	return v
}

// normal is a 32-bit value as one of a smaller type.
func (t *translator) normal(v int32, k kind) int32 {
	switch {
	case k.size == 1 && k.signed:
		return t.op(ir.Sext8, false, v)
	case k.size == 1:
		return t.op(ir.And, false, v, t.constant(0xff))
	case k.size == 2 && k.signed:
		return t.op(ir.Sext16, false, v)
	case k.size == 2:
		return t.op(ir.And, false, v, t.constant(0xffff))
	}
	return v
}

// convert makes a value one of another type.
func (t *translator) convert(v int32, from, to kind) int32 {
	switch {
	case to.wide() && from.wide():
		return v
	case to.wide() && from.signed:
		return t.op(ir.SextW, true, v)
	case to.wide():
		return t.op(ir.ZextW, true, v)
	case from.wide():
		v = t.op(ir.Trunc, false, v)
	case from == to, to.size > from.size && (!from.signed || to.signed):
		return v
	}
	return t.normal(v, to)
}

func (t *translator) unary(e *ast.UnaryExpr) int32 {
	k := t.kindOf(t.typeOf(e))
	switch e.Op {
	case token.AND:
		return t.addr(e.X)
	case token.ADD:
		return t.expr(e.X)
	case token.SUB:
		return t.normal(t.op(ir.Neg, k.wide(), t.expr(e.X)), k)
	case token.XOR:
		return t.normal(t.op(ir.Not, k.wide(), t.expr(e.X)), k)
	case token.NOT:
		return t.op(ir.Eq, false, t.expr(e.X), t.constant(0))
	}
	return t.fail(e, "operator %s", e.Op)
}

var arithmetic = map[token.Token]ir.Op{
	token.ADD: ir.Add, token.SUB: ir.Sub, token.MUL: ir.Mul, token.AND: ir.And, token.OR: ir.Or, token.XOR: ir.Xor,
	token.LAND: ir.And, token.LOR: ir.Or,
}

// binary translates x op y with a result of a type.
func (t *translator) binary(op token.Token, ex, ey ast.Expr, typ types.Type) int32 {
	if isNamed(t.typeOf(ex), true, "Edge") {
		return t.compare(op, t.edge(ex), t.edge(ey), kind{size: 8})
	}
	x := t.expr(ex)
	return t.combine(op, x, ex, ey, typ)
}

func (t *translator) combine(op token.Token, x int32, ex, ey ast.Expr, typ types.Type) int32 {
	k := t.kindOf(types.Default(typ))
	y := t.expr(ey)
	switch op {
	case token.SHL, token.SHR:
		if ky := t.kindOf(types.Default(t.typeOf(ey))); ky.wide() {
			y = t.op(ir.Trunc, false, y)
		}
		shift := ir.Shl
		if op == token.SHR {
			shift = ir.Shr
			if k.signed {
				shift = ir.Sar
			}
		}
		v := t.op(shift, k.wide(), x, y)
		if op == token.SHL {
			v = t.normal(v, k)
		}
		return v
	case token.AND_NOT:
		return t.op(ir.And, k.wide(), x, t.op(ir.Not, k.wide(), y))
	case token.QUO, token.REM:
		return t.divide(op, x, y, ey, k)
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return t.compare(op, x, y, t.kindOf(types.Default(t.operandType(ex, ey))))
	}
	a, ok := arithmetic[op]
	if !ok {
		return t.fail(ex, "operator %s", op)
	}
	v := t.op(a, k.wide(), x, y)
	if a == ir.Add || a == ir.Sub || a == ir.Mul {
		v = t.normal(v, k)
	}
	return v
}

// operandType is the type that two operands of a comparison share.
func (t *translator) operandType(x, y ast.Expr) types.Type {
	if t.info.Types[x].IsNil() || t.info.Types[x].Value != nil && t.info.Types[y].Value == nil {
		return t.typeOf(y)
	}
	return t.typeOf(x)
}

func (t *translator) compare(op token.Token, x, y int32, k kind) int32 {
	lt, le := ir.LtU, ir.LeU
	if k.signed {
		lt, le = ir.LtS, ir.LeS
	}
	switch op {
	case token.EQL:
		return t.op(ir.Eq, k.wide(), x, y)
	case token.NEQ:
		return t.op(ir.Ne, k.wide(), x, y)
	case token.LSS:
		return t.op(lt, k.wide(), x, y)
	case token.LEQ:
		return t.op(le, k.wide(), x, y)
	case token.GTR:
		return t.op(lt, k.wide(), y, x)
	}
	return t.op(le, k.wide(), y, x)
}

// divide translates a division. Those by 3 and by powers of two, which are all that are by constants, become
// multiplications and shifts.
func (t *translator) divide(op token.Token, x, y int32, ey ast.Expr, k kind) int32 {
	tv := t.info.Types[ey]
	if tv.Value == nil {
		return t.op(quotients[op][k.signed], k.wide(), x, y)
	}
	d, _ := constant.Uint64Val(constant.ToInt(tv.Value))
	if k.signed || d == 0 {
		return t.fail(ey, "division by a signed constant")
	}
	var q int32
	switch {
	case d&(d-1) == 0:
		shift := uint64(0)
		for d>>shift > 1 {
			shift++
		}
		q = t.op(ir.Shr, k.wide(), x, t.constant(shift))
	case d == 3 && !k.wide():
		product := t.op(ir.Mul, true, t.op(ir.ZextW, true, x), t.constant(0xaaaaaaab))
		q = t.op(ir.Trunc, false, t.op(ir.Shr, true, product, t.constant(33)))
	default:
		return t.fail(ey, "division by %d", d)
	}
	if op == token.QUO {
		return q
	}
	return t.op(ir.Sub, k.wide(), x, t.op(ir.Mul, k.wide(), q, y))
}

// quotients are the primitives of divisions, unsigned and signed.
var quotients = map[token.Token]map[bool]ir.Op{
	token.QUO: {false: ir.DivU, true: ir.DivS}, token.REM: {false: ir.RemU, true: ir.RemS},
}
