package ssa

import (
	"slices"

	"arcv2dsp/cpu/internal/jit/ir"
)

// begin starts a block of the loop.
func (l *looper) begin() {
	l.block()
	if l.inUse == len(l.tables) {
		l.tables = append(l.tables, &values{})
	}
	l.made = l.tables[l.inUse]
	l.inUse++
	l.made.clear()
	l.held = l.padded(l.copied(nil))
}

// keep is a new location of the frame.
func (l *looper) keep() int32 {
	l.frame++
	return l.locate(Loc{Base: Frame, Off: uint32(l.frame-1) * 8, Size: 8})
}

// first is the value of a node in Pre: of one that moves, the value in the first iteration.
func (l *looper) first(n int32) int32 {
	if v := l.value[n]; v != 0 {
		return v
	}
	var v int32
	switch m := l.motion(n); m.class {
	case moving:
		v = l.op(ir.Add, false, l.loadLoc(l.loc(m.loc)), l.constant(uint64(m.add)), -1)
	case near:
		v = l.op(ir.Add, false, l.first(m.base), l.constant(uint64(m.add)), -1)
	case within:
		s := &l.streams[m.stream]
		v = l.op(ir.Add, false, l.offset(s.group), l.constant(uint64(s.at)), -1)
	default:
		x := l.old.Nodes[n]
		a := motion{}
		if x.A >= 0 {
			a = *l.motion(x.A)
		}
		switch {
		case x.Op == LoadLoc:
			v = l.loadLoc(l.loc(x.Loc))
		case x.Op == ir.Shr && a.class == moving: // the number of a page
			v = l.op(ir.Shr, false, l.start(l.streams[l.stream(a)].group), l.constant(uint64(l.PageBits)), -1)
		default:
			for _, o := range [...]*int32{&x.A, &x.B, &x.C} {
				if *o >= 0 {
					*o = l.first(*o)
				}
			}
			v = l.pure(x)
		}
	}
	l.value[n] = v
	return v
}

// start is where a group of series of addresses begins, and offset where that is in its page.
func (l *looper) start(group int) int32 {
	g := &l.groups[group]
	return l.op(ir.Add, false, l.loadLoc(l.loc(g.loc)), l.constant(uint64(g.add)), -1)
}

func (l *looper) offset(group int) int32 {
	return l.op(ir.And, false, l.start(group), l.constant(1<<l.PageBits-1), -1)
}

// require leaves unless a condition holds.
func (l *looper) require(cond int32, refuse uint64) {
	if x := l.b.Nodes[cond]; x.Op == ir.And && l.b.IsBool(cond) {
		l.require(x.A, refuse)
		l.require(x.B, refuse)
		return
	}
	l.guard(l.not(cond), refuse)
}

// Refuse is the reason of the exit of Pre.
const Refuse = 1<<32 - 3

// pre builds what comes before the iterations, nil when there never are any.
func (l *looper) pre(out *Loop) *Block {
	l.begin()
	refuse := l.exit(Exit{Why: Refuse, Way: -1})
	n, enough := int32(-1), true // the iterations, and whether they are sure to be worth it
	bound := func(b int32, sure bool) { n, enough = l.least(n, b), enough && sure }
	var asked []int32
	var straight []turn
	for _, g := range l.guards {
		t, circular := l.inWindow(g.node)
		switch {
		case circular:
			straight = append(straight, t)
		case l.inPage(g.node), l.watched(g.node):
		default:
			if cond := l.first(g.node); !slices.Contains(asked, cond) {
				asked = append(asked, cond)
				l.guard(cond, refuse)
			}
		}
	}
	for _, s := range l.stays {
		if l.motion(s.node).class == steady {
			if s.want {
				l.require(l.first(s.node), refuse)
			} else {
				l.guard(l.first(s.node), refuse)
			}
			continue
		}
		if !l.watched(s.node) {
			bound(l.stay(s.condition, out, refuse))
		}
	}
	if n < 0 && len(l.watches) == 0 || l.dead {
		return nil
	}
	for _, t := range l.turns {
		if !slices.ContainsFunc(straight, func(s turn) bool { return s.choice == t.choice }) {
			return nil
		}
	}
	for _, t := range straight {
		b, ok := l.straight(t, refuse)
		if !ok {
			return nil
		}
		bound(b, b < 0)
	}
	for i := range l.groups { // all of them: some page was asked for
		b := l.inside(i, refuse)
		bound(b, b < 0)
	}
	bound(l.affordable(refuse), true)
	if !enough {
		l.guard(l.op(ir.LtU, false, n, l.constant(few), -1), refuse)
	}
	if l.dead {
		return nil
	}
	if l.limits.bounded() {
		n = l.choice(n, out)
	}
	l.keepFor(n)
	l.advance(n)
	return l.b
}

// least is the smaller one of two numbers of iterations, -1 being none.
func (l *looper) least(a, b int32) int32 {
	switch {
	case a < 0:
		return b
	case b < 0:
		return a
	}
	return l.op(ir.Select, false, l.op(ir.LtU, false, b, a, -1), b, a)
}

// choice lets iterations not clamp, of which there are n, unless too few are sure to need no clamping.
func (l *looper) choice(n int32, out *Loop) int32 {
	sure := l.unclamped(l.limits)
	clamp := l.op(ir.LtU, false, sure, l.constant(2*few), -1)
	at := l.keep()
	out.Choice = l.Locs[at]
	l.storeLoc(at, clamp)
	return l.op(ir.Select, false, clamp, n, l.least(n, sure))
}

// count is a number that moves and must compare with a bound behind each iteration.
type count struct {
	node, bound int32 // of a bound of 0 there is no node
	cond        Cond
	step        uint32
}

// counted recognises such a condition.
func (l *looper) counted(s condition) (c count, ok bool) {
	x := &l.old.Nodes[s.node]
	if x.Wide || x.Op != CmpSub && x.Op != CmpTest || x.Op == CmpTest && x.A != x.B {
		return c, false
	}
	c = count{node: x.A, bound: x.B, cond: x.Cond}
	if !s.want {
		c.cond ^= 1
	}
	m := l.motion(c.node)
	if m.class != moving {
		c.node, c.bound = c.bound, c.node
		if m = l.motion(c.node); m.class != moving {
			return c, false
		}
		switch c.cond {
		case Below, Above:
			c.cond, _ = c.cond.Mirrored()
		case Equal, NotEqual:
		default:
			return c, false
		}
	}
	if x.Op == CmpTest {
		c.bound = -1
	} else if l.motion(c.bound).class != steady {
		return c, false
	}
	c.step = l.steps[m.loc].by
	down := c.step == 1<<32-1 && (c.cond == NotEqual || c.cond == Above)
	return c, down || c.step == 1 && c.cond == NotEqual
}

// stay bounds the iterations by such a condition, and says whether they are sure to be worth it: where the loop is entered only
// when they are.
func (l *looper) stay(s condition, out *Loop, refuse uint64) (n int32, sure bool) {
	c, _ := l.counted(s)
	bound := l.constant(0)
	if c.bound >= 0 {
		bound = l.first(c.bound)
	}
	at := l.first(c.node)
	if x := &l.b.Nodes[bound]; c.step != 1 && x.Op == ir.Const && out.Count.Size == 0 {
		m := l.motion(c.node)
		least := few - 1 + int64(uint32(x.Imm)) - int64(int32(m.add))
		sure = int32(m.add) <= 0 && least < 1<<32
		out.Count, out.Few = l.from.Locs[m.loc], uint32(least)
	}
	switch {
	case sure:
	case c.cond == Above:
		l.require(l.op(ir.LtU, false, bound, at, -1), refuse)
	default:
		l.require(l.op(ir.Ne, false, at, bound, -1), refuse)
	}
	if c.step == 1 {
		return l.op(ir.Sub, false, bound, at, -1), false
	}
	return l.op(ir.Sub, false, at, bound, -1), sure
}

func pick[T any](first bool, a, b T) T {
	if first {
		return a
	}
	return b
}

// inside bounds the iterations by the page of a group of series of addresses. It returns -1 for no bound: all of them have
// the same addresses.
func (l *looper) inside(group int, refuse uint64) int32 {
	s := &l.groups[group]
	off := l.offset(group)
	last := l.constant(uint64(s.last))
	if s.last != 1<<l.PageBits-1 {
		l.guard(l.op(ir.LtU, false, last, off, -1), refuse)
	}
	if s.step == 0 {
		return -1
	}
	way, step := l.op(ir.Sub, false, last, off, -1), s.step
	if int32(step) < 0 {
		way, step = off, -step
	}
	return l.op(ir.Add, false, l.quotient(way, step), l.constant(1), -1)
}

// quotient divides a number that is less than a page by a constant.
func (l *looper) quotient(v int32, by uint32) int32 {
	if by&(by-1) == 0 {
		shift := uint64(0)
		for by>>shift > 1 {
			shift++
		}
		return l.op(ir.Shr, false, v, l.constant(shift), -1)
	}
	return l.scaled(v, 1<<32/uint64(by)+1)
}

// scaled is a number times a fraction with the denominator 2 to the power 32.
func (l *looper) scaled(v int32, fraction uint64) int32 {
	product := l.op(ir.Mul, true, v, l.constant(fraction), -1)
	return l.op(ir.Trunc, false, l.op(ir.Shr, true, product, l.constant(32), -1), -1, -1)
}

// affordable bounds the iterations by the limit, so that one more may follow.
func (l *looper) affordable(refuse uint64) int32 {
	used := l.op(ir.Trunc, false, l.loadLoc(l.locate(l.edge.Acct)), -1, -1)
	left := l.op(ir.Sub, false, l.loadLoc(l.locate(l.edge.Limit)), used, -1)
	times := l.scaled(left, 1<<32/uint64(max(l.edge.Need, 2)))
	l.guard(l.op(ir.LtU, false, times, l.constant(few+1), -1), refuse)
	return l.op(ir.Sub, false, times, l.constant(1), -1)
}

// keepFor leaves in the frame what the iterations need, n being how many they are.
func (l *looper) keepFor(n int32) {
	l.trips = l.keep()
	l.storeLoc(l.trips, l.op(ir.Neg, true, n, -1, -1))
	for i, needed := range l.needed {
		if !needed {
			continue
		}
		x := &l.old.Nodes[i]
		f, moves := flow{}, false
		if isAccess(x.Op) {
			f, moves = l.flow(x)
			if t, ok := l.lookup(x); ok {
				l.keepTable(t)
				if x.C >= 0 {
					l.keepValue(x.C)
				}
				continue
			}
		}
		if !moves {
			x.Operands(l.keepValue)
			continue
		}
		if x.C >= 0 {
			l.keepValue(x.C)
		}
		l.first(f.page)
		f = l.grouped(f)
		if _, ok := l.flows[f]; ok {
			continue
		}
		loc := l.keep()
		l.flows[f] = loc
		at := l.op(ir.Add, true, f.page, l.offset(f.stream), -1)
		step := l.groups[f.stream].step
		if _, ok := scaleOf(step); ok { // it ends where the count of iterations is 0
			at = l.op(ir.Add, true, at, l.op(ir.Mul, true, n, l.constant(uint64(step)), -1), -1)
		} else if step != 0 {
			l.paced = append(l.paced, f)
		}
		l.storeLoc(loc, at)
	}
	for _, i := range l.items {
		if l.needed[i] {
			for _, c := range l.conds[i] {
				l.keepValue(c.node)
			}
		}
	}
	l.keepMasks()
}

// grouped is the flow of a group that a flow belongs to.
func (l *looper) grouped(f flow) flow {
	return flow{stream: l.streams[f.stream].group, page: l.value[f.page]}
}

// keepValue leaves a value in the frame that does not change.
func (l *looper) keepValue(n int32) {
	if l.kept[n] != 0 || l.motion(n).class != steady {
		return
	}
	v := l.first(n)
	if op := l.b.Nodes[v].Op; op == ir.Const || op == ir.Base {
		return
	}
	loc := l.keep()
	l.kept[n] = loc + 1
	l.storeLoc(loc, v)
}

// scaleOf returns the shift of the scale that an address may have instead of a factor.
func scaleOf(step uint32) (uint8, bool) {
	switch step {
	case 1:
		return 0, true
	case 2:
		return 1, true
	case 4:
		return 2, true
	case 8:
		return 3, true
	}
	return 0, false
}

// addition names a location or memory that all iterations together add to, under a condition.
type addition struct {
	loc  int32 // -1 for memory
	at   Node  // the store to memory
	cond int32
}

// done is what iterations do together: each adds a number.
type done struct {
	addition
	each int32
}

// advance does for n iterations at once what they do to locations that no iteration needs.
func (l *looper) advance(n int32) {
	l.done = l.done[:0]
	var order []addition
	sums := map[addition]int32{} // of one iteration
	note := func(a addition, g growth, wide bool) {
		a.cond = l.together(g.conds)
		if _, ok := sums[a]; !ok {
			order = append(order, a)
			sums[a] = l.constant(0)
		}
		for _, x := range g.amounts {
			sums[a] = l.op(ir.Add, wide, sums[a], l.first(x), -1)
		}
	}
	for _, i := range l.items { // first what depends on where things were
		x := l.old.Nodes[i]
		if g, ok := l.grownIn[i]; ok {
			x.A, x.C = l.first(x.A), -1
			if x.B >= 0 {
				x.B = l.first(x.B)
			}
			note(addition{loc: -1, at: x}, g, x.Op == ir.Store64)
		}
		if x.Op == StoreLoc && !l.live[x.Loc] && l.stores[x.Loc][0] == i {
			for _, g := range l.grows[x.Loc] {
				note(addition{loc: l.loc(x.Loc)}, g, l.from.Locs[x.Loc].Size == 8)
			}
		}
	}
	always := l.constant(1)
	for _, i := range l.items {
		x := &l.old.Nodes[i]
		if x.Op == StoreLoc && l.steps[x.Loc].moves && !l.live[x.Loc] && l.stores[x.Loc][0] == i {
			l.done = append(l.done, done{addition{loc: l.loc(x.Loc), cond: always}, l.constant(uint64(l.steps[x.Loc].by))})
		}
	}
	for _, a := range order {
		l.done = append(l.done, done{a, sums[a]})
	}
	if acct := l.acct(); !l.live[acct] {
		l.done = append(l.done, done{addition{loc: l.loc(acct), cond: always}, l.constant(l.edge.Add)})
	}
	for _, d := range l.done {
		l.do(d, n, n)
	}
	l.take(n)
}

// take counts that the edge has been taken n times.
func (l *looper) take(n int32) {
	if l.edge.Taken != 0 {
		at := Node{Op: ir.Load64, Wide: true, A: -1, B: -1, C: -1, Imm: l.edge.Taken}
		sum := l.op(ir.Add, true, l.Builder.add(at), n, -1)
		l.Builder.add(Node{Op: ir.Store64, A: -1, B: -1, C: sum, Imm: l.edge.Taken})
	}
}

// undoable reports whether all that Pre does can be taken back by what is known now.
func (l *looper) undoable() bool {
	is := func(n int32, op ir.Op) bool { return l.constants[n].Op == op }
	return !slices.ContainsFunc(l.done, func(d done) bool {
		known := d.loc >= 0 || d.at.B < 0 && (d.at.A < 0 || is(d.at.A, ir.Base))
		return !known || !is(d.each, ir.Const) || !is(d.cond, ir.Const)
	})
}

// together is the truth of some conditions.
func (l *looper) together(conds []condition) int32 {
	all := l.constant(1)
	for _, c := range conds {
		v := l.first(c.node)
		if !c.want {
			v = l.not(v)
		} else if !l.b.IsBool(v) {
			v = l.op(ir.Ne, false, v, l.constant(0), -1)
		}
		all = l.op(ir.And, false, all, v, -1)
	}
	return all
}

// when builds something under a condition.
func (l *looper) when(cond int32, build func()) {
	if x := &l.b.Nodes[cond]; x.Op == ir.Const {
		if x.Imm != 0 {
			build()
		}
		return
	}
	part := l.branch(cond)
	build()
	l.otherwise(&part)
	l.end(&part)
}

// do does what n iterations do together, a number of 64 bits and one of 32.
func (l *looper) do(d done, n, short int32) {
	if d.loc >= 0 {
		wide := l.Locs[d.loc].Size == 8
		by := l.op(ir.Mul, wide, d.each, pick(wide, n, short), -1)
		l.when(d.cond, func() { l.storeLoc(d.loc, l.op(ir.Add, wide, l.loadLoc(d.loc), by, -1)) })
		return
	}
	x := d.at
	wide := x.Op == ir.Store64
	by := l.op(ir.Mul, wide, d.each, pick(wide, n, short), -1)
	l.when(d.cond, func() {
		at := Node{Op: x.Op - ir.Store8 + ir.Load8, Wide: wide, Scale: x.Scale, A: x.A, B: x.B, C: -1, Imm: x.Imm}
		x.C = l.op(ir.Add, wide, l.Builder.add(at), by, -1)
		l.Builder.add(x)
	})
}

// here is a value in Body.
func (l *looper) here(n int32) int32 {
	if l.limits != nil {
		if r := l.interval(l.limits, n); r.known && r.lo == r.hi {
			return l.constant(uint64(r.lo))
		}
		n = l.same(l.limits, n)
	}
	if l.motion(n).class != steady {
		return l.now[n]
	}
	if loc := l.kept[n]; loc != 0 {
		return l.loadLoc(loc - 1)
	}
	return l.constantOf(n)
}

// constantOf builds what Pre found to be a constant.
func (l *looper) constantOf(n int32) int32 {
	x := l.constants[l.value[n]]
	return l.pure(x)
}

// body builds an iteration, and what comes around all of them; pre is where Pre ends, nil for a block of its own. It is false when
// iterations always leave.
func (l *looper) body(pre *state) (w Way, ok bool) {
	l.begin()
	l.now = emptied(l.now, len(l.old.Nodes))
	if !l.front() {
		return w, false
	}
	var parts []open
	for i, n := range l.items {
		x := l.old.Nodes[n]
		switch x.Op {
		case ir.If:
			if l.worth(i) {
				parts = append(parts, l.branch(l.here(x.A)))
			} else {
				parts = append(parts, open{skipped: true})
			}
		case ir.Else:
			l.otherwise(&parts[len(parts)-1])
		case ir.End:
			l.end(&parts[len(parts)-1])
			parts = parts[:len(parts)-1]
		default:
			if l.needed[n] && !l.asked[n] {
				l.now[n] = l.iterate(n)
			}
		}
	}
	if acct := l.acct(); l.live[acct] {
		loc := l.loc(acct)
		l.storeLoc(loc, l.op(ir.Add, true, l.loadLoc(loc), l.constant(l.edge.Add), -1))
	}
	for _, f := range l.paced {
		loc := l.flows[f]
		by := l.constant(uint64(int64(int32(l.groups[f.stream].step))))
		l.storeLoc(loc, l.op(ir.Add, true, l.loadLoc(loc), by, -1))
	}
	l.unobserved()
	var chains [][]int32
	if len(l.watches) == 0 {
		w.Enter, w.Post, chains = l.finish(pre)
	}
	left := l.op(ir.Add, true, l.loadLoc(l.trips), l.constant(1), -1)
	l.storeLoc(l.trips, left)
	l.Builder.add(Node{Op: Repeat, A: l.op(ir.Ne, true, left, l.constant(0), -1), B: -1, C: -1})
	l.unobserved()
	l.early(chains)
	w.Body = l.b
	l.release()
	w.Stop = l.stop()
	return w, true
}

// worth reports whether a part that begins with item i has something in it that iterations do.
func (l *looper) worth(i int) bool {
	depth := len(l.conds[l.items[i]])
	for _, n := range l.items[i+1:] {
		if len(l.conds[n]) <= depth && l.old.Nodes[n].Op == ir.End {
			return false
		}
		if l.needed[n] && l.old.Nodes[n].Effect() {
			return true
		}
	}
	return false
}

// added builds a number plus terms.
func (l *looper) added(s sum) int32 {
	v := l.here(s.from)
	for _, t := range s.terms {
		v = l.op(pick(t.minus, ir.Sub, ir.Add), true, v, l.here(t.node), -1)
	}
	return l.op(ir.Add, true, v, l.constant(s.add), -1)
}

// iterate builds node n of an iteration.
func (l *looper) iterate(n int32) int32 {
	x := l.old.Nodes[n]
	if l.limits != nil {
		if s, ok := l.limits.sums[n]; ok {
			return l.added(s)
		}
	}
	if t, ok := l.turns[n]; ok {
		return l.op(ir.Add, false, l.here(t.from), l.constant(uint64(uint32(t.step))), -1)
	}
	switch {
	case x.Op == LoadLoc:
		return l.loadLoc(l.loc(x.Loc))
	case x.Op == StoreLoc:
		l.storeLoc(l.loc(x.Loc), l.here(x.A))
		return -1
	case isAccess(x.Op):
		if t, ok := l.lookup(&x); ok {
			index, scale := l.index(t)
			x.A, x.B, x.Scale = l.loadLoc(l.lookups[t]), l.here(index), scale
			if x.C >= 0 {
				x.C = l.here(x.C)
			}
			return l.Builder.add(x)
		}
		f, moves := l.flow(&x)
		if !moves {
			break
		}
		x.A, x.B = l.loadLoc(l.flows[l.grouped(f)]), -1
		x.Imm += uint64(l.streams[f.stream].at)
		if scale, ok := scaleOf(l.streams[f.stream].step); ok {
			x.Scale, x.B = scale, l.loadLoc(l.trips)
		}
		if x.C >= 0 {
			x.C = l.here(x.C)
		}
		return l.Builder.add(x)
	}
	for _, o := range [...]*int32{&x.A, &x.B, &x.C} {
		if *o >= 0 {
			*o = l.here(*o)
		}
	}
	switch {
	case x.Effect() || IsLoad(x.Op):
		return l.Builder.add(x)
	case l.limits == nil, x.Op == ir.FlagsAdd, x.Op == ir.FlagsSub: // these have lost an operand
		return l.pure(x)
	case x.Op < ir.NumOps: // some operands may be constant now
		return l.op(x.Op, x.Wide, x.A, x.B, x.C)
	case x.Op == CmpTest && x.A == x.B && l.isConst(x.A) && x.Cond&^1 == Equal:
		return l.constant(b2u((l.b.Nodes[x.A].Imm == 0) == (x.Cond == Equal)))
	}
	return l.pure(x)
}
