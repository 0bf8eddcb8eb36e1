package asm

import (
	"debug/elf"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// pushedSection is the state that .pushsection saves.
type pushedSection struct{ cur, previous *stream }

func sectionDirectives() map[string]func(*assembler) {
	named := func(name string) func(*assembler) {
		return func(a *assembler) {
			sub := int64(0)
			if !a.atEnd() {
				sub = need(a.absolute("the subsection"))
			}
			a.enter(a.subsection(a.byName[name], sub))
		}
	}
	return map[string]func(*assembler){
		".text": named(".text"), ".data": named(".data"), ".bss": named(".bss"),
		".section":     func(a *assembler) { a.sectionDirective(false) },
		".pushsection": func(a *assembler) { a.sectionDirective(true) },
		".popsection": func(a *assembler) {
			if len(a.pushed) == 0 {
				a.warnAt(a.stmt, ".popsection without .pushsection is ignored")
				return
			}
			last := a.pushed[len(a.pushed)-1]
			a.pushed = a.pushed[:len(a.pushed)-1]
			a.cur, a.previous = last.cur, last.previous
		},
		".previous": func(a *assembler) {
			if a.previous == nil {
				a.warnAt(a.stmt, ".previous without a section change before it is ignored")
				return
			}
			a.cur, a.previous = a.previous, a.cur
		},
		".attach_to_group": (*assembler).attachToGroup,
		".struct":          (*assembler).structDirective, ".offset": (*assembler).structDirective,
		".subsection": func(a *assembler) {
			a.enter(a.cur.section.stream(need(a.absolute("the subsection"))))
		},
	}
}

// structDirective is .struct offset: labels up to the next section are numbers that count from it.
func (a *assembler) structDirective() {
	at := a.i
	n := int64(0)
	if !a.atEnd() {
		n = need(a.absolute("the offset"))
	}
	if n < 0 || n > maxSection {
		a.errorAt(at, "offset %d is out of range 0 to %d", n, maxSection)
		return
	}
	st := newStream(&section{name: "*ABS*", typ: elf.SHT_NOBITS, absolute: true}, 0)
	st.skipped = uint32(n)
	a.enter(st)
}

// attachToGroup makes the section a member of a group.
func (a *assembler) attachToGroup() {
	name := need(a.name("the group name"))
	switch s := a.cur.section; {
	case s.absolute:
		a.errorAt(a.stmt, "there is no section here that could be in a group")
	case s.group != "":
		a.warnAt(a.stmt, "section %s stays in group %s", s.name, s.group)
	default:
		delete(a.byKey, s.key())
		s.group = name
		s.flags |= elf.SHF_GROUP
		a.byKey[s.key()] = s
	}
}

func (a *assembler) enter(st *stream) {
	a.previous = a.cur
	a.cur = st
}

// foldedData is the subsection of .text that Options.FoldData makes of the first of .data.
const foldedData = 1000

// subsection finds a subsection by the name that the source gives it.
func (a *assembler) subsection(s *section, number int64) *stream {
	if a.opts.FoldData && s == a.byName[".data"] {
		return a.byName[".text"].stream(foldedData + number)
	}
	return s.stream(number)
}

// stream finds a subsection; subsections are kept in order.
func (s *section) stream(number int64) *stream {
	i := sort.Search(len(s.subs), func(i int) bool { return s.subs[i].number >= number })
	if i < len(s.subs) && s.subs[i].number == number {
		return s.subs[i]
	}
	st := newStream(s, number)
	s.subs = append(s.subs, nil)
	copy(s.subs[i+1:], s.subs[i:])
	s.subs[i] = st
	return st
}

// sectionKind is the type and flags that a section has by its name.
type sectionKind struct {
	typ   elf.SectionType
	flags elf.SectionFlag
}

// knownSections are the names that need no flags; a name with a dot and more behind it counts too.
var knownSections = []struct {
	prefix string
	kind   sectionKind
}{
	{".text", sectionKind{elf.SHT_PROGBITS, elf.SHF_ALLOC | elf.SHF_EXECINSTR}},
	{".init", sectionKind{elf.SHT_PROGBITS, elf.SHF_ALLOC | elf.SHF_EXECINSTR}},
	{".fini", sectionKind{elf.SHT_PROGBITS, elf.SHF_ALLOC | elf.SHF_EXECINSTR}},
	{".plt", sectionKind{elf.SHT_PROGBITS, elf.SHF_ALLOC | elf.SHF_EXECINSTR}},
	{".data", sectionKind{elf.SHT_PROGBITS, elf.SHF_ALLOC | elf.SHF_WRITE}},
	{".data1", sectionKind{elf.SHT_PROGBITS, elf.SHF_ALLOC | elf.SHF_WRITE}},
	{".sdata", sectionKind{elf.SHT_PROGBITS, elf.SHF_ALLOC | elf.SHF_WRITE}},
	{".bss", sectionKind{elf.SHT_NOBITS, elf.SHF_ALLOC | elf.SHF_WRITE}},
	{".sbss", sectionKind{elf.SHT_NOBITS, elf.SHF_ALLOC | elf.SHF_WRITE}},
	{".tdata", sectionKind{elf.SHT_PROGBITS, elf.SHF_ALLOC | elf.SHF_WRITE | elf.SHF_TLS}},
	{".tbss", sectionKind{elf.SHT_NOBITS, elf.SHF_ALLOC | elf.SHF_WRITE | elf.SHF_TLS}},
	{".rodata", sectionKind{elf.SHT_PROGBITS, elf.SHF_ALLOC}},
	{".rodata1", sectionKind{elf.SHT_PROGBITS, elf.SHF_ALLOC}},
	{".note", sectionKind{elf.SHT_NOTE, 0}},
	{".init_array", sectionKind{elf.SHT_INIT_ARRAY, elf.SHF_ALLOC | elf.SHF_WRITE}},
	{".fini_array", sectionKind{elf.SHT_FINI_ARRAY, elf.SHF_ALLOC | elf.SHF_WRITE}},
	{".preinit_array", sectionKind{elf.SHT_PREINIT_ARRAY, elf.SHF_ALLOC | elf.SHF_WRITE}},
	{".eh_frame", sectionKind{elf.SHT_PROGBITS, elf.SHF_ALLOC}},
}

// sectionDefaults gives a section the kind its name implies.
func sectionDefaults(name string) *section {
	s := &section{name: name, typ: elf.SHT_PROGBITS, align: 1}
	for _, k := range knownSections {
		if name == k.prefix || strings.HasPrefix(name, k.prefix) && name[len(k.prefix)] == '.' {
			s.typ, s.flags = k.kind.typ, k.kind.flags
		}
	}
	return s
}

func (a *assembler) newSection(name string, s *section) *section {
	s.stream(0)
	s.symbol = a.newSymbol(name)
	s.symbol.kind = symLabel
	s.symbol.at = location{stream: s.subs[0]}
	s.symbol.section = true
	s.symbol.typ = elf.STT_SECTION
	a.sections = append(a.sections, s)
	a.byKey[s.key()] = s
	if _, ok := a.byName[name]; !ok {
		a.byName[name] = s
	}
	return s
}

// sectionKey tells sections apart: those of different groups, or linked to different ones, or with
// different numbers may have the same name.
type sectionKey struct {
	name, group, link string
	comdat            bool
	unique            uint32
}

func (s *section) key() sectionKey {
	return sectionKey{name: s.name, group: s.group, link: s.link, comdat: s.comdat, unique: s.unique}
}

// groupToCome is the group of a section whose flags announce one, until its name is read.
const groupToCome = "\x00"

// sectionDirective is .section name, "flags", @type, entsize, link, group, comdat, unique, number.
func (a *assembler) sectionDirective(push bool) {
	name := a.sectionName()
	want := sectionDefaults(name)
	given := false
	sub := int64(0)
	for a.optionalComma() {
		switch c := a.s[a.i]; {
		case c == '"' && !given:
			given = true
			a.sectionFlags(want)
			a.sectionArgs(want)
		case c == '#' && !given && isNameFirst(a.s[a.i+1]):
			given = true
			a.sunFlags(want)
		case push && (isDigit(c) || c == '('):
			sub = need(a.absolute("the subsection"))
		default:
			a.giveUp(a.i, "expected the section flags in quotes")
		}
	}
	switch want.typ {
	case elf.SHT_INIT_ARRAY, elf.SHT_FINI_ARRAY, elf.SHT_PREINIT_ARRAY:
		want.entry = 4
	}
	s := a.byKey[want.key()]
	switch {
	case s == nil:
		s = a.newSection(name, want)
	case given && (s.flags != want.flags || s.typ != want.typ) && s.sizeSoFar():
		a.warnAt(a.stmt, "section %s keeps its earlier flags and type", name)
	case given:
		s.flags, s.typ, s.entry = want.flags, want.typ, want.entry
	}
	if push {
		a.pushed = append(a.pushed, pushedSection{cur: a.cur, previous: a.previous})
	}
	a.enter(a.subsection(s, sub))
}

// sizeSoFar reports whether something is in the section already.
func (s *section) sizeSoFar() bool {
	return slices.ContainsFunc(s.subs, func(st *stream) bool { return len(st.frags) > 1 || st.pos() > 0 })
}

// sectionName reads a section name, which may hold characters that names do not.
func (a *assembler) sectionName() string {
	a.skipBlanks()
	if a.s[a.i] == '"' {
		return need(a.quoted())
	}
	start := a.i
	for c := a.s[a.i]; !isBlank(c) && !isEnd(c) && c != ','; c = a.s[a.i] {
		a.i++
	}
	a.giveUpIf(a.i == start, start, "the section name is missing")
	return a.s[start:a.i]
}

// sectionLetters are the flags of a section by their letters; e is SHF_EXCLUDE, R SHF_GNU_RETAIN.
var sectionLetters = map[byte]elf.SectionFlag{
	'a': elf.SHF_ALLOC, 'w': elf.SHF_WRITE, 'x': elf.SHF_EXECINSTR, 'M': elf.SHF_MERGE, 'S': elf.SHF_STRINGS, 'G': elf.SHF_GROUP,
	'T': elf.SHF_TLS, 'o': elf.SHF_LINK_ORDER, 'e': 0x80000000, 'R': 0x200000,
}

// sectionFlags reads the letters in quotes.
func (a *assembler) sectionFlags(s *section) {
	at := a.i
	text := need(a.quoted())
	s.flags = 0
	s.entry = 0
	for i := 0; i < len(text); i++ {
		flag := sectionLetters[text[i]]
		s.flags |= flag
		switch text[i] {
		case '?':
			s.flags |= a.cur.section.flags & elf.SHF_GROUP
			s.group, s.comdat = a.cur.section.group, a.cur.section.comdat
		case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			digits := text[i : i+numberLen(text[i:])]
			n, err := strconv.ParseUint(digits, 0, 32)
			if err != nil {
				a.giveUp(at+1+i, "section flags %s are no 32-bit number", digits)
			}
			s.flags |= elf.SectionFlag(n)
			i += len(digits) - 1
		default:
			if flag == 0 {
				a.giveUp(at+1+i, "unknown section flag %s", quoteChar(text[i]))
			}
		}
	}
	if s.flags&elf.SHF_GROUP != 0 && s.group == "" {
		s.group = groupToCome
	}
}

// sectionArgs reads what may follow the flags.
func (a *assembler) sectionArgs(s *section) {
	more := a.optionalComma()
	if more && a.atSectionType(s) {
		a.sectionType(s)
		more = a.optionalComma()
	}
	if more && s.flags&elf.SHF_MERGE != 0 {
		n := need(a.absolute("the entry size"))
		s.entry = uint32(n)
		more = a.optionalComma()
	}
	if more && s.flags&elf.SHF_LINK_ORDER != 0 {
		name := need(a.name("the linked section"))
		s.link = name
		more = a.optionalComma()
	}
	if more && s.group == groupToCome {
		name := need(a.name("the group name"))
		s.group = name
		if more = a.optionalComma(); more && a.ahead("comdat") {
			a.i += len("comdat")
			s.comdat = true
			more = a.optionalComma()
		}
	}
	if more {
		a.sectionUnique(s)
	}
	a.sectionComplete(s)
}

// atSectionType reports whether the type comes next, which may be left out.
func (a *assembler) atSectionType(s *section) bool {
	c := a.s[a.i]
	return isTypeMark(c) || c == '"' ||
		isNameFirst(c) && !a.ahead("unique") && s.flags&(elf.SHF_MERGE|elf.SHF_GROUP|elf.SHF_LINK_ORDER) == 0
}

// ahead reports whether a word comes next.
func (a *assembler) ahead(word string) bool {
	return strings.HasPrefix(a.s[a.i:], word) && !isNameChar(a.s[a.i+len(word)])
}

// sectionUnique reads "unique, number", which tells sections of one name apart.
func (a *assembler) sectionUnique(s *section) {
	a.giveUpIf(!a.ahead("unique"), a.i, "expected unique, or what the flags call for")
	a.i += len("unique")
	needed(a.comma("the number of the section"))
	a.skipBlanks()
	at := a.i
	n := need(a.absolute("the number of the section"))
	a.giveUpIf(n < 0 || n >= math.MaxUint32, at, "section number %d is out of range 0 to %d", n, uint32(math.MaxUint32-1))
	s.unique = 1 + uint32(n)
}

// numberLen returns the length of the number, decimal, octal or hexadecimal, that s begins with.
func numberLen(s string) int {
	n, base := 0, byte(10)
	if len(s) > 2 && s[0] == '0' && toLower(s[1]) == 'x' {
		n, base = 2, 16
	}
	for n < len(s) && hexDigit[s[n]] < base {
		n++
	}
	return n
}

func (a *assembler) sectionComplete(s *section) {
	a.giveUpIf(s.group == groupToCome, a.i, "the group name is missing")
	a.giveUpIf(s.flags&elf.SHF_MERGE != 0 && s.entry == 0, a.i, "the entry size is missing")
}

func isTypeMark(c byte) bool { return c == '@' || c == '%' }

// sectionType reads @progbits and its kin.
func (a *assembler) sectionType(s *section) {
	if isTypeMark(a.s[a.i]) {
		a.i++
	}
	at := a.i
	if isDigit(a.s[a.i]) {
		s.typ = elf.SectionType(need(a.absolute("the section type")))
		return
	}
	word := need(a.name("the section type"))
	switch word {
	case "progbits":
		s.typ = elf.SHT_PROGBITS
	case "nobits":
		s.typ = elf.SHT_NOBITS
	case "note":
		s.typ = elf.SHT_NOTE
	case "init_array":
		s.typ = elf.SHT_INIT_ARRAY
	case "fini_array":
		s.typ = elf.SHT_FINI_ARRAY
	case "preinit_array":
		s.typ = elf.SHT_PREINIT_ARRAY
	default:
		a.giveUp(at, "unknown section type %q", word)
	}
}

// sunFlags reads #alloc, #write ...
func (a *assembler) sunFlags(s *section) {
	s.flags = 0
	for a.s[a.i] == '#' {
		a.i++
		at := a.i
		word, ok := a.name("a section flag")
		if !ok {
			return
		}
		switch word {
		case "alloc":
			s.flags |= elf.SHF_ALLOC
		case "write":
			s.flags |= elf.SHF_WRITE
		case "execinstr":
			s.flags |= elf.SHF_EXECINSTR
		case "tls":
			s.flags |= elf.SHF_TLS
		case "exclude":
			s.flags |= 0x80000000
		default:
			a.errorAt(at, "unknown section flag %q", word)
		}
		if !a.optionalComma() {
			return
		}
	}
}
