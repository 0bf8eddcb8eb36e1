package code

import (
	"slices"

	"arcv2dsp/cpu/internal/jit/ir"
	"arcv2dsp/cpu/internal/jit/ssa"
)

// plan is the order in which the nodes of a block are emitted, and where their values are.
type plan struct {
	b        *ssa.Block
	order    []int32
	of       []usage // by node
	Deferred []bool  // comparisons that are made where they are tested
	Where    []Place
	Placed   []bool
	frame    int
	*scratch
}

// usage says how a node is used.
type usage struct {
	pos  int32 // place in order, -1 when the node is not emitted
	last int32 // place of the last use
	uses int32

	made, need, data bool // while the order is found: in it, needed, needed as a number
}

// scratch is what all units and plans need while they are made.
type scratch struct {
	regs    *Registers
	free    []Reg
	active  []int32
	fences  []int32
	until   []int32    // when the values in the places of the frame have been used last
	lent    [256]int32 // by register of a location that nothing is in yet: until when values may be there; 0 for none
	stores  [][]int32  // places in order, by location
	readers [][]int32  // values in the register of a location
}

// lists returns empty lists for n locations.
func lists(old [][]int32, n int) [][]int32 {
	for len(old) < n {
		old = append(old, nil)
	}
	for i := range n {
		old[i] = old[i][:0]
	}
	return old
}

// Slots is how many values the stack frame holds. The last place is for those who write instructions.
const Slots = 248

// Place is where a value is: in a register, or in memory behind where a register leads.
type Place struct {
	Mem   bool
	Short bool // four bytes of memory, not eight
	Reg   Reg
	Disp  int32
}

// In is the place in a register.
func In(r Reg) Place { return Place{Reg: r} }

// At is a place in memory.
func At(r Reg, disp int32) Place { return Place{Mem: true, Reg: r, Disp: disp} }

// Slot is a place in the stack frame: above the return address.
func (r *Registers) Slot(n int) Place { return At(r.Stack, int32(8+8*n)) }

// Home is where a location is in memory.
func (r *Registers) Home(l ssa.Loc) Place {
	if l.Base == ssa.Frame {
		return r.Slot(int(l.Off / 8))
	}
	home := At(r.Bases[l.Base], int32(l.Off))
	home.Short = l.Size == 4
	return home
}

// make decides what is emitted, and in which order.
func (p *plan) make(b *ssa.Block) {
	n := len(b.Nodes)
	p.b, p.order = b, slices.Grow(p.order[:0], n)
	p.of, p.Deferred = sized(p.of, n), sized(p.Deferred, n)
	for i := n - 1; i >= 0; i-- {
		x, of := &b.Nodes[i], &p.of[i]
		of.pos = -1
		if of.need = of.need || x.Effect(); !of.need {
			continue
		}
		p.Deferred[i] = !of.data && b.IsTest(int32(i))
		for _, o := range [...]int32{x.A, x.B, x.C} {
			if o < 0 {
				continue
			}
			y := &p.of[o]
			y.need = true
			y.uses++
			y.data = y.data || !p.tests(int32(i), o)
		}
	}
	// Values are made right before they are first needed. Loads stay where they are, in loops up to the next store to
	// memory, and so does everything in front of a branch.
	loop := n > 0 && b.Nodes[n-1].Op == ssa.Repeat
	flushed, loaded := 0, 0
	for i := range n {
		if !p.of[i].need {
			continue
		}
		switch x := &b.Nodes[i]; {
		case x.Op == ir.If, x.Op == ir.Else, x.Op == ir.End:
			for ; flushed < i; flushed++ {
				if p.of[flushed].need {
					p.demand(int32(flushed))
				}
			}
			p.demand(int32(i))
		case loop && ssa.IsLoad(x.Op) && !p.ofObject(x):
		case isEffect(x):
			if loop && x.Op >= ir.Store8 && x.Op <= ir.Store64 {
				for ; loaded < i; loaded++ {
					if p.of[loaded].need && ssa.IsLoad(b.Nodes[loaded].Op) {
						p.demand(int32(loaded))
					}
				}
			}
			p.demand(int32(i))
		}
	}
}

// ofObject reports whether a load is of an object that locations may be part of.
func (p *plan) ofObject(x *ssa.Node) bool {
	return x.A < 0 || p.b.Nodes[x.A].Op == ir.Base && p.b.Nodes[x.A].Imm <= 1
}

// demand puts a node in order, behind what it needs.
func (p *plan) demand(i int32) {
	of := &p.of[i]
	if of.made {
		return
	}
	of.made = true
	x := &p.b.Nodes[i]
	for _, o := range [...]int32{x.A, x.B, x.C} {
		if o >= 0 {
			p.demand(o)
		}
	}
	if x.Op != ir.Const && x.Op != ir.Base && !p.Deferred[i] {
		of.pos = int32(len(p.order))
		p.order = append(p.order, i)
		p.operands(x, of.pos)
	}
}

// operands notes that the operands of a node are used.
func (p *plan) operands(x *ssa.Node, at int32) {
	for _, o := range [...]int32{x.A, x.B, x.C} {
		switch {
		case o < 0:
		case p.Deferred[o]:
			p.operands(&p.b.Nodes[o], at)
		default:
			p.of[o].last = at
		}
	}
}

// tests reports whether node i only tests the truth value o.
func (p *plan) tests(i, o int32) bool {
	x := &p.b.Nodes[i]
	if !p.b.IsTest(o) {
		return false
	}
	switch x.Op {
	case ir.If, ir.Guard, ssa.Repeat:
		return true
	case ir.Select:
		op := p.b.Nodes[o].Op
		return o == x.A && o != x.B && o != x.C && op != ir.And && op != ir.Or
	case ir.And, ir.Or:
		return p.Deferred[i]
	case ir.Add: // of a carry and a number
		return p.carry(o) && x.A != x.B && (o == x.B || p.b.Nodes[x.B].Op != ir.Const && !p.carry(x.B))
	}
	return false
}

// Carry finds the operand of a sum that is a comparison made here, and what it is added to.
func (p *plan) Carry(sum *ssa.Node) (carry, to int32, ok bool) {
	if p.Deferred[sum.A] {
		return sum.A, sum.B, true
	}
	return sum.B, sum.A, p.Deferred[sum.B]
}

// carry reports whether a truth value can be a carry of the host.
func (p *plan) carry(n int32) bool {
	x := &p.b.Nodes[n]
	return x.Cond == ssa.Below && (x.Op == ssa.CmpSub || x.Op == ssa.CmpAdd || x.Op == ssa.CmpBit)
}

// lend finds the registers of locations that other values may be in at the beginning of a block: those of the frame, with
// which a unit does not begin, until the block writes them.
func (p *plan) lend(first bool, locs []ssa.Loc, pinned []Reg) {
	clear(p.lent[:])
	if !first {
		return
	}
	for k, i := range p.order {
		x := &p.b.Nodes[i]
		if x.Op != ssa.StoreLoc && x.Op != ssa.LoadLoc || locs[x.Loc].Base != ssa.Frame || pinned[x.Loc] == NoReg {
			continue
		}
		if r := pinned[x.Loc]; p.lent[r] == 0 {
			p.lent[r] = -1
			if x.Op == ssa.StoreLoc {
				p.lent[r] = int32(k)
			}
		}
	}
}

// occupied ends loans where values that are in the register of a location are made.
func (p *plan) occupied() {
	for k, i := range p.order {
		if w := p.Where[i]; p.Placed[i] && !w.Mem && p.lent[w.Reg] > int32(k) {
			p.lent[w.Reg] = int32(k)
		}
	}
}

// take takes a free register in which a value may be until it is used last, one of a location only if there is no other.
func (p *plan) take(free []Reg, last int32) (Reg, []Reg, bool) {
	best := -1
	for n := len(free) - 1; n >= 0; n-- {
		until := p.lent[free[n]]
		if until == 0 {
			best = n
			break
		}
		if best < 0 && until >= last {
			best = n
		}
	}
	if best < 0 {
		return 0, free, false
	}
	r := free[best]
	return r, append(free[:best], free[best+1:]...), true
}

// allocate gives each value a register or a place in the frame behind those in use. It returns how many are in
// the frame.
func (p *plan) allocate(used int, locs []ssa.Loc, pinned []Reg, temps []Reg) (spills int, ok bool) {
	n := len(p.b.Nodes)
	p.Where, p.Placed = sized(p.Where, n), sized(p.Placed, n)
	p.frame, p.until = used, p.until[:0]
	p.inPins(pinned)
	p.inMemory(locs, pinned)
	p.occupied()
	free := append(p.free[:0], temps...)
	slices.Reverse(free)
	for _, r := range pinned {
		if r != NoReg && p.lent[r] > 0 {
			free = append(free, r)
		}
	}
	active := p.active[:0]
	defer func() { p.free, p.active = free, active }()
	for k, i := range p.order {
		x := &p.b.Nodes[i]
		live := active[:0]
		for _, o := range active {
			if p.of[o].last <= int32(k) {
				free = append(free, p.Where[o].Reg)
			} else {
				live = append(live, o)
			}
		}
		active = live
		if x.Effect() || p.Placed[i] {
			continue
		}
		if r, rest, ok := p.take(free, p.of[i].last); ok {
			p.Where[i], p.Placed[i], free = In(r), true, rest
			active = append(active, i)
			continue
		}
		victim := -1
		for a, o := range active {
			if p.of[o].last > p.of[i].last && (victim < 0 || p.of[o].last > p.of[active[victim]].last) {
				victim = a
			}
		}
		if victim < 0 {
			if !p.atHome(i, locs, pinned) {
				if !p.spill(i, used) {
					return 0, false
				}
				spills++
			}
			continue
		}
		o := active[victim]
		p.Where[i], p.Placed[i] = p.Where[o], true
		if !p.atHome(o, locs, pinned) {
			if !p.spill(o, used) {
				return 0, false
			}
			spills++
		}
		active[victim] = i
	}
	return spills, true
}

// spill puts a value into the frame, where nothing has been since the value was made.
func (p *plan) spill(i int32, used int) bool {
	n := slices.IndexFunc(p.until, func(last int32) bool { return last < p.of[i].pos })
	if n < 0 {
		n = len(p.until)
		p.until = append(p.until, 0)
	}
	p.until[n] = p.of[i].last
	p.Where[i], p.Placed[i] = p.regs.Slot(used+n), true
	p.frame = used + len(p.until)
	return p.frame < Slots
}

// atHome leaves a value where it is the value of a location without register for as long as it is used: one that is read there, or one
// that is written there as soon as it is made. To spill it costs nothing.
func (p *plan) atHome(i int32, locs []ssa.Loc, pinned []Reg) bool {
	x, from := &p.b.Nodes[i], p.of[i].pos+1
	loc := x.Loc
	if x.Op != ssa.LoadLoc {
		if int(from) >= len(p.order) {
			return false
		}
		store := &p.b.Nodes[p.order[from]]
		if loc = store.Loc; store.Op != ssa.StoreLoc || store.A != i || x.Long() && locs[loc].Size != 8 {
			return false
		}
		from++
	}
	if pinned[loc] != NoReg || p.changes(&locs[loc], locs, from, p.of[i].last) {
		return false
	}
	p.Where[i], p.Placed[i] = p.regs.Home(locs[loc]), true
	return true
}

// changes reports whether something at places from to end, without that, may write to a location.
func (p *plan) changes(l *ssa.Loc, locs []ssa.Loc, from, end int32) bool {
	for _, o := range p.order[from:max(from, min(end, int32(len(p.order))))] {
		switch y := &p.b.Nodes[o]; {
		case y.Op == ssa.StoreLoc:
			if locs[y.Loc].Overlaps(l) {
				return true
			}
		case y.Effect() && y.Op >= ir.Store8 && y.Op <= ir.Store64 && (y.A < 0 || p.b.InObject(y.A) || y.B >= 0 && p.b.InObject(y.B)):
			return true
		}
	}
	return false
}

// inPins finds the values that can be in the registers of locations: those read there and used before
// the location changes, and those written there, if nothing needs the value before and nothing can
// leave in between.
func (p *plan) inPins(pinned []Reg) {
	nodes := p.b.Nodes
	p.fences = sized(p.fences, len(p.order)+1)
	p.stores, p.readers = lists(p.stores, len(pinned)), lists(p.readers, len(pinned))
	fences, stores, readers := p.fences, p.stores, p.readers
	for k, i := range p.order {
		fences[k+1] = fences[k]
		switch x := &nodes[i]; x.Op {
		case ssa.StoreLoc:
			stores[x.Loc] = append(stores[x.Loc], int32(k))
		case ir.If, ir.Else, ir.End, ir.Guard, ir.Exit, ir.Leave, ir.LeaveTo:
			fences[k+1]++
		}
	}
	nextStore := func(loc, after int32) int32 {
		for _, s := range stores[loc] {
			if s > after {
				return s
			}
		}
		return 1 << 30
	}
	for k, i := range p.order {
		if x := &nodes[i]; x.Op == ssa.LoadLoc && pinned[x.Loc] != NoReg && p.of[i].last <= nextStore(x.Loc, int32(k)) {
			p.Where[i], p.Placed[i] = In(pinned[x.Loc]), true
			readers[x.Loc] = append(readers[x.Loc], i)
		}
	}
	for k, i := range p.order {
		x := &nodes[i]
		if x.Op != ssa.StoreLoc {
			continue
		}
		r, v := pinned[x.Loc], x.A
		if r == NoReg || nodes[v].Op == ir.Const || nodes[v].Op == ir.Base || p.Deferred[v] || p.Placed[v] || p.of[v].pos < 0 {
			continue
		}
		s, def := int32(k), p.of[v].pos
		if fences[def] != fences[s] || p.of[v].last > nextStore(x.Loc, s) {
			continue
		}
		clash := false
		for _, other := range stores[x.Loc] {
			clash = clash || other >= def && other < s
		}
		// what reads the register, or is in it, must have ended
		for _, o := range readers[x.Loc] {
			clash = clash || p.of[o].pos < s && p.of[o].last > def
		}
		for _, o := range p.order[def:s] { // a load that copies the old value later
			clash = clash || nodes[o].Op == ssa.LoadLoc && nodes[o].Loc == x.Loc
		}
		if clash {
			continue
		}
		p.Where[v], p.Placed[v] = In(r), true
		readers[x.Loc] = append(readers[x.Loc], v)
	}
}

// inMemory leaves values of locations without register that are used once where they are.
func (p *plan) inMemory(locs []ssa.Loc, pinned []Reg) {
	for k, i := range p.order {
		x := &p.b.Nodes[i]
		if x.Op != ssa.LoadLoc || p.Placed[i] || p.of[i].uses != 1 || pinned[x.Loc] != NoReg {
			continue
		}
		if l := locs[x.Loc]; !p.changes(&l, locs, int32(k), p.of[i].last) {
			p.Where[i], p.Placed[i] = p.regs.Home(l), true
		}
	}
}
