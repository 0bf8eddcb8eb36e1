package x86

import (
	"arcv2dsp/cpu/internal/jit/ir"
	"arcv2dsp/cpu/internal/jit/ssa"
)

// Effects are emitted in their order: branches, stores, and the ways out of a block.

// effect emits a node that does something.
func (e *emitter) effect(x *ssa.Node) {
	switch x.Op {
	case ssa.Early:
	case ssa.StoreLoc:
		e.storeLoc(x)
	case ir.Store8, ir.Store16, ir.Store32, ir.Store64:
		e.storeTo(x, 1<<(x.Op-ir.Store8))
	case ir.Guard:
		e.test(x.A, true, e.stub(Exit{Block: e.n, Exit: e.b.Exits[x.Imm]}))
	case ir.Exit:
		e.jump(e.stub(Exit{Block: e.n, Exit: e.b.Exits[x.Imm]}))
	case ir.If:
		br := branch{otherwise: e.label(), end: e.label()}
		e.test(x.A, false, br.otherwise)
		e.ifs = append(e.ifs, br)
	case ir.Else:
		br := e.ifs[len(e.ifs)-1]
		if !e.over() {
			e.jump(br.end)
		}
		e.bind(br.otherwise)
	case ir.End:
		if end := e.ifs[len(e.ifs)-1].end; e.used[end] {
			e.reach(end)
		}
		e.ifs = e.ifs[:len(e.ifs)-1]
	case ssa.Repeat:
		if c := &e.b.Nodes[x.A]; c.Op == ssa.CmpTest && c.Cond == ssa.NotEqual && c.A == c.B &&
			e.sum == &e.b.Nodes[c.A] && e.summed == len(e.text) && e.sum.Wide == c.Wide {
			e.jumpIf(byte(ssa.NotEqual), e.starts[e.n]) // by the flags of the sum
			return
		}
		e.test(x.A, true, e.starts[e.n])
	case ir.Leave:
		e.leave(int(x.Imm))
	case ir.LeaveTo:
		e.leaveTo(x)
	default:
		panic("x86: no code for " + x.Op.String())
	}
}

func (e *emitter) storeLoc(x *ssa.Node) {
	l := e.locs[x.Loc]
	if r := e.pinned[x.Loc]; r != noPin {
		switch v, ok := e.imm(x.A, true); {
		case ok && v == 0:
			e.alu(false, aluXor, r, inReg(r))
		case !e.in(x.A, r):
			e.to(r, x.A)
		}
		return
	}
	if v, ok := e.imm(x.A, l.Size == 8); ok {
		e.storeImm(int(l.Size), e.home(x.Loc), v)
		return
	}
	e.store(int(l.Size), e.home(x.Loc), e.reg(x.A, AX))
}

func (e *emitter) storeTo(x *ssa.Node, size int) {
	to := e.address(x)
	if v, ok := e.imm(x.C, size == 8); ok {
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

// leave goes on by an edge.
func (e *emitter) leave(way int) {
	if e.left[way] >= 0 {
		e.jump(e.left[way])
		return
	}
	e.left[way] = e.label()
	e.bind(e.left[way])
	x := &e.b.Edges[way]
	e.count(x)
	out := Exit{Block: e.n, Exit: ssa.Exit{Why: ByEdge, Way: way}}
	if x.To >= 0 {
		e.lea(false, AX, at(R15, int32(e.blocks[x.To].Need)))
		e.alu(false, aluCmp, AX, at(state, e.Limit))
		e.jumpIf(byte(ssa.Above), e.stub(out))
		e.jump(e.starts[x.To])
		return
	}
	e.mov(true, AX, e.absolute(x.Link, AX))
	e.exit(e.number(out))
	e.jump(e.next)
}

// count adds what an edge counts.
func (e *emitter) count(x *Edge) {
	if x.Acct != 0 {
		e.alu(true, aluAdd, R15, e.constant(x.Acct))
	}
	if x.Count != 0 {
		e.aluImm(true, aluAdd, e.absolute(x.Count, AX), 1)
	}
}

// leaveTo goes on at an object, when it has code and the limit allows.
func (e *emitter) leaveTo(x *ssa.Node) {
	exit := e.b.Exits[x.Imm]
	out := e.stub(Exit{Block: e.n, Exit: exit})
	edge := &e.b.Edges[exit.Way]
	to := e.reg(x.B, AX)
	e.mov(true, CX, at(to, e.Code))
	e.op(true, 0x85, CX, inReg(CX))
	e.jumpIf(byte(ssa.Equal), out)
	e.mov(false, AX, at(to, e.Need))
	e.aluImm(false, aluAdd, inReg(AX), int32(uint32(edge.Acct)))
	e.alu(false, aluAdd, AX, inReg(R15))
	e.alu(false, aluCmp, AX, at(state, e.Limit))
	e.jumpIf(byte(ssa.Above), out)
	e.count(edge)
	e.jump(e.follow)
}
