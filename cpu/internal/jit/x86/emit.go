package x86

import (
	"arcv2dsp/cpu/internal/jit/ir"
	"arcv2dsp/cpu/internal/jit/ssa"
)

// emitter writes the code of one block. AX and CX hold nothing from one node to the next.
type emitter struct {
	*unit
	*plan
	n   int // number of the block
	b   *Block
	ifs []branch

	left [2]label // where the code for an edge is, if it has been written

	sum    *ssa.Node // the last sum whose flags are those of its value, and where its code ends
	summed int
}

// branch is an If that is open.
type branch struct{ otherwise, end label }

func (e *emitter) block() {
	e.left = [2]label{-1, -1}
	for k := 0; k < len(e.order); k++ {
		if e.leavesIf(k) {
			k += 2
			continue
		}
		e.node(e.order[k])
	}
}

// leavesIf emits a branch whose first part is an exit and nothing else, up to its Else.
func (e *emitter) leavesIf(k int) bool {
	if k+2 >= len(e.order) || !e.is(e.order[k], ir.If) || !e.is(e.order[k+1], ir.Exit) {
		return false
	}
	exit := e.b.Exits[e.b.Nodes[e.order[k+1]].Imm]
	e.test(e.b.Nodes[e.order[k]].A, true, e.stub(Exit{Block: e.n, Exit: exit}))
	e.ifs = append(e.ifs, branch{otherwise: -1, end: e.label()})
	return true
}

func (e *emitter) is(n int32, op ir.Op) bool { return n >= 0 && e.b.Nodes[n].Op == op }

// imm is the value of a node when it is a constant that instructions can have.
func (e *emitter) imm(n int32, wide bool) (int32, bool) {
	x := &e.b.Nodes[n]
	if x.Op != ir.Const || wide && int64(x.Imm) != int64(int32(x.Imm)) {
		return 0, false
	}
	return int32(x.Imm), true
}

// value is the operand of an instruction that a node is, a constant in scratch.
func (e *emitter) value(n int32, scratch Reg) rm {
	x := &e.b.Nodes[n]
	switch x.Op {
	case ir.Const:
		if x.Imm>>32 != 0 && int64(x.Imm) != int64(int32(x.Imm)) {
			return e.constant(x.Imm)
		}
		e.movImm(scratch, x.Imm)
		return inReg(scratch)
	case ir.Base:
		if x.Imm < uint64(len(baseRegs)) {
			return inReg(baseRegs[x.Imm])
		}
		e.movImm(scratch, e.Bases[x.Imm])
		return inReg(scratch)
	}
	return e.where[n]
}

// reg is the register that a node is in, or is brought to.
func (e *emitter) reg(n int32, scratch Reg) Reg {
	v := e.value(n, scratch)
	if v.mem {
		e.mov(e.wideValue(n), scratch, v)
		return scratch
	}
	return v.reg
}

// operand is the value of a node for an operation on 64 bits, or on 32: of a value with 32 bits in memory, the wide one
// must not read more.
func (e *emitter) operand(n int32, wide bool, scratch Reg) rm {
	v := e.value(n, scratch)
	if v.mem && wide && !e.wideValue(n) {
		e.mov(false, scratch, v)
		return inReg(scratch)
	}
	return v
}

// wideValue reports whether a value in memory has 64 bits there.
func (e *emitter) wideValue(n int32) bool {
	if x := &e.b.Nodes[n]; x.Op == ssa.LoadLoc {
		return x.Wide
	}
	return true // in the frame
}

// to moves a value into a register.
func (e *emitter) to(dst Reg, n int32) {
	v := e.value(n, dst)
	wide := e.wideValue(n)
	if !v.mem {
		wide = e.b.Nodes[n].Long()
	}
	e.mov(wide, dst, v)
}

// node emits a node.
func (e *emitter) node(i int32) {
	x := &e.b.Nodes[i]
	if x.Effect() {
		e.effect(x)
		return
	}
	if x.Op == ssa.LoadLoc {
		if w := e.where[i]; w.mem && w == e.home(x.Loc) || !w.mem && e.isPin(x.Loc, w.reg) {
			return // used where it is
		}
	}
	dst := AX
	if !e.where[i].mem {
		dst = e.where[i].reg
	}
	e.compute(x, i, dst)
	if e.where[i].mem {
		e.store(8, e.where[i], AX)
	}
}

func (e *emitter) isPin(loc int32, r Reg) bool {
	return e.pinned[loc] == r
}
