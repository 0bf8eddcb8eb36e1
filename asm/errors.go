package asm

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Pos is a place in a source file.
type Pos struct {
	File string
	Line int // from 1
	Col  int // in bytes, from 1
}

func (p Pos) String() string {
	return p.File + ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Col)
}

// Error is one message about the source text.
type Error struct {
	Pos     Pos
	Msg     string
	Line    string // the source line, after macro substitution
	Notes   []Note // where the line came from, innermost first
	Warning bool

	top place // the statement of a given file that led here; orders the list
}

// Note is a place that led to an error: a macro call, an included file.
type Note struct {
	Pos Pos
	Msg string
}

// Error formats the message with the source line and a caret below the place.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Pos.String())
	b.WriteString(": ")
	if e.Warning {
		b.WriteString("warning: ")
	}
	b.WriteString(e.Msg)
	if e.Line != "" {
		before, after := e.excerpt()
		b.WriteString("\n\t" + before + after + "\n\t")
		for _, c := range before {
			if c == '\t' {
				b.WriteByte('\t')
			} else {
				b.WriteByte(' ')
			}
		}
		b.WriteByte('^')
	}
	left := max(len(e.Notes)-shownNotes, 0)
	for i, n := range e.Notes {
		if i >= shownNotes/2 && i < shownNotes/2+left {
			if i == shownNotes/2 {
				fmt.Fprintf(&b, "\n(%d notes left out)", left)
			}
			continue
		}
		b.WriteString("\n" + n.Pos.String() + ": note: " + n.Msg)
	}
	return b.String()
}

// shownNotes bounds the notes of a message, the innermost and the outermost ones: a macro that calls
// itself leads to a thousand.
const shownNotes = 10

// excerptReach is how many bytes of a long line are shown on each side of the place.
const excerptReach = 120

// excerpt returns the source line before and after the place, fit for a terminal: cut when it is long,
// with ? for what cannot be printed.
func (e *Error) excerpt() (before, after string) {
	at := min(e.Pos.Col-1, len(e.Line))
	before, after = e.Line[:at], e.Line[at:]
	if len(before) > excerptReach {
		before = "..." + strings.TrimLeftFunc(before[at-excerptReach:], continues)
	}
	if len(after) > excerptReach {
		after = strings.TrimRightFunc(after[:excerptReach], continues) + "..."
	}
	printable := func(r rune) rune {
		if r == '\t' || r != utf8.RuneError && unicode.IsPrint(r) {
			return r
		}
		return '?'
	}
	return strings.Map(printable, before), strings.Map(printable, after)
}

// continues tells whether decoding gives r for a character that was cut.
func continues(r rune) bool { return r == utf8.RuneError }

// ErrorList is every error of a run, up to the limit, in source order.
type ErrorList []*Error

func (l ErrorList) Error() string {
	var b strings.Builder
	for i, e := range l {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(e.Error())
	}
	return b.String()
}

// tooManyErrors ends a run whose error limit is reached.
type tooManyErrors struct{}

// place is a compact position: a source and a byte offset in its text. Line and column are found
// only when a message needs them.
type place struct {
	src int32
	off int32
}

// source is a text that statements come from: a file, or the expansion of a macro or loop.
type source struct {
	name    string
	text    string
	what    string // how the text came about: "" for files given, "included", "macro m", "rept"
	from    place  // the statement that brought it in
	first   int    // line number of the first line
	period  int    // lines of a loop's body, which come again and again
	marks   []lineMark
	origin  *origin // of an expansion: where its text stands, when there is an index
	counted counted
}

// counted are the lines between two offsets: places that follow each other are counted from the one before.
type counted struct{ from, to, lines int }

// lineMark is a .linefile directive or cpp marker: from off on, lines are counted from line in file.
type lineMark struct {
	off  int
	file string
	line int
}

// locate finds file, line and column of an offset.
func (s *source) locate(off int) (p Pos, text string) {
	off = min(off, len(s.text))
	start := strings.LastIndexByte(s.text[:off], '\n') + 1
	end := len(s.text)
	if n := strings.IndexByte(s.text[start:], '\n'); n >= 0 {
		end = start + n
	}
	from, line, file := 0, s.first, s.name
	for _, m := range s.marks {
		if m.off <= start {
			from, line, file = m.off, m.line, m.file
		}
	}
	if c := &s.counted; c.from != from || c.to > start {
		*c = counted{from: from, to: from}
	}
	s.counted.lines += strings.Count(s.text[s.counted.to:start], "\n")
	s.counted.to = start
	lines := s.counted.lines
	if s.period > 0 {
		lines %= s.period
	}
	line += lines
	return Pos{File: file, Line: line, Col: off - start + 1}, strings.TrimRight(s.text[start:end], "\r")
}

// here is the place of the text offset off in the text being read.
func (a *assembler) here(off int) place { return place{src: a.frame().src, off: int32(off)} }

// errorOf makes a message about a place.
func (a *assembler) errorOf(at place, msg string) *Error {
	e := &Error{Msg: msg, top: at}
	src := &a.sources[at.src]
	e.Pos, e.Line = src.locate(int(at.off))
	for src.what != "" {
		from := src.from
		e.top = from
		what := src.what
		src = &a.sources[from.src]
		pos, _ := src.locate(int(from.off))
		e.Notes = append(e.Notes, Note{Pos: pos, Msg: what + " from here"})
	}
	return e
}

func (a *assembler) report(at place, warning bool, msg string) {
	if warning {
		if len(a.warnings) < 10*a.maxErrors {
			e := a.errorOf(at, msg)
			e.Warning = true
			a.warnings = append(a.warnings, e)
		}
		return
	}
	pos, _ := a.sources[at.src].locate(int(at.off))
	for _, old := range a.errs {
		if old.Pos == pos && old.Msg == msg {
			return
		}
	}
	a.errs = append(a.errs, a.errorOf(at, msg))
	if len(a.errs) >= a.maxErrors {
		panic(tooManyErrors{})
	}
}

// errorAt reports an error at an offset of the text being read.
func (a *assembler) errorAt(off int, format string, args ...any) {
	if a.gaveUp {
		return
	}
	a.report(a.here(off), false, fmt.Sprintf(format, args...))
}

// errorPlace reports an error at a remembered place.
func (a *assembler) errorPlace(at place, format string, args ...any) {
	a.report(at, false, fmt.Sprintf(format, args...))
}

func (a *assembler) warnAt(off int, format string, args ...any) {
	a.report(a.here(off), true, fmt.Sprintf(format, args...))
}

func (a *assembler) warnPlace(at place, format string, args ...any) {
	a.report(at, true, fmt.Sprintf(format, args...))
}

// sort orders messages by the statement they came from; those of one macro call stay in the order
// found.
func (l ErrorList) sort() {
	sort.SliceStable(l, func(i, j int) bool {
		p, q := l[i].top, l[j].top
		if p.src != q.src {
			return p.src < q.src
		}
		return p.off < q.off
	})
}
