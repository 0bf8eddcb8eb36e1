package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"arcv2dsp/cpu/internal/jit/ir"
	"arcv2dsp/internal/term/steps"
)

// The second printer: every case once more as a program of the compiler's primitives. The text of the
// cases is written with a few functions left as calls, type-checked against the packages it is made for,
// and translated (irexpr.go, irstmt.go). A case that cannot be translated is an error.

// primitives are the functions that the compiler knows.
var primitives = map[string]ir.Op{
	"flagsZN": ir.FlagsZN, "flagsAdd": ir.FlagsAdd, "flagsSub": ir.FlagsSub, "isZero": ir.Eq, "Happened": ir.Ne,
}

// primitiveTexts declares them.
const primitiveTexts = `
func flagsZN(z uint32) (f uint32) { return }
func flagsAdd(x, y, z uint32) (f uint32) { return }
func flagsSub(x, y, z uint32) (f uint32) { return }
func isZero(v uint32) (b uint32) { return }
func Happened(lost int64) (c uint32) { return }
`

// bases are the objects that cases access, by how they name them. The first two are those that the
// variables c and e point to.
var bases = []string{"c", "e", "c.Mem.Read", "c.Mem.Write", "c.Mem.Kinds", "c.Mem.Parts", "e.Buffers", "e.FetchTags", "e.DataTags"}

// casesFile is the name of the text that is translated.
const casesFile = "cases.go"

// irFile renders the programs.
func (p *program) irFile(root string) (_ []byte, err error) {
	defer steps.Return(&err)
	keep := map[string]bool{}
	for name := range primitives {
		keep[name] = true
	}
	again := &program{sources: p.sources, bodies: p.bodies, ops: p.ops, forms: p.forms, keep: keep}
	steps.Check(again.build())
	var text bytes.Buffer
	text.WriteString(leafHead + "for {\nswitch int(u.Op) {\n")
	for i, c := range again.cases {
		fmt.Fprintf(&text, "case %d:\n%s", i, cmp.Or(c.compiled, c.body))
	}
	text.WriteString(leafTail)
	text.WriteString(primitiveTexts)

	t := &translator{names: again.cases, offsetAt: map[string]uint64{}}
	steps.Check(t.check(root, text.Bytes()))
	progs := steps.Must(t.translate())
	var b bytes.Buffer
	b.WriteString(header)
	b.WriteString("package uop\n\nimport (\n\"unsafe\"\n\n")
	for _, path := range []string{"arcv2dsp/cpu", "arcv2dsp/cpu/internal/timing", "arcv2dsp/dspunit", "arcv2dsp/memory"} {
		if slices.ContainsFunc(t.offsets, func(s string) bool { return strings.Contains(s, "(*"+filepath.Base(path)+".") }) {
			fmt.Fprintf(&b, "%q\n", path)
		}
	}
	b.WriteString(")\n\n// Objects that the programs of micro-operations access.\nconst (\n")
	for i, name := range bases {
		typ := ""
		if i == 0 {
			typ = " = iota"
		}
		fmt.Fprintf(&b, "%s%s // %s\n", baseName(name), typ, name)
	}
	b.WriteString("\nNumBases\n)\n\n// Offsets are the numbers that the programs name by their place.\nvar Offsets = [...]uint32{\n")
	for _, o := range t.offsets {
		fmt.Fprintf(&b, "uint32(%s),\n", o)
	}
	b.WriteString("}\n\n// Programs is what each micro-operation does, see ir.Parse.\nvar Programs = [NumOps]string{\n")
	slow := ir.Prog{{Op: ir.Exit, A: -1, B: -1, C: -1, Imm: t.slow()}}
	fmt.Fprintf(&b, "NONE: %s,\n", quoted(ir.Append(nil, slow)))
	limits := ir.Limits{Offsets: len(t.offsets), Bases: len(bases)}
	for i, prog := range progs {
		if err := ir.Check(prog, limits); err != nil {
			return nil, fmt.Errorf("%s: %w", again.cases[i].name, err)
		}
		fmt.Fprintf(&b, "%s: %s,\n", again.cases[i].name, quoted(ir.Append(nil, prog)))
	}
	b.WriteString("}\n")
	return formatted(b.Bytes())
}

// quoted is a string constant of some bytes.
func quoted(data []byte) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range data {
		fmt.Fprintf(&b, "\\x%02x", c)
	}
	b.WriteByte('"')
	return b.String()
}

// baseName is the constant of a base: c.Mem.Read is BaseMemRead.
func baseName(path string) string {
	name := "Base"
	for _, part := range strings.Split(path, ".") {
		switch part {
		case "c":
			if path == "c" {
				name += "CPU"
			}
		case "e":
			if path == "e" {
				name += "State"
			}
		default:
			name += strings.ToUpper(part[:1]) + part[1:]
		}
	}
	return name
}

// uopPath is the package that declares the types of the text. The text may call its functions of one expression.
const uopPath = "arcv2dsp/cpu/internal/uop"

// check type-checks the text as a file of package fast. Errors elsewhere do not matter: except in the package of
// its types, bodies and what they import are not read.
func (t *translator) check(root string, text []byte) error {
	imp := newImporter(root)
	t.fset = imp.fset
	file, err := parser.ParseFile(t.fset, casesFile, text, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	t.info = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	imp.info, imp.functions = t.info, map[string]*ast.FuncDecl{}
	var list []error
	conf := types.Config{Importer: imp, Sizes: types.SizesFor("gc", "amd64"), Error: func(err error) {
		var te types.Error
		if errors.As(err, &te) && t.fset.Position(te.Pos).Filename == casesFile {
			list = append(list, err)
		}
	}}
	_, _ = conf.Check("arcv2dsp/cpu/fast", t.fset, []*ast.File{file}, t.info)
	t.uop, t.functions, t.sizes = imp.pkgs[uopPath], imp.functions, conf.Sizes
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == "leaf" {
			t.leaf = f
		}
	}
	return errors.Join(list...)
}

// moduleImporter type-checks the declarations of packages of this module, and stands in for all others.
type moduleImporter struct {
	fset *token.FileSet
	root string
	pkgs map[string]*types.Package

	info      *types.Info              // of the package at uopPath, nil when nothing asks for it
	functions map[string]*ast.FuncDecl // of it
}

// newImporter returns an importer of the module at root.
func newImporter(root string) *moduleImporter {
	return &moduleImporter{fset: token.NewFileSet(), root: root, pkgs: map[string]*types.Package{}}
}

func (m *moduleImporter) Import(path string) (_ *types.Package, err error) {
	defer steps.Return(&err)
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p := m.pkgs[path]; p != nil {
		return p, nil
	}
	var files []*ast.File
	rest, ours := strings.CutPrefix(path, "arcv2dsp/")
	dir := filepath.Join(m.root, filepath.FromSlash(rest))
	if path == "math/bits" {
		files = append(files, steps.Must(parser.ParseFile(m.fset, "bits.go", bitsText, parser.SkipObjectResolution)))
	}
	if ours {
		entries := steps.Must(os.ReadDir(dir))
		for _, entry := range entries {
			if ok, err := build.Default.MatchFile(dir, entry.Name()); err != nil || !ok || strings.HasSuffix(entry.Name(), "_test.go") {
				continue
			}
			f := steps.Must(parser.ParseFile(m.fset, filepath.Join(dir, entry.Name()), nil, parser.SkipObjectResolution))
			files = append(files, f)
		}
	}
	conf := types.Config{Importer: m, Sizes: types.SizesFor("gc", "amd64"), IgnoreFuncBodies: true, Error: func(error) {}}
	var info *types.Info
	if path == uopPath && m.info != nil {
		conf.IgnoreFuncBodies, info = false, m.info
		for _, f := range files {
			for _, d := range f.Decls {
				if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil {
					m.functions[d.Name.Name] = d
				}
			}
		}
	}
	p, _ := conf.Check(path, m.fset, files, info)
	p.MarkComplete()
	m.pkgs[path] = p
	return p, nil
}

// translator turns the cases of the leaf into programs.
type translator struct {
	fset      *token.FileSet
	info      *types.Info
	uop       *types.Package
	sizes     types.Sizes
	leaf      *ast.FuncDecl
	functions map[string]*ast.FuncDecl // that cases call and that are one expression
	names     []leafCase
	offsets   []string
	offsetAt  map[string]uint64

	prog  ir.Prog
	env   map[types.Object]int32 // values of variables
	path  []int32                // conditions of the branches of choices that are translated without jumps
	made  map[ir.Inst]int32      // values by what makes them, while no branch is open
	depth int
	done  bool // what follows is not reached
	err   error
}

// translate returns the programs of all cases.
func (t *translator) translate() ([]ir.Prog, error) {
	var progs []ir.Prog
	var list []error
	ast.Inspect(t.leaf, func(n ast.Node) bool {
		sw, ok := n.(*ast.SwitchStmt)
		if !ok {
			return true
		}
		for _, st := range sw.Body.List {
			clause := st.(*ast.CaseClause)
			if clause.List == nil || len(progs) == len(t.names) {
				continue
			}
			t.prog, t.env, t.path = nil, map[types.Object]int32{}, nil
			t.made, t.depth, t.done, t.err = map[ir.Inst]int32{}, 0, false, nil
			t.variables()
			t.list(clause.Body, nil)
			if t.err != nil {
				list = append(list, fmt.Errorf("case %s: %w", t.names[len(progs)].name, t.err))
			}
			progs = append(progs, live(t.prog))
		}
		return false
	})
	return progs, errors.Join(list...)
}

// variables gives the variables of the leaf values.
func (t *translator) variables() {
	zero := t.constant(0)
	for _, st := range t.leaf.Body.List {
		if d, ok := st.(*ast.DeclStmt); ok {
			for _, spec := range d.Decl.(*ast.GenDecl).Specs {
				for _, name := range spec.(*ast.ValueSpec).Names {
					t.env[t.info.Defs[name]] = zero
				}
			}
		}
	}
}

// fail notes that something cannot be translated.
func (t *translator) fail(n ast.Node, format string, args ...any) int32 {
	if t.err == nil {
		t.err = fmt.Errorf("%s: %s", t.fset.Position(n.Pos()), fmt.Sprintf(format, args...))
	}
	return 0
}

// emit appends an instruction, or returns the one before that makes the same value.
func (t *translator) emit(in ir.Inst) int32 {
	if t.done && in.Op != ir.Else && in.Op != ir.End {
		return 0
	}
	pure := !in.Op.Effect() && (in.Op < ir.Load8 || in.Op > ir.Load64)
	if pure {
		if v, ok := t.fold(in); ok {
			return v
		}
		if n, ok := t.made[in]; ok {
			return n
		}
	}
	t.prog = append(t.prog, in)
	n := int32(len(t.prog) - 1)
	if pure && t.depth == 0 {
		t.made[in] = n
	}
	return n
}

// fold computes a value of constants.
func (t *translator) fold(in ir.Inst) (int32, bool) {
	var v [3]uint64
	if in.Op == ir.Const || len(in.Operands()) == 0 {
		return 0, false
	}
	if in.Op == ir.Way {
		return 0, false
	}
	for i, n := range in.Operands() {
		if t.prog[n].Op != ir.Const {
			return 0, false
		}
		v[i] = t.prog[n].Imm
	}
	return t.constant(ir.Value(in.Op, in.Wide, v[0], v[1], v[2])), true
}

func (t *translator) op(op ir.Op, wide bool, operands ...int32) int32 {
	in := ir.Inst{Op: op, Wide: wide, A: -1, B: -1, C: -1}
	for i, x := range []*int32{&in.A, &in.B, &in.C} {
		if i < len(operands) {
			*x = operands[i]
		}
	}
	return t.emit(in)
}

func (t *translator) number(op ir.Op, imm uint64) int32 {
	return t.emit(ir.Inst{Op: op, A: -1, B: -1, C: -1, Imm: imm})
}

func (t *translator) constant(v uint64) int32 { return t.number(ir.Const, v) }

// offset is the number that an expression of package unsafe stands for.
func (t *translator) offset(text string) int32 {
	n, ok := t.offsetAt[text]
	if !ok {
		n = uint64(len(t.offsets))
		t.offsetAt[text] = n
		t.offsets = append(t.offsets, text)
	}
	return t.number(ir.Offset, n)
}

// live drops the instructions that nothing needs.
func live(p ir.Prog) ir.Prog {
	need := make([]bool, len(p))
	for i := len(p) - 1; i >= 0; i-- {
		if p[i].Op.Effect() {
			need[i] = true
		}
		if need[i] {
			for _, x := range p[i].Operands() {
				if x >= 0 {
					need[x] = true
				}
			}
		}
	}
	at := make([]int32, len(p))
	var out ir.Prog
	for i, in := range p {
		if !need[i] {
			continue
		}
		for _, x := range []*int32{&in.A, &in.B, &in.C} {
			if *x >= 0 {
				*x = at[*x]
			}
		}
		at[i] = int32(len(out))
		out = append(out, in)
	}
	return out
}
