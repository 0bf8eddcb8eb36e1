package asm

import (
	"fmt"
	"strconv"
	"strings"
)

// macro is a definition by .macro.
type macro struct {
	name   string
	params []param
	text   string
	body   []piece // the text cut, once the macro is called: most macros of a file that is included are not
	alt    bool    // defined under .altmacro
	at     place   // where the body begins
	line   int     // line number of the first line of the body
	locals int     // names given by LOCAL, which follow params in the piece numbering
}

type param struct {
	name     string
	value    string // default
	required bool
	rest     bool // takes everything up to the end of the statement
}

// piece is literal text, or a parameter when arg is not negative.
type piece struct {
	text string
	arg  int   // index of a parameter, or one of the codes below
	off  int32 // of literal text in the body
}

const (
	pieceText  = -1
	pieceCount = -2 // \@
)

// maxExpansion bounds the text of one expansion or loop.
const maxExpansion = 1 << 26

func macroDirectives() map[string]func(*assembler) {
	return map[string]func(*assembler){
		".macro": (*assembler).defineMacro,
		".endm": func(a *assembler) {
			a.errorAt(a.stmt, ".endm without .macro")
			a.skipStatement()
		},
		".endr": func(a *assembler) {
			a.errorAt(a.stmt, ".endr without .rept, .irp or .irpc")
			a.skipStatement()
		},
		".exitm": (*assembler).exitMacro, ".mexit": (*assembler).exitMacro,
		".purgem": func(a *assembler) {
			a.skipBlanks()
			at := a.i
			if name, ok := a.name("the macro"); ok {
				if a.macros[strings.ToLower(name)] == nil {
					a.errorAt(at, "macro %q is not defined", name)
				} else {
					a.index.macro(a, name, at, false)
				}
				delete(a.macros, strings.ToLower(name))
			}
		},
		".altmacro":   func(a *assembler) { a.altmacro = true },
		".noaltmacro": func(a *assembler) { a.altmacro = false },
		".rept":       (*assembler).rept, ".rep": (*assembler).rept,
		".irp": (*assembler).irp, ".irep": (*assembler).irp,
		".irpc": (*assembler).irpc, ".irepc": (*assembler).irpc,
	}
}

// collected is the body of a macro or loop.
type collected struct {
	text string
	at   place // where it begins
	line int   // number of its first line
}

// collect reads the lines up to the closing directive, which belongs to the text of the opening one.
func (a *assembler) collect(open func(string) bool, closer string) (body collected, ok bool) {
	a.skipStatement()
	a.endStatement()
	start, line := a.i, a.line
	depth := 0
	for a.i < len(a.s) {
		at := a.i
		end := at + strings.IndexByte(a.s[at:], '\n')
		if a.listing != nil {
			a.listing.passed(a, at)
		}
		word := firstDirective(a.s[at:end])
		switch {
		case word == "":
		case open(word):
			depth++
		case word == closer:
			if depth == 0 {
				a.i = end + 1
				a.line++
				return collected{text: a.s[start:at], at: a.here(start), line: line}, true
			}
			depth--
		}
		a.i = end + 1
		a.line++
	}
	a.errorAt(a.stmt, "%s is missing", closer)
	return collected{}, false
}

// firstDirective returns the directive of a line in lower case, labels passed; "" if there is none.
func firstDirective(line string) string {
	for {
		i := 0
		for i < len(line) && isBlank(line[i]) {
			i++
		}
		j := i
		for j < len(line) && isNameChar(line[j]) {
			j++
		}
		word := line[i:j]
		for j < len(line) && isBlank(line[j]) {
			j++
		}
		if j < len(line) && line[j] == ':' && word != "" {
			line = line[j+1:]
			continue
		}
		if word == "" || word[0] != '.' {
			return ""
		}
		return strings.ToLower(word)
	}
}

func opensMacro(word string) bool { return word == ".macro" }

// defineMacro is .macro name parameters ... .endm.
func (a *assembler) defineMacro() {
	stmt := a.stmt
	a.skipBlanks()
	at := a.i
	name, ok := a.name("the macro name")
	m := &macro{name: name, alt: a.altmacro}
	if ok {
		a.optionalComma()
		ok = a.macroParams(m)
	}
	body, closed := a.collect(opensMacro, ".endm")
	a.stmt = stmt
	a.switched = true
	if !ok || !closed {
		return
	}
	key := strings.ToLower(name)
	if a.macros[key] != nil {
		a.errorAt(at, "macro %q is already defined", name)
		return
	}
	m.line, m.text, m.at = body.line, body.text, body.at
	a.macros[key] = m
	a.index.macro(a, name, at, true)
}

// macroParams reads the formal parameters.
func (a *assembler) macroParams(m *macro) bool {
	for !a.atEnd() {
		at := a.i
		name, ok := a.name("a parameter")
		if !ok {
			return false
		}
		for _, p := range m.params {
			if p.name == name {
				a.errorAt(at, "parameter %q is named twice", name)
				return false
			}
		}
		p := param{name: name}
		a.skipBlanks()
		if a.s[a.i] == ':' {
			a.i++
			at := a.i
			word, _ := a.name("req or vararg")
			switch word {
			case "req":
				p.required = true
			case "vararg":
				p.rest = true
			default:
				a.errorAt(at, "%q is no kind of parameter, expected req or vararg", word)
				return false
			}
			a.skipBlanks()
		}
		if a.s[a.i] == '=' {
			a.i++
			p.value = a.macroArg()
		}
		if n := len(m.params); n > 0 && m.params[n-1].rest {
			a.errorAt(at, "a vararg parameter must be the last")
			return false
		}
		m.params = append(m.params, p)
		a.optionalComma()
	}
	return true
}

// pieces cuts a body at its parameters.
func (m *macro) pieces(body string) []piece {
	names := make([]string, 0, len(m.params))
	for _, p := range m.params {
		names = append(names, p.name)
	}
	cut := ""
	if m.alt {
		whole := body
		body, names = localNames(body, names)
		m.locals, cut = len(names)-len(m.params), whole[:len(whole)-len(body)]
	}
	var out []piece
	text := 0
	add := func(end, arg, next int) {
		if end > text {
			out = append(out, piece{text: body[text:end], arg: pieceText, off: int32(text + len(cut))})
		}
		if arg != pieceText {
			out = append(out, piece{arg: arg})
		}
		text = next
	}
	inString := false
	for i := 0; i < len(body); {
		c := body[i]
		switch {
		case c == '"' || c == '\n':
			inString = c == '"' && !inString
			i++
		case c == '\'' && !inString && i+2 < len(body) && body[i+1] == '\\':
			i += 3 // the character constant '\n is none of the parameter n
		case c == '\'' && !inString && i+1 < len(body) && body[i+1] == '"':
			i += 2
		case c == '\\' && i+1 < len(body):
			switch n := body[i+1]; {
			case n == '@':
				add(i, pieceCount, i+2)
				i += 2
				continue
			case n == '(' && i+2 < len(body) && body[i+2] == ')':
				add(i, pieceText, i+3)
				i += 3
				continue
			case isNameFirst(n):
				j := i + 1
				for j < len(body) && isNameChar(body[j]) {
					j++
				}
				// The longest parameter name that the text begins with: \reg.x is not a parameter name.
				if arg, end := paramAt(body, i+1, j, names); arg >= 0 {
					add(i, arg, end)
					i = end
					continue
				}
			}
			i += 2
		case m.alt && isNameFirst(c):
			j := i
			for j < len(body) && isNameChar(body[j]) {
				j++
			}
			arg := indexOf(names, body[i:j])
			if arg < 0 {
				i = j
				continue
			}
			if i > text && body[i-1] == '&' {
				add(i-1, arg, j)
			} else {
				add(i, arg, j)
			}
			if j < len(body) && body[j] == '&' {
				text, j = j+1, j+1
			}
			i = j
		case m.alt && isDigit(c):
			for i < len(body) && isNameChar(body[i]) {
				i++
			}
		default:
			i++
		}
	}
	add(len(body), pieceText, len(body))
	return out
}

// paramAt finds the parameter named at body[from:to]; dots end a name when the whole is none.
func paramAt(body string, from, to int, names []string) (arg, end int) {
	for end = to; end > from; {
		if arg = indexOf(names, body[from:end]); arg >= 0 {
			return arg, end
		}
		dot := strings.LastIndexAny(body[from:end], ".$")
		if dot <= 0 {
			break
		}
		end = from + dot
	}
	return -1, to
}

func indexOf(names []string, name string) int {
	for i, n := range names {
		if n == name {
			return i
		}
	}
	return -1
}

// localNames takes the LOCAL lines at the beginning of a body away and adds their names.
func localNames(body string, names []string) (rest string, all []string) {
	for {
		line, after, ok := strings.Cut(body, "\n")
		fields := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' })
		if !ok || len(fields) == 0 || !strings.EqualFold(fields[0], "local") {
			return body, names
		}
		names = append(names, fields[1:]...)
		body = after
	}
}

// expand reads a macro call and goes on with the text of the macro.
func (a *assembler) expand(m *macro, at int) {
	a.index.macro(a, m.name, at, false)
	if m.body == nil {
		m.body = m.pieces(m.text)
	}
	args, places, ok := a.macroArgs(m)
	if !ok {
		a.skipStatement()
		return
	}
	for range m.locals {
		args = append(args, fmt.Sprintf(".LL%04x", a.locals))
		a.locals++
	}
	var b strings.Builder
	b.Grow(len(m.text) + 16*len(args))
	origin := a.index.expansion()
	for i := range m.body {
		switch p := &m.body[i]; p.arg {
		case pieceText:
			origin.add(b.Len(), m.at, p.off)
			b.WriteString(p.text)
		case pieceCount:
			origin.nowhere(b.Len())
			b.WriteString(strconv.Itoa(a.expansions))
		default:
			if p.arg < len(places) {
				origin.add(b.Len(), places[p.arg], 0)
			} else {
				origin.nowhere(b.Len())
			}
			b.WriteString(args[p.arg])
		}
		if b.Len() > maxExpansion {
			a.errorAt(at, "the expansion of macro %q is longer than %d MB", m.name, maxExpansion>>20)
			a.skipStatement()
			return
		}
	}
	a.expansions++
	a.stmt = at
	a.substitute(source{
		name: a.sources[m.at.src].name, text: b.String(), what: "macro " + m.name + " expanded", first: m.line, origin: origin,
	}, frameMacro)
}

// exitMacro leaves the innermost macro or loop.
func (a *assembler) exitMacro() {
	f := a.frame()
	if f.kind == frameFile {
		a.errorAt(a.stmt, ".exitm outside a macro")
		return
	}
	a.conds = a.conds[:min(len(a.conds), f.conds)]
	a.i = len(a.s)
	a.switched = true
}
