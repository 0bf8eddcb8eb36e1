package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"math"
	"slices"
	"strings"
)

// refusal is a place where a function breaks the rules for bodies that the leaf can take.
type refusal struct {
	pos token.Position
	fn  string
	why string
}

func (r refusal) String() string {
	return fmt.Sprintf("%s:%d:%d: %s: %s", r.pos.Filename, r.pos.Line, r.pos.Column, r.fn, r.why)
}

// refusals is all of them, as one error.
type refusals []refusal

func (list refusals) Error() string {
	slices.SortFunc(list, func(a, b refusal) int {
		return cmp.Or(cmp.Compare(a.pos.Filename, b.pos.Filename), cmp.Compare(a.pos.Offset, b.pos.Offset))
	})
	var b strings.Builder
	for i, r := range list {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(r.String())
	}
	return b.String()
}

// checker holds functions against the rules.
type checker struct {
	*sources
	fn    *function
	stack []*function // callers of fn, to find recursion
	list  refusals

	divides bool // functions may divide by a variable: compiled code alone has them
}

// comparisonType is the type of comparisons.
const comparisonType = "func(x uint32, y uint32) (taken bool)"

// checkAll returns what the instruction functions and all they call do wrong.
func (s *sources) checkAll() refusals {
	c := &checker{sources: s}
	for _, name := range s.names() {
		if f := s.instructions[name]; !f.reference {
			c.function(f)
			c.binding(f)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(s.comparisons)) {
		f := s.comparisons[kind]
		c.function(f)
		c.fn = f
		if got := types.TypeString(f.sig, nil); got != comparisonType {
			c.refuse(f.decl.Pos(), "a comparison is a %s, not a %s", comparisonType, got)
		}
	}
	c.divides = true
	for _, name := range slices.Sorted(maps.Keys(s.divisions)) {
		c.function(s.divisions[name])
	}
	return c.list
}

// bodyParameters are the types of the parameters of micro-operations, bodyResults those of their results.
var (
	bodyParameters = map[string]string{"c": "*cpu.CPU", "e": "*uop.State", "blk": "*uop.Block", "u": "*uop.Uop"}
	bodyResults    = "(ex *uop.Edge, nb *uop.Block)"
)

// checkBodies returns what the functions of cpu/internal/uop/body do wrong.
func (b *bodies) checkBodies() refusals {
	c := &checker{sources: b.sources}
	for _, name := range slices.Sorted(maps.Keys(b.parts)) {
		f := b.parts[name]
		if leaving[name] != nil {
			continue
		}
		c.function(f)
		if !isInstruction(name) {
			continue
		}
		c.fn = f
		for v := range f.sig.Params().Variables() {
			if got := types.TypeString(v.Type(), (*types.Package).Name); bodyParameters[v.Name()] != got {
				c.refuse(v.Pos(), "parameter %s %s has no binding", v.Name(), got)
			}
		}
		if got := types.TypeString(f.sig.Results(), (*types.Package).Name); got != "()" && got != bodyResults {
			c.refuse(f.decl.Pos(), "a micro-operation returns nothing or %s, not %s", bodyResults, got)
		}
		if f.decl.Doc == nil || !strings.HasPrefix(f.decl.Doc.Text(), name+": ") {
			c.refuse(f.decl.Pos(), "the comment does not say what it does: %s: ...", name)
		}
	}
	return c.list
}

// names lists the instruction functions in order.
func (s *sources) names() []string {
	var names []string
	for name := range s.instructions {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (c *checker) refuse(p token.Pos, format string, args ...any) {
	c.list = append(c.list, refusal{c.fset.Position(p), c.fn.name, fmt.Sprintf(format, args...)})
}

// binding checks that parameters and results have names and types of the contract.
func (c *checker) binding(f *function) {
	c.fn = f
	for v := range f.sig.Params().Variables() {
		if b, ok := c.operand(v.Name()); !ok {
			c.refuse(v.Pos(), "operand name %q has no binding", v.Name())
		} else if b.typ != v.Type().String() {
			c.refuse(v.Pos(), "operand %s has type %s, the binding is %s", v.Name(), v.Type(), b.typ)
		}
	}
	for v := range f.sig.Results().Variables() {
		if b, ok := results[v.Name()]; !ok {
			c.refuse(v.Pos(), "result name %q has no binding", v.Name())
		} else if b.typ != v.Type().String() {
			c.refuse(v.Pos(), "result %s has type %s, the binding is %s", v.Name(), v.Type(), b.typ)
		}
	}
}

func (c *checker) function(f *function) {
	if f.called {
		return
	}
	f.called = true
	c.stack = append(c.stack, f)
	outer := c.fn
	c.fn = f
	defer func() { c.fn, c.stack = outer, c.stack[:len(c.stack)-1] }()

	d := f.decl
	switch {
	case d.Recv != nil:
		c.refuse(d.Pos(), "method; only plain functions can be copied")
		return
	case d.Type.TypeParams != nil:
		c.refuse(d.Pos(), "type parameters")
		return
	case f.reference:
		c.refuse(d.Pos(), "is marked %s and cannot be called from other functions", referenceMark)
		return
	}
	for v := range f.sig.Results().Variables() {
		if v.Name() == "" || v.Name() == "_" {
			c.refuse(d.Type.Results.Pos(), "results must have names")
			return
		}
	}
	for v := range f.sig.Params().Variables() {
		if v.Name() == "" || v.Name() == "_" {
			c.refuse(d.Type.Params.Pos(), "parameters must have names")
			return
		}
	}
	body := d.Body.List
	if len(body) == 0 {
		c.refuse(d.Pos(), "empty body")
		return
	}
	last, ok := body[len(body)-1].(*ast.ReturnStmt)
	switch {
	case ok:
		body = body[:len(body)-1]
	case !c.effects || f.sig.Results().Len() > 0:
		c.refuse(d.Body.Rbrace, "the last statement must be the return")
		return
	}
	c.block(body)
	if last != nil {
		c.right(last.Results)
	}
}

// block checks statements of which the last may leave.
func (c *checker) block(list []ast.Stmt) {
	for i, s := range list {
		if call := c.leaves(s); call == nil {
			c.stmt(s)
		} else if i < len(list)-1 {
			c.refuse(s.Pos(), "statements behind what leaves")
		} else {
			for _, a := range call.Args {
				c.expr(a)
			}
		}
	}
}

// leaves returns the call of a statement that leaves a micro-operation.
func (c *checker) leaves(s ast.Stmt) *ast.CallExpr {
	st, ok := s.(*ast.ExprStmt)
	if !ok || !c.effects {
		return nil
	}
	call, ok := st.X.(*ast.CallExpr)
	if ok && c.funcs[c.callee(call)] != nil && leaving[c.funcs[c.callee(call)].name] != nil {
		return call
	}
	return nil
}

// right checks values that are assigned or returned. A function of several statements may be all of them.
func (c *checker) right(list []ast.Expr) {
	if len(list) == 1 && c.whole(list[0]) {
		return
	}
	for _, e := range list {
		c.expr(e)
	}
}

// whole checks a call of a body of several statements, and reports whether it is one.
func (c *checker) whole(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok || !c.effects {
		return false
	}
	f := c.funcs[c.callee(call)]
	if f == nil || leaving[f.name] != nil || len(f.decl.Body.List) > 0 && f.oneExpression() != nil {
		return false
	}
	for _, a := range call.Args {
		c.expr(a)
	}
	c.called(call, f)
	return true
}

// called checks the function that a call copies.
func (c *checker) called(e *ast.CallExpr, f *function) {
	if slices.Contains(c.stack, f) {
		c.refuse(e.Pos(), "recursive call of %s", f.name)
		return
	}
	c.function(f)
}

func (c *checker) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.ReturnStmt:
		c.refuse(s.Pos(), "return in the middle (single exit only)")
	case *ast.AssignStmt:
		for _, l := range s.Lhs {
			if _, ok := l.(*ast.Ident); !ok && !c.effects {
				c.refuse(l.Pos(), "assignment to something other than a variable")
			} else {
				c.expr(l)
			}
		}
		c.right(s.Rhs)
		c.opAssign(s)
	case *ast.ExprStmt:
		if !c.whole(s.X) {
			c.refuse(s.Pos(), "ExprStmt is not allowed")
		}
	case *ast.IncDecStmt:
		c.expr(s.X)
	case *ast.DeclStmt:
		gen, ok := s.Decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.VAR && gen.Tok != token.CONST {
			c.refuse(s.Pos(), "only var and const declarations")
			return
		}
		for _, spec := range gen.Specs {
			for _, v := range spec.(*ast.ValueSpec).Values {
				c.expr(v)
			}
		}
	case *ast.IfStmt:
		if s.Init != nil && !c.effects {
			c.refuse(s.Init.Pos(), "if with an init statement")
		} else if s.Init != nil {
			c.stmt(s.Init)
		}
		c.expr(s.Cond)
		c.stmt(s.Body)
		if s.Else != nil {
			c.stmt(s.Else)
		}
	case *ast.BlockStmt:
		c.block(s.List)
	default:
		c.refuse(s.Pos(), "%s is not allowed", strings.TrimPrefix(fmt.Sprintf("%T", s), "*ast."))
	}
}

// opAssign checks the operators of x /= y, x <<= n and the like.
func (c *checker) opAssign(s *ast.AssignStmt) {
	switch s.Tok {
	case token.QUO_ASSIGN, token.REM_ASSIGN:
		c.divide(s.TokPos, s.Rhs[0])
	case token.SHL_ASSIGN, token.SHR_ASSIGN:
		c.shift(s.Lhs[0], s.Rhs[0])
	}
}

func (c *checker) expr(e ast.Expr) {
	tv := c.fn.info.Types[e]
	if tv.Value != nil {
		return // a constant
	}
	switch e := e.(type) {
	case *ast.Ident:
		v, ok := c.object(e).(*types.Var)
		if ok && v.Parent() == v.Pkg().Scope() {
			c.refuse(e.Pos(), "package variable %s", e.Name)
		}
	case *ast.ParenExpr:
		c.expr(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.AND && !c.effects || e.Op == token.ARROW {
			c.refuse(e.Pos(), "pointers and channels are not allowed")
		}
		c.expr(e.X)
	case *ast.BinaryExpr:
		c.expr(e.X)
		c.expr(e.Y)
		switch e.Op {
		case token.QUO, token.REM:
			c.divide(e.OpPos, e.Y)
		case token.SHL, token.SHR:
			c.shift(e.X, e.Y)
		}
	case *ast.CallExpr:
		c.call(e)
	default:
		if c.effects && c.place(e) {
			return
		}
		c.refuse(e.Pos(), "%s is not allowed", strings.TrimPrefix(fmt.Sprintf("%T", e), "*ast."))
	}
}

// place checks an expression that names something in memory, and reports whether it is one.
func (c *checker) place(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		c.expr(e.X)
	case *ast.StarExpr:
		c.expr(e.X)
	case *ast.IndexExpr:
		c.expr(e.X)
		c.expr(e.Index)
	default:
		return false
	}
	return true
}

func (c *checker) object(id *ast.Ident) types.Object {
	if o := c.fn.info.Uses[id]; o != nil {
		return o
	}
	return c.fn.info.Defs[id]
}

func (c *checker) divide(at token.Pos, by ast.Expr) {
	if c.fn.info.Types[by].Value == nil && !c.divides {
		c.refuse(at, "division by a variable (it can panic, which is a call); leave the instruction to the reference engine")
	}
}

// shift wants unsigned counts masked to the width, or the compiler adds a comparison.
func (c *checker) shift(x, count ast.Expr) {
	tv := c.fn.info.Types[count]
	if tv.Value != nil {
		return
	}
	b, ok := tv.Type.Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsUnsigned == 0 {
		c.refuse(count.Pos(), "signed shift count")
		return
	}
	width := uint64(8 * types.SizesFor("gc", "amd64").Sizeof(c.fn.info.Types[x].Type))
	if r := c.fn.span(count); r.high >= width {
		c.refuse(count.Pos(), "shift count is not masked to %d bits", width)
	}
}

// span is a range of values that an unsigned expression stays in.
type span struct{ low, high uint64 }

// span returns bounds of an unsigned expression as far as constants, masks, min, max and local
// variables that are set once show them.
func (f *function) span(e ast.Expr) span {
	all := span{0, math.MaxUint64}
	if v := f.info.Types[e].Value; v != nil {
		if n, ok := constant.Uint64Val(constant.ToInt(v)); ok {
			return span{n, n}
		}
		return all
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return f.span(e.X)
	case *ast.Ident:
		if def := f.definition(f.info.Uses[e]); def != nil {
			return f.span(def)
		}
	case *ast.BinaryExpr:
		a, b := f.span(e.X), f.span(e.Y)
		switch e.Op {
		case token.AND:
			return span{0, min(a.high, b.high)}
		case token.SUB:
			if a.low >= b.high {
				return span{a.low - b.high, a.high - b.low}
			}
		case token.SHR:
			if b.low < 64 {
				return span{0, a.high >> b.low}
			}
		}
	case *ast.CallExpr:
		if id, ok := e.Fun.(*ast.Ident); ok && len(e.Args) == 2 {
			a, b := f.span(e.Args[0]), f.span(e.Args[1])
			switch id.Name {
			case "max":
				return span{max(a.low, b.low), max(a.high, b.high)}
			case "min":
				return span{min(a.low, b.low), min(a.high, b.high)}
			}
		}
	}
	return all
}

// definition returns the expression that a local variable is defined by when it is never assigned
// again, else nil.
func (f *function) definition(v types.Object) (def ast.Expr) {
	if v == nil || f.assigned()[v] {
		return nil
	}
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		if st, ok := n.(*ast.AssignStmt); ok && len(st.Lhs) == len(st.Rhs) {
			for i, l := range st.Lhs {
				if id, ok := l.(*ast.Ident); ok && f.info.Defs[id] == v {
					def = st.Rhs[i]
				}
			}
		}
		return true
	})
	return def
}

// intrinsics are the functions of math/bits that compile to instructions everywhere the leaf runs.
var intrinsics = map[string]bool{
	"Add32": true, "Add64": true, "Sub32": true, "Sub64": true, "Mul32": true, "Mul64": true,
	"LeadingZeros8": true, "LeadingZeros16": true, "LeadingZeros32": true, "LeadingZeros64": true,
	"TrailingZeros8": true, "TrailingZeros16": true, "TrailingZeros32": true, "TrailingZeros64": true,
	"Len8": true, "Len16": true, "Len32": true, "Len64": true,
	"RotateLeft8": true, "RotateLeft16": true, "RotateLeft32": true, "RotateLeft64": true,
	"ReverseBytes16": true, "ReverseBytes32": true, "ReverseBytes64": true,
}

func (c *checker) call(e *ast.CallExpr) {
	for _, a := range e.Args {
		c.expr(a)
	}
	if c.fn.info.Types[e.Fun].IsType() {
		return
	}
	obj := c.callee(e)
	if obj == nil {
		c.refuse(e.Pos(), "call of something other than a function")
		return
	}
	switch {
	case obj.Pkg() == nil: // a builtin
		if obj.Name() != "min" && obj.Name() != "max" {
			c.refuse(e.Pos(), "builtin %s is not allowed", obj.Name())
		}
	case obj.Pkg().Path() == "math/bits":
		if !intrinsics[obj.Name()] {
			c.refuse(e.Pos(), "bits.%s is not one instruction", obj.Name())
		}
	case c.effects && (obj.Pkg().Path() == "unsafe" || obj.Pkg().Path() == uopPath): // irexpr.go knows which
	default:
		f := c.funcs[obj]
		switch {
		case f == nil && c.effects:
			c.refuse(e.Pos(), "call of %s, which is not in cpu/internal/uop/body", obj.Name())
		case f == nil:
			c.refuse(e.Pos(), "call of %s, which is not in dspunit or cpu/internal/semantics", obj.Name())
		case c.effects && leaving[f.name] != nil:
			c.refuse(e.Pos(), "%s in an expression", f.name)
		case c.effects && f.oneExpression() == nil:
			c.refuse(e.Pos(), "call of %s, which is more than an expression, inside of one", f.name)
		default:
			c.called(e, f)
		}
	}
}

// calleeOf returns the object that a call names, nil when it is no plain name.
func (s *sources) calleeOf(info *types.Info, e *ast.CallExpr) types.Object {
	switch fun := ast.Unparen(e.Fun).(type) {
	case *ast.Ident:
		return info.Uses[fun]
	case *ast.SelectorExpr:
		if x, ok := fun.X.(*ast.Ident); ok {
			if _, ok := info.Uses[x].(*types.PkgName); ok {
				return info.Uses[fun.Sel]
			}
		}
	}
	return nil
}

func (c *checker) callee(e *ast.CallExpr) types.Object { return c.calleeOf(c.fn.info, e) }
