package lsp

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// text is a source with its lines as the protocol counts them: they end with a line feed, a carriage return, or both.
type text struct {
	string
	starts []int // of lines
}

func newText(s string) *text {
	t := &text{string: s, starts: []int{0}}
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\n', s[i] == '\r' && !strings.HasPrefix(s[i+1:], "\n"):
			t.starts = append(t.starts, i+1)
		}
	}
	return t
}

// line returns where the line of an offset begins, and its number.
func (t *text) line(off int) (start, number int) {
	n := sort.SearchInts(t.starts, off+1) - 1
	return t.starts[n], n
}

// end returns where a line ends, without what ends it.
func (t *text) end(number int) int {
	if number+1 >= len(t.starts) {
		return len(t.string)
	}
	end := t.starts[number+1] - 1
	if t.string[end] == '\n' && end > t.starts[number] && t.string[end-1] == '\r' {
		end--
	}
	return end
}

// units is the number of UTF-16 units of a rune.
func units(r rune) int {
	if r > 0xffff {
		return 2
	}
	return 1
}

// position returns the place of an offset.
func (t *text) position(off int) position {
	off = max(0, min(off, len(t.string)))
	start, n := t.line(off)
	p := position{Line: n}
	for _, r := range t.string[start:off] {
		p.Character += units(r)
	}
	return p
}

// offset returns the byte of a place. One beyond the end of its line is that end, one beyond the text the end of it; one inside a
// character is its beginning.
func (t *text) offset(p position) int {
	switch {
	case p.Line < 0:
		return 0
	case p.Line >= len(t.starts):
		return len(t.string)
	}
	i, end := t.starts[p.Line], t.end(p.Line)
	for left := p.Character; left > 0 && i < end; {
		r, n := utf8.DecodeRuneInString(t.string[i:end])
		if left -= units(r); left < 0 {
			break
		}
		i += n
	}
	return i
}

func (t *text) stretch(from, to int) stretch {
	return stretch{Start: t.position(from), End: t.position(to)}
}

// edited returns the text with a stretch of it replaced.
func (t *text) edited(r stretch, by string) string {
	from := t.offset(r.Start)
	to := max(from, t.offset(r.End))
	return t.string[:from] + by + t.string[to:]
}
