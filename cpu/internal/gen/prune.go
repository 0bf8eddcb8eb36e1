package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"strings"
)

// Expansions compute all that a function computes, by way of many variables, since each function does not
// know what its callers need. prune makes of that what somebody would have written: it drops values that
// nothing reads, puts copies and expressions that are used once where they are used, and declares variables
// where they get their value.

// variable is a local variable of a body.
type variable struct {
	name  string
	typ   string // as declared; "" when the first value tells
	zero  bool   // the zero value that it is declared with is read
	defs  int
	uses  int
	depth int  // of loops around its definition
	whole bool // it is all of what is assigned somewhere
	value ast.Expr
}

// pruner works on one body.
type pruner struct {
	vars map[*ast.Ident]*variable
	used int // depth of the loops around the place that is being looked at
}

// prune returns the statements of a body without what nothing needs. The body must give different names to
// variables in scopes inside each other.
func prune(body string) (string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "body", "package p\nfunc f() {\n"+body+"\n}", parser.SkipObjectResolution)
	if err != nil {
		return "", fmt.Errorf("body to prune: %w", err)
	}
	p := &pruner{vars: map[*ast.Ident]*variable{}}
	list := file.Decls[0].(*ast.FuncDecl).Body.List
	p.resolve(list, map[string]*variable{})
	list = p.dead(p.split(list), map[*variable]bool{})
	for p.move(list) {
		list = p.dead(list, map[*variable]bool{})
	}
	var out strings.Builder
	p.print(&out, p.declare(list))
	return out.String(), nil
}

// resolve finds out which variable each identifier names.
func (p *pruner) resolve(list []ast.Stmt, outer map[string]*variable) {
	scope := map[string]*variable{}
	maps.Copy(scope, outer)
	names := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				ast.Inspect(n.X, func(x ast.Node) bool {
					if id, ok := x.(*ast.Ident); ok && scope[id.Name] != nil {
						p.vars[id] = scope[id.Name]
					}
					return true
				})
				return false
			case *ast.Ident:
				if v := scope[n.Name]; v != nil {
					p.vars[n] = v
				}
			}
			return true
		})
	}
	for _, st := range list {
		switch st := st.(type) {
		case *ast.DeclStmt:
			for _, spec := range st.Decl.(*ast.GenDecl).Specs {
				spec := spec.(*ast.ValueSpec)
				for _, v := range spec.Values {
					names(v)
				}
				for _, id := range spec.Names {
					scope[id.Name] = &variable{name: id.Name, typ: types.ExprString(spec.Type)}
					p.vars[id] = scope[id.Name]
				}
			}
		case *ast.AssignStmt:
			for _, e := range st.Rhs {
				names(e)
			}
			if st.Tok == token.DEFINE {
				for _, l := range st.Lhs {
					if id := l.(*ast.Ident); id.Name != "_" {
						scope[id.Name] = &variable{name: id.Name}
					}
				}
			}
			for _, l := range st.Lhs {
				names(l)
			}
		case *ast.IfStmt:
			inner := scope
			if st.Init != nil { // its variable is left alone
				names(st.Init.(*ast.AssignStmt).Rhs[0])
			}
			names(st.Cond)
			p.resolve(st.Body.List, inner)
			if st.Else != nil {
				p.resolve([]ast.Stmt{st.Else}, inner)
			}
		case *ast.BlockStmt:
			p.resolve(st.List, scope)
		case *ast.ForStmt:
			p.resolve(st.Body.List, scope)
		default:
			names(st)
		}
	}
}

// split makes single assignments of parallel ones where that is the same, and drops "_ = v".
func (p *pruner) split(list []ast.Stmt) (out []ast.Stmt) {
	for _, st := range list {
		switch st := st.(type) {
		case *ast.AssignStmt:
			if len(st.Lhs) != len(st.Rhs) || len(st.Lhs) == 1 {
				if id, ok := st.Lhs[0].(*ast.Ident); !ok || id.Name != "_" || len(st.Lhs) > 1 {
					out = append(out, st)
				}
				continue
			}
			order := p.order(st)
			if order == nil {
				out = append(out, st)
			}
			for _, i := range order {
				out = append(out, &ast.AssignStmt{Lhs: st.Lhs[i : i+1], Tok: st.Tok, Rhs: st.Rhs[i : i+1]})
			}
		case *ast.IfStmt:
			st.Body.List = p.split(st.Body.List)
			if st.Else != nil {
				st.Else = &ast.BlockStmt{List: p.split(elseList(st.Else))}
			}
			out = append(out, st)
		case *ast.BlockStmt:
			out = append(out, p.split(st.List)...)
		case *ast.ForStmt:
			st.Body.List = p.split(st.Body.List)
			out = append(out, st)
		default:
			out = append(out, st)
		}
	}
	return out
}

// order returns an order in which the parts of a parallel assignment can be made one after the other, nil
// when there is none.
func (p *pruner) order(st *ast.AssignStmt) []int {
	n := len(st.Lhs)
	var up, down []int
	for i := range n {
		up, down = append(up, i), append(down, n-1-i)
	}
	for _, order := range [][]int{up, down} {
		ok := true
		for k, i := range order {
			id, plain := st.Lhs[i].(*ast.Ident)
			ok = ok && plain
			for _, j := range order[k+1:] {
				ok = ok && plain && !p.mentions(st.Rhs[j], p.vars[id])
			}
		}
		if ok {
			return order
		}
	}
	return nil
}

func (p *pruner) mentions(n ast.Node, v *variable) (found bool) {
	p.each(n, func(w *variable) { found = found || w == v && v != nil })
	return found
}

// each calls f with the variables that a statement or expression names.
func (p *pruner) each(n ast.Node, f func(*variable)) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && p.vars[id] != nil {
			f(p.vars[id])
		}
		return true
	})
}

func elseList(s ast.Stmt) []ast.Stmt {
	if b, ok := s.(*ast.BlockStmt); ok {
		return b.List
	}
	return []ast.Stmt{s}
}

// local returns the variable that an expression on the left of an assignment is, nil when it is something
// else.
func (p *pruner) local(e ast.Expr) *variable {
	if id, ok := e.(*ast.Ident); ok {
		return p.vars[id]
	}
	return nil
}
