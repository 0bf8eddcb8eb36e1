package uop

import (
	"math"
	"slices"

	"arcv2dsp/cpu"
	"arcv2dsp/isa"
)

// driven are the instructions that leave the leaf for the driver, nil for others. The functions of floating-point ones are so
// long that as cases of the leaf they made the jumps between all others up to twice as slow, while leaving
// and coming back costs less than the arithmetic. The code that divides by zero in Go costs the other
// cases registers.
var driven = func() (list [isa.NumOps]*opUops) {
	for op := range isa.NumOps {
		if f, ok := cpu.FloatFunction(op); ok {
			list[op] = &opUops{
				plain: FUNCTION, x: uint32(op), leaves: true,
				hasX: f.X, hasX64: f.X64, hasY: f.Y, hasY64: f.Y64, hasZ: f.Z, hasZ64: f.Z64,
			}
		}
	}
	for op, u := range map[isa.Op][2]Op{
		isa.DIV: {DIV, DIV_F}, isa.DIVU: {DIVU, DIVU_F}, isa.REM: {REM, REM_F}, isa.REMU: {REMU, REMU_F},
	} {
		list[op] = &opUops{
			plain: u[0], flags: u[1], x: uint32(op), leaves: true,
			hasX: true, hasY: true, hasZ: true, writesAcc: true,
		}
	}
	return list
}()

// Compute executes a micro-operation for which the executor has returned. False means that the instruction
// raises an exception, or may; then nothing has changed.
func Compute(c *cpu.CPU, u *Uop) bool {
	switch op := isa.Op(u.X); op {
	case isa.DIV, isa.DIVU, isa.REM, isa.REMU:
		flags := u.Op == DIV_F || u.Op == DIVU_F || u.Op == REM_F || u.Op == REMU_F
		return c.Divide(op, flags, u.A, u.B, u.C, u.D, u.Imm)
	default:
		return c.Float(op, u.A, u.B, u.C, u.Imm)
	}
}

// method emits an instruction whose method the driver calls. A profile looks at each of them as the reference engine
// executes it, and in a delay slot the branch is not over.
func (l *lowerer) method(in *cpu.BlockInst) bool {
	if l.hand != nil || in.Slot {
		return false
	}
	l.skip(in.Cond, func() { l.emit(Uop{Op: METHOD, X: unsettles(in)}) })
	return true
}

// timed emits lr or sr of a register of the interrupt unit, a timer or the MPU, which the driver accesses in the cycle of the instruction.
func (l *lowerer) timed(in *cpu.BlockInst) bool {
	addr, ok := auxAddr(in)
	cycle := in.Before + uint32(in.Lost[0].Cycles) + 1
	if !ok || !l.plain(in) || !system(addr) || cycle > math.MaxUint16 {
		return false
	}
	read, write := l.cpu.HasAux(addr)
	u := Uop{Op: TIMEDLR, A: uint8(cycle), B: uint8(cycle >> 8), X: addr}
	switch {
	case in.Exec() == isa.SR && write:
		u.Op = TIMEDSR
		u.C, u.Imm = l.source(in, 0)
	case in.Exec() == isa.LR && read:
		u.D = cpu.SlotNull
		if a := in.Args[0]; a.Kind == isa.OpReg {
			u.D = cpu.Slot(a.Reg)
		}
	default:
		return false
	}
	l.emit(u)
	return true
}

// system reports whether an auxiliary register is one of the interrupt unit, a timer or the MPU. They raise no exceptions in kernel mode, and
// DSP mode, AGU and alignment have nothing to do with them.
func system(addr uint32) bool {
	return addr >= 0x21 && addr <= 0x23 || addr == auxIRQAct || addr >= 0x100 && addr <= 0x108 || addr >= 0x200 && addr <= 0x20d ||
		addr >= auxMPUEnable && addr <= 0x441
}

// unsettles is 1 when the method of an instruction may change the settings that machine code relies on: DSP mode, AGU, alignment.
func unsettles(in *cpu.BlockInst) uint32 {
	switch op := in.Exec(); op {
	case isa.SETI, isa.CLRI:
		return 0
	case isa.LR, isa.SR:
		if addr, ok := auxAddr(in); ok && system(addr) {
			return 0
		}
	}
	return 1
}

// leaves reports whether an executor leaves for the driver to execute an instruction. Blocks end behind those, so that what follows has
// machine code that can be entered.
func leaves(c *cpu.CPU, in *isa.Inst) bool {
	switch op := in.Exec(); op {
	case isa.LR, isa.SR, isa.AEX, isa.ENTER_S, isa.LEAVE_S, isa.EX:
	default:
		return driven[op] != nil
	}
	l := &lowerer{lowering: lowering{cpu: c}, src: &cpu.Block{}}
	l.instruction(&cpu.BlockInst{Inst: *in})
	return slices.ContainsFunc(l.uops, func(u Uop) bool { return u.Op == METHOD || u.Op == TIMEDLR || u.Op == TIMEDSR })
}
