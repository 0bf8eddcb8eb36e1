package x86

import (
	"slices"

	"arcv2dsp/cpu/jit/ir"
	"arcv2dsp/cpu/jit/ssa"
)

// plan is the order in which the nodes of a block are emitted, and where their values are.
type plan struct {
	b        *ssa.Block
	order    []int32
	pos      []int32 // place in order, -1 when the node is not emitted
	last     []int32 // place of the last use
	uses     []int32
	deferred []bool // comparisons that are made where they are tested
	where    []rm
	placed   []bool
	frame    int
}

// slots is how many values the stack frame holds, one of them while a division is made.
const slots = 56

// slot is a place in the stack frame: above the return address.
func slot(n int) rm { return at(SP, int32(8+8*n)) }

// newPlan decides what is emitted, and in which order.
func newPlan(b *ssa.Block) *plan {
	n := len(b.Nodes)
	p := &plan{b: b, pos: make([]int32, n), last: make([]int32, n), uses: make([]int32, n), deferred: make([]bool, n)}
	need, data := make([]bool, n), make([]bool, n)
	for i := n - 1; i >= 0; i-- {
		x := &b.Nodes[i]
		if x.Effect() {
			need[i] = true
		}
		if !need[i] {
			continue
		}
		p.deferred[i] = b.IsTest(int32(i)) && !data[i]
		x.Operands(func(o int32) {
			need[o] = true
			p.uses[o]++
			if !p.tests(int32(i), o) {
				data[o] = true
			}
		})
	}
	// Values are made right before they are first needed. Loads stay where they are, and so does
	// everything in front of a branch.
	made := make([]bool, n)
	var demand func(i int32)
	demand = func(i int32) {
		if made[i] {
			return
		}
		made[i] = true
		b.Nodes[i].Operands(demand)
		switch op := b.Nodes[i].Op; {
		case op == ir.Const, op == ir.Base, p.deferred[i]:
		default:
			p.order = append(p.order, i)
		}
	}
	flushed := 0
	for i := range n {
		if !need[i] {
			continue
		}
		switch x := &b.Nodes[i]; {
		case x.Op == ir.If, x.Op == ir.Else, x.Op == ir.End:
			for ; flushed < i; flushed++ {
				if need[flushed] {
					demand(int32(flushed))
				}
			}
			demand(int32(i))
		case isEffect(x):
			demand(int32(i))
		}
	}
	for i := range p.pos {
		p.pos[i] = -1
	}
	for k, i := range p.order {
		p.pos[i] = int32(k)
	}
	for k, i := range p.order {
		b.Nodes[i].Operands(func(o int32) { p.extend(o, int32(k)) })
	}
	return p
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
		return p.deferred[i]
	case ir.Add: // of a carry
		y := &p.b.Nodes[o]
		return y.Cond == ssa.Below && x.A != x.B && (o == x.B || p.b.Nodes[x.B].Op != ir.Const) &&
			(y.Op == ssa.CmpSub || y.Op == ssa.CmpAdd || y.Op == ssa.CmpBit)
	}
	return false
}

// extend notes a use of a value.
func (p *plan) extend(o, at int32) {
	if p.deferred[o] {
		p.b.Nodes[o].Operands(func(n int32) { p.extend(n, at) })
		return
	}
	p.last[o] = max(p.last[o], at)
}

// allocate gives each value a register or a place in the frame behind those in use. It returns how many are in
// the frame.
func (p *plan) allocate(used int, locs []ssa.Loc, pinned map[int32]Reg, temps []Reg) (spills int, ok bool) {
	n := len(p.b.Nodes)
	p.where, p.placed = make([]rm, n), make([]bool, n)
	p.frame = used
	p.inPins(pinned)
	p.inMemory(locs, pinned)
	free := slices.Clone(temps)
	slices.Reverse(free)
	var active []int32
	spill := func(i int32) bool {
		p.where[i], p.placed[i] = slot(p.frame), true
		p.frame++
		return p.frame < slots
	}
	for k, i := range p.order {
		x := &p.b.Nodes[i]
		active = slices.DeleteFunc(active, func(o int32) bool {
			if p.last[o] <= int32(k) {
				free = append(free, p.where[o].reg)
				return true
			}
			return false
		})
		if x.Effect() || p.placed[i] {
			continue
		}
		if len(free) > 0 {
			p.where[i], p.placed[i] = inReg(free[len(free)-1]), true
			free = free[:len(free)-1]
			active = append(active, i)
			continue
		}
		victim := -1
		for a, o := range active {
			if p.last[o] > p.last[i] && (victim < 0 || p.last[o] > p.last[active[victim]]) {
				victim = a
			}
		}
		if victim < 0 {
			if !spill(i) {
				return 0, false
			}
			continue
		}
		o := active[victim]
		p.where[i], p.placed[i] = p.where[o], true
		if !spill(o) {
			return 0, false
		}
		active[victim] = i
	}
	return p.frame - used, true
}

// inPins finds the values that can be in the registers of locations: those read there and used before
// the location changes, and those written there, if nobody needs the value before and nobody can
// leave in between.
func (p *plan) inPins(pinned map[int32]Reg) {
	nodes := p.b.Nodes
	fences := make([]int32, len(p.order)+1)
	stores := map[int32][]int32{} // places in order, by location
	for k, i := range p.order {
		fences[k+1] = fences[k]
		x := &nodes[i]
		switch x.Op {
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
	readers := map[int32][]int32{} // values in the register of a location
	for k, i := range p.order {
		if x := &nodes[i]; x.Op == ssa.LoadLoc {
			if r, ok := pinned[x.Loc]; ok && p.last[i] <= nextStore(x.Loc, int32(k)) {
				p.where[i], p.placed[i] = inReg(r), true
				readers[x.Loc] = append(readers[x.Loc], i)
			}
		}
	}
	for k, i := range p.order {
		x := &nodes[i]
		if x.Op != ssa.StoreLoc {
			continue
		}
		r, ok := pinned[x.Loc]
		v := x.A
		if !ok || nodes[v].Op == ir.Const || nodes[v].Op == ir.Base || p.deferred[v] || p.placed[v] || p.pos[v] < 0 {
			continue
		}
		s, def := int32(k), p.pos[v]
		if fences[def] != fences[s] || p.last[v] > nextStore(x.Loc, s) {
			continue
		}
		clash := false
		for _, other := range stores[x.Loc] {
			clash = clash || other >= def && other < s
		}
		// what reads the register, or is in it, must have ended
		for _, o := range readers[x.Loc] {
			clash = clash || p.pos[o] < s && p.last[o] > def
		}
		for _, o := range p.order[def:s] { // a load that copies the old value later
			clash = clash || nodes[o].Op == ssa.LoadLoc && nodes[o].Loc == x.Loc
		}
		if clash {
			continue
		}
		p.where[v], p.placed[v] = inReg(r), true
		readers[x.Loc] = append(readers[x.Loc], v)
	}
}

// inMemory leaves values of locations without register that are used once where they are.
func (p *plan) inMemory(locs []ssa.Loc, pinned map[int32]Reg) {
	for k, i := range p.order {
		x := &p.b.Nodes[i]
		if x.Op != ssa.LoadLoc || p.placed[i] || p.uses[i] != 1 {
			continue
		}
		if _, ok := pinned[x.Loc]; ok {
			continue
		}
		l := locs[x.Loc]
		clash := false
		for _, o := range p.order[k:min(int(p.last[i]), len(p.order))] {
			switch y := &p.b.Nodes[o]; {
			case y.Op == ssa.StoreLoc:
				m := locs[y.Loc]
				clash = clash || m.Base == l.Base && m.Off < l.Off+uint32(l.Size) && l.Off < m.Off+uint32(m.Size)
			case y.Effect() && y.Op >= ir.Store8 && y.Op <= ir.Store64:
				clash = true
			}
		}
		if !clash {
			p.where[i], p.placed[i] = home(l), true
		}
	}
}
