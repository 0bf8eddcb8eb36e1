package asm

import (
	"debug/elf"
	"io"
	"strings"

	"arcv2dsp/internal/program/elfarc"
)

// Object is an assembled program: a relocatable ELF file in memory.
type Object struct {
	Warnings ErrorList
	Printed  []string // what .print wrote
	Files    []string // what was read, in order: sources and the files of .include and .incbin

	file     *elfarc.File
	listing  *listing
	mentions map[*elfarc.Symbol]*Error // of undefined symbols
}

// Symbol is a name in the symbol table of an object.
type Symbol struct {
	Name      string
	Value     uint32 // offset in its section; the value itself of an absolute symbol
	Local     bool
	Undefined bool
	Mention   *Error // that no source defines an undefined symbol, at its first mention
}

// Symbols returns the symbol table, in the order of the file.
func (o *Object) Symbols() []Symbol {
	list := make([]Symbol, len(o.file.Symbols))
	for i, s := range o.file.Symbols {
		list[i] = Symbol{Name: s.Name, Value: s.Value, Local: s.Bind == elf.STB_LOCAL, Undefined: s.Undefined(), Mention: o.mentions[s]}
	}
	return list
}

// Bytes returns the ELF file.
func (o *Object) Bytes() ([]byte, error) { return o.file.Bytes() }

// Write writes the ELF file.
func (o *Object) Write(w io.Writer) error { return o.file.Write(w) }

// Section returns the contents of a section, nil if there is none of that name.
func (o *Object) Section(name string) []byte {
	for _, s := range o.file.Sections {
		if s.Name == name {
			return s.Data
		}
	}
	return nil
}

// object builds the ELF file from the laid-out program.
func (a *assembler) object() *Object {
	file := &elfarc.File{
		Type: elf.ET_REL, Machine: elfarc.MachineARCv2, BigEndian: a.big, Flags: a.cpu.flags(),
	}
	obj := &Object{file: file, Printed: a.printed, Files: a.files, listing: a.listing, mentions: map[*elfarc.Symbol]*Error{}}
	a.file = file
	if a.fileSymbol != "" {
		file.Symbols = append(file.Symbols, fileSymbolEntry(a.fileSymbol))
	}
	for _, sec := range a.sections {
		sec.elf = &elfarc.Section{
			Name: sec.name, Type: sec.typ, Flags: sec.flags, Align: sec.align, Entry: sec.entry, Info: sec.info,
			Size: sec.size,
		}
		file.Sections = append(file.Sections, sec.elf)
		sec.symbol.elf = &elfarc.Symbol{Section: sec.elf, Type: elf.STT_SECTION, Bind: elf.STB_LOCAL}
		file.Symbols = append(file.Symbols, sec.symbol.elf)
	}
	a.linkSections()
	for _, s := range a.order {
		if s.elf == nil && a.inSymbolTable(s) {
			a.elfSymbol(s)
		}
	}
	for _, sec := range a.sections {
		data := a.contents(sec)
		a.applyFixes(sec, data)
		sec.elf.Data = data
	}
	if a.usedABI.got {
		a.elfSymbol(a.lookup(elfarc.SymbolGOT))
	}
	for i := range a.explicit {
		a.explicitReloc(&a.explicit[i])
	}
	for _, s := range a.order {
		if s.elf == nil {
			continue
		}
		a.finishSymbol(s)
		if s.elf.Undefined() {
			obj.mentions[s.elf] = a.errorOf(s.place, "no source defines "+s.name)
		}
	}
	a.debugContents()
	if x := a.extSection(); x != nil {
		file.Sections = append(file.Sections, x)
	}
	if attrs := a.attributes(); attrs != nil {
		file.Sections = append(file.Sections, &elfarc.Section{
			Name: elfarc.SectionAttributes, Type: elfarc.SectionTypeAttributes, Align: 1, Data: attrs,
		})
	}
	if a.listing != nil {
		a.listing.complete(a)
	}
	return obj
}

// linkSections connects groups and linked sections.
func (a *assembler) linkSections() {
	groups := make(map[string]*elfarc.Group)
	for _, sec := range a.sections {
		if sec.group != "" {
			g := groups[sec.group]
			if g == nil {
				g = &elfarc.Group{Signature: a.signature(sec.group)}
				groups[sec.group] = g
				a.file.Groups = append(a.file.Groups, g)
			}
			g.Comdat = g.Comdat || sec.comdat
			g.Members = append(g.Members, sec.elf)
			sec.elf.Group = g
			sec.elf.Flags |= elf.SHF_GROUP
		}
		if sec.link != "" {
			to := a.byName[sec.link]
			if to == nil {
				if s := a.symbols[sec.link]; s != nil && s.kind == symLabel {
					to = s.at.stream.section
				}
			}
			if to == nil {
				a.errorAt(a.i, "section %s is linked to %s, which does not exist", sec.name, sec.link)
				continue
			}
			sec.elf.Link = to.elf
		}
	}
}

// signature is the symbol that names a group. Without a definition it is only a name: a local symbol.
func (a *assembler) signature(name string) *elfarc.Symbol {
	s := a.lookup(name)
	if s.kind == symUndefined && !s.used && !s.given && s.elf == nil {
		s.elf = &elfarc.Symbol{Name: name, Bind: elf.STB_LOCAL, Index: elf.SHN_ABS}
		a.file.Symbols = append(a.file.Symbols, s.elf)
		return s.elf
	}
	return a.elfSymbol(s)
}

// inSymbolTable tells whether a symbol belongs in the symbol table even if nothing refers to it.
func (a *assembler) inSymbolTable(s *symbol) bool {
	switch {
	case s.section, a.opts.NoConstants && s.bind == elf.STB_LOCAL && a.constant(s):
		return false
	case s.kind == symUndefined && (s.bind == elf.STB_WEAK || s.weakref && !s.given):
		return s.used
	case s.kind == symUndefined && strings.HasPrefix(s.name, ".") && a.byName[s.name] != nil:
		return false // stands for the section
	case s.kind == symUndefined:
		// A mention is enough, as with .global alone: it makes linkers take a member of an archive.
		return s.given || !s.auxName && !isLocalName(s.name)
	}
	if s.kind == symEquate {
		r := a.resolve(s.eq)
		return r.ok && r.sub.kind == baseNone && r.base.kind != baseSymbol && !isLocalName(s.name)
	}
	return a.opts.KeepLocals || !isLocalName(s.name) || s.bind != elf.STB_LOCAL
}

// constant tells whether a symbol is a number, with no place in the program.
func (a *assembler) constant(s *symbol) bool {
	if s.kind != symEquate {
		return s.kind == symAbs
	}
	r := a.resolve(s.eq)
	return r.ok && r.sub.kind == baseNone && r.base.kind == baseNone
}

// elfSymbol returns the table entry of a symbol, made on first use.
func (a *assembler) elfSymbol(s *symbol) *elfarc.Symbol {
	if s.elf != nil {
		return s.elf
	}
	s.elf = &elfarc.Symbol{Name: s.name, Bind: s.bind, Type: s.typ, Vis: s.vis}
	a.file.Symbols = append(a.file.Symbols, s.elf)
	switch s.kind {
	case symUndefined:
		switch {
		case !s.given && s.weakref && !s.used:
			s.elf.Bind = elf.STB_WEAK
		case !s.given, s.bind == elf.STB_LOCAL:
			s.elf.Bind = elf.STB_GLOBAL
		}
	case symCommon:
		s.elf.Index, s.elf.Value, s.elf.Size = elf.SHN_COMMON, uint32(s.n), uint32(s.common)
	case symAbs, symView:
		s.elf.Index, s.elf.Value = elf.SHN_ABS, uint32(s.n)
	case symLabel:
		s.elf.Section, s.elf.Value = s.at.stream.section.elf, s.at.addr()
	case symEquate:
		switch r := a.resolve(s.eq); {
		case !r.ok || r.sub.kind != baseNone:
			a.errorPlace(s.place, "the value of %q is too complex for a symbol", s.name)
		case r.base.kind == baseSection:
			s.elf.Section, s.elf.Value = r.base.section.elf, uint32(r.n)
			if of := r.base.sym; of != nil && r.n == a.addressOf(of) {
				if of.kind == symEquate {
					a.elfSymbol(of) // it may inherit too
				}
				s.inherit(of)
				s.elf.Type = s.typ
			}
		case r.base.kind == baseNone:
			s.elf.Index, s.elf.Value = elf.SHN_ABS, uint32(r.n)
		default:
			s.elf.Bind = elf.STB_GLOBAL
		}
	}
	if s.elf.Section != nil && s.elf.Section.Flags&elf.SHF_TLS != 0 {
		s.elf.Type = elf.STT_TLS
	}
	return s.elf
}

// finishSymbol sets the size given by .size.
func (a *assembler) finishSymbol(s *symbol) {
	if s.size.kind == exprNone {
		return
	}
	n, ok := a.evaluate(s.size)
	if !ok {
		report := a.errorPlace
		if a.opts.WarnSize {
			report = a.warnPlace
		}
		report(s.sizePlace, "the size of %q must be a constant or a difference of symbols of one section", s.name)
		return
	}
	s.elf.Size = uint32(n)
}
