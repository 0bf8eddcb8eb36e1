package debug

import (
	"fmt"
	"strconv"
	"strings"

	"arcv2dsp/internal/program/dwarf"
)

// Line is a source position with the code it owns.
type Line = dwarf.Row

// line returns the line of an address: the last statement that starts at the row's address, where a
// user thinks to stand, even if the compiler gave the code to another line.
func (d *Debugger) line(pc uint32) (Line, bool) {
	if d.lines == nil {
		return Line{}, false
	}
	row, ok := d.lines.At(pc)
	if row.Stop.Line != 0 {
		row.Position = row.Stop
	}
	return row, ok
}

// LineAt returns the source line an address belongs to.
func (d *Debugger) LineAt(pc uint32) (Line, bool) { return d.line(pc) }

// Files returns the source files that have code.
func (d *Debugger) Files() []string {
	if d.lines == nil {
		return nil
	}
	return d.lines.Files()
}

// SourcePath returns where a source file of the program is.
func (d *Debugger) SourcePath(file string) (string, bool) { return d.sources.Path(file) }

// AddSourceDir adds a directory to look for source files in, before the others.
func (d *Debugger) AddSourceDir(dir string) { d.sources.Add(dir) }

// SourceDirs returns the directories in which source files are looked for.
func (d *Debugger) SourceDirs() []string { return d.sources.Dirs() }

// SourceLine returns the text of a source line.
func (d *Debugger) SourceLine(file string, line int) (string, bool) {
	lines := d.sources.Lines(file)
	if line < 1 || line > len(lines) {
		return "", false
	}
	return lines[line-1], true
}

// listPlace is where list goes on.
type listPlace struct {
	file        string
	first, last int
}

// Listing is a piece of a source file.
type Listing struct {
	File  string
	First int
	Lines []string
	Mark  int // the line of the selected frame, 0 when it is not here
}

// ListSize is how many lines a listing has.
const ListSize = 10

// List returns source lines around a place: "" goes on after the last listing, "-" before it, a
// number or a specification centres it, FIRST,LAST gives a range, of which one may be missing.
func (d *Debugger) List(spec string) (Listing, error) {
	at := d.lister
	here, known := d.selectedLine()
	if at.file == "" && known {
		at = listPlace{file: here.File, first: max(1, here.Line-ListSize/2), last: 0}
		at.last = at.first - 1
		if spec == "-" {
			at.first = here.Line
		}
	}
	first, last := at.last+1, at.last+ListSize
	switch {
	case spec == "":
	case spec == "-":
		last = at.first - 1
		first = max(1, last-ListSize+1)
		if last < 1 {
			return Listing{}, fmt.Errorf("line 1 was the last one listed")
		}
	default:
		file, from, to, err := d.listSpec(spec, at.file)
		if err != nil {
			return Listing{}, err
		}
		at.file, first, last = file, from, to
	}
	if at.file == "" {
		return Listing{}, fmt.Errorf("no source file for 0x%08x: say which, as in list FILE:LINE", d.m.PC())
	}
	lines := d.sources.Lines(at.file)
	if lines == nil {
		return Listing{}, fmt.Errorf("%s: the source file is not there (see: directory)", at.file)
	}
	if first > len(lines) {
		return Listing{}, fmt.Errorf("line number %d out of range; %s has %d lines", first, at.file, len(lines))
	}
	last = min(last, len(lines))
	d.lister = listPlace{file: at.file, first: first, last: last}
	l := Listing{File: at.file, First: first, Lines: lines[first-1 : last]}
	if known && here.File == at.file && here.Line >= first && here.Line <= last {
		l.Mark = here.Line
	}
	return l, nil
}

// selectedLine is the position of the selected frame.
func (d *Debugger) selectedLine() (dwarf.Position, bool) {
	f, err := d.Frame(d.selected)
	if err != nil || f.At.Line == 0 {
		return dwarf.Position{}, false
	}
	return f.At, true
}

func (d *Debugger) listSpec(spec, file string) (string, int, int, error) {
	if last, ok := strings.CutPrefix(spec, ","); ok {
		f, to, err := d.lineOf(strings.TrimSpace(last), file)
		return f, max(1, to-ListSize+1), to, err
	}
	if a, b, ok := strings.Cut(spec, ","); ok {
		f, first, err := d.lineOf(strings.TrimSpace(a), file)
		if err != nil {
			return "", 0, 0, err
		}
		if b = strings.TrimSpace(b); b == "" {
			return f, first, first + ListSize - 1, nil
		}
		if n, err := strconv.Atoi(b); err == nil && b[0] == '+' {
			return f, first, first + n, nil
		}
		_, last, err := d.lineOf(b, f)
		if err == nil && last < first {
			err = fmt.Errorf("line %d is before line %d", last, first)
		}
		return f, first, last, err
	}
	f, line, err := d.lineOf(spec, file)
	first := max(1, line-ListSize/2)
	return f, first, first + ListSize - 1, err
}
