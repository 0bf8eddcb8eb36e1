// Package code makes machine code out of blocks of values and effects. It decides the order of nodes and the places of values,
// and how blocks, branches, loops and exits lay out; a Target writes the instructions of a kind of host.
//
// A unit is a number of blocks that lead to each other. The locations they use most have registers of
// their own, in which they stay while execution goes from block to block; other values have registers or
// places in the stack frame for as long as they are needed (place.go). Exits write the registers home.
package code

import (
	"cmp"
	"slices"

	"arcv2dsp/cpu/internal/jit/ssa"
)

// Layout says where compiled code finds things.
type Layout struct {
	Bases     []uint64 // addresses of objects; those of the first three are in registers
	Changing  uint64   // bytes of object 2, which may be elsewhere each time that code is entered, with the other objects in it
	Acct      ssa.Loc  // the count of what has been executed, which is in a register
	Limit     int32    // offset in object 1 of the greatest count, its lower half
	FlagTable int32    // offset in object 1 of the table that the target makes
	Code      int32    // offsets in what an edge leads to: the address of its code, or 0
	Need      int32    // and what must be left of the limit to enter it
}

// From is the distance of an address from the object in a register. Where ok is false code does not find it from there: what
// lies in object 2 moves with it, and nothing else does.
func (l *Layout) From(object int, addr uint64) (distance int64, ok bool) {
	inside := addr-l.Bases[2] < l.Changing
	return int64(addr - l.Bases[object]), inside == (object == 2)
}

// Edge is a way out of a block to another one.
type Edge struct {
	Acct  uint64 // added to the count
	Count uint64 // address of a number to increment, 0 for none
	Link  uint64 // address of the pointer to where the edge leads
	To    int    // the block of the unit that it leads to, -1 for none
}

// Block is a block to compile.
type Block struct {
	*ssa.Block
	Weight uint64 // how often it is executed
	Need   uint32 // what must be left of the limit to enter it
	Edges  [2]Edge
	Known  []Known   // where a computed jump at its end leads, the most frequent first; those behind the first MostKnown are not asked for
	Loop   *ssa.Loop // how it can run many times in a row, nil for not
}

// Known is a block of the unit that a computed jump may lead to, and the address of the object that stands for it there.
type Known struct {
	Object uint64
	To     int
}

// MostKnown is how many objects a jump is compared with. Each costs a comparison when another one is meant.
const MostKnown = 8

// ByEdge is the reason of an exit by an edge that leads out of the unit, or for which nothing is left of
// the limit.
const ByEdge = 1<<32 - 2

// Exit is a place where the code of a unit leaves.
type Exit struct {
	Block int
	ssa.Exit
}

// Code is a compiled unit. The code can be put anywhere.
type Code struct {
	Bytes   []byte
	Entries []int // where each block is entered
	Exits   []Exit
}

// pin is a location in a register.
type pin struct {
	loc     int32
	reg     Reg
	written bool
}

// Compiler compiles units, one after the other. Its result is good until the next one.
type Compiler struct {
	target Target
	text   Text
	units  []*Unit // that of the block and those of loops, and used ones
	used   int
	code   Code

	emitter Emitter // of the block that is written
	scratch
}

// NewCompiler returns a compiler for a kind of host.
func NewCompiler(t Target) *Compiler {
	return &Compiler{target: t, scratch: scratch{regs: t.Registers()}}
}

// Unit is a unit that is being compiled.
type Unit struct {
	*Layout
	*Text
	First  int   // number of the first exit
	Many   bool  // there may be more exits than a byte counts
	Common Label // where exits go with their number
	Next   Label // where ways out go, with their number and where the address of where they lead is
	Follow Label // where they go when that has code and the limit allows

	Pinned []Reg // of locations, NoReg for none
	Locs   []ssa.Loc

	c      *Compiler
	t      Target
	blocks []Block
	acct   int32 // location of the count
	frame  int   // places of the frame that are locations
	pins   []pin
	plans  []*plan
	found  []candidate

	starts  []Label // of the blocks
	entries []Label
	loops   []*loop // of the blocks, nil for none
	refuse  Label   // in a loop, where it goes that does not run
	loop    loop    // that it is the code of,
	own     []Block // its blocks,
	ways    []int   // behind the last block of each way,
	stop    int     // and the block that iterations go to that it does not execute, 0 for none
	exits   []Exit
	stubs   []Label // of the exits
	bound   int     // stubs that have been written
}

// Compile makes the code of a unit; its exits are numbered from first. It refuses one that needs too much
// of the stack.
func (c *Compiler) Compile(l *Layout, w *ssa.Builder, blocks []Block, first int) (*Code, bool) {
	c.text.begin()
	c.used = 0
	u := c.unit(l, w.Locs)
	u.arrange(blocks)
	u.First = first
	candidates := u.candidates()
	if w.Reached {
		candidates = nil
	}
	if !u.assign(candidates, c.regs.Pins) {
		return nil, false
	}
	for i := range blocks {
		u.loops = append(u.loops, u.newLoop(blocks[i].Loop))
	}
	return u.emit(), true
}

// Forget drops the last unit, but not the memory.
func (c *Compiler) Forget() {
	for _, u := range c.units {
		u.Layout, u.Locs, u.blocks = nil, nil, nil
		u.loop.from = nil
		clear(u.own)
	}
	c.emitter = Emitter{ifs: c.emitter.ifs}
}

// unit begins a unit, in the memory of a used one.
func (c *Compiler) unit(l *Layout, locs []ssa.Loc) *Unit {
	if c.used == len(c.units) {
		c.units = append(c.units, &Unit{Text: &c.text, c: c, t: c.target})
	}
	u := c.units[c.used]
	c.used++
	u.Layout, u.Locs, u.acct, u.frame, u.stop = l, locs, -1, 0, 0
	u.starts, u.loops, u.exits, u.stubs, u.bound = u.starts[:0], u.loops[:0], u.exits[:0], u.stubs[:0], 0
	for i, loc := range u.Locs {
		if loc == l.Acct {
			u.acct = int32(i)
		}
	}
	return u
}

// arrange decides on the order of nodes of the unit's blocks.
func (u *Unit) arrange(blocks []Block) {
	u.blocks = blocks
	for i := range blocks {
		if i == len(u.plans) {
			u.plans = append(u.plans, &plan{scratch: &u.c.scratch})
		}
		u.plans[i].make(blocks[i].Block)
	}
}

// assign chooses the locations that have registers, limit at most. It is false when nothing fits the frame.
func (u *Unit) assign(candidates []candidate, limit int) bool {
	var left uint64 // what candidates without registers cost
	for _, x := range candidates {
		left += x.weight
	}
	n := min(len(candidates), limit)
	for _, x := range candidates[:n] {
		left -= x.weight
	}
	best, last := -1, -1
	var bestCost uint64
	for best < 0 || left < bestCost { // it only becomes more
		last = n
		if spilled, ok := u.allocate(candidates[:n]); ok && (best < 0 || left+spilled < bestCost) {
			best, bestCost = n, left+spilled
		}
		if n == 0 {
			break
		}
		for range min(n, 2) {
			n--
			left += candidates[n].weight
		}
	}
	if best >= 0 && best != last {
		u.allocate(candidates[:best])
	}
	return best >= 0
}

// candidate is a location that could have a register, and how often it is used.
type candidate struct {
	loc     int32
	weight  uint64
	written bool
	shared  bool // part of it is part of another one
}

// candidates lists the locations of object 0 and the frame that are always accessed as a whole, the most used
// first.
func (u *Unit) candidates() []candidate {
	u.found = sized(u.found, len(u.Locs))
	found := u.found
	for i := range u.blocks {
		nodes := u.blocks[i].Nodes
		for _, n := range u.plans[i].order {
			x := &nodes[n]
			if x.Op == ssa.LoadLoc || x.Op == ssa.StoreLoc {
				f := &found[x.Loc]
				f.loc = x.Loc
				f.weight += u.blocks[i].Weight + 1
				f.written = f.written || x.Op == ssa.StoreLoc
			}
		}
	}
	for n := range found {
		for k := range found[:n] {
			if found[n].weight > 0 && found[k].weight > 0 && u.Locs[n].Overlaps(&u.Locs[k]) {
				found[n].shared, found[k].shared = true, true
			}
		}
	}
	// one that is accessed once gains nothing: to read its register from memory costs as much
	list := slices.DeleteFunc(found, func(c candidate) bool {
		return c.weight <= 1 || c.shared || u.Locs[c.loc].Base == 1
	})
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.loc, b.loc))
	})
	return list
}

// sized returns a list of n zero elements, in the memory of an old one if it is enough.
func sized[T any](old []T, n int) []T {
	list := slices.Grow(old[:0], n)[:n]
	clear(list)
	return list
}

// allocate gives values places when some locations have registers. It returns what those in the frame cost, which are written and read.
func (u *Unit) allocate(pins []candidate) (cost uint64, ok bool) {
	u.pins = u.pins[:0]
	u.Pinned = sized(u.Pinned, len(u.Locs))
	for i := range u.Pinned {
		u.Pinned[i] = NoReg
	}
	if u.acct >= 0 {
		u.Pinned[u.acct] = u.c.regs.Acct
	}
	pool := u.c.regs.Pool
	for i, c := range pins {
		reg := pool[len(pool)-1-i]
		u.pins = append(u.pins, pin{loc: c.loc, reg: reg, written: c.written})
		u.Pinned[c.loc] = reg
	}
	for i := range u.blocks {
		u.plans[i].lend(i == 0, u.Locs, u.Pinned)
		spills, ok := u.plans[i].allocate(u.frame, u.Locs, u.Pinned, pool[:len(pool)-len(pins)])
		if !ok {
			return 0, false
		}
		cost += 2 * uint64(spills) * (u.blocks[i].Weight + 1)
	}
	return cost, true
}

// stub is where the code for an exit begins.
func (u *Unit) stub(x Exit) Label {
	switch x.Why {
	case ssa.Refuse:
		return u.refuse
	case ssa.Stopped:
		return u.starts[u.stop]
	}
	n := u.number(x)
	if u.stubs[n] < 0 {
		u.stubs[n] = u.Label()
	}
	return u.stubs[n]
}

// number is the number of an exit. Those of a block follow each other.
func (u *Unit) number(x Exit) int {
	for n := len(u.exits) - 1; n >= 0 && u.exits[n].Block == x.Block; n-- {
		if u.exits[n] == x {
			return n
		}
	}
	u.exits = append(u.exits, x)
	u.stubs = append(u.stubs, -1)
	return len(u.exits) - 1
}

// emit writes the code.
func (u *Unit) emit() *Code {
	c := &u.c.code
	exits := 0
	for i := range u.blocks {
		u.starts = append(u.starts, u.Label())
		exits += len(u.blocks[i].Exits) + len(u.blocks[i].Edges)
	}
	u.Many = exits > 1<<8
	u.Common, u.Next, u.Follow = u.Label(), u.Label(), u.Label()
	u.t.Begin(u, nil)
	for i := range u.blocks {
		u.reach(u.starts[i])
		if u.loops[i] != nil {
			u.enterLoop(u.loops[i])
		}
		u.block(i)
		if i+1 == len(u.blocks) || !u.jumpsTo(u.starts[i+1]) {
			u.emitStubs()
		}
	}
	u.entries = u.entries[:0]
	for i, l := range u.loops { // each by itself: a common part would end in a jump that cannot be foreseen
		if l != nil {
			u.entries = append(u.entries, u.emitLoop(l))
			continue
		}
		at := u.Label()
		u.entries = append(u.entries, at)
		u.Bind(at)
		u.ReadHome()
		u.t.Jump(u.starts[i])
	}
	u.t.Ways(u)
	c.Exits = u.exits
	c.Bytes = u.finish(u.t, u.c.regs)
	c.Entries = c.Entries[:0]
	for _, l := range u.entries {
		c.Entries = append(c.Entries, u.labels[l])
	}
	return c
}

// emitStubs writes the code for the exits so far. It stands behind a block, so that jumps there can be short.
func (u *Unit) emitStubs() {
	out := u.Label()
	for ; u.bound < len(u.stubs); u.bound++ {
		if u.stubs[u.bound] >= 0 {
			u.Bind(u.stubs[u.bound])
			u.t.Exit(u.bound)
			u.t.Jump(out)
		}
	}
	if u.jumpsTo(out) {
		u.reach(out)
		u.t.Jump(u.Common)
	}
}

// Home is where a location is in memory.
func (u *Unit) Home(loc int32) Place { return u.c.regs.Home(u.Locs[loc]) }

// ReadHome reads the registers of locations from memory, but for those that begin in the frame.
func (u *Unit) ReadHome() {
	for _, p := range u.pins {
		if l := u.Locs[p.loc]; l.Base != ssa.Frame {
			u.t.Load(max(int(l.Size), 4), p.reg, u.Home(p.loc))
		}
	}
}

// WriteHome writes the registers of locations to memory.
func (u *Unit) WriteHome() {
	for _, p := range u.pins {
		if l := u.Locs[p.loc]; p.written && l.Base != ssa.Frame {
			u.t.Store(int(l.Size), u.Home(p.loc), p.reg)
		}
	}
}

// isEffect reports whether a node is emitted where it stands.
func isEffect(x *ssa.Node) bool {
	return x.Effect() || x.Op == ssa.LoadLoc || ssa.IsLoad(x.Op)
}
