package link

import (
	"bytes"
	"debug/elf"
	"slices"
	"sort"
)

// mergedSection is an input section whose strings or constants are merged with those of others: each
// content is kept once, in the section where it first appears.
type mergedSection struct {
	set  *mergeSet
	sec  *section
	kept []*mergeEntry // those that stay in this section, in order
}

// mergeSet is the sections that merge with each other.
type mergeSet struct {
	strings bool
	width   uint32 // bytes of a character or constant
	align   uint32
	entries map[string]*mergeEntry
	order   []*mergeEntry
}

// mergeEntry is one string, with its terminator, or one constant.
type mergeEntry struct {
	text   string
	align  uint32 // 0 when another copy took its place
	sec    *section
	off    uint32
	suffix *mergeEntry // the longer string that ends with this one
}

// mergeKey tells which sections merge.
type mergeKey struct {
	out     *outputSection
	strings bool
	width   uint32
	align   uint32
}

// mergeStrings merges the SHF_MERGE sections of each output section. Which copy stays, and where, is as
// in GNU ld: the first one, except that a string that ends another one becomes a part of it.
func (l *linker) mergeStrings() {
	sets := map[mergeKey]*mergeSet{}
	var order []*mergeSet
	var merged []*mergedSection
	for _, o := range l.outputs {
		for _, s := range o.out.inputs {
			if !mergeable(s) {
				continue
			}
			key := mergeKey{out: o.out, strings: s.flags&elf.SHF_STRINGS != 0, width: s.elf.Entry, align: s.align}
			set := sets[key]
			if set == nil {
				set = &mergeSet{strings: key.strings, width: key.width, align: key.align, entries: map[string]*mergeEntry{}}
				sets[key] = set
				order = append(order, set)
			}
			s.merge = &mergedSection{set: set, sec: s}
			merged = append(merged, s.merge)
			set.collect(s)
		}
	}
	for _, set := range order {
		if set.strings {
			set.joinSuffixes()
		}
		set.assign()
	}
	for _, m := range merged {
		m.rebuild()
	}
}

// mergeable tells whether the entries of a section can move: it has no relocations and its sizes fit.
func mergeable(s *section) bool {
	if s.elf == nil || s.flags&elf.SHF_MERGE == 0 || s.typ == elf.SHT_NOBITS {
		return false
	}
	width := s.elf.Entry
	strings := s.flags&elf.SHF_STRINGS != 0
	switch {
	case width == 0 || s.size == 0 || s.size%width != 0 || len(s.elf.Relocs) > 0:
		return false
	case width < s.align && (width&(width-1) != 0 || !strings):
		return false
	case width > s.align && width&(s.align-1) != 0:
		return false
	}
	// A string that does not end at the end of the section belongs to what follows.
	return !strings || isZero(s.data[s.size-width:])
}

func isZero(b []byte) bool {
	return !slices.ContainsFunc(b, func(c byte) bool { return c != 0 })
}

// collect enters the entries of a section.
func (m *mergeSet) collect(s *section) {
	data := s.data
	if !m.strings {
		for off := uint32(0); off < s.size; off += m.width {
			m.add(s, string(data[off:off+m.width]), m.align)
		}
		return
	}
	empty := false
	for off := uint32(0); off < s.size; {
		// A string needs the alignment that its place in the input has.
		align := off & -off
		if align == 0 || align > m.align {
			align = m.align
		}
		n := m.stringLen(data[off:])
		m.add(s, string(data[off:off+n]), align)
		off += n
		for off < s.size && isZero(data[off:off+m.width]) {
			if !empty && off%m.align == 0 {
				empty = true
				m.add(s, string(data[off:off+m.width]), m.align)
			}
			off += m.width
		}
	}
}

// stringLen returns the length of the string at the start of b with its terminator.
func (m *mergeSet) stringLen(b []byte) uint32 {
	if m.width == 1 {
		return uint32(bytes.IndexByte(b, 0)) + 1
	}
	for off := uint32(0); ; off += m.width {
		if isZero(b[off : off+m.width]) {
			return off + m.width
		}
	}
}

// add enters one string or constant. A copy that is not aligned enough is replaced.
func (m *mergeSet) add(s *section, text string, align uint32) {
	if e := m.entries[text]; e != nil {
		if e.align >= align {
			return
		}
		e.align = 0
	}
	e := &mergeEntry{text: text, align: align, sec: s}
	m.entries[text] = e
	m.order = append(m.order, e)
}

// joinSuffixes finds strings that are the end of others: sorted by their reversed text, a string stands
// in front of those that end with it.
func (m *mergeSet) joinSuffixes() {
	var sorted []*mergeEntry
	for _, e := range m.order {
		if e.align != 0 {
			sorted = append(sorted, e)
		}
	}
	aligned := m.align > m.width
	sort.SliceStable(sorted, func(i, j int) bool {
		a, b := sorted[i], sorted[j]
		if aligned {
			// Only strings whose ends are equally aligned can share them.
			ta, tb := uint32(len(a.text))&(a.align-1), uint32(len(b.text))&(b.align-1)
			if ta != tb {
				return ta < tb
			}
		}
		return reverseLess(a.text, b.text)
	})
	if len(sorted) == 0 {
		return
	}
	long := sorted[len(sorted)-1]
	for i := len(sorted) - 2; i >= 0; i-- {
		e := sorted[i]
		if long.align >= e.align && (len(long.text)-len(e.text))&int(e.align-1) == 0 && len(e.text) < len(long.text) &&
			long.text[len(long.text)-len(e.text):] == e.text {
			e.suffix, e.align = long, 0
			continue
		}
		long = e
	}
}

func reverseLess(a, b string) bool {
	for i := 1; i <= len(a) && i <= len(b); i++ {
		if ca, cb := a[len(a)-i], b[len(b)-i]; ca != cb {
			return ca < cb
		}
	}
	return len(a) < len(b)
}

// assign gives the entries places in their sections.
func (m *mergeSet) assign() {
	sizes := map[*section]uint32{}
	for _, e := range m.order {
		if e.align == 0 {
			continue
		}
		e.off = uint32(alignUp(uint64(sizes[e.sec]), uint64(e.align)))
		sizes[e.sec] = e.off + uint32(len(e.text))
		e.sec.merge.kept = append(e.sec.merge.kept, e)
	}
	for _, e := range m.order {
		if e.suffix != nil {
			e.sec = e.suffix.sec
			e.off = e.suffix.off + uint32(len(e.suffix.text)-len(e.text))
		}
	}
}

// rebuild makes the section's new contents; lookup goes on using the old ones.
func (m *mergedSection) rebuild() {
	var data []byte
	for _, e := range m.kept {
		for uint32(len(data)) < e.off {
			data = append(data, 0)
		}
		data = append(data, e.text...)
	}
	for uint32(len(data))%m.set.align != 0 {
		data = append(data, 0)
	}
	m.sec.data, m.sec.size = data, uint32(len(data))
}

// lookup returns where an offset of the original contents is now.
func (m *mergedSection) lookup(off uint32) (*section, uint32) {
	data, width := m.sec.elf.Data, m.set.width
	if uint64(off) >= uint64(len(data)) {
		// Behind the end: no entry says where that is.
		return m.sec, m.sec.size + (off - uint32(len(data)))
	}
	start := off / width * width
	if m.set.strings {
		for start > 0 && !isZero(data[start-width:start]) {
			start -= width
		}
		n := m.set.stringLen(data[start:])
		if e := m.set.entries[string(data[start:start+n])]; e != nil {
			return e.sec, e.off + off - start
		}
		// Padding between strings: any empty string will do.
		for _, e := range m.set.order {
			if e.align != 0 || e.suffix != nil {
				return e.sec, e.off + uint32(len(e.text)) - width
			}
		}
		return m.sec, 0
	}
	e := m.set.entries[string(data[start:start+width])]
	return e.sec, e.off + off - start
}
