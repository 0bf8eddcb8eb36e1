package ssa

import "arcv2dsp/cpu/jit/ir"

// A word of sticky bits is or-ed with bits that depend on whether some numbers are 0: those that were lost where
// values were clamped. The word after many iterations is that of one in which each of these numbers had
// the bits of all of them, if bits never appear because a number is 0.

// event is a number that sticky bits depend on.
type event struct {
	node  int32 // the number, not yet shifted
	shift uint64
	tests uint64 // in which questions for 0 it is
}

// events are the numbers of a word of sticky bits.
type events struct {
	*tail
	list  []event
	tests []int32
	seen  map[int32]bool
}

// maxEvents bounds the kinds of events, all combinations of which are looked at.
const maxEvents = 5

// sticky recognises a word that is or-ed with such bits.
func (t *tail) sticky(store int32) (g gathered, ok bool) {
	read, ok := t.changed(store)
	x := &t.nodes[store]
	if !ok || t.Locs[x.Loc].Size != 4 || !t.onlyFor(x.A, store) {
		return g, false
	}
	e := &events{tail: t, seen: map[int32]bool{}}
	v := x.A
	for v != read {
		y := &t.nodes[v]
		switch {
		case !t.is(v, ir.Or, false) || !t.onlyFor(v, store) && len(t.users[v]) != 1:
			return g, false
		case e.collect(y.B):
			v = y.A
		case y.B == read && e.collect(y.A):
			v = read
		default:
			return g, false
		}
	}
	if len(t.users[read]) != 1 {
		return g, false
	}
	kinds := map[event][]int32{}
	var order []event
	for _, x := range e.list {
		k := event{shift: x.shift, tests: x.tests}
		if kinds[k] == nil {
			order = append(order, k)
		}
		kinds[k] = append(kinds[k], x.node)
	}
	if len(order) == 0 || len(order) > maxEvents || !e.gathers(x.A, read, order) {
		return g, false
	}
	g = gathered{stores: []late{{x.Loc, x.A}}, with: ir.Or}
	for _, k := range order {
		g.terms = append(g.terms, kinds[k])
	}
	t.drop(x)
	return g, true
}

// collect finds the events that some bits depend on. It is false when they depend on anything else.
func (e *events) collect(n int32) bool {
	x := &e.nodes[n]
	if e.seen[n] || x.Op == ir.Const {
		return true
	}
	e.seen[n] = true
	switch {
	case x.Op == CmpTest && x.A == x.B && x.Cond&^1 == Equal:
		if len(e.tests) == 64 {
			return false
		}
		e.tests = append(e.tests, n)
		return e.parts(x.A, uint64(1)<<(len(e.tests)-1))
	case x.Op == ir.Select:
		return e.collect(x.A) && e.collect(x.B) && e.collect(x.C)
	case x.Op == ir.Or, x.Op == ir.And:
		return e.collect(x.A) && e.collect(x.B)
	}
	return false
}

// parts notes the parts of a number that a question for 0 is about.
func (e *events) parts(n int32, test uint64) bool {
	x := e.nodes[n]
	if x.Op == ir.Or {
		return e.parts(x.A, test) && e.parts(x.B, test)
	}
	y := event{node: n}
	if x.Op == ir.Shr && x.Wide && e.isConst(x.B) {
		y.node, y.shift = x.A, e.nodes[x.B].Imm
	}
	for i := range e.list {
		if o := &e.list[i]; o.node == y.node && o.shift == y.shift {
			o.tests |= test
			return true
		}
	}
	y.tests = test
	e.list = append(e.list, y)
	return len(e.list) <= 64
}

// gathers reports whether the word v that is made of the one before it is, for the events of two iterations together,
// that of one iteration after the other.
func (e *events) gathers(v, read int32, kinds []event) bool {
	words := make([]uint64, 1<<len(kinds))
	for some := range words {
		made := map[int32]uint64{read: 0}
		for i, n := range e.tests {
			is := false
			for k := range kinds {
				is = is || some>>k&1 != 0 && kinds[k].tests>>i&1 != 0
			}
			made[n] = b2u(is == (e.nodes[n].Cond == NotEqual))
		}
		words[some] = e.word(v, made)
	}
	for a := range words {
		for b := range words {
			if words[a]|words[b] != words[a|b] {
				return false
			}
		}
	}
	return true
}

// word is the number that a node is when some are given.
func (e *events) word(n int32, made map[int32]uint64) uint64 {
	v, ok := made[n]
	if !ok {
		x := &e.nodes[n]
		if x.Op == ir.Const {
			return x.Imm
		}
		var o [3]uint64
		for i, k := range [...]int32{x.A, x.B, x.C} {
			if k >= 0 {
				o[i] = e.word(k, made)
			}
		}
		v = ir.Value(x.Op, x.Wide, o[0], o[1], o[2])
		made[n] = v
	}
	return v
}
