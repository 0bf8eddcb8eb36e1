package main

import (
	"fmt"
	"go/ast"
	"go/types"

	"arcv2dsp/cpu/internal/jit/ir"
)

func errorf(format string, args ...any) error { return fmt.Errorf(format, args...) }

// call translates conversions, builtins, functions of math/bits and unsafe, and primitives.
func (t *translator) call(e *ast.CallExpr) int32 {
	if t.info.Types[e.Fun].IsType() {
		from, to := t.typeOf(e.Args[0]), t.typeOf(e)
		return t.convert(t.expr(e.Args[0]), t.kindOf(types.Default(from)), t.kindOf(to))
	}
	switch fun := ast.Unparen(e.Fun).(type) {
	case *ast.SelectorExpr:
		switch pkg := path(fun.X); pkg {
		case "unsafe":
			if fun.Sel.Name == "Add" {
				by := t.convert(t.expr(e.Args[1]), t.kindOf(types.Default(t.typeOf(e.Args[1]))), kind{size: 8})
				return t.op(ir.Add, true, t.expr(e.Args[0]), by)
			}
		case "bits":
			return t.bits(fun.Sel.Name, e)
		case "uop":
			return t.inline(t.functions[fun.Sel.Name], e)
		}
	case *ast.Ident:
		switch {
		case fun.Name == "min" || fun.Name == "max":
			return t.extreme(fun.Name == "min", e)
		}
		if op, ok := primitives[fun.Name]; ok {
			var args []int32
			for _, a := range e.Args {
				args = append(args, t.expr(a))
			}
			if op == ir.Eq || op == ir.Ne {
				return t.op(op, t.kindOf(t.typeOf(e.Args[0])).wide(), args[0], t.constant(0))
			}
			return t.op(op, false, args...)
		}
	}
	return t.fail(e, "call")
}

// extreme is min or max.
func (t *translator) extreme(least bool, e *ast.CallExpr) int32 {
	k := t.kindOf(t.typeOf(e))
	lt := ir.LtU
	if k.signed {
		lt = ir.LtS
	}
	v := t.expr(e.Args[0])
	for _, a := range e.Args[1:] {
		w := t.expr(a)
		less := t.op(lt, k.wide(), v, w)
		if !least {
			less = t.op(lt, k.wide(), w, v)
		}
		v = t.op(ir.Select, k.wide(), less, v, w)
	}
	return v
}

// bits translates a function of math/bits; those with two results are translated where they are assigned.
func (t *translator) bits(name string, e *ast.CallExpr) int32 {
	x := t.expr(e.Args[0])
	width := t.kindOf(t.typeOf(e.Args[0])).size * 8
	wide := width == 64
	long := func(v int32) int32 { return t.op(ir.ZextW, true, v) } // results have type int
	switch name {
	case "LeadingZeros32", "LeadingZeros64":
		return long(t.op(ir.Clz, wide, x))
	case "LeadingZeros16", "LeadingZeros8":
		return long(t.op(ir.Sub, false, t.op(ir.Clz, false, x), t.constant(uint64(32-width))))
	case "Len32", "Len64", "Len16", "Len8":
		if !wide {
			width = 32
		}
		return long(t.op(ir.Sub, false, t.constant(uint64(width)), t.op(ir.Clz, wide, x)))
	case "TrailingZeros32", "TrailingZeros64":
		return long(t.op(ir.Ctz, wide, x))
	case "TrailingZeros16", "TrailingZeros8":
		return long(t.op(ir.Ctz, false, t.op(ir.Or, false, x, t.constant(1<<width))))
	case "ReverseBytes32", "ReverseBytes64":
		return t.op(ir.Swap, wide, x)
	case "ReverseBytes16":
		return t.op(ir.Shr, false, t.op(ir.Swap, false, x), t.constant(16))
	case "RotateLeft32", "RotateLeft64":
		n := t.op(ir.Trunc, false, t.expr(e.Args[1]))
		mask := t.constant(uint64(width - 1))
		left := t.op(ir.Shl, wide, x, t.op(ir.And, false, n, mask))
		right := t.op(ir.Shr, wide, x, t.op(ir.And, false, t.op(ir.Neg, false, n), mask))
		return t.op(ir.Or, wide, left, right)
	}
	return t.fail(e, "bits.%s", name)
}

// pair translates a function of math/bits with two results.
func (t *translator) pair(e *ast.CallExpr) (a, b int32, ok bool) {
	fun, isSel := ast.Unparen(e.Fun).(*ast.SelectorExpr)
	if !isSel || path(fun.X) != "bits" {
		return 0, 0, false
	}
	var x []int32
	for _, arg := range e.Args {
		x = append(x, t.expr(arg))
	}
	wide := t.kindOf(t.typeOf(e.Args[0])).wide()
	switch fun.Sel.Name {
	case "Add32", "Add64":
		sum := t.op(ir.Add, wide, x[0], x[1])
		carry := t.op(ir.LtU, wide, sum, x[0])
		total := t.op(ir.Add, wide, sum, x[2])
		return total, t.bit(wide, t.op(ir.Or, false, carry, t.op(ir.LtU, wide, total, sum))), true
	case "Sub32", "Sub64":
		diff := t.op(ir.Sub, wide, x[0], x[1])
		borrow := t.op(ir.LtU, wide, x[0], x[1])
		total := t.op(ir.Sub, wide, diff, x[2])
		return total, t.bit(wide, t.op(ir.Or, false, borrow, t.op(ir.LtU, wide, diff, x[2]))), true
	case "Mul64":
		return t.op(ir.MulHi, true, x[0], x[1]), t.op(ir.Mul, true, x[0], x[1]), true
	case "Mul32":
		product := t.op(ir.Mul, true, t.op(ir.ZextW, true, x[0]), t.op(ir.ZextW, true, x[1]))
		return t.op(ir.Trunc, false, t.op(ir.Shr, true, product, t.constant(32))), t.op(ir.Trunc, false, product), true
	}
	return 0, 0, false
}

// bit is 0 or 1 as a value of a width.
func (t *translator) bit(wide bool, v int32) int32 {
	if wide {
		return t.op(ir.ZextW, true, v)
	}
	return v
}

// inline translates a call of a function that returns one expression.
func (t *translator) inline(f *ast.FuncDecl, e *ast.CallExpr) int32 {
	ret, ok := f.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return t.fail(e, "call of %s, which is more than one expression", f.Name.Name)
	}
	i := 0
	for _, field := range f.Type.Params.List {
		for _, name := range field.Names {
			t.env[t.info.Defs[name]] = t.expr(e.Args[i])
			i++
		}
	}
	return t.expr(ret.Results[0])
}
