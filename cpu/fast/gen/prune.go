package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// Expansions compute all that a function computes, by way of many variables, since each function does not
// know what its callers need. prune makes of that what somebody would have written: it drops values that
// nobody reads, puts copies and expressions that are used once where they are used, and declares variables
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

// maxMoved bounds the length of expressions that move; longer ones stay in a variable of their own.
const maxMoved = 48

// prune returns the statements of a body without what nobody needs. The body must give different names to
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

// dead drops what nobody reads. live are the variables that are read behind the list, afterwards those that
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

// declare makes declarations of the first assignments of a block, and puts the others in front of the
// first statement that names the variable.
func (p *pruner) declare(list []ast.Stmt) []ast.Stmt {
	waiting := map[*variable]*ast.DeclStmt{}
	var out []ast.Stmt
	for _, st := range list {
		if d, ok := st.(*ast.DeclStmt); ok {
			if spec := d.Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec); len(spec.Values) == 0 {
				waiting[p.vars[spec.Names[0]]] = d
				continue
			}
		}
		var named []*variable
		p.each(st, func(v *variable) {
			if waiting[v] != nil && !slices.Contains(named, v) {
				named = append(named, v)
			}
		})
		assign, ok := st.(*ast.AssignStmt)
		if ok && assign.Tok == token.ASSIGN && p.defines(assign, named) {
			assign.Tok = token.DEFINE
			named = nil
			for _, l := range assign.Lhs {
				delete(waiting, p.local(l))
			}
		}
		for _, v := range named {
			out = append(out, waiting[v])
			delete(waiting, v)
		}
		switch st := st.(type) {
		case *ast.IfStmt:
			st.Body.List = p.declare(st.Body.List)
			if st.Else != nil {
				st.Else = &ast.BlockStmt{List: p.declare(elseList(st.Else))}
			}
		case *ast.ForStmt:
			st.Body.List = p.declare(st.Body.List)
		}
		out = append(out, st)
	}
	return out
}

// defines reports whether an assignment may be the definition of all it assigns to: exactly the variables
// given, which have not been named before.
func (p *pruner) defines(st *ast.AssignStmt, named []*variable) bool {
	n := 0
	for _, l := range st.Lhs {
		v := p.local(l)
		switch id, plain := l.(*ast.Ident); {
		case v != nil && slices.Contains(named, v) && !v.zero:
			n++
		case v != nil || !plain || id.Name != "_":
			return false
		}
	}
	return n > 0 && n == len(named)
}

// print writes statements; the text is to be formatted.
func (p *pruner) print(out *strings.Builder, list []ast.Stmt) {
	text := types.ExprString
	exprs := func(list []ast.Expr) string {
		var parts []string
		for _, e := range list {
			parts = append(parts, text(e))
		}
		return strings.Join(parts, ", ")
	}
	simple := func(st ast.Stmt) string {
		switch st := st.(type) {
		case *ast.AssignStmt:
			if v := p.local(st.Lhs[0]); st.Tok == token.DEFINE && len(st.Lhs) == 1 && v != nil && v.typ != "" && !typed(st.Rhs[0]) {
				return fmt.Sprintf("var %s %s = %s", v.name, v.typ, text(st.Rhs[0]))
			}
			return fmt.Sprintf("%s %s %s", exprs(st.Lhs), st.Tok, exprs(st.Rhs))
		case *ast.IncDecStmt:
			return text(st.X) + st.Tok.String()
		case *ast.ExprStmt:
			return text(st.X)
		case *ast.BranchStmt:
			return strings.TrimSpace(st.Tok.String() + " " + label(st))
		case *ast.ReturnStmt:
			return "return " + exprs(st.Results)
		case *ast.DeclStmt:
			spec := st.Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec)
			v := p.vars[spec.Names[0]]
			switch {
			case len(spec.Values) == 0:
				return fmt.Sprintf("var %s %s", v.name, v.typ)
			case typed(spec.Values[0]):
				return fmt.Sprintf("%s := %s", v.name, text(spec.Values[0]))
			}
			return fmt.Sprintf("var %s %s = %s", v.name, v.typ, text(spec.Values[0]))
		}
		panic(fmt.Sprintf("statement %T in a body", st))
	}
	for _, st := range list {
		switch st := st.(type) {
		case *ast.IfStmt:
			init := ""
			if st.Init != nil {
				init = simple(st.Init) + "; "
			}
			fmt.Fprintf(out, "if %s%s {\n", init, text(st.Cond))
			p.print(out, st.Body.List)
			if st.Else != nil {
				out.WriteString("} else {\n")
				p.print(out, elseList(st.Else))
			}
			out.WriteString("}\n")
		case *ast.ForStmt:
			fmt.Fprintf(out, "for ; %s; %s {\n", text(st.Cond), simple(st.Post))
			p.print(out, st.Body.List)
			out.WriteString("}\n")
		default:
			out.WriteString(simple(st) + "\n")
		}
	}
}

func label(st *ast.BranchStmt) string {
	if st.Label == nil {
		return ""
	}
	return st.Label.Name
}

// typed reports whether an expression has the type of a variable even without one to tell: an untyped
// constant has not.
func typed(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return false
	case *ast.ParenExpr:
		return typed(e.X)
	case *ast.UnaryExpr:
		return typed(e.X)
	case *ast.BinaryExpr:
		if e.Op == token.SHL || e.Op == token.SHR {
			return typed(e.X)
		}
		return typed(e.X) || typed(e.Y)
	case *ast.CallExpr:
		if id, ok := e.Fun.(*ast.Ident); ok && (id.Name == "min" || id.Name == "max") {
			return slices.ContainsFunc(e.Args, typed)
		}
	}
	return true
}
