package asm

import "arcv2dsp/isa"

// cfiState holds the call-frame information given by .cfi directives.
type cfiState struct {
	frames   []*cfiFrame
	open     *cfiFrame
	sections struct {
		given        bool
		eh, debugged bool
	}
}

// cfiFrame is one function: the directives between .cfi_startproc and .cfi_endproc.
type cfiFrame struct {
	start, end  *symbol
	place       place
	insns       []cfiInsn
	returnReg   int64
	signal      bool
	personality cfiPointer
	lsda        cfiPointer
	offset      int64   // present offset of the CFA, for .cfi_adjust_cfa_offset and .cfi_rel_offset
	saved       []int64 // offsets kept by .cfi_remember_state
}

type cfiPointer struct {
	encoding uint8
	value    expr
}

// cfiInsn is one rule; the bytes are ready except for the advance to its place.
type cfiInsn struct {
	at    *symbol
	bytes []byte
	label *symbol // .cfi_label: gets the place of the rule that follows
	given place   // of that directive
	own   bool    // no rule to begin with: it ends those that a common information entry may hold
}

// Call-frame instructions.
const (
	cfaAdvanceLoc    = 0x40
	cfaOffset        = 0x80
	cfaRestore       = 0xc0
	cfaAdvanceLoc1   = 0x02
	cfaAdvanceLoc2   = 0x03
	cfaAdvanceLoc4   = 0x04
	cfaOffsetExt     = 0x05
	cfaRestoreExt    = 0x06
	cfaUndefined     = 0x07
	cfaSameValue     = 0x08
	cfaRegister      = 0x09
	cfaRemember      = 0x0a
	cfaRestoreState  = 0x0b
	cfaDefCFA        = 0x0c
	cfaDefCFAReg     = 0x0d
	cfaDefCFAOffset  = 0x0e
	cfaOffsetExtSF   = 0x11
	cfaDefCFASF      = 0x12
	cfaDefCFAOffSF   = 0x13
	cfaValOffset     = 0x14
	cfaValOffsetSF   = 0x15
	cfiDataAlign     = -4
	cfiReturnReg     = isa.RegBLINK
	pointerOmit      = 0xff
	pointerPCRel4    = 0x1b // pc-relative, four bytes, signed
	pointerSizeMask  = 0x07
	pointerPCRelMask = 0x70
)

func cfiDirectives() map[string]func(*assembler) {
	// rule reads a list of numbers or registers and appends an instruction.
	rule := func(do func(a *assembler, f *cfiFrame)) func(*assembler) {
		return func(a *assembler) {
			if a.cfi.open == nil {
				a.giveUp(a.stmt, "this must stand between .cfi_startproc and .cfi_endproc")
			}
			do(a, a.cfi.open)
		}
	}
	one := func(op byte, compact byte) func(*assembler) {
		return rule(func(a *assembler, f *cfiFrame) {
			for {
				reg := a.cfiRegister()
				if compact != 0 && reg < 64 {
					f.add(a, compact|byte(reg))
				} else {
					f.add(a, appendLEB([]byte{op}, reg, false)...)
				}
				if !a.optionalComma() {
					return
				}
			}
		})
	}
	return map[string]func(*assembler){
		".cfi_sections":  (*assembler).cfiSections,
		".cfi_startproc": (*assembler).cfiStart,
		".cfi_endproc": rule(func(a *assembler, f *cfiFrame) {
			f.end = a.dot()
			a.cfi.open = nil
		}),
		".cfi_def_cfa": rule(func(a *assembler, f *cfiFrame) {
			reg := a.cfiRegister()
			if !a.comma("an offset") {
				return
			}
			n := a.cfiNumber()
			f.offset = n
			if n < 0 {
				b := appendLEB([]byte{cfaDefCFASF}, reg, false)
				f.add(a, appendLEB(b, n/cfiDataAlign, true)...)
				return
			}
			b := appendLEB([]byte{cfaDefCFA}, reg, false)
			f.add(a, appendLEB(b, n, false)...)
		}),
		".cfi_def_cfa_offset": rule(func(a *assembler, f *cfiFrame) {
			f.setOffset(a, a.cfiNumber())
		}),
		".cfi_adjust_cfa_offset": rule(func(a *assembler, f *cfiFrame) {
			f.setOffset(a, f.offset+a.cfiNumber())
		}),
		".cfi_def_cfa_register": one(cfaDefCFAReg, 0),
		".cfi_offset":           rule(func(a *assembler, f *cfiFrame) { a.cfiOffset(f, 0, cfaOffset, cfaOffsetExt, cfaOffsetExtSF) }),
		".cfi_rel_offset": rule(func(a *assembler, f *cfiFrame) {
			a.cfiOffset(f, -f.offset, cfaOffset, cfaOffsetExt, cfaOffsetExtSF)
		}),
		".cfi_val_offset": rule(func(a *assembler, f *cfiFrame) { a.cfiOffset(f, 0, 0, cfaValOffset, cfaValOffsetSF) }),
		".cfi_register": rule(func(a *assembler, f *cfiFrame) {
			r1 := a.cfiRegister()
			if !a.comma("a register") {
				return
			}
			f.add(a, appendLEB(appendLEB([]byte{cfaRegister}, r1, false), a.cfiRegister(), false)...)
		}),
		".cfi_restore":    one(cfaRestoreExt, cfaRestore),
		".cfi_undefined":  one(cfaUndefined, 0),
		".cfi_same_value": one(cfaSameValue, 0),
		".cfi_remember_state": rule(func(a *assembler, f *cfiFrame) {
			f.saved = append(f.saved, f.offset)
			f.addOwn(a, cfaRemember)
		}),
		".cfi_restore_state": rule(func(a *assembler, f *cfiFrame) {
			if n := len(f.saved); n > 0 {
				f.offset = f.saved[n-1]
				f.saved = f.saved[:n-1]
			} else {
				a.errorAt(a.stmt, ".cfi_restore_state without .cfi_remember_state")
				return
			}
			f.add(a, cfaRestoreState)
		}),
		".cfi_return_column": rule(func(a *assembler, f *cfiFrame) {
			f.returnReg = a.cfiRegister()
		}),
		".cfi_signal_frame": rule(func(_ *assembler, f *cfiFrame) { f.signal = true }),
		".cfi_window_save":  rule(func(a *assembler, f *cfiFrame) { f.add(a, 0x2d) }),
		".cfi_escape":       rule((*assembler).cfiEscape),
		".cfi_personality":  rule(func(a *assembler, f *cfiFrame) { a.cfiPointer(&f.personality) }),
		".cfi_lsda":         rule(func(a *assembler, f *cfiFrame) { a.cfiPointer(&f.lsda) }),
		".cfi_label": rule(func(a *assembler, f *cfiFrame) {
			name := need(a.name("the label"))
			f.insns = append(f.insns, cfiInsn{at: a.dot(), label: a.lookup(name), given: a.here(a.stmt), own: true})
		}),
	}
}

// add appends an instruction that takes effect here.
func (f *cfiFrame) add(a *assembler, bytes ...byte) {
	f.insns = append(f.insns, cfiInsn{at: a.dot(), bytes: bytes})
}

func (f *cfiFrame) addOwn(a *assembler, bytes ...byte) {
	f.insns = append(f.insns, cfiInsn{at: a.dot(), bytes: bytes, own: true})
}

// initial returns the rules in force at the first instruction: those that insns begins with.
func (f *cfiFrame) initial() (rules [][]byte) {
	for _, x := range f.insns {
		if x.own || x.at.at != f.start.at {
			break
		}
		rules = append(rules, x.bytes)
	}
	return rules
}

func (f *cfiFrame) setOffset(a *assembler, n int64) {
	f.offset = n
	if n < 0 {
		f.add(a, appendLEB([]byte{cfaDefCFAOffSF}, n/cfiDataAlign, true)...)
		return
	}
	f.add(a, appendLEB([]byte{cfaDefCFAOffset}, n, false)...)
}

// cfiRegister reads a register by name or number.
func (a *assembler) cfiRegister() int64 {
	a.skipBlanks()
	at := a.i
	if a.s[a.i] == '%' {
		a.i++
	}
	if reg, ok := a.register(); ok {
		return int64(reg)
	}
	n := need(a.absolute("a register"))
	a.giveUpIf(n < 0 || n > 255, at, "register number %d is out of range 0 to 255", n)
	return n
}

func (a *assembler) cfiNumber() int64 { return need(a.absolute("an offset")) }

// cfiOffset reads "register, offset": the register is saved at that offset from the CFA.
func (a *assembler) cfiOffset(f *cfiFrame, base int64, compact, ext, signed byte) {
	reg := a.cfiRegister()
	if !a.comma("an offset") {
		return
	}
	at := a.i
	n := a.cfiNumber()
	n += base
	if n%cfiDataAlign != 0 {
		a.errorAt(at, "offset %d is not a multiple of 4", n)
		return
	}
	n /= cfiDataAlign
	switch {
	case n < 0:
		f.add(a, appendLEB(appendLEB([]byte{signed}, reg, false), n, true)...)
	case compact != 0 && reg < 64:
		f.add(a, appendLEB([]byte{compact | byte(reg)}, n, false)...)
	default:
		f.add(a, appendLEB(appendLEB([]byte{ext}, reg, false), n, false)...)
	}
}

// cfiEscape takes bytes as they are.
func (a *assembler) cfiEscape(f *cfiFrame) {
	var bytes []byte
	for {
		n := need(a.absolute("a byte"))
		bytes = append(bytes, byte(n))
		if !a.optionalComma() {
			break
		}
	}
	f.addOwn(a, bytes...)
}

// cfiPointer reads an encoding and a symbol.
func (a *assembler) cfiPointer(p *cfiPointer) {
	at := a.i
	n := need(a.absolute("the encoding"))
	if n == pointerOmit {
		*p = cfiPointer{}
		return
	}
	if size := n & pointerSizeMask; n < 0 || n > 255 || size != 0 && size != 3 || n&pointerPCRelMask&^0x10 != 0 {
		a.giveUp(at, "encoding %#x is not supported", n)
	}
	needed(a.comma("a symbol"))
	*p = cfiPointer{encoding: uint8(n), value: a.expression()}
}

// cfiSections is .cfi_sections list.
func (a *assembler) cfiSections() {
	s := &a.cfi.sections
	s.given = true
	s.eh, s.debugged = false, false
	for !a.atEnd() {
		at := a.i
		word := need(a.name("a section"))
		switch word {
		case ".eh_frame":
			s.eh = true
		case ".debug_frame":
			s.debugged = true
		default:
			a.errorAt(at, "unknown section %s, expected .eh_frame or .debug_frame", word)
		}
		a.optionalComma()
	}
}

func (a *assembler) cfiStart() {
	if a.cfi.open != nil {
		a.errorAt(a.stmt, "the .cfi_startproc before this is not closed by .cfi_endproc")
	}
	f := &cfiFrame{start: a.dot(), place: a.here(a.stmt), returnReg: cfiReturnReg}
	a.cfi.open = f
	a.cfi.frames = append(a.cfi.frames, f)
	simple := false
	if !a.atEnd() {
		word, ok := a.name("simple")
		if simple = word == "simple"; ok && !simple {
			a.errorAt(a.stmt, "unknown option %q", word)
		}
	}
	if !simple {
		f.add(a, cfaDefCFA, isa.RegSP, 0)
	}
}
