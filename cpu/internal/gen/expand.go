package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// expander copies function bodies into one case. Every expansion gives its variables a number of
// their own; calls inside expressions become expansions in front of the statement.
type expander struct {
	*sources
	out  bytes.Buffer
	n    int
	keep map[string]bool // functions whose calls stay calls

	bodies *bodies
	taken  map[string]bool // names of variables of parts
}

// scope is one expansion: the function and what its variables are called in the output.
type scope struct {
	*function
	n     int
	names map[types.Object]string
}

func (x *expander) line(format string, args ...any) {
	fmt.Fprintf(&x.out, format, args...)
	x.out.WriteByte('\n')
}

// part writes the statements of a function of cpu/internal/uop/body, whose results are new variables.
func (x *expander) part(name string, results []string, args ...string) {
	w := &writer{bodies: x.bodies, out: &x.out, fresh: func(name string) string {
		if x.taken[name] {
			x.n++
			name = fmt.Sprintf("%s_%d", name, x.n)
		}
		if x.taken == nil {
			x.taken = map[string]bool{}
		}
		x.taken[name] = true
		return name
	}}
	w.call(x.bodies.parts[name], results, true, args)
}

// leave writes the end of a case that leaves the block as a function of cpu/internal/uop/body says.
func (x *expander) leave(name string, args ...string) {
	w := &writer{bodies: x.bodies, out: &x.out}
	w.call(x.bodies.parts[name], []string{"ex", "nb"}, false, args)
	x.line("goto next")
}

// expand writes the body of f with the given argument expressions and returns the names of the
// variables that hold its results.
func (x *expander) expand(f *function, args []string) []string {
	x.n++
	s := &scope{function: f, n: x.n, names: map[types.Object]string{}}
	assigned := f.assigned()
	i := 0
	for v := range f.sig.Params().Variables() {
		if arg := args[i]; isName(arg) && !assigned[v] {
			s.names[v] = arg
		} else {
			x.line("var %s %s = %s", s.declare(v), v.Type(), arg)
			x.line("_ = %s", s.names[v])
		}
		i++
	}
	var results []string
	for v := range f.sig.Results().Variables() {
		x.line("var %s %s", s.declare(v), v.Type())
		x.line("_ = %s", s.names[v])
		results = append(results, s.names[v])
	}
	body := f.decl.Body.List
	for _, st := range body[:len(body)-1] {
		x.stmt(s, st)
	}
	if last := body[len(body)-1].(*ast.ReturnStmt); len(last.Results) > 0 {
		x.assign(s, results, "=", last.Results)
	}
	return results
}

// assigned returns the variables that the body assigns to.
func (f *function) assigned() map[types.Object]bool {
	set := map[types.Object]bool{}
	note := func(e ast.Expr) {
		if id, ok := e.(*ast.Ident); ok {
			set[f.info.Uses[id]] = true
		}
	}
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				note(l)
			}
		case *ast.IncDecStmt:
			note(n.X)
		}
		return true
	})
	return set
}

func isName(s string) bool { return token.IsIdentifier(s) }

func (s *scope) declare(v types.Object) string {
	name := fmt.Sprintf("%s_%d", v.Name(), s.n)
	for other, taken := range s.names {
		if taken == name && other != v { // shadowing inside the body
			name += "_"
		}
	}
	s.names[v] = name
	return name
}

func (x *expander) stmt(s *scope, st ast.Stmt) {
	switch st := st.(type) {
	case *ast.AssignStmt:
		x.assignStmt(s, st)
	case *ast.IncDecStmt:
		x.line("%s%s", x.expr(s, st.X), st.Tok)
	case *ast.DeclStmt:
		for _, spec := range st.Decl.(*ast.GenDecl).Specs {
			x.declaration(s, st.Decl.(*ast.GenDecl).Tok, spec.(*ast.ValueSpec))
		}
	case *ast.IfStmt:
		x.line("if %s {", x.expr(s, st.Cond))
		x.stmt(s, st.Body)
		if st.Else != nil {
			x.line("} else {")
			x.stmt(s, st.Else)
		}
		x.line("}")
	case *ast.BlockStmt:
		for _, inner := range st.List {
			x.stmt(s, inner)
		}
	default:
		panic(fmt.Sprintf("%s: statement passed the check", x.pos(st.Pos())))
	}
}

func (x *expander) declaration(s *scope, tok token.Token, spec *ast.ValueSpec) {
	if tok == token.CONST {
		return // constants are folded where they are used
	}
	for i, id := range spec.Names {
		v := s.info.Defs[id]
		if len(spec.Values) == 0 {
			x.line("var %s %s", s.declare(v), v.Type())
		} else {
			value := x.expr(s, spec.Values[i])
			x.line("var %s %s = %s", s.declare(v), v.Type(), value)
		}
		x.line("_ = %s", s.names[v])
	}
}

func (x *expander) assignStmt(s *scope, st *ast.AssignStmt) {
	var right []string
	if st.Tok == token.DEFINE {
		// values before names: the new variables are not in scope yet
		right = x.values(s, st.Rhs)
	}
	var left []string
	for _, l := range st.Lhs {
		id := l.(*ast.Ident)
		if id.Name == "_" {
			left = append(left, "_")
			continue
		}
		if v := s.info.Defs[id]; v != nil {
			x.line("var %s %s", s.declare(v), v.Type())
			x.line("_ = %s", s.names[v])
			left = append(left, s.names[v])
			continue
		}
		left = append(left, s.names[s.info.Uses[id]])
	}
	if st.Tok == token.DEFINE {
		x.line("%s = %s", strings.Join(left, ", "), strings.Join(right, ", "))
		return
	}
	x.assign(s, left, st.Tok.String(), st.Rhs)
}

func (x *expander) assign(s *scope, left []string, op string, right []ast.Expr) {
	x.assignNames(left, op, x.values(s, right))
}

// assignNames writes an assignment without the parts that assign a variable to itself.
func (x *expander) assignNames(left []string, op string, right []string) {
	var l, r []string
	for i := range left {
		if left[i] != right[i] || op != "=" {
			l, r = append(l, left[i]), append(r, right[i])
		}
	}
	if len(l) > 0 {
		x.line("%s %s %s", strings.Join(l, ", "), op, strings.Join(r, ", "))
	}
}

// values renders a list of expressions; a single call may stand for several values.
func (x *expander) values(s *scope, list []ast.Expr) []string {
	if len(list) == 1 {
		if call, ok := ast.Unparen(list[0]).(*ast.CallExpr); ok {
			if f := x.copied(s, call); f != nil {
				return x.expand(f, x.values(s, call.Args))
			}
		}
	}
	var values []string
	for _, e := range list {
		values = append(values, x.expr(s, e))
	}
	return values
}

// copied returns the function that a call expands, nil for conversions, builtins and math/bits.
func (x *expander) copied(s *scope, call *ast.CallExpr) *function {
	if s.info.Types[call.Fun].IsType() {
		return nil
	}
	f := x.funcs[x.calleeOf(s.info, call)]
	if f != nil && x.keep[f.name] {
		return nil
	}
	return f
}

func (x *expander) expr(s *scope, e ast.Expr) string {
	if tv := s.info.Types[e]; tv.Value != nil {
		if lit, ok := e.(*ast.BasicLit); ok {
			return lit.Value
		}
		if b, ok := tv.Type.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
			return "(" + tv.Value.ExactString() + ")"
		}
		return fmt.Sprintf("%s(%s)", tv.Type.Underlying(), tv.Value.ExactString())
	}
	switch e := e.(type) {
	case *ast.Ident:
		if name, ok := s.names[s.info.Uses[e]]; ok {
			return name
		}
		return e.Name // true, false
	case *ast.ParenExpr:
		return "(" + x.expr(s, e.X) + ")"
	case *ast.UnaryExpr:
		return e.Op.String() + x.expr(s, e.X)
	case *ast.BinaryExpr:
		left := x.expr(s, e.X)
		return left + " " + e.Op.String() + " " + x.expr(s, e.Y)
	case *ast.CallExpr:
		if f := x.copied(s, e); f != nil {
			return x.expand(f, x.values(s, e.Args))[0]
		}
		var fun string
		switch name := ast.Unparen(e.Fun).(type) {
		case *ast.Ident:
			fun = name.Name
		case *ast.SelectorExpr:
			fun = name.X.(*ast.Ident).Name + "." + name.Sel.Name
		}
		if obj := x.calleeOf(s.info, e); obj != nil && x.keep[obj.Name()] {
			fun = obj.Name()
		}
		if tv := s.info.Types[e.Fun]; tv.IsType() {
			fun = tv.Type.Underlying().String()
		}
		return fun + "(" + strings.Join(x.values(s, e.Args), ", ") + ")"
	}
	panic(fmt.Sprintf("%s: expression passed the check", x.pos(e.Pos())))
}
