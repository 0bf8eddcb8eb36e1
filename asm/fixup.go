package asm

import (
	"debug/elf"
	"fmt"

	"arcv2dsp/internal/program/elfarc"
	"arcv2dsp/isa"
)

// fixup is a place in a stream whose value is known only after the layout, or by the linker.
type fixup struct {
	kind  fixKind
	size  uint8
	reloc elfarc.Reloc // for values the linker must supply; R_ARC_NONE when there is none
	plt   elfarc.Reloc // the same for @plt
	frag  int32
	off   uint32 // in the buffer; of the instruction for fixTarget, of the bytes otherwise
	value expr
	insn  *branch     // fixTarget
	relax *relaxPlace // fixRelax
	hint  int8        // fixTarget: the prediction bit by .t or .nt
	place place
}

// branch is an instruction that is encoded again when its target is known.
type branch struct {
	form   *isa.Form
	args   [3]isa.Operand
	mods   isa.Mods
	target int // which operand it is
}

type fixKind uint8

const (
	fixData   fixKind = iota // integer in data
	fixLimm                  // long immediate
	fixTarget                // branch target, counted from PCL
	fixField                 // instruction field described by the relocation
	fixRelax                 // instruction of variable size
)

// addFix registers a fixup at the present end of the current stream.
func (a *assembler) addFix(f fixup) {
	f.frag = int32(len(a.cur.frags) - 1)
	f.off = a.cur.pos()
	a.cur.fixes = append(a.cur.fixes, f)
}

// applyFixes completes the contents of a section and collects its relocations.
func (a *assembler) applyFixes(sec *section, data []byte) {
	for _, st := range sec.subs {
		for i := range st.fixes {
			f := &st.fixes[i]
			a.applyFix(sec, data, f, f.off+st.frags[f.frag].shift)
		}
	}
}

// applyFix puts the value of a fixup at address addr of the section.
func (a *assembler) applyFix(sec *section, data []byte, f *fixup, addr uint32) {
	r := a.resolve(f.value)
	if sec.nobits() {
		a.errorPlace(f.place, "section %s holds no data, only space", sec.name)
		return
	}
	if !r.ok {
		a.errorPlace(f.place, "the expression is too complex: it must reduce to a symbol, at most one relocation operator and a constant")
		return
	}
	switch f.kind {
	case fixData:
		a.fixData(sec, data, f, addr, r)
	case fixLimm:
		a.fixLimm(sec, data, f, addr, r)
	case fixTarget:
		a.fixTarget(sec, data, f, addr, r)
	case fixRelax:
		a.fixRelaxed(sec, data, f, addr)
	case fixField:
		a.relocate(sec, f, addr, f.reloc, r)
	}
}

func (a *assembler) fixData(sec *section, data []byte, f *fixup, addr uint32, r resolved) {
	size := int(f.size)
	if r.constant() {
		if bits := uint(8 * size); size < 8 && (r.n>>bits != 0 && r.n>>(bits-1) != -1) {
			a.warnPlace(f.place, "value %#x does not fit in %d bits and is cut to %#x", r.n, bits, uint64(r.n)&(1<<bits-1))
		}
		putInt(data[addr:addr+uint32(size)], uint64(r.n), a.big)
		return
	}
	reloc := f.reloc
	if r.sub.kind == baseSection && r.sub.section == sec && size == 4 && r.mod == opNone {
		// sym - here: the subtracted symbol lies in this section, so the linker can count from the place.
		// DEVIATION(157): unless "here" is the dot, GNU as emits R_ARC_PC32, which is for instructions.
		reloc = elfarc.R_ARC_32_PCREL
		r.n += int64(addr)
		r.sub = base{}
	}
	if reloc == elfarc.R_ARC_NONE {
		a.errorPlace(f.place, "%d bytes cannot hold %s: no relocation is that wide", size, describe(r))
		return
	}
	a.relocate(sec, f, addr, reloc, r)
}

func (a *assembler) fixLimm(sec *section, data []byte, f *fixup, addr uint32, r resolved) {
	if r.mod == opPCL && r.base.kind == baseSection && r.base.section == sec && r.sub.kind == baseNone && !forced(r.base) {
		a.putLimm(data[addr:], uint32(r.n-int64((addr-4)&^3)))
		return
	}
	if r.constant() && (r.mod == opNone || r.mod == opDTPOff) {
		a.putLimm(data[addr:], uint32(r.n))
		return
	}
	reloc := f.reloc
	switch {
	case r.mod != opNone:
		reloc = operators[r.mod].limm
		if r.mod == opGotPC && r.base.sym != nil && r.base.sym.name == elfarc.SymbolGOT {
			reloc = elfarc.R_ARC_GOTPC
		}
	case r.sub.kind == baseSection && r.sub.section == sec:
		reloc = elfarc.R_ARC_PC32
		r.n += int64((addr - 4) &^ 3)
		r.sub = base{}
	}
	a.relocate(sec, f, addr, reloc, r)
}

// putLimm stores a long immediate: instruction words have their upper half first.
func (a *assembler) putLimm(b []byte, v uint32) {
	if a.big {
		b[0], b[1], b[2], b[3] = byte(v>>24), byte(v>>16), byte(v>>8), byte(v)
		return
	}
	b[0], b[1], b[2], b[3] = byte(v>>16), byte(v>>24), byte(v), byte(v>>8)
}

// putInsn stores an instruction of 2 or 4 bytes.
func (a *assembler) putInsn(b []byte, size uint8, w uint32) {
	isa.Word{Bits: w, Size: size}.Append(b[:0], a.big)
}

// fixTarget completes a branch.
func (a *assembler) fixTarget(sec *section, data []byte, f *fixup, addr uint32, r resolved) {
	if r.sub.kind != baseNone {
		a.errorPlace(f.place, "a branch cannot go to %s", describe(r))
		return
	}
	if r.base.kind == baseSection && r.base.section == sec && r.mod == opNone && !forced(r.base) {
		offset := r.n - int64(addr&^3)
		a.setTarget(data[addr:], f, offset)
		return
	}
	reloc := f.reloc
	if r.mod == opPLT {
		if reloc = f.plt; reloc == elfarc.R_ARC_NONE {
			a.errorPlace(f.place, "this branch has no relocation for @plt")
			return
		}
	}
	if reloc == elfarc.R_ARC_NONE {
		a.errorPlace(f.place, "this branch can only go to a label of its own section, not to %s", describe(r))
		return
	}
	a.relocate(sec, f, addr, reloc, r)
}

// setTarget encodes a branch with its offset and the prediction bit that goes with its direction.
func (a *assembler) setTarget(b []byte, f *fixup, offset int64) {
	x := f.insn
	fd := &x.form.Args[x.target]
	if msg := targetError(fd, offset); msg != "" {
		a.errorPlace(f.place, "%s", msg)
		return
	}
	x.args[x.target].Val = int32(offset)
	w, err := isa.Encode(x.form, x.args[:len(x.form.Args)], x.mods)
	if err != nil {
		a.errorPlace(f.place, "%s", err)
		return
	}
	a.putInsn(b, f.size, setHint(w.Bits, f.hint, offset))
}

// targetError says why an offset does not fit a branch.
func targetError(fd *isa.Field, offset int64) string {
	lo, hi, step := fd.Range()
	switch {
	case offset < lo || offset > hi:
		return fmt.Sprintf("branch offset %d is out of range %d to %d", offset, lo, hi)
	case offset&(step-1) != 0:
		return fmt.Sprintf("branch offset %d is not a multiple of %d", offset, step)
	}
	return ""
}

// describe names a value for messages.
func describe(r resolved) string {
	name := func(b base) string {
		switch {
		case b.sym != nil && b.sym.name != "" && !isLocalName(b.sym.name) && b.sym.name != ".":
			return fmt.Sprintf("%q", b.sym.name)
		case b.kind == baseSection:
			return "section " + b.section.name
		}
		return "a constant"
	}
	text := name(r.base)
	if r.sub.kind != baseNone {
		text += " minus " + name(r.sub)
	}
	return text
}

// relocate leaves a value to the linker.
func (a *assembler) relocate(sec *section, f *fixup, addr uint32, reloc elfarc.Reloc, r resolved) {
	if r.sub.kind != baseNone {
		a.errorPlace(f.place, "no relocation can express %s", describe(r))
		return
	}
	rel := elfarc.Rela{Offset: addr, Type: reloc, Addend: int32(r.n)}
	switch r.base.kind {
	case baseSymbol:
		rel.Sym = a.elfSymbol(r.base.sym)
	case baseSection:
		s := r.base.sym
		if keepsName(s, r) || a.inMerged(s, r) {
			rel.Sym = a.elfSymbol(s)
			rel.Addend -= int32(a.addressOf(s))
			break
		}
		rel.Sym = r.base.section.symbol.elf
	}
	if rel.Sym != nil && rel.Sym.Type != elf.STT_SECTION && operators[r.mod].tls {
		rel.Sym.Type = elf.STT_TLS
	}
	sec.elf.Relocs = append(sec.elf.Relocs, rel)
}

// keepsName tells whether a relocation names a defined symbol itself and not its section.
func keepsName(s *symbol, r resolved) bool {
	if s == nil || s.section || s.name == "." {
		return false
	}
	if s.bind == elf.STB_GLOBAL || s.weak() || s.bind == 10 {
		return true
	}
	if isLocalName(s.name) {
		return false
	}
	switch r.mod {
	case opNone, opPCL, opSDA:
		return s.typ == elf.STT_TLS || r.base.section.flags&elf.SHF_TLS != 0
	}
	return true
}

// inMerged tells whether a value lies beside a symbol in a section whose entries the linker merges: only
// the symbol tells which entry is meant.
func (a *assembler) inMerged(s *symbol, r resolved) bool {
	return r.base.section.flags&elf.SHF_MERGE != 0 && s != nil && !s.section && s.name != "." && r.n != a.addressOf(s)
}

func (s *symbol) weak() bool { return s.bind == elf.STB_WEAK }

// explicitReloc is a .reloc directive.
type explicitReloc struct {
	stream *stream
	where  expr
	reloc  elfarc.Reloc
	value  expr
	place  place
}

func (a *assembler) explicitReloc(x *explicitReloc) {
	sec := x.stream.section
	at := a.resolve(x.where)
	if !at.ok || at.sub.kind != baseNone || at.base.kind == baseSymbol || at.base.kind == baseSection && at.base.section != sec {
		a.errorPlace(x.place, "the offset must be a constant or a label of this section")
		return
	}
	r := a.resolve(x.value)
	if !r.ok {
		a.errorPlace(x.place, "the expression is too complex: it must reduce to a symbol, at most one relocation operator and a constant")
		return
	}
	if at.n < 0 || at.n >= int64(sec.size) {
		a.errorPlace(x.place, "offset %#x is outside the section of %#x bytes", at.n, sec.size)
		return
	}
	f := fixup{place: x.place}
	a.relocate(sec, &f, uint32(at.n), x.reloc, r)
}
