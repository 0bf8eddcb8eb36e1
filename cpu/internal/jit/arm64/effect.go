package arm64

import (
	"arcv2dsp/cpu/internal/jit/code"
	"arcv2dsp/cpu/internal/jit/ssa"
)

// Effects: stores, jumps, and the ways out of a block.

// StoreLoc writes to a location.
func (e *emitter) StoreLoc(x *ssa.Node) {
	if r := e.Pinned[x.Loc]; r != code.NoReg {
		if !e.In(x.A, r) {
			e.to(r, x.A)
		}
		return
	}
	e.Store(int(e.Locs[x.Loc].Size), e.Home(x.Loc), e.reg(x.A, t0))
}

// StoreTo writes to memory.
func (e *emitter) StoreTo(x *ssa.Node, size int) {
	v := e.reg(x.C, t2)
	e.access(logs[size], accStore, v, e.address(x))
}

// Jump jumps.
func (e *emitter) Jump(to code.Label) { e.jump(to) }

// Repeat does nothing: a comparison with 0 and a jump are one instruction.
func (e *emitter) Repeat(int32, code.Label) bool { return false }

// number is 32 bits at a place in a register.
func (e *emitter) number(p code.Place) Reg {
	if !p.Mem {
		return p.Reg
	}
	e.Load(4, t0, p)
	return t0
}

// UpTo jumps when a number is at most another one.
func (e *emitter) UpTo(p code.Place, most uint32, to code.Label) {
	e.compareImm(false, e.number(p), int64(most))
	e.jumpIf(ls, to)
}

// NotZero jumps when a number is not 0.
func (e *emitter) NotZero(p code.Place, to code.Label) { e.jumpZero(false, e.number(p), false, to) }

// Beyond jumps when some bits of a sum are more than a number.
func (e *emitter) Beyond(p code.Place, add, mask, most uint32, to code.Label) {
	r := e.number(p)
	if add != 0 {
		e.addImm(false, opAdd, t0, r, int64(int32(add)))
		r = t0
	}
	e.logic(false, opAnd, t0, r, uint64(mask))
	e.compareImm(false, t0, int64(most))
	e.jumpIf(hi, to)
}

// within jumps when a count is beyond the limit. It changes t2.
func (e *emitter) within(l *code.Layout, count Reg, out code.Label) {
	e.access(2, accLoad, t2, place{base: state, disp: int64(l.Limit)})
	e.op(false, opSubs, zero, count, t2)
	e.jumpIf(hi, out)
}

// Limit jumps when less is left of the limit than a block needs.
func (e *emitter) Limit(need uint32, out code.Label) {
	e.addImm(false, opAdd, t0, acct, int64(int32(need)))
	e.within(e.Layout, t0, out)
}

// Count adds what an edge counts. It leaves t1 alone.
func (e *emitter) Count(acc, at uint64) {
	if acc != 0 {
		e.literal(t0, acc)
		e.op(true, opAdd, acct, acct, t0)
	}
	if at != 0 {
		p := e.absolute(at)
		e.access(3, accLoad, t0, p)
		e.addImm(true, opAdd, t0, t0, 1)
		e.access(3, accStore, t0, p)
	}
}

// Link goes to Unit.Next, with the object in t0 and the number of an exit in t2.
func (e *emitter) Link(at uint64, exit int) {
	e.access(3, accLoad, t0, e.absolute(at))
	e.Exit(exit)
	e.jump(e.Next)
}

// Exit brings the number of an exit into t2.
func (e *emitter) Exit(n int) { e.movImm(t2, uint64(n)) }

// Same compares with a constant. It changes t0 and t1.
func (e *emitter) Same(n int32, object uint64, to code.Label) {
	e.literal(t1, object)
	e.op(true, opSubs, zero, e.real(n, t0), t1)
	e.jumpIf(eq, to)
}

// Follow brings the code of an object into t1.
func (e *emitter) Follow(n int32, acc uint64, out code.Label) {
	to := e.real(n, t0)
	e.access(3, accLoad, t1, place{base: to, disp: int64(e.Code)})
	e.jumpZero(true, t1, true, out)
	e.access(2, accLoad, t0, place{base: to, disp: int64(e.Need)})
	e.addImm(false, opAdd, t0, t0, int64(int32(uint32(acc))))
	e.op(false, opAdd, t0, t0, acct)
	e.within(e.Layout, t0, out)
}

// Ways writes where ways out of a unit go.
func (e *emitter) Ways(u *code.Unit) {
	e.Bind(u.Next)
	e.access(3, accLoad, t1, place{base: t0, disp: int64(u.Code)})
	e.jumpZero(true, t1, true, u.Common)
	e.access(2, accLoad, t0, place{base: t0, disp: int64(u.Need)})
	e.op(false, opAdd, t0, t0, acct)
	e.access(2, accLoad, tmp, place{base: state, disp: int64(u.Limit)})
	e.op(false, opSubs, zero, t0, tmp)
	e.jumpIf(hi, u.Common)
	e.Bind(u.Follow)
	u.WriteHome()
	e.jumpTo(t1)
	e.Bind(u.Common)
	u.WriteHome()
	e.addImm(false, opAdd, 0, t2, int64(u.First))
	e.word(0xd65f0000 | uint32(linked)<<5) // ret
}
