package asm

import (
	"errors"
	"io/fs"
	"strconv"
	"strings"

	"arcv2dsp/internal/elfarc"
	"arcv2dsp/isa"
)

// assembler is the state of one run.
type assembler struct {
	opts      *Options
	big       bool
	maxErrors int

	// The text being read: a.s[a.i] is the next character. Every text ends with a newline.
	s    string
	i    int
	stmt int // where the statement began
	line int // number of the line being read, counted from the start of the text

	stmtLine int // line of stmt

	frames   []frame
	sources  []source
	conds    []cond
	switched bool // the statement ended itself and another text may be on top

	directives map[string]*directive

	expandable int64 // text that may still be expanded
	fillable   int64 // bytes that may still be put into sections by repetition
	maxSize    int64 // greatest size of a section

	symbols    map[string]*symbol
	order      []*symbol // named symbols in order of appearance
	symbolPool []symbol
	numeric    map[uint64]numericLabel
	dollar     map[uint64]*symbol
	forward    []*symbol // numeric labels referred to before their definition
	dotSymbol  *symbol
	nesting    int
	gaveUp     bool // what is left of the statement makes no sense any more
	steps      int  // of the expression being resolved

	sections []*section
	byName   map[string]*section // the first section of each name
	byKey    map[sectionKey]*section
	cur      *stream
	previous *stream
	pushed   []pushedSection

	opcodes    map[string]*opcode // mnemonics with suffixes, as far as the text used them
	macros     map[string]*macro
	expansions int // for \@
	locals     int // for LOCAL
	altmacro   bool

	cpu     cpuState
	encoder encoder
	ext     extensions
	cfi     cfiState
	debug   debugState
	listing *listing
	attrs   []attrSet

	usedFeatures isa.Feature // what the instructions so far need
	usedABI      struct{ sda, pic, tls, got bool }

	fileSymbol string          // from .file "name"
	printed    []string        // from .print
	explicit   []explicitReloc // from .reloc
	settled    bool            // the layout moves no more but for misaligned values
	file       *elfarc.File    // the result, once it is being built

	errs     ErrorList
	warnings ErrorList
}

// frame is a text being read.
type frame struct {
	src   int32
	kind  frameKind
	conds int // open conditionals when it began

	// Where to go on in the text below, when this one ends.
	s    string
	i    int
	line int
	call int // line of the statement that brought this text
}

type frameKind uint8

const (
	frameFile frameKind = iota
	frameMacro
	frameLoop
)

// maxFrames bounds the nesting of files, macros and loops.
const maxFrames = 1000

// maxExpanded bounds the text that macros, loops and included files add up to, so that no input keeps
// the assembler busy for ever; each of them counts for expansionCost bytes more.
const (
	maxExpanded   = 1 << 28
	expansionCost = 64
)

func newAssembler(opts *Options) (*assembler, error) {
	maxErrors, err := opts.maxErrors()
	if err != nil {
		return nil, err
	}
	a := &assembler{
		opts: opts, big: opts.BigEndian, maxErrors: maxErrors,
		symbols: make(map[string]*symbol, 256),
		numeric: make(map[uint64]numericLabel),
		dollar:  make(map[uint64]*symbol),
		byName:  make(map[string]*section),
		byKey:   make(map[sectionKey]*section),
		macros:  make(map[string]*macro),
		opcodes: make(map[string]*opcode),

		directives: directiveTable(),
		expandable: maxExpanded,
		fillable:   maxSection,
		maxSize:    maxSection,
	}
	if err := a.cpu.init(opts); err != nil {
		return nil, err
	}
	if opts.Listing != nil {
		a.listing = newListing(opts.Listing)
	}
	return a, nil
}

// run assembles the sources and builds the object.
func (a *assembler) run(sources []Source) (obj *Object, err error) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(tooManyErrors); !ok {
				panic(r)
			}
			a.errs.sort()
			obj, err = nil, a.errs
		}
	}()
	a.sources = append(a.sources, source{name: "command line", text: "\n", first: 1})
	a.pushText(0, frameFile)
	text := a.newSection(".text", sectionDefaults(".text"))
	a.newSection(".data", sectionDefaults(".data"))
	a.newSection(".bss", sectionDefaults(".bss"))
	a.cur = text.subs[0]
	for _, name := range sortedNames(a.opts.Defsym) {
		s := a.lookup(name)
		s.kind, s.n, s.variable = symAbs, a.opts.Defsym[name], true
	}
	a.popText()
	for i := range sources {
		a.pushSource(source{name: sources[i].Name, text: sources[i].Text, first: 1}, frameFile)
		a.statements()
	}
	if a.listing != nil {
		a.listing.close(a)
	}
	a.finish()
	if len(a.errs) == 0 {
		a.layout()
	}
	if len(a.errs) == 0 {
		obj = a.object()
	}
	if len(a.errs) > 0 {
		a.errs.sort()
		return nil, a.errs
	}
	a.warnings.sort()
	obj.Warnings = a.warnings
	return obj, nil
}

// finish checks what must be complete at the end of the program.
func (a *assembler) finish() {
	a.pushText(int32(len(a.sources)-1), frameFile)
	a.i = len(a.s) - 1
	for _, s := range a.forward {
		if s.kind == symUndefined {
			a.errorPlace(s.place, "the numeric label is not defined after this")
		}
	}
	a.finishCFI()
	a.finishDebug()
}

func (a *assembler) frame() *frame { return &a.frames[len(a.frames)-1] }

// pushSource begins to read a new text; the present one goes on when it ends.
func (a *assembler) pushSource(src source, kind frameKind) {
	if !strings.HasSuffix(src.text, "\n") {
		src.text += "\n"
	}
	a.sources = append(a.sources, src)
	a.pushText(int32(len(a.sources)-1), kind)
}

// spend takes the cost of an expansion from what is left; when nothing is left the run ends.
func (a *assembler) spend(text string) {
	if a.expandable -= int64(len(text)) + expansionCost; a.expandable < 0 {
		a.errorAt(a.stmt, "macros, loops and included files expand to more than %d MB", maxExpanded>>20)
		panic(tooManyErrors{})
	}
}

func (a *assembler) pushText(src int32, kind frameKind) {
	a.frames = append(a.frames, frame{src: src, kind: kind, conds: len(a.conds), s: a.s, i: a.i, line: a.line, call: a.stmtLine})
	a.s, a.i, a.line = a.sources[src].text, 0, a.sources[src].first
}

func (a *assembler) popText() {
	f := a.frame()
	for len(a.conds) > f.conds {
		c := a.conds[len(a.conds)-1]
		a.errorPlace(c.place, "the conditional is not closed by .endif")
		a.conds = a.conds[:len(a.conds)-1]
	}
	a.s, a.i, a.line = f.s, f.i, f.line
	a.frames = a.frames[:len(a.frames)-1]
}

// tooDeep reports whether another text may not be pushed.
func (a *assembler) tooDeep() bool {
	if len(a.frames) < maxFrames {
		return false
	}
	a.errorAt(a.stmt, "files, macros and loops are nested more than %d deep", maxFrames)
	// One message is enough: leave everything that led here.
	for len(a.frames) > 1 {
		a.i = len(a.s)
		f := a.frame()
		a.conds = a.conds[:min(len(a.conds), f.conds)]
		a.popText()
	}
	a.i = len(a.s)
	a.switched = true
	return true
}

// fileName is the file being read, or the one whose macro is being expanded.
func (a *assembler) fileName() string {
	for i := len(a.frames) - 1; i >= 0; i-- {
		if f := &a.frames[i]; f.kind == frameFile {
			return a.sources[f.src].name
		}
	}
	return ""
}

// statements reads until the text that is on top now ends.
func (a *assembler) statements() {
	depth := len(a.frames)
	for {
		if a.i >= len(a.s) {
			a.popText()
			if len(a.frames) < depth {
				return
			}
			continue
		}
		skipped := len(a.conds) > 0 && !a.conds[len(a.conds)-1].active
		if a.listing != nil {
			a.listing.begin(a, skipped)
		}
		if skipped {
			a.skipLine()
			continue
		}
		a.statement()
	}
}

// statement reads one statement with its labels and the end that follows it.
func (a *assembler) statement() {
	for {
		a.skipBlanks()
		a.stmt, a.stmtLine = a.i, a.line
		a.gaveUp = false
		c := a.s[a.i]
		switch {
		case isNameFirst(c):
			if a.named() {
				continue
			}
		case isDigit(c):
			if a.digitLabel() {
				continue
			}
		case isEnd(c):
			a.endStatement()
			return
		case c == '"':
			if a.quotedLabel() {
				continue
			}
		default:
			if c == '/' && a.s[a.i+1] == '/' {
				a.errorAt(a.i, "// does not begin a comment: use ;")
			} else {
				a.errorAt(a.i, "a statement cannot begin with %s", quoteChar(c))
			}
			a.skipStatement()
		}
		break
	}
	if a.switched {
		a.switched = false
		return
	}
	a.endStatement()
}

func quoteChar(c byte) string { return strconv.QuoteRune(rune(c)) }

// named reads a statement that begins with a name; true when it was only a label.
func (a *assembler) named() (label bool) {
	s, start := a.s, a.i
	i := start
	for isNameChar(s[i]) {
		i++
	}
	name := s[start:i]
	a.i = i
	next := s[i]
	if next == ' ' || next == '\t' {
		a.skipBlanks()
		next = s[a.i]
	}
	switch next {
	case ':':
		if s[a.i+1] == ':' { // exported label, as some assemblers write it
			a.i++
		}
		a.i++
		a.clearDollar()
		a.defineLabel(name, start)
		return true
	case '=':
		if s[a.i+1] == '=' {
			a.i += 2
			a.assign(name, start, true)
		} else {
			a.i++
			a.assign(name, start, false)
		}
		a.expectEnd()
		return false
	}
	if name[0] == '.' {
		if d := a.findDirective(name); d != nil {
			d.run(a)
			if !a.switched {
				a.expectEnd()
			}
			return false
		}
		if len(a.macros) == 0 || a.macros[name] == nil {
			a.unknownDirective(name, start)
			a.skipStatement()
			return false
		}
	}
	if len(a.macros) > 0 {
		if m := a.macros[strings.ToLower(name)]; m != nil {
			a.expand(m, start)
			return false
		}
	}
	if a.altmacro && strings.EqualFold(name, "local") {
		a.errorAt(start, "LOCAL must come first in a macro")
		a.skipStatement()
		return false
	}
	a.instruction(name, start)
	return false
}

// clearDollar ends the life of labels like 5$ at an ordinary label.
func (a *assembler) clearDollar() {
	if len(a.dollar) > 0 {
		clear(a.dollar)
	}
}

// digitLabel reads "1:" or "1$:".
func (a *assembler) digitLabel() bool {
	start := a.i
	n := uint64(0)
	for isDigit(a.s[a.i]) {
		n = n*10 + uint64(a.s[a.i]-'0')
		a.i++
	}
	dollar := a.s[a.i] == '$'
	if dollar {
		a.i++
	}
	a.skipBlanks()
	if a.s[a.i] != ':' || a.i-start > 18 {
		a.errorAt(start, "a statement cannot begin with a number, unless it is a label like 1:")
		a.skipStatement()
		return false
	}
	a.i++
	if dollar {
		a.defineDollar(n, start)
	} else {
		a.defineNumeric(n, start)
	}
	return true
}

func (a *assembler) quotedLabel() bool {
	start := a.i
	name, ok := a.quoted()
	if !ok {
		a.skipStatement()
		return false
	}
	a.skipBlanks()
	switch a.s[a.i] {
	case ':':
		a.i++
		a.defineLabel(name, start)
		return true
	case '=':
		a.i++
		a.assign(name, start, false)
		a.expectEnd()
	default:
		a.errorAt(a.i, "expected : or = after the symbol name")
		a.skipStatement()
	}
	return false
}

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

// skipStatement passes the rest of a statement, strings and comments included.
func (a *assembler) skipStatement() {
	for {
		c := a.s[a.i]
		switch {
		case isEnd(c):
			return
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
}

// endStatement passes the end of a statement and the comment or newline there.
func (a *assembler) endStatement() {
	switch a.s[a.i] {
	case '`':
		a.i++
		return
	case '#':
		if a.i == a.lineStart() {
			a.lineMarker()
		}
	}
	n := strings.IndexByte(a.s[a.i:], '\n')
	a.i += n + 1
	a.line++
}

func (a *assembler) lineStart() int { return strings.LastIndexByte(a.s[:a.i], '\n') + 1 }

// lineMarker reads "# 12 "file.c"" that a preprocessor left at the start of a line.
func (a *assembler) lineMarker() {
	at := a.i
	a.i++
	for a.s[a.i] == ' ' || a.s[a.i] == '\t' {
		a.i++
	}
	n := 0
	digits := a.i
	for isDigit(a.s[a.i]) && a.i-digits < 9 {
		n = n*10 + int(a.s[a.i]-'0')
		a.i++
	}
	for a.s[a.i] == ' ' || a.s[a.i] == '\t' {
		a.i++
	}
	if a.i > digits && a.s[a.i] == '"' {
		if name, ok := a.quoted(); ok {
			a.markLine(at, name, n)
		}
	}
}

// markLine makes the line after the one at off count as line n of a file.
func (a *assembler) markLine(off int, file string, n int) {
	src := &a.sources[a.frame().src]
	next := off + strings.IndexByte(a.s[off:], '\n') + 1
	src.marks = append(src.marks, lineMark{off: next, file: file, line: n})
	a.line = n - 1
}

// skipLine passes a line inside a conditional that is not taken; only other conditionals count there.
func (a *assembler) skipLine() {
	a.skipBlanks()
	a.stmt = a.i
	if a.s[a.i] == '.' {
		start := a.i
		for isNameChar(a.s[a.i]) {
			a.i++
		}
		if d := a.findDirective(a.s[start:a.i]); d != nil && d.cond {
			a.skipBlanks()
			d.run(a)
		}
	}
	a.skipStatement()
	a.endStatement()
}

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

// include reads another file in place of the directive.
func (a *assembler) include() {
	at := a.i
	name, ok := a.quoted()
	if !ok {
		a.skipStatement()
		return
	}
	a.expectEnd()
	found, text, err := a.findFile(name)
	if err != nil {
		a.errorAt(at, "cannot read %q: %s", name, plainError(err))
		return
	}
	a.substitute(source{name: found, text: string(text), what: "included", first: 1}, frameFile)
}

// substitute goes on with another text in place of the present statement.
func (a *assembler) substitute(src source, kind frameKind) {
	if a.tooDeep() {
		return
	}
	a.spend(src.text)
	src.from = a.here(a.stmt)
	a.endStatement()
	a.pushSource(src, kind)
	a.switched = true
}

func plainError(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}
