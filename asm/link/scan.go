package link

import (
	"fmt"
	"strings"
)

// mode says how the scanner reads the next token: the characters of a name depend on the place.
type mode uint8

const (
	modeExpr    mode = iota // C-like expression
	modeName                // name of a section, symbol, region or command; ends at ':' and '='
	modeBody                // the same inside an output section, where file patterns may have ':'
	modePattern             // file or section pattern, file name
)

// tokenKind is the kind of a token.
type tokenKind uint8

const (
	tokEOF tokenKind = iota
	tokName
	tokNumber
	tokString // in quotes
	tokOp     // operator or punctuation
)

type token struct {
	kind tokenKind
	text string // without the quotes
	pos  Pos
	off  int // where it starts, to read it again in another mode
}

func (t token) String() string {
	switch t.kind {
	case tokEOF:
		return "the end of the script"
	case tokString:
		return `"` + t.text + `"`
	}
	return `"` + t.text + `"`
}

// scanner splits a script into tokens.
type scanner struct {
	name string
	text string
	off  int
	line int // of off
	bol  int // offset of the line's start
}

func (s *scanner) pos() Pos { return Pos{File: s.name, Line: s.line, Col: s.off - s.bol + 1} }

// errorf makes an error at the place of the token being read.
func (s *scanner) errorf(format string, args ...any) *Error {
	return &Error{Pos: s.pos(), Msg: fmt.Sprintf(format, args...)}
}

// skip passes white space and comments.
func (s *scanner) skip() *Error {
	for s.off < len(s.text) {
		switch c := s.text[s.off]; {
		case c == '\n':
			s.off++
			s.line++
			s.bol = s.off
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			s.off++
		case strings.HasPrefix(s.text[s.off:], "/*"):
			n := strings.Index(s.text[s.off+2:], "*/")
			if n < 0 {
				return s.errorf("unterminated comment")
			}
			end := s.off + 2 + n + 2
			for i := s.off; i < end; i++ {
				if s.text[i] == '\n' {
					s.line++
					s.bol = i + 1
				}
			}
			s.off = end
		default:
			return nil
		}
	}
	return nil
}

// operators, the longest first.
var operators = []string{
	"<<=", ">>=", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "&=", "|=", "^=",
}

// next reads a token.
func (s *scanner) next(m mode) (token, *Error) {
	if err := s.skip(); err != nil {
		return token{}, err
	}
	t := token{pos: s.pos(), off: s.off}
	if s.off == len(s.text) {
		return t, nil
	}
	c := s.text[s.off]
	switch {
	case c == '"':
		n := strings.IndexAny(s.text[s.off+1:], "\"\n")
		if n < 0 || s.text[s.off+1+n] == '\n' {
			return t, s.errorf("unterminated string")
		}
		t.kind, t.text = tokString, s.text[s.off+1:s.off+1+n]
		s.off += n + 2
		return t, nil
	case m == modeExpr:
		t.kind, t.text = s.exprToken()
	default:
		n := s.nameLen(m)
		if t.kind, t.text = tokName, s.text[s.off:s.off+n]; n == 0 {
			t.kind, t.text = tokOp, s.operator()
		}
	}
	if t.text == "" {
		return t, s.errorf("unexpected character %q", c)
	}
	s.off += len(t.text)
	return t, nil
}

// back makes t the next token again.
func (s *scanner) back(t token) {
	s.off, s.line = t.off, t.pos.Line
	s.bol = t.off - t.pos.Col + 1
}

func (s *scanner) operator() string {
	rest := s.text[s.off:]
	for _, op := range operators {
		if strings.HasPrefix(rest, op) {
			return op
		}
	}
	if c := rest[0]; c > ' ' && c < 0x7f {
		return rest[:1]
	}
	return ""
}

func isLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '.' || c == '$'
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// exprToken reads a number, name or operator of an expression.
func (s *scanner) exprToken() (tokenKind, string) {
	rest := s.text[s.off:]
	n := 0
	switch {
	case isDigit(rest[0]):
		for n < len(rest) && (isDigit(rest[n]) || isLetter(rest[n]) && rest[n] != '.' && rest[n] != '$') {
			n++
		}
		return tokNumber, rest[:n]
	case isLetter(rest[0]):
		for n < len(rest) && (isDigit(rest[n]) || isLetter(rest[n])) {
			n++
		}
		return tokName, rest[:n]
	}
	return tokOp, s.operator()
}

// nameLen returns the length of the name at the scanner in one of the name modes, 0 when there is none.
func (s *scanner) nameLen(m mode) int {
	rest := s.text[s.off:]
	for n := 0; n < len(rest); n++ {
		switch c := rest[n]; c {
		case ' ', '\t', '\n', '\r', '\f', '\v', '(', ')', '{', '}', ';', ',', '"':
			return n
		case ':':
			if m == modeName {
				return n
			}
		case '=':
			if m != modePattern {
				return n
			}
		case '+', '-', '*', '/', '&', '|', '^':
			if m != modePattern && n+1 < len(rest) && rest[n+1] == '=' {
				return n
			}
		case '<', '>':
			if m == modeName || m == modeBody && strings.HasPrefix(rest[n+1:], string(c)+"=") {
				return n
			}
		default:
			if c < ' ' || c >= 0x7f {
				return n
			}
		}
	}
	return len(rest)
}
