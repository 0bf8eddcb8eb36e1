package elfarc

import (
	"debug/elf"
	"fmt"
	"io"
	"sort"
)

// Write writes the file. It numbers sections and symbols, builds the relocation, symbol and string
// tables, and lays the contents out: in objects one after another, in executables so that each
// segment's file offset equals its address modulo its alignment.
func (f *File) Write(w io.Writer) error {
	b, err := f.Bytes()
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}

// Bytes returns the file that Write writes.
func (f *File) Bytes() ([]byte, error) {
	w := writer{file: f, order: byteOrder(f.BigEndian)}
	if err := w.number(); err != nil {
		return nil, err
	}
	return w.emit()
}

// header is a section header under construction.
type header struct {
	name                  string
	typ, flags, addr      uint32
	off, size, link, info uint32
	align, entry          uint32
	data                  []byte
	section               *Section
}

type writer struct {
	file    *File
	order   orderBoth
	headers []*header
	symbols []*Symbol // in table order
	strtab  stringTable
	segHead map[*Section]*Segment
}

// number builds the section headers in file order: groups, then each section followed by its
// relocations, then the tables.
func (w *writer) number() error {
	f := w.file
	w.headers = []*header{{}}
	groupHeaders := make([]*header, len(f.Groups))
	for i := range f.Groups {
		groupHeaders[i] = &header{name: ".group", typ: uint32(elf.SHT_GROUP), align: 4, entry: 4}
		w.headers = append(w.headers, groupHeaders[i])
	}
	type relaOf struct {
		header  *header
		section *Section
	}
	var relas []relaOf
	known := make(map[*Section]bool, len(f.Sections))
	relaIndex := make(map[*Section]int)
	for _, s := range f.Sections {
		known[s] = true
		s.Index = len(w.headers)
		w.headers = append(w.headers, &header{
			name: s.Name, typ: uint32(s.Type), flags: uint32(s.Flags), addr: s.Addr,
			size: s.Len(), info: s.Info, align: s.Align, entry: s.Entry, data: s.Data, section: s,
		})
		if len(s.Relocs) > 0 {
			h := &header{
				name: ".rela" + s.Name, typ: uint32(elf.SHT_RELA), flags: uint32(elf.SHF_INFO_LINK),
				info: uint32(s.Index), align: 4, entry: relaSize,
			}
			if s.Group != nil {
				h.flags |= uint32(elf.SHF_GROUP)
			}
			relaIndex[s] = len(w.headers)
			w.headers = append(w.headers, h)
			relas = append(relas, relaOf{header: h, section: s})
		}
	}
	if len(w.headers)+3 >= int(elf.SHN_LORESERVE) {
		return fmt.Errorf("%d sections are more than an ELF file can number", len(w.headers))
	}
	for _, h := range w.headers {
		if h.section != nil && h.section.Link != nil {
			if !known[h.section.Link] {
				return fmt.Errorf("section %s is linked to a section that is not in the file", h.name)
			}
			h.link = uint32(h.section.Link.Index)
		}
	}

	w.sortSymbols()
	symtab := &header{name: ".symtab", typ: uint32(elf.SHT_SYMTAB), align: 4, entry: symSize}
	strtab := &header{name: ".strtab", typ: uint32(elf.SHT_STRTAB), align: 1}
	shstrtab := &header{name: ".shstrtab", typ: uint32(elf.SHT_STRTAB), align: 1}
	symtabIndex := uint32(len(w.headers))
	symtab.link = symtabIndex + 1
	w.headers = append(w.headers, symtab, strtab, shstrtab)

	if err := w.encodeSymbols(symtab, known); err != nil {
		return err
	}
	strtab.data = w.strtab.data()
	for _, r := range relas {
		r.header.link = symtabIndex
		r.header.data = make([]byte, 0, len(r.section.Relocs)*relaSize)
		for _, rel := range r.section.Relocs {
			number := uint32(0)
			if rel.Sym != nil {
				if number = w.numberOf(rel.Sym); number == 0 {
					return fmt.Errorf("section %s: relocation at %#x names symbol %q that is not in the file", r.section.Name, rel.Offset, rel.Sym.Name)
				}
			}
			r.header.data = w.order.AppendUint32(r.header.data, rel.Offset)
			r.header.data = w.order.AppendUint32(r.header.data, number<<8|uint32(rel.Type))
			r.header.data = w.order.AppendUint32(r.header.data, uint32(rel.Addend))
		}
	}
	for i, g := range f.Groups {
		h := groupHeaders[i]
		if g.Signature == nil || w.numberOf(g.Signature) == 0 {
			return fmt.Errorf("section group %d has no signature symbol in the file", i)
		}
		h.link, h.info = symtabIndex, g.Signature.number
		flag := uint32(0)
		if g.Comdat {
			flag = 1
		}
		h.data = w.order.AppendUint32(h.data, flag)
		for _, s := range g.Members {
			if !known[s] {
				return fmt.Errorf("section group %q has a member that is not in the file", g.Signature.Name)
			}
			h.data = w.order.AppendUint32(h.data, uint32(s.Index))
			if at, ok := relaIndex[s]; ok {
				h.data = w.order.AppendUint32(h.data, uint32(at))
			}
		}
	}
	var names stringTable
	for _, h := range w.headers {
		names.add(h.name)
	}
	shstrtab.data = names.data()
	w.strtab = names
	return nil
}

// sortSymbols puts local symbols before the others, otherwise keeping their order.
func (w *writer) sortSymbols() {
	w.symbols = append([]*Symbol(nil), w.file.Symbols...)
	sort.SliceStable(w.symbols, func(i, j int) bool {
		return w.symbols[i].Bind == elf.STB_LOCAL && w.symbols[j].Bind != elf.STB_LOCAL
	})
	for i, s := range w.symbols {
		s.number = uint32(i) + 1
	}
}

// numberOf returns the place of a symbol in the table, 0 when it is not in the file.
func (w *writer) numberOf(s *Symbol) uint32 {
	if n := s.number; n != 0 && int(n) <= len(w.symbols) && w.symbols[n-1] == s {
		return n
	}
	return 0
}

func (w *writer) encodeSymbols(h *header, known map[*Section]bool) error {
	if len(w.symbols) >= 1<<24 {
		return fmt.Errorf("%d symbols are more than a relocation can number", len(w.symbols))
	}
	// A symbol that is only the name of a group is defined in it, as by GNU as: linkers leave it out.
	groups := make(map[*Symbol]uint16, len(w.file.Groups))
	for i, g := range w.file.Groups {
		if s := g.Signature; s != nil && s.Section == nil && s.Bind == elf.STB_LOCAL && s.Index == elf.SHN_ABS {
			groups[s] = uint16(1 + i) // groups come first
		}
	}
	b := make([]byte, symSize, (len(w.symbols)+1)*symSize)
	h.info = 1
	for _, s := range w.symbols {
		if s.Bind == elf.STB_LOCAL {
			h.info++
		}
		index := uint16(s.Index)
		if n, ok := groups[s]; ok {
			index = n
		}
		if s.Section != nil {
			if !known[s.Section] {
				return fmt.Errorf("symbol %q is defined in section %s that is not in the file", s.Name, s.Section.Name)
			}
			index = uint16(s.Section.Index)
		}
		b = w.order.AppendUint32(b, w.strtab.add(s.Name))
		b = w.order.AppendUint32(b, s.Value)
		b = w.order.AppendUint32(b, s.Size)
		b = append(b, byte(s.Bind)<<4|byte(s.Type)&0xf, byte(s.Vis)&3)
		b = w.order.AppendUint16(b, index)
	}
	h.data = b
	return nil
}

func (w *writer) emit() ([]byte, error) {
	f := w.file
	off := uint64(ehdrSize + phdrSize*len(f.Segments))
	w.segHead = make(map[*Section]*Segment)
	for _, seg := range f.Segments {
		seg.Offset, seg.FileSz = 0, 0
		if seg.Type == elf.PT_LOAD && len(seg.Sections) > 0 {
			w.segHead[seg.Sections[0]] = seg
		}
	}
	var inSegment *Segment // the one whose sections are being placed
	left := 0
	for _, h := range w.headers[1:] {
		size := uint64(h.size)
		if h.data != nil {
			size = uint64(len(h.data))
			h.size = uint32(size)
		}
		switch seg := w.segHead[h.section]; {
		case h.section != nil && seg != nil:
			inSegment, left = seg, len(seg.Sections)
			align := uint64(max(seg.Align, 1))
			off += (uint64(seg.VAddr) - off) % align
			seg.Offset = uint32(off)
			off += uint64(h.addr - seg.VAddr)
		case left > 0:
			off = uint64(inSegment.Offset) + uint64(h.addr-inSegment.VAddr)
		default:
			align := uint64(max(h.align, 1))
			off = (off + align - 1) / align * align
		}
		if off > 1<<31 {
			return nil, fmt.Errorf("section %s: the file would be larger than 2 GB", h.name)
		}
		h.off = uint32(off)
		if h.typ != uint32(elf.SHT_NOBITS) {
			off += size
		}
		if h.section != nil {
			h.section.Offset = h.off
			if left > 0 {
				if left--; h.typ != uint32(elf.SHT_NOBITS) {
					inSegment.FileSz = uint32(off) - inSegment.Offset
				} else {
					// The rest of the segment takes no space in the file either.
					off = uint64(inSegment.Offset) + uint64(inSegment.FileSz)
				}
			}
		}
	}
	for _, seg := range f.Segments {
		if seg.Type == elf.PT_LOAD {
			continue
		}
		for i, s := range seg.Sections { // parts of what is loaded, or described by itself
			if i == 0 {
				seg.Offset = s.Offset
			}
			if s.Type != elf.SHT_NOBITS {
				seg.FileSz = s.Offset + s.Len() - seg.Offset
			}
		}
	}
	shoff := (off + 3) &^ 3
	total := shoff + uint64(len(w.headers)*shdrSize)
	if total > 1<<31 {
		return nil, fmt.Errorf("the file would be larger than 2 GB")
	}
	out := make([]byte, 0, total)
	out = w.fileHeader(out, uint32(shoff))
	for _, seg := range f.Segments {
		flags := uint32(seg.Flags)
		for _, v := range []uint32{uint32(seg.Type), seg.Offset, seg.VAddr, seg.PAddr, seg.FileSz, seg.MemSz, flags, seg.Align} {
			out = w.order.AppendUint32(out, v)
		}
	}
	out = out[:total]
	for _, h := range w.headers[1:] {
		if h.typ == uint32(elf.SHT_NOBITS) {
			continue
		}
		copy(out[h.off:], h.data)
	}
	head := out[:shoff]
	for _, h := range w.headers {
		name := uint32(0)
		if h.name != "" {
			name = w.strtab.add(h.name)
		}
		for _, v := range []uint32{name, h.typ, h.flags, h.addr, h.off, h.size, h.link, h.info, h.align, h.entry} {
			head = w.order.AppendUint32(head, v)
		}
	}
	return out, nil
}

func (w *writer) fileHeader(out []byte, shoff uint32) []byte {
	f := w.file
	data := elf.ELFDATA2LSB
	if f.BigEndian {
		data = elf.ELFDATA2MSB
	}
	out = append(out, 0x7f, 'E', 'L', 'F', byte(elf.ELFCLASS32), byte(data), byte(elf.EV_CURRENT), 0, 0, 0, 0, 0, 0, 0, 0, 0)
	phoff, phentsize := uint32(0), uint16(0)
	if len(f.Segments) > 0 {
		phoff, phentsize = ehdrSize, phdrSize
	}
	out = w.order.AppendUint16(out, uint16(f.Type))
	out = w.order.AppendUint16(out, f.Machine)
	out = w.order.AppendUint32(out, uint32(elf.EV_CURRENT))
	out = w.order.AppendUint32(out, f.Entry)
	out = w.order.AppendUint32(out, phoff)
	out = w.order.AppendUint32(out, shoff)
	out = w.order.AppendUint32(out, f.Flags)
	for _, v := range []uint16{ehdrSize, phentsize, uint16(len(f.Segments)), shdrSize, uint16(len(w.headers)), uint16(len(w.headers) - 1)} {
		out = w.order.AppendUint16(out, v)
	}
	return out
}

// stringTable collects names, each once.
type stringTable struct {
	bytes []byte
	at    map[string]uint32
}

func (t *stringTable) add(s string) uint32 {
	if s == "" {
		return 0
	}
	if off, ok := t.at[s]; ok {
		return off
	}
	if t.at == nil {
		t.at = make(map[string]uint32)
		t.bytes = []byte{0}
	}
	off := uint32(len(t.bytes))
	t.at[s] = off
	t.bytes = append(append(t.bytes, s...), 0)
	return off
}

func (t *stringTable) data() []byte {
	if t.bytes == nil {
		return []byte{0}
	}
	return t.bytes
}
