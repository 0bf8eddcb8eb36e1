package profile

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
)

// WriteCoverage writes how often each source line was executed, in the format of lcov. A line is
// executed as often as the most frequent of the pieces of code it has. A program without line
// information has no coverage.
func (p *Profile) WriteCoverage(w io.Writer) error {
	if p.names.lines == nil {
		return NoLinesError(p.Program)
	}
	files := p.covered()
	b := bufio.NewWriter(w)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		files[name].write(b, name)
	}
	return b.Flush()
}

// covered counts how often the lines and functions of each source file were executed.
func (p *Profile) covered() map[string]*covered {
	flat := p.flat()
	count := func(pc uint32) uint64 {
		if c := flat[pc]; c != nil {
			return c.Insts
		}
		return 0
	}
	files := map[string]*covered{}
	file := func(name string) *covered {
		f := files[name]
		if f == nil {
			f = &covered{lines: map[int]uint64{}, functions: map[string]coveredFunction{}}
			files[name] = f
		}
		return f
	}
	for _, row := range p.names.lines.Rows() {
		if row.Line > 0 && row.File != "" {
			lines := file(row.File).lines
			lines[row.Line] = max(lines[row.Line], count(row.Addr))
		}
	}
	for _, fn := range p.names.lines.Functions() {
		at := fn.Decl()
		if at.Line == 0 {
			at = p.names.position(fn.Entry())
		}
		if at.Line == 0 || files[at.File] == nil {
			continue
		}
		f := file(at.File).functions
		f[fn.Name()] = coveredFunction{name: fn.Name(), line: at.Line, count: f[fn.Name()].count + count(fn.Entry())}
	}
	return files
}

// NoLinesError is the error of asking for the coverage of a program without line information.
func NoLinesError(program string) error {
	return fmt.Errorf("coverage: %s has no line information; compile or assemble it with -g", program)
}

// covered is the coverage of a source file.
type covered struct {
	lines     map[int]uint64
	functions map[string]coveredFunction
}

type coveredFunction struct {
	name  string
	line  int
	count uint64
}

func (f *covered) write(w io.Writer, name string) {
	fmt.Fprintf(w, "TN:\nSF:%s\n", name)
	functions := slices.SortedFunc(maps.Values(f.functions), func(a, b coveredFunction) int {
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.name, b.name))
	})
	for _, fn := range functions {
		fmt.Fprintf(w, "FN:%d,%s\n", fn.line, fn.name)
	}
	hit := 0
	for _, fn := range functions {
		fmt.Fprintf(w, "FNDA:%d,%s\n", fn.count, fn.name)
		if fn.count != 0 {
			hit++
		}
	}
	fmt.Fprintf(w, "FNF:%d\nFNH:%d\n", len(functions), hit)
	hit = 0
	for _, line := range slices.Sorted(maps.Keys(f.lines)) {
		fmt.Fprintf(w, "DA:%d,%d\n", line, f.lines[line])
		if f.lines[line] != 0 {
			hit++
		}
	}
	fmt.Fprintf(w, "LF:%d\nLH:%d\nend_of_record\n", len(f.lines), hit)
}
