package link

import (
	"fmt"
	"sort"
	"strings"
)

// Pos is a place in a linker script. Line 0 means the place is unknown.
type Pos struct {
	File      string
	Line, Col int
}

func (p Pos) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col) }

// Error is one thing that is wrong with a link.
type Error struct {
	Pos   Pos    // in the script; zero when the error is not about one
	Where string // input file, section and offset; "" when the error is not about one
	Msg   string
}

func (e *Error) Error() string {
	switch {
	case e.Pos.Line > 0:
		return e.Pos.String() + ": " + e.Msg
	case e.Where != "":
		return e.Where + ": " + e.Msg
	}
	return e.Msg
}

// ErrorList is everything that is wrong with a link, as far as it was found.
type ErrorList []*Error

// maxErrors is how many errors are shown.
const maxErrors = 20

func (l ErrorList) Error() string {
	var b strings.Builder
	for i, e := range l {
		if i == maxErrors {
			fmt.Fprintf(&b, "\nand %d more errors", len(l)-maxErrors)
			break
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(e.Error())
	}
	return b.String()
}

// Unwrap lets errors.As find the single errors.
func (l ErrorList) Unwrap() []error {
	errs := make([]error, len(l))
	for i, e := range l {
		errs[i] = e
	}
	return errs
}

// report collects errors and warnings during a link.
type report struct {
	errors   ErrorList
	warnings []string
	seen     map[string]bool
}

func (r *report) add(e *Error) {
	text := e.Error()
	if r.seen[text] {
		return
	}
	if r.seen == nil {
		r.seen = map[string]bool{}
	}
	r.seen[text] = true
	r.errors = append(r.errors, e)
}

func (r *report) script(pos Pos, format string, args ...any) {
	r.add(&Error{Pos: pos, Msg: fmt.Sprintf(format, args...)})
}

func (r *report) input(where, format string, args ...any) {
	r.add(&Error{Where: where, Msg: fmt.Sprintf(format, args...)})
}

func (r *report) warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if r.seen == nil {
		r.seen = map[string]bool{}
	}
	if !r.seen["warning: "+text] {
		r.seen["warning: "+text] = true
		r.warnings = append(r.warnings, text)
	}
}

// err returns what was collected: errors about scripts by place, the others in the order found.
func (r *report) err() error {
	if len(r.errors) == 0 {
		return nil
	}
	sort.SliceStable(r.errors, func(i, j int) bool {
		a, b := r.errors[i].Pos, r.errors[j].Pos
		if a.Line == 0 || b.Line == 0 || a.File != b.File {
			return a.Line > 0 && b.Line == 0
		}
		return a.Line < b.Line || a.Line == b.Line && a.Col < b.Col
	})
	return r.errors
}
