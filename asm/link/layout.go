package link

import (
	"debug/elf"
	"encoding/binary"
	"slices"
)

// region is a memory region during layout.
type region struct {
	def            *regionDef // nil for the default region, which is all memory
	origin, length uint64
	current        uint64
	last           *outputSection // the last section placed: it sets the load address of the next
	full           bool           // an overflow has been reported
}

// layout gives addresses to everything. It runs in passes until nothing moves, since expressions may
// name sections and symbols that come later.
type layout struct {
	link    *linker
	rep     *report
	regions map[string]*region
	free    *region // the default region
	number  int     // of the pass
	final   bool    // the pass that reports errors and fills gaps

	dot  uint64
	cur  *outputSection // whose statements are evaluated, nil outside
	fill []byte         // of gaps
}

// maxPasses bounds the layout of scripts whose values change in every pass.
const maxPasses = 32

// piece is contents of an output section that come from the script.
type piece struct {
	off  uint32
	data []byte // of a data statement
	size uint32 // of a gap
	fill []byte // of a gap, repeated from its start
}

func (l *linker) layOut() {
	lay := &layout{link: l, rep: l.rep}
	if !lay.defineRegions() {
		return
	}
	l.checkSectionStart()
	l.segments = 2
	var before []uint64
	for {
		lay.pass()
		if len(l.rep.errors) > 0 {
			return
		}
		l.segments = len(l.planSegments())
		now := append(l.snapshot(), uint64(l.segments))
		if slices.Equal(before, now) {
			break
		}
		if lay.number > maxPasses {
			l.rep.add(&Error{Msg: "the addresses that the script computes do not settle"})
			return
		}
		before = now
	}
	lay.final = true
	lay.pass()
	l.checkSize()
	l.checkMemory(lay)
}

// checkSectionStart warns of -Ttext and the like for sections that do not exist.
func (l *linker) checkSectionStart() {
	for name := range l.opts.SectionStart {
		if l.outputByName(name) == nil {
			l.rep.warn("section %q, whose address is given, does not exist", name)
		}
	}
}

// snapshot lists all values that a pass computes.
func (l *linker) snapshot() []uint64 {
	var v []uint64
	for _, s := range l.outputs {
		v = append(v, uint64(s.out.addr), uint64(s.out.lma), uint64(s.out.size))
	}
	for _, s := range l.order {
		if s.kind == symScript {
			v = append(v, s.result.abs(), truth(s.result.ok))
		}
	}
	return v
}

// defineRegions makes the regions of MEMORY; their expressions may name earlier regions.
func (lay *layout) defineRegions() bool {
	lay.regions = map[string]*region{}
	for _, d := range lay.link.script.regions {
		if d.alias != "" {
			r := lay.regions[d.alias]
			if r == nil {
				lay.rep.script(d.pos, "unknown memory region %q", d.alias)
				return false
			}
			lay.regions[d.name] = r
			continue
		}
		r := &region{def: d}
		lay.regions[d.name] = r
		lay.final = true // these cannot wait for anything
		origin, length := d.origin.eval(lay), d.length.eval(lay)
		lay.final = false
		if len(lay.rep.errors) > 0 {
			return false
		}
		if !origin.ok || !length.ok {
			lay.rep.script(d.pos, "origin and length of memory region %q must be constants", d.name)
			return false
		}
		r.origin, r.length = origin.abs()&0xffffffff, length.abs()
		if r.origin+r.length > 1<<32 || r.length > 1<<32 {
			lay.rep.script(d.pos, "memory region %q of %#x bytes at %#x reaches beyond the address space", d.name, r.length, r.origin)
			return false
		}
	}
	lay.free = &region{length: 1 << 32}
	return len(lay.rep.errors) == 0
}

// pass lays everything out once.
func (lay *layout) pass() {
	lay.number++
	lay.dot, lay.cur = 0, nil
	lay.free.current, lay.free.last = 0, nil
	for _, r := range lay.regions {
		r.current, r.last = r.origin, nil
	}
	for _, s := range lay.link.script.stmts {
		switch s := s.(type) {
		case *assignStmt:
			lay.assign(s)
			lay.free.current = lay.dot
		case *assertStmt:
			lay.assert(s)
			lay.free.current = lay.dot
		case *outputStmt:
			lay.outputSection(s)
		}
	}
}

func (lay *layout) assert(s *assertStmt) {
	if v := s.cond.eval(lay); lay.final && v.ok && v.abs() == 0 {
		lay.rep.script(s.pos, "assertion failed: %s", s.msg)
	}
}

// assign gives a symbol or the location counter a value.
func (lay *layout) assign(s *assignStmt) {
	if s.name == "." {
		lay.assignDot(s)
		return
	}
	sym := lay.link.symbols[s.name]
	if sym == nil || sym.kind != symScript {
		return // a PROVIDE that is not needed
	}
	v := lay.assigned(s, func() value { return sym.result.when(sym.assigned) })
	if !v.ok {
		return
	}
	if v.number && lay.cur != nil {
		// In an output section a number is an offset in it.
		v.sec = lay.cur
	}
	v.number = false
	sym.result, sym.assigned, sym.pass = v, true, lay.number
	sym.index = v.sec
	if v.sec == nil && v.dot {
		sym.index = lay.lastKept()
	}
	if v.sec != nil && !v.sec.kept {
		sym.index = lay.lastKept()
	}
}

// lastKept returns the section placed last in memory: addresses outside sections are relative to it.
func (lay *layout) lastKept() *outputSection {
	var last *outputSection
	for _, s := range lay.link.outputs {
		if s.out == lay.cur {
			break
		}
		if s.out.kept && s.out.alloc() && s.out.end() <= lay.dot && (last == nil || s.out.addr >= last.addr) {
			last = s.out
		}
	}
	return last
}

// assigned evaluates the right side of an assignment, with the old value for operators like +=.
func (lay *layout) assigned(s *assignStmt, old func() value) value {
	v := s.value.eval(lay)
	if s.op == "=" {
		return v
	}
	op := s.op[:len(s.op)-1]
	before := old()
	if !before.ok && lay.final {
		lay.rep.script(s.pos, "%s %s changes a symbol that has no value", s.name, s.op)
	}
	return lay.binary(&binaryExpr{pos: s.pos, op: op}, before, v)
}

// assignDot moves the location counter. Inside an output section that makes a gap.
func (lay *layout) assignDot(s *assignStmt) {
	v := lay.assigned(s, func() value { return (&dotExpr{pos: s.pos}).eval(lay) })
	if !v.ok {
		if lay.final {
			lay.rep.script(s.pos, "the location counter is given a value that is not known")
		}
		return
	}
	next := v.abs()
	if lay.cur == nil {
		lay.dot = next & 0xffffffff
		return
	}
	if v.sec == nil && v.number {
		next = uint64(lay.cur.addr) + v.v
	}
	if int64(next) < int64(lay.dot) { // also in front of the address space
		if lay.final {
			lay.rep.script(s.pos, "cannot move the location counter backwards, from %#x to %#x", lay.dot, int64(next))
		}
		return
	}
	if next > 1<<32 {
		lay.rep.script(s.pos, "the location counter moves to %#x, beyond the address space", next)
		return
	}
	lay.gap(next - lay.dot)
}

// gap moves the location counter and notes the fill of the bytes that it passes.
func (lay *layout) gap(size uint64) {
	if size == 0 {
		return
	}
	if lay.final {
		lay.cur.pieces = append(lay.cur.pieces, piece{off: lay.offset(), size: uint32(size), fill: lay.fill})
	}
	lay.advance(size)
}

func (lay *layout) offset() uint32 { return uint32(lay.dot - uint64(lay.cur.addr)) }

func (lay *layout) advance(size uint64) {
	lay.dot += size
	lay.cur.size = lay.offset()
}

// outputSection places one output section.
func (lay *layout) outputSection(s *outputStmt) {
	out := s.out
	if out.discard {
		return
	}
	addr := s.addr
	if at, ok := lay.link.opts.SectionStart[s.name]; ok {
		addr = &numberExpr{pos: s.pos, v: uint64(at)}
	}
	dot := lay.dot
	if addr != nil {
		v := addr.eval(lay)
		switch {
		case v.ok:
			dot = v.abs() & 0xffffffff
		case lay.final:
			lay.rep.script(addr.position(), "the address of section %s is not known", s.name)
		}
		lay.dot = dot
	}
	if len(out.inputs) == 0 && !s.hasContents() {
		return // nothing ever made it
	}
	out.classify()
	align := out.alignment(lay)
	out.region, out.lmaRegion = lay.region(s, addr != nil), lay.namedRegion(s.lmaRegion)
	if out.lmaRegion != nil && s.region.name == "" && addr == nil && s.lmaRegion.name != "" {
		out.region = out.lmaRegion
	}
	if addr == nil {
		if dot = out.region.current; !out.alloc() && s.orphan {
			dot = 0
		}
	} else {
		align = s.explicitAlign(lay)
	}
	start := alignUp(dot, uint64(align))
	if start > 1<<32-1 {
		lay.rep.script(s.pos, "section %s starts at %#x, beyond the address space", s.name, start)
		return
	}
	saved := lay.dot
	out.addr, out.size, out.pieces = uint32(start), 0, nil
	lay.dot, lay.cur, lay.fill = start, out, s.fill
	lay.contents(s)
	lay.cur = nil
	out.kept = out.size > 0 || s.keepsEmpty()
	if !out.kept && !s.assignsSymbols() {
		lay.dot = saved
		return
	}
	lay.setLoadAddress(s, start-dot)
	if !out.alloc() && s.orphan {
		lay.dot = saved
		return
	}
	if out.alloc() {
		out.region.current = lay.dot
		lay.checkRegion(out, out.region, addr != nil)
		if out.lmaRegion != nil && out.lmaRegion != out.region && out.typ != elf.SHT_NOBITS {
			out.lmaRegion.current = uint64(out.lma) + uint64(out.size)
			lay.checkRegion(out, out.lmaRegion, false)
		}
	}
}

// contents evaluates the statements of an output section.
func (lay *layout) contents(s *outputStmt) {
	out := s.out
	for _, st := range s.body {
		switch st := st.(type) {
		case *assignStmt:
			lay.assign(st)
		case *assertStmt:
			lay.assert(st)
		case *fillStmt:
			lay.fill = st.fill
		case *dataStmt:
			lay.data(st)
		case *inputStmt:
			subalign := uint32(0)
			if s.subalign != nil {
				subalign = lay.power(s.subalign)
			}
			for _, in := range st.matched {
				align := in.align
				if subalign != 0 {
					align = subalign
				}
				lay.gap(alignUp(lay.dot, uint64(align)) - lay.dot)
				in.off = lay.offset()
				if lay.dot+uint64(in.size) > 1<<32 {
					lay.rep.input(in.String(), "%#x bytes at %#x reach beyond the address space", in.size, lay.dot)
					return
				}
				lay.advance(uint64(in.size))
			}
		}
		if lay.dot > 1<<32 {
			lay.rep.script(s.pos, "section %s at %#x reaches beyond the address space", s.name, out.addr)
			return
		}
	}
}

func (lay *layout) data(st *dataStmt) {
	if lay.final {
		v := st.value.eval(lay)
		var b [8]byte
		order := binary.ByteOrder(binary.LittleEndian)
		if lay.link.big {
			order = binary.BigEndian
		}
		switch x := v.abs(); st.size {
		case 1:
			b[0] = byte(x)
		case 2:
			order.PutUint16(b[:], uint16(x))
		case 4:
			order.PutUint32(b[:], uint32(x))
		case 8:
			order.PutUint64(b[:], x)
		}
		lay.cur.pieces = append(lay.cur.pieces, piece{off: lay.offset(), data: b[:st.size]})
	}
	lay.advance(uint64(st.size))
}

// maxAlign bounds alignments.
const maxAlign = 1 << 30

// power evaluates an alignment.
func (lay *layout) power(e expr) uint32 {
	v := e.eval(lay)
	a := v.abs()
	if !v.ok || a == 0 {
		return 1
	}
	if a&(a-1) != 0 {
		lay.rep.script(e.position(), "alignment %#x is not a power of two", a)
		return 1
	}
	if a > maxAlign {
		lay.rep.script(e.position(), "alignment %#x is out of range 0x1 to %#x", a, uint64(maxAlign))
		return 1
	}
	return uint32(a)
}

// explicitAlign returns the alignment that the statement asks for.
func (s *outputStmt) explicitAlign(lay *layout) uint32 {
	if s.align == nil {
		return 1
	}
	return lay.power(s.align)
}

// alignment computes the alignment of an output section: the largest of its inputs' and its own.
func (o *outputSection) alignment(lay *layout) uint32 {
	align := o.stmt.explicitAlign(lay)
	if o.stmt.subalign != nil && len(o.inputs) > 0 {
		align = max(align, lay.power(o.stmt.subalign))
	} else {
		for _, in := range o.inputs {
			align = max(align, in.align)
		}
	}
	o.align = align
	return align
}

// hasContents reports whether statements make the section exist without inputs.
func (s *outputStmt) hasContents() bool {
	for _, st := range s.body {
		switch st.(type) {
		case *dataStmt, *assignStmt:
			return true
		}
	}
	return false
}

// assignsSymbols reports whether symbols take their values from the section even when it is empty.
func (s *outputStmt) assignsSymbols() bool {
	for _, st := range s.body {
		if a, ok := st.(*assignStmt); ok && a.name != "." {
			return true
		}
	}
	return false
}

// keepsEmpty reports whether the section is in the result although it is empty: it is if an
// assignment to the location counter can have an effect.
func (s *outputStmt) keepsEmpty() bool {
	for _, st := range s.body {
		a, ok := st.(*assignStmt)
		if !ok || a.name != "." {
			continue
		}
		switch v := a.value.(type) {
		case *numberExpr:
			if v.v == 0 {
				continue
			}
		case *binaryExpr: // . + 0
			if n, ok := v.y.(*numberExpr); ok && v.op == "+" && n.v == 0 {
				continue
			}
		case *funcExpr: // ALIGN(. != 0 ? n : 1)
			if c, ok := v.args[0].(*condExpr); ok && v.name == "ALIGN" {
				if n, ok := c.no.(*numberExpr); ok && n.v == 1 {
					continue
				}
			}
		}
		return true
	}
	return false
}

// classify gives sections that come from the script alone a type and flags.
func (o *outputSection) classify() {
	hasData, assigned, constants := false, false, false
	for _, st := range o.stmt.body {
		switch st.(type) {
		case *assignStmt:
			assigned = true
		case *dataStmt:
			hasData = true
			constants = constants || !assigned // GNU ld: the first definition decides
		}
	}
	if len(o.inputs) == 0 {
		typ, flags := kindByName(o.name)
		o.typ, o.flags = elf.SHT_NOBITS, elf.SHF_ALLOC|flags
		if hasData && typ != elf.SHT_NULL {
			o.typ = typ
		}
		if !constants && (hasData || flags&elf.SHF_EXECINSTR == 0) {
			o.flags |= elf.SHF_WRITE
		}
		if o.stmt.kind == kindInfo {
			o.flags = 0
		}
	}
	if hasData && o.typ == elf.SHT_NOBITS {
		o.typ = elf.SHT_PROGBITS
	}
	if o.stmt.kind == kindNoload && o.alloc() {
		o.typ = elf.SHT_NOBITS
	}
	o.fixed = hasData
}
