package elfarc

import (
	"bytes"
	"compress/zlib"
	"debug/elf"
	"fmt"
	"io"
	"sort"

	"arcv2dsp/internal/term/steps"
)

// FormatError says what is wrong with a file and where.
type FormatError struct {
	Off uint64 // file offset of the offending bytes
	Msg string
}

func (e *FormatError) Error() string { return fmt.Sprintf("offset %#x: %s", e.Off, e.Msg) }

func formatErr(off uint64, format string, args ...any) error {
	return &FormatError{Off: off, Msg: fmt.Sprintf(format, args...)}
}

// IsELF tells whether data starts like an ELF file.
func IsELF(data []byte) bool { return len(data) >= 4 && string(data[:4]) == elf.ELFMAG }

// Read parses a relocatable object or an executable. Nothing in data can make it panic, and it
// allocates no more than a small multiple of len(data). Section contents are slices of data.
// Errors are *FormatError.
func Read(data []byte) (_ *File, err error) {
	defer steps.Return(&err)
	r := reader{data: data, file: &File{}}
	steps.Check(r.header())
	steps.Check(r.segments())
	steps.Check(r.sections())
	if r.file.Type == elf.ET_REL {
		steps.Check(r.relocations())
		steps.Check(r.groups())
	}
	return r.file, nil
}

// rawSection is a section header as it is in the file.
type rawSection struct {
	at                          uint64 // file offset of the header
	name                        string
	nameOff, typ, flags         uint32
	addr, off, size, link, info uint32
	align, entry                uint32
	section                     *Section // nil for tables
}

type reader struct {
	data    []byte
	file    *File
	order   orderBoth
	phoff   uint32
	shoff   uint32
	phnum   uint16
	shnum   uint16
	shstr   uint16
	raw     []rawSection
	symbols []*Symbol // by number, 0 is nil

	tables   uint64 // bytes of relocation and group tables read so far
	inflated uint64 // bytes decompressed so far
}

// slice returns data[off:off+size] or an error.
func (r *reader) slice(off, size uint64, what string) ([]byte, error) {
	if off > uint64(len(r.data)) || size > uint64(len(r.data))-off {
		return nil, formatErr(off, "%s of %#x bytes lies beyond the end of the file (%#x bytes)", what, size, len(r.data))
	}
	return r.data[off : off+size : off+size], nil
}

func (r *reader) header() error {
	d := r.data
	switch {
	case len(d) == 0:
		return formatErr(0, "the file is empty")
	case !IsELF(d):
		return formatErr(0, "not an ELF file")
	case len(d) < ehdrSize:
		return formatErr(uint64(len(d)), "truncated ELF header (%d bytes, expected %d)", len(d), ehdrSize)
	case elf.Class(d[4]) != elf.ELFCLASS32:
		return formatErr(4, "%s: expected a 32-bit ELF file", elf.Class(d[4]))
	}
	switch elf.Data(d[5]) {
	case elf.ELFDATA2LSB:
	case elf.ELFDATA2MSB:
		r.file.BigEndian = true
	default:
		return formatErr(5, "unknown byte order %d", d[5])
	}
	if d[6] != byte(elf.EV_CURRENT) {
		return formatErr(6, "unknown ELF version %d", d[6])
	}
	r.order = byteOrder(r.file.BigEndian)
	r.file.Type = elf.Type(r.order.Uint16(d[16:]))
	r.file.Machine = r.order.Uint16(d[18:])
	if r.file.Machine != MachineARCv2 {
		return formatErr(18, "machine %d (%s): expected ARCv2 (%d)", r.file.Machine, elf.Machine(r.file.Machine), MachineARCv2)
	}
	if t := r.file.Type; t != elf.ET_REL && t != elf.ET_EXEC && t != elf.ET_DYN {
		return formatErr(16, "%s: expected an object or an executable", t)
	}
	r.file.Entry = r.order.Uint32(d[24:])
	r.phoff = r.order.Uint32(d[28:])
	r.shoff = r.order.Uint32(d[32:])
	r.file.Flags = r.order.Uint32(d[36:])
	phentsize := r.order.Uint16(d[42:])
	r.phnum = r.order.Uint16(d[44:])
	shentsize := r.order.Uint16(d[46:])
	r.shnum = r.order.Uint16(d[48:])
	r.shstr = r.order.Uint16(d[50:])
	if r.phnum > 0 && phentsize != phdrSize {
		return formatErr(42, "program header size %d, expected %d", phentsize, phdrSize)
	}
	if r.shnum > 0 && shentsize != shdrSize {
		return formatErr(46, "section header size %d, expected %d", shentsize, shdrSize)
	}
	if r.shnum == 0 && r.shoff != 0 {
		return formatErr(48, "extended section numbering is not supported")
	}
	return nil
}

func (r *reader) segments() error {
	table, err := r.slice(uint64(r.phoff), uint64(r.phnum)*phdrSize, "program header table")
	if err != nil || r.phnum == 0 {
		return err
	}
	for i := range int(r.phnum) {
		at := uint64(r.phoff) + uint64(i)*phdrSize
		h := table[i*phdrSize:]
		word := func(n int) uint32 { return r.order.Uint32(h[4*n:]) }
		seg := &Segment{
			Type: elf.ProgType(word(0)), Offset: word(1), VAddr: word(2), PAddr: word(3),
			FileSz: word(4), MemSz: word(5), Flags: elf.ProgFlag(word(6)), Align: word(7),
		}
		if seg.Data, err = r.slice(uint64(seg.Offset), uint64(seg.FileSz), fmt.Sprintf("segment %d", i)); err != nil {
			return err
		}
		if seg.Type == elf.PT_LOAD {
			if seg.MemSz < seg.FileSz {
				return formatErr(at, "segment %d: file size %#x is larger than memory size %#x", i, seg.FileSz, seg.MemSz)
			}
			if uint64(seg.VAddr)+uint64(seg.MemSz) > 1<<32 || uint64(seg.PAddr)+uint64(seg.MemSz) > 1<<32 {
				return formatErr(at, "segment %d: %#x bytes at %#x reach beyond the address space", i, seg.MemSz, seg.VAddr)
			}
		}
		r.file.Segments = append(r.file.Segments, seg)
	}
	return nil
}

func (r *reader) sections() (err error) {
	defer steps.Return(&err)
	table, err := r.slice(uint64(r.shoff), uint64(r.shnum)*shdrSize, "section header table")
	if err != nil || r.shnum == 0 {
		return err
	}
	r.raw = make([]rawSection, r.shnum)
	for i := range r.raw {
		h := table[i*shdrSize:]
		word := func(n int) uint32 { return r.order.Uint32(h[4*n:]) }
		r.raw[i] = rawSection{
			at:      uint64(r.shoff) + uint64(i)*shdrSize,
			nameOff: word(0), typ: word(1), flags: word(2), addr: word(3), off: word(4), size: word(5),
			link: word(6), info: word(7), align: word(8), entry: word(9),
		}
	}
	if int(r.shstr) >= len(r.raw) {
		return formatErr(50, "section name table %d of %d sections", r.shstr, r.shnum)
	}
	var names nameTable
	if r.shstr != 0 {
		data := steps.Must(r.contents(int(r.shstr)))
		names = newNameTable(data)
	}
	symbolNames := make(map[uint32]bool)
	for i := range r.raw {
		if elf.SectionType(r.raw[i].typ) == elf.SHT_SYMTAB {
			symbolNames[r.raw[i].link] = true
		}
	}
	symtab := 0
	for i := 1; i < len(r.raw); i++ {
		raw := &r.raw[i]
		var ok bool
		if raw.name, ok = names.at(raw.nameOff); !ok && r.shstr != 0 {
			return formatErr(raw.at, "section %d: bad name offset %#x", i, raw.nameOff)
		}
		if raw.align&(raw.align-1) != 0 {
			return formatErr(raw.at+32, "section %s: alignment %d is not a power of two", raw.name, raw.align)
		}
		switch elf.SectionType(raw.typ) {
		case elf.SHT_NULL:
			continue
		case elf.SHT_SYMTAB:
			if symtab != 0 {
				return formatErr(raw.at, "more than one symbol table")
			}
			symtab = i
			continue
		case elf.SHT_REL, elf.SHT_RELA, elf.SHT_GROUP:
			if r.file.Type == elf.ET_REL {
				continue
			}
		case elf.SHT_SYMTAB_SHNDX:
			return formatErr(raw.at, "extended section numbering is not supported")
		case elf.SHT_STRTAB:
			// String tables of the tables above are not contents; others (.stabstr) are.
			if i == int(r.shstr) || raw.flags&uint32(elf.SHF_ALLOC) == 0 && symbolNames[uint32(i)] {
				continue
			}
		}
		data := steps.Must(r.contents(i))
		s := &Section{
			Name: raw.name, Type: elf.SectionType(raw.typ), Flags: elf.SectionFlag(raw.flags),
			Addr: raw.addr, Align: raw.align, Data: data, Entry: raw.entry, Info: raw.info,
			Index: i, Offset: raw.off,
		}
		if s.Type == elf.SHT_NOBITS {
			s.Size = raw.size
		}
		if s.Flags&elf.SHF_COMPRESSED != 0 {
			steps.Check(r.decompress(s, raw))
		}
		raw.section = s
		r.file.Sections = append(r.file.Sections, s)
	}
	for i := range r.raw {
		raw := &r.raw[i]
		if raw.section == nil || raw.section.Flags&elf.SHF_LINK_ORDER == 0 || raw.link == 0 {
			continue
		}
		if int(raw.link) >= len(r.raw) || r.raw[raw.link].section == nil {
			return formatErr(raw.at+24, "section %s is linked to section %d, which does not exist", raw.name, raw.link)
		}
		raw.section.Link = r.raw[raw.link].section
	}
	if symtab != 0 {
		return r.symbolTable(symtab)
	}
	return nil
}

// contents returns the bytes of section i, none for SHT_NOBITS.
func (r *reader) contents(i int) ([]byte, error) {
	raw := &r.raw[i]
	if t := elf.SectionType(raw.typ); t == elf.SHT_NOBITS || t == elf.SHT_NULL {
		return nil, nil
	}
	name := raw.name
	if name == "" {
		name = fmt.Sprintf("section %d", i)
	}
	return r.slice(uint64(raw.off), uint64(raw.size), name)
}

// table is contents for tables that become larger in memory. Together they cannot be larger than the
// file unless they overlap, which only a malicious file does.
func (r *reader) table(i int) ([]byte, error) {
	data, err := r.contents(i)
	if r.tables += uint64(len(data)); err == nil && r.tables > uint64(len(r.data)) {
		return nil, formatErr(r.raw[i].at, "section %s: overlapping tables", r.raw[i].name)
	}
	return data, err
}

// maxInflated bounds the decompressed contents of one file.
const maxInflated = 512 << 20

// decompress replaces the contents of an SHF_COMPRESSED section.
func (r *reader) decompress(s *Section, raw *rawSection) error {
	const chdrSize = 12
	if len(s.Data) < chdrSize {
		return formatErr(uint64(raw.off), "section %s: truncated compression header", s.Name)
	}
	if kind := elf.CompressionType(r.order.Uint32(s.Data)); kind != elf.COMPRESS_ZLIB {
		return formatErr(uint64(raw.off), "section %s: compression %s is not supported", s.Name, kind)
	}
	size, align := r.order.Uint32(s.Data[4:]), r.order.Uint32(s.Data[8:])
	// Deflate cannot expand more than 1032 times: a larger claim is a lie.
	if uint64(size) > 1032*uint64(len(s.Data)) || align&(align-1) != 0 {
		return formatErr(uint64(raw.off)+4, "section %s: impossible uncompressed size %#x", s.Name, size)
	}
	if r.inflated += uint64(size); r.inflated > maxInflated {
		return formatErr(uint64(raw.off), "section %s: more than %d bytes of compressed contents", s.Name, maxInflated)
	}
	z, err := zlib.NewReader(bytes.NewReader(s.Data[chdrSize:]))
	if err != nil {
		return formatErr(uint64(raw.off), "section %s: %v", s.Name, err)
	}
	out, err := io.ReadAll(io.LimitReader(z, int64(size)+1))
	if err != nil || len(out) != int(size) {
		return formatErr(uint64(raw.off), "section %s: damaged compressed contents", s.Name)
	}
	s.Data, s.Align, s.Flags = out, align, s.Flags&^elf.SHF_COMPRESSED
	return nil
}

func (r *reader) symbolTable(i int) error {
	raw := &r.raw[i]
	data, err := r.contents(i)
	if err != nil {
		return err
	}
	if raw.entry != symSize || len(data)%symSize != 0 {
		return formatErr(raw.at, "symbol table of %#x bytes with entries of %d, expected %d", len(data), raw.entry, symSize)
	}
	if int(raw.link) >= len(r.raw) {
		return formatErr(raw.at+24, "symbol table: names in section %d, which does not exist", raw.link)
	}
	nameData, err := r.contents(int(raw.link))
	if err != nil {
		return err
	}
	names := newNameTable(nameData)
	r.symbols = make([]*Symbol, len(data)/symSize)
	for n := 1; n < len(r.symbols); n++ {
		e := data[n*symSize:]
		at := uint64(raw.off) + uint64(n)*symSize
		name, ok := names.at(r.order.Uint32(e))
		if !ok {
			return formatErr(at, "symbol %d: bad name offset %#x", n, r.order.Uint32(e))
		}
		s := &Symbol{
			Name: name, Value: r.order.Uint32(e[4:]), Size: r.order.Uint32(e[8:]),
			Bind: elf.SymBind(e[12] >> 4), Type: elf.SymType(e[12] & 0xf), Vis: elf.SymVis(e[13] & 3),
		}
		index := elf.SectionIndex(r.order.Uint16(e[14:]))
		switch {
		case index == elf.SHN_UNDEF || index == elf.SHN_ABS || index == elf.SHN_COMMON:
			s.Index = index
		case int(index) < len(r.raw) && r.raw[index].section != nil:
			s.Section = r.raw[index].section
		case int(index) < len(r.raw) && (s.Type == elf.STT_SECTION || elf.SectionType(r.raw[index].typ) == elf.SHT_GROUP):
			// The section symbol of a table that File does not keep, or the signature of a group, which
			// GNU as defines in the group itself.
			s.Index = elf.SHN_ABS
		default:
			return formatErr(at+14, "symbol %q is defined in section %d, which does not exist", name, index)
		}
		if s.Type == elf.STT_SECTION && s.Name == "" && s.Section != nil {
			s.Name = s.Section.Name
		}
		r.symbols[n] = s
		r.file.Symbols = append(r.file.Symbols, s)
	}
	return nil
}

func (r *reader) relocations() error {
	for i := range r.raw {
		raw := &r.raw[i]
		switch elf.SectionType(raw.typ) {
		case elf.SHT_REL:
			if raw.size == 0 {
				continue
			}
			return formatErr(raw.at, "section %s: relocations without addends are not supported", raw.name)
		case elf.SHT_RELA:
		default:
			continue
		}
		data, err := r.table(i)
		if err != nil {
			return err
		}
		if int(raw.info) >= len(r.raw) || r.raw[raw.info].section == nil {
			return formatErr(raw.at+28, "section %s relocates section %d, which does not exist", raw.name, raw.info)
		}
		if raw.entry != relaSize || len(data)%relaSize != 0 {
			return formatErr(raw.at, "section %s of %#x bytes with entries of %d, expected %d", raw.name, len(data), raw.entry, relaSize)
		}
		target := r.raw[raw.info].section
		if target.Relocs != nil {
			return formatErr(raw.at+28, "section %s has more than one relocation table", target.Name)
		}
		target.Relocs = make([]Rela, len(data)/relaSize)
		for n := range target.Relocs {
			e := data[n*relaSize:]
			at := uint64(raw.off) + uint64(n)*relaSize
			info := r.order.Uint32(e[4:])
			rel := Rela{Offset: r.order.Uint32(e), Type: Reloc(info), Addend: int32(r.order.Uint32(e[8:]))}
			if number := info >> 8; number != 0 {
				if int(number) >= len(r.symbols) {
					return formatErr(at+4, "section %s: relocation %d names symbol %d of %d", raw.name, n, number, len(r.symbols))
				}
				rel.Sym = r.symbols[number]
			}
			row := rel.Type.Row()
			if row == nil {
				return formatErr(at+4, "section %s: relocation %d has unknown type %d", raw.name, n, uint8(rel.Type))
			}
			if uint64(rel.Offset)+uint64(row.Field.Size()) > uint64(len(target.Data)) {
				return formatErr(at, "section %s: relocation %d at %#x is outside %s (%#x bytes)", raw.name, n, rel.Offset, target.Name, len(target.Data))
			}
			target.Relocs[n] = rel
		}
	}
	return nil
}

func (r *reader) groups() error {
	for i := range r.raw {
		raw := &r.raw[i]
		if elf.SectionType(raw.typ) != elf.SHT_GROUP {
			continue
		}
		data, err := r.table(i)
		if err != nil {
			return err
		}
		if len(data) < 4 || len(data)%4 != 0 {
			return formatErr(uint64(raw.off), "section group of %d bytes", len(data))
		}
		if raw.info == 0 || int(raw.info) >= len(r.symbols) {
			return formatErr(raw.at+28, "section group named by symbol %d of %d", raw.info, len(r.symbols))
		}
		g := &Group{Signature: r.symbols[raw.info], Comdat: r.order.Uint32(data)&1 != 0}
		for off := 4; off < len(data); off += 4 {
			n := r.order.Uint32(data[off:])
			if n == 0 || uint64(n) >= uint64(len(r.raw)) {
				return formatErr(uint64(raw.off)+uint64(off), "section group member %d of %d sections", n, len(r.raw))
			}
			// Relocation tables are members too; they go with their section.
			if s := r.raw[n].section; s != nil && s.Group == nil {
				s.Group = g
				g.Members = append(g.Members, s)
			}
		}
		r.file.Groups = append(r.file.Groups, g)
	}
	return nil
}

// nameTable is a string table with its terminators indexed, so that a lookup costs the same however
// long the names are.
type nameTable struct {
	text string
	ends []uint32 // offsets of the NULs, ascending
}

func newNameTable(data []byte) nameTable {
	t := nameTable{text: string(data)}
	for i, c := range data {
		if c == 0 {
			t.ends = append(t.ends, uint32(i))
		}
	}
	return t
}

// at returns the name at an offset; false when it is outside the table or does not end.
func (t *nameTable) at(off uint32) (string, bool) {
	if uint64(off) >= uint64(len(t.text)) {
		return "", off == 0
	}
	i := sort.Search(len(t.ends), func(i int) bool { return t.ends[i] >= off })
	if i == len(t.ends) {
		return "", false
	}
	return t.text[off:t.ends[i]], true
}
