package x86

import (
	"arcv2dsp/cpu/internal/jit/code"
	"arcv2dsp/cpu/internal/jit/ir"
	"arcv2dsp/cpu/internal/jit/ssa"
)

// A value is emitted into a register: arithmetic, and loads with their addresses.

// Compute emits a value into a register.
func (e *emitter) Compute(x *ssa.Node, i int32, dst Reg) {
	switch x.Op {
	case ssa.LoadLoc:
		if r := e.Pinned[x.Loc]; r != code.NoReg {
			e.mov(true, dst, inReg(r))
			return
		}
		e.mov(x.Wide, dst, operand(e.Home(x.Loc)))
	case ssa.LoadX8:
		e.op2(x.Wide, 0xbe, dst, e.address(x), false)
	case ssa.LoadX16:
		e.op2(x.Wide, 0xbf, dst, e.address(x), false)
	case ir.Load8, ir.Load16, ir.Load32, ir.Load64:
		from := e.address(x)
		switch x.Op {
		case ir.Load8:
			e.op2(false, 0xb6, dst, from, false)
		case ir.Load16:
			e.op2(false, 0xb7, dst, from, false)
		default:
			e.mov(x.Op == ir.Load64, dst, from)
		}
	case ir.Add:
		e.add(x, dst)
	case ir.Sub:
		e.binary(x, aluSub, dst)
	case ir.And:
		if v, ok := e.Imm(x.B, x.Wide); ok && v == 0xff {
			e.op2(false, 0xb6, dst, e.value(x.A, AX), true)
			return
		}
		e.binary(x, aluAnd, dst)
	case ir.Or:
		e.binary(x, aluOr, dst)
	case ir.Xor:
		e.binary(x, aluXor, dst)
	case ir.Mul:
		e.multiply(x, dst)
	case ir.MulHi:
		e.multiplyHigh(x, dst)
	case ir.DivU, ir.DivS, ir.RemU, ir.RemS:
		e.divide(x, dst)
	case ir.Shl:
		e.shifted(x, 4, dst)
	case ir.Shr:
		e.shifted(x, 5, dst)
	case ir.Sar:
		e.shifted(x, 7, dst)
	case ir.Neg, ir.Not:
		e.to(dst, x.A)
		code := Reg(3)
		if x.Op == ir.Not {
			code = 2
		}
		e.op(x.Wide, 0xf7, code, inReg(dst))
	case ir.Sext8:
		e.op2(x.Wide, 0xbe, dst, e.value(x.A, AX), true)
	case ir.Sext16:
		e.op2(x.Wide, 0xbf, dst, e.value(x.A, AX), false)
	case ir.SextW:
		e.op(true, 0x63, dst, e.value(x.A, AX))
	case ir.Trunc:
		e.clear32(dst, e.value(x.A, AX))
	case ir.Clz, ir.Ctz:
		code := byte(0xbd)
		if x.Op == ir.Ctz {
			code = 0xbc
		}
		from := e.read(x.A, x.Wide, AX)
		e.bytes(0xf3)
		e.op2(x.Wide, code, dst, from, false)
	case ir.Swap:
		e.to(dst, x.A)
		e.rex(x.Wide, 0, inReg(dst), false)
		e.bytes(0x0f, 0xc8|byte(dst&7))
	case ir.Select:
		e.choose(x, dst)
	case ir.FlagsZN, ir.FlagsAdd, ir.FlagsSub:
		e.codes(x, dst)
	case ssa.CmpSub, ssa.CmpTest, ssa.CmpAdd, ssa.CmpBit:
		e.truth(i, dst)
	default:
		panic("x86: no code for " + x.Op.String())
	}
}

// address is the operand for the place of a load or store; it may need AX and CX.
func (e *emitter) address(x *ssa.Node) rm {
	disp := int64(x.Imm)
	switch {
	case x.A < 0:
		return e.indexed(e.absolute(uint64(disp), AX), x)
	case e.Is(x.A, ir.Base) && e.B.Nodes[x.A].Imm >= uint64(len(registers.Bases)):
		return e.indexed(e.absolute(e.Bases[e.B.Nodes[x.A].Imm]+uint64(disp), AX), x)
	case e.Is(x.A, ir.Base) && e.B.Nodes[x.A].Imm == 0 && disp > -1<<30 && disp < 1<<30:
		return e.indexed(at(BX, int32(disp)), x)
	case disp != int64(int32(disp)):
		e.movImm(AX, uint64(disp))
		e.alu(true, aluAdd, AX, inReg(e.reg(x.A, CX)))
		return e.indexed(at(AX, 0), x)
	}
	return e.indexed(at(e.reg(x.A, AX), int32(disp)), x)
}

func (e *emitter) indexed(m rm, x *ssa.Node) rm {
	if x.B >= 0 {
		m.indexed, m.index, m.scale = true, e.reg(x.B, CX), x.Scale
	}
	return m
}

// add emits a sum.
func (e *emitter) add(x *ssa.Node, dst Reg) {
	if carry, to, ok := e.Carry(x); ok {
		e.flags(&e.B.Nodes[carry])
		e.to(dst, to)
		e.aluImm(x.Wide, aluAdc, inReg(dst), 0)
		return
	}
	a := operand(e.Where[x.A])
	inRegister := !a.mem && e.Placed[x.A] && !e.Deferred[x.A]
	if v, ok := e.Imm(x.B, x.Wide); ok && inRegister && a.reg != dst {
		e.lea(x.Wide, dst, at(a.reg, v))
		return
	}
	if inRegister && e.Placed[x.B] && !e.Deferred[x.B] && !e.Where[x.B].Mem && a.reg != dst && e.Where[x.B].Reg != dst {
		e.lea(x.Wide, dst, rm{mem: true, reg: a.reg, indexed: true, index: e.Where[x.B].Reg})
		return
	}
	e.binary(x, aluAdd, dst)
	e.sum, e.summed = x, len(e.asm.Bytes)
}

// binary emits dst = a op b.
func (e *emitter) binary(x *ssa.Node, op byte, dst Reg) {
	a, b := x.A, x.B
	if v, ok := e.Imm(b, x.Wide); ok {
		e.to(dst, a)
		e.aluImm(x.Wide, op, inReg(dst), v)
		return
	}
	vb := e.read(b, x.Wide, CX)
	if vb.mem || vb.reg != dst || a == b {
		e.to(dst, a)
		e.alu(x.Wide, op, dst, vb)
		return
	}
	if op != aluSub {
		va := e.read(a, x.Wide, AX)
		e.alu(x.Wide, op, dst, va)
		return
	}
	e.to(AX, a)
	e.alu(x.Wide, op, AX, vb)
	e.mov(true, dst, inReg(AX))
}

func (e *emitter) multiply(x *ssa.Node, dst Reg) {
	if v, ok := e.Imm(x.B, x.Wide); ok {
		a := e.read(x.A, x.Wide, AX)
		e.rex(x.Wide, dst, a, false)
		if v >= -128 && v < 128 {
			e.bytes(0x6b)
			e.modrm(dst, a, 1)
			e.bytes(byte(v))
			return
		}
		e.bytes(0x69)
		e.modrm(dst, a, 4)
		e.long(uint32(v))
		return
	}
	b := e.read(x.B, x.Wide, CX)
	if !b.mem && b.reg == dst && x.A != x.B {
		a := e.read(x.A, x.Wide, AX)
		e.op2(x.Wide, 0xaf, dst, a, false)
		return
	}
	e.to(dst, x.A)
	e.op2(x.Wide, 0xaf, dst, b, false)
}

// multiplyHigh emits the upper half of a product; one factor must be in DX.
func (e *emitter) multiplyHigh(x *ssa.Node, dst Reg) {
	b := e.reg(x.B, AX)
	e.mov(true, CX, inReg(DX))
	if b == DX {
		b = CX
	}
	e.to(DX, x.A)
	e.vex(true, vexF2, 0xf6, AX, AX, inReg(b))
	e.mov(true, DX, inReg(CX))
	e.mov(true, dst, inReg(AX))
}

func (e *emitter) shifted(x *ssa.Node, op byte, dst Reg) {
	if c := &e.B.Nodes[x.B]; c.Op == ir.Const {
		e.to(dst, x.A)
		mask := uint64(31)
		if x.Wide {
			mask = 63
		}
		e.shiftImm(x.Wide, op, inReg(dst), uint8(c.Imm&mask))
		return
	}
	count := e.reg(x.B, CX)
	a := e.reg(x.A, AX)
	e.shift(x.Wide, op, dst, inReg(a), count)
}
