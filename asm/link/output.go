package link

import (
	"debug/elf"
	"sort"
	"strings"

	"arcv2dsp/internal/program/elfarc"
)

// output builds the executable from the finished layout.
func (l *linker) output() *elfarc.File {
	f := &elfarc.File{
		Type: elf.ET_EXEC, Machine: elfarc.MachineARCv2, BigEndian: l.big,
		Flags: l.flags&elfarc.FlagCPUMask | elfarc.FlagABIv4,
	}
	l.fillGOT()
	sections := map[*outputSection]*elfarc.Section{}
	terms := l.terms()
	attrs := l.attrs.Encode(l.big)
	if l.discards(elfarc.SectionAttributes) {
		attrs = nil
	}
	addAttrs := func() { // in front of debug information
		if attrs != nil {
			f.Sections = append(f.Sections, &elfarc.Section{
				Name: elfarc.SectionAttributes, Type: elfarc.SectionTypeAttributes, Align: 1, Data: attrs,
			})
			attrs = nil
		}
	}
	for _, o := range l.sectionOrder() {
		s := &elfarc.Section{Name: o.name, Type: o.typ, Flags: o.flags, Addr: o.addr, Align: max(o.align, 1), Entry: o.entry}
		if o.typ == elf.SHT_NOBITS {
			s.Size = o.size
			l.checkDropped(o)
		} else {
			s.Data = l.contents(o, terms)
		}
		s.Flags &^= elf.SHF_LINK_ORDER
		sections[o] = s
		if isDebugName(o.name) {
			addAttrs()
		}
		f.Sections = append(f.Sections, s)
	}
	addAttrs()
	for _, seg := range l.planSegments() {
		f.Segments = append(f.Segments, seg.header(l, sections))
	}
	if !l.opts.StripAll {
		l.outputSymbols(f, sections)
	}
	f.Entry = l.entry()
	return f
}

// terms are the values of relocation formulas that are the same everywhere.
func (l *linker) terms() *elfarc.Terms {
	t := &elfarc.Terms{}
	if l.got != nil {
		t.GOT = l.resolveGlobal(l.symbols[elfarc.SymbolGOT]).addr
	}
	return t
}

// sectionOrder returns the sections of the result: those in memory by address as far as the script keeps
// them in order, then the others.
func (l *linker) sectionOrder() []*outputSection {
	var memory, others []*outputSection
	for _, s := range l.outputs {
		switch o := s.out; {
		case !o.kept || o.discard:
		case o.alloc():
			memory = append(memory, o)
		default:
			others = append(others, o)
		}
	}
	sortByAddress(memory)
	return append(memory, others...)
}

// discards tells whether the script discards sections of a name, for the one the linker makes.
func (l *linker) discards(name string) bool {
	for _, o := range l.outputs {
		if o.name != discardName {
			continue
		}
		for _, st := range o.body {
			if in, ok := st.(*inputStmt); ok && in.file.pattern == "*" {
				for _, p := range in.sections {
					if glob(p.pattern, name) {
						return true
					}
				}
			}
		}
	}
	return false
}

// contents puts the bytes of an output section together.
func (l *linker) contents(o *outputSection, terms *elfarc.Terms) []byte {
	data := make([]byte, o.size)
	for _, p := range o.pieces {
		if p.data != nil {
			copy(data[p.off:], p.data)
			continue
		}
		for i := uint32(0); i < p.size && len(p.fill) > 0; i++ {
			data[p.off+i] = p.fill[i%uint32(len(p.fill))]
		}
	}
	for _, in := range o.inputs {
		if in.typ != elf.SHT_NOBITS {
			copy(data[in.off:], l.relocate(in, terms))
		}
	}
	return data
}

// checkDropped warns when contents are lost in a section that is not loaded.
func (l *linker) checkDropped(o *outputSection) {
	for _, in := range o.inputs {
		if in.typ != elf.SHT_NOBITS && !isZero(in.data) {
			l.rep.warn("the contents of %s are not loaded: section %s is NOLOAD", in, o.name)
		}
	}
}

// entry returns the address where the program starts.
func (l *linker) entry() uint32 {
	name := l.script.entry.name
	if v, ok := parseNumber(name); ok && name != "" {
		return uint32(v)
	}
	if s := l.symbols[name]; s != nil && s.defined() {
		if to := l.resolveGlobal(s); !to.dropped {
			return to.addr
		}
	}
	if o := l.outputByName(".text"); o != nil {
		return o.addr
	}
	return 0
}

// segmentPlan is a program header and the sections it loads.
type segmentPlan struct {
	typ      elf.ProgType
	flags    elf.ProgFlag
	fixed    bool // flags given by the script
	sections []*outputSection
	at       uint32 // load address given by the script
	hasAt    bool
}

// headersSize returns the size of the file's headers.
func headersSize(segments int) int { return 52 + 32*segments }

// planSegments groups the sections in memory into program headers: as PHDRS says, or a new one wherever
// the load address, the rights or the kind of contents make one necessary.
func (l *linker) planSegments() []*segmentPlan {
	var memory []*outputSection
	for _, s := range l.outputs {
		if s.out.kept && s.out.alloc() && !s.out.discard {
			memory = append(memory, s.out)
		}
	}
	if len(l.script.phdrs) > 0 {
		return l.scriptSegments(memory)
	}
	sortByAddress(memory)
	var plan []*segmentPlan
	var seg *segmentPlan
	page := uint64(l.opts.pageSize())
	for _, o := range memory {
		if o.size == 0 {
			continue
		}
		if seg != nil {
			last := seg.sections[len(seg.sections)-1]
			writable := func(o *outputSection) bool { return o.flags&elf.SHF_WRITE != 0 }
			switch {
			case o.addr-o.lma != last.addr-last.lma,
				uint64(o.addr) < last.end(),
				uint64(o.addr)/page > (last.end()+page-1)/page,
				last.typ == elf.SHT_NOBITS && o.typ != elf.SHT_NOBITS,
				writable(o) != writable(last):
				seg = nil
			}
		}
		if seg == nil {
			seg = &segmentPlan{typ: elf.PT_LOAD}
			plan = append(plan, seg)
		}
		seg.add(o)
	}
	return plan
}

func (p *segmentPlan) add(o *outputSection) {
	p.sections = append(p.sections, o)
	if p.fixed {
		return
	}
	p.flags |= elf.PF_R
	if o.flags&elf.SHF_WRITE != 0 {
		p.flags |= elf.PF_W
	}
	if o.flags&elf.SHF_EXECINSTR != 0 {
		p.flags |= elf.PF_X
	}
}

// scriptSegments follows PHDRS: a section goes to the headers that its statement names, or to those of
// the section before it.
func (l *linker) scriptSegments(memory []*outputSection) []*segmentPlan {
	lay := &layout{link: l, rep: l.rep}
	byName := map[string]*segmentPlan{"NONE": nil}
	var plan []*segmentPlan
	for _, d := range l.script.phdrs {
		p := &segmentPlan{typ: elf.PT_LOAD}
		if n, ok := d.typ.(*nameExpr); ok {
			typ, known := segmentTypes[n.name]
			if !known {
				l.rep.script(n.pos, "unknown type %q of program header %q", n.name, d.name)
			}
			p.typ = typ
		} else {
			p.typ = elf.ProgType(d.typ.eval(lay).abs())
		}
		if d.flags != nil {
			p.flags, p.fixed = elf.ProgFlag(d.flags.eval(lay).abs()), true
		}
		if d.at != nil {
			p.at, p.hasAt = uint32(d.at.eval(lay).abs()), true
		}
		byName[d.name] = p
		plan = append(plan, p)
	}
	var names []nameAt
	for _, p := range plan {
		if p.typ == elf.PT_LOAD && len(names) == 0 {
			names = []nameAt{{name: l.script.phdrs[0].name}}
		}
	}
	for _, o := range memory {
		if len(o.stmt.phdrs) > 0 {
			names = o.stmt.phdrs
		}
		for _, n := range names {
			p, known := byName[n.name]
			if !known {
				l.rep.script(n.pos, "unknown program header %q", n.name)
			} else if p != nil && (p.typ == elf.PT_LOAD || len(o.stmt.phdrs) > 0) {
				p.add(o)
			}
		}
	}
	for _, p := range plan {
		sortByAddress(p.sections)
	}
	return plan
}

// segmentTypes are the names of program header types.
var segmentTypes = map[string]elf.ProgType{
	"PT_NULL": elf.PT_NULL, "PT_LOAD": elf.PT_LOAD, "PT_DYNAMIC": elf.PT_DYNAMIC, "PT_INTERP": elf.PT_INTERP,
	"PT_NOTE": elf.PT_NOTE, "PT_SHLIB": elf.PT_SHLIB, "PT_PHDR": elf.PT_PHDR, "PT_TLS": elf.PT_TLS,
	"PT_GNU_STACK": elf.PT_GNU_STACK,
}

// header makes the program header of a plan.
func (p *segmentPlan) header(l *linker, sections map[*outputSection]*elfarc.Section) *elfarc.Segment {
	seg := &elfarc.Segment{Type: p.typ, Flags: p.flags, Align: l.opts.pageSize()}
	if p.typ != elf.PT_LOAD {
		seg.Align = 4
	}
	if len(p.sections) == 0 {
		return seg
	}
	first, last := p.sections[0], p.sections[len(p.sections)-1]
	seg.VAddr, seg.PAddr = first.addr, first.lma
	if p.hasAt {
		seg.PAddr = p.at
	}
	seg.MemSz = uint32(last.end() - uint64(first.addr))
	for i, o := range p.sections {
		if o.typ == elf.SHT_NOBITS && i+1 < len(p.sections) && p.sections[i+1].typ != elf.SHT_NOBITS {
			// Contents follow in the same segment: the zeros must be in the file.
			s := sections[o]
			s.Type, s.Data, s.Size = elf.SHT_PROGBITS, make([]byte, o.size), 0
		}
		seg.Sections = append(seg.Sections, sections[o])
	}
	return seg
}

// outputSymbols makes the symbol table: a section symbol for each section, the local symbols of each
// object behind its file name, then the global ones.
func (l *linker) outputSymbols(f *elfarc.File, sections map[*outputSection]*elfarc.Section) {
	for _, s := range f.Sections {
		f.Symbols = append(f.Symbols, &elfarc.Symbol{Section: s, Value: s.Addr, Type: elf.STT_SECTION})
	}
	if !l.opts.StripDiscards {
		for _, o := range l.objects {
			l.localSymbols(f, o, sections)
		}
	}
	var globals []*symbol
	for _, s := range l.order {
		if s.defined() && (s.kind != symScript || s.assigned) || s.used && s.weak {
			globals = append(globals, s)
		}
	}
	sort.SliceStable(globals, func(i, j int) bool { return globals[i].name < globals[j].name })
	lay := &layout{link: l, rep: l.rep}
	for _, s := range globals {
		es := &elfarc.Symbol{Name: s.name, Size: s.size, Type: s.typ, Vis: s.vis, Bind: elf.STB_GLOBAL}
		if s.weak {
			es.Bind = elf.STB_WEAK
		}
		if s.local {
			es.Bind, es.Vis = elf.STB_LOCAL, elf.STV_DEFAULT
		}
		if s.kind == symUndefined {
			f.Symbols = append(f.Symbols, es)
			continue
		}
		v := s.value(lay)
		if !v.ok {
			continue // in a section that is not linked
		}
		es.Value = uint32(v.abs())
		es.Index = elf.SHN_ABS
		index := v.sec
		if s.kind == symScript {
			index = s.index
		}
		if index != nil && sections[index] != nil {
			es.Section, es.Index = sections[index], 0
		}
		f.Symbols = append(f.Symbols, es)
	}
}

func (l *linker) localSymbols(f *elfarc.File, o *object, sections map[*outputSection]*elfarc.Section) {
	var file *elfarc.Symbol // written only when a symbol of it follows
	signatures := make(map[*elfarc.Symbol]bool, len(o.file.Groups))
	for _, g := range o.file.Groups {
		signatures[g.Signature] = true
	}
	for _, es := range o.file.Symbols {
		if es.Bind != elf.STB_LOCAL || es.Section == nil && signatures[es] {
			continue
		}
		switch es.Type {
		case elf.STT_SECTION:
			continue
		case elf.STT_FILE:
			file = es
			continue
		}
		if strings.HasPrefix(es.Name, ".L") || es.Name == "" {
			continue
		}
		out := *es
		if es.Section != nil {
			sec := o.section(es.Section)
			if sec == nil {
				continue
			}
			at, off := sec.place(es.Value)
			if at == nil {
				continue
			}
			out.Section, out.Value = sections[at], at.addr+off
			if out.Section == nil {
				continue
			}
		} else if es.Index != elf.SHN_ABS {
			continue
		}
		if file != nil {
			f.Symbols = append(f.Symbols, &elfarc.Symbol{Name: file.Name, Type: elf.STT_FILE, Index: elf.SHN_ABS})
			file = nil
		}
		f.Symbols = append(f.Symbols, &out)
	}
}
