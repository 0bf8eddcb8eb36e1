package mlir

import (
	"fmt"
	"strings"
)

// Pos is a place in the text, both counted from 1.
type Pos struct{ Line, Col int }

// Error is a fault and its place. Source is the line of text it is in.
type Error struct {
	File   string
	Pos    Pos
	Msg    string
	Source string
}

// Error is file:line:col: message, the line and a caret below the column.
func (e *Error) Error() string {
	head := fmt.Sprintf("%s:%d:%d: %s", e.File, e.Pos.Line, e.Pos.Col, e.Msg)
	if e.Source == "" {
		return head
	}
	// Tabs stay tabs, so that the caret stands below the column whatever a tab is wide.
	indent := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, e.Source[:min(max(e.Pos.Col-1, 0), len(e.Source))])
	return head + "\n" + e.Source + "\n" + indent + "^"
}

// scanner moves over the text.
type scanner struct {
	file, text string
	at         int
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }

// skip passes blanks and comments.
func (s *scanner) skip() {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			s.at++
		case strings.HasPrefix(s.text[s.at:], "//"):
			end := strings.IndexByte(s.text[s.at:], '\n')
			if end < 0 {
				end = len(s.text) - s.at
			}
			s.at += end
		default:
			return
		}
	}
}

// pos is the place of a byte.
func (s *scanner) pos(at int) Pos {
	before := s.text[:min(at, len(s.text))]
	return Pos{Line: 1 + strings.Count(before, "\n"), Col: len(before) - strings.LastIndexByte(before, '\n')}
}

// fail makes an error at a byte.
func (s *scanner) fail(at int, format string, args ...any) error {
	at = min(at, len(s.text))
	start := strings.LastIndexByte(s.text[:at], '\n') + 1
	line, _, _ := strings.Cut(s.text[start:], "\n")
	return &Error{File: s.file, Pos: s.pos(at), Msg: fmt.Sprintf(format, args...), Source: strings.TrimSuffix(line, "\r")}
}

// refuse stops the reading where something holds.
func (s *scanner) refuse(when bool, at int, format string, args ...any) {
	if when {
		panic(s.fail(at, format, args...))
	}
}

// peek reports whether a piece of punctuation is next.
func (s *scanner) peek(p string) bool {
	s.skip()
	return strings.HasPrefix(s.text[s.at:], p)
}

// take consumes a piece of punctuation.
func (s *scanner) take(p string) bool {
	if !s.peek(p) {
		return false
	}
	s.at += len(p)
	return true
}

// want consumes a piece of punctuation that must be there.
func (s *scanner) want(p string) {
	s.refuse(!s.take(p), s.at, "expected '%s'", p)
}

// word consumes an identifier: letters, digits, points and dollars, a letter first.
func (s *scanner) word() string {
	s.skip()
	start := s.at
	for s.at < len(s.text) {
		c := s.text[s.at]
		if !isLetter(c) && (s.at == start || !isDigit(c) && c != '.' && c != '$') {
			break
		}
		s.at++
	}
	return s.text[start:s.at]
}

// keyword consumes a certain identifier.
func (s *scanner) keyword(k string) bool {
	start := s.at
	if s.word() == k {
		return true
	}
	s.at = start
	return false
}

// suffix consumes what follows %, ^, @ or ! in a name.
func (s *scanner) suffix() string {
	start := s.at
	for s.at < len(s.text) {
		c := s.text[s.at]
		if !isLetter(c) && !isDigit(c) && c != '.' && c != '$' && c != '-' {
			break
		}
		if c == '-' && strings.HasPrefix(s.text[s.at:], "->") {
			break
		}
		s.at++
	}
	return s.text[start:s.at]
}

// str consumes a string literal.
func (s *scanner) str() string {
	s.skip()
	start := s.at
	s.want(`"`)
	var b strings.Builder
	for s.at < len(s.text) {
		c := s.text[s.at]
		s.at++
		switch c {
		case '"':
			return b.String()
		case '\n':
			panic(s.fail(start, "string does not end on its line"))
		case '\\':
			s.refuse(s.at >= len(s.text), start, "string does not end")
			e := s.text[s.at]
			s.at++
			switch {
			case e == 'n':
				b.WriteByte('\n')
			case e == 't':
				b.WriteByte('\t')
			case e == '"' || e == '\\':
				b.WriteByte(e)
			case s.at < len(s.text) && hexDigit(e) >= 0 && hexDigit(s.text[s.at]) >= 0:
				b.WriteByte(byte(hexDigit(e)<<4 | hexDigit(s.text[s.at])))
				s.at++
			default:
				panic(s.fail(s.at-2, `unknown escape \%c`, e))
			}
		default:
			b.WriteByte(c)
		}
	}
	panic(s.fail(start, "string does not end"))
}

func hexDigit(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}
