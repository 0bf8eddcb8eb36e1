package ssa

import "arcv2dsp/cpu/internal/jit/ir"

// A circular pointer moves as a linear one does until it reaches the end of its window. Pre bounds the iterations so
// that none gets there; the one that does is executed by the block itself.

// turn is where a circular pointer moves on: its window begins where the low bits of an address are 0.
type turn struct {
	from   int32  // node of the pointer before
	choice int32  // node of the offset in the window behind
	low    uint32 // the low bits
	window int64
	step   int64
}

// turnOf recognises the offset of a circular pointer: the low bits of a number plus a step, corrected by the window when
// that is negative or too great.
func (l *looper) turnOf(choice int32) (t turn, ok bool) {
	nodes := l.old.Nodes
	is := func(n int32, op ir.Op) bool { return n >= 0 && nodes[n].Op == op && nodes[n].Wide }
	constant := func(n int32) bool { return n >= 0 && nodes[n].Op == ir.Const }
	first := &nodes[choice]
	if !is(choice, ir.Select) || !is(first.C, ir.Select) {
		return t, false
	}
	second := &nodes[first.C]
	sum := second.C
	negative, great := &nodes[first.A], &nodes[second.A]
	if !is(sum, ir.Add) || !constant(nodes[sum].B) ||
		!is(first.A, CmpSub) || negative.Cond != Less || negative.A != sum || !constant(negative.B) || nodes[negative.B].Imm != 0 ||
		!is(second.A, CmpSub) || great.Cond != LessEqual || great.B != sum || !constant(great.A) {
		return t, false
	}
	offset := &nodes[nodes[sum].A]
	if offset.Op != ir.And || offset.Wide || !constant(offset.B) {
		return t, false
	}
	t = turn{
		from: offset.A, choice: choice, low: uint32(nodes[offset.B].Imm), window: int64(nodes[great.A].Imm),
		step: int64(nodes[nodes[sum].B].Imm),
	}
	return t, t.low&(t.low+1) == 0 && t.window > 0
}

// circular recognises what a circular pointer becomes.
func (l *looper) circular(n int32) (t turn, ok bool) {
	x := &l.old.Nodes[n]
	if x.Op != ir.Add || x.Wide {
		return t, false
	}
	upper, lower := &l.old.Nodes[x.A], &l.old.Nodes[x.B]
	if lower.Op != ir.Trunc {
		upper, lower = lower, upper
	}
	if lower.Op != ir.Trunc || upper.Op != ir.And || upper.Wide || l.old.Nodes[upper.B].Op != ir.Const {
		return t, false
	}
	t, ok = l.turnOf(lower.A)
	return t, ok && upper.A == t.from && uint32(l.old.Nodes[upper.B].Imm) == ^t.low
}

// advanced takes constants that are added to a number away from it, and steps of a circular pointer that does not turn.
func (l *looper) advanced(n int32) (from int32, by uint32) {
	for {
		x := &l.old.Nodes[n]
		if t, ok := l.circular(n); ok {
			n, by = t.from, by+uint32(t.step)
		} else if x.Op == ir.Add && !x.Wide && l.old.Nodes[x.B].Op == ir.Const {
			n, by = x.A, by+uint32(l.old.Nodes[x.B].Imm)
		} else {
			return n, by
		}
	}
}

// inWindow recognises the question whether a circular pointer stays outside of its window even after a turn.
func (l *looper) inWindow(cond int32) (t turn, ok bool) {
	x := &l.old.Nodes[cond]
	if x.Op != CmpSub || !x.Wide || x.Cond != BelowEqual {
		return t, false
	}
	t, ok = l.turnOf(x.B)
	bound := &l.old.Nodes[x.A]
	return t, ok && bound.Op == ir.Const && int64(bound.Imm) == t.window && l.motion(t.from).class == moving
}

// straight bounds the iterations so that a circular pointer does not turn. It returns -1 for no bound, and false when
// it turns in each of them.
func (l *looper) straight(t turn, refuse uint64) (n int32, ok bool) {
	m := l.motion(t.from)
	step := int64(int32(l.steps[m.loc].by))
	least, most := max(0, -t.step), min(int64(t.low), t.window-1-t.step) // of the offset before
	if least > most || int64(t.low)*max(step, -step) >= 1<<32 {
		return -1, false
	}
	off := l.op(ir.And, false, l.first(t.from), l.constant(uint64(t.low)), -1)
	l.guard(l.op(ir.LtU, false, off, l.constant(uint64(least)), -1), refuse)
	l.guard(l.op(ir.LtU, false, l.constant(uint64(most)), off, -1), refuse)
	way := int32(-1)
	switch {
	case step == 0:
		return -1, true
	case step > 0:
		way = l.op(ir.Sub, false, l.constant(uint64(most)), off, -1)
	default:
		way, step = l.op(ir.Sub, false, off, l.constant(uint64(least)), -1), -step
	}
	return l.op(ir.Add, false, l.quotient(way, uint32(step)), l.constant(1), -1), true
}
