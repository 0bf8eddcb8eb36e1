package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// In the end the pruner declares variables where they get their value, and prints the statements that are left.

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
