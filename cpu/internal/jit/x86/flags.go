package x86

import (
	"math/bits"

	"arcv2dsp/cpu/internal/jit/code"
	"arcv2dsp/cpu/internal/jit/ir"
	"arcv2dsp/cpu/internal/jit/ssa"
)

// Comparisons, truth values and condition codes are computed by way of the flags of the host.

// flags emits what sets the flags for a comparison. It uses AX and CX and changes no other register.
func (e *emitter) flags(x *ssa.Node) {
	switch x.Op {
	case ssa.CmpAdd, ir.FlagsAdd:
		e.to(AX, x.A)
		if v, ok := e.Imm(x.B, false); ok {
			e.aluImm(false, aluAdd, inReg(AX), v)
			return
		}
		e.alu(false, aluAdd, AX, e.value(x.B, CX))
	case ssa.CmpBit:
		a := e.reg(x.A, AX)
		b := e.reg(x.B, CX)
		e.op2(false, 0xa3, b, inReg(a), false)
	case ssa.CmpTest, ir.FlagsZN:
		if x.Op == ssa.CmpTest && e.testByte(x) {
			return
		}
		a := e.reg(x.A, AX)
		if x.B >= 0 && x.B != x.A {
			if v, ok := e.Imm(x.B, x.Wide); ok {
				e.rex(x.Wide, 0, inReg(a), false)
				e.bytes(0xf7)
				e.modrm(0, inReg(a), 4)
				e.long(uint32(v))
				return
			}
			e.op(x.Wide, 0x85, e.reg(x.B, CX), inReg(a))
			return
		}
		e.op(x.Wide, 0x85, a, inReg(a))
	default: // a difference
		if v, ok := e.Imm(x.B, x.Wide); ok {
			a := e.read(x.A, x.Wide, AX)
			e.aluImm(x.Wide, aluCmp, a, v)
			return
		}
		a := e.reg(x.A, AX)
		b := e.read(x.B, x.Wide, CX)
		e.alu(x.Wide, aluCmp, a, b)
	}
}

// testByte emits the test of bits that are in one byte without its sign: for zero or not, a byte is enough.
func (e *emitter) testByte(x *ssa.Node) bool {
	v, ok := e.Imm(x.B, x.Wide)
	if !ok || x.B == x.A || v <= 0 {
		return false
	}
	by := bits.TrailingZeros32(uint32(v)) &^ 7
	a := e.value(x.A, AX)
	if v>>by >= 0x80 || by > 0 && !a.mem {
		return false
	}
	if a.mem {
		a.disp += int32(by / 8)
	}
	e.rex(false, 0, a, !a.mem && wideOnly(a.reg))
	e.bytes(0xf6)
	e.modrm(0, a, 1)
	e.bytes(byte(v >> by))
	return true
}

// compare emits what sets the flags for a comparison, with a constant as the second operand, and returns the
// condition to ask for.
func (e *emitter) compare(x *ssa.Node) ssa.Cond {
	if x.Op == ssa.CmpSub && e.Is(x.A, ir.Const) && !e.Is(x.B, ir.Const) {
		if c, ok := x.Cond.Mirrored(); ok {
			y := *x
			y.A, y.B = x.B, x.A
			e.flags(&y)
			return c
		}
	}
	e.flags(x)
	return x.Cond
}

// truth emits a truth value as 0 or 1.
func (e *emitter) truth(n int32, dst Reg) {
	x := &e.B.Nodes[n]
	if x.Op == ir.And || x.Op == ir.Or {
		panic("x86: a combination of comparisons as a value")
	}
	cond := e.compare(x)
	e.bytes(0x0f, 0x90|byte(cond))
	e.modrm(0, inReg(AX), 0)
	e.op2(false, 0xb6, dst, inReg(AX), true)
}

// codes emits condition codes.
func (e *emitter) codes(x *ssa.Node, dst Reg) {
	if nodes := e.B.Nodes; nodes[len(nodes)-1].Op == ssa.Repeat { // lahf leaves the rest of AX, that of the iteration before
		e.alu(false, aluXor, AX, inReg(AX))
	}
	e.flags(x)
	e.bytes(0x9f)             // lahf
	e.bytes(0x0f, 0x90, 0xc0) // seto al
	e.bytes(0x0f, 0xb6, 0xcc) // movzx ecx, ah
	e.op2(false, 0xb6, AX, inReg(AX), true)
	e.op2(false, 0xb6, CX, rm{mem: true, reg: state, indexed: true, index: CX, disp: e.Layout.FlagTable}, false)
	e.alu(false, aluOr, AX, inReg(CX))
	e.mov(false, dst, inReg(AX))
}

// choose emits a choice of two values.
func (e *emitter) choose(x *ssa.Node, dst Reg) {
	c := &e.B.Nodes[x.A]
	cond := ssa.NotEqual
	if e.Deferred[x.A] {
		cond = e.compare(c)
	} else {
		a := e.reg(x.A, AX)
		e.op(false, 0x85, a, inReg(a))
	}
	yes, no := x.B, x.C
	// the destination starts as one of the values, the other one replaces it
	if e.In(yes, dst) && !e.In(no, dst) {
		yes, no = no, yes
		cond ^= 1
	}
	v := e.read(yes, x.Wide, CX)
	if !v.mem && v.reg == dst && !e.In(no, dst) {
		e.mov(true, CX, v)
		v = inReg(CX)
	}
	e.to(dst, no)
	e.op2(x.Wide, 0x40|byte(cond), dst, v, false)
}

// Test jumps when a truth value is the wanted one.
func (e *emitter) Test(n int32, want bool, to code.Label) {
	cond := ssa.NotEqual
	if e.Deferred[n] {
		cond = e.compare(&e.B.Nodes[n])
	} else {
		a := e.reg(n, AX)
		e.op(false, 0x85, a, inReg(a))
	}
	if !want {
		cond ^= 1
	}
	e.jumpIf(byte(cond), to)
}
