package asm

import (
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"

	"arcv2dsp/internal/program/elfarc"
)

// dataDirectives put data into the current section.
func dataDirectives() map[string]func(*assembler) {
	ints := func(size int) func(*assembler) { return func(a *assembler) { a.integers(size) } }
	floats := func(size int) func(*assembler) { return func(a *assembler) { a.floats(size) } }
	texts := func(width int, zero bool) func(*assembler) {
		return func(a *assembler) { a.strings(width, zero) }
	}
	blocks := func(size int) func(*assembler) { return func(a *assembler) { a.repeatedInt(size) } }
	return map[string]func(*assembler){
		".byte": ints(1), ".1byte": ints(1), ".dc.b": ints(1),
		".2byte": ints(2), ".short": ints(2), ".hword": ints(2), ".half": ints(2), ".dc.w": ints(2), ".dc": ints(2),
		".3byte": ints(3),
		".word":  ints(4), ".long": ints(4), ".int": ints(4), ".4byte": ints(4), ".dc.l": ints(4), ".dc.a": ints(4),
		".quad": ints(8), ".8byte": ints(8), ".xword": ints(8),
		".octa": ints(16), ".16byte": ints(16),
		".float": floats(4), ".single": floats(4), ".double": floats(8), ".dc.s": floats(4), ".dc.d": floats(8),
		".ascii": texts(1, false), ".asciz": texts(1, true), ".string": texts(1, true), ".string8": texts(1, true),
		".string16": texts(2, true), ".string32": texts(4, true), ".string64": texts(8, true),
		".fill": (*assembler).fillDirective,
		".dcb":  blocks(2), ".dcb.b": blocks(1), ".dcb.w": blocks(2), ".dcb.l": blocks(4),
		".sleb128": func(a *assembler) { a.leb128(true) },
		".uleb128": func(a *assembler) { a.leb128(false) },
		".incbin":  (*assembler).incbin,
		".reloc":   (*assembler).relocDirective,
	}
}

// integers is .byte, .short, .word ...
func (a *assembler) integers(size int) {
	if a.atEnd() {
		return
	}
	for {
		a.skipBlanks()
		at := a.i
		if size > 8 && a.wideNumber() {
			if !a.optionalComma() {
				return
			}
			continue
		}
		e := a.expression()
		switch {
		case e.kind == exprConst && size > 8:
			a.emitWide(big.NewInt(e.n))
		case e.kind == exprConst:
			a.checkSize(at, e.n, size)
			a.emitInt(uint64(e.n), size)
		case e.kind == exprNone && (a.s[a.i] == ',' || a.atEnd()):
			a.warnAt(at, "a value is missing, 0 is taken")
			a.emitBytes(make([]byte, size)...)
		case e.kind == exprNone:
			a.giveUp(at, "expected a value")
		default:
			a.emitReference(e, size, at)
		}
		if !a.optionalComma() {
			return
		}
	}
}

// checkSize warns about a constant that loses bits.
func (a *assembler) checkSize(at int, n int64, size int) {
	if size >= 8 {
		return
	}
	bits := uint(8 * size)
	if n < -1<<(bits-1) && n>>bits != -1 || n >= 0 && uint64(n)>>bits != 0 {
		a.warnAt(at, "value %#x does not fit in %d bits and is cut to %#x", n, bits, uint64(n)&(1<<bits-1))
	}
}

// wideNumber reads a plain number, which may exceed the 64 bits of expressions, with a sign or ~.
func (a *assembler) wideNumber() bool {
	start := a.i
	sign := a.s[a.i]
	if sign == '-' || sign == '~' {
		a.i++
	}
	digits := a.i
	if !isDigit(a.s[a.i]) {
		a.i = start
		return false
	}
	for isNameChar(a.s[a.i]) {
		a.i++
	}
	v, ok := new(big.Int).SetString(a.s[digits:a.i], 0)
	switch {
	case !ok:
		a.errorAt(start, "%q is not a number", a.s[start:a.i])
		return true
	case v.BitLen() > 128:
		a.errorAt(start, "the number does not fit in 128 bits")
		return true
	case sign == '-':
		v.Neg(v)
	case sign == '~':
		v.Not(v)
	}
	a.emitWide(v)
	return true
}

// emitWide appends 16 bytes.
func (a *assembler) emitWide(v *big.Int) {
	if v.Sign() < 0 {
		v.Add(v, new(big.Int).Lsh(big.NewInt(1), 128))
	}
	var b [16]byte
	v.FillBytes(b[:])
	if !a.big {
		for i := range 8 {
			b[i], b[15-i] = b[15-i], b[i]
		}
	}
	a.emitBytes(b[:]...)
}

// emitReference emits room for a value that the layout or the linker fills in.
func (a *assembler) emitReference(e expr, size, at int) {
	reloc := elfarc.R_ARC_NONE
	switch size {
	case 1:
		reloc = elfarc.R_ARC_8
	case 2:
		reloc = elfarc.R_ARC_16
	case 3:
		reloc = elfarc.R_ARC_24
	case 4:
		reloc = elfarc.R_ARC_32
	}
	if e.mod != opNone {
		r, ok := e.mod.data(size)
		if !ok {
			a.errorAt(at, "relocation operator @%s is not possible in %d bytes of data", e.mod, size)
			return
		}
		reloc = r
	}
	a.addFix(fixup{kind: fixData, reloc: reloc, size: uint8(size), value: e, place: a.here(at)})
	a.emitBytes(make([]byte, size)...)
}

func (a *assembler) floats(size int) {
	if a.atEnd() {
		return
	}
	for {
		a.skipBlanks()
		start := a.i
		if a.s[a.i] == '0' && a.i+1 < len(a.s) && strings.IndexByte("fFdDrReE", a.s[a.i+1]) >= 0 && a.s[a.i+1]|0x20 != 'e' {
			a.i += 2 // the flavour letter of 0f1.5
			start = a.i
		}
		for isNameChar(a.s[a.i]) || a.s[a.i] == '+' || a.s[a.i] == '-' {
			a.i++
		}
		text := a.s[start:a.i]
		v, err := strconv.ParseFloat(text, 8*size)
		switch {
		case errors.Is(err, strconv.ErrRange):
			a.errorAt(start, "%s is out of range for %d bits", text, 8*size)
		case err != nil || strings.ContainsAny(text, "_xX"): // ParseFloat takes the numbers of Go
			a.giveUp(start, "%q is not a floating-point number", text)
		}
		switch {
		case math.IsNaN(v): // the bits of GNU as
			a.emitInt(math.MaxInt64>>(64-8*size), size)
		case size == 4:
			a.emitInt(uint64(math.Float32bits(float32(v))), 4)
		default:
			a.emitInt(math.Float64bits(v), 8)
		}
		if !a.optionalComma() {
			return
		}
	}
}

// strings is .ascii and its kin; strings without a comma between them are joined. <65> is a character
// by its code, which no zero follows.
func (a *assembler) strings(width int, zero bool) {
	if a.atEnd() {
		return
	}
	for {
		a.skipBlanks()
		if a.s[a.i] == '<' {
			a.i++
			at := a.i
			var code expr
			if isDigit(a.s[a.i]) {
				code = a.number()
			}
			a.giveUpIf(code.kind != exprConst || a.s[a.i] != '>', at, "expected a character code and >")
			a.i++
			a.checkSize(at, code.n, width)
			a.emitInt(uint64(code.n), width)
			a.optionalComma()
			if a.atEnd() {
				return
			}
			continue
		}
		text := need(a.quoted())
		if width == 1 {
			if a.cur.section.nobits() {
				a.emitNobits([]byte(text))
			} else {
				a.cur.buf = append(a.cur.buf, text...)
			}
		} else {
			for i := range len(text) {
				a.emitInt(uint64(text[i]), width)
			}
		}
		a.skipBlanks()
		if a.s[a.i] == '"' {
			continue
		}
		if zero {
			a.emitInt(0, width)
		}
		if !a.optionalComma() && a.s[a.i] != '<' {
			return
		}
	}
}

// fillDirective is .fill repeat, size, value.
func (a *assembler) fillDirective() {
	at := a.i
	count := need(a.absolute("the repeat count"))
	size, value := int64(1), int64(0)
	if a.optionalComma() {
		size = need(a.absolute("the size"))
		if a.optionalComma() {
			value = need(a.absolute("the value"))
		}
	}
	if size > 8 {
		a.warnAt(at, ".fill size %d is cut to 8", size)
		size = 8
	}
	if count < 0 || size < 0 {
		a.warnAt(at, ".fill with a negative count or size is ignored")
		return
	}
	if size == 0 || count > maxSection/size {
		if size != 0 {
			a.errorAt(at, ".fill of %d times %d bytes is too large", count, size)
		}
		return
	}
	var item [8]byte
	// Only the first four bytes hold a value; the others are zero, as in the assembler that began it.
	putInt(item[:min(size, 4)], uint64(uint32(value)), a.big)
	if !a.reserve(count * size) {
		return
	}
	for range count {
		a.emitBytes(item[:size]...)
	}
}

// repeatedInt is .dcb.
func (a *assembler) repeatedInt(size int) {
	count := need(a.absolute("the repeat count"))
	needed(a.comma("the value"))
	value := need(a.absolute("the value"))
	if count < 0 || count > maxSection {
		a.errorAt(a.stmt, "repeat count %d is out of range 0 to %d", count, maxSection)
		return
	}
	if !a.reserve(count * int64(size)) {
		return
	}
	for range count {
		a.emitInt(uint64(value), size)
	}
}

// incbin is .incbin "file", skip, count.
func (a *assembler) incbin() {
	at := a.i
	name := need(a.quoted())
	_, data, err := a.findFile(name)
	if err != nil {
		a.giveUp(at, "cannot read %q: %s", name, plainError(err))
	}
	skip, count := int64(0), int64(-1)
	if a.optionalComma() {
		if a.s[a.i] != ',' {
			skip = need(a.absolute("the number of bytes to skip"))
		}
		if a.optionalComma() {
			count = need(a.absolute("the number of bytes"))
		}
	}
	size := int64(len(data))
	if skip < 0 || skip > size || count >= 0 && count > size-skip {
		a.errorAt(at, "file %q has only %d bytes", name, size)
		return
	}
	if count < 0 {
		count = size - skip
	}
	if !a.reserve(count) {
		return
	}
	a.emitBytes(data[skip : skip+count]...)
}

// leb128 emits numbers of variable length.
func (a *assembler) leb128(signed bool) {
	for {
		a.skipBlanks()
		at := a.i
		e := a.expression()
		switch e.kind {
		case exprNone:
			a.giveUp(at, "expected a value")
		case exprConst:
			var b [10]byte
			a.emitBytes(appendLEB(b[:0], e.n, signed)...)
		default:
			a.cur.place(&lebPlace{value: e, signed: signed, place: a.here(at)}, 1)
		}
		if !a.optionalComma() {
			return
		}
	}
}

func appendLEB(b []byte, n int64, signed bool) []byte {
	for {
		c := byte(n & 0x7f)
		var done bool
		if signed {
			n >>= 7
			done = n == 0 && c&0x40 == 0 || n == -1 && c&0x40 != 0
		} else {
			n = int64(uint64(n) >> 7)
			done = n == 0
		}
		if done {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}

// lebPlace is a number of variable length whose value the layout knows.
type lebPlace struct {
	value  expr
	signed bool
	place  place
}

func (p *lebPlace) resize(a *assembler, _ *stream, _, old uint32) uint32 {
	n, ok := a.evaluate(p.value)
	if !ok {
		return old
	}
	var b [10]byte
	// DEVIATION(159): never shrink, so that the layout comes to an end; where the size of a number
	// decides about its own value, GNU as may find another solution.
	return max(old, uint32(len(appendLEB(b[:0], n, p.signed))))
}

func (p *lebPlace) emit(a *assembler, _ *stream, dst []byte, _, size uint32) []byte {
	n, ok := a.evaluate(p.value)
	if !ok {
		a.errorPlace(p.place, "the value must be a constant or a difference of symbols of one section")
		n = 0
	}
	at := len(dst)
	dst = appendLEB(dst, n, p.signed)
	for uint32(len(dst)-at) < size { // pad without changing the value
		last := len(dst) - 1
		pad := byte(0)
		if p.signed && n < 0 {
			pad = 0x7f
		}
		dst[last] |= 0x80
		dst = append(dst, pad)
	}
	return dst
}

// genericRelocs are the names that the GNU assembler has for all processors.
var genericRelocs = map[string]elfarc.Reloc{
	"BFD_RELOC_NONE": elfarc.R_ARC_NONE, "BFD_RELOC_8": elfarc.R_ARC_8, "BFD_RELOC_16": elfarc.R_ARC_16,
	"BFD_RELOC_32": elfarc.R_ARC_32,
}

// relocDirective is .reloc offset, name, value.
func (a *assembler) relocDirective() {
	at := a.i
	where := a.expression()
	if where.kind == exprNone || !a.comma("a relocation name") {
		a.skipStatement()
		return
	}
	nameAt := a.i
	name := need(a.name("the relocation name"))
	reloc, ok := elfarc.RelocByName(name)
	if generic, is := genericRelocs[name]; is {
		reloc, ok = generic, true
	}
	a.giveUpIf(!ok, nameAt, "unknown relocation %s", name)
	value := constant(0)
	if a.optionalComma() {
		value = a.expression()
	}
	a.explicit = append(a.explicit, explicitReloc{stream: a.cur, where: where, reloc: reloc, value: value, place: a.here(at)})
}
