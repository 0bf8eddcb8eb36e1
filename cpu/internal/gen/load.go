package main

import (
	"fmt"
	"go/ast"
	"go/build"
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

// referenceMark in the comment of a function keeps it out of the leaf: its body may do anything.
const referenceMark = "//engine:reference"

// function is one function whose body can be copied into the leaf.
type function struct {
	name      string
	decl      *ast.FuncDecl
	info      *types.Info
	sig       *types.Signature
	reference bool
	called    bool // checked already

	file *ast.File // of a body
}

// sources holds the type-checked packages the generator reads.
type sources struct {
	fset  *token.FileSet
	funcs map[types.Object]*function
	// instructions are the exported functions of the semantics package by name.
	instructions map[string]*function
	// comparisons are the functions that decide compare-and-branch instructions, by what follows Compare.
	comparisons map[string]*function
	divisions   map[string]*function // and those that make up divisions
	mode        []modeField
	others      types.Importer // of packages that are not loaded for their functions
	pkgs        map[string]*types.Package

	effects bool // functions may access memory and leave: those of cpu/internal/uop/body
}

// modeField is a field of dspunit.Mode as functions receive it.
type modeField struct{ param, field, typ string }

// load parses and type-checks dspunit and cpu/internal/semantics under the module root of others, which reads what else
// they import.
func load(others *moduleImporter) (_ *sources, err error) {
	defer steps.Return(&err)
	s := &sources{
		fset:         others.fset,
		funcs:        map[types.Object]*function{},
		instructions: map[string]*function{},
		comparisons:  map[string]*function{},
		divisions:    map[string]*function{},
		pkgs:         map[string]*types.Package{},
		others:       others,
	}
	unit := steps.Must(s.loadDir("arcv2dsp/dspunit", filepath.Join(others.root, "dspunit")))
	steps.Check(s.readMode(unit))
	steps.Must(s.loadDir("arcv2dsp/cpu/internal/semantics", filepath.Join(others.root, "cpu", "internal", "semantics")))
	return s, nil
}

// Import serves the packages loaded so far, and declarations of others.
func (s *sources) Import(path string) (*types.Package, error) {
	if p := s.pkgs[path]; p != nil {
		return p, nil
	}
	if !importable(path) {
		return nil, fmt.Errorf("functions that are copied import math/bits and packages of the module alone")
	}
	return s.others.Import(path)
}

// importable reports whether a package is one whose declarations can be read: no source of the standard library is.
func importable(path string) bool {
	return path == "math/bits" || path == "unsafe" || strings.HasPrefix(path, "arcv2dsp/")
}

func (s *sources) loadDir(path, dir string) (*types.Package, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if ok, err := build.Default.MatchFile(dir, name); err != nil || !ok {
			continue
		}
		f, err := parser.ParseFile(s.fset, filepath.Join(dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return s.check(path, files)
}

// check type-checks the files of one package and records its functions.
func (s *sources) check(path string, files []*ast.File) (*types.Package, error) {
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{},
		Defs:  map[*ast.Ident]types.Object{},
		Uses:  map[*ast.Ident]types.Object{},
	}
	conf := types.Config{Importer: s, Sizes: types.SizesFor("gc", "amd64")}
	pkg, err := conf.Check(path, s.fset, files, info)
	if err != nil {
		return nil, err
	}
	s.pkgs[path] = pkg
	for _, file := range files {
		for _, d := range file.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok || decl.Body == nil {
				continue
			}
			obj := info.Defs[decl.Name]
			f := &function{name: decl.Name.Name, decl: decl, info: info}
			f.sig, _ = obj.Type().(*types.Signature)
			f.reference = decl.Doc != nil && slices.ContainsFunc(decl.Doc.List, func(c *ast.Comment) bool {
				return strings.TrimSpace(c.Text) == referenceMark
			})
			s.funcs[obj] = f
			if strings.HasSuffix(path, "/semantics") && decl.Recv == nil {
				switch kind, compares := strings.CutPrefix(f.name, "Compare"); {
				case compares:
					s.comparisons[kind] = f
				case isInstruction(f.name):
					s.instructions[f.name] = f
				case divisionName.MatchString(f.name):
					s.divisions[f.name] = f
				}
			}
		}
	}
	return pkg, nil
}

// divisionName tells the functions that divisions consist of.
var divisionName = regexp.MustCompile("^(No)?(Quotient|Remainder)(Signed)?$")

// isInstruction tells the name of an instruction, all capitals and digits, from that of a helper.
func isInstruction(name string) bool {
	return name[0] >= 'A' && name[0] <= 'Z' && name == strings.ToUpper(name)
}

// readMode learns which parameters are bound to fields of dspunit.Mode.
func (s *sources) readMode(unit *types.Package) error {
	obj := unit.Scope().Lookup("Mode")
	if obj == nil {
		return fmt.Errorf("package dspunit has no type Mode")
	}
	st, ok := obj.Type().Underlying().(*types.Struct)
	if !ok {
		return fmt.Errorf("dspunit.Mode is not a struct")
	}
	for f := range st.Fields() {
		name := f.Name()
		s.mode = append(s.mode, modeField{
			param: strings.ToLower(name[:1]) + name[1:], field: name, typ: f.Type().String(),
		})
	}
	return nil
}

// pos formats a position for error messages.
func (s *sources) pos(p token.Pos) string {
	at := s.fset.Position(p)
	return fmt.Sprintf("%s:%d:%d", at.Filename, at.Line, at.Column)
}
