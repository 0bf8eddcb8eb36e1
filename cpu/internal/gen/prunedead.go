package main

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
)

// This pass of the pruner drops values that nothing reads.

// dead drops what nothing reads. live are the variables that are read behind the list, afterwards those that
// are read from its start on.
func (p *pruner) dead(list []ast.Stmt, live map[*variable]bool) []ast.Stmt {
	var out []ast.Stmt // backwards
	use := func(n ast.Node) { p.each(n, func(v *variable) { live[v] = true }) }
	for _, st := range slices.Backward(list) {
		switch st := st.(type) {
		case *ast.DeclStmt:
			spec := st.Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec)
			v := p.vars[spec.Names[0]]
			if len(spec.Values) > 0 {
				if !live[v] {
					continue
				}
				delete(live, v)
				use(spec.Values[0])
			} else {
				v.zero = live[v]
				delete(live, v)
			}
		case *ast.AssignStmt:
			if !p.assignment(st, live) {
				continue
			}
		case *ast.IncDecStmt:
			if v := p.local(st.X); v != nil && !live[v] {
				continue
			}
			use(st.X)
		case *ast.IfStmt:
			other := maps.Clone(live)
			st.Body.List = p.dead(st.Body.List, live)
			if st.Else != nil {
				rest := p.dead(elseList(st.Else), other)
				st.Else = &ast.BlockStmt{List: rest}
				if len(rest) == 0 {
					st.Else = nil
				}
			}
			if len(st.Body.List) == 0 && st.Else == nil && st.Init == nil {
				continue
			}
			maps.Copy(live, other)
			use(st.Cond)
			if st.Init != nil {
				use(st.Init)
			}
		case *ast.ForStmt:
			again := maps.Clone(live)
			for v := range p.outer(st) { // all of them may come from the iteration before
				again[v] = true
			}
			st.Body.List = p.dead(st.Body.List, again)
			for v := range p.outer(st) {
				live[v] = true
			}
		default:
			use(st)
		}
		out = append(out, st)
	}
	slices.Reverse(out)
	return out
}

// outer returns the variables that a loop names and does not declare.
func (p *pruner) outer(loop *ast.ForStmt) map[*variable]bool {
	set := map[*variable]bool{}
	p.each(loop, func(v *variable) { set[v] = true })
	ast.Inspect(loop, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			delete(set, p.vars[n.Names[0]])
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if n.Tok == token.DEFINE {
					delete(set, p.local(l))
				}
			}
		}
		return true
	})
	return set
}

// assignment is dead for an assignment; it reports whether it stays.
func (p *pruner) assignment(st *ast.AssignStmt, live map[*variable]bool) bool {
	needed := false
	for _, l := range st.Lhs {
		id, plain := l.(*ast.Ident)
		v := p.local(l)
		needed = needed || v != nil && live[v] || v == nil && (!plain || id.Name != "_")
	}
	if !needed {
		return false
	}
	for i, l := range st.Lhs {
		switch v := p.local(l); {
		case v == nil:
			p.each(l, func(v *variable) { live[v] = true })
		case !live[v]:
			st.Lhs[i] = ast.NewIdent("_")
		case st.Tok == token.ASSIGN || st.Tok == token.DEFINE:
			delete(live, v)
		}
	}
	for _, r := range st.Rhs {
		p.each(r, func(v *variable) { live[v] = true })
	}
	return true
}
