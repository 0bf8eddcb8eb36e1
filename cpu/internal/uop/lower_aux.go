package uop

import (
	"unsafe"

	"arcv2dsp/cpu"
	"arcv2dsp/isa"
)

// Auxiliary registers of the DSP and address generation units are read and written often, need no
// privilege and have no effect but on DSP instructions. Pointers and the like are plain words of
// the processor; the others go through the driver. So are some registers of the kernel. For the rest of auxiliary space
// the driver calls the method of the instruction.

const (
	auxAP, auxOS, auxMOD    = isa.AuxAGUAP0, isa.AuxAGUOS0, isa.AuxAGUMod0
	auxAccFirst, auxAccLast = 0x580, 0x583 // ACC0_LO, ACC0_GLO, ACC0_HI, ACC0_GHI
	auxAccHi                = 0x582

	auxLPEnd, auxStatus32       = 0x3, 0xa
	auxKStackTop, auxKStackBase = 0x264, 0x265
	auxIRQAct, auxMPUEnable     = 0x43, 0x409
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
	if !ok {
		return false
	}
	u := Uop{A: cpu.SlotNull}
	if a := in.Args[0]; a.Kind == isa.OpReg {
		u.A = cpu.Slot(a.Reg)
	}
	offset, read, _, driver := l.auxPlace(addr)
	w, word := l.cpu.AuxWord(addr)
	switch acc, isAcc := l.accumulator(addr); {
	case isAcc:
		u.Op, u.C = MOV, acc
	case read:
		u.Op, u.X = AUXLOAD, uint32(offset)
	case driver:
		u.Op, u.X = LR, addr
	case !l.plain(in):
		return false
	case word:
		u.Op, u.X = KERNELLOAD, uint32(w.Offset)
		if w.User {
			u.Op = AUXLOAD
		}
	case addr == auxStatus32:
		u.Op = STATUS
	default:
		return false
	}
	l.emit(u)
	return true
}

// storeAux emits sr.
func (l *lowerer) storeAux(in *cpu.BlockInst) bool {
	addr, ok := auxAddr(in)
	if !ok {
		return false
	}
	u := Uop{}
	u.C, u.Imm = l.source(in, 0)
	offset, _, write, driver := l.auxPlace(addr)
	w, word := l.cpu.AuxWord(addr)
	switch acc, isAcc := l.accumulator(addr); {
	case isAcc:
		u.Op, u.A = MOV, acc
	case write:
		u.Op, u.X = AUXSTORE, uint32(offset)
	case driver:
		u.Op, u.X = SR, addr
	case !l.plain(in) || !word || !w.Plain:
		return false
	case addr == auxLPEnd:
		u.Op = ENDSTORE
	default:
		u.Op, u.X, u.D = KERNELSTORE, uint32(w.Offset), w.Low
		if w.User {
			u.Op = AUXSTORE
		}
	}
	l.emit(u)
	if addr == auxKStackTop || addr == auxKStackBase {
		l.bounds()
	}
	return true
}

// bounds emits what follows a change of the bounds of the stack of the kernel, or of whether they are checked.
func (l *lowerer) bounds() {
	if top, ok := l.cpu.AuxWord(auxKStackTop); ok && l.mode&cpu.ModeStack != 0 {
		l.emit(Uop{Op: BOUNDS, X: uint32(top.Offset)})
	}
}

// accumulator returns the slot of an accumulator register that is a word of its own.
func (l *lowerer) accumulator(addr uint32) (slot uint8, ok bool) {
	switch {
	case !l.cpu.Config.Has(isa.DSP):
	case addr == isa.AuxAcc0Lo:
		return cpu.SlotAccLo, true
	case addr == auxAccHi:
		return cpu.SlotAccHi, true
	}
	return 0, false
}

// plain reports whether an instruction of the kernel may be micro-operations: not where each of them is watched, nor in a
// delay slot, nor where a secure world has a say in what it may do.
func (l *lowerer) plain(in *cpu.BlockInst) bool {
	return l.hand == nil && !in.Slot && !l.cpu.Config.Secure
}

// status emits an instruction that changes STATUS32, also in a delay slot.
func (l *lowerer) status(in *cpu.BlockInst) bool {
	if l.hand != nil || l.cpu.Config.Secure {
		return false
	}
	u := Uop{A: cpu.SlotNull}
	u.C, u.Imm = l.source(in, 0)
	switch op := in.Exec(); op {
	case isa.CLRI:
		u.Op, u.C, u.Imm = CLRI, 0, 0
		if a := in.Args[0]; a.Kind == isa.OpReg {
			u.A = cpu.Slot(a.Reg)
		}
	case isa.SETI:
		u.Op = SETI
	default:
		u.Op, u.X = SETSTATUS, l.cpu.StatusWritable(op)
		if l.cpu.StackAlways() {
			u.D = 1
		}
	}
	l.skip(in.Cond, func() {
		l.emit(u)
		if u.D != 0 {
			l.bounds()
		}
	})
	return true
}
