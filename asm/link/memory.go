package link

import (
	"debug/elf"
	"slices"
)

func (lay *layout) namedRegion(n nameAt) *region {
	if n.name == "" {
		return nil
	}
	r := lay.regions[n.name]
	if r == nil {
		lay.rep.script(n.pos, "unknown memory region %q", n.name)
		return lay.free
	}
	return r
}

// region finds the memory region of an output section: the named one, else the first whose attributes
// fit, else all memory.
func (lay *layout) region(s *outputStmt, addressed bool) *region {
	if r := lay.namedRegion(s.region); r != nil {
		return r
	}
	if addressed || !s.out.alloc() {
		return lay.free
	}
	has := attrAlloc
	if s.out.typ != elf.SHT_NOBITS {
		has |= attrLoad
	}
	writable := s.out.flags&elf.SHF_WRITE != 0
	if !writable {
		has |= attrRead
	}
	if s.out.flags&elf.SHF_EXECINSTR != 0 {
		has |= attrExec
	} else if writable || has&attrLoad != 0 && len(s.out.inputs) > 0 {
		has |= attrWrite // GNU ld: any data that is loaded, constants too, but those of the script
	}
	for _, d := range lay.link.script.regions {
		if d.alias == "" && d.attrs&has != 0 && d.without&has == 0 {
			return lay.regions[d.name]
		}
	}
	if lay.final && len(lay.regions) > 0 && s.out.size > 0 {
		lay.rep.warn("section %s is in no memory region", s.name)
	}
	return lay.free
}

// setLoadAddress computes where a section is loaded: AT, AT>, or as far from its address as the section
// before it in the same region.
func (lay *layout) setLoadAddress(s *outputStmt, padding uint64) {
	out := s.out
	r := out.region
	out.lma = out.addr
	align := uint64(s.explicitAlign(lay))
	switch {
	case s.at != nil:
		v := s.at.eval(lay)
		if v.ok {
			out.lma = uint32(v.abs())
		} else if lay.final {
			lay.rep.script(s.at.position(), "the load address of section %s is not known", s.name)
		}
	case out.lmaRegion != nil:
		lma := out.lmaRegion.current
		switch {
		case s.alignWithInput:
			lma += padding
		case out.lmaRegion == out.region:
			lma = alignUp(lma, uint64(out.align))
		default:
			lma = alignUp(lma, align)
		}
		out.lma = uint32(lma)
	case r.last != nil && out.alloc():
		last := r.last
		if out.addr < last.addr && out.size != 0 && out.end() <= uint64(last.addr) {
			break // the location counter went back: sections are loaded where they are
		}
		out.lma = out.addr + last.lma - last.addr
		out.lma = uint32(alignUp(uint64(out.lma), align))
	}
	if out.alloc() && (out.size != 0 || r.last == nil && out.addr != out.lma || r.last != nil && out.addr >= r.last.addr) {
		r.last = out
	}
}

// checkRegion reports a section that does not fit its region.
func (lay *layout) checkRegion(out *outputSection, r *region, addressed bool) {
	if !lay.final || r.def == nil || r.full || out.size == 0 {
		return
	}
	end := r.origin + r.length
	switch {
	case r.current > end:
		r.full = true
		lay.rep.script(out.place(r), "section %s ends at %#x: memory region %q (%#x to %#x) overflows by %d bytes",
			out.name, r.current, r.def.name, r.origin, end, r.current-end)
	case addressed && uint64(out.addr) < r.origin:
		r.full = true
		lay.rep.script(out.place(r), "section %s at %#x is not in memory region %q (%#x to %#x)", out.name, out.addr, r.def.name, r.origin, end)
	}
}

// place returns where the script describes the section, or the region when it does not.
func (o *outputSection) place(r *region) Pos {
	if o.stmt.pos.Line > 0 {
		return o.stmt.pos
	}
	return r.def.pos
}

// maxContents bounds the contents of a program: a script can ask for gaps of any size.
const maxContents = 256 << 20

// checkSize reports programs that are too large to be written.
func (l *linker) checkSize() {
	total := uint64(0)
	for _, p := range l.planSegments() {
		for i, o := range p.sections {
			if o.typ == elf.SHT_NOBITS && (i+1 == len(p.sections) || p.sections[i+1].typ == elf.SHT_NOBITS) {
				continue
			}
			if total += uint64(o.size); total > maxContents {
				l.rep.script(o.stmt.pos, "section %s of %#x bytes makes the program larger than %d MiB", o.name, o.size, maxContents>>20)
				return
			}
		}
	}
	for _, s := range l.outputs {
		if o := s.out; o.kept && !o.alloc() && o.typ != elf.SHT_NOBITS {
			if total += uint64(o.size); total > maxContents {
				l.rep.script(o.stmt.pos, "section %s of %#x bytes makes the program larger than %d MiB", o.name, o.size, maxContents>>20)
				return
			}
		}
	}
}

// checkMemory reports sections that overlap, at run time or when loaded.
func (l *linker) checkMemory(lay *layout) {
	if l.opts.NoCheck || len(l.rep.errors) > 0 {
		return
	}
	var outs []*outputSection
	for _, s := range l.outputs {
		if s.out.kept && s.out.alloc() && s.out.size > 0 {
			outs = append(outs, s.out)
		}
	}
	for _, what := range []string{"", " when loaded"} {
		if len(l.rep.errors) > 0 {
			return
		}
		at := func(o *outputSection) uint64 {
			if what == "" {
				return uint64(o.addr)
			}
			return uint64(o.lma)
		}
		var sorted []*outputSection
		for _, o := range outs {
			if what == "" || o.typ != elf.SHT_NOBITS {
				sorted = append(sorted, o)
			}
		}
		slices.SortStableFunc(sorted, func(a, b *outputSection) int { return int(int64(at(a)) - int64(at(b))) })
		for i := 1; i < len(sorted); i++ {
			a, b := sorted[i-1], sorted[i]
			if at(b) < at(a)+uint64(a.size) {
				l.rep.script(b.stmt.pos, "section %s (%#x to %#x) overlaps section %s (%#x to %#x)%s",
					b.name, at(b), at(b)+uint64(b.size), a.name, at(a), at(a)+uint64(a.size), what)
			}
		}
	}
}
