package hostio

import (
	"bytes"
	"regexp"
	"regexp/syntax"
)

// Watch looks for texts in what a guest prints, line by line, both streams together. A line that is not finished counts as
// it stands, since a prompt never ends; a pattern that asks for the end of a line or a word waits for the line's end.
type Watch struct {
	Until []Pattern // in the order in which they are tried
	Found func(p *Pattern)

	line  []byte
	found bool // the line has had a text
}

// Pattern is a text that ends a run.
type Pattern struct {
	expr   *regexp.Regexp
	wholly bool // it asks what stands behind, so only a finished line answers
	Status uint32
}

// maxWatchedLine bounds a line; of a longer one the end is kept.
const maxWatchedLine = 4096

// NewPattern returns a pattern that ends a run with a status.
func NewPattern(expr string, status uint32) (Pattern, error) {
	r, err := regexp.Compile(expr)
	if err != nil {
		return Pattern{}, err
	}
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return Pattern{}, err
	}
	return Pattern{expr: r, wholly: asksBehind(tree), Status: status}, nil
}

// asksBehind reports whether an expression asks for the end of something.
func asksBehind(tree *syntax.Regexp) bool {
	switch tree.Op {
	case syntax.OpEndLine, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return true
	}
	for _, sub := range tree.Sub {
		if asksBehind(sub) {
			return true
		}
	}
	return false
}

// See takes what a guest has printed. The same text is found at the same byte however it is cut into writes.
func (w *Watch) See(data []byte) {
	for len(data) > 0 {
		part, rest, ended := bytes.Cut(data, []byte{'\n'})
		w.grow(part)
		if ended {
			w.try(bytes.TrimSuffix(w.line, []byte{'\r'}), true)
			w.line, w.found = w.line[:0], false
		}
		data = rest
	}
}

// grow adds a part of a line and looks at each length that the line has in between, when one of them can have a text.
func (w *Watch) grow(part []byte) {
	before := len(w.line)
	w.line = append(w.line, part...)
	if w.match(w.line, false) != nil {
		for n := before + 1; n <= len(w.line); n++ {
			w.try(w.line[:n], false)
		}
	}
	if n := len(w.line); n > maxWatchedLine {
		w.line = append(w.line[:0], w.line[n-maxWatchedLine/2:]...)
	}
}

// match returns the first pattern that a line has.
func (w *Watch) match(line []byte, finished bool) *Pattern {
	for i := range w.Until {
		if p := &w.Until[i]; (finished || !p.wholly) && p.expr.Match(line) {
			return p
		}
	}
	return nil
}

// try tells of a pattern that a line has, once for a line.
func (w *Watch) try(line []byte, finished bool) {
	if w.found {
		return
	}
	if p := w.match(line, finished); p != nil {
		w.found = true
		w.Found(p)
	}
}
