package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// switchName is the file that each package with faults gets.
const switchName = "mutant_switch.go"

// switchText reads the number of the fault once. A package variable cannot be told twice, so mutantPick tells it between
// two values.
const switchText = `package %s

import (
	"os"
	"strconv"
)

var mutant, _ = strconv.Atoi(os.Getenv("ARCV2DSP_MUTANT"))

func mutantPick[T any](row int, right, faulty T) T {
	if mutant == row {
		return faulty
	}
	return right
}
`

// assembler is the folder with the function Assemble, which gives assembly the number of the fault as a symbol.
const assembler = "asm"

// writeOverlay writes the sources with all faults below dir, and the list that the go tool reads, whose name it returns.
func writeOverlay(tree fs.FS, dir string, rows []row) (list string, err error) {
	byFile := map[string][]row{}
	assembly := false
	for _, r := range rows {
		byFile[r.file] = append(byFile[r.file], r)
		assembly = assembly || path.Ext(r.file) != ".go"
	}
	if assembly {
		entry, err := entryOfAssembler(tree)
		if err != nil {
			return "", err
		}
		byFile[entry] = append(byFile[entry], nil...) // it changes without faults as well
	}
	root, err := os.Getwd()
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	put := func(name, text string) error {
		to := filepath.Join(dir, "sources", name)
		replace[filepath.Join(root, name)] = to
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		return os.WriteFile(to, []byte(text), 0o644)
	}
	for name, of := range byFile {
		text, err := faulty(tree, name, of)
		if err != nil {
			return "", err
		}
		if err := put(name, text); err != nil {
			return "", err
		}
		if path.Ext(name) != ".go" {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.PackageClauseOnly)
		if err != nil {
			return "", err
		}
		if err := put(path.Join(path.Dir(name), switchName), fmt.Sprintf(switchText, f.Name.Name)); err != nil {
			return "", err
		}
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	list = filepath.Join(dir, "overlay.json")
	return list, os.WriteFile(list, data, 0o644)
}

// faulty is the text of a file with all its faults and their switches.
func faulty(tree fs.FS, name string, rows []row) (string, error) {
	data, err := fs.ReadFile(tree, name)
	if err != nil {
		return "", err
	}
	text := string(data)
	c := changes{text: text, name: name}
	if path.Ext(name) == ".go" {
		if c.file, err = parser.ParseFile(&c.set, name, text, parser.SkipObjectResolution); err != nil {
			return "", err
		}
		c.giveSymbol()
	}
	for _, r := range rows {
		at, err := r.find(text)
		if err == nil && c.file != nil {
			err = c.inGo(r, at)
		} else if err == nil {
			c.inAssembly(r, at)
		}
		if err != nil {
			return "", r.wrap(fmt.Errorf("%s: %w", name, err))
		}
	}
	return c.apply(), nil
}

// changes are insertions into a file.
type changes struct {
	name, text string
	set        token.FileSet
	file       *ast.File // of Go code
	list       []insertion
}

// insertion is text in front of an offset. Of several at one offset, those of a lower rank stand first.
type insertion struct {
	at   int
	rank int
	text string
}

// insert puts text in front of a place of Go code.
func (c *changes) insert(at token.Pos, rank int, text string) {
	c.list = append(c.list, insertion{at: c.offset(at), rank: rank, text: text})
}

// apply is the text with the insertions.
func (c *changes) apply() string {
	slices.SortStableFunc(c.list, func(a, b insertion) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.rank, b.rank)) })
	var b strings.Builder
	last := 0
	for _, i := range c.list {
		b.WriteString(c.text[last:i.at])
		b.WriteString(i.text)
		last = i.at
	}
	return b.String() + c.text[last:]
}

// inAssembly lets the assembler choose between the place and the fault.
func (c *changes) inAssembly(r row, at place) {
	c.list = append(c.list,
		insertion{at: at.start, text: fmt.Sprintf("\t.if MUTANT==%d\n%s\t.else\n", r.number, at.faulty)},
		insertion{at: at.end, text: "\t.endif\n"})
}

// rightName begins the name of a constant whose own name is a variable's.
const rightName = "right_"

// inGo repeats the function of the place, or the value of its variable or constant, with the fault.
func (c *changes) inGo(r row, at place) error {
	text := c.text[:at.start] + at.faulty + c.text[at.end:]
	var set token.FileSet
	file, err := parser.ParseFile(&set, c.name, text, parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("the fault is no Go code: %w", err)
	}
	right := func(from, to token.Pos) string { return c.text[c.offset(from):c.offset(to)] }
	wrong := func(from, to token.Pos) string {
		return text[set.Position(from).Offset:set.Position(to).Offset]
	}
	for i, d := range c.file.Decls {
		if at.start < c.offset(d.Pos()) || at.end > c.offset(d.End())+1 || i >= len(file.Decls) {
			continue
		}
		switch f := file.Decls[i].(type) {
		case *ast.FuncDecl:
			d, ok := d.(*ast.FuncDecl)
			if !ok || right(d.Pos(), d.Body.Pos()) != wrong(f.Pos(), f.Body.Pos()) {
				break
			}
			call, end := "func() ", "; return"
			if results := d.Type.Results; results != nil {
				call, end = "return func() "+right(results.Pos(), results.End())+" ", ""
			}
			c.insert(d.Body.Lbrace+1, r.number, fmt.Sprintf(" if mutant == %d { %s%s()%s };", r.number, call, wrong(f.Body.Pos(), f.Body.End()), end))
			return nil
		case *ast.GenDecl:
			d, ok := d.(*ast.GenDecl)
			if !ok || d.Tok != token.VAR && d.Tok != token.CONST || len(d.Specs) != len(f.Specs) {
				break
			}
			for k := range d.Specs {
				values, faulty := d.Specs[k].(*ast.ValueSpec).Values, f.Specs[k].(*ast.ValueSpec).Values
				for n := range values {
					v, with := values[n], wrong(faulty[n].Pos(), faulty[n].End())
					if right(v.Pos(), v.End()) == with {
						continue
					}
					if name := d.Specs[k].(*ast.ValueSpec).Names[n]; d.Tok == token.CONST {
						// The constant gets another name, and a variable has its own.
						c.insert(name.Pos(), 0, rightName)
						c.insert(d.End(), r.number, fmt.Sprintf("\nvar %s = mutantPick(%d, %s, %s)\n", name.Name, r.number, rightName+name.Name, with))
						return nil
					}
					// The calls of several rows stand within each other: the first row's is the innermost.
					c.insert(v.Pos(), -r.number, fmt.Sprintf("mutantPick(%d, ", r.number))
					c.insert(v.End(), r.number, ", "+with+")")
					return nil
				}
			}
		}
	}
	return errors.New("the place is neither in the body of a function nor in the value of a variable or constant")
}

// offset is a place in the file.
func (c *changes) offset(p token.Pos) int { return c.set.Position(p).Offset }

// giveSymbol lets Assemble, where the file declares it, define MUTANT for every text.
func (c *changes) giveSymbol() {
	if d := assemble(c.file); d != nil && path.Dir(c.name) == assembler {
		opts := d.Type.Params.List[0].Names[0].Name
		c.insert(d.Body.Lbrace+1, 0, fmt.Sprintf(
			` symbols := map[string]int64{"MUTANT": int64(mutant)}; for name, value := range %s.Defsym { symbols[name] = value }; %[1]s.Defsym = symbols;`, opts))
	}
}

// assemble is the function Assemble of a file, nil when it is elsewhere.
func assemble(f *ast.File) *ast.FuncDecl {
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && d.Name.Name == "Assemble" {
			return d
		}
	}
	return nil
}

// entryOfAssembler is the file with the function Assemble.
func entryOfAssembler(tree fs.FS) (string, error) {
	files, err := fs.Glob(tree, assembler+"/*.go")
	if err != nil {
		return "", err
	}
	for _, name := range files {
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return "", err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			return "", err
		}
		if assemble(f) != nil {
			return name, nil
		}
	}
	return "", fmt.Errorf("no file of %s declares Assemble", assembler)
}
