package fast

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
		l.emit(uop{op: uSLOT, imm: target})
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
	l.emit(uop{op: uLI, a: cpu.RegBLINK, imm: back})
}

// branch emits the branch without delay slot that ends the block.
func (l *lowerer) branch(in *cpu.BlockInst) {
	switch op := in.Exec(); op {
	case isa.B:
		l.emit(uop{op: uBCC, x: cond(in.Cond)})
	case isa.BL:
		l.skip(in.Cond, func() {
			l.link(in)
			l.emit(uop{op: uEND, d: exit1})
		})
		l.emit(uop{op: uEND})
	case isa.LP:
		l.skip(in.Cond, func() {
			l.emit(uop{op: uLP, imm: in.Next, x: l.src.Exits[1].PC})
			l.emit(uop{op: uEND})
		})
		l.emit(uop{op: uEND, d: exit1})
	case isa.DBNZ:
		l.emit(uop{op: uDBNZ, a: cpu.Slot(in.Args[0].Reg)})
	case isa.J, isa.JL:
		l.skip(in.Cond, func() {
			if l.src.End == cpu.EndBranch { // a literal target
				l.link(in)
				l.emit(uop{op: uEND, d: exit1})
				return
			}
			target := cpu.Slot(in.Args[0].Reg)
			imm := uint32(0)
			if in.Args[0].Reg == cpu.RegPCL {
				target, imm = cpu.SlotZero, in.PC&^3
			}
			if op == isa.JL && target == cpu.RegBLINK {
				l.emit(uop{op: uMOV, a: tmpTarget, c: target})
				target = tmpTarget
			}
			l.link(in)
			l.jump(target, imm, false)
		})
		if in.Cond != isa.CondAL {
			l.emit(uop{op: uEND})
		}
	default:
		u := uop{op: comparisons[in.Row().Compare].branch, b: l.register(in, 0, tmpX)}
		u.c, u.imm = l.source(in, 1)
		l.emit(u)
	}
}

// jump emits the jump to a computed address, slot says whether a delay slot came before.
func (l *lowerer) jump(reg uint8, imm uint32, slot bool) {
	u := uop{op: uJUMP, b: reg, imm: imm, d: exit1, x: uint32(l.mode)}
	switch busy := !l.src.Exits[1].Pipe.Idle(); {
	case busy && slot:
		u.op = uJUMPXSLOT
	case busy:
		u.op = uJUMPX
	case slot:
		u.op = uJUMPSLOT
	}
	l.emit(u)
}

// prepare emits what the branch with a delay slot that ends the block does before the slot: the
// decision and the target of a jump, and finish what remains behind it.
func (l *lowerer) prepare(in *cpu.BlockInst) {
	switch op := in.Exec(); op {
	case isa.DBNZ:
		reg := cpu.Slot(in.Args[0].Reg)
		l.emit(uop{op: uSUB, a: reg, b: reg, c: cpu.SlotZero, imm: 1})
		l.emit(uop{op: uMOV, a: tmpCond, c: reg})
	case isa.B, isa.BL, isa.J, isa.JL:
		l.emit(uop{op: uCOND, a: tmpCond, x: cond(in.Cond)})
		if l.src.End == cpu.EndJump {
			slot, imm := l.source(in, 0)
			l.emit(uop{op: uMOV, a: tmpTarget, c: slot, imm: imm})
		}
		if op == isa.BL || op == isa.JL {
			l.skip(in.Cond, func() { l.link(in) })
		}
	default:
		u := uop{op: comparisons[in.Row().Compare].set, a: tmpCond, b: l.register(in, 0, tmpX)}
		u.c, u.imm = l.source(in, 1)
		l.emit(u)
	}
}

func (l *lowerer) finish(in *cpu.BlockInst) {
	if l.src.End == cpu.EndBranch {
		l.emit(uop{op: uBRSLOT, b: tmpCond, imm: l.src.Exits[1].PC})
		return
	}
	if in.Cond == isa.CondAL {
		l.jump(tmpTarget, 0, true)
		return
	}
	l.skipBy(uop{op: uSKIPZ, b: tmpCond}, func() { l.jump(tmpTarget, 0, true) })
	l.emit(uop{op: uEND})
}
