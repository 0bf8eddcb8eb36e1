package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"

	"arcv2dsp/isa"
)

// suffixes are the modifiers that some form of an operation takes.
type suffixes struct {
	flags bool // .f
	cond  bool // .cc
}

// readForms finds out which modifiers each operation can have, by the name of its constant.
func (p *program) readForms(root string) error {
	names, err := opNames(filepath.Join(root, "isa", "ops_gen.go"))
	if err != nil {
		return err
	}
	byOp := map[isa.Op]suffixes{}
	for _, r := range isa.Rows() {
		for _, f := range r.Forms() {
			s := byOp[f.Exec]
			s.flags = s.flags || f.Allow&isa.ModF != 0 || f.Fix.SetFlags
			s.cond = s.cond || f.Allow&isa.ModCC != 0 || f.Fix.Cond != isa.CondAL
			byOp[f.Exec] = s
		}
	}
	p.constants = names
	p.ops, p.forms = map[string]isa.Op{}, map[string]suffixes{}
	for op, name := range names {
		p.ops[name] = isa.Op(op)
		p.forms[name] = byOp[isa.Op(op)]
	}
	return nil
}

// opNames returns the names of the operation constants by value.
func opNames(file string) ([]string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, d := range f.Decls {
		gen, ok := d.(*ast.GenDecl)
		if !ok || gen.Tok != token.CONST {
			continue
		}
		for _, spec := range gen.Specs {
			for _, id := range spec.(*ast.ValueSpec).Names {
				names = append(names, id.Name)
			}
		}
	}
	return names, nil
}
