package asm

import (
	"strconv"
	"strings"
)

// macroArgs reads the arguments of a call, by position or as name=value, and for the index where they stand.
func (a *assembler) macroArgs(m *macro) (args []string, places []place, ok bool) {
	args = make([]string, len(m.params), len(m.params)+m.locals)
	places = a.index.places(len(m.params))
	given := make([]bool, len(m.params))
	next := 0
	for !a.atEnd() {
		at := a.i
		if k := a.keyword(m); k >= 0 {
			args[k] = a.placedArg(places, k)
			given[k] = true
		} else {
			switch {
			case next >= len(m.params):
				a.errorAt(at, "macro %q takes %d arguments, this is one more", m.name, len(m.params))
				return nil, nil, false
			case m.params[next].rest:
				start := a.i
				a.skipStatement()
				args[next] = strings.TrimRight(a.s[start:a.i], " \t\r")
				if places != nil {
					places[next] = a.here(start)
				}
			default:
				args[next] = a.placedArg(places, next)
			}
			given[next] = given[next] || args[next] != ""
			next++
		}
		a.optionalComma()
	}
	for i, p := range m.params {
		if given[i] {
			continue
		}
		if p.required {
			a.errorAt(a.stmt, "macro %q needs a value for %q", m.name, p.name)
			return nil, nil, false
		}
		args[i] = p.value
	}
	return args, places, true
}

// placedArg reads an argument and notes where its text stands, when it stands somewhere as it is.
func (a *assembler) placedArg(places []place, k int) string {
	a.skipBlanks()
	start := a.i
	text := a.macroArg()
	if places == nil {
		return text
	}
	if c := a.s[start]; c == '"' || c == '<' {
		start++
	}
	if strings.HasPrefix(a.s[start:], text) {
		places[k] = a.here(start)
	}
	return text
}

// keyword passes "name=" when name is a parameter; -1 when the next argument is not of that form.
func (a *assembler) keyword(m *macro) int {
	i := a.i
	for isNameChar(a.s[i]) {
		i++
	}
	name := a.s[a.i:i]
	for isBlank(a.s[i]) {
		i++
	}
	if name == "" || a.s[i] != '=' || a.s[i+1] == '=' {
		return -1
	}
	for k, p := range m.params {
		if p.name == name {
			a.i = i + 1
			return k
		}
	}
	return -1
}

// macroArg reads one argument: text in quotes, or up to a comma, or up to blanks between two words.
func (a *assembler) macroArg() string {
	a.skipBlanks()
	switch c := a.s[a.i]; {
	case c == '"':
		if text, ok := a.quotedRaw('"'); ok {
			return text
		}
		return ""
	case c == '<' && a.altmacro:
		if text, ok := a.quotedRaw('>'); ok {
			return unbang(text)
		}
		return ""
	case c == '%' && a.altmacro && a.s[a.i+1] != '\n':
		a.i++
		n, _ := a.absolute("the value after %")
		return strconv.FormatInt(n, 10)
	}
	var b []byte
	start := a.i
	brackets := 0
	for {
		c := a.s[a.i]
		switch {
		case isEnd(c), c == ',':
			return joinArg(b, a.s[start:a.i])
		case c == '"':
			a.skipString()
		case c == '\'' && a.s[a.i+1] != '\n':
			a.i += 2
			if a.s[a.i-1] == '\\' && a.s[a.i] != '\n' {
				a.i++
			}
			if a.s[a.i] == '\'' {
				a.i++
			}
		case isBlank(c) || c == '/' && a.s[a.i+1] == '*':
			end := a.i
			a.skipBlanks()
			if end > start && isNameChar(a.s[end-1]) && isWordStart(a.s[a.i]) {
				if brackets == 0 {
					return joinArg(b, a.s[start:end])
				}
				b = append(append(b, a.s[start:end]...), ' ')
			} else {
				b = append(b, a.s[start:end]...)
			}
			start = a.i
			if start == end { // a lone slash cannot be passed over
				a.i++
			}
		default:
			switch c {
			case '(', '[':
				brackets++
			case ')', ']':
				brackets = max(brackets-1, 0)
			}
			a.i++
		}
	}
}

// unbang takes away the ! that quotes the character behind it.
func unbang(text string) string {
	if !strings.Contains(text, "!") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '!' && i+1 < len(text) {
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

func joinArg(b []byte, rest string) string {
	if b == nil {
		return rest
	}
	return string(append(b, rest...))
}

// isWordStart tells whether blanks before c separate two arguments.
func isWordStart(c byte) bool { return isNameChar(c) || c == '\\' || c == '"' || c == '%' || c == '@' }

// quotedRaw reads a string whose escapes stay as they are.
func (a *assembler) quotedRaw(end byte) (string, bool) {
	open := a.i
	a.i++
	start := a.i
	for a.s[a.i] != end {
		c := a.s[a.i]
		if c == '\n' {
			a.errorAt(open, "the string is not closed")
			return "", false
		}
		if a.i++; (c == '\\' && end == '"' || c == '!' && end == '>') && a.s[a.i] != '\n' {
			a.i++
		}
	}
	text := a.s[start:a.i]
	a.i++
	return text, true
}
