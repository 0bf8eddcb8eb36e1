package asm

import (
	"strconv"
	"strings"
)

func quoteChar(c byte) string { return strconv.QuoteRune(rune(c)) }

// skipBlanks passes blanks and comments /* ... */.
func (a *assembler) skipBlanks() {
	for {
		c := a.s[a.i]
		if isBlank(c) {
			a.i++
			continue
		}
		if c != '/' || a.s[a.i+1] != '*' {
			return
		}
		end := strings.Index(a.s[a.i+2:], "*/")
		if end < 0 {
			a.errorAt(a.i, "the comment is not closed")
			a.line += strings.Count(a.s[a.i:], "\n") - 1
			a.i = len(a.s) - 1
			return
		}
		end += a.i + 4
		a.line += strings.Count(a.s[a.i:end], "\n")
		a.i = end
	}
}

// atEnd tells whether nothing is left of the statement.
func (a *assembler) atEnd() bool {
	a.skipBlanks()
	return isEnd(a.s[a.i])
}

// expectEnd complains about what is left of a statement.
func (a *assembler) expectEnd() {
	a.skipBlanks()
	if !isEnd(a.s[a.i]) {
		a.errorAt(a.i, "unexpected %s at the end of the statement", a.word())
		a.skipStatement()
	}
}

// word is the text at the cursor, for messages.
func (a *assembler) word() string {
	end := a.i
	for isNameChar(a.s[end]) {
		end++
	}
	if end == a.i {
		return quoteChar(a.s[a.i])
	}
	return strconv.Quote(a.s[a.i:end])
}

// skipString passes the string that begins here; it ends with the line at the latest.
func (a *assembler) skipString() {
	a.i++
	for a.s[a.i] != '"' && a.s[a.i] != '\n' {
		if a.s[a.i] == '\\' && a.s[a.i+1] != '\n' {
			a.i++
		}
		a.i++
	}
	if a.s[a.i] == '"' {
		a.i++
	}
}

// skipStatement passes the rest of a statement, strings and comments included.
func (a *assembler) skipStatement() {
	for !isEnd(a.s[a.i]) {
		a.skipPiece()
	}
}

// skipPiece passes a string, a character, a comment or a byte of a statement.
func (a *assembler) skipPiece() {
	switch c := a.s[a.i]; {
	case c == '"':
		a.skipString()
	case c == '\'':
		a.i++
		if a.s[a.i] == '\\' && a.s[a.i+1] != '\n' {
			a.i++
		}
		if a.s[a.i] != '\n' {
			a.i++
		}
	case c == '/' && a.s[a.i+1] == '*':
		a.skipBlanks()
	default:
		a.i++
	}
}

func (a *assembler) lineStart() int { return strings.LastIndexByte(a.s[:a.i], '\n') + 1 }

// quoted reads a string in double quotes with the escapes of the GNU assembler.
func (a *assembler) quoted() (string, bool) {
	a.skipBlanks()
	start := a.i
	if a.s[a.i] != '"' {
		a.errorAt(a.i, "expected a string in double quotes")
		return "", false
	}
	a.i++
	plain := a.i
	for ; ; a.i++ {
		switch a.s[a.i] {
		case '"':
			text := a.s[plain:a.i]
			a.i++
			return text, true
		case '\n':
			a.errorAt(start, "the string is not closed")
			return "", false
		case '\\':
			text := []byte(a.s[plain:a.i])
			for {
				switch a.s[a.i] {
				case '"':
					a.i++
					return string(text), true
				case '\n':
					a.errorAt(start, "the string is not closed")
					return "", false
				case '\\':
					text = append(text, a.escape())
				default:
					text = append(text, a.s[a.i])
					a.i++
				}
			}
		}
	}
}

// escape reads a backslash escape.
func (a *assembler) escape() byte {
	a.i++
	c := a.s[a.i]
	if c == '\n' {
		return '\\'
	}
	a.i++
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case 'v':
		return '\v'
	case 'x', 'X':
		n := byte(0)
		for {
			d := a.s[a.i]
			switch {
			case isDigit(d):
				n = n<<4 | (d - '0')
			case 'a' <= d|0x20 && d|0x20 <= 'f':
				n = n<<4 | (d | 0x20 - 'a' + 10)
			default:
				return n
			}
			a.i++
		}
	}
	if '0' <= c && c <= '7' {
		n := c - '0'
		for k := 0; k < 2 && '0' <= a.s[a.i] && a.s[a.i] <= '7'; k++ {
			n = n<<3 | (a.s[a.i] - '0')
			a.i++
		}
		return n
	}
	return c
}

// name reads a symbol name, plain or in quotes.
func (a *assembler) name(what string) (string, bool) {
	a.skipBlanks()
	if a.s[a.i] == '"' {
		return a.quoted()
	}
	start := a.i
	if !isNameFirst(a.s[a.i]) {
		a.errorAt(a.i, "%s is missing", what)
		return "", false
	}
	for isNameChar(a.s[a.i]) {
		a.i++
	}
	return a.s[start:a.i], true
}

// comma passes a comma; without one it reports what should have followed.
func (a *assembler) comma(what string) bool {
	a.skipBlanks()
	if a.s[a.i] != ',' {
		a.errorAt(a.i, "expected a comma and %s", what)
		return false
	}
	a.i++
	a.skipBlanks()
	return true
}

// optionalComma passes a comma if there is one.
func (a *assembler) optionalComma() bool {
	a.skipBlanks()
	if a.s[a.i] != ',' {
		return false
	}
	a.i++
	a.skipBlanks()
	return true
}
