package asm

import (
	"errors"
	"io/fs"
	"strings"
)

// frame is a text being read.
type frame struct {
	src   int32
	kind  frameKind
	conds int // open conditionals when it began

	// Where to go on in the text below, when this one ends.
	s    string
	i    int
	line int
	call int // line of the statement that brought this text
}

type frameKind uint8

// maxFrames bounds the nesting of files, macros and loops.
const maxFrames = 1000

func (a *assembler) frame() *frame { return &a.frames[len(a.frames)-1] }

// pushSource begins to read a new text; the present one goes on when it ends.
func (a *assembler) pushSource(src source, kind frameKind) {
	if !strings.HasSuffix(src.text, "\n") {
		src.text += "\n"
	}
	a.sources = append(a.sources, src)
	a.pushText(int32(len(a.sources)-1), kind)
}

// spend takes the cost of an expansion from what is left; when nothing is left the run ends.
func (a *assembler) spend(text string) {
	if a.expandable -= int64(len(text)) + expansionCost; a.expandable < 0 {
		a.errorAt(a.stmt, "macros, loops and included files expand to more than %d MB", maxExpanded>>20)
		panic(tooManyErrors{})
	}
}

func (a *assembler) pushText(src int32, kind frameKind) {
	a.frames = append(a.frames, frame{src: src, kind: kind, conds: len(a.conds), s: a.s, i: a.i, line: a.line, call: a.stmtLine})
	a.s, a.i, a.line = a.sources[src].text, 0, a.sources[src].first
}

func (a *assembler) popText() {
	f := a.frame()
	for len(a.conds) > f.conds {
		c := a.conds[len(a.conds)-1]
		a.errorPlace(c.place, "the conditional is not closed by .endif")
		a.conds = a.conds[:len(a.conds)-1]
	}
	a.s, a.i, a.line = f.s, f.i, f.line
	a.frames = a.frames[:len(a.frames)-1]
}

// tooDeep reports whether another text may not be pushed.
func (a *assembler) tooDeep() bool {
	if len(a.frames) < maxFrames {
		return false
	}
	a.errorAt(a.stmt, "files, macros and loops are nested more than %d deep", maxFrames)
	// One message is enough: leave everything that led here.
	for len(a.frames) > 1 {
		a.i = len(a.s)
		f := a.frame()
		a.conds = a.conds[:min(len(a.conds), f.conds)]
		a.popText()
	}
	a.i = len(a.s)
	a.switched = true
	return true
}

// fileName is the file being read, or the one whose macro is being expanded.
func (a *assembler) fileName() string {
	for i := len(a.frames) - 1; i >= 0; i-- {
		if f := &a.frames[i]; f.kind == frameFile {
			return a.sources[f.src].name
		}
	}
	return ""
}

// lineMarker reads "# 12 "file.c"" that a preprocessor left at the start of a line.
func (a *assembler) lineMarker() {
	at := a.i
	a.i++
	for a.s[a.i] == ' ' || a.s[a.i] == '\t' {
		a.i++
	}
	n := 0
	digits := a.i
	for isDigit(a.s[a.i]) && a.i-digits < 9 {
		n = n*10 + int(a.s[a.i]-'0')
		a.i++
	}
	for a.s[a.i] == ' ' || a.s[a.i] == '\t' {
		a.i++
	}
	if a.i > digits && a.s[a.i] == '"' {
		if name, ok := a.quoted(); ok {
			a.markLine(at, name, n)
		}
	}
}

// markLine makes the line after the one at off count as line n of a file.
func (a *assembler) markLine(off int, file string, n int) {
	src := &a.sources[a.frame().src]
	next := off + strings.IndexByte(a.s[off:], '\n') + 1
	src.marks = append(src.marks, lineMark{off: next, file: file, line: n})
	a.line = n - 1
}

// whatIncluded is how the text of an included file came about.
const whatIncluded = "included"

// include reads another file in place of the directive.
func (a *assembler) include() {
	at := a.i
	name, ok := a.quoted()
	if !ok {
		a.skipStatement()
		return
	}
	a.expectEnd()
	found, text, err := a.findFile(name)
	if err != nil {
		a.errorAt(at, "cannot read %q: %s", name, plainError(err))
		return
	}
	a.substitute(source{name: found, text: string(text), what: whatIncluded, first: 1}, frameFile)
}

// substitute goes on with another text in place of the present statement.
func (a *assembler) substitute(src source, kind frameKind) {
	if a.tooDeep() {
		return
	}
	a.spend(src.text)
	src.from = a.here(a.stmt)
	a.endStatement()
	a.pushSource(src, kind)
	a.switched = true
}

func plainError(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}
