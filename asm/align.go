package asm

import "encoding/binary"

// alignDirectives move the location forward.
func alignDirectives() map[string]func(*assembler) {
	align := func(power bool, unit int) func(*assembler) {
		return func(a *assembler) { a.alignDirective(power, unit) }
	}
	space := func(unit int64) func(*assembler) { return func(a *assembler) { a.space(unit) } }
	return map[string]func(*assembler){
		".align":  align(false, 1),
		".balign": align(false, 1), ".balignw": align(false, 2), ".balignl": align(false, 4),
		".p2align": align(true, 1), ".p2alignw": align(true, 2), ".p2alignl": align(true, 4),
		".org":   (*assembler).orgDirective,
		".space": space(1), ".skip": space(1), ".zero": space(1),
		".ds": space(2), ".ds.b": space(1), ".ds.w": space(2), ".ds.l": space(4), ".ds.d": space(8), ".ds.s": space(4),
		".nops": (*assembler).nops, ".nop": func(a *assembler) { a.instruction("nop", a.stmt) },
	}
}

// nopShort is nop_s, which fills gaps between instructions.
const nopShort = 0x78e0

// maxAlign bounds alignments, in bytes.
const maxAlign = 1 << 27

// alignDirective is .align n, fill, max and its kin.
func (a *assembler) alignDirective(power bool, unit int) {
	at := a.i
	n := int64(0)
	if !a.atEnd() {
		n = need(a.absolute("the alignment"))
	}
	bytes := n
	switch {
	case power && (n < 0 || n > 27):
		a.errorAt(at, "alignment 2^%d is out of range 2^0 to 2^27", n)
		return
	case power:
		bytes = 1 << n
	case n == 0:
		bytes = 1
	case n < 0 || n > maxAlign:
		a.errorAt(at, "alignment %d is out of range 1 to %d", n, maxAlign)
		return
	case n&(n-1) != 0:
		a.errorAt(at, "alignment %d is not a power of two", n)
		return
	}
	p := alignPlace{align: uint32(bytes), nops: a.cur.section.code(), unit: 1, place: a.here(at)}
	if a.optionalComma() {
		if a.s[a.i] != ',' && !a.atEnd() {
			fill := need(a.absolute("the fill value"))
			p.nops, p.fill, p.unit = false, uint64(fill), uint8(unit)
		}
		if a.optionalComma() {
			limit := need(a.absolute("the greatest number of bytes to skip"))
			p.limit = uint32(max(0, min(limit, maxAlign)))
		}
	}
	a.alignTo(p)
}

func (a *assembler) alignTo(p alignPlace) {
	sec := a.cur.section
	sec.align = max(sec.align, p.align)
	switch {
	case p.align <= 1:
	case sec.absolute:
		a.cur.skipped += p.resize(a, a.cur, a.cur.skipped, 0)
	default:
		a.cur.place(&p, 0)
	}
}

// alignPlace fills up to a multiple of align.
type alignPlace struct {
	align uint32
	limit uint32 // skip nothing if more than this would be skipped; 0: no limit
	fill  uint64
	unit  uint8 // size of the fill value
	place place // of the directive
	nops  bool  // fill with nop_s
}

func (p *alignPlace) resize(_ *assembler, _ *stream, addr, _ uint32) uint32 {
	n := -addr & (p.align - 1)
	if p.limit != 0 && n > p.limit {
		return 0
	}
	return n
}

func (p *alignPlace) emit(a *assembler, _ *stream, dst []byte, _, size uint32) []byte {
	if p.nops {
		return appendNops(dst, size, a.big)
	}
	if size%uint32(p.unit) != 0 {
		a.errorPlace(p.place, "the gap of %d bytes is not a multiple of the %d bytes of the fill value", size, p.unit)
		return append(dst, make([]byte, size)...)
	}
	var item [8]byte
	putInt(item[:p.unit], p.fill, a.big)
	for ; size > 0; size -= uint32(p.unit) {
		dst = append(dst, item[:p.unit]...)
	}
	return dst
}

// appendNops fills a gap in code: a zero byte if the gap is odd, then nop_s.
func appendNops(dst []byte, size uint32, big bool) []byte {
	if size&1 != 0 {
		dst = append(dst, 0)
	}
	for range size / 2 {
		if big {
			dst = binary.BigEndian.AppendUint16(dst, nopShort)
		} else {
			dst = binary.LittleEndian.AppendUint16(dst, nopShort)
		}
	}
	return dst
}

// extentAndFill reads "size, fill" of a directive; fill is 0 when it is not there. missing says what a
// statement without the first operand lacks.
func (a *assembler) extentAndFill(missing string) (e expr, fill int64, at int) {
	a.skipBlanks()
	at = a.i
	if e = a.expression(); e.kind == exprNone {
		a.giveUp(at, "%s", missing)
	}
	if a.optionalComma() {
		fill = need(a.absolute("the fill value"))
	}
	return e, fill, at
}

// orgDirective is .org address, fill.
func (a *assembler) orgDirective() {
	e, fill, at := a.extentAndFill("an address is missing")
	a.origin(e, byte(fill), at)
}

func (a *assembler) origin(e expr, fill byte, at int) {
	a.cur.place(&orgPlace{target: e, fill: fill, place: a.here(at)}, 0)
}

// orgPlace fills up to an address of the section.
type orgPlace struct {
	target expr
	fill   byte
	place  place
}

func (p *orgPlace) distance(a *assembler, st *stream, addr uint32) (int64, string) {
	r := a.resolve(p.target)
	switch {
	case !r.ok || r.sub.kind != baseNone:
	case r.base.kind == baseNone:
		return r.n - int64(addr), ""
	case r.base.kind == baseSection && r.base.section == st.section:
		return r.n - int64(addr), ""
	}
	return 0, "the address must be a constant or a label of this section"
}

func (p *orgPlace) resize(a *assembler, st *stream, addr, _ uint32) uint32 {
	n, msg := p.distance(a, st, addr)
	if msg != "" || n < 0 || n > maxSection {
		return 0
	}
	return uint32(n)
}

func (p *orgPlace) emit(a *assembler, st *stream, dst []byte, addr, size uint32) []byte {
	n, msg := p.distance(a, st, addr)
	switch {
	case msg != "":
		a.errorPlace(p.place, "%s", msg)
	case n < 0:
		a.errorPlace(p.place, "cannot move back from address %#x to %#x", addr, int64(addr)+n)
	case n > maxSection:
		a.errorPlace(p.place, "address %#x is out of range", int64(addr)+n)
	}
	for range size {
		dst = append(dst, p.fill)
	}
	return dst
}

// space is .space n, fill.
func (a *assembler) space(unit int64) {
	e, fill, at := a.extentAndFill("the number of bytes is missing")
	if e.kind != exprConst {
		a.cur.place(&spacePlace{size: e, unit: unit, fill: byte(fill), place: a.here(at)}, 0)
		return
	}
	if e.n < 0 {
		a.warnAt(at, "space of %d bytes is ignored", e.n)
		return
	}
	if e.n > maxSection {
		a.errorAt(at, "space of %d bytes is out of range 0 to %d", e.n, maxSection)
		return
	}
	a.fill(e.n*unit, byte(fill))
}

// spacePlace is space whose size the layout knows.
type spacePlace struct {
	size  expr
	unit  int64
	fill  byte
	place place
}

func (p *spacePlace) resize(a *assembler, _ *stream, _, _ uint32) uint32 {
	n, ok := a.evaluate(p.size)
	if !ok || n < 0 || n > maxSection/p.unit {
		return 0
	}
	return uint32(n * p.unit)
}

func (p *spacePlace) emit(a *assembler, _ *stream, dst []byte, _, size uint32) []byte {
	n, ok := a.evaluate(p.size)
	switch {
	case !ok:
		a.errorPlace(p.place, "the size must be a constant or a difference of symbols of one section")
	case n < 0 || n > maxSection:
		a.errorPlace(p.place, "space of %d bytes is out of range 0 to %d", n, maxSection)
	}
	for range size {
		dst = append(dst, p.fill)
	}
	return dst
}

// nops is .nops bytes.
func (a *assembler) nops() {
	at := a.i
	n := need(a.absolute("the number of bytes"))
	if a.optionalComma() {
		a.absolute("the greatest size of a nop")
	}
	if n < 0 || n > maxSection {
		a.errorAt(at, "%d bytes are out of range 0 to %d", n, maxSection)
		return
	}
	if !a.reserve(n) {
		return
	}
	a.emitBytes(appendNops(nil, uint32(n), a.big)...)
}
