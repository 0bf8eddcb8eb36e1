package ssa

import (
	"cmp"
	"fmt"
	"slices"

	"arcv2dsp/cpu/internal/jit/ir"
)

// A word of sticky bits is or-ed with bits that depend on whether some numbers are 0: those that were lost where
// values were clamped. The word after many iterations is that of one in which each of these numbers had
// the bits of all of them, if bits never appear because a number is 0.

// event is a number that sticky bits depend on.
type event struct {
	member
	shift uint64 // of the number to the right, by which what is tested comes from what is gathered
	tests uint64 // in which questions for 0 it is
}

// events are the numbers that some sticky bits depend on.
type events struct {
	*tail
	list  []event
	tests []int32
	seen  map[int32]bool
	kinds []event // those with the same shift and tests are of a kind, without node
}

// maxEvents bounds the kinds of events, all combinations of which are looked at.
const maxEvents = 4

// sticky recognises a word that is or-ed with such bits, once or several times.
func (t *tail) sticky(store int32) (g gathered, ok bool) {
	read, ok := t.changed(store)
	x := &t.nodes[store]
	if !ok || t.Locs[x.Loc].Size != 4 || len(t.users[read]) != 1 {
		return g, false
	}
	g = gathered{stores: []late{{x.Loc, x.A}}, with: ir.Or, read: read}
	var alike []string // by what of the bits
	var first []int    // and the place of their first events
	for v, user := x.A, store; v != read; {
		y := &t.nodes[v]
		if !t.is(v, ir.Or, false) || !t.onlyFor(v, user) {
			return g, false
		}
		bits := y.B
		if bits == read {
			bits = y.A
		}
		e := &events{tail: t, seen: map[int32]bool{}}
		if !e.collect(bits) || !e.classify() {
			return g, false
		}
		words, ok := e.words(bits)
		if !ok {
			return g, false
		}
		n := slices.Index(alike, words)
		if n < 0 {
			n = len(alike)
			alike, first = append(alike, words), append(first, len(g.terms))
			g.bits = append(g.bits, bits)
			g.terms = append(g.terms, make([][]member, len(e.kinds))...)
			g.shifts = append(g.shifts, make([]uint64, len(e.kinds))...)
		}
		for _, x := range e.list {
			k := slices.Index(e.kinds, event{shift: x.shift, tests: x.tests})
			g.terms[first[n]+k] = append(g.terms[first[n]+k], x.member)
			g.shifts[first[n]+k] = x.shift
		}
		v, user = y.A+y.B-bits, v
	}
	for _, list := range g.terms { // as they are made
		slices.SortFunc(list, func(a, b member) int { return cmp.Compare(a.from, b.from) })
	}
	t.drop(x)
	return g, len(g.terms) > 0
}

// classify finds the kinds of events.
func (e *events) classify() bool {
	for _, x := range e.list {
		if k := (event{shift: x.shift, tests: x.tests}); !slices.Contains(e.kinds, k) {
			e.kinds = append(e.kinds, k)
		}
	}
	return len(e.kinds) > 0 && len(e.kinds) <= maxEvents
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
	i := slices.IndexFunc(e.list, func(o event) bool { return o.is == n })
	if i < 0 {
		i = len(e.list)
		e.list = append(e.list, e.before(n))
	}
	e.list[i].tests |= test
	return len(e.list) <= 64
}

// before makes an event of a number. A number shifted right is gathered before the shift. When it is the sum of a
// shifted number and a constant, that number is gathered, plus the constant shifted left: one is 0 when the other is.
func (e *events) before(n int32) event {
	shifted := func(n int32, op ir.Op) (int32, uint64, bool) {
		x := &e.nodes[n]
		if x.Op == op && x.Wide && e.isConst(x.B) {
			return x.A, e.nodes[x.B].Imm & 63, true
		}
		return 0, 0, false
	}
	v, by, ok := shifted(n, ir.Shr)
	if !ok {
		return event{member: member{from: n, is: n}}
	}
	y := event{member: member{from: v, is: n}, shift: by}
	x := e.nodes[v]
	if x.Op != ir.Add || !x.Wide || !e.isConst(x.B) {
		return y
	}
	more := e.nodes[x.B].Imm
	if u, first, ok := shifted(x.A, ir.Sar); ok && first+by < 64 && more < 1<<(61-first) && e.magnitude(u) < 1<<62 {
		y.from, y.shift, y.more = u, first+by, more<<first
	}
	return y
}

// words tells what some bits are by what happened. It is false when those of events of two iterations together are not
// those of one and of the other.
func (e *events) words(bits int32) (string, bool) {
	words := make([]uint64, 1<<len(e.kinds))
	for some := range words {
		made := map[int32]uint64{}
		for i, n := range e.tests {
			is := false
			for k := range e.kinds {
				is = is || some>>k&1 != 0 && e.kinds[k].tests>>i&1 != 0
			}
			made[n] = b2u(is == (e.nodes[n].Cond == NotEqual))
		}
		words[some] = e.word(bits, made)
	}
	for a := range words {
		for b := range words {
			if words[a]|words[b] != words[a|b] {
				return "", false
			}
		}
	}
	shifts := make([]uint64, len(e.kinds))
	for k := range e.kinds {
		shifts[k] = e.kinds[k].shift
	}
	return fmt.Sprint(words, shifts), true
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
