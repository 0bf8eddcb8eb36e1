package asm

import "bytes"

// finishCFI writes the frame sections; places of unknown size in the code make variable places here.
func (a *assembler) finishCFI() {
	if f := a.cfi.open; f != nil {
		a.errorPlace(f.place, ".cfi_startproc is not closed by .cfi_endproc")
		return
	}
	if len(a.cfi.frames) == 0 {
		return
	}
	s := &a.cfi.sections
	if !s.given || s.eh {
		a.writeFrames(".eh_frame", true)
	}
	if s.debugged {
		a.writeFrames(".debug_frame", false)
	}
}

// cieKey has the properties that functions must have in common to share their common information entry.
type cieKey struct {
	returnReg   int64
	signal      bool
	rules       string // to begin with
	personality cfiPointerKey
	lsda        uint8
}

// cieEntry is a common information entry that is written.
type cieEntry struct {
	at     *symbol
	number int // in the order written
	rules  int // how many it holds
}

type cfiPointerKey struct {
	encoding uint8
	sym      *symbol
	n        int64
}

func (a *assembler) writeFrames(name string, eh bool) {
	sec := a.byName[name]
	if sec == nil {
		sec = a.newSection(name, sectionDefaults(name))
		if !eh {
			sec.flags = 0
		}
	}
	saved := a.cur
	a.cur = sec.stream(0)
	a.alignTo(alignPlace{align: 4, unit: 1})
	entries := make(map[cieKey]cieEntry)
	for _, f := range a.cfi.frames {
		key := cieKey{returnReg: f.returnReg, signal: f.signal}
		if eh {
			key.lsda = f.lsda.encoding
			key.personality = cfiPointerKey{f.personality.encoding, f.personality.value.sym, f.personality.value.n}
		}
		// The rules of a function go into the common entry, as GNU as does, and the latest entry whose
		// rules the function begins with serves it.
		rules := f.initial()
		cie := cieEntry{number: -1}
		for n := range len(rules) + 1 {
			key.rules = string(bytes.Join(rules[:n], nil))
			if e, ok := entries[key]; ok && e.number > cie.number {
				cie = e
			}
		}
		if cie.number < 0 {
			cie = cieEntry{at: a.writeCIE(f, key.rules, eh), number: len(entries), rules: len(rules)}
			entries[key] = cie
		}
		a.writeFDE(f, cie.at, f.insns[cie.rules:], eh)
	}
	a.cur = saved
}

// frameEntry opens an entry: its length is the distance of two labels.
func (a *assembler) frameEntry() (start, end *symbol) {
	start = a.dot()
	end = a.newSymbol(".")
	a.emitReference(expr{kind: exprSym, sym: end, sub: start, n: -4}, 4, a.i)
	return start, end
}

func (a *assembler) closeEntry(end *symbol) {
	a.alignTo(alignPlace{align: 4, unit: 1}) // padding is DW_CFA_nop, 0
	end.kind, end.at = symLabel, a.location()
}

// writeCIE writes the common information of functions like f, which begin with the rules.
func (a *assembler) writeCIE(f *cfiFrame, rules string, eh bool) *symbol {
	cie, end := a.frameEntry()
	personality := eh && f.personality.value.kind != exprNone
	lsda := eh && f.lsda.value.kind != exprNone
	if eh {
		a.emitInt(0, 4)
		a.emitBytes(1)
		text := "z"
		if personality {
			text += "P"
		}
		if lsda {
			text += "L"
		}
		text += "R"
		if f.signal {
			text += "S"
		}
		a.emitBytes(append([]byte(text), 0)...)
	} else {
		a.emitInt(0xffffffff, 4)
		a.emitBytes(1)
		if f.signal {
			a.emitBytes('S')
		}
		a.emitBytes(0)
	}
	a.emitBytes(appendLEB(nil, 1, false)...)
	a.emitBytes(appendLEB(nil, cfiDataAlign, true)...)
	a.emitBytes(byte(f.returnReg))
	if eh {
		size := 1
		if personality {
			size += 5
		}
		if lsda {
			size++
		}
		a.emitBytes(byte(size))
		if personality {
			a.emitBytes(f.personality.encoding)
			a.framePointer(f.personality)
		}
		if lsda {
			a.emitBytes(f.lsda.encoding)
		}
		a.emitBytes(pointerPCRel4)
	}
	a.emitBytes([]byte(rules)...)
	a.closeEntry(end)
	return cie
}

// framePointer writes a pointer in its encoding.
func (a *assembler) framePointer(p cfiPointer) {
	e := p.value
	if p.encoding&pointerPCRelMask == 0x10 && e.kind == exprSym && e.sub == nil {
		e.sub = a.dot()
	}
	a.emitReference(e, 4, a.i)
}

// writeFDE writes the entry of a function; insns are those that its common entry lacks.
func (a *assembler) writeFDE(f *cfiFrame, cie *symbol, insns []cfiInsn, eh bool) {
	_, end := a.frameEntry()
	if eh {
		a.emitReference(expr{kind: exprSym, sym: a.dot(), sub: cie}, 4, a.i)
		a.emitReference(expr{kind: exprSym, sym: f.start, sub: a.dot()}, 4, a.i)
	} else {
		a.emitReference(expr{kind: exprSym, sym: cie}, 4, a.i)
		a.emitReference(expr{kind: exprSym, sym: f.start}, 4, a.i)
	}
	a.emitReference(expr{kind: exprSym, sym: f.end, sub: f.start}, 4, a.i)
	if eh {
		if f.lsda.value.kind != exprNone {
			a.emitBytes(4)
			a.framePointer(f.lsda)
		} else {
			a.emitBytes(0)
		}
	}
	from := f.start
	for _, x := range insns {
		if x.at != from && x.at.at != from.at {
			a.cur.place(&advancePlace{from: from, to: x.at}, 1)
			from = x.at
		}
		if x.label != nil {
			a.defineCFILabel(&x)
		}
		a.emitBytes(x.bytes...)
	}
	a.closeEntry(end)
}

// defineCFILabel gives a label its place in the frame section.
func (a *assembler) defineCFILabel(x *cfiInsn) {
	s := x.label
	if s.kind == symLabel && s.at == a.location() {
		return // said twice
	}
	if s.kind == symLabel && s.place == x.given {
		a.errorPlace(x.given, "label %q would be both in .eh_frame and in .debug_frame", s.name)
		return
	}
	if s.kind != symUndefined {
		a.errorPlace(x.given, "symbol %q is already defined at %s", s.name, a.where(s.place))
		return
	}
	s.kind, s.at, s.place = symLabel, a.location(), x.given
}

// advancePlace is a DW_CFA_advance_loc whose size depends on the code it spans.
type advancePlace struct{ from, to *symbol }

func (p *advancePlace) delta() int64 { return int64(p.to.at.addr()) - int64(p.from.at.addr()) }

func (p *advancePlace) resize(_ *assembler, _ *stream, _, old uint32) uint32 {
	size := uint32(5)
	switch d := p.delta(); {
	case d == 0:
		size = 0
	case d < 64:
		size = 1
	case d < 256:
		size = 2
	case d < 65536:
		size = 3
	}
	return size
}

func (p *advancePlace) emit(a *assembler, _ *stream, dst []byte, _, size uint32) []byte {
	d := uint64(p.delta())
	var b [4]byte
	switch size {
	case 0:
		return dst
	case 1:
		return append(dst, cfaAdvanceLoc|byte(d))
	case 2:
		return append(dst, cfaAdvanceLoc1, byte(d))
	case 3:
		putInt(b[:2], d, a.big)
		return append(append(dst, cfaAdvanceLoc2), b[:2]...)
	}
	putInt(b[:], d, a.big)
	return append(append(dst, cfaAdvanceLoc4), b[:]...)
}
