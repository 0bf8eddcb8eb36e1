// Command gen writes what both engines have of the instruction functions of cpu/internal/semantics: for the reference
// engine how to call them, and the methods of other instructions (reference.go), for the fast one the leaf, one case per
// micro-operation, its arithmetic copied from them and the dspunit functions they call.
//
// Operands and results are bound by parameter name (bind.go), bodies are copied by substitution
// (expand.go) after a check that they can be (check.go), and rid of what nothing needs (prune.go);
// cases.go says which variants an instruction has. Micro-operations that are not arithmetic are functions of
// cpu/internal/uop/body, checked and copied likewise (bodies.go); fixed.go puts them together.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"arcv2dsp/internal/term/steps"
)

func main() {
	root := flag.String("root", "../..", "root of the module")
	flag.Parse()
	files, err := generate(*root)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(*root, "cpu", "fast", name), text, 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// generate returns the generated files by name.
func generate(root string) (_ map[string][]byte, err error) {
	defer steps.Return(&err)
	others := newImporter(root)
	s := steps.Must(load(others))
	if list := s.checkAll(); len(list) > 0 {
		return nil, list
	}
	b := steps.Must(loadBodies(others))
	if list := b.checkBodies(); len(list) > 0 {
		return nil, list
	}
	p := &program{sources: s, bodies: b}
	steps.Check(p.readForms(root))
	steps.Check(p.build())
	files := map[string][]byte{}
	for name, render := range map[string]func() ([]byte, error){
		"../pure_gen.go":                  p.referenceFile,
		"leaf_gen.go":                     p.leafFile,
		"../internal/uop/uops_gen.go":     p.uopFile,
		"../internal/uop/programs_gen.go": func() ([]byte, error) { return p.irFile(root) },
	} {
		if files[name], err = render(); err != nil {
			return files, fmt.Errorf("%s: %w", name, err)
		}
	}
	return files, nil
}
