package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// row is one fault: a place in a file, what stands there, and what stands there when the fault is switched on.
type row struct {
	number int // its place in all tables, from 1: what ARCV2DSP_MUTANT names
	table  string
	line   int // in the table
	area   string
	name   string
	file   string   // from the root of the module
	pkg    string   // the folder whose tests see the fault
	test   string   // the test that sees it: a function, or FUNCTION/CASE
	args   []string // of the test binary, for this test
	lines  []diffLine
}

// diffLine is a line of the place: with ' ' it is the same in both texts, with '-' it stands in the file, with '+' in the
// fault.
type diffLine struct {
	sign byte
	text string
}

// readRows reads all tables.
func readRows(tables fs.FS) ([]row, error) {
	names, err := fs.Glob(tables, "*.txt")
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, name := range names {
		text, err := fs.ReadFile(tables, name)
		if err != nil {
			return nil, err
		}
		of, err := parseRows(name, string(text))
		if err != nil {
			return nil, err
		}
		rows = append(rows, of...)
	}
	for i := range rows {
		rows[i].number = i + 1
	}
	return rows, nil
}

// parseRows reads a table. "# AREA" begins an area, an empty line ends a row, and a row is
//
//	NAME
//	FILE
//	FOLDER TEST [ARGUMENT...]
//	-what stands in the file
//	+what stands there with the fault
func parseRows(table, text string) ([]row, error) {
	var rows []row
	area := ""
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		if name, ok := strings.CutPrefix(lines[i], "# "); ok {
			area = name
			continue
		}
		if lines[i] == "" {
			continue
		}
		r := row{table: table, line: i + 1, area: area, name: lines[i]}
		end := i
		for end < len(lines) && lines[end] != "" {
			end++
		}
		if err := r.parse(lines[i+1 : end]); err != nil {
			return nil, r.wrap(err)
		}
		rows = append(rows, r)
		i = end
	}
	return rows, nil
}

// parse reads the lines below the name.
func (r *row) parse(lines []string) error {
	if r.area == "" || len(lines) < 3 {
		return errors.New("a row stands in an area and has a file, a test, and lines")
	}
	r.file = lines[0]
	by := strings.Fields(lines[1])
	if len(by) < 2 {
		return fmt.Errorf("%q is no folder and test", lines[1])
	}
	r.pkg, r.test, r.args = by[0], by[1], by[2:]
	changed := false
	for _, l := range lines[2:] {
		if !strings.ContainsRune(" -+", rune(l[0])) {
			return fmt.Errorf("%q begins with none of ' ', '-', '+'", l)
		}
		changed = changed || l[0] != ' '
		r.lines = append(r.lines, diffLine{l[0], l[1:]})
	}
	if !changed {
		return errors.New("no line differs")
	}
	return nil
}

// side are the lines of the place without those of the other side.
func (r *row) side(other byte) []string {
	var lines []string
	for _, l := range r.lines {
		if l.sign != other {
			lines = append(lines, l.text)
		}
	}
	return lines
}

// place is where a row stands in its file, as byte offsets of whole lines, and the text with the fault.
type place struct {
	start, end int
	faulty     string
}

// find looks for the place, which must stand in the file exactly once. Indentation does not count.
func (r *row) find(text string) (place, error) {
	lines := strings.SplitAfter(text, "\n")
	want := r.side('+')
	var found []int
	for i := 0; i+len(want) <= len(lines); i++ {
		same := true
		for k := 0; k < len(want) && same; k++ {
			same = strings.TrimSpace(lines[i+k]) == strings.TrimSpace(want[k])
		}
		if same {
			found = append(found, i)
		}
	}
	if len(found) != 1 {
		return place{}, fmt.Errorf("the text %q stands there %d times and must stand once", strings.TrimSpace(strings.Join(want, "\n")), len(found))
	}
	start := len(strings.Join(lines[:found[0]], ""))
	return place{
		start:  start,
		end:    start + len(strings.Join(lines[found[0]:found[0]+len(want)], "")),
		faulty: strings.Join(r.side('-'), "\n") + "\n",
	}, nil
}

// verify reports why a row does not belong to the tree: its place is not there, or its test is not.
func (r *row) verify(tree fs.FS) error {
	if _, err := faulty(tree, r.file, []row{*r}); err != nil {
		if at := r.lookup(tree); at != "" && at != r.file {
			err = fmt.Errorf("%w (the text stands in %s)", err, at)
		}
		return err
	}
	if err := r.verifyTest(tree); err != nil {
		return r.wrap(err)
	}
	return nil
}

// wrap says which row an error is about.
func (r *row) wrap(err error) error { return fmt.Errorf("%s:%d: %q: %w", r.table, r.line, r.name, err) }

// verifyTest looks for the function of the test.
func (r *row) verifyTest(tree fs.FS) error {
	function, _, _ := strings.Cut(r.test, "/")
	files, err := fs.Glob(tree, path.Join(r.pkg, "*_test.go"))
	if err != nil {
		return err
	}
	head := regexp.MustCompile(`(?m)^func ` + regexp.QuoteMeta(function) + `\(`)
	for _, name := range files {
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		if head.Match(text) {
			return nil
		}
	}
	return fmt.Errorf("%s has no test %s", r.pkg, function)
}

// lookup is a file of the tree in which the place stands, for the message when it left its own.
func (r *row) lookup(tree fs.FS) (file string) {
	_ = fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && len(name) > 1 && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case path.Ext(name) != path.Ext(r.file):
			return nil
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		if _, err := r.find(string(text)); err == nil {
			file = name
			return fs.SkipAll
		}
		return nil
	})
	return file
}
