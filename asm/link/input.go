package link

import (
	"debug/elf"
	"strings"

	"arcv2dsp/internal/program/elfarc"
)

// object is one relocatable object of the link.
type object struct {
	name    string // for messages: path or archive(member)
	path    string // file name as given; the member's for members
	archive string // "" when not from an archive

	file     *elfarc.File
	sections []*section // in file order
	byIndex  map[*elfarc.Section]*section
	globals  map[*elfarc.Symbol]*symbol
	commons  *section                     // the object's common blocks, "COMMON" in patterns
	twins    map[*elfarc.Section]*section // what stands for sections of comdat groups linked already
}

// comdat is a group that is linked.
type comdat struct {
	obj   *object
	group *elfarc.Group // nil for a section .gnu.linkonce
}

// twin finds the section of the group that stands for one of another object's group: that of the same
// name and size.
func (c comdat) twin(s *elfarc.Section) *section {
	if c.group != nil {
		for _, m := range c.group.Members {
			if m.Name == s.Name && m.Len() == s.Len() {
				return c.obj.section(m)
			}
		}
	}
	return nil
}

// shfExclude marks sections that are for the linker only.
const shfExclude = 0x80000000

// section is an input section.
type section struct {
	obj   *object
	elf   *elfarc.Section // nil for sections that the linker makes
	name  string
	typ   elf.SectionType
	flags elf.SectionFlag
	align uint32
	size  uint32 // less than the contents where strings were merged
	data  []byte // nil for SHT_NOBITS

	keep   bool // KEEP, or what must not be collected
	live   bool // reached when collecting
	out    *outputSection
	off    uint32 // in out
	reason string // why it is not linked, for the map

	merge *mergedSection // strings merged with those of other sections
	frame *frameEdit     // records dropped from .eh_frame
}

// String names the section for messages.
func (s *section) String() string { return s.obj.name + "(" + s.name + ")" }

// alloc tells whether the section is in memory.
func (s *section) alloc() bool { return s.flags&elf.SHF_ALLOC != 0 }

// place returns where an offset of the section's contents went.
func (s *section) place(off uint32) (*outputSection, uint32) {
	if s.merge != nil {
		kept, at := s.merge.lookup(off)
		if kept.out == nil {
			return nil, 0
		}
		return kept.out, kept.off + at
	}
	if s.out == nil {
		return nil, 0
	}
	if s.frame != nil {
		off = s.frame.moved(off)
	}
	return s.out, s.off + off
}

// section returns the input section of a section of the file, nil when it is not linked.
func (o *object) section(s *elfarc.Section) *section { return o.byIndex[s] }

// readObject parses an object and checks that it fits the others.
func (l *linker) readObject(path, archive string, data []byte) *object {
	o := &object{
		name: path, path: path, archive: archive,
		byIndex: map[*elfarc.Section]*section{}, globals: map[*elfarc.Symbol]*symbol{},
		twins: map[*elfarc.Section]*section{},
	}
	if archive != "" {
		o.name = archive + "(" + path + ")"
	}
	f, err := elfarc.Read(data)
	if err != nil {
		l.rep.input(o.name, "%v", err)
		return nil
	}
	if f.Type != elf.ET_REL {
		l.rep.input(o.name, "offset 0x10: %s: only relocatable objects can be linked", f.Type)
		return nil
	}
	o.file = f
	return o
}

// addObject makes an object part of the link.
func (l *linker) addObject(o *object) {
	f := o.file
	if len(l.objects) == 0 {
		l.big, l.flags = f.BigEndian, f.Flags&^elfarc.FlagCPUMask
	}
	if f.BigEndian != l.big {
		l.rep.input(o.name, "%s, but %s is %s", endianName(f.BigEndian), l.objects[0].name, endianName(l.big))
		return
	}
	switch cpu := f.Flags & elfarc.FlagCPUMask; {
	case cpu == elfarc.FlagCPUNone: // the machine field says ARCv2, and the other objects say which
	case cpu != elfarc.FlagCPUEM && cpu != elfarc.FlagCPUHS:
		l.rep.input(o.name, "for %s: only ARC EM and HS can be linked", elfarc.CPUName(f.Flags))
		return
	case l.named == nil:
		l.named = o
		l.flags |= cpu
	case cpu != l.flags&elfarc.FlagCPUMask:
		// The GNU tools allow it. HS executes what EM does, not the other way round.
		l.rep.warn("%s is for %s, but %s is for %s: the program is for ARC HS", o.name, elfarc.CPUName(f.Flags), l.named.name, elfarc.CPUName(l.flags))
		l.flags = l.flags&^elfarc.FlagCPUMask | elfarc.FlagCPUHS
	}
	l.objects = append(l.objects, o)
	dropped := l.dropGroups(o)
	for _, es := range f.Sections {
		if es.Flags&shfExclude != 0 || dropped[es] {
			continue
		}
		if es.Type == elfarc.SectionTypeAttributes && es.Name == elfarc.SectionAttributes {
			continue // merged into one, see attrs.go
		}
		if l.linkedOnce(es) {
			continue
		}
		if es.Flags&elf.SHF_TLS != 0 && es.Len() > 0 {
			l.rep.input(o.name, "section %s: thread-local storage needs an operating system", es.Name)
			continue
		}
		s := &section{
			obj: o, elf: es, name: es.Name, typ: es.Type, flags: es.Flags &^ elf.SHF_GROUP,
			align: max(es.Align, 1), size: es.Len(), data: es.Data,
		}
		if s.align > 1<<20 {
			l.rep.input(s.String(), "alignment %#x is larger than 1 MB", s.align)
			continue
		}
		o.sections = append(o.sections, s)
		o.byIndex[es] = s
	}
	l.addSymbols(o)
}

func endianName(big bool) string {
	if big {
		return "big-endian"
	}
	return "little-endian"
}

// dropGroups returns the sections of comdat groups that an earlier object has brought already.
func (l *linker) dropGroups(o *object) map[*elfarc.Section]bool {
	dropped := map[*elfarc.Section]bool{}
	for _, g := range o.file.Groups {
		if !g.Comdat {
			continue
		}
		first, linked := l.groups[g.Signature.Name]
		if !linked {
			l.groups[g.Signature.Name] = comdat{obj: o, group: g}
			continue
		}
		for _, s := range g.Members {
			dropped[s] = true
			if twin := first.twin(s); twin != nil {
				o.twins[s] = twin
			}
		}
	}
	return dropped
}

// linkedOnce tells whether a .gnu.linkonce section, the comdat of old compilers, is linked already.
func (l *linker) linkedOnce(s *elfarc.Section) bool {
	if !strings.HasPrefix(s.Name, ".gnu.linkonce.") {
		return false
	}
	if _, linked := l.groups[s.Name]; linked {
		return true
	}
	l.groups[s.Name] = comdat{}
	return false
}

// common returns the section that holds the object's common blocks.
func (o *object) common() *section {
	if o.commons == nil {
		o.commons = &section{
			obj: o, name: "COMMON", typ: elf.SHT_NOBITS, flags: elf.SHF_ALLOC | elf.SHF_WRITE, align: 1,
		}
	}
	return o.commons
}

// allocateCommons gives the common blocks that remain places in their objects' sections.
func (l *linker) allocateCommons() {
	for _, s := range l.order {
		if s.kind != symCommon {
			continue
		}
		c := s.obj.common()
		at := alignUp(uint64(c.size), uint64(s.align))
		if at+uint64(s.size) > 1<<32-1 {
			l.rep.input(s.obj.name, "common symbol %q of %#x bytes does not fit into memory", s.name, s.size)
			return
		}
		s.kind, s.sec, s.addr = symObject, c, uint32(at)
		c.align = max(c.align, s.align)
		c.size = uint32(at) + s.size
	}
}

// archive is a static library that may still define something.
type archive struct {
	name   string
	group  int
	file   *elfarc.Archive
	pulled map[*elfarc.Member]bool
	names  []archiveName
}

// archiveName is one definition of an archive.
type archiveName struct {
	name   string
	member *elfarc.Member
}

// pulledMember says why a member of an archive was linked, for the map.
type pulledMember struct{ member, by, symbol string }

// addArchive reads an archive and pulls what is missing from it, or keeps it for its group.
func (l *linker) addArchive(in Input) {
	file, err := elfarc.ReadArchive(in.Data)
	if err != nil {
		l.rep.input(in.Name, "%v", err)
		return
	}
	a := &archive{name: in.Name, group: in.Group, file: file, pulled: map[*elfarc.Member]bool{}}
	if in.Whole {
		for _, m := range file.Members {
			l.pull(a, m, "")
		}
		return
	}
	l.indexArchive(a)
	l.archives = append(l.archives, a)
	if in.Group == 0 {
		l.searchGroup()
	}
}

// indexArchive lists the definitions of an archive: those of its symbol index, else of its members.
func (l *linker) indexArchive(a *archive) {
	if a.file.Index != nil {
		for _, e := range a.file.Index {
			a.names = append(a.names, archiveName{name: e.Name, member: e.Member})
		}
		return
	}
	for _, m := range a.file.Members {
		if !elfarc.IsELF(m.Data) {
			continue
		}
		f, err := elfarc.Read(m.Data)
		if err != nil {
			l.rep.input(a.name+"("+m.Name+")", "%v", err)
			continue
		}
		for _, s := range f.Symbols {
			if s.Bind != elf.STB_LOCAL && !s.Undefined() && !s.Common() {
				a.names = append(a.names, archiveName{name: s.Name, member: m})
			}
		}
	}
}

// searchGroup pulls members of the waiting archives until they define nothing more that is missing.
func (l *linker) searchGroup() {
	archives := l.archives
	l.archives = nil
	for changed := true; changed; {
		changed = false
		for _, a := range archives {
			for again := true; again; {
				again = false
				for _, n := range a.names {
					s := l.symbols[n.name]
					if s == nil || s.kind != symUndefined || s.weak || a.pulled[n.member] {
						continue
					}
					l.pull(a, n.member, n.name)
					again, changed = true, true
				}
			}
		}
	}
}

// pull links a member of an archive.
func (l *linker) pull(a *archive, m *elfarc.Member, symbol string) {
	a.pulled[m] = true
	if !elfarc.IsELF(m.Data) {
		if symbol != "" {
			l.rep.input(a.name+"("+m.Name+")", "the index says it defines %q, but it is no ELF object", symbol)
		}
		return
	}
	o := l.readObject(m.Name, a.name, m.Data)
	if o == nil {
		return
	}
	by := ""
	if s := l.symbols[symbol]; s != nil && len(s.refs) > 0 {
		by = s.refs[0].name
	}
	l.pulled = append(l.pulled, pulledMember{member: o.name, by: by, symbol: symbol})
	l.addObject(o)
}
