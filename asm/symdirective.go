package asm

import (
	"debug/elf"
	"math/bits"
)

// symbolDirectives give symbols values and properties.
func symbolDirectives() map[string]func(*assembler) {
	set := func(how assignment) func(*assembler) {
		return func(a *assembler) {
			at := a.i
			name := need(a.name("the symbol"))
			needed(a.comma("a value"))
			a.assign(name, at, how)
		}
	}
	visibility := func(vis elf.SymVis) func(*assembler) {
		return func(a *assembler) { a.eachSymbol(func(s *symbol, _ int) { s.vis = vis }) }
	}
	bind := func(b elf.SymBind) func(*assembler) {
		return func(a *assembler) { a.eachSymbol(func(s *symbol, at int) { a.bind(s, b, at) }) }
	}
	return map[string]func(*assembler){
		".set": set(assignVariable), ".equ": set(assignVariable), ".equiv": set(assignOnce), ".eqv": set(assignText), ".lsym": set(assignVariable),
		".global": bind(elf.STB_GLOBAL), ".globl": bind(elf.STB_GLOBAL), ".extern": (*assembler).skipStatement,
		".weak": bind(elf.STB_WEAK), ".local": bind(elf.STB_LOCAL),
		".hidden": visibility(elf.STV_HIDDEN), ".internal": visibility(elf.STV_INTERNAL),
		".protected": visibility(elf.STV_PROTECTED),
		".type":      (*assembler).typeDirective,
		".size":      (*assembler).sizeDirective,
		".comm":      func(a *assembler) { a.commonDirective(elf.STB_GLOBAL) },
		".common":    func(a *assembler) { a.commonDirective(elf.STB_GLOBAL) },
		".lcomm":     (*assembler).lcomm, ".lcommon": (*assembler).lcomm,
		".weakref": (*assembler).weakref,
		".symver": func(a *assembler) {
			a.notTaken("versions of symbols are left out: only shared libraries have them")
		},
		".ident":   (*assembler).ident,
		".version": (*assembler).version,
	}
}

// eachSymbol reads a list of names.
func (a *assembler) eachSymbol(do func(s *symbol, at int)) {
	for {
		a.skipBlanks()
		at := a.i
		name := need(a.name("a symbol"))
		do(a.lookup(name), at)
		if !a.optionalComma() {
			return
		}
	}
}

func (a *assembler) bind(s *symbol, b elf.SymBind, at int) {
	if s.section {
		a.errorAt(at, "%s is a section", s.name)
		return
	}
	if s.given && s.bind == elf.STB_WEAK && b == elf.STB_GLOBAL {
		return // weak wins
	}
	s.bind, s.given = b, true
}

// typeDirective is .type name, @function.
func (a *assembler) typeDirective() {
	name := need(a.name("the symbol"))
	s := a.lookup(name)
	a.optionalComma()
	if c := a.s[a.i]; isTypeMark(c) || c == '"' {
		a.i++
	}
	at := a.i
	word := need(a.name("the type"))
	if a.s[a.i] == '"' {
		a.i++
	}
	switch word {
	case "function", "STT_FUNC":
		s.typ = elf.STT_FUNC
	case "object", "STT_OBJECT":
		s.typ = elf.STT_OBJECT
	case "tls_object", "STT_TLS":
		s.typ = elf.STT_TLS
	case "notype", "STT_NOTYPE":
		s.typ = elf.STT_NOTYPE
	case "common", "STT_COMMON":
		s.typ = elf.STT_COMMON
	case "gnu_unique_object":
		s.typ, s.bind, s.given = elf.STT_OBJECT, 10, true // STB_GNU_UNIQUE
	case "gnu_indirect_function":
		s.typ = 10 // STT_GNU_IFUNC
	default:
		a.errorAt(at, "unknown symbol type %q", word)
	}
}

// sizeDirective is .size name, expression.
func (a *assembler) sizeDirective() {
	name, ok := a.name("the symbol")
	a.index.passed(a, name, false)
	needed(ok && a.comma("the size"))
	at := a.i
	e := a.expression()
	a.giveUpIf(e.kind == exprNone, at, "the size is missing")
	s := a.lookup(name)
	s.size = e
	s.sizePlace = a.here(at)
}

// commonDirective is .comm name, size, alignment.
func (a *assembler) commonDirective(bind elf.SymBind) {
	a.skipBlanks()
	at := a.i
	name, ok := a.name("the symbol")
	a.index.passed(a, name, true)
	needed(ok && a.comma("the size"))
	s := a.lookup(name)
	// The size stays as it was given first; the alignment follows it, or what is given last.
	kept := func(size int64) int64 {
		if s.kind == symCommon && s.common != 0 {
			return s.common
		}
		return size
	}
	size, align := a.sizeAndAlign(func(size int64) int64 { return commonAlign(kept(size)) })
	if s.kind != symUndefined && s.kind != symCommon {
		a.errorAt(at, "symbol %q is already defined at %s", name, a.where(s.place))
		return
	}
	if s.given && s.bind == elf.STB_LOCAL { // .local before .comm reserves space here
		a.common(s, size, align, at)
		return
	}
	if kept(size) != size {
		a.warnAt(at, "the size of %q stays %d", name, s.common)
	}
	s.kind, s.common, s.n = symCommon, kept(size), align
	s.place = a.here(at)
	s.typ = elf.STT_OBJECT
	if !s.given {
		s.bind, s.given = bind, true
	}
}

// commonAlign is the alignment of a common block of which none is given: the next power of two, 16 at
// most.
func commonAlign(size int64) int64 { return 1 << min(bits.Len64(uint64(max(size, 1)-1)), 4) }

// localAlign is the same for .lcomm: a power of two not above the size, 8 at most.
func localAlign(size int64) int64 { return 1 << min(bits.Len64(uint64(max(size, 1)))-1, 3) }

// sizeAndAlign reads "size, alignment"; without an alignment that of natural counts.
func (a *assembler) sizeAndAlign(natural func(int64) int64) (size, align int64) {
	at := a.i
	size = need(a.absolute("the size"))
	a.giveUpIf(size < 0 || size > maxSection, at, "size %d is out of range 0 to %d", size, maxSection)
	align = natural(size)
	if a.optionalComma() {
		at := a.i
		align = need(a.absolute("the alignment"))
		if align == 0 {
			align = 1
		}
		a.giveUpIf(align < 0 || align > maxAlign || align&(align-1) != 0, at, "alignment %d is not a power of two up to %d", align, maxAlign)
	}
	return size, align
}

// common puts a common block into .bss.
func (a *assembler) common(s *symbol, size, align int64, at int) {
	saved := a.cur
	a.cur = a.byName[".bss"].stream(0)
	a.alignTo(alignPlace{align: uint32(align), unit: 1})
	s.kind, s.at, s.place, s.typ = symLabel, a.location(), a.here(at), elf.STT_OBJECT
	s.size = constant(size)
	a.fill(size, 0)
	a.cur = saved
}

// lcomm is .lcomm name, size, alignment.
func (a *assembler) lcomm() {
	a.skipBlanks()
	at := a.i
	name, ok := a.name("the symbol")
	a.index.passed(a, name, true)
	needed(ok && a.comma("the size"))
	size, align := a.sizeAndAlign(localAlign)
	s := a.lookup(name)
	if s.kind != symUndefined {
		a.errorAt(at, "symbol %q is already defined at %s", name, a.where(s.place))
		return
	}
	a.common(s, size, align, at)
}

// weakref is .weakref alias, target: the alias stands for the target, which is weak unless it is
// referred to by its own name.
func (a *assembler) weakref() {
	at := a.i
	alias, ok := a.name("the alias")
	a.index.passed(a, alias, true)
	needed(ok && a.comma("the target"))
	target, ok := a.name("the target")
	a.index.passed(a, target, false)
	needed(ok)
	s, t := a.lookup(alias), a.lookup(target)
	if s.kind != symUndefined || s == t {
		a.errorAt(at, "symbol %q is already defined", alias)
		return
	}
	t.weakref = true
	s.kind, s.eq = symEquate, expr{kind: exprSym, sym: t}
}

// ident adds a string to the section .comment.
func (a *assembler) ident() {
	text := need(a.quoted())
	s := a.byName[".comment"]
	if s == nil {
		s = &section{name: ".comment", align: 1}
		s.typ, s.flags, s.entry = elf.SHT_PROGBITS, elf.SHF_MERGE|elf.SHF_STRINGS, 1
		a.newSection(".comment", s)
		s.subs[0].buf = append(s.subs[0].buf, 0)
	}
	st := s.stream(0)
	st.buf = append(append(st.buf, text...), 0)
}

// version adds a note with the string.
func (a *assembler) version() {
	text := need(a.quoted())
	s := a.byName[".note"]
	if s == nil {
		s = a.newSection(".note", sectionDefaults(".note"))
	}
	saved := a.cur
	a.cur = s.stream(0)
	a.emitInt(uint64(len(text)+1), 4)
	a.emitInt(0, 4)
	a.emitInt(1, 4)
	a.emitBytes(append([]byte(text), 0)...)
	a.alignTo(alignPlace{align: 4, unit: 1})
	a.cur = saved
}
