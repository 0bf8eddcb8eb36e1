package ssa

import (
	"math/bits"

	"arcv2dsp/cpu/internal/jit/ir"
)

// operation is a value before it is built. x and y are what a and b are; when the list of nodes moves, they stay where they
// were.
type operation struct {
	op      ir.Op
	wide    bool
	a, b, c int32
	x, y    *Node
	yConst  bool // y is a constant
}

// absent is the second operand of an operation with one.
var absent Node

// yIs reports whether the second operand is a number.
func (o *operation) yIs(v uint64) bool { return o.yConst && o.y.Imm == v }

// op builds a value and simplifies it.
func (w *Builder) op(op ir.Op, wide bool, a, b, c int32) int32 {
	if v, ok := w.folded(op, wide, a, b, c); ok {
		return w.constant(v)
	}
	if commutes(op) && w.isConst(a) {
		a, b = b, a
	}
	o := operation{op: op, wide: wide, a: a, b: b, c: c, x: &w.b.Nodes[a], y: &absent}
	if b >= 0 {
		o.y = &w.b.Nodes[b]
		o.yConst = o.y.Op == ir.Const
	}
	if v, ok := w.simpler(&o); ok {
		return v
	}
	return w.pure(Node{Op: op, Wide: wide, A: o.a, B: o.b, C: c})
}

// conditions are the comparisons as conditions.
var conditions = [...]Cond{ir.Eq: Equal, ir.Ne: NotEqual, ir.LtS: Less, ir.LeS: LessEqual, ir.LtU: Below, ir.LeU: BelowEqual}

// simpler is a value that another one computes more cheaply.
func (w *Builder) simpler(o *operation) (int32, bool) {
	switch o.op {
	case ir.Add:
		return w.sum(o)
	case ir.Sub:
		return w.difference(o)
	case ir.Mul:
		return w.product(o)
	case ir.And:
		return w.and(o.wide, o.a, o.b, o.x, o.y)
	case ir.Or:
		return w.or(o)
	case ir.Xor:
		return w.xor(o.a, o.b, o.x, o.y, o.yIs(0))
	case ir.Shl, ir.Shr, ir.Sar:
		return w.shifted(o)
	case ir.Neg, ir.Not:
		return o.x.A, o.x.Op == o.op && o.x.Wide == o.wide
	case ir.ZextW: // 32-bit values are kept zero-extended
		return o.a, true
	case ir.Sext8, ir.Sext16, ir.SextW:
		return w.extended(o)
	case ir.Trunc:
		return w.truncated(o.a, *o.x)
	case ir.Select:
		return w.chosen(o)
	case ir.Eq, ir.Ne, ir.LtS, ir.LeS, ir.LtU, ir.LeU:
		return w.compare(conditions[o.op], o.wide, o.a, o.b), true
	case ir.FlagsAdd, ir.FlagsSub:
		return w.arithmeticFlags(o)
	}
	return 0, false
}

func (w *Builder) sum(o *operation) (int32, bool) {
	switch {
	case o.yIs(0):
		return o.a, true
	case o.x.Op != ir.Add || o.x.Wide != o.wide || !w.isConst(o.x.B):
	case o.yConst:
		return w.op(ir.Add, o.wide, o.x.A, w.op(ir.Add, o.wide, o.x.B, o.b, -1), -1), true
	// a number that wraps is biased, masked and unbiased; where the mask is not needed, the rest goes
	case o.y.Op == ir.Add && o.y.Wide == o.wide && w.isConst(o.y.B) &&
		ir.Value(ir.Add, o.wide, w.b.Nodes[o.x.B].Imm, w.b.Nodes[o.y.B].Imm, 0) == 0:
		return w.op(ir.Add, o.wide, o.x.A, o.y.A, -1), true
	}
	return 0, false
}

func (w *Builder) difference(o *operation) (int32, bool) {
	switch {
	case o.yIs(0):
		return o.a, true
	case o.yConst:
		return w.op(ir.Add, o.wide, o.a, w.constant(ir.Value(ir.Neg, o.wide, o.y.Imm, 0, 0)), -1), true
	case o.a == o.b:
		return w.constant(0), true
	case o.x.Op == ir.Const && o.x.Imm == 0:
		return w.op(ir.Neg, o.wide, o.b, -1, -1), true
	}
	return 0, false
}

func (w *Builder) product(o *operation) (int32, bool) {
	switch {
	case !o.yConst:
	case o.y.Imm == 0:
		return o.b, true
	case o.y.Imm == 1:
		return o.a, true
	case o.y.Imm == ones(o.wide):
		return w.op(ir.Neg, o.wide, o.a, -1, -1), true
	case o.y.Imm&(o.y.Imm-1) == 0:
		return w.op(ir.Shl, o.wide, o.a, w.constant(uint64(bits.TrailingZeros64(o.y.Imm))), -1), true
	}
	return 0, false
}

func (w *Builder) or(o *operation) (int32, bool) {
	switch {
	case o.yIs(0) || o.a == o.b:
		return o.a, true
	case w.b.IsBool(o.a) && o.yIs(1):
		return o.b, true
	}
	return w.joined(o.wide, o.a, o.b)
}

// shifted simplifies a shift, or the amount by which it shifts.
func (w *Builder) shifted(o *operation) (int32, bool) {
	if o.yIs(0) || o.x.Op == ir.Const && o.x.Imm == 0 {
		return o.a, true
	}
	width := uint64(31)
	if o.wide {
		width = 63
	}
	if o.y.Op == ir.And && !o.y.Wide && w.constIs(o.y.B, width) { // the host masks
		o.b = o.y.A
	}
	switch {
	case o.op == ir.Sar && !o.wide && w.constIs(o.b, 16):
		if v, ok := w.upper(o.a); ok {
			return v, true
		}
		if _, up, ok := w.halves(*o.x); ok {
			return w.op(ir.Sext16, false, up, -1, -1), true
		}
	case o.op == ir.Shr && o.wide && o.yConst:
		return w.shiftedRight(*o.x, o.y.Imm&63)
	}
	return 0, false
}

// extended simplifies the extension of a sign.
func (w *Builder) extended(o *operation) (int32, bool) {
	x := *o.x
	if o.op == ir.SextW {
		again := (x.Op == LoadX8 || x.Op == LoadX16) && w.unstored(o.a)
		if x.Wide || !again && x.Op != ir.Sext8 && x.Op != ir.Sext16 {
			return 0, false
		}
		x.Wide = true
		if again {
			return w.again(x, o.a), true
		}
		return w.pure(x), true
	}
	if o.wide {
		return 0, false
	}
	if lo, _, ok := w.halves(x); ok && o.op == ir.Sext16 {
		return w.op(ir.Sext16, false, lo, -1, -1), true
	}
	return w.signed(o.op, o.a)
}

// chosen simplifies a choice.
func (w *Builder) chosen(o *operation) (int32, bool) {
	z := w.b.Nodes[o.c]
	switch {
	case o.x.Op == ir.Const && o.x.Imm == 0:
		return o.c, true
	case o.x.Op == ir.Const, o.b == o.c:
		return o.b, true
	case !w.b.IsBool(o.a):
		return w.op(ir.Select, o.wide, w.compare(NotEqual, false, o.a, w.constant(0)), o.b, o.c), true
	case o.yIs(1) && z.Op == ir.Const && z.Imm == 0:
		return o.a, true
	case o.yIs(0) && z.Op == ir.Const && z.Imm == 1:
		return w.not(o.a), true
	}
	return 0, false
}

// arithmeticFlags are the flags of a sum or difference c that is computed elsewhere, bit by bit; of one that is
// computed here they come with it.
func (w *Builder) arithmeticFlags(o *operation) (int32, bool) {
	not := func(n int32) int32 { return w.op(ir.Not, false, n, -1, -1) }
	xor := func(m, n int32) int32 { return w.op(ir.Xor, false, m, n, -1) }
	a, b, c := o.a, o.b, o.c
	made := ir.Add
	if o.op == ir.FlagsSub {
		made = ir.Sub
	}
	switch {
	case w.op(made, false, a, b, -1) == c:
		return w.pure(Node{Op: o.op, A: a, B: b, C: -1}), true
	case made == ir.Add:
		return w.flags(w.carry(a, b, c), w.overflow(xor(a, c), xor(b, c)), c), true
	}
	return w.flags(w.carry(not(a), b, not(c)), w.overflow(xor(a, b), xor(a, c)), c), true
}

func commutes(op ir.Op) bool {
	switch op {
	case ir.Add, ir.Mul, ir.And, ir.Or, ir.Xor, ir.Eq, ir.Ne:
		return true
	}
	return false
}

func (w *Builder) isConst(n int32) bool { return w.b.Nodes[n].Op == ir.Const }

func (w *Builder) constIs(n int32, v uint64) bool {
	return n >= 0 && w.isConst(n) && w.b.Nodes[n].Imm == v
}

// folded computes a value of constants.
func (w *Builder) folded(op ir.Op, wide bool, a, b, c int32) (uint64, bool) {
	var v [3]uint64
	for i, n := range [...]int32{a, b, c} {
		if n < 0 {
			continue
		}
		if !w.isConst(n) {
			return 0, false
		}
		v[i] = w.b.Nodes[n].Imm
	}
	return ir.Value(op, wide, v[0], v[1], v[2]), true
}

// ones is the number with all bits set.
func ones(wide bool) uint64 {
	if wide {
		return 1<<64 - 1
	}
	return 1<<32 - 1
}

// shiftedRight simplifies a 64-bit number shifted right by a constant, which need not be done in two steps. Guest
// shifts move a word to the upper half first, for the carry.
func (w *Builder) shiftedRight(x Node, by uint64) (int32, bool) {
	if by == 32 {
		if lo, hi, ok := w.words(x); ok && w.isWord(lo) && w.isWord(hi) {
			return hi, true
		}
	}
	if !x.Wide || x.B < 0 || !w.isConst(x.B) {
		return 0, false
	}
	first := w.b.Nodes[x.B].Imm & 63
	switch {
	case x.Op == ir.Shr && first+by < 64:
		return w.op(ir.Shr, true, x.A, w.constant(first+by), -1), true
	case x.Op == ir.Shr:
		return w.constant(0), true
	case x.Op != ir.Shl || first > 32 || !w.isWord(x.A):
		return 0, false
	case by >= first+32:
		return w.constant(0), true
	case by >= first:
		return w.op(ir.Shr, false, x.A, w.constant(by-first), -1), true
	}
	return w.op(ir.Shl, true, x.A, w.constant(first-by), -1), true
}

// truncated simplifies the lower half of value a, which is x.
func (w *Builder) truncated(a int32, x Node) (int32, bool) {
	switch {
	case w.isWord(a):
		return a, true
	case x.Op == ir.SextW:
		return x.A, true
	}
	if lo, _, ok := w.words(x); ok {
		return w.op(ir.Trunc, false, lo, -1, -1), true
	}
	low := func(n int32) int32 { return w.op(ir.Trunc, false, n, -1, -1) }
	switch x.Op {
	case ir.Shl:
		if !w.isConst(x.B) {
			break
		}
		by := w.b.Nodes[x.B].Imm & 63
		if by >= 32 {
			return w.constant(0), true
		}
		return w.op(ir.Shl, false, low(x.A), w.constant(by), -1), true
	case ir.Add, ir.Sub, ir.Mul, ir.And, ir.Or, ir.Xor:
		if w.hasLow(x.A) && w.hasLow(x.B) {
			return w.op(x.Op, false, low(x.A), low(x.B), -1), true
		}
	}
	return 0, false
}

// hasLow reports whether the lower half of a value is there without an instruction.
func (w *Builder) hasLow(n int32) bool {
	return w.isConst(n) || w.b.Nodes[n].Op == ir.SextW || w.isWord(n)
}

// words takes a number apart that is put together of a lower part and an upper word.
func (w *Builder) words(x Node) (lo, hi int32, ok bool) {
	if x.Op != ir.Or || !x.Wide {
		return 0, 0, false
	}
	for _, p := range [...][2]int32{{x.A, x.B}, {x.B, x.A}} {
		if up := w.b.Nodes[p[0]]; up.Op == ir.Shl && up.Wide && w.constIs(up.B, 32) {
			return p[1], up.A, true
		}
	}
	return 0, 0, false
}

// halves takes a number apart that is put together of the lower halves of two values.
func (w *Builder) halves(x Node) (lo, hi int32, ok bool) {
	if x.Op != ir.Or || x.Wide {
		return 0, 0, false
	}
	for _, p := range [...][2]int32{{x.A, x.B}, {x.B, x.A}} {
		low, up := w.b.Nodes[p[0]], w.b.Nodes[p[1]]
		if up.Op == ir.And && !up.Wide && w.constIs(up.B, 0xffff0000) {
			up = w.b.Nodes[up.A]
		}
		if low.Op == ir.And && !low.Wide && w.constIs(low.B, 0xffff) && up.Op == ir.Shl && !up.Wide && w.constIs(up.B, 16) {
			return low.A, up.A, true
		}
	}
	return 0, 0, false
}

// isWord reports whether the upper half of a value is 0.
func (w *Builder) isWord(n int32) bool {
	x := &w.b.Nodes[n]
	return !x.Long() || x.Op == ir.Shr && w.isConst(x.B) && w.b.Nodes[x.B].Imm >= 32
}

// joined recognises a number put together of its own halves.
func (w *Builder) joined(wide bool, a, b int32) (int32, bool) {
	lo, hi, ok := w.words(Node{Op: ir.Or, Wide: wide, A: a, B: b})
	if !ok {
		return 0, false
	}
	low, half := w.b.Nodes[lo], w.b.Nodes[hi]
	if low.Op != ir.Trunc {
		return 0, false
	}
	return low.A, half.Op == ir.Shr && half.Wide && half.A == low.A && w.constIs(half.B, 32)
}

// and simplifies a conjunction.
func (w *Builder) and(wide bool, a, b int32, x, y *Node) (int32, bool) {
	switch {
	case a == b:
		return a, true
	case y.Op == ir.Const && y.Imm == 0:
		return b, true
	case y.Op == ir.Const && y.Imm == ones(wide):
		return a, true
	case y.Op == ir.Const && y.Imm == 1 && w.b.IsBool(a):
		return a, true
	case y.Op == ir.Const && y.Imm == 1 && !wide && x.Op == ir.Shr && !x.Wide:
		return w.bit(x.A, x.B), true
	case y.Op == ir.Const && x.Op == ir.And && x.Wide == wide && w.isConst(x.B):
		mask := w.op(ir.And, wide, x.B, b, -1)
		return w.op(ir.And, wide, x.A, mask, -1), true
	case y.Op == ir.Const && y.Imm&(y.Imm+1) == 0 && x.Op == ir.Add && x.Wide == wide && w.isConst(x.B) &&
		w.b.Nodes[x.B].Imm&y.Imm == 0: // low bits that the sum does not change
		return w.op(ir.And, wide, x.A, b, -1), true
	case y.Op == ir.Neg && w.b.IsBool(y.A):
		return w.op(ir.Select, wide, y.A, a, w.constant(0)), true
	case x.Op == ir.Neg && w.b.IsBool(x.A):
		return w.op(ir.Select, wide, x.A, b, w.constant(0)), true
	}
	return 0, false
}

// xor simplifies an exclusive or.
func (w *Builder) xor(a, b int32, x, y *Node, zero bool) (int32, bool) {
	switch {
	case zero:
		return a, true
	case a == b:
		return w.constant(0), true
	case y.Op == ir.Const && y.Imm == 1 && w.b.IsTest(a) && x.Op != ir.And && x.Op != ir.Or:
		return w.not(a), true
	}
	// d ^ (cond ? d ^ z : 0) is cond ? z : d
	for _, p := range [...]struct {
		d int32
		s *Node
	}{{a, y}, {b, x}} {
		if p.s.Op != ir.Select || !w.constIs(p.s.C, 0) {
			continue
		}
		switch d := w.b.Nodes[p.s.B]; {
		case d.Op != ir.Xor:
		case d.A == p.d:
			return w.op(ir.Select, d.Wide, p.s.A, d.B, p.d), true
		case d.B == p.d:
			return w.op(ir.Select, d.Wide, p.s.A, d.A, p.d), true
		}
	}
	return 0, false
}

// not is the opposite of a truth value, or the test for 0 of another one.
func (w *Builder) not(n int32) int32 {
	x := w.b.Nodes[n]
	switch x.Op {
	case ir.Const:
		return w.constant(ir.Value(ir.Eq, false, x.Imm, 0, 0))
	case CmpSub, CmpTest, CmpAdd, CmpBit:
		x.Cond ^= 1
		return w.pure(x)
	}
	return w.pure(Node{Op: CmpTest, Cond: Equal, A: n, B: n, C: -1})
}

// compare is the comparison of two values.
func (w *Builder) compare(cond Cond, wide bool, a, b int32) int32 {
	op := [...]ir.Op{Equal: ir.Eq, NotEqual: ir.Ne, Below: ir.LtU, BelowEqual: ir.LeU, Less: ir.LtS, LessEqual: ir.LeS}[cond]
	if v, ok := w.folded(op, wide, a, b, -1); ok {
		return w.constant(v)
	}
	x, y := w.b.Nodes[a], w.b.Nodes[b]
	if y.Op == ir.Const && y.Imm == 0 {
		switch cond {
		case Below:
			return w.constant(0)
		case Equal, NotEqual:
			if w.b.IsBool(a) {
				if cond == NotEqual {
					return a
				}
				return w.not(a)
			}
			if x.Op == ir.And {
				return w.pure(Node{Op: CmpTest, Wide: x.Wide, Cond: cond, A: x.A, B: x.B, C: -1})
			}
			return w.pure(Node{Op: CmpTest, Wide: wide, Cond: cond, A: a, B: a, C: -1})
		}
	}
	if a == b {
		return w.constant(ir.Value(op, wide, 1, 1, 0))
	}
	if (cond == Equal || cond == NotEqual) && x.Op == ir.Add && y.Op == ir.Add && x.Wide == wide && y.Wide == wide &&
		x.A == y.A && w.isConst(x.B) && w.isConst(y.B) { // addresses of fields of one object
		return w.constant(b2u((x.B == y.B) == (cond == Equal)))
	}
	return w.pure(Node{Op: CmpSub, Wide: wide, Cond: cond, A: a, B: b, C: -1})
}

// bit is bit n modulo 32 of a 32-bit value; n is below 32 or has lost its mask.
func (w *Builder) bit(v, n int32) int32 {
	x, y := w.b.Nodes[v], w.b.Nodes[n]
	switch {
	case y.Op == ir.Const:
		return w.pure(Node{Op: CmpTest, Cond: NotEqual, A: v, B: w.constant(1 << (y.Imm & 31)), C: -1})
	case x.Op == ir.Const:
		if c, ok := w.condition(uint32(x.Imm), y); ok {
			return c
		}
	}
	return w.pure(Node{Op: CmpBit, Cond: Below, A: v, B: n, C: -1})
}

// condition is the bit of a table of 16 truth values that flags select, as a condition of what the flags
// were made from.
func (w *Builder) condition(table uint32, flags Node) (int32, bool) {
	var x Node
	possible := func(f int) bool { return f&12 != 12 } // never both zero and negative
	made := 15                                         // the flags that x has, too; it has none of the others
	switch flags.Op {
	case ir.FlagsSub:
		x = Node{Op: CmpSub, A: flags.A, B: flags.B, C: -1}
	case ir.FlagsAdd:
		x = Node{Op: CmpAdd, A: flags.A, B: flags.B, C: -1}
	case ir.FlagsZN:
		x = Node{Op: CmpTest, A: flags.A, B: flags.A, C: -1}
		possible = func(f int) bool { return f == 0 || f == 4 || f == 8 }
	case ir.Or: // zero and negative of a value, with the two others as they were
		zn, others := &w.b.Nodes[flags.A], &w.b.Nodes[flags.B]
		if zn.Op != ir.FlagsZN {
			zn, others = others, zn
		}
		if zn.Op != ir.FlagsZN || others.Op != ir.And || !w.constIs(others.B, 3) {
			return 0, false
		}
		x, made = Node{Op: CmpTest, A: zn.A, B: zn.A, C: -1}, 12
	default:
		return 0, false
	}
	always, never := true, true
	for f := range 16 {
		if possible(f) {
			is := table>>f&1 != 0
			always, never = always && is, never && !is
		}
	}
	if always || never {
		return w.constant(b2u(always)), true
	}
	for c := range numConds {
		if c == 10 || c == 11 {
			continue
		}
		same := true
		for f := range 16 {
			same = same && (!possible(f) || c.holds(f&made) == (table>>f&1 != 0))
		}
		if same {
			x.Cond = c
			return w.pure(x), true
		}
	}
	return 0, false
}

func b2u(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// flags puts condition codes together that are not those of an addition or subtraction of two values.
func (w *Builder) flags(carry, overflow, z int32) int32 {
	zn := w.op(ir.FlagsZN, false, z, -1, -1)
	f := w.op(ir.Or, false, zn, w.op(ir.Shl, false, carry, w.constant(1), -1), -1)
	return w.op(ir.Or, false, f, overflow, -1)
}

// carry is that of z = x + y.
func (w *Builder) carry(x, y, z int32) int32 {
	either := w.op(ir.And, false, w.op(ir.Or, false, x, y, -1), w.op(ir.Not, false, z, -1, -1), -1)
	v := w.op(ir.Or, false, w.op(ir.And, false, x, y, -1), either, -1)
	return w.op(ir.Shr, false, v, w.constant(31), -1)
}

func (w *Builder) overflow(a, b int32) int32 {
	return w.op(ir.Shr, false, w.op(ir.And, false, a, b, -1), w.constant(31), -1)
}
