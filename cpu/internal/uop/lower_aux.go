package uop

import (
	"unsafe"

	"arcv2dsp/cpu"
	"arcv2dsp/isa"
)

// Auxiliary registers of the DSP and address generation units are read and written often, need no
// privilege and have no effect but on DSP instructions. Pointers and the like are plain words of
// the processor; the others go through the driver. All the rest of auxiliary space is left to the
// reference engine.

const (
	auxAP, auxOS, auxMOD    = isa.AuxAGUAP0, isa.AuxAGUOS0, isa.AuxAGUMod0
	auxAccFirst, auxAccLast = 0x580, 0x583 // ACC0_LO, ACC0_GLO, ACC0_HI, ACC0_GHI
)

// auxPlace says how an auxiliary register can be accessed here: as the word at an offset of the
// processor when it is read, written, or by the driver.
func (l *lowerer) auxPlace(addr uint32) (offset uintptr, read, write, driver bool) {
	var c *cpu.CPU
	agu := &l.cpu.Config.AGU
	switch {
	case addr-auxAP < uint32(agu.Pointers):
		return unsafe.Offsetof(c.AGU) + unsafe.Offsetof(c.AGU.AP) + uintptr(addr-auxAP)*4, true, true, true
	case addr-auxOS < uint32(agu.Offsets):
		return unsafe.Offsetof(c.AGU) + unsafe.Offsetof(c.AGU.OS) + uintptr(addr-auxOS)*4, true, false, true
	case addr-auxMOD < uint32(agu.Modifiers):
		return unsafe.Offsetof(c.AGU) + unsafe.Offsetof(c.AGU.MOD) + uintptr(addr-auxMOD)*4, true, false, true
	case addr >= auxAccFirst && addr <= auxAccLast, addr == isa.AuxDSPCtrl:
		return 0, false, false, l.cpu.Config.Has(isa.DSP)
	}
	return 0, false, false, false
}

// auxAddr returns the address of the auxiliary register that operand 1 names by a literal.
func auxAddr(in *cpu.BlockInst) (uint32, bool) {
	a := in.Args[1]
	return uint32(a.Val), a.Kind == isa.OpImm
}

// loadAux emits lr.
func (l *lowerer) loadAux(in *cpu.BlockInst) bool {
	addr, ok := auxAddr(in)
	offset, read, _, driver := l.auxPlace(addr)
	u := Uop{Op: LR, A: cpu.SlotNull, X: addr}
	if read {
		u.Op, u.X = AUXLOAD, uint32(offset)
	}
	if a := in.Args[0]; a.Kind == isa.OpReg {
		u.A = cpu.Slot(a.Reg)
	}
	if ok = ok && driver; ok {
		l.emit(u)
	}
	return ok
}

// storeAux emits sr.
func (l *lowerer) storeAux(in *cpu.BlockInst) bool {
	addr, ok := auxAddr(in)
	offset, _, write, driver := l.auxPlace(addr)
	u := Uop{Op: SR, X: addr}
	if write {
		u.Op, u.X = AUXSTORE, uint32(offset)
	}
	u.C, u.Imm = l.source(in, 0)
	if ok = ok && driver; ok {
		l.emit(u)
	}
	return ok
}
