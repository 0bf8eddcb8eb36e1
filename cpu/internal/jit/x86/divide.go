package x86

import (
	"arcv2dsp/cpu/internal/jit/code"
	"arcv2dsp/cpu/internal/jit/ir"
	"arcv2dsp/cpu/internal/jit/ssa"
)

// Opcode extensions of f7.
const (
	f7Neg  = 3
	f7Div  = 6
	f7Idiv = 7
)

// divide emits a quotient or remainder. The host divides DX:AX, and stops the program where there is no
// quotient, so a divisor of 0, and of -1 where there are signs, is told apart first.
func (e *emitter) divide(x *ssa.Node, dst Reg) {
	saved := operand(e.Registers().Slot(code.Slots - 1)) // which no value has
	if dst != DX {
		e.store(8, saved, DX)
	}
	e.extended(AX, x.A, x.Wide)
	e.extended(CX, x.B, x.Wide)
	signed := x.Op == ir.DivS || x.Op == ir.RemS
	rare, done := e.Label(), e.Label()
	if signed { // 0 and -1 are those that are below 2 when 1 is added
		e.lea(x.Wide, DX, at(CX, 1))
		e.aluImm(x.Wide, aluCmp, inReg(DX), 1)
		e.jumpIf(byte(ssa.BelowEqual), rare)
		e.rex(x.Wide, 0, inReg(AX), false)
		e.bytes(0x99) // the sign of AX to DX
		e.op(x.Wide, 0xf7, f7Idiv, inReg(CX))
	} else {
		e.op(x.Wide, 0x85, CX, inReg(CX))
		e.jumpIf(byte(ssa.Equal), rare)
		e.alu(false, aluXor, DX, inReg(DX))
		e.op(x.Wide, 0xf7, f7Div, inReg(CX))
	}
	if x.Op == ir.RemU || x.Op == ir.RemS {
		e.mov(true, AX, inReg(DX))
	}
	e.jump(done)
	e.Bind(rare)
	if x.Op == ir.DivS { // by -1 it is the opposite, or 0, which DX is, when that does not fit
		e.op(x.Wide, 0xf7, f7Neg, inReg(AX))
		e.op2(x.Wide, 0x40|byte(ssa.Overflow), AX, inReg(DX), false)
		e.alu(x.Wide, aluAnd, AX, inReg(CX))
	} else {
		e.alu(false, aluXor, AX, inReg(AX))
	}
	e.Bind(done)
	if dst != DX {
		e.mov(true, DX, saved)
	}
	e.mov(true, dst, inReg(AX))
}

// extended brings a value of 32 or 64 bits into a register.
func (e *emitter) extended(dst Reg, n int32, wide bool) {
	v := e.value(n, dst)
	e.mov(wide && (!v.mem || e.Wide(n)), dst, v)
}
