package main

import (
	"go/ast"
	"go/token"
	"go/types"
)

// This pass of the pruner puts copies, and expressions that are used once, where they are used.

// maxMoved bounds the length of expressions that move; longer ones stay in a variable of their own.
const maxMoved = 48

// move puts copies, and expressions that are used once, in the place of the variable that holds them. It
// reports whether there were any.
func (p *pruner) move(list []ast.Stmt) (moved bool) {
	for _, v := range p.vars {
		v.defs, v.uses, v.value, v.whole = 0, 0, nil, false
		if v.zero {
			v.defs = 1
		}
	}
	p.count(list)
	can, final := map[*variable]bool{}, map[*variable]bool{}
	for _, v := range p.vars {
		can[v] = v.value != nil && v.defs == 1 && p.movable(v)
	}
	// a value that names another one which moves has to wait for the next round
	for v, ok := range can {
		if ok {
			p.each(v.value, func(w *variable) { ok = ok && !can[w] })
			final[v] = ok
		}
	}
	p.rewrite(list, func(id *ast.Ident) ast.Expr {
		v := p.vars[id]
		if v == nil || !final[v] {
			return nil
		}
		moved = true
		if _, ok := v.value.(*ast.BinaryExpr); ok {
			return &ast.ParenExpr{X: v.value}
		}
		return v.value
	})
	return moved
}

// count collects definitions and uses.
func (p *pruner) count(list []ast.Stmt) {
	define := func(v *variable, value ast.Expr) {
		if v != nil {
			v.defs++
			v.value, v.depth = value, p.used
		}
	}
	use := func(n ast.Node) {
		p.each(n, func(v *variable) {
			v.uses++
			if p.used > v.depth && v.defs > 0 {
				v.uses++ // it would be computed more than once
			}
		})
	}
	for _, st := range list {
		switch st := st.(type) {
		case *ast.DeclStmt:
			spec := st.Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec)
			if len(spec.Values) > 0 {
				use(spec.Values[0])
				define(p.vars[spec.Names[0]], spec.Values[0])
			}
		case *ast.AssignStmt:
			for _, r := range st.Rhs {
				use(r)
				if v := p.local(r); v != nil {
					v.whole = true
				}
			}
			for i, l := range st.Lhs {
				switch v := p.local(l); {
				case v == nil:
					use(l)
				case st.Tok != token.ASSIGN && st.Tok != token.DEFINE:
					v.defs += 2
				case len(st.Lhs) != len(st.Rhs):
					define(v, nil)
				default:
					define(v, st.Rhs[i])
				}
			}
		case *ast.IncDecStmt:
			if v := p.local(st.X); v != nil {
				v.defs += 2
			}
		case *ast.IfStmt:
			if st.Init != nil {
				use(st.Init)
			}
			use(st.Cond)
			p.count(st.Body.List)
			if st.Else != nil {
				p.count(elseList(st.Else))
			}
		case *ast.ForStmt:
			p.used++
			p.count(st.Body.List)
			p.used--
		default:
			use(st)
		}
	}
}

// movable reports whether the value of a variable that is set once is the same wherever it is used, and
// short enough.
func (p *pruner) movable(v *variable) bool {
	if id, ok := v.value.(*ast.Ident); ok && p.vars[id] != nil {
		return p.vars[id].defs == 1 || p.vars[id].uses == 1
	}
	constant := true
	p.each(v.value, func(w *variable) { constant = false })
	return !constant && v.uses == 1 && p.stays(v.value) && (v.whole || len(types.ExprString(v.value)) <= maxMoved)
}

// stays reports whether an expression reads nothing but variables that are set once.
func (p *pruner) stays(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		v := p.vars[e]
		return v != nil && v.defs == 1
	case *ast.ParenExpr:
		return p.stays(e.X)
	case *ast.UnaryExpr:
		return e.Op != token.AND && p.stays(e.X)
	case *ast.BinaryExpr:
		return p.stays(e.X) && p.stays(e.Y)
	case *ast.CallExpr:
		if sel, ok := e.Fun.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); !ok || x.Name != "bits" {
				return false
			}
		} else if _, ok := e.Fun.(*ast.Ident); !ok {
			return false
		}
		for _, a := range e.Args {
			if !p.stays(a) {
				return false
			}
		}
		return true
	}
	return false
}

// rewrite replaces identifiers that are read.
func (p *pruner) rewrite(list []ast.Stmt, by func(*ast.Ident) ast.Expr) {
	for _, st := range list {
		switch st := st.(type) {
		case *ast.DeclStmt:
			values := st.Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Values
			for i := range values {
				values[i] = rewritten(values[i], by)
			}
		case *ast.AssignStmt:
			for i := range st.Rhs {
				st.Rhs[i] = rewritten(st.Rhs[i], by)
			}
			for i := range st.Lhs {
				if p.local(st.Lhs[i]) == nil {
					st.Lhs[i] = rewritten(st.Lhs[i], by)
				}
			}
		case *ast.IfStmt:
			if st.Init != nil {
				p.rewrite([]ast.Stmt{st.Init}, by)
			}
			st.Cond = rewritten(st.Cond, by)
			p.rewrite(st.Body.List, by)
			if st.Else != nil {
				p.rewrite(elseList(st.Else), by)
			}
		case *ast.ForStmt:
			p.rewrite(st.Body.List, by)
		}
	}
}

// rewritten returns e with identifiers replaced; parentheses that are no longer needed go.
func rewritten(e ast.Expr, by func(*ast.Ident) ast.Expr) ast.Expr {
	return ast.Unparen(operand(e, by))
}

func operand(e ast.Expr, by func(*ast.Ident) ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.Ident:
		if r := by(e); r != nil {
			return r
		}
	case *ast.ParenExpr:
		x := operand(e.X, by)
		if inner, ok := x.(*ast.ParenExpr); ok {
			return inner
		}
		return &ast.ParenExpr{X: x}
	case *ast.UnaryExpr:
		return &ast.UnaryExpr{Op: e.Op, X: operand(e.X, by)}
	case *ast.StarExpr:
		return &ast.StarExpr{X: operand(e.X, by)}
	case *ast.BinaryExpr:
		return &ast.BinaryExpr{X: operand(e.X, by), Op: e.Op, Y: operand(e.Y, by)}
	case *ast.SelectorExpr:
		return &ast.SelectorExpr{X: operand(e.X, by), Sel: e.Sel}
	case *ast.IndexExpr:
		return &ast.IndexExpr{X: operand(e.X, by), Index: rewritten(e.Index, by)}
	case *ast.CallExpr:
		call := &ast.CallExpr{Fun: e.Fun}
		for _, a := range e.Args {
			call.Args = append(call.Args, rewritten(a, by))
		}
		return call
	}
	return e
}
