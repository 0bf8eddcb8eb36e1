package ssa

import (
	"cmp"
	"math/bits"
	"slices"

	"arcv2dsp/cpu/internal/jit/ir"
)

// Loop is a block that leads to itself, made to run many times in a row. Pre finds out how many iterations
// can follow each other with nothing to ask in between, and does once for all of them what they do to
// counts and pointers; it leaves by its exit, with nothing changed, when they are too few. Execution goes on
// where the block begins.
type Loop struct {
	Pre    *Block
	Ways   []Way // the second one is for when Choice is not 0
	Choice Loc
	Locs   []Loc
	Frame  int // locations of the frame
	Count  Loc // what bounds the iterations, Size 0 when there is no single one: with Few or less
	Few    uint32
	Areas  []Area // where tables must be
}

// Way holds the code of iterations. Body executes the part of one that Pre leaves, and ends with Repeat; Enter, if
// there is one, comes before the first, and Post behind the last. Stop comes behind an exit for which iterations Stopped.
type Way struct {
	Enter, Body, Post, Stop *Block
}

// Again is how a block leads to itself.
type Again struct {
	Way   int
	Add   uint64 // what it adds to the count of what has been executed
	Acct  Loc    // that count
	Limit Loc    // the greatest one, its lower half
	Need  uint32 // what must be left of the limit to enter the block
	Taken uint64 // address of a number that counts how often, 0 for none
	Long  bool   // it does so many times in a row, so that it pays to ask in each iteration whether it may go on
}

// few is the number of iterations that are not worth preparing for.
const few = 3

// class says how a value changes from one iteration to the next.
type class uint8

const (
	varying class = iota
	steady        // not at all
	moving        // by a constant: it is a location at the start of the loop, plus a constant
	within        // the same, of a moving address the part inside a page
	near          // an address in a table
	inside        // of that, the part inside a page
)

// motion says how a value moves.
type motion struct {
	class
	loc    int32
	add    uint32
	stream int // of values within a page

	base, index int32 // nodes of an address in a table, which is their sum plus add
}

// stream is a series of addresses that stay in one page.
type stream struct {
	loc       int32
	add, step uint32
	last      uint32 // greatest offset in the page

	group int    // one that has it
	at    uint32 // how far it is behind the group
}

// flow is the series of addresses of an access: a stream, and the page it is in. Behind Pre the stream is a group
// and the page a value of Pre.
type flow struct {
	stream int
	page   int32
}

// condition is that of a part of the iteration.
type condition struct {
	node int32
	want bool
}

// growth is a sum that an iteration adds to something, under conditions that do not change.
type growth struct {
	amounts []int32 // nodes to add up
	conds   []condition
}

// looper makes a loop of a block.
type looper struct {
	*Builder // of the loop's blocks
	from     *Builder
	old      *Block
	edge     *Again

	items  []int32       // the nodes on the way through an iteration
	conds  [][]condition // of the parts each node is in
	stays  []watch
	guards []watch

	owner     []int32   // by field, the stored location that it is of, plus 1, -1 for several
	stores    [][]int32 // by location
	scratched [][]int32 // by field, stores to those that nothing reads behind the iteration
	motions   []motion
	known     []bool
	steps     []step // by location
	streams   []stream
	groups    []stream // that streams near each other are in, all in one page
	byPlace   map[stream]int
	areas     []area
	turns     map[int32]turn // by what the pointers become

	grows   [][]growth       // by location, nil for those that do more than grow
	grownIn map[int32]growth // by stores to memory that only make grow
	taken   map[int32]bool   // loads of what only grows there
	watches []watch
	asked   []bool // by node, whether a watch needs it
	done    []done // by Pre
	live    []bool // by location: it moves or grows, and an iteration needs it
	needed  []bool

	value     []int32          // by node, the value in Pre, 0 for none
	now       []int32          // and in Body
	kept      []int32          // and its location in the frame, plus 1
	flows     map[flow]int32   // and by series of addresses
	lookups   map[lookup]int32 // and by accesses of tables
	trips     int32            // the location that counts iterations up to 0
	paced     []flow           // those that do not follow that count
	limits    *limits          // nil when iterations clamp
	frame     int
	constants []Node // of Pre

	tables []*values // for the blocks of a loop
	inUse  int       // tables of them
	uses   []int32   // of the nodes of an iteration
	forms  []int32   // by field, the location it is accessed as, plus 1, -1 for several
	marks  []bool    // by field
	tail   tail
	moved  []bool  // while nodes are put in another order
	placed []int32 // and where they are in it
	spare  []Node  // memory for that
}

// step is what an iteration adds to a location that moves.
type step struct {
	moves bool
	by    uint32
}

// looper returns the maker of loops, empty.
func (w *Builder) looper(b *Block, edge *Again) *looper {
	if w.loops == nil {
		w.loops = &looper{
			byPlace: map[stream]int{}, turns: map[int32]turn{}, grownIn: map[int32]growth{}, taken: map[int32]bool{},
			flows: map[flow]int32{}, lookups: map[lookup]int32{},
		}
	}
	l, n := w.loops, len(b.Nodes)
	l.Builder, l.from, l.old, l.edge = w.within(), w, b, edge
	l.items, l.stays, l.guards, l.paced = l.items[:0], l.stays[:0], l.guards[:0], l.paced[:0]
	l.streams, l.groups, l.areas = l.streams[:0], l.groups[:0], l.areas[:0]
	l.conds, l.motions = emptied(l.conds, n), emptied(l.motions, n)
	l.known, l.needed = emptied(l.known, n), emptied(l.needed, n)
	l.value, l.kept = emptied(l.value, n), emptied(l.kept, n)
	l.inUse, l.frame, l.trips = 0, 0, 0
	l.acct() // so that all locations of the block are there
	locs, fields := len(w.Locs), len(w.fields)
	l.owner, l.stores, l.scratched = emptied(l.owner, fields), lists(l.stores, locs), lists(l.scratched, fields)
	l.steps, l.grows, l.live = emptied(l.steps, locs), emptied(l.grows, locs), emptied(l.live, locs)
	clear(l.byPlace)
	clear(l.turns)
	clear(l.grownIn)
	clear(l.taken)
	clear(l.flows)
	clear(l.lookups)
	return l
}

// emptied returns a list of n zero elements, in the memory of an old one if it is enough.
func emptied[T any](old []T, n int) []T {
	list := slices.Grow(old[:0], n)[:n]
	clear(list)
	return list
}

// lists returns n empty lists, in the memory of old ones.
func lists(old [][]int32, n int) [][]int32 {
	for len(old) < n {
		old = append(old, nil)
	}
	for i := range n {
		old[i] = old[i][:0]
	}
	return old
}

// Loop makes a loop of a block that leads to itself. False means that an iteration asks for more than
// numbers that are known before.
func (w *Builder) Loop(b *Block, edge *Again) (*Loop, bool) {
	l := w.looper(b, edge)
	if leads, ok := l.walk(0, len(b.Nodes), nil); !ok || !leads {
		return nil, false
	}
	l.findSteps()
	for _, n := range l.items { // now, so that all series of addresses are known
		l.motion(n)
	}
	if !l.findGrowth() || !l.findWatches() || !l.findNeeded() {
		return nil, false
	}
	l.findGroups()
	out := &Loop{}
	if l.limits = nil; len(l.watches) == 0 {
		l.limits = l.findLimits()
	}
	if !l.findAreas(out) {
		return nil, false
	}
	if out.Pre = l.pre(out); out.Pre == nil {
		return nil, false
	}
	l.constants = l.b.Nodes
	if len(l.watches) > 0 && !l.undoable() {
		return nil, false
	}
	pre := l.pause()
	way, ok := l.body(&pre)
	if !ok {
		return nil, false
	}
	out.Ways = append(out.Ways, way)
	if l.limits.bounded() {
		l.limits = nil
		way, _ = l.body(nil)
		out.Ways = append(out.Ways, way)
	}
	l.resume(pre)
	l.release()
	out.Locs, out.Frame = l.Locs, l.frame
	return out, true
}

// parts returns the places of the Else and the End that belong to an If.
func (l *looper) parts(i int) (otherwise, end int) {
	depth := 0
	for k := i + 1; ; k++ {
		switch l.old.Nodes[k].Op {
		case ir.If:
			depth++
		case ir.Else:
			if depth == 0 {
				otherwise = k
			}
		case ir.End:
			if depth == 0 {
				return otherwise, k
			}
			depth--
		}
	}
}

// leaves reports whether no way through some nodes reaches their end, and whether some lead to the next
// iteration.
func (l *looper) leaves(from, to int) (always, again bool) {
	for i := from; i < to; i++ {
		switch x := &l.old.Nodes[i]; x.Op {
		case ir.Leave:
			return true, int(x.Imm) == l.edge.Way
		case ir.LeaveTo, ir.Exit:
			return true, again
		case ir.If:
			otherwise, end := l.parts(i)
			a1, g1 := l.leaves(i+1, otherwise)
			a2, g2 := l.leaves(otherwise+1, end)
			again = again || g1 || g2
			if a1 && a2 {
				return true, again
			}
			i = end
		}
	}
	return false, again
}

// walk lists what is on the way to the next iteration. It reports whether the way gets there, and whether
// there is no other way.
func (l *looper) walk(from, to int, conds []condition) (leads, ok bool) {
	for i := from; i < to; i++ {
		x := &l.old.Nodes[i]
		l.conds[i] = conds
		switch x.Op {
		case ir.Leave:
			return true, int(x.Imm) == l.edge.Way && len(conds) == 0
		case ir.LeaveTo, ir.Exit:
			return false, false
		case ir.Guard:
			if len(conds) > 0 {
				return false, false
			}
			l.guards = append(l.guards, watch{condition: condition{x.A, false}, at: int32(i)})
		case ir.If:
			otherwise, end := l.parts(i)
			l.conds[otherwise], l.conds[end] = conds, conds
			a1, g1 := l.leaves(i+1, otherwise)
			a2, g2 := l.leaves(otherwise+1, end)
			switch {
			case a1 && !g1 && len(conds) == 0: // the first part leads out
				l.stays = append(l.stays, watch{condition: condition{x.A, false}, at: int32(i)})
				if leads, ok := l.walk(otherwise+1, end, nil); !ok || leads {
					return leads, ok
				}
			case a2 && !g2 && len(conds) == 0:
				l.stays = append(l.stays, watch{condition: condition{x.A, true}, at: int32(i)})
				if leads, ok := l.walk(i+1, otherwise, nil); !ok || leads {
					return leads, ok
				}
			case !a1 && !a2: // both come together again
				yes := append(slices.Clone(conds), condition{x.A, true})
				no := append(slices.Clone(conds), condition{x.A, false})
				l.items = append(l.items, int32(i))
				if _, ok := l.walk(i+1, otherwise, yes); !ok {
					return false, false
				}
				l.items = append(l.items, int32(otherwise))
				if _, ok := l.walk(otherwise+1, end, no); !ok {
					return false, false
				}
				l.items = append(l.items, int32(end))
			default:
				return false, false
			}
			i = end
		default:
			l.items = append(l.items, int32(i))
		}
	}
	return false, true
}

// loc is a location of the block as one of the loop.
func (l *looper) loc(n int32) int32 { return l.locate(l.from.Locs[n]) }

// findSteps finds the locations that each iteration adds a constant to.
func (l *looper) findSteps() {
	for _, n := range l.items {
		if x := &l.old.Nodes[n]; x.Op == StoreLoc {
			l.stores[x.Loc] = append(l.stores[x.Loc], n)
			fields, some := l.from.spans[x.Loc].fields()
			for _, c := range fields[:some] {
				if l.scratch(x.Loc) {
					l.scratched[c] = append(l.scratched[c], n)
				}
				if o := l.owner[c]; o != 0 && o != x.Loc+1 {
					l.owner[c] = -1
				} else {
					l.owner[c] = x.Loc + 1
				}
			}
		}
	}
	acct := l.acct()
	at := l.from.spans[acct]
	l.owner[at.first], l.owner[at.second] = acct+1, acct+1
	for k, stores := range l.stores[:len(l.steps)] {
		loc := int32(k)
		if len(stores) > 0 && l.alone(loc) && l.from.Locs[loc].Size == 4 && !slices.ContainsFunc(stores, func(s int32) bool { return !l.steppedBy(loc, s) }) {
			l.steps[loc] = step{moves: true, by: l.stepOf(stores[len(stores)-1])}
		}
	}
}

// steppedBy reports whether a store always adds a constant to what its location is before the iteration.
func (l *looper) steppedBy(loc, store int32) bool {
	from, _ := l.advanced(l.old.Nodes[store].A)
	v := &l.old.Nodes[from]
	return len(l.conds[store]) == 0 && v.Op == LoadLoc && v.Loc == loc && from < l.stores[loc][0]
}

// stepOf is the constant that such a store adds, 0 when it brings back what the location was.
func (l *looper) stepOf(store int32) uint32 {
	_, by := l.advanced(l.old.Nodes[store].A)
	return by
}

// alone reports whether nothing but the stores to a location changes part of it.
func (l *looper) alone(loc int32) bool {
	at := l.from.spans[loc]
	return l.owner[at.first] == loc+1 && l.owner[at.second] == loc+1
}

// unchanged reports whether an iteration changes no part of a location.
func (l *looper) unchanged(loc int32) bool {
	at := l.from.spans[loc]
	return l.owner[at.first] == 0 && l.owner[at.second] == 0
}

// motion classifies a node.
func (l *looper) motion(n int32) *motion {
	m := &l.motions[n]
	if !l.known[n] {
		l.known[n] = true // the operands come before
		*m = l.classify(n)
	}
	return m
}

func (l *looper) classify(n int32) motion {
	x := &l.old.Nodes[n]
	switch x.Op {
	case ir.Const, ir.Base:
		return motion{class: steady}
	case LoadLoc:
		if l.unchanged(x.Loc) {
			return motion{class: steady}
		}
		if !l.steps[x.Loc].moves {
			return motion{}
		}
		m := motion{class: moving, loc: x.Loc}
		for _, s := range l.stores[x.Loc] {
			if s < n {
				m.add = l.stepOf(s)
			}
		}
		return m
	case ir.Load8, ir.Load16, ir.Load32, ir.Load64, LoadX8, LoadX16:
		if len(l.conds[n]) > 0 || !l.readsFixed(x) {
			return motion{}
		}
	case ir.DivU, ir.DivS, ir.RemU, ir.RemS:
		return motion{}
	}
	if x.Effect() {
		return motion{}
	}
	if t, ok := l.circular(n); ok {
		if a := *l.motion(t.from); a.class == moving {
			a.add += uint32(t.step)
			l.turns[n] = t
			return a
		}
	}
	if x.B >= 0 && l.old.Nodes[x.B].Op == ir.Const && !x.Wide {
		switch a, by := *l.motion(x.A), l.old.Nodes[x.B].Imm; a.class {
		case near:
			return l.ofTable(a, x, by)
		case moving:
			step := l.steps[a.loc].by
			low := uint64(1)<<bits.TrailingZeros32(step) - 1 // bits that no step changes
			page := uint64(1)<<l.PageBits - 1
			switch {
			case x.Op == ir.Add:
				a.add += uint32(by)
				return a
			case x.Op == ir.Shr && by == uint64(l.PageBits):
				l.stream(a)
				return motion{class: steady}
			case x.Op == ir.And && by == page:
				a.class, a.stream = within, l.stream(a)
				return a
			case (x.Op == ir.And || x.Op == CmpTest) && by&^low == 0:
				return motion{class: steady}
			}
			return motion{}
		}
	}
	same := true
	x.Operands(func(o int32) { same = same && l.motion(o).class == steady })
	if same {
		return motion{class: steady}
	}
	if x.Op == ir.Add && !x.Wide {
		return l.table(x)
	}
	return motion{}
}

// readsFixed reports whether a load is of something that compiled code does not change.
func (l *looper) readsFixed(x *Node) bool {
	if x.A < 0 || l.old.Nodes[x.A].Op != ir.Base {
		return false
	}
	base := l.old.Nodes[x.A].Imm
	if base > 1 {
		return l.Pure[base]
	}
	_, how := l.Frozen(uint32(base), uint32(x.Imm), 4)
	return how == Fixed
}

// stream is the series of addresses that a moving value is.
func (l *looper) stream(m motion) int {
	k := stream{loc: m.loc, add: m.add, step: l.steps[m.loc].by}
	n, ok := l.byPlace[k]
	if !ok {
		n = len(l.streams)
		l.byPlace[k] = n
		k.last = 1<<l.PageBits - 1
		l.streams = append(l.streams, k)
	}
	return n
}

// Streams are in one group when their distances are not more than these.
const (
	farthest = 1024
	widest   = 256 // between neighbours
)

// findGroups groups the streams.
func (l *looper) findGroups() {
	for _, g := range l.guards {
		l.inPage(g.node)
	}
	order := make([]int, len(l.streams))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		x, y := &l.streams[a], &l.streams[b]
		return cmp.Or(cmp.Compare(x.loc, y.loc), cmp.Compare(int32(x.add), int32(y.add)))
	})
	before := uint32(0)
	for _, i := range order {
		s := &l.streams[i]
		if n := len(l.groups) - 1; n < 0 || l.groups[n].loc != s.loc || s.add-l.groups[n].add > farthest || s.add-before > widest {
			l.groups = append(l.groups, stream{loc: s.loc, add: s.add, step: s.step, last: s.last})
		}
		before = s.add
		s.group = len(l.groups) - 1
		g := &l.groups[s.group]
		s.at = s.add - g.add
		g.last = min(g.last, max(s.last, s.at)-s.at)
	}
}

// inPage recognises the question whether an address is too near to the end of its page, and bounds the
// series of addresses by the answer.
func (l *looper) inPage(cond int32) bool {
	x := &l.old.Nodes[cond]
	if x.Op != CmpSub || x.Wide {
		return false
	}
	v, bound, c := x.A, x.B, x.Cond
	if l.old.Nodes[v].Op == ir.Const {
		if v, bound = bound, v; c == Below {
			c = Above
		} else {
			return false
		}
	}
	m := l.motion(v)
	if c != Above || m.class != within && m.class != inside || l.old.Nodes[bound].Op != ir.Const {
		return false
	}
	if m.class == inside {
		a := l.area(*m)
		a.last = min(a.last, uint32(l.old.Nodes[bound].Imm))
		return true
	}
	s := &l.streams[m.stream]
	s.last = min(s.last, uint32(l.old.Nodes[bound].Imm))
	return true
}

// findGrowth finds what is only added to, by amounts that do not change.
func (l *looper) findGrowth() bool {
	for k, stores := range l.stores[:len(l.steps)] {
		loc := int32(k)
		if len(stores) == 0 || l.steps[loc].moves || !l.alone(loc) {
			continue
		}
		var list []growth
		before := int32(-1)
		for _, s := range stores {
			g, ok := l.grown(loc, s, before)
			if !ok {
				list = nil
				break
			}
			list = append(list, g)
			before = s
		}
		if list != nil {
			l.grows[loc] = list
		}
	}
	acct := l.acct()
	if len(l.stores[acct]) == 0 {
		l.grows[acct] = []growth{}
	}
	l.live[acct] = l.grows[acct] == nil
	return l.growthInMemory()
}

// acct is the location of the count of what has been executed.
func (l *looper) acct() int32 { return l.from.locate(l.edge.Acct) }

func (l *looper) allSteady(conds []condition) bool {
	return !slices.ContainsFunc(conds, func(c condition) bool { return l.motion(c.node).class != steady })
}

// grown returns what a store adds to its location, the store before it being known.
func (l *looper) grown(loc, store, before int32) (g growth, ok bool) {
	wide := l.from.Locs[loc].Size == 8
	v := l.old.Nodes[store].A
	for {
		if before >= 0 && v == l.old.Nodes[before].A && len(l.conds[before]) == 0 {
			break
		}
		x := &l.old.Nodes[v]
		if x.Op == LoadLoc && x.Loc == loc && v > before {
			break
		}
		if x.Op != ir.Add || x.Wide != wide || l.motion(x.B).class != steady {
			return g, false
		}
		g.amounts = append(g.amounts, x.B)
		v = x.A
	}
	g.conds = l.conds[store]
	return g, l.allSteady(g.conds)
}

// growthInMemory finds stores to objects 0 and 1 that only make grow; others at unknown places of them
// could change locations.
func (l *looper) growthInMemory() bool {
	for _, n := range l.items {
		x := &l.old.Nodes[n]
		if x.Op < ir.Store8 || x.Op > ir.Store64 || x.A < 0 || l.old.Nodes[x.A].Op != ir.Base || l.old.Nodes[x.A].Imm > 1 {
			continue
		}
		v := &l.old.Nodes[x.C]
		if v.Op != ir.Add || l.motion(v.B).class != steady || x.B >= 0 && l.motion(x.B).class != steady || !l.allSteady(l.conds[n]) {
			return false
		}
		from := &l.old.Nodes[v.A]
		if from.Op-ir.Load8 != x.Op-ir.Store8 || from.A != x.A || from.B != x.B || from.Scale != x.Scale || from.Imm != x.Imm {
			return false
		}
		l.taken[v.A] = true
		l.grownIn[n] = growth{amounts: []int32{v.B}, conds: l.conds[n]}
	}
	return true
}

// onward reports whether a location changes in a way that Pre takes care of, unless an iteration needs it.
func (l *looper) onward(loc int32) bool {
	return l.steps[loc].moves || l.grows[loc] != nil
}

// findNeeded finds the nodes that each iteration has to execute.
func (l *looper) findNeeded() bool {
	ok := true
	var need func(n int32)
	need = func(n int32) {
		if l.motion(n).class == steady || l.needed[n] {
			return
		}
		l.needed[n] = true
		x := &l.old.Nodes[n]
		if l.taken[n] {
			ok = false
			return
		}
		if t, ok := l.turns[n]; ok {
			need(t.from)
			return
		}
		switch {
		case x.Op == LoadLoc && l.scratch(x.Loc):
			fields, some := l.from.spans[x.Loc].fields()
			for _, c := range fields[:some] {
				for _, s := range l.scratched[c] {
					l.live[l.old.Nodes[s].Loc] = true
					need(s)
				}
			}
		case x.Op == LoadLoc: // of one that changes, or of a longer one that it is half of
			fields, some := l.from.spans[x.Loc].fields()
			for _, c := range fields[:some] {
				loc := l.owner[c] - 1
				if loc < 0 || !l.onward(loc) || l.live[loc] {
					continue
				}
				l.live[loc] = true
				for _, s := range l.stores[loc] {
					need(s)
				}
			}
		case isAccess(x.Op):
			_, moves := l.flow(x)
			t, looksUp := l.lookup(x)
			if looksUp {
				index, _ := l.index(t)
				need(index)
			}
			if moves || looksUp {
				if x.C >= 0 {
					need(x.C)
				}
				return
			}
		}
		x.Operands(need)
	}
	for _, n := range l.items {
		x := &l.old.Nodes[n]
		_, grown := l.grownIn[n]
		if !x.Effect() || grown || x.Op == StoreLoc && (l.onward(x.Loc) || l.scratch(x.Loc)) ||
			x.Op == ir.If || x.Op == ir.Else || x.Op == ir.End {
			continue
		}
		need(n)
	}
	for _, w := range l.watches {
		need(w.test)
	}
	for _, n := range l.items { // and the conditions under which
		if l.needed[n] {
			for _, c := range l.conds[n] {
				need(c.node)
			}
		}
	}
	return ok
}

// scratch reports whether nothing reads a location behind the iteration. A store there is needed if the iteration reads it.
func (l *looper) scratch(loc int32) bool {
	x := &l.from.Locs[loc]
	return l.Builder.scratch(x.Base, x.Off)
}

// isAccess reports whether an operation loads from memory or stores there.
func isAccess(op ir.Op) bool { return IsLoad(op) || op >= ir.Store8 && op <= ir.Store64 }

// flow recognises an access of a page at an address that moves.
func (l *looper) flow(x *Node) (flow, bool) {
	if x.A < 0 || x.B < 0 || x.Scale != 0 {
		return flow{}, false
	}
	a, b := l.motion(x.A), l.motion(x.B)
	switch {
	case a.class == steady && b.class == within:
		return flow{stream: b.stream, page: x.A}, true
	case b.class == steady && a.class == within:
		return flow{stream: a.stream, page: x.B}, true
	}
	return flow{}, false
}
