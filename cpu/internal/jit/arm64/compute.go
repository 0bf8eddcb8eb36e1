package arm64

import (
	"arcv2dsp/cpu/internal/jit/code"
	"arcv2dsp/cpu/internal/jit/ir"
	"arcv2dsp/cpu/internal/jit/ssa"
)

// A value is emitted into a register: arithmetic, and loads with their addresses.

// Compute emits a value into a register.
func (e *emitter) Compute(x *ssa.Node, _ int32, dst Reg) {
	switch x.Op {
	case ssa.LoadLoc:
		switch r := e.Pinned[x.Loc]; {
		case r != code.NoReg:
			e.mov(true, dst, r)
		case x.Wide:
			e.Load(8, dst, e.Home(x.Loc))
		default:
			e.Load(4, dst, e.Home(x.Loc))
		}
	case ssa.LoadX8, ssa.LoadX16:
		how := uint32(accLoadXW)
		if x.Wide {
			how = accLoadX
		}
		e.access(uint32(x.Op-ssa.LoadX8), how, dst, e.address(x))
	case ir.Load8, ir.Load16, ir.Load32, ir.Load64:
		e.access(uint32(x.Op-ir.Load8), accLoad, dst, e.address(x))
	case ir.Add:
		e.add(x, dst)
	case ir.Sub:
		if v, ok := e.Imm(x.B, x.Wide); ok {
			e.addImm(x.Wide, opAdd, dst, e.real(x.A, t0), -int64(v))
			return
		}
		e.op(x.Wide, opSub, dst, e.reg(x.A, t0), e.reg(x.B, t1))
	case ir.And, ir.Or, ir.Xor:
		e.bitwise(x, dst)
	case ir.Mul:
		e.op(x.Wide, opMul, dst, e.reg(x.A, t0), e.reg(x.B, t1))
	case ir.MulHi:
		e.op(true, opUmulh, dst, e.reg(x.A, t0), e.reg(x.B, t1))
	case ir.DivU, ir.DivS, ir.RemU, ir.RemS:
		e.divide(x, dst)
	case ir.Shl, ir.Shr, ir.Sar:
		op := [...]uint32{ir.Shl: opLslv, ir.Shr: opLsrv, ir.Sar: opAsrv}[x.Op]
		if c := &e.B.Nodes[x.B]; c.Op == ir.Const {
			e.shiftImm(x.Wide, op, dst, e.reg(x.A, t0), uint32(c.Imm&63))
			return
		}
		e.op(x.Wide, op, dst, e.reg(x.A, t0), e.reg(x.B, t1))
	case ir.Select:
		e.choice(x, dst)
	case ir.FlagsZN, ir.FlagsAdd, ir.FlagsSub:
		e.codes(x, dst)
	case ssa.CmpSub, ssa.CmpTest, ssa.CmpAdd, ssa.CmpBit:
		e.truth(dst, e.compare(x))
	default:
		e.unary(x, dst)
	}
}

// unary emits an operation on one value.
func (e *emitter) unary(x *ssa.Node, dst Reg) {
	a := e.reg(x.A, t0)
	switch x.Op {
	case ir.Neg:
		e.op(x.Wide, opSub, dst, zero, a)
	case ir.Not:
		e.op(x.Wide, opOrn, dst, zero, a)
	case ir.Sext8:
		e.bitfield(x.Wide, opSbfm, dst, a, 0, 7)
	case ir.Sext16:
		e.bitfield(x.Wide, opSbfm, dst, a, 0, 15)
	case ir.SextW:
		e.bitfield(true, opSbfm, dst, a, 0, 31)
	case ir.Trunc:
		e.mov(false, dst, a)
	case ir.Clz:
		e.op1(x.Wide, opClz, dst, a)
	case ir.Ctz:
		e.op1(x.Wide, opRbit, dst, a)
		e.op1(x.Wide, opClz, dst, dst)
	case ir.Swap:
		op := uint32(opRev)
		if x.Wide {
			op = opRev64
		}
		e.op1(x.Wide, op, dst, a)
	default:
		panic("arm64: no code for " + x.Op.String())
	}
}

// address is the operand for the place of a load or store. It may need t0, t1 and tmp.
func (e *emitter) address(x *ssa.Node) place {
	disp := int64(x.Imm)
	var p place
	switch {
	case x.A < 0:
		p = e.absolute(uint64(disp))
	case e.Is(x.A, ir.Base) && e.B.Nodes[x.A].Imm >= uint64(len(registers.Bases)):
		p = e.absolute(e.Bases[e.B.Nodes[x.A].Imm] + uint64(disp))
	default:
		p = place{base: e.real(x.A, t0), disp: disp}
	}
	if x.B >= 0 {
		if p.base == tmp { // reading the index may need it
			e.mov(true, t0, tmp)
			p.base = t0
		}
		p.indexed, p.index, p.scale = true, e.reg(x.B, t1), x.Scale
	}
	return p
}

// add emits a sum.
func (e *emitter) add(x *ssa.Node, dst Reg) {
	if carry, to, ok := e.Carry(x); ok {
		c := e.compare(&e.B.Nodes[carry])
		r := e.reg(to, t0)
		e.choose(x.Wide, opCsinc, dst, r, r, c^1)
		return
	}
	if v, ok := e.Imm(x.B, x.Wide); ok {
		e.addImm(x.Wide, opAdd, dst, e.real(x.A, t0), int64(v))
		return
	}
	e.op(x.Wide, opAdd, dst, e.reg(x.A, t0), e.reg(x.B, t1))
}

// bitwise emits an operation of bits.
func (e *emitter) bitwise(x *ssa.Node, dst Reg) {
	op := [...]uint32{ir.And: opAnd, ir.Or: opOrr, ir.Xor: opEor}[x.Op]
	a := e.reg(x.A, t0)
	if v, ok := e.constant(x.B); ok && e.logicImm(x.Wide, op, dst, a, v) {
		return
	}
	e.op(x.Wide, op, dst, a, e.reg(x.B, t1))
}

// divide emits a quotient or remainder. The quotient of the host is 0 for a divisor of 0; of the least number by -1 it is
// that number, the only one for which it and both operands are negative.
func (e *emitter) divide(x *ssa.Node, dst Reg) {
	a, b := e.reg(x.A, t0), e.reg(x.B, t1)
	op := uint32(opUdiv)
	if x.Op == ir.DivS || x.Op == ir.RemS {
		op = opSdiv
	}
	e.op(x.Wide, op, t2, a, b)
	switch x.Op {
	case ir.DivU:
		e.mov(true, dst, t2)
	case ir.DivS:
		e.op(x.Wide, opAnd, tmp, a, b)
		e.op(x.Wide, opAnds, zero, tmp, t2)
		e.choose(x.Wide, opCsel, dst, zero, t2, mi)
	default: // msub
		e.word(sf(x.Wide) | 0x1b008000 | uint32(b)<<16 | uint32(a)<<10 | uint32(t2)<<5 | uint32(t2))
		e.op(x.Wide, opAnds, zero, b, b)
		e.choose(x.Wide, opCsel, dst, zero, t2, eq)
	}
}
