package main

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"arcv2dsp/cpu/internal/jit/ir"
)

// An if whose branches only compute becomes a choice between values; so no jump is needed and there are
// no joins of values. One that stores, or leaves, becomes If, Else and End; when it also changes variables
// that are used behind it, what follows is translated into both branches.

// staticNext is the value of the variable nb when it is where the edge leads.
const staticNext = -2

// list translates statements, and after, which follows them.
func (t *translator) list(list, after []ast.Stmt) {
	for i, st := range list {
		if t.done || t.err != nil {
			return
		}
		if is, ok := st.(*ast.IfStmt); ok {
			if t.branch(is, append(slices.Clone(list[i+1:]), after...)) {
				return
			}
			continue
		}
		t.stmt(st)
	}
	if len(after) > 0 {
		t.list(after, nil)
	}
}

func (t *translator) stmt(st ast.Stmt) {
	switch st := st.(type) {
	case *ast.AssignStmt:
		t.assignment(st)
	case *ast.IncDecStmt:
		op := token.ADD
		if st.Tok == token.DEC {
			op = token.SUB
		}
		k := t.kindOf(t.typeOf(st.X))
		one := t.constant(1)
		x := t.expr(st.X)
		v := t.op(arithmetic[op], k.wide(), x, one)
		t.assign(st.X, t.normal(v, k))
	case *ast.DeclStmt:
		for _, spec := range st.Decl.(*ast.GenDecl).Specs {
			vs := spec.(*ast.ValueSpec)
			for i, name := range vs.Names {
				v := t.constant(0)
				if len(vs.Values) > 0 {
					v = t.expr(vs.Values[i])
				}
				t.env[t.info.Defs[name]] = v
			}
		}
	case *ast.BlockStmt:
		t.list(st.List, nil)
	case *ast.BranchStmt:
		t.jump(st)
	case *ast.ReturnStmt:
		way := t.expr(st.Results[3])
		if t.info.Types[st.Results[3]].IsNil() {
			way = -1
		}
		t.exit(t.reason(st), way)
	case *ast.EmptyStmt:
	default:
		t.fail(st, "statement %T", st)
	}
}

// reason is the number of the reason for a return.
func (t *translator) reason(st *ast.ReturnStmt) uint64 {
	v, _ := constant.Uint64Val(t.info.Types[st.Results[0]].Value)
	return v
}

func (t *translator) slow() uint64 {
	v, _ := constant.Uint64Val(t.uop.Scope().Lookup("ExitSlow").(*types.Const).Val())
	return v
}

func (t *translator) exit(why uint64, way int32) {
	t.emit(ir.Inst{Op: ir.Exit, A: -1, B: way, C: -1, Imm: why})
	t.done = true
}

// jump translates goto.
func (t *translator) jump(st *ast.BranchStmt) {
	if st.Tok != token.GOTO {
		t.fail(st, "%s", st.Tok)
		return
	}
	if st.Label.Name == "slow" {
		t.exit(t.slow(), -1)
		return
	}
	way, next := t.local("ex"), t.local("nb")
	if next == staticNext {
		t.op(ir.Leave, false, way)
	} else {
		t.op(ir.LeaveTo, false, way, next)
	}
	t.done = true
}

// local is the value of a variable of the leaf.
func (t *translator) local(name string) int32 {
	for obj, v := range t.env {
		if obj.Name() == name {
			return v
		}
	}
	return t.fail(t.leaf, "%s is not set", name)
}

func (t *translator) assignment(st *ast.AssignStmt) {
	if len(st.Lhs) == 2 && len(st.Rhs) == 1 {
		call, ok := ast.Unparen(st.Rhs[0]).(*ast.CallExpr)
		if ok {
			if a, b, ok := t.pair(call); ok {
				t.assign(st.Lhs[0], a)
				t.assign(st.Lhs[1], b)
				return
			}
		}
		t.fail(st, "two values of one")
		return
	}
	var values []int32
	for i, r := range st.Rhs {
		if id, ok := st.Lhs[i].(*ast.Ident); ok && id.Name == "nb" {
			values = append(values, t.next(r))
			continue
		}
		if st.Tok == token.ASSIGN || st.Tok == token.DEFINE {
			values = append(values, t.expr(r))
			continue
		}
		op := assignOps[st.Tok]
		values = append(values, t.combine(op, t.expr(st.Lhs[i]), st.Lhs[i], r, t.typeOf(st.Lhs[i])))
	}
	for i, l := range st.Lhs {
		t.assign(l, values[i])
	}
}

// next is where execution goes on: where the edge leads, or a block that a table holds.
func (t *translator) next(e ast.Expr) int32 {
	if sel, ok := e.(*ast.SelectorExpr); ok && isNamed(t.typeOf(sel.X), true, "Edge") {
		return staticNext
	}
	return t.expr(e)
}

var assignOps = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB, token.MUL_ASSIGN: token.MUL, token.AND_ASSIGN: token.AND,
	token.OR_ASSIGN: token.OR, token.XOR_ASSIGN: token.XOR, token.SHL_ASSIGN: token.SHL, token.SHR_ASSIGN: token.SHR,
	token.AND_NOT_ASSIGN: token.AND_NOT,
}

// assign gives a variable a value, or stores one.
func (t *translator) assign(l ast.Expr, v int32) {
	if id, ok := l.(*ast.Ident); ok {
		if id.Name == "_" {
			return
		}
		obj := t.info.Defs[id]
		if obj == nil {
			obj = t.info.Uses[id]
		}
		t.env[obj] = v
		return
	}
	addr := t.addr(l)
	ops := map[int64]ir.Op{1: ir.Store8, 2: ir.Store16, 4: ir.Store32, 8: ir.Store64}
	t.op(ops[t.kindOf(t.typeOf(l)).size], false, addr, v)
}

// branch translates an if. It reports whether it has translated what follows, too.
func (t *translator) branch(st *ast.IfStmt, rest []ast.Stmt) bool {
	if st.Init != nil {
		t.stmt(st.Init)
	}
	cond := t.expr(st.Cond)
	if t.guard(st, cond) {
		return false
	}
	if !t.effects(st) {
		t.choice(st, cond)
		return false
	}
	if len(t.path) > 0 {
		t.fail(st, "an effect in a branch without effects")
		return true
	}
	copied := t.changes(st)
	var after []ast.Stmt
	if copied {
		after = rest
	}
	made := t.made
	t.op(ir.If, false, cond)
	t.depth++
	before := maps.Clone(t.env)
	t.list(st.Body.List, after)
	dead := t.done
	t.done = false
	t.op(ir.Else, false)
	t.env = before
	if st.Else != nil {
		t.list([]ast.Stmt{st.Else}, after)
	} else {
		t.list(after, nil)
	}
	dead = dead && t.done
	t.done = false
	t.op(ir.End, false)
	t.depth--
	t.made = made
	t.done = dead
	return copied
}

// guard translates an if that only leaves, or skips micro-operations.
func (t *translator) guard(st *ast.IfStmt, cond int32) bool {
	if st.Else != nil || len(st.Body.List) != 1 {
		return false
	}
	for _, p := range t.path {
		cond = t.op(ir.And, false, p, cond)
	}
	why := t.slow()
	switch only := st.Body.List[0].(type) {
	case *ast.BranchStmt:
		switch {
		case only.Tok == token.GOTO && only.Label.Name == "skip":
			t.op(ir.SkipIf, false, cond)
			return true
		case only.Tok != token.GOTO || only.Label.Name != "slow":
			return false
		}
	case *ast.ReturnStmt:
		if !t.info.Types[only.Results[3]].IsNil() {
			return false
		}
		why = t.reason(only)
	default:
		return false
	}
	t.emit(ir.Inst{Op: ir.Guard, A: cond, B: -1, C: -1, Imm: why})
	return true
}

// effects reports whether a branch of an if stores, or leaves but by a guard.
func (t *translator) effects(st *ast.IfStmt) (found bool) {
	ast.Inspect(st, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if _, ok := l.(*ast.Ident); !ok {
					found = true
				}
			}
		case *ast.IncDecStmt:
			if _, ok := n.X.(*ast.Ident); !ok {
				found = true
			}
		case *ast.BranchStmt:
			found = found || n.Label == nil || n.Label.Name != "slow"
		case *ast.ReturnStmt:
			found = found || !t.info.Types[n.Results[3]].IsNil()
		case *ast.StarExpr: // an access that may only happen there
			if t.info.Types[n].IsValue() {
				found = true
			}
		}
		return true
	})
	return found
}

// changes reports whether a branch assigns to variables from outside.
func (t *translator) changes(st *ast.IfStmt) (found bool) {
	ast.Inspect(st, func(n ast.Node) bool {
		var list []ast.Expr
		switch n := n.(type) {
		case *ast.AssignStmt:
			list = n.Lhs
		case *ast.IncDecStmt:
			list = []ast.Expr{n.X}
		}
		for _, l := range list {
			if id, ok := l.(*ast.Ident); ok {
				if obj := t.info.Uses[id]; obj != nil && (obj.Pos() < st.Pos() || obj.Pos() > st.End()) {
					found = true
				}
			}
		}
		return true
	})
	return found
}

// choice translates an if without effects.
func (t *translator) choice(st *ast.IfStmt, cond int32) {
	before := t.env
	t.env = maps.Clone(before)
	t.path = append(t.path, cond)
	t.list(st.Body.List, nil)
	then := t.env
	t.env = maps.Clone(before)
	t.path[len(t.path)-1] = t.op(ir.Eq, false, cond, t.constant(0))
	if st.Else != nil {
		t.list([]ast.Stmt{st.Else}, nil)
	}
	t.path = t.path[:len(t.path)-1]
	other := t.env
	t.env = maps.Clone(before)
	for _, obj := range ordered(before) {
		a, b := then[obj], other[obj]
		if a == b {
			t.env[obj] = a
			continue
		}
		wide := false
		if k := obj.Type(); !isNamed(k, true, "Edge") {
			wide = t.kindOf(k).wide()
		}
		t.env[obj] = t.op(ir.Select, wide, cond, a, b)
	}
}

// ordered lists variables by where they are declared.
func ordered(env map[types.Object]int32) []types.Object {
	list := slices.Collect(maps.Keys(env))
	slices.SortFunc(list, func(a, b types.Object) int { return int(a.Pos()) - int(b.Pos()) })
	return list
}
