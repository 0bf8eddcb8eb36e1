package ssa

import (
	"math/bits"
	"slices"

	"arcv2dsp/cpu/internal/jit/ir"
)

// Some of what iterations do can wait until behind the last one, where it is done once: to write a location that
// no iteration reads, to put a sum into the form of its location, and to find out what a word of sticky bits
// becomes.

// tail holds facts about an iteration.
type tail struct {
	*looper
	nodes  []Node
	users  [][]int32 // the nodes that need each one, -1 in place of those for what waits
	always []bool    // not in a branch
	loads  []int     // by field
	stores []int
	reads  []int32 // by location, the node that reads it, 0 for none
	last   []int32 // by node, the location of the next iteration that the value is, plus 1; empty when none is
	writes bool    // memory
	need   []bool
}

// look finds out what the body does.
func (l *looper) look() *tail {
	t, n, fields := &l.tail, len(l.b.Nodes), len(l.fields)
	t.looper, t.nodes, t.writes = l, l.b.Nodes, false
	t.users, t.always, t.last, t.need = lists(t.users, n), emptied(t.always, n), emptied(t.last, n), emptied(t.need, n)
	t.loads, t.stores, t.reads = emptied(t.loads, fields), emptied(t.stores, fields), emptied(t.reads, len(l.Locs))
	need, depth := t.need, 0
	for i := range t.nodes {
		x := &t.nodes[i]
		switch x.Op {
		case ir.If:
			depth++
		case ir.End:
			depth--
		case LoadLoc:
			t.counted(t.loads, x.Loc)
			t.reads[x.Loc] = int32(i)
		case StoreLoc:
			t.counted(t.stores, x.Loc)
		case ir.Store8, ir.Store16, ir.Store32, ir.Store64:
			t.writes = true
		}
		t.always[i] = depth == 0
	}
	for i := len(t.nodes) - 1; i >= 0; i-- {
		x := &t.nodes[i]
		if need[i] = need[i] || x.Effect(); !need[i] {
			continue
		}
		for _, n := range [...]int32{x.A, x.B, x.C} {
			if n >= 0 {
				need[n] = true
				t.users[n] = append(t.users[n], int32(i))
			}
		}
		if x.Op == StoreLoc && t.always[i] && t.count(t.stores, x.Loc) == 1 && t.count(t.loads, x.Loc) > 0 {
			t.last[x.A] = x.Loc + 1
		}
	}
	return t
}

// counted counts the fields of a location.
func (t *tail) counted(of []int, loc int32) {
	fields, some := t.spans[loc].fields()
	for _, c := range fields[:some] {
		of[c]++
	}
}

// count is the greatest of some numbers over the fields of a location.
func (t *tail) count(of []int, loc int32) int {
	at := t.spans[loc]
	return max(of[at.first], of[at.second])
}

// lastOf is the location of the next iteration that a value is.
func (t *tail) lastOf(n int32) (loc int32, ok bool) {
	if len(t.last) == 0 || t.last[n] == 0 {
		return 0, false
	}
	return t.last[n] - 1, true
}

// late is a store that waits.
type late struct {
	loc, value int32
}

// findLate takes stores out of the body to locations that iterations do not read, if what the last one stores can be
// told behind it.
func (t *tail) findLate() (list []late) {
	for i := range t.nodes {
		x := &t.nodes[i]
		if x.Op != StoreLoc || !t.always[i] || t.Locs[x.Loc].Base == Frame || x.Loc == t.locate(t.edge.Acct) ||
			t.count(t.stores, x.Loc) != 1 || t.count(t.loads, x.Loc) != 0 {
			continue
		}
		budget := 12
		if t.lasts(x.A, &budget) {
			list = append(list, late{x.Loc, x.A})
			t.drop(x)
		}
	}
	return list
}

// drop takes a node out of the body.
func (t *tail) drop(x *Node) { *x = Node{Op: ir.Const, A: -1, B: -1, C: -1} }

// lasts reports whether the value that a node has in the last iteration can be made again behind it, by not more
// than some nodes.
func (t *tail) lasts(n int32, budget *int) bool {
	if *budget--; *budget < 0 {
		return false
	}
	if _, ok := t.lastOf(n); ok {
		return true
	}
	x := &t.nodes[n]
	switch {
	case x.Op == ir.Const, x.Op == ir.Base:
		return true
	case x.Op == LoadLoc:
		return t.count(t.stores, x.Loc) == 0
	case IsLoad(x.Op):
		_, ok := t.stride(x)
		return ok && !t.writes && t.always[n]
	case x.Effect():
		return false
	}
	ok := true
	x.Operands(func(o int32) { ok = ok && t.lasts(o, budget) })
	return ok
}

// stride is how far a load of a series of addresses is behind the last iteration from where it was in it.
func (t *tail) stride(x *Node) (uint64, bool) {
	if x.A < 0 || t.nodes[x.A].Op != LoadLoc {
		return 0, false
	}
	for f, loc := range t.flows {
		if loc != t.nodes[x.A].Loc {
			continue
		}
		step := t.groups[f.stream].step
		_, counted := scaleOf(step)
		if counted != (x.B >= 0) || counted && (t.nodes[x.B].Op != LoadLoc || t.nodes[x.B].Loc != t.trips) {
			return 0, false
		}
		return uint64(int64(int32(step))), true
	}
	return 0, false
}

// behind builds the value that a node has in the last iteration, behind it.
func (t *tail) behind(n int32, made map[int32]int32) int32 {
	if v, ok := made[n]; ok {
		return v
	}
	x := t.nodes[n]
	v := int32(-1)
	loc, ok := t.lastOf(n)
	switch {
	case ok:
		v = t.loadLoc(loc)
	case x.Op == LoadLoc:
		v = t.loadLoc(x.Loc)
	case IsLoad(x.Op):
		by, _ := t.stride(&x)
		x.A, x.B, x.Scale = t.loadLoc(t.nodes[x.A].Loc), -1, 0
		x.Imm -= by
		v = t.Builder.add(x)
	default:
		for _, o := range [...]*int32{&x.A, &x.B, &x.C} {
			if *o >= 0 {
				*o = t.behind(*o, made)
			}
		}
		v = t.pure(x)
	}
	made[n] = v
	return v
}

// gathered is a location, or two of them, that iterations change by what they gather: the change of all
// of them is that of one that changes by the sum of terms, or by all bits that terms had.
type gathered struct {
	stores []late
	terms  [][]member // those of a list have the same sum
	frame  []int32    // where they are gathered
	shifts []uint64   // nil for none
	with   ir.Op
	read   int32   // of bits, what they are or-ed with,
	bits   []int32 // and those that differ
}

// member is one of the values that are gathered: from plus a constant. Behind the last iteration all of them, shifted,
// stand for another node.
type member struct {
	from, is int32
	more     uint64
}

// findGathered takes such changes out of the body.
func (t *tail) findGathered() (list []gathered) {
	for i := range t.nodes {
		x := &t.nodes[i]
		if x.Op != StoreLoc || !t.always[i] {
			continue
		}
		g, ok := t.wrapped(int32(i))
		if !ok {
			g, ok = t.guarded(int32(i))
		}
		if !ok {
			g, ok = t.sticky(int32(i))
		}
		if ok {
			list = append(list, g)
		}
	}
	return list
}

// onlyFor reports whether nothing needs a value but the given nodes.
func (t *tail) onlyFor(n int32, users ...int32) bool {
	return !slices.ContainsFunc(t.users[n], func(u int32) bool { return !slices.Contains(users, u) })
}

// changed returns what a store that always happens makes of its location, and the node that reads it, if nothing
// else in an iteration reads or writes it.
func (t *tail) changed(store int32) (read int32, ok bool) {
	x := &t.nodes[store]
	if x.Op != StoreLoc || !t.always[store] || t.count(t.stores, x.Loc) != 1 || t.count(t.loads, x.Loc) != 1 {
		return 0, false
	}
	read = t.reads[x.Loc]
	return read, read != 0 && t.always[read] && read < store
}

// is reports whether a node is an operation.
func (t *tail) is(n int32, op ir.Op, wide bool) bool {
	return n >= 0 && t.nodes[n].Op == op && t.nodes[n].Wide == wide
}

// plus takes a sum of two values apart, one of which is given.
func (t *tail) plus(sum, one int32, wide bool) (other int32, ok bool) {
	x := &t.nodes[sum]
	switch {
	case !t.is(sum, ir.Add, wide):
		return 0, false
	case x.A == one:
		return x.B, true
	case x.B == one:
		return x.A, true
	}
	return 0, false
}

// wrapped recognises a sum that wraps at a number of bits and is kept sign-extended.
func (t *tail) wrapped(store int32) (g gathered, ok bool) {
	read, ok := t.changed(store)
	x := &t.nodes[store]
	if !ok || t.Locs[x.Loc].Size != 8 {
		return g, false
	}
	high := x.A // (sum + bias & mask) - bias
	if !t.is(high, ir.Add, true) || !t.onlyFor(high, store) {
		return g, false
	}
	low := t.nodes[high].A
	if !t.is(low, ir.And, true) || !t.onlyFor(low, high) {
		return g, false
	}
	biased, mask := t.nodes[low].A, t.nodes[low].B
	if !t.is(biased, ir.Add, true) || !t.onlyFor(biased, low) {
		return g, false
	}
	up, down := t.nodes[t.nodes[biased].B], t.nodes[t.nodes[high].B]
	if up.Op != ir.Const || down.Op != ir.Const || up.Imm+down.Imm != 0 || !t.isConst(mask) ||
		t.nodes[mask].Imm&(t.nodes[mask].Imm+1) != 0 {
		return g, false
	}
	sum := t.nodes[biased].A
	term, ok := t.plus(sum, read, true)
	if !ok || term == read || !t.onlyFor(sum, biased) || !t.onlyFor(read, sum) {
		return g, false
	}
	g = gathered{stores: []late{{x.Loc, x.A}}, terms: [][]member{{{from: term, is: term}}}, with: ir.Add}
	t.drop(x)
	return g, true
}

// guarded recognises a sum of 72 bits, the upper 8 of them kept sign-extended in a location of their own.
func (t *tail) guarded(store int32) (g gathered, ok bool) {
	guard, ok := t.changed(store)
	x := &t.nodes[store]
	if !ok || !t.is(x.A, ir.Sext8, false) || !t.onlyFor(x.A, store) {
		return g, false
	}
	top := t.nodes[x.A].A
	more, ok := t.plus(top, guard, false)
	if !ok || more == guard || !t.onlyFor(top, x.A) || !t.onlyFor(guard, top) || !t.is(more, ir.Add, false) ||
		!t.onlyFor(more, top) {
		return g, false
	}
	sign, carry := t.nodes[more].A, t.nodes[more].B
	if t.nodes[carry].Op != CmpSub {
		sign, carry = carry, sign
	}
	c := &t.nodes[carry]
	if c.Op != CmpSub || !c.Wide || c.Cond != Below || !t.onlyFor(carry, more) || !t.is(sign, ir.Trunc, false) ||
		!t.is(t.nodes[sign].A, ir.Sar, true) || !t.onlyFor(sign, more) {
		return g, false
	}
	sum, word := c.A, c.B
	term, ok := t.plus(sum, word, true)
	sar := &t.nodes[t.nodes[sign].A]
	if !ok || sar.A != term || !t.constIs(sar.B, 63) || t.nodes[word].Op != LoadLoc {
		return g, false
	}
	to, ok := t.lastOf(sum)
	if !ok || to != t.nodes[word].Loc || !t.onlyFor(word, sum, carry) || t.count(t.loads, to) != 1 {
		return g, false
	}
	other := int32(slices.IndexFunc(t.nodes, func(y Node) bool { return y.Op == StoreLoc && y.Loc == to }))
	// the terms of all iterations, fewer than 2 to the power 30, have a sum of 64 bits
	if read, ok := t.changed(other); !ok || read != word || !t.onlyFor(sum, carry, other) || t.magnitude(term) > 1<<33 {
		return g, false
	}
	g = gathered{stores: []late{{x.Loc, x.A}, {to, sum}}, terms: [][]member{{{from: term, is: term}}}, with: ir.Add}
	t.drop(x)
	t.drop(&t.nodes[other])
	return g, true
}

// magnitude bounds the absolute value of a node as a signed number of 64 bits.
func (t *tail) magnitude(n int32) uint64 {
	const unknown = 1 << 63
	x := &t.nodes[n]
	switch x.Op {
	case ir.Const:
		if v := int64(x.Imm); v < 0 {
			return -x.Imm
		}
		return x.Imm
	case LoadLoc:
		if t.limits != nil {
			for loc := range t.limits.most {
				if t.loc(loc) == x.Loc {
					return uint64(t.limits.bound)
				}
			}
		}
	case LoadX8, ir.Sext8:
		if x.Wide {
			return 1 << 7
		}
	case LoadX16, ir.Sext16:
		if x.Wide {
			return 1 << 15
		}
	case ir.Load8:
		return 1<<8 - 1
	case ir.Load16:
		return 1<<16 - 1
	case ir.SextW:
		if y := &t.nodes[x.A]; y.Op == ir.Sar && t.isConst(y.B) {
			return 1 << (31 - t.nodes[y.B].Imm&31)
		}
		return 1 << 31
	case ir.Sar:
		if x.Wide && t.isConst(x.B) {
			if a := t.magnitude(x.A); a < unknown {
				return a>>(t.nodes[x.B].Imm&63) + 1
			}
		}
		return unknown
	case ir.And:
		if c := &t.nodes[x.B]; c.Op == ir.Const && c.Imm < unknown {
			return c.Imm
		}
	case ir.Add, ir.Sub, ir.Mul:
		if !x.Wide {
			break
		}
		a, b := t.magnitude(x.A), t.magnitude(x.B)
		upper, product := bits.Mul64(a, b)
		switch {
		case x.Op != ir.Mul && a < unknown && b < unknown:
			return a + b
		case x.Op == ir.Mul && upper == 0:
			return product
		}
		return unknown
	}
	if !x.Long() {
		return 1<<32 - 1
	}
	return unknown
}

// finish takes out of the body what can wait, and builds what comes behind the last iteration, nil for nothing.
// It begins the sums in Pre, which ends at pre, or without it in a block of their own. The nodes of each sum are a
// chain.
func (l *looper) finish(pre *state) (enter, post *Block, chains [][]int32) {
	list := l.carry()
	t := l.look()
	late := t.findLate()
	if len(late) > 0 {
		t = l.look()
	}
	sums := t.findGathered()
	if len(list)+len(late)+len(sums) == 0 {
		return nil, nil, nil
	}
	body := l.pause()
	if pre == nil {
		l.begin()
		enter = l.b
	} else {
		l.resume(*pre)
	}
	l.fetch(list)
	for i := range sums {
		for range sums[i].terms {
			frame := l.keep()
			l.storeLoc(frame, l.constant(0))
			sums[i].frame = append(sums[i].frame, frame)
		}
	}
	if pre == nil {
		l.release()
	} else {
		*pre = l.pause()
	}
	l.resume(body)
	for _, g := range sums {
		for k, terms := range g.terms {
			v := l.loadLoc(g.frame[k])
			chain := []int32{v}
			for _, m := range terms {
				made := int32(len(l.b.Nodes))
				n := l.op(ir.Add, true, m.from, l.constant(m.more), -1)
				if n >= made {
					chain = append(chain, n)
				}
				if next := l.op(g.with, true, v, n, -1); next != v {
					v, chain = next, append(chain, next)
				}
			}
			l.storeLoc(g.frame[k], v)
			chains = append(chains, chain)
		}
	}
	body = l.pause()
	l.begin()
	for _, g := range sums {
		t.apply(g)
	}
	made := map[int32]int32{}
	for _, x := range late {
		l.storeLoc(x.loc, t.behind(x.value, made))
	}
	l.bring(list)
	post = l.b
	l.release()
	l.resume(body)
	return enter, post, chains
}

// early moves the nodes of chains to where their operands are made, so that these need not be kept.
func (l *looper) early(chains [][]int32) {
	if len(chains) == 0 {
		return
	}
	old := l.b.Nodes
	l.moved, l.placed = emptied(l.moved, len(old)), emptied(l.placed, len(old))
	moved, place := l.moved, l.placed // place is that in the new order, 0 while not known
	for _, c := range chains {
		for _, n := range c {
			moved[n] = true
		}
	}
	nodes := append(l.spare[:0], old[0])
	put := func(n int32) {
		x := old[n]
		for _, o := range [...]*int32{&x.A, &x.B, &x.C} {
			if *o > 0 {
				*o = place[*o]
			}
		}
		place[n] = int32(len(nodes))
		nodes = append(nodes, x)
	}
	ready := func(n int32) bool {
		ok := true
		old[n].Operands(func(o int32) { ok = ok && place[o] != 0 })
		return ok
	}
	for n := range old {
		if n > 0 && old[n].Op == ir.Const {
			put(int32(n))
			moved[n] = true
		}
	}
	for n := int32(1); n < int32(len(old)); n++ {
		if !moved[n] {
			put(n)
		}
		for i, c := range chains {
			for len(c) > 0 && ready(c[0]) {
				put(c[0])
				if !IsLoad(old[c[0]].Op) && old[c[0]].Op != LoadLoc {
					nodes = append(nodes, Node{Op: Early, A: place[c[0]], B: -1, C: -1})
				}
				c = c[1:]
			}
			chains[i] = c
		}
	}
	l.b.Nodes, l.spare = nodes, old
}

// apply does behind the last iteration what was gathered.
func (t *tail) apply(g gathered) {
	last := t.last
	t.last = nil // here they are made
	made := map[int32]int32{}
	for k, terms := range g.terms {
		v := t.loadLoc(g.frame[k])
		if g.shifts != nil {
			v = t.op(ir.Shr, true, v, t.constant(g.shifts[k]), -1)
		}
		for _, m := range terms {
			made[m.is] = v
			if !t.nodes[m.is].Long() {
				made[m.is] = t.op(ir.Trunc, false, v, -1, -1)
			}
		}
	}
	values := make([]int32, len(g.stores))
	for i, x := range g.stores {
		if g.bits == nil {
			values[i] = t.behind(x.value, made)
			continue
		}
		values[i] = t.behind(g.read, made)
		for _, n := range g.bits {
			values[i] = t.op(ir.Or, false, values[i], t.behind(n, made), -1)
		}
	}
	for i, x := range g.stores {
		t.storeLoc(x.loc, values[i])
	}
	t.last = last
}
