// Package x86 makes machine code out of blocks of values and effects, for x86-64 hosts with BMI, BMI2 and LZCNT.
//
// A unit is a number of blocks that lead to each other. The locations they use most have registers of
// their own, in which they stay while execution goes from block to block; other values have registers or
// places in the stack frame for as long as they are needed (alloc.go). Exits write the registers home.
package x86

import (
	"cmp"
	"slices"

	"arcv2dsp/cpu/internal/jit/ir"
	"arcv2dsp/cpu/internal/jit/ssa"
)

// Layout says where compiled code finds things.
type Layout struct {
	Bases     []uint64 // addresses of objects; those of the first three are in registers
	Acct      ssa.Loc  // the count of what has been executed, which is in a register
	Limit     int32    // offset in object 1 of the greatest count, its lower half
	FlagTable int32    // offset in object 1 of a table that FlagTable makes
	Code      int32    // offsets in what an edge leads to: the address of its code, or 0
	Need      int32    // and what must be left of the limit to enter it
}

// FlagTable returns the table from flags as the host has them to Z N C V without V.
func FlagTable() (t [256]uint8) {
	for i := range t {
		t[i] = uint8(i>>6&1<<3 | i>>7&1<<2 | i&1<<1)
	}
	return t
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
	Loop   *ssa.Loop // how it can run many times in a row, nil for not
}

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

// maxPins bounds the locations with registers.
const maxPins = 6

// pin is a location in a register.
type pin struct {
	loc     int32
	reg     Reg
	written bool
}

// Compiler compiles units, one after the other. Its result is good until the next one.
type Compiler struct {
	asm   asm
	units []*unit // that of the block and those of loops, and used ones
	used  int
	code  Code
	scratch
}

// unit is a unit that is being compiled.
type unit struct {
	*Layout
	*asm
	c      *Compiler
	locs   []ssa.Loc
	blocks []Block
	first  int   // number of the first exit
	acct   int32 // location of the count

	frame  int // places of the frame that are locations
	pins   []pin
	pinned []Reg // of locations, noPin for none
	plans  []*plan
	found  []candidate

	starts  []label // of the blocks
	entries []label
	loops   []*loop // of the blocks, nil for none
	refuse  label   // in a loop, where it goes that does not run
	exits   []Exit
	stubs   []label // of the exits
	bound   int     // stubs that have been written
	common  label   // where exits go with their number in DX
	next    label   // where ways out go, with their number there and the address of where they lead in AX
	follow  label   // where they go when that has code, which CX is the address of, and the limit allows
	many    bool    // there may be more exits than a byte counts
}

// noPin says that a location has no register.
const noPin = SP

// Compile makes the code of a unit; its exits are numbered from first. It refuses one that needs too much
// of the stack.
func (c *Compiler) Compile(l *Layout, w *ssa.Builder, blocks []Block, first int) (*Code, bool) {
	c.asm.begin()
	c.used = 0
	u := c.unit(l, w.Locs, blocks)
	u.first = first
	candidates := u.candidates()
	if w.Reached {
		candidates = nil
	}
	if !u.assign(candidates, maxPins) {
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
		u.Layout, u.locs, u.blocks = nil, nil, nil
		clear(u.loops)
	}
}

// unit begins a unit, in the memory of a used one.
func (c *Compiler) unit(l *Layout, locs []ssa.Loc, blocks []Block) *unit {
	if c.used == len(c.units) {
		c.units = append(c.units, &unit{asm: &c.asm, c: c})
	}
	u := c.units[c.used]
	c.used++
	u.Layout, u.locs, u.blocks, u.acct, u.frame = l, locs, blocks, -1, 0
	u.starts, u.loops, u.exits, u.stubs, u.bound = u.starts[:0], u.loops[:0], u.exits[:0], u.stubs[:0], 0
	for i, loc := range u.locs {
		if loc == l.Acct {
			u.acct = int32(i)
		}
	}
	for i := range blocks {
		if i == len(u.plans) {
			u.plans = append(u.plans, &plan{scratch: &c.scratch})
		}
		u.plans[i].make(blocks[i].Block)
	}
	return u
}

// assign chooses the locations that have registers, limit at most. It is false when nothing fits the frame.
func (u *unit) assign(candidates []candidate, limit int) bool {
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

// cell is four bytes of an object.
type cell struct{ base, off uint32 }

// candidates lists the locations of object 0 and the frame that are always accessed as a whole, the most used
// first.
func (u *unit) candidates() []candidate {
	u.found = sized(u.found, len(u.locs))
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
	owner := u.c.owner
	if owner == nil {
		owner = map[cell]int32{}
		u.c.owner = owner
	}
	clear(owner)
	for n := range found {
		l := u.locs[n]
		if found[n].weight == 0 {
			continue
		}
		for d := uint32(0); d < uint32(l.Size); d += 4 {
			if other, ok := owner[cell{l.Base, l.Off + d}]; ok {
				found[n].shared, found[other].shared = true, true
			}
			owner[cell{l.Base, l.Off + d}] = int32(n)
		}
	}
	list := slices.DeleteFunc(found, func(c candidate) bool {
		return c.weight == 0 || c.shared || u.locs[c.loc].Base == 1
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

// pool lists the registers for values, and from its end for locations.
var pool = [...]Reg{DX, SI, DI, R8, R9, R10, R11, R14, BP}

// allocate gives values places when some locations have registers. It returns what those in the frame cost.
func (u *unit) allocate(pins []candidate) (cost uint64, ok bool) {
	u.pins = u.pins[:0]
	u.pinned = sized(u.pinned, len(u.locs))
	for i := range u.pinned {
		u.pinned[i] = noPin
	}
	if u.acct >= 0 {
		u.pinned[u.acct] = R15
	}
	for i, c := range pins {
		reg := pool[len(pool)-1-i]
		u.pins = append(u.pins, pin{loc: c.loc, reg: reg, written: c.written})
		u.pinned[c.loc] = reg
	}
	for i := range u.blocks {
		spills, ok := u.plans[i].allocate(u.frame, u.locs, u.pinned, pool[:len(pool)-len(pins)])
		if !ok {
			return 0, false
		}
		cost += uint64(spills) * (u.blocks[i].Weight + 1)
	}
	return cost, true
}

// stub is where the code for an exit begins.
func (u *unit) stub(x Exit) label {
	if x.Why == ssa.Refuse {
		return u.refuse
	}
	n := u.number(x)
	if u.stubs[n] < 0 {
		u.stubs[n] = u.label()
	}
	return u.stubs[n]
}

// number is the number of an exit. Those of a block follow each other.
func (u *unit) number(x Exit) int {
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
func (u *unit) emit() *Code {
	c := &u.c.code
	exits := 0
	for i := range u.blocks {
		u.starts = append(u.starts, u.label())
		exits += len(u.blocks[i].Exits) + len(u.blocks[i].Edges)
	}
	u.many = exits > 1<<8
	u.common, u.next, u.follow = u.label(), u.label(), u.label()
	for i := range u.blocks {
		u.reach(u.starts[i])
		if u.loops[i] != nil {
			u.enterLoop(u.loops[i])
		}
		(&emitter{unit: u, plan: u.plans[i], n: i, b: &u.blocks[i]}).block()
		if i+1 == len(u.blocks) || !u.jumpsTo(u.starts[i+1]) {
			u.emitStubs()
		}
	}
	for _, l := range u.loops {
		if l != nil {
			u.emitLoop(l)
		}
	}
	u.entries = u.entries[:0]
	for i := range u.blocks { // each by itself: a common part would end in a jump that cannot be foreseen
		at := u.label()
		u.entries = append(u.entries, at)
		u.bind(at)
		u.readHome()
		u.jump(u.starts[i])
	}
	u.bind(u.next)
	u.mov(true, CX, at(AX, u.Code))
	u.op(true, 0x85, CX, inReg(CX))
	u.jumpIf(byte(ssa.Equal), u.common)
	u.mov(false, AX, at(AX, u.Need))
	u.alu(false, aluAdd, AX, inReg(R15))
	u.alu(false, aluCmp, AX, at(state, u.Limit))
	u.jumpIf(byte(ssa.Above), u.common)
	u.bind(u.follow)
	u.writeHome()
	u.jumpTo(CX)
	u.bind(u.common)
	if u.many {
		u.mov(false, AX, inReg(DX))
	} else {
		u.op2(false, 0xb6, AX, inReg(DX), true)
	}
	if u.first != 0 {
		u.aluImm(false, aluAdd, inReg(AX), int32(u.first))
	}
	u.writeHome()
	u.bytes(0xc3)
	c.Exits = u.exits
	c.Bytes = u.finish()
	c.Entries = c.Entries[:0]
	for _, l := range u.entries {
		c.Entries = append(c.Entries, u.labels[l])
	}
	return c
}

// exit brings the number of an exit into DX, which no location is in.
func (u *unit) exit(n int) {
	if u.many {
		u.movImm(DX, uint64(n))
		return
	}
	u.bytes(0xb0|byte(DX), byte(n))
}

// emitStubs writes the code for the exits so far. It stands behind a block, so that jumps there can be short.
func (u *unit) emitStubs() {
	out := u.label()
	for ; u.bound < len(u.stubs); u.bound++ {
		if u.stubs[u.bound] >= 0 {
			u.bind(u.stubs[u.bound])
			u.exit(u.bound)
			u.jump(out)
		}
	}
	if u.jumpsTo(out) {
		u.reach(out)
		u.jump(u.common)
	}
}

// jumpsTo reports whether the last instruction jumps to a label.
func (u *unit) jumpsTo(l label) bool {
	n := len(u.fixes) - 1
	return n >= 0 && u.fixes[n].to == l && u.fixes[n].jump == 1 && u.fixes[n].next == len(u.text)
}

// reach binds a label, and drops a jump to it that is right before.
func (u *unit) reach(l label) {
	if u.jumpsTo(l) {
		n := len(u.fixes) - 1
		start := u.fixes[n].at - 1
		for _, k := range u.here {
			if u.labels[k] == len(u.text) {
				u.labels[k] = start
			}
		}
		u.text, u.ended = u.text[:start], -1
		u.fixes = u.fixes[:n]
	}
	u.bind(l)
}

// baseRegs are the registers that hold the addresses of the first objects.
var baseRegs = [...]Reg{BX, R13, R12}

// state is the register of object 1. It needs no byte more in front of an offset, as R12 does.
const state = R13

// absolute is the operand for an address: from an object that is near, or in a register.
func (u *unit) absolute(addr uint64, scratch Reg) rm {
	for i, r := range baseRegs {
		if d := int64(addr - u.Bases[i]); d == int64(int32(d)) {
			return at(r, int32(d))
		}
	}
	u.movImm(scratch, addr)
	return at(scratch, 0)
}

// home is where a location is in memory.
func (u *unit) home(loc int32) rm { return home(u.locs[loc]) }

func home(l ssa.Loc) rm {
	if l.Base == ssa.Frame {
		return slot(int(l.Off / 8))
	}
	return at(baseRegs[l.Base], int32(l.Off))
}

// readHome reads the registers of locations from memory, but for those that begin in the frame.
func (u *unit) readHome() {
	for _, p := range u.pins {
		if u.locs[p.loc].Base != ssa.Frame {
			u.mov(u.locs[p.loc].Size == 8, p.reg, u.home(p.loc))
		}
	}
}

// writeHome writes the registers of locations to memory.
func (u *unit) writeHome() {
	for _, p := range u.pins {
		if p.written && u.locs[p.loc].Base != ssa.Frame {
			u.store(int(u.locs[p.loc].Size), u.home(p.loc), p.reg)
		}
	}
}

// isEffect reports whether a node is emitted where it stands.
func isEffect(x *ssa.Node) bool {
	return x.Effect() || x.Op == ssa.LoadLoc || x.Op >= ir.Load8 && x.Op <= ir.Load64 || x.Op == ssa.LoadX8 || x.Op == ssa.LoadX16
}
