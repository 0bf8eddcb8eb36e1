package x86

import (
	"math/bits"

	"arcv2dsp/cpu/jit/ir"
	"arcv2dsp/cpu/jit/ssa"
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

// compute emits a value into a register.
func (e *emitter) compute(x *ssa.Node, i int32, dst Reg) {
	switch x.Op {
	case ssa.LoadLoc:
		if r := e.pinned[x.Loc]; r != noPin {
			e.mov(true, dst, inReg(r))
			return
		}
		e.mov(x.Wide, dst, e.home(x.Loc))
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
		if v, ok := e.imm(x.B, x.Wide); ok && v == 0xff {
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
		from := e.value(x.A, AX)
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
	case e.is(x.A, ir.Base) && e.b.Nodes[x.A].Imm >= uint64(len(baseRegs)):
		return e.indexed(e.absolute(e.Bases[e.b.Nodes[x.A].Imm]+uint64(disp), AX), x)
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
	if a, b := e.deferred[x.A], e.deferred[x.B]; a || b { // a carry
		carry, to := x.B, x.A
		if a {
			carry, to = to, carry
		}
		e.flags(&e.b.Nodes[carry])
		e.to(dst, to)
		e.aluImm(x.Wide, aluAdc, inReg(dst), 0)
		return
	}
	a := e.where[x.A]
	inRegister := !a.mem && e.placed[x.A] && !e.deferred[x.A]
	if v, ok := e.imm(x.B, x.Wide); ok && inRegister && a.reg != dst {
		e.lea(x.Wide, dst, at(a.reg, v))
		return
	}
	if inRegister && e.placed[x.B] && !e.deferred[x.B] && !e.where[x.B].mem && a.reg != dst && e.where[x.B].reg != dst {
		e.lea(x.Wide, dst, rm{mem: true, reg: a.reg, indexed: true, index: e.where[x.B].reg})
		return
	}
	e.binary(x, aluAdd, dst)
	e.sum, e.summed = x, len(e.text)
}

// binary emits dst = a op b.
func (e *emitter) binary(x *ssa.Node, op byte, dst Reg) {
	a, b := x.A, x.B
	if v, ok := e.imm(b, x.Wide); ok {
		e.to(dst, a)
		e.aluImm(x.Wide, op, inReg(dst), v)
		return
	}
	vb := e.value(b, CX)
	if vb.mem && e.wideValue(b) != x.Wide && x.Wide { // 32 bits at home
		e.mov(false, CX, vb)
		vb = inReg(CX)
	}
	if vb.mem || vb.reg != dst || a == b {
		e.to(dst, a)
		e.alu(x.Wide, op, dst, vb)
		return
	}
	if op != aluSub {
		va := e.value(a, AX)
		if va.mem && !e.wideValue(a) && x.Wide {
			e.mov(false, AX, va)
			va = inReg(AX)
		}
		e.alu(x.Wide, op, dst, va)
		return
	}
	e.to(AX, a)
	e.alu(x.Wide, op, AX, vb)
	e.mov(true, dst, inReg(AX))
}

func (e *emitter) multiply(x *ssa.Node, dst Reg) {
	if v, ok := e.imm(x.B, x.Wide); ok {
		a := e.value(x.A, AX)
		if a.mem && x.Wide && !e.wideValue(x.A) {
			e.mov(false, AX, a)
			a = inReg(AX)
		}
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
	b := e.value(x.B, CX)
	if b.mem && x.Wide && !e.wideValue(x.B) {
		e.mov(false, CX, b)
		b = inReg(CX)
	}
	if !b.mem && b.reg == dst && x.A != x.B {
		a := e.value(x.A, AX)
		if a.mem && x.Wide && !e.wideValue(x.A) {
			e.mov(false, AX, a)
			a = inReg(AX)
		}
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
	if c := &e.b.Nodes[x.B]; c.Op == ir.Const {
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

// flags emits what sets the flags for a comparison. It uses AX and CX and changes no other register.
func (e *emitter) flags(x *ssa.Node) {
	switch x.Op {
	case ssa.CmpAdd, ir.FlagsAdd:
		e.to(AX, x.A)
		if v, ok := e.imm(x.B, false); ok {
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
			if v, ok := e.imm(x.B, x.Wide); ok {
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
		if v, ok := e.imm(x.B, x.Wide); ok {
			a := e.value(x.A, AX)
			if a.mem && x.Wide && !e.wideValue(x.A) {
				e.mov(false, AX, a)
				a = inReg(AX)
			}
			e.aluImm(x.Wide, aluCmp, a, v)
			return
		}
		a := e.reg(x.A, AX)
		b := e.value(x.B, CX)
		if b.mem && x.Wide && !e.wideValue(x.B) {
			e.mov(false, CX, b)
			b = inReg(CX)
		}
		e.alu(x.Wide, aluCmp, a, b)
	}
}

// testByte emits the test of bits that are in one byte without its sign: for zero or not, a byte is enough.
func (e *emitter) testByte(x *ssa.Node) bool {
	v, ok := e.imm(x.B, x.Wide)
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
	e.rex(false, 0, a, !a.mem && a.reg.wideOnly())
	e.bytes(0xf6)
	e.modrm(0, a, 1)
	e.bytes(byte(v >> by))
	return true
}

// mirrored are the conditions that hold of b - a when others hold of a - b.
var mirrored = [numConds]ssa.Cond{
	ssa.Below: ssa.Above, ssa.Above: ssa.Below, ssa.NotBelow: ssa.BelowEqual, ssa.BelowEqual: ssa.NotBelow,
	ssa.Less: ssa.Greater, ssa.Greater: ssa.Less, ssa.GreaterEqual: ssa.LessEqual, ssa.LessEqual: ssa.GreaterEqual,
	ssa.Equal: ssa.Equal, ssa.NotEqual: ssa.NotEqual,
}

const numConds = ssa.Greater + 1

// compare emits what sets the flags for a comparison, with a constant as the second operand, and returns the
// condition to ask for.
func (e *emitter) compare(x *ssa.Node) ssa.Cond {
	if x.Op == ssa.CmpSub && e.is(x.A, ir.Const) && !e.is(x.B, ir.Const) {
		if c := mirrored[x.Cond]; c != 0 {
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
	x := &e.b.Nodes[n]
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
	e.flags(x)
	e.bytes(0x9f)             // lahf
	e.bytes(0x0f, 0x90, 0xc0) // seto al
	e.bytes(0x0f, 0xb6, 0xcc) // movzx ecx, ah
	e.op2(false, 0xb6, AX, inReg(AX), true)
	e.op2(false, 0xb6, CX, rm{mem: true, reg: state, indexed: true, index: CX, disp: e.FlagTable}, false)
	e.alu(false, aluOr, AX, inReg(CX))
	e.mov(false, dst, inReg(AX))
}

// choose emits a choice of two values.
func (e *emitter) choose(x *ssa.Node, dst Reg) {
	c := &e.b.Nodes[x.A]
	cond := ssa.NotEqual
	if e.deferred[x.A] {
		cond = e.compare(c)
	} else {
		a := e.reg(x.A, AX)
		e.op(false, 0x85, a, inReg(a))
	}
	yes, no := x.B, x.C
	// the destination starts as one of the values, the other one replaces it
	if e.in(yes, dst) && !e.in(no, dst) {
		yes, no = no, yes
		cond ^= 1
	}
	v := e.value(yes, CX)
	if v.mem && !e.wideValue(yes) && x.Wide {
		e.mov(false, CX, v)
		v = inReg(CX)
	}
	if !v.mem && v.reg == dst && !e.in(no, dst) {
		e.mov(true, CX, v)
		v = inReg(CX)
	}
	e.to(dst, no)
	e.op2(x.Wide, 0x40|byte(cond), dst, v, false)
}

// in reports whether a value is in a register.
func (e *emitter) in(n int32, r Reg) bool {
	return e.placed[n] && !e.deferred[n] && !e.where[n].mem && e.where[n].reg == r
}

// test jumps when a truth value is the wanted one.
func (e *emitter) test(n int32, want bool, to label) {
	x := &e.b.Nodes[n]
	switch {
	case x.Op == ir.Const:
		if (x.Imm != 0) == want {
			e.jump(to)
		}
	case !e.deferred[n]:
		a := e.reg(n, AX)
		e.op(false, 0x85, a, inReg(a))
		cond := ssa.NotEqual
		if !want {
			cond = ssa.Equal
		}
		e.jumpIf(byte(cond), to)
	case x.Op == ir.And || x.Op == ir.Or:
		if (x.Op == ir.And) != want { // one of them decides
			e.test(x.A, want, to)
			e.test(x.B, want, to)
			return
		}
		past := e.label()
		e.test(x.A, !want, past)
		e.test(x.B, want, to)
		e.bind(past)
	default:
		cond := e.compare(x)
		if !want {
			cond ^= 1
		}
		e.jumpIf(byte(cond), to)
	}
}

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
