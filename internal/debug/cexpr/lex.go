package cexpr

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Error is an expression that makes no sense at a column.
type Error struct {
	Text   string // the expression
	Column int    // counted from 0
	Msg    string
}

func (e *Error) Error() string { return e.Msg }

// Caret returns the expression with a mark below the place of the error.
func (e *Error) Caret() string {
	text := strings.ReplaceAll(e.Text, "\t", " ")
	return text + "\n" + strings.Repeat(" ", min(e.Column, len(text))) + "^"
}

// AsError returns the expression error in err, if that is one.
func AsError(err error) (*Error, bool) {
	var e *Error
	return e, errors.As(err, &e)
}

type tokenKind uint8

const (
	tokEnd tokenKind = iota
	tokInt
	tokFloat
	tokChar
	tokString
	tokName
	tokReg  // $name
	tokFile // 'name' before ::
	tokOp
)

type token struct {
	kind tokenKind
	text string
	at   int
	num  int64
	flt  float64
	typ  *Type // of a number
}

// operators, the longest first.
var operators = [...]string{
	"<<=", ">>=", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "->", "::", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--",
}

// maxExpression bounds the text of an expression.
const maxExpression = 1 << 14

// lex splits an expression into tokens.
func lex(text string) ([]token, *Error) {
	fail := func(at int, format string, args ...any) ([]token, *Error) {
		return nil, &Error{Text: text, Column: at, Msg: fmt.Sprintf(format, args...)}
	}
	if len(text) > maxExpression {
		return fail(0, "an expression of %d bytes", len(text))
	}
	var list []token
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == ' ' || c == '\t':
			i++
		case isDigit(c) || c == '.' && i+1 < len(text) && isDigit(text[i+1]):
			end := i
			for end < len(text) && (isWord(text[end]) || text[end] == '.' ||
				(text[end] == '+' || text[end] == '-') && (text[end-1]|32) == 'e' && !strings.HasPrefix(text[i:], "0x") && !strings.HasPrefix(text[i:], "0X")) {
				end++
			}
			t, msg := number(text[i:end])
			if msg != "" {
				return fail(i, "%s", msg)
			}
			t.at = i
			list = append(list, t)
			i = end
		case isLetter(c):
			end := i
			for end < len(text) && isWord(text[end]) {
				end++
			}
			list = append(list, token{kind: tokName, text: text[i:end], at: i})
			i = end
		case c == '$':
			end := i + 1
			for end < len(text) && (isWord(text[end]) || text[end] == '$') {
				end++
			}
			list = append(list, token{kind: tokReg, text: text[i+1 : end], at: i})
			i = end
		case c == '\'' && strings.Contains(text[i+1:], "'::"):
			end := i + 1 + strings.Index(text[i+1:], "'::")
			list = append(list, token{kind: tokFile, text: text[i+1 : end], at: i})
			i = end + 1
		case c == '\'' || c == '"':
			t, end, msg := quoted(text, i)
			if msg != "" {
				return fail(i, "%s", msg)
			}
			list = append(list, t)
			i = end
		default:
			op := ""
			for _, o := range operators {
				if strings.HasPrefix(text[i:], o) {
					op = o
					break
				}
			}
			if op == "" {
				if !strings.ContainsRune("+-*/%&|^~!<>=?:()[]{},.@", rune(c)) {
					return fail(i, "invalid character %q in expression", text[i:i+1])
				}
				op = text[i : i+1]
			}
			list = append(list, token{kind: tokOp, text: op, at: i})
			i += len(op)
		}
	}
	return append(list, token{kind: tokEnd, at: len(text)}), nil
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }
func isWord(c byte) bool   { return isLetter(c) || isDigit(c) }

// number reads a C number.
func number(text string) (token, string) {
	if n := strings.TrimRight(text, "uUlL"); !strings.ContainsAny(n, ".") && (strings.HasPrefix(n, "0x") || strings.HasPrefix(n, "0X") || !strings.ContainsAny(n, "eEfF")) {
		base := n
		if len(n) > 1 && n[0] == '0' && isDigit(n[1]) {
			base = "0o" + n[1:]
		}
		v, err := strconv.ParseUint(base, 0, 64)
		if err != nil {
			return token{}, fmt.Sprintf("invalid number %q", text)
		}
		suffix := strings.ToLower(text[len(n):])
		typ := typeInt
		switch {
		case strings.Contains(suffix, "ll") || v > 1<<32-1:
			typ = typeInt64
			if strings.Contains(suffix, "u") || v > 1<<63-1 {
				typ = typeUint64
			}
		case strings.Contains(suffix, "u") || v > 1<<31-1:
			typ = typeUint
		}
		return token{kind: tokInt, num: int64(v), typ: typ}, ""
	}
	f, err := strconv.ParseFloat(strings.TrimRight(text, "fFlL"), 64)
	if err != nil {
		return token{}, fmt.Sprintf("invalid number %q", text)
	}
	return token{kind: tokFloat, flt: f, typ: typeDouble}, ""
}

// quoted reads a character or string constant.
func quoted(text string, i int) (token, int, string) {
	quote := text[i]
	end := i + 1
	for end < len(text) && text[end] != quote {
		if text[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(text) {
		return token{}, 0, fmt.Sprintf("unmatched %c", quote)
	}
	body := text[i+1 : end]
	var out []byte
	for rest := body; rest != ""; {
		r, multibyte, tail, err := strconv.UnquoteChar(rest, quote)
		if err != nil {
			return token{}, 0, fmt.Sprintf("invalid escape in %s", text[i:end+1])
		}
		if multibyte {
			out = append(out, string(r)...)
		} else {
			out = append(out, byte(r))
		}
		rest = tail
	}
	if quote == '"' {
		return token{kind: tokString, text: string(out), at: i}, end + 1, ""
	}
	if len(out) != 1 {
		return token{}, 0, "a character constant has one character"
	}
	return token{kind: tokChar, num: int64(out[0]), typ: typeChar, at: i}, end + 1, ""
}
