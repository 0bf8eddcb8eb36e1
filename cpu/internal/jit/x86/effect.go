package x86

import (
	"arcv2dsp/cpu/internal/jit/code"
	"arcv2dsp/cpu/internal/jit/ssa"
)

// Effects: stores, jumps, and the ways out of a block.

// StoreLoc writes to a location.
func (e *emitter) StoreLoc(x *ssa.Node) {
	l := e.Locs[x.Loc]
	if r := e.Pinned[x.Loc]; r != code.NoReg {
		switch v, ok := e.Imm(x.A, true); {
		case ok && v == 0:
			e.alu(false, aluXor, r, inReg(r))
		case !e.In(x.A, r):
			e.to(r, x.A)
		}
		return
	}
	if v, ok := e.Imm(x.A, l.Size == 8); ok {
		e.storeImm(int(l.Size), operand(e.Home(x.Loc)), v)
		return
	}
	e.store(int(l.Size), operand(e.Home(x.Loc)), e.reg(x.A, AX))
}

// StoreTo writes to memory.
func (e *emitter) StoreTo(x *ssa.Node, size int) {
	to := e.address(x)
	if v, ok := e.Imm(x.C, size == 8); ok {
		e.storeImm(size, to, v)
		return
	}
	scratch := CX
	if to.indexed && to.index == CX {
		e.lea(true, AX, to)
		to = at(AX, 0)
	}
	e.store(size, to, e.reg(x.C, scratch))
}

// Jump jumps.
func (e *emitter) Jump(to code.Label) { e.jump(to) }

// Repeat jumps by the flags of a sum that has just been made.
func (e *emitter) Repeat(n int32, to code.Label) bool {
	c := &e.B.Nodes[n]
	if c.Op != ssa.CmpTest || c.Cond != ssa.NotEqual || c.A != c.B || e.sum != &e.B.Nodes[c.A] || e.summed != len(e.Bytes) ||
		e.sum.Wide != c.Wide {
		return false
	}
	e.jumpIf(byte(ssa.NotEqual), to)
	return true
}

// UpTo jumps when a number is at most another one.
func (e *emitter) UpTo(p code.Place, most uint32, to code.Label) {
	e.aluImm(false, aluCmp, operand(p), int32(most))
	e.jumpIf(byte(ssa.BelowEqual), to)
}

// NotZero jumps when a number is not 0.
func (e *emitter) NotZero(p code.Place, to code.Label) {
	e.aluImm(false, aluCmp, operand(p), 0)
	e.jumpIf(byte(ssa.NotEqual), to)
}

// Beyond jumps when some bits of a sum are more than a number.
func (e *emitter) Beyond(p code.Place, add, mask, most uint32, to code.Label) {
	e.mov(false, AX, operand(p))
	if add != 0 {
		e.aluImm(false, aluAdd, inReg(AX), int32(add))
	}
	e.aluImm(false, aluAnd, inReg(AX), int32(mask))
	e.aluImm(false, aluCmp, inReg(AX), int32(most))
	e.jumpIf(byte(ssa.Above), to)
}

// Limit jumps when less is left of the limit than a block needs.
func (e *emitter) Limit(need uint32, out code.Label) {
	e.lea(false, AX, at(R15, int32(need)))
	e.alu(false, aluCmp, AX, at(state, e.Layout.Limit))
	e.jumpIf(byte(ssa.Above), out)
}

// Count adds what an edge counts. It changes AX alone.
func (e *emitter) Count(acct, at uint64) {
	if acct != 0 {
		e.alu(true, aluAdd, R15, e.constant(acct))
	}
	if at != 0 {
		e.aluImm(true, aluAdd, e.absolute(at, AX), 1)
	}
}

// Link goes to Unit.Next, with the object in AX and the number of an exit in DX.
func (e *emitter) Link(at uint64, exit int) {
	e.mov(true, AX, e.absolute(at, AX))
	e.Exit(exit)
	e.jump(e.Next)
}

// Exit brings the number of an exit into DX, which no location is in.
func (e *emitter) Exit(n int) {
	if e.unit.Many {
		e.movImm(DX, uint64(n))
		return
	}
	e.bytes(0xb0|byte(DX), byte(n))
}

// Same compares with a constant in the pool. It changes AX alone.
func (e *emitter) Same(n int32, object uint64, to code.Label) {
	e.alu(true, aluCmp, e.reg(n, AX), e.constant(object))
	e.jumpIf(byte(ssa.Equal), to)
}

// Follow brings the code of an object into CX.
func (e *emitter) Follow(n int32, acct uint64, out code.Label) {
	to := e.reg(n, AX)
	e.mov(true, CX, at(to, e.Code))
	e.op(true, 0x85, CX, inReg(CX))
	e.jumpIf(byte(ssa.Equal), out)
	e.mov(false, AX, at(to, e.Need))
	e.aluImm(false, aluAdd, inReg(AX), int32(uint32(acct)))
	e.alu(false, aluAdd, AX, inReg(R15))
	e.alu(false, aluCmp, AX, at(state, e.Layout.Limit))
	e.jumpIf(byte(ssa.Above), out)
}

// Ways writes where ways out of a unit go.
func (e *emitter) Ways(u *code.Unit) {
	e.Bind(u.Next)
	e.mov(true, CX, at(AX, u.Code))
	e.op(true, 0x85, CX, inReg(CX))
	e.jumpIf(byte(ssa.Equal), u.Common)
	e.mov(false, AX, at(AX, u.Need))
	e.alu(false, aluAdd, AX, inReg(R15))
	e.alu(false, aluCmp, AX, at(state, u.Limit))
	e.jumpIf(byte(ssa.Above), u.Common)
	e.Bind(u.Follow)
	u.WriteHome()
	e.jumpTo(CX)
	e.Bind(u.Common)
	if u.Many {
		e.mov(false, AX, inReg(DX))
	} else {
		e.op2(false, 0xb6, AX, inReg(DX), true)
	}
	if u.First != 0 {
		e.aluImm(false, aluAdd, inReg(AX), int32(u.First))
	}
	u.WriteHome()
	e.bytes(0xc3)
}
