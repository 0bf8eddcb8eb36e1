package uop

import (
	"arcv2dsp/cpu"
	"arcv2dsp/isa"
)

// straight emits what an unconditional branch inside a block does.
func (l *lowerer) straight(in *cpu.BlockInst) {
	l.link(in)
	if in.Delay {
		target := l.src.Exits[0].PC
		if l.k+2 < len(l.src.Insts) {
			target = l.src.Insts[l.k+2].PC
		}
		l.emit(Uop{Op: SLOT, Imm: target})
	}
}

// link emits what a call leaves in blink.
func (l *lowerer) link(in *cpu.BlockInst) {
	if op := in.Exec(); op != isa.BL && op != isa.JL {
		return
	}
	back := in.Next
	if in.Delay {
		back = l.src.Insts[l.k+1].Next
	}
	l.emit(Uop{Op: LI, A: cpu.RegBLINK, Imm: back})
}

// branch emits the branch without delay slot that ends the block.
func (l *lowerer) branch(in *cpu.BlockInst) {
	switch op := in.Exec(); op {
	case isa.B:
		l.emit(Uop{Op: BCC, X: cond(in.Cond)})
	case isa.BL:
		l.skip(in.Cond, func() {
			l.link(in)
			l.emit(Uop{Op: END, D: Exit1})
		})
		l.emit(Uop{Op: END})
	case isa.LP:
		l.skip(in.Cond, func() {
			l.emit(Uop{Op: LP, Imm: in.Next, X: l.src.Exits[1].PC})
			l.emit(Uop{Op: END})
		})
		l.emit(Uop{Op: END, D: Exit1})
	case isa.DBNZ:
		l.emit(Uop{Op: DBNZ, A: cpu.Slot(in.Args[0].Reg)})
	case isa.LEAVE_S:
		l.frame(in)
		l.jump(cpu.RegBLINK, 0, false)
	case isa.J, isa.JL:
		l.skip(in.Cond, func() {
			if l.src.End == cpu.EndBranch { // a literal target
				l.link(in)
				l.emit(Uop{Op: END, D: Exit1})
				return
			}
			target := cpu.Slot(in.Args[0].Reg)
			imm := uint32(0)
			if in.Args[0].Reg == cpu.RegPCL {
				target, imm = cpu.SlotZero, in.PC&^3
			}
			if op == isa.JL && target == cpu.RegBLINK {
				l.emit(Uop{Op: MOV, A: tmpTarget, C: target})
				target = tmpTarget
			}
			l.link(in)
			l.jump(target, imm, false)
		})
		if in.Cond != isa.CondAL {
			l.emit(Uop{Op: END})
		}
	default:
		u := Uop{Op: comparisons[in.Row().Compare].branch, B: l.register(in, 0, tmpX)}
		u.C, u.Imm = l.source(in, 1)
		l.emit(u)
	}
}

// jump emits the jump to a computed address, slot says whether a delay slot came before.
func (l *lowerer) jump(reg uint8, imm uint32, slot bool) {
	u := Uop{Op: JUMP, B: reg, Imm: imm, D: Exit1, X: l.manner}
	if slot {
		u.Op = JUMPSLOT
	}
	l.emit(u)
}

// prepare emits what the branch with a delay slot that ends the block does before the slot: the
// decision and the target of a jump, and finish what remains behind it.
func (l *lowerer) prepare(in *cpu.BlockInst) {
	switch op := in.Exec(); op {
	case isa.DBNZ:
		reg := cpu.Slot(in.Args[0].Reg)
		l.emit(Uop{Op: SUB, A: reg, B: reg, C: cpu.SlotZero, Imm: 1})
		l.emit(Uop{Op: MOV, A: TmpCond, C: reg})
	case isa.B, isa.BL, isa.J, isa.JL:
		l.emit(Uop{Op: COND, A: TmpCond, X: cond(in.Cond)})
		if l.src.End == cpu.EndJump {
			slot, imm := l.source(in, 0)
			l.emit(Uop{Op: MOV, A: tmpTarget, C: slot, Imm: imm})
		}
		if op == isa.BL || op == isa.JL {
			l.skip(in.Cond, func() { l.link(in) })
		}
	default:
		u := Uop{Op: comparisons[in.Row().Compare].set, A: TmpCond, B: l.register(in, 0, tmpX)}
		u.C, u.Imm = l.source(in, 1)
		l.emit(u)
	}
}

func (l *lowerer) finish(in *cpu.BlockInst) {
	if l.src.End == cpu.EndBranch {
		l.emit(Uop{Op: BRSLOT, B: TmpCond, Imm: l.src.Exits[1].PC})
		return
	}
	if in.Cond == isa.CondAL {
		l.jump(tmpTarget, 0, true)
		return
	}
	l.skipBy(Uop{Op: SKIPZ, B: TmpCond}, func() { l.jump(tmpTarget, 0, true) })
	l.emit(Uop{Op: END})
}
