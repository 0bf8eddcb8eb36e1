package ssa

import (
	"slices"

	"arcv2dsp/cpu/internal/jit/ir"
)

// Halves and bytes of loaded numbers are loaded once more with their sign, which costs less than to take them
// out of the number.

// signed is the low part of value n, sign-extended to 32 bits: a byte, or a half.
func (w *Builder) signed(op ir.Op, n int32) (int32, bool) {
	if v, _, ok := w.bytePair(n); ok {
		return w.op(ir.Sext8, false, v, -1, -1), true
	}
	x := w.b.Nodes[n]
	if x.Op == ir.Shr && !x.Wide && w.isConst(x.B) && w.b.Nodes[x.B].Imm%8 == 0 && op == ir.Sext8 && w.b.Nodes[x.A].Op == ir.Load32 {
		return w.part(x.A, LoadX8, w.b.Nodes[x.B].Imm/8)
	}
	if x.Op != ir.Load32 && x.Op != ir.Load16 && (x.Op != ir.Load8 || op == ir.Sext16) {
		return 0, false
	}
	if op == ir.Sext8 {
		return w.part(n, LoadX8, 0)
	}
	return w.part(n, LoadX16, 0)
}

// upper is the upper half of value n, sign-extended to 32 bits.
func (w *Builder) upper(n int32) (int32, bool) {
	if v, by, ok := w.bytePair(n); ok {
		return w.op(ir.Sext8, false, w.op(ir.Shr, false, v, w.constant(by), -1), -1, -1), true
	}
	if w.b.Nodes[n].Op == ir.Load32 {
		return w.part(n, LoadX16, 2)
	}
	return 0, false
}

// part loads part of the number again that was loaded by node n, unless something has been stored since.
func (w *Builder) part(n int32, op ir.Op, at uint64) (int32, bool) {
	x := w.b.Nodes[n]
	if !w.unstored(n) {
		return 0, false
	}
	x.Op, x.Wide, x.Imm = op, false, x.Imm+at
	return w.again(x, n), true
}

// again loads x, part of what node n loaded, once.
func (w *Builder) again(x Node, n int32) int32 {
	v := w.made.find(&x, w.b.Nodes)
	if v < n {
		v = w.add(x)
		w.made.note(v, &x)
	}
	return v
}

// unstored reports whether nothing has been stored to memory since node n.
func (w *Builder) unstored(n int32) bool {
	return !slices.ContainsFunc(w.b.Nodes[n:], func(x Node) bool { return x.Op >= ir.Store8 && x.Op <= ir.Store64 })
}

// bytePair recognises two bytes of a number as two halves with sign: the lowest one, and the one that is shifted right
// by some bits.
func (w *Builder) bytePair(n int32) (v int32, by uint64, ok bool) {
	is := func(n int32, op ir.Op, by uint64) (int32, bool) {
		x := &w.b.Nodes[n]
		return x.A, x.Op == op && !x.Wide && w.constIs(x.B, by)
	}
	sum := &w.b.Nodes[n]
	if sum.Op != ir.Add || sum.Wide || sum.B < 0 {
		return 0, 0, false
	}
	signs, ok1 := is(sum.B, ir.Mul, 0x1fe)
	if !ok1 {
		return 0, 0, false
	}
	of, ok2 := is(signs, ir.And, 0x800080)
	pair := &w.b.Nodes[sum.A]
	if !ok2 || of != sum.A || pair.Op != ir.Or || pair.Wide {
		return 0, 0, false
	}
	lo, ok3 := is(pair.A, ir.And, 0xff)
	up, ok4 := is(pair.B, ir.And, 0xff0000)
	if !ok3 || !ok4 {
		return 0, 0, false
	}
	for _, left := range [...]uint64{8, 16} {
		if hi, ok := is(up, ir.Shl, left); ok && lo == hi {
			return lo, 16 - left, true
		}
	}
	return 0, 0, false
}
