package ssa

import (
	"slices"

	"arcv2dsp/cpu/internal/jit/ir"
)

// Whether an iteration leaves may depend on data: a byte that ends a string, a line that a cache does not have. Such an
// iteration is not executed by the loop. Each one asks first for all conditions of that kind, before it has done anything; when one
// holds, the loop stops, takes back what Pre has done for the iterations that are left, and the block itself executes this one.

// Stopped is the reason of the exit of an iteration that the loop does not execute. It leads to Way.Stop.
const Stopped = 1<<32 - 4

// watch is a condition that iterations ask for.
type watch struct {
	condition       // the iteration leaves when it is not as wanted
	at        int32 // node in front of which it stands

	// test is what they ask. Of two conditions together one may not change, as that a data cache serves a page: only is that one, and mask
	// the location in the frame, plus 1, of all bits when it holds.
	test, only int32
	mask       int32
}

// findWatches finds the conditions that Pre cannot answer. It is false when some cannot be asked for in front of an iteration.
func (l *looper) findWatches() bool {
	l.watches = l.watches[:0]
	for _, g := range l.guards {
		if _, circular := l.inWindow(g.node); !circular && !l.inPage(g.node) && l.motion(g.node).class != steady {
			l.watches = append(l.watches, g)
		}
	}
	for _, s := range l.stays {
		if _, ok := l.counted(s.condition); !ok && l.motion(s.node).class != steady {
			l.watches = append(l.watches, s)
		}
	}
	if len(l.watches) > 0 && !l.edge.Long {
		return false
	}
	slices.SortFunc(l.watches, func(a, b watch) int { return int(a.at - b.at) })
	l.asked = emptied(l.asked, len(l.old.Nodes))
	for i := range l.watches {
		w := &l.watches[i]
		w.test, w.only = l.apart(w.condition)
		if !l.ask(w.test) {
			return false
		}
	}
	return true
}

// apart takes a condition apart into a question for two equal numbers, and one that does not change, -1 for none.
func (l *looper) apart(c condition) (test, only int32) {
	if x := &l.old.Nodes[c.node]; x.Op == ir.And && !c.want {
		for _, p := range [...][2]int32{{x.A, x.B}, {x.B, x.A}} {
			y := &l.old.Nodes[p[0]]
			if y.Op == CmpSub && y.Cond == NotEqual && !y.Wide && l.old.IsBool(p[1]) && l.motion(p[1]).class == steady {
				return p[0], p[1]
			}
		}
	}
	return c.node, -1
}

// keepMasks leaves in the frame what does not change of conditions.
func (l *looper) keepMasks() {
	for i := range l.watches {
		w := &l.watches[i]
		if w.only < 0 {
			continue
		}
		if k := slices.IndexFunc(l.watches[:i], func(o watch) bool { return o.only == w.only }); k >= 0 {
			w.mask = l.watches[k].mask
			continue
		}
		loc := l.keep()
		l.storeLoc(loc, l.op(ir.Neg, false, l.first(w.only), -1, -1))
		w.mask = loc + 1
	}
}

// holds builds what an iteration asks.
func (l *looper) holds(w *watch) int32 {
	if w.mask == 0 {
		return l.here(w.test)
	}
	x := &l.old.Nodes[w.test]
	differ := l.op(ir.Xor, false, l.here(x.A), l.here(x.B), -1)
	return l.op(ir.Ne, false, l.op(ir.And, false, differ, l.loadLoc(w.mask-1), -1), l.constant(0), -1)
}

// watched reports whether a condition is one of those.
func (l *looper) watched(n int32) bool {
	return slices.ContainsFunc(l.watches, func(w watch) bool { return w.node == n })
}

// ask notes that a node is needed to ask for a condition. It is false when that is not known as an iteration begins.
func (l *looper) ask(n int32) bool {
	if l.motion(n).class == steady || l.asked[n] {
		return true
	}
	x := &l.old.Nodes[n]
	if len(l.conds[n]) > 0 || x.Effect() {
		return false
	}
	l.asked[n] = true
	if t, ok := l.turns[n]; ok {
		return l.ask(t.from)
	}
	switch {
	case x.Op == LoadLoc:
		return !l.stored(x.Loc, n)
	case isAccess(x.Op):
		if !l.readsFixed(x) && l.storedTo(n) {
			return false
		}
		if t, ok := l.lookup(x); ok {
			index, _ := l.index(t)
			return l.ask(index)
		}
		if _, ok := l.flow(x); ok {
			return true
		}
	}
	ok := true
	x.Operands(func(o int32) { ok = ok && l.ask(o) })
	return ok
}

// stored reports whether an iteration stores to a part of a location before node n.
func (l *looper) stored(loc, n int32) bool {
	at := l.from.spans[loc]
	return slices.ContainsFunc(l.items, func(i int32) bool {
		x := &l.old.Nodes[i]
		if i >= n || x.Op != StoreLoc {
			return false
		}
		to := l.from.spans[x.Loc]
		return to.first == at.first || to.first == at.second || to.second == at.first || to.second == at.second
	})
}

// storedTo reports whether an iteration stores to memory before node n.
func (l *looper) storedTo(n int32) bool {
	return slices.ContainsFunc(l.items, func(i int32) bool {
		op := l.old.Nodes[i].Op
		_, grown := l.grownIn[i]
		return i < n && op >= ir.Store8 && op <= ir.Store64 && !grown
	})
}

// front builds the questions in front of an iteration. It is false when some iteration always leaves.
func (l *looper) front() bool {
	if len(l.watches) == 0 {
		return true
	}
	stop := l.exit(Exit{Why: Stopped, Way: -1})
	next := 0
	until := func(n int32) {
		for ; next < len(l.watches) && !l.dead && l.watches[next].at < n; next++ {
			w := &l.watches[next]
			c := l.holds(w)
			if w.want {
				c = l.not(c)
			}
			l.guard(c, stop)
		}
	}
	for _, n := range l.items {
		if until(n); l.dead {
			return false
		}
		if l.asked[n] && l.needed[n] {
			l.now[n] = l.iterate(n)
		}
	}
	until(1<<31 - 1)
	return !l.dead
}

// stop builds what takes back what Pre has done for the iterations that are left, nil when they never are.
func (l *looper) stop() *Block {
	if len(l.watches) == 0 {
		return nil
	}
	l.begin()
	left := l.loadLoc(l.trips) // its opposite
	short := l.op(ir.Trunc, false, left, -1, -1)
	for _, d := range l.done {
		if l.constants[d.cond].Imm == 0 {
			continue
		}
		d.cond, d.each = l.constant(1), l.constant(l.constants[d.each].Imm)
		if d.loc < 0 && d.at.A >= 0 {
			d.at.A = l.pure(l.constants[d.at.A])
		}
		l.do(d, left, short)
	}
	l.take(left)
	b := l.b
	l.unobserved()
	l.release()
	return b
}
