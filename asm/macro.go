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
	body   []piece
	src    int32 // where the body stands
	line   int   // line number of the first line of the body
	size   int   // bytes of the body, to size expansions
	locals int   // names given by LOCAL, which follow params in the piece numbering
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
	arg  int // index of a parameter, or one of the codes below
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
			at := a.i
			if name, ok := a.name("the macro"); ok {
				if a.macros[strings.ToLower(name)] == nil {
					a.errorAt(at, "macro %q is not defined", name)
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

// collect reads the lines up to the closing directive, which belongs to the text of the opening one.
func (a *assembler) collect(open func(string) bool, closer string) (body string, line int, ok bool) {
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
				return a.s[start:at], line, true
			}
			depth--
		}
		a.i = end + 1
		a.line++
	}
	a.errorAt(a.stmt, "%s is missing", closer)
	return "", 0, false
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

func opensLoop(word string) bool {
	switch word {
	case ".rept", ".rep", ".irp", ".irpc", ".irep", ".irepc":
		return true
	}
	return false
}

// defineMacro is .macro name parameters ... .endm.
func (a *assembler) defineMacro() {
	stmt := a.stmt
	a.skipBlanks()
	at := a.i
	name, ok := a.name("the macro name")
	m := &macro{name: name, src: a.frame().src}
	if ok {
		a.optionalComma()
		ok = a.macroParams(m)
	}
	body, line, closed := a.collect(opensMacro, ".endm")
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
	m.line, m.size = line, len(body)
	m.body = a.pieces(body, m)
	a.macros[key] = m
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
func (a *assembler) pieces(body string, m *macro) []piece {
	names := make([]string, 0, len(m.params))
	for _, p := range m.params {
		names = append(names, p.name)
	}
	if a.altmacro {
		body, names = localNames(body, names)
		m.locals = len(names) - len(m.params)
	}
	var out []piece
	text := 0
	add := func(end, arg, next int) {
		if end > text {
			out = append(out, piece{text: body[text:end], arg: pieceText})
		}
		if arg != pieceText {
			out = append(out, piece{arg: arg})
		}
		text = next
	}
	for i := 0; i < len(body); {
		c := body[i]
		switch {
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
		case a.altmacro && isNameFirst(c):
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
		case a.altmacro && isDigit(c):
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
	args, ok := a.macroArgs(m)
	if !ok {
		a.skipStatement()
		return
	}
	for range m.locals {
		args = append(args, fmt.Sprintf(".LL%04x", a.locals))
		a.locals++
	}
	var b strings.Builder
	b.Grow(m.size + 16*len(args))
	for i := range m.body {
		switch p := &m.body[i]; p.arg {
		case pieceText:
			b.WriteString(p.text)
		case pieceCount:
			b.WriteString(strconv.Itoa(a.expansions))
		default:
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
		name: a.sources[m.src].name, text: b.String(), what: "macro " + m.name + " expanded", first: m.line,
	}, frameMacro)
}

// macroArgs reads the arguments of a call, by position or as name=value.
func (a *assembler) macroArgs(m *macro) ([]string, bool) {
	args := make([]string, len(m.params), len(m.params)+m.locals)
	given := make([]bool, len(m.params))
	next := 0
	for !a.atEnd() {
		at := a.i
		if k := a.keyword(m); k >= 0 {
			args[k] = a.macroArg()
			given[k] = true
		} else {
			switch {
			case next >= len(m.params):
				a.errorAt(at, "macro %q takes %d arguments, this is one more", m.name, len(m.params))
				return nil, false
			case m.params[next].rest:
				start := a.i
				a.skipStatement()
				args[next] = strings.TrimRight(a.s[start:a.i], " \t\r")
			default:
				args[next] = a.macroArg()
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
			return nil, false
		}
		args[i] = p.value
	}
	return args, true
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
		if c := a.s[a.i]; a.s[a.i+1] != '\n' && (c == '\\' && end == '"' || c == '!' && end == '>') {
			a.i++
		}
		if a.s[a.i] == '\n' {
			a.errorAt(open, "the string is not closed")
			return "", false
		}
		a.i++
	}
	text := a.s[start:a.i]
	a.i++
	return text, true
}

// exitMacro leaves the innermost macro or loop.
func (a *assembler) exitMacro() {
	for i := len(a.frames) - 1; i >= 0; i-- {
		if a.frames[i].kind == frameFile {
			a.errorAt(a.stmt, ".exitm outside a macro")
			return
		}
		a.conds = a.conds[:min(len(a.conds), a.frames[i].conds)]
		a.i = len(a.s)
		a.switched = true
		return
	}
}

// rept is .rept count ... .endr.
func (a *assembler) rept() {
	at := a.i
	count, ok := a.absolute("the repeat count")
	body, line, closed := a.collectLoop()
	if !ok || !closed {
		return
	}
	if count < 0 {
		a.errorAt(at, "repeat count %d is negative", count)
		return
	}
	if count*int64(len(body)) > maxExpansion || count > maxExpansion {
		a.errorAt(at, "the repeated text is longer than %d MB", maxExpansion>>20)
		return
	}
	a.loop(strings.Repeat(body, int(count)), body, line)
}

// collectLoop reads the body of a loop; the cursor is then behind .endr.
func (a *assembler) collectLoop() (body string, line int, ok bool) {
	a.skipStatement()
	body, line, ok = a.collect(opensLoop, ".endr")
	a.switched = true
	return body, line, ok
}

// loop goes on with the expansion of a loop whose lines are those of body again and again.
func (a *assembler) loop(text, body string, line int) {
	if text == "" || a.tooDeep() {
		return
	}
	a.spend(text)
	a.pushSource(source{
		name: a.sources[a.frame().src].name, text: text, what: "loop expanded",
		from: a.here(a.stmt), first: line, period: strings.Count(body, "\n"),
	}, frameLoop)
}

// irp is .irp name, values ... .endr.
func (a *assembler) irp() {
	name, ok := a.name("the loop variable")
	var values []string
	if ok {
		a.optionalComma()
		for !a.atEnd() {
			values = append(values, a.macroArg())
			a.optionalComma()
		}
		if len(values) == 0 {
			values = []string{""}
		}
	}
	a.each(name, values, ok)
}

// irpc is .irpc name, characters ... .endr.
func (a *assembler) irpc() {
	name, ok := a.name("the loop variable")
	var values []string
	if ok {
		a.optionalComma()
		text := a.macroArg()
		for i := range len(text) {
			values = append(values, text[i:i+1])
		}
		if len(values) == 0 {
			values = []string{""}
		}
	}
	a.each(name, values, ok)
}

// each expands a loop over values.
func (a *assembler) each(name string, values []string, ok bool) {
	at := a.i
	body, line, closed := a.collectLoop()
	if !ok || !closed {
		return
	}
	m := &macro{params: []param{{name: name}}}
	pieces := a.pieces(body, m)
	var b strings.Builder
	for _, v := range values {
		for i := range pieces {
			switch p := &pieces[i]; p.arg {
			case pieceText:
				b.WriteString(p.text)
			case pieceCount:
				b.WriteString(strconv.Itoa(a.expansions))
			case 0:
				b.WriteString(v)
			default: // LOCAL names
				fmt.Fprintf(&b, ".LL%04x", a.locals+p.arg)
			}
		}
		a.locals += m.locals + 1
		if b.Len() > maxExpansion {
			a.errorAt(at, "the repeated text is longer than %d MB", maxExpansion>>20)
			return
		}
	}
	a.expansions++
	a.loop(b.String(), body, line)
}
