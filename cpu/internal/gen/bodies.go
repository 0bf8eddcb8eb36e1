package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"arcv2dsp/internal/term/steps"
)

// The functions of cpu/internal/uop/body, and how their text goes into a case: as it stands, but for names that are taken,
// calls of functions of the package, which become their statements, and what leaves.

// bodyPath is the package of the bodies.
const bodyPath = "arcv2dsp/cpu/internal/uop/body"

// bodyTopics are its files with micro-operations, in the order of their numbers.
var bodyTopics = []string{"move.go", "memory.go", "branch.go", "loop.go", "port.go", "status.go", "driver.go"}

// bodyRest are the files without.
var bodyRest = []string{"doc.go", "leave.go"}

// Marks in the bodies.
const (
	largeMark  = "//leaf:large"  // in a comment: the case needs many registers however short it is
	unparkMark = "//leaf:unpark" // in a body: here it no longer does
)

// bodies holds the type-checked package of the bodies.
type bodies struct {
	*sources
	text  map[string][]byte    // of its files
	files map[string]*ast.File // by their names without directory
	parts map[string]*function // by name
}

// loadBodies parses and type-checks the bodies under the module root of others, which reads what they import.
func loadBodies(others *moduleImporter) (_ *bodies, err error) {
	defer steps.Return(&err)
	b := &bodies{
		sources: &sources{fset: others.fset, funcs: map[types.Object]*function{}, others: others, effects: true},
		text:    map[string][]byte{}, files: map[string]*ast.File{}, parts: map[string]*function{},
	}
	dir := filepath.Join(others.root, "cpu", "internal", "uop", "body")
	entries := steps.Must(os.ReadDir(dir))
	for _, entry := range entries {
		name := entry.Name()
		if strings.HasSuffix(name, "_test.go") || !strings.HasSuffix(name, ".go") {
			continue
		}
		if !slices.Contains(bodyTopics, name) && !slices.Contains(bodyRest, name) {
			return nil, fmt.Errorf("%s: bodyTopics of the generator does not name this file", filepath.Join(dir, name))
		}
		path := filepath.Join(dir, name)
		text := steps.Must(os.ReadFile(path))
		steps.Check(b.parse(path, name, text))
	}
	return b, b.resolve()
}

func (b *bodies) parse(path, name string, text []byte) error {
	file, err := parser.ParseFile(b.fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
	b.text[path], b.files[name] = text, file
	return err
}

// resolve type-checks the files and finds the functions.
func (b *bodies) resolve() error {
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
	}
	var list []error
	conf := types.Config{Importer: b.sources, Sizes: types.SizesFor("gc", "amd64"), Error: func(err error) { list = append(list, err) }}
	var files []*ast.File
	for _, name := range slices.Concat(bodyTopics, bodyRest) {
		if b.files[name] != nil {
			files = append(files, b.files[name])
		}
	}
	_, _ = conf.Check(bodyPath, b.fset, files, info)
	if len(list) > 0 {
		return errors.Join(list...)
	}
	for _, file := range files {
		for _, d := range file.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			obj := info.Defs[decl.Name]
			f := &function{name: decl.Name.Name, decl: decl, info: info, file: file}
			f.sig, _ = obj.Type().(*types.Signature)
			b.funcs[obj] = f
			b.parts[f.name] = f
		}
	}
	return nil
}

// operations are the functions of a file that are micro-operations, in order.
func (b *bodies) operations(file string) (list []*function) {
	for _, d := range b.files[file].Decls {
		if decl, ok := d.(*ast.FuncDecl); ok && isInstruction(decl.Name.Name) {
			list = append(list, b.parts[decl.Name.Name])
		}
	}
	return list
}

// docText returns the comment of a function behind its name.
func (f *function) docText() string {
	first, _, _ := strings.Cut(f.decl.Doc.Text(), "\n")
	return strings.TrimPrefix(first, f.name+": ")
}

func (f *function) marked(mark string) bool {
	return f.decl.Doc != nil && slices.ContainsFunc(f.decl.Doc.List, func(c *ast.Comment) bool { return c.Text == mark })
}

// oneExpression returns the expression that a function returns when it does nothing else.
func (f *function) oneExpression() ast.Expr {
	if ret, ok := f.decl.Body.List[0].(*ast.ReturnStmt); ok && len(ret.Results) == 1 {
		return ret.Results[0]
	}
	return nil
}

// leaving says how each function of leave.go stands in the leaf.
var leaving = map[string]func(args []string) string{
	"slow":   func([]string) string { return "goto slow" },
	"skip":   func([]string) string { return "goto skip" },
	"exit":   func(args []string) string { return "return " + args[0] + ", blk, u, nil" },
	"exitBy": func(args []string) string { return "return " + args[0] + ", blk, u, " + args[1] },
}

// writer writes bodies into one case.
type writer struct {
	*bodies
	out   *bytes.Buffer
	fresh func(name string) string // a name that the case does not have yet
}

// frame is one function while it is written.
type frame struct {
	*function
	names   map[types.Object]string
	results []string
	define  map[types.Object]bool // results that their first assignment declares
}

func (w *writer) line(text string) {
	w.out.WriteString(text)
	w.out.WriteByte('\n')
}

// operation writes the case of a micro-operation.
func (w *writer) operation(f *function) {
	var results []string
	for v := range f.sig.Results().Variables() {
		results = append(results, v.Name())
	}
	var args []string
	for v := range f.sig.Params().Variables() {
		args = append(args, v.Name())
	}
	w.call(f, results, false, args)
	if len(results) > 0 {
		w.line("goto next")
	}
}

// duplicable tells arguments that may stand in several places: variables, and fields of the micro-operation.
var duplicable = regexp.MustCompile(`^(u\.)?\w+$`)

// call writes the statements of a function. Its results go to the variables left, which it declares when define is set; "_"
// drops one.
func (w *writer) call(f *function, left []string, define bool, args []string) {
	fr := &frame{function: f, names: map[types.Object]string{}, define: map[types.Object]bool{}}
	assigned := f.assigned()
	i := 0
	for v := range f.sig.Params().Variables() {
		if arg := args[i]; !assigned[v] && (duplicable.MatchString(arg) || f.mentions(v) < 2) {
			fr.names[v] = arg
		} else {
			fr.names[v] = w.fresh(v.Name())
			w.line(fr.names[v] + " := " + arg)
		}
		i++
	}
	var dropped []string
	i = 0
	for v := range f.sig.Results().Variables() {
		name, declare := "_", define
		if i < len(left) {
			name = left[i]
		}
		if name == "_" {
			name, declare = w.fresh(v.Name()), true
			dropped = append(dropped, name)
		}
		fr.names[v] = name
		fr.results = append(fr.results, name)
		switch {
		case !declare:
		case f.assignedFirst(v):
			fr.define[v] = true
		case assigned[v]:
			w.line("var " + name + " " + types.TypeString(v.Type(), (*types.Package).Name))
		default: // by the return
			fr.define[v] = true
		}
		i++
	}
	w.list(fr, f.decl.Body.List, f.decl.Body.Rbrace)
	for _, name := range dropped {
		w.line("_ = " + name)
	}
}

// mentions counts how often the body names a variable.
func (f *function) mentions(v types.Object) (n int) {
	ast.Inspect(f.decl.Body, func(node ast.Node) bool {
		if id, ok := node.(*ast.Ident); ok && f.info.Uses[id] == v {
			n++
		}
		return true
	})
	return n
}

// assignedFirst reports whether the first statement that names a result gives it its value.
func (f *function) assignedFirst(v types.Object) bool {
	for _, st := range f.decl.Body.List {
		n := 0
		ast.Inspect(st, func(node ast.Node) bool {
			if id, ok := node.(*ast.Ident); ok && f.info.Uses[id] == v {
				n++
			}
			return true
		})
		if n > 0 {
			assign, ok := st.(*ast.AssignStmt)
			return ok && n == 1 && assign.Tok == token.ASSIGN && len(assign.Lhs) == 1 && f.isUse(assign.Lhs[0], v)
		}
	}
	return false
}

func (f *function) isUse(e ast.Expr, v types.Object) bool {
	id, ok := e.(*ast.Ident)
	return ok && f.info.Uses[id] == v
}

// list writes statements, and the marks between them and in front of end.
func (w *writer) list(fr *frame, list []ast.Stmt, end token.Pos) {
	from := end
	if len(list) > 0 {
		from = list[0].Pos()
	}
	for _, st := range list {
		w.marks(fr, from, st.Pos())
		w.stmt(fr, st)
		from = st.End()
	}
	w.marks(fr, from, end)
}

func (w *writer) marks(fr *frame, from, to token.Pos) {
	for _, group := range fr.file.Comments {
		for _, c := range group.List {
			if c.Pos() >= from && c.End() <= to && c.Text == unparkMark {
				w.line(unparkHere)
			}
		}
	}
}

func (w *writer) stmt(fr *frame, st ast.Stmt) {
	switch st := st.(type) {
	case *ast.ReturnStmt:
		w.results(fr, st)
	case *ast.ExprStmt:
		call := st.X.(*ast.CallExpr)
		f := w.funcs[w.calleeOf(fr.info, call)]
		if leave := leaving[f.name]; leave != nil {
			w.line(leave(w.texts(fr, call.Args)))
			return
		}
		w.call(f, nil, false, w.texts(fr, call.Args))
	case *ast.AssignStmt:
		w.assign(fr, st)
	case *ast.IfStmt:
		w.ifStmt(fr, st)
	case *ast.BlockStmt:
		w.list(fr, st.List, st.Rbrace)
	default:
		w.line(w.text(fr, st))
	}
}

// results writes what a return assigns.
func (w *writer) results(fr *frame, st *ast.ReturnStmt) {
	if f := w.statements(fr, st.Results); f != nil {
		w.call(f, fr.results, len(fr.define) > 0, w.texts(fr, st.Results[0].(*ast.CallExpr).Args))
		return
	}
	for i, e := range st.Results {
		v := fr.sig.Results().At(i)
		if text := w.text(fr, e); text != fr.results[i] {
			w.line(fr.results[i] + " " + fr.assignment(v) + " " + text)
		}
	}
}

// assignment is the token by which a result gets a value, a definition at most once.
func (fr *frame) assignment(v types.Object) string {
	if fr.define[v] {
		delete(fr.define, v)
		return ":="
	}
	return "="
}

// statements returns the function whose statements stand for the only one of some expressions.
func (w *writer) statements(fr *frame, list []ast.Expr) *function {
	if len(list) != 1 {
		return nil
	}
	if call, ok := list[0].(*ast.CallExpr); ok {
		if f := w.funcs[w.calleeOf(fr.info, call)]; f != nil && f.oneExpression() == nil {
			return f
		}
	}
	return nil
}

func (w *writer) assign(fr *frame, st *ast.AssignStmt) {
	f := w.statements(fr, st.Rhs)
	var args []string
	if f != nil {
		args = w.texts(fr, st.Rhs[0].(*ast.CallExpr).Args)
	}
	right := ""
	if f == nil {
		right = strings.Join(w.texts(fr, st.Rhs), ", ")
	}
	tok := st.Tok.String()
	var left []string
	for _, l := range st.Lhs {
		id, ok := l.(*ast.Ident)
		if ok && id.Name != "_" && fr.info.Defs[id] != nil {
			fr.names[fr.info.Defs[id]] = w.fresh(id.Name)
		}
		if ok && st.Tok == token.ASSIGN && len(st.Lhs) == 1 {
			tok = fr.assignment(fr.info.Uses[id])
		}
		left = append(left, w.text(fr, l))
	}
	if f != nil {
		w.call(f, left, tok == ":=", args)
		return
	}
	w.line(strings.Join(left, ", ") + " " + tok + " " + right)
}

func (w *writer) ifStmt(fr *frame, st *ast.IfStmt) {
	head := "if "
	if st.Init != nil {
		init := st.Init.(*ast.AssignStmt)
		for _, l := range init.Lhs {
			if obj := fr.info.Defs[l.(*ast.Ident)]; obj != nil {
				fr.names[obj] = w.fresh(obj.Name())
			}
		}
		head += w.text(fr, init) + "; "
	}
	w.line(head + w.text(fr, st.Cond) + " {")
	w.list(fr, st.Body.List, st.Body.Rbrace)
	switch other := st.Else.(type) {
	case *ast.BlockStmt:
		w.line("} else {")
		w.list(fr, other.List, other.Rbrace)
	case *ast.IfStmt:
		w.out.WriteString("} else ")
		w.ifStmt(fr, other)
		return
	}
	w.line("}")
}

func (w *writer) texts(fr *frame, list []ast.Expr) []string {
	var texts []string
	for _, e := range list {
		texts = append(texts, w.text(fr, e))
	}
	return texts
}

// text is a node as it stands in its file, with names and calls replaced.
func (w *writer) text(fr *frame, node ast.Node) string {
	start := w.fset.Position(node.Pos())
	src := w.bodies.text[start.Filename]
	var out strings.Builder
	at := start.Offset
	replace := func(n ast.Node, text string) {
		out.Write(src[at:w.fset.Position(n.Pos()).Offset])
		out.WriteString(text)
		at = w.fset.Position(n.End()).Offset
	}
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok {
				if name, ok := fr.names[fr.info.Uses[id]]; ok {
					replace(id, bracketed(name))
				}
				return false
			}
		case *ast.CallExpr:
			if f := w.funcs[w.calleeOf(fr.info, n)]; f != nil {
				replace(n, w.expression(f, w.texts(fr, n.Args)))
				return false
			}
		case *ast.BinaryExpr, *ast.UnaryExpr:
			return true
		case *ast.Ident:
			if name, ok := fr.names[fr.object(n)]; ok {
				if isOperand(node, n) {
					name = bracketed(name)
				}
				replace(n, name)
			}
		}
		return true
	})
	out.Write(src[at:w.fset.Position(node.End()).Offset])
	return out.String()
}

func (f *function) object(id *ast.Ident) types.Object {
	if o := f.info.Uses[id]; o != nil {
		return o
	}
	return f.info.Defs[id]
}

// isOperand reports whether a name is an operand of an operator in a node.
func isOperand(node ast.Node, id *ast.Ident) (found bool) {
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			found = found || n.X == id || n.Y == id
		case *ast.UnaryExpr:
			found = found || n.X == id
		case *ast.StarExpr:
			found = found || n.X == id
		}
		return true
	})
	return found
}

// bracketed is an argument as an operand.
func bracketed(arg string) string {
	e, err := parser.ParseExpr(arg)
	if _, binary := e.(*ast.BinaryExpr); err != nil || binary {
		return "(" + arg + ")"
	}
	return arg
}

// expression is a call of a function that is one expression.
func (w *writer) expression(f *function, args []string) string {
	fr := &frame{function: f, names: map[types.Object]string{}}
	i := 0
	for v := range f.sig.Params().Variables() {
		fr.names[v] = args[i]
		i++
	}
	return bracketed(w.text(fr, f.oneExpression()))
}
