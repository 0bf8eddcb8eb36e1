package asm

import (
	"debug/elf"
	"strings"

	"arcv2dsp/internal/program/elfarc"
)

// symbol is a name of the program: label, constant, equate, common block or reference to another
// object.
type symbol struct {
	name  string
	index int32 // in assembler.order
	kind  symKind

	at   location // symLabel: where it is
	n    int64    // symAbs: its value; symCommon: its alignment
	eq   expr     // symEquate: the expression it stands for
	text string   // of .eqv: read again at each use

	bind      elf.SymBind
	typ       elf.SymType
	vis       elf.SymVis
	size      expr // from .size
	sizePlace place
	common    int64 // size of a common block
	place     place // definition, or first use while undefined
	used      bool  // appears in an expression
	given     bool  // binding was given: .global, .weak or .local
	variable  bool  // set by .set, so it may change
	section   bool  // stands for its section
	forward   bool  // was used before its definition
	weakref   bool  // target of .weakref: weak unless it is referred to by its own name
	auxName   bool  // was read as the name of an auxiliary register
	visiting  bool  // guards against equates that refer to themselves

	elf *elfarc.Symbol
}

type symKind uint8

const (
	symUndefined symKind = iota
	symLabel
	symAbs
	symEquate
	symCommon
	symView // the view number of a .loc, known after the layout
)

// lookup finds a symbol, or creates it undefined.
func (a *assembler) lookup(name string) *symbol {
	a.index.passed(a, name, false)
	if s := a.symbols[name]; s != nil {
		return s
	}
	s := a.newSymbol(name)
	s.place = a.here(a.i)
	if strings.HasSuffix(a.s[:a.i], name) { // the name has been read
		s.place.off -= int32(len(name))
	}
	s.index = int32(len(a.order))
	a.symbols[name] = s
	a.order = append(a.order, s)
	return s
}

// newSymbol allocates in blocks: programs have many labels.
func (a *assembler) newSymbol(name string) *symbol {
	if len(a.symbolPool) == 0 {
		a.symbolPool = make([]symbol, 64)
	}
	s := &a.symbolPool[0]
	a.symbolPool = a.symbolPool[1:]
	s.name = name
	return s
}

// isLocalName tells whether a symbol stays out of the symbol table by its name.
func isLocalName(name string) bool {
	return strings.HasPrefix(name, ".L") || strings.HasPrefix(name, numericPrefix)
}

// numericPrefix begins the internal names of numeric labels; no program can write it.
const numericPrefix = "L\x01"

// defineLabel gives a symbol the current location.
func (a *assembler) defineLabel(name string, off int) {
	s := a.lookup(name)
	a.index.symbol(a, name, off, true)
	switch {
	case s.kind == symUndefined:
	case s.variable:
		s = a.renew(s)
	case s.kind == symLabel && s.at == a.location():
		return // said twice
	case s.kind == symCommon:
		a.errorAt(off, "symbol %q is already a common block", name)
		return
	default:
		a.errorAt(off, "symbol %q is already defined at %s", name, a.where(s.place))
		return
	}
	s.kind = symLabel
	s.at = a.location()
	s.place = a.here(off)
	if a.cur.section.absolute {
		s.kind, s.n = symAbs, int64(a.cur.skipped)
		return
	}
}

// where describes a place for messages.
func (a *assembler) where(p place) string {
	pos, _ := a.sources[p.src].locate(int(p.off))
	return pos.String()
}

// dot returns a symbol for the current location. Uses at one place share it.
func (a *assembler) dot() *symbol {
	at := a.location()
	if d := a.dotSymbol; d != nil && d.at == at {
		return d
	}
	s := a.newSymbol(".")
	s.kind = symLabel
	s.at = at
	a.dotSymbol = s
	return s
}

// numericLabels are the labels "1:" that may be defined again and again.
type numericLabel struct {
	back *symbol // the last definition
	next *symbol // what 1f refers to, when it was used
}

func (a *assembler) defineNumeric(n uint64, off int) {
	l := a.numeric[n]
	s := l.next
	if s == nil {
		s = a.newSymbol(numericPrefix)
	}
	s.kind = symLabel
	s.at = a.location()
	s.place = a.here(off)
	a.numeric[n] = numericLabel{back: s}
	a.index.number(a, s, off, true)
}

// numericLabel is the value of 1f or 1b.
func (a *assembler) numericLabel(n uint64, forward bool, off int) expr {
	l := a.numeric[n]
	if !forward {
		if l.back == nil {
			a.errorAt(off, "there is no label %d before this", n)
			return constant(0)
		}
		a.index.number(a, l.back, off, false)
		return expr{kind: exprSym, sym: l.back}
	}
	if l.next == nil {
		l.next = a.newSymbol(numericPrefix)
		l.next.place = a.here(off)
		a.numeric[n] = l
		a.forward = append(a.forward, l.next)
	}
	a.index.number(a, l.next, off, false)
	return expr{kind: exprSym, sym: l.next}
}

// dollarLabel is the label "5$", whose life ends at the next ordinary label.
func (a *assembler) dollarLabel(n uint64) *symbol {
	s := a.dollar[n]
	if s == nil {
		s = a.newSymbol(numericPrefix)
		s.place = a.here(a.i)
		a.dollar[n] = s
		a.forward = append(a.forward, s)
	}
	return s
}

func (a *assembler) defineDollar(n uint64, off int) {
	s := a.dollarLabel(n)
	if s.kind != symUndefined {
		a.errorAt(off, "label %d$ is already defined", n)
		return
	}
	s.kind = symLabel
	s.at = a.location()
	s.place = a.here(off)
	a.index.number(a, s, off, true)
}

// assignment says what may become of a symbol that is given a value.
type assignment uint8

const (
	assignVariable assignment = iota // .set .equ =
	assignOnce                       // .equiv: it must not have a value yet
	assignText                       // .eqv ==: the same, and the expression is read again at each use
)

// assign gives a symbol the value of an expression.
func (a *assembler) assign(name string, off int, how assignment) {
	a.skipBlanks()
	at := a.i
	e := a.expression()
	if e.kind == exprNone {
		a.errorAt(at, "a value is missing")
		return
	}
	if name == "." {
		a.origin(e, 0, at)
		return
	}
	s := a.lookup(name)
	a.index.symbol(a, name, off, true)
	if s.kind != symUndefined && (how != assignVariable || !s.variable) {
		a.errorAt(off, "symbol %q is already defined at %s", name, a.where(s.place))
		return
	}
	switch s.kind {
	case symUndefined:
		s.place = a.here(off)
	case symLabel, symEquate:
		s = a.renew(s)
	case symAbs:
		if s.forward { // references before its definition mean the first value
			s = a.renew(s)
			s.forward = false
		}
	}
	a.setValue(s, e)
	s.text = ""
	if how == assignText {
		s.text = a.s[at:a.i] + "\n"
	}
}

// renew replaces a symbol that gets another value: bytes written so far keep the old one, so the
// old symbol lives on without its name.
func (a *assembler) renew(old *symbol) *symbol {
	s := a.newSymbol(old.name)
	*s = *old
	a.symbols[s.name] = s
	a.order[s.index] = s
	return s
}

func (a *assembler) setValue(s *symbol, e expr) {
	s.variable = true
	switch {
	case e.kind == exprConst:
		s.kind, s.n = symAbs, e.n
	case e.kind == exprSym && e.sym != nil && e.sub == nil && e.mod == opNone && e.sym.kind == symLabel:
		s.inherit(e.sym)
		s.kind, s.at = symLabel, e.sym.at
		s.at.off += uint32(e.n)
	default:
		s.kind, s.eq = symEquate, e
	}
}

// inherit gives an alias the type and size of what it stands for, as far as they are known by now.
func (s *symbol) inherit(from *symbol) {
	if from.typ == elf.STT_FUNC || from.typ == elf.STT_GNU_IFUNC || from.typ == elf.STT_OBJECT && s.typ == elf.STT_NOTYPE {
		s.typ = from.typ
	}
	if s.size.kind == exprNone {
		s.size, s.sizePlace = from.size, from.sizePlace
	}
}
