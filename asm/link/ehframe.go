package link

import (
	"encoding/binary"
	"sort"

	"arcv2dsp/internal/program/elfarc"
)

// frameEdit lists the records cut out of an .eh_frame section: those of functions that are not linked.
type frameEdit struct {
	cuts []frameCut // by offset
	fix  []frameFix
	big  bool
}

// frameCut is a record that is left out.
type frameCut struct{ off, size uint32 }

// frameFix is the field of a kept record that says how far back its common record is.
type frameFix struct{ field, common uint32 }

// dropFrames looks for unwind records of functions that are not linked.
func (l *linker) dropFrames(all []*section) {
	for _, s := range all {
		if s.out == nil || !isFrameSection(s.name) || s.elf == nil || len(s.elf.Relocs) == 0 {
			continue
		}
		if e := l.editFrames(s); e != nil && len(e.cuts) > 0 {
			s.frame = e
			for _, c := range e.cuts {
				s.size -= c.size
			}
		}
	}
}

// editFrames reads the records of a section: common ones, whose second word is 0, and those of
// functions, whose second word leads back to a common one and whose third is the function's address.
// Nil when the section is not made of such records; it is linked as it is then.
func (l *linker) editFrames(s *section) *frameEdit {
	relocs := map[uint32]*elfarc.Rela{}
	for i := range s.elf.Relocs {
		relocs[s.elf.Relocs[i].Offset] = &s.elf.Relocs[i]
	}
	order := binary.ByteOrder(binary.LittleEndian)
	if l.big {
		order = binary.BigEndian
	}
	e := &frameEdit{big: l.big}
	data := s.elf.Data
	for off := uint32(0); uint64(off)+4 <= uint64(len(data)); {
		n := order.Uint32(data[off:])
		if n == 0 {
			off += 4 // terminator
			continue
		}
		if n < 4 || uint64(n) > uint64(len(data))-uint64(off)-4 {
			return nil
		}
		size := n + 4
		if back := order.Uint32(data[off+4:]); back != 0 {
			if n < 8 || back > off+4 {
				return nil
			}
			if r := relocs[off+8]; r != nil && l.isDropped(s, r) {
				e.cuts = append(e.cuts, frameCut{off: off, size: size})
			} else {
				e.fix = append(e.fix, frameFix{field: off + 4, common: off + 4 - back})
			}
		}
		off += size
	}
	return e
}

// isDropped tells whether a relocation refers to a section that is not linked.
func (l *linker) isDropped(s *section, r *elfarc.Rela) bool {
	if r.Sym == nil {
		return false
	}
	if g := s.obj.globals[r.Sym]; g != nil {
		return g.sec != nil && g.sec.out == nil
	}
	if r.Sym.Section == nil {
		return false
	}
	sec := s.obj.section(r.Sym.Section)
	return sec == nil || sec.out == nil
}

// moved returns where an offset of the original section is after the cuts.
func (e *frameEdit) moved(off uint32) uint32 {
	n := sort.Search(len(e.cuts), func(i int) bool { return e.cuts[i].off > off })
	removed := uint32(0)
	for _, c := range e.cuts[:n] {
		if off < c.off+c.size {
			return c.off - removed // inside a record that is gone
		}
		removed += c.size
	}
	return off - removed
}

// cut returns the relocated contents without the records that are left out.
func (e *frameEdit) cut(data []byte) []byte {
	order := binary.ByteOrder(binary.LittleEndian)
	if e.big {
		order = binary.BigEndian
	}
	for _, f := range e.fix {
		order.PutUint32(data[f.field:], e.moved(f.field)-e.moved(f.common))
	}
	var out []byte
	at := uint32(0)
	for _, c := range e.cuts {
		out = append(out, data[at:c.off]...)
		at = c.off + c.size
	}
	return append(out, data[at:]...)
}
