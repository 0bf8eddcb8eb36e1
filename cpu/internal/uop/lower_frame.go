package uop

import (
	"arcv2dsp/cpu"
	"arcv2dsp/isa"
)

// frame emits enter_s and leave_s, but for the jump of the latter. A data cache leaves them to their methods: it is asked for each word.
func (l *lowerer) frame(in *cpu.BlockInst) bool {
	list := uint32(in.Args[0].Val)
	var room [cpu.MaxFrameRegs]uint8
	regs := cpu.FrameRegs(room[:0], list)
	if l.hand != nil || l.mode&cpu.ModeData != 0 {
		return false
	}
	size := uint32(len(regs)) * 4
	if in.Exec() == isa.ENTER_S {
		l.frameAt(Uop{Op: FRAMEW, B: cpu.RegSP, Imm: -size, X: size})
		for i, r := range regs {
			l.emit(Uop{Op: SAVE, A: r, Imm: uint32(i) * 4})
		}
		l.emit(Uop{Op: SUB, A: cpu.RegSP, B: cpu.RegSP, C: cpu.SlotZero, Imm: size})
		if list&isa.ListFP != 0 {
			l.emit(Uop{Op: MOV, A: cpu.RegFP, C: cpu.RegSP})
		}
		return true
	}
	base := uint8(cpu.RegSP)
	if list&isa.ListFP != 0 {
		base = cpu.RegFP
	}
	l.frameAt(Uop{Op: FRAMER, B: base, X: size})
	l.emit(Uop{Op: ADD, A: cpu.RegSP, B: base, C: cpu.SlotZero, Imm: size}) // before fp is loaded
	for i, r := range regs {
		l.emit(Uop{Op: RESTORE, A: r, Imm: uint32(i) * 4})
	}
	return true
}

// frameAt emits the question for a frame and, where accesses through sp are checked, whether it lies in the stack.
func (l *lowerer) frameAt(u Uop) {
	if u.X == 0 {
		return
	}
	if l.mode&cpu.ModeStack != 0 {
		l.emit(Uop{Op: STACK, B: u.B, C: cpu.SlotZero, Imm: u.Imm, X: u.X})
	}
	l.emit(u)
}
