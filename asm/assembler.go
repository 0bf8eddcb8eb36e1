package asm

import (
	"strings"

	"arcv2dsp/internal/program/elfarc"
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
	reads      int  // of .eqv expressions in the statement

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
	index   *indexer // nil without one
	attrs   []attrSet

	usedFeatures isa.Feature // the features that instructions needed so far
	usedABI      struct{ sda, pic, tls, got bool }

	fileSymbol string          // from .file "name"
	printed    []string        // from .print
	files      []string        // read so far
	told       []string        // warnings that are given once
	explicit   []explicitReloc // from .reloc
	settled    bool            // the layout moves no more but for misaligned values
	file       *elfarc.File    // the result, once it is being built

	errs     ErrorList
	warnings ErrorList
}

const (
	frameFile frameKind = iota
	frameMacro
	frameLoop
)

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

		expandable: maxExpanded,
		fillable:   maxSection,
		maxSize:    maxSection,
	}
	if err := a.cpu.init(opts); err != nil {
		return nil, err
	}
	if opts.MaxText > 0 {
		a.expandable, a.fillable, a.maxSize = int64(opts.MaxText), int64(opts.MaxText), int64(opts.MaxText)
	}
	if opts.Listing != nil {
		a.listing = newListing(opts.Listing)
	}
	if opts.Index != nil {
		a.index = newIndexer(opts.Index)
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
		a.index.complete(a, obj)
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
		a.noteFile(sources[i].Name)
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
		a.gaveUp, a.reads = false, 0
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
			a.assign(name, start, assignText)
		} else {
			a.i++
			a.assign(name, start, assignVariable)
		}
		a.expectEnd()
		return false
	}
	if name[0] == '.' {
		if d := a.findDirective(name); d != nil {
			a.perform(d)
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
		a.assign(name, start, assignVariable)
		a.expectEnd()
	default:
		a.errorAt(a.i, "expected : or = after the symbol name")
		a.skipStatement()
	}
	return false
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
			a.perform(d)
		}
	}
	a.skipStatement()
	a.endStatement()
}
