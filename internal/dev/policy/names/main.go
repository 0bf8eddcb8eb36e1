// Command names lists the exported names of a source tree by public package, a name to a line: functions, types,
// constants, variables, and methods as TYPE.METHOD. Two releases are compared by diff.
//
//	go run ./internal/dev/policy/names [DIR]
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	dir := "."
	if len(os.Args) > 1 {
		dir = os.Args[1]
	}
	list, err := exported(dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, "names:", err)
		os.Exit(1)
	}
	for _, line := range list {
		fmt.Println(line)
	}
}

// exported lists "FOLDER NAME" for every exported name below a folder, in order. Commands, tests and internal packages
// have none that another module could use.
func exported(dir string) ([]string, error) {
	var list []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() {
			if path != dir && (strings.HasPrefix(name, ".") || name == "internal" || name == "cmd" || name == "testdata") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil || f.Name.Name == "main" {
			return err
		}
		folder, err := filepath.Rel(dir, filepath.Dir(path))
		if err != nil {
			return err
		}
		for _, name := range namesOf(f) {
			list = append(list, filepath.ToSlash(folder)+" "+name)
		}
		return nil
	})
	slices.Sort(list)
	return slices.Compact(list), err // files for several hosts declare the same names
}

// namesOf lists the exported names that a file declares.
func namesOf(f *ast.File) (names []string) {
	add := func(id *ast.Ident) {
		if id.IsExported() {
			names = append(names, id.Name)
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			switch of := receiver(d); {
			case of == nil:
				add(d.Name)
			case of.IsExported() && d.Name.IsExported():
				names = append(names, of.Name+"."+d.Name.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					add(s.Name)
				case *ast.ValueSpec:
					for _, id := range s.Names {
						add(id)
					}
				}
			}
		}
	}
	return names
}

// receiver is the type of a method, nil for a function.
func receiver(d *ast.FuncDecl) *ast.Ident {
	if d.Recv == nil {
		return nil
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x
		default:
			return nil
		}
	}
}
