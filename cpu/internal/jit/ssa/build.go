package ssa

import (
	"fmt"
	"slices"

	"arcv2dsp/cpu/internal/jit/ir"
)

// Uop is a micro-operation with its program.
type Uop struct {
	ir.Uop
	Prog *Prog
	Inst int // number of the instruction that it is part of
}

// Frozen says how far the number at a place is known.
type Frozen uint8

const (
	Changes Frozen = iota // it is not
	Assumed               // the code is for as long as it stays the same
	Fixed                 // it never changes
)

// The objects that programs call bases 0 and 1 are those with locations.

// Config describes the embedding program to the builder.
type Config struct {
	Pure    []bool // bases of objects that compiled code never writes
	UopSize uint32 // what SkipIf counts in

	// PageBits is how many low bits of an address say where in a page of memory it is.
	PageBits int

	// Frozen returns what is at a place when it is known.
	Frozen func(base, off uint32, size int) (uint64, Frozen)
	// Dropped reports whether a location keeps nothing.
	Dropped func(base, off uint32) bool
	// Scratch is the range of offsets of base 0 that nothing reads after a block.
	Scratch [2]uint32
	// Within is the range of offsets of base 0, part of Scratch, that nothing reads after the instruction that writes there.
	Within [2]uint32
	// Message is a place where an exit tells the embedding program something about itself.
	Message Loc
}

// Assumption is a number that compiled code relies on.
type Assumption struct {
	Base, Off uint32
	Size      int
	Value     uint64
}

// Builder makes the blocks of one unit after the other. The blocks of a unit share locations; its results are
// good until the next unit begins.
type Builder struct {
	Config
	Locs        []Loc
	Assumptions []Assumption
	Reached     bool // some access of object 0 is not that of a location

	// Fault says which store of the unit stands in front of an exit of its instruction. The embedding program would do
	// the instruction again, and so the store. The unit is of no use then.
	Fault error

	fields  []field
	spans   []span     // of locations
	fieldAt [3][]int32 // numbers, plus 1, of the fields of object 0, object 1 and the frame, at the index in words of memory
	blocks  []*Block   // of this unit, and used ones
	inner   []*Builder // of its loops, and used ones
	loops   *looper
	used    struct{ blocks, inner int }
	pager   pager

	b    *Block
	made *values
	held []held // by field
	free [][]held
	ways [2]uint64
	dead bool // what follows is not reached

	inst    int     // number of the instruction that is built
	own     []int32 // the fields that nothing reads behind an instruction
	begins  []int32 // the nodes in front of which instructions begin
	changed int32   // the first of its stores on the way to here, 0 when there is none
	refuted []int32 // conditions of guards on the way to here, which do not hold

	val    []int32 // values of the program being built
	opened []open
	skips  []open
	cover  []bool // by field
	parts  []bool // of branches, each by field
}

// cell is four bytes of an object.
type cell struct{ base, off uint32 }

// field is a cell with locations.
type field struct {
	cell
	short, long int32 // those of four and eight bytes that begin there, -1 for none
}

// span is the fields that a location has, one twice when it has four bytes.
type span struct{ first, second int32 }

// fields are those fields, each once.
func (s span) fields() ([2]int32, int) {
	if s.first == s.second {
		return [2]int32{s.first}, 1
	}
	return [2]int32{s.first, s.second}, 2
}

// held is the value that a field is part of, the zero one when that is not known.
type held struct {
	loc   int32
	value int32
}

// NewBuilder returns a builder.
func NewBuilder(c Config) *Builder {
	w := &Builder{made: &values{}}
	w.Begin(c)
	return w
}

// Begin begins a unit.
func (w *Builder) Begin(c Config) {
	for _, x := range w.fields {
		w.fieldAt[min(x.base, 2)][x.off/4] = 0
	}
	w.Config = c
	w.Locs, w.spans, w.Assumptions, w.Reached = w.Locs[:0], w.spans[:0], w.Assumptions[:0], false
	w.fields = w.fields[:0]
	w.used.blocks, w.used.inner, w.Fault = 0, 0, nil
}

// Forget drops the last unit and what the embedding program gave, but not the memory.
func (w *Builder) Forget() {
	for _, v := range w.inner {
		v.Begin(Config{})
	}
	w.Begin(Config{})
}

// open is a branch that is being built.
type open struct {
	end     int // micro-operation in front of which it ends, for those of SkipIf
	marks   int
	refuted int   // how many conditions are refuted outside
	changed int32 // outside, and behind the else at the end of the then branch
	before  []held
	then    []held
	gone    bool // the then branch does not reach the end

	skipped      bool // it is in a part that is not reached
	known, taken bool // the condition is a constant
}

// Block builds the micro-operations of a block, whose ways out have the given addresses.
func (w *Builder) Block(uops []Uop, ways [2]uint64) *Block {
	w.block()
	w.made.clear()
	clear(w.held)
	w.ways = ways
	w.skips = w.skips[:0]
	for i := range uops {
		for n := len(w.skips) - 1; n >= 0 && w.skips[n].end == i; n-- {
			w.otherwise(&w.skips[n])
			w.end(&w.skips[n])
			w.skips = w.skips[:n]
		}
		if uops[i].Inst != w.inst {
			w.inst, w.changed = uops[i].Inst, 0
			w.begins = append(w.begins, int32(len(w.b.Nodes)))
		}
		if !w.dead {
			w.program(i, &uops[i])
		}
	}
	w.unobserved()
	return w.b
}

// block begins a block.
func (w *Builder) block() {
	if w.used.blocks == len(w.blocks) {
		w.blocks = append(w.blocks, &Block{Nodes: make([]Node, 0, 64)}) // as many as most need
	}
	w.b = w.blocks[w.used.blocks]
	w.used.blocks++
	w.b.Exits = w.b.Exits[:0]
	// node 0 is none of the values, so that the zero held is none of those held
	w.b.Nodes = append(w.b.Nodes[:0], Node{Op: ir.Const, A: -1, B: -1, C: -1})
	w.dead = false
	w.inst, w.changed, w.refuted, w.begins = -1, 0, w.refuted[:0], w.begins[:0]
}

// within returns a builder of blocks with locations of their own.
func (w *Builder) within() *Builder {
	if w.used.inner == len(w.inner) {
		w.inner = append(w.inner, NewBuilder(w.Config))
	}
	v := w.inner[w.used.inner]
	w.used.inner++
	v.Begin(w.Config)
	return v
}

// program builds micro-operation i.
func (w *Builder) program(i int, u *Uop) {
	prog := u.Prog.insts
	w.val = slices.Grow(w.val[:0], len(prog))[:len(prog)]
	val := w.val
	w.opened = w.opened[:0]
	at := func(n int32) int32 {
		if n < 0 {
			return -1
		}
		return val[n]
	}
	for k := range prog {
		in := &prog[k]
		last := len(w.opened) - 1
		if w.dead && in.Op != ir.Else && in.Op != ir.End {
			if in.Op == ir.If {
				w.opened = append(w.opened, open{skipped: true})
			}
			continue
		}
		switch in.Op {
		case ir.Field:
			val[k] = w.constant(uint64(u.Field(in.Imm)))
		case ir.If:
			w.opened = append(w.opened, w.branch(at(in.A)))
		case ir.Else:
			w.otherwise(&w.opened[last])
		case ir.End:
			w.end(&w.opened[last])
			w.opened = w.opened[:last]
		case ir.Guard:
			w.guard(at(in.A), w.exit(Exit{Why: in.Imm, Uop: i, Way: -1}))
		case ir.Exit:
			x := Exit{Why: in.Imm, Uop: i, Way: -1}
			if in.B >= 0 {
				x.Way = w.way(at(in.B))
			}
			w.mayLeave(&x)
			w.add(Node{Op: ir.Exit, A: -1, B: -1, C: -1, Imm: w.exit(x)})
			w.dead = true
		case ir.Leave:
			w.leave(at(in.A))
		case ir.LeaveTo:
			// nothing goes on at the target of a jump but through the driver when that is not known
			x := Exit{Why: NoTarget, Uop: i, Way: w.way(at(in.A))}
			w.add(Node{Op: ir.LeaveTo, A: -1, B: at(in.B), C: -1, Imm: w.exit(x)})
			w.dead = true
		case ir.SkipIf:
			o := w.branch(w.not(at(in.A)))
			o.end = i + 1 + int(u.Imm/w.UopSize)
			w.skips = append(w.skips, o)
		case ir.Load8, ir.Load16, ir.Load32, ir.Load64:
			val[k] = w.load(in.Op, w.place(u, in))
		case ir.Store8, ir.Store16, ir.Store32, ir.Store64:
			w.store(in.Op, w.place(u, in), at(in.B))
		case ir.Const:
			val[k] = w.constant(in.Imm)
		case ir.Base:
			val[k] = w.object(int(in.Imm))
		case ir.Way:
			val[k] = w.constant(w.ways[w.way(at(in.A))])
		default:
			val[k] = w.op(in.Op, in.Wide, at(in.A), at(in.B), at(in.C))
		}
	}
}

// NoTarget is the reason of an exit by LeaveTo, whose target has no code.
const NoTarget = 1<<32 - 1

// branch opens a branch for a condition.
func (w *Builder) branch(cond int32) open {
	if x := &w.b.Nodes[cond]; x.Op == ir.Const {
		w.dead = x.Imm == 0
		return open{end: -1, known: true, taken: x.Imm != 0}
	}
	w.add(Node{Op: ir.If, A: cond, B: -1, C: -1})
	return open{end: -1, marks: w.made.mark(), before: w.copied(w.held), refuted: len(w.refuted), changed: w.changed}
}

// copied returns a copy of what fields hold.
func (w *Builder) copied(h []held) []held {
	var c []held
	if n := len(w.free) - 1; n >= 0 {
		c, w.free = w.free[n][:0], w.free[:n]
	}
	return append(c, h...)
}

// padded adds the fields that are new.
func (w *Builder) padded(h []held) []held {
	for len(h) < len(w.fields) {
		h = append(h, held{})
	}
	return h
}

// only drops what fields do not hold in other, too.
func (w *Builder) only(other []held) {
	for c, h := range w.held {
		if c >= len(other) || other[c] != h {
			w.held[c] = held{}
		}
	}
}

func (w *Builder) otherwise(o *open) {
	switch {
	case o.skipped:
		return
	case o.known:
		o.gone, w.dead = w.dead, o.taken
		return
	}
	w.add(Node{Op: ir.Else, A: -1, B: -1, C: -1})
	o.then, o.gone = w.held, w.dead
	w.held, w.dead = w.padded(w.copied(o.before)), false
	w.refuted = w.refuted[:o.refuted]
	o.changed, w.changed = w.changed, o.changed
	w.made.forget(o.marks, w.b.Nodes)
}

func (w *Builder) end(o *open) {
	switch {
	case o.skipped:
		return
	case o.known:
		if o.taken {
			w.dead = o.gone
		}
		return
	}
	w.add(Node{Op: ir.End, A: -1, B: -1, C: -1})
	w.made.forget(o.marks, w.b.Nodes)
	switch {
	case w.dead:
		w.held, o.then = w.padded(o.then), w.held
		w.changed = o.changed
	case !o.gone:
		w.only(o.then)
		w.changed = max(w.changed, o.changed)
	}
	w.refuted = w.refuted[:o.refuted]
	// a value made in a branch is not there behind it
	w.only(o.before)
	w.dead = w.dead && o.gone
	w.free = append(w.free, o.then, o.before)
}

// exit is the number of a way out. Those of a micro-operation follow each other.
func (w *Builder) exit(x Exit) uint64 {
	for n := len(w.b.Exits) - 1; n >= 0 && w.b.Exits[n].Uop == x.Uop; n-- {
		if w.b.Exits[n] == x {
			return uint64(n)
		}
	}
	w.b.Exits = append(w.b.Exits, x)
	return uint64(len(w.b.Exits) - 1)
}

// guard leaves by an exit when a condition holds.
func (w *Builder) guard(cond int32, exit uint64) {
	x := &w.b.Nodes[cond]
	switch {
	case x.Op == ir.Const && x.Imm == 0:
		return
	case slices.Contains(w.refuted, cond):
		return
	case x.Op == ir.Const:
		w.mayLeave(&w.b.Exits[exit])
		w.add(Node{Op: ir.Exit, A: -1, B: -1, C: -1, Imm: exit})
		w.dead = true
		return
	case x.Op == ir.Or && w.b.IsBool(cond):
		a, b := x.A, x.B
		w.guard(a, exit)
		w.guard(b, exit)
		return
	}
	w.mayLeave(&w.b.Exits[exit])
	w.add(Node{Op: ir.Guard, A: cond, B: -1, C: -1, Imm: exit})
	w.refuted = append(w.refuted, cond)
}

// mayLeave checks that an instruction has stored nothing in front of an exit by which it is done again.
func (w *Builder) mayLeave(x *Exit) {
	if x.Way >= 0 || w.changed == 0 || w.Fault != nil {
		return
	}
	n := &w.b.Nodes[w.changed]
	what := "memory"
	if n.Op == StoreLoc {
		l := &w.Locs[n.Loc]
		what = fmt.Sprintf("%d bytes at offset %d of object %d", l.Size, l.Off, l.Base)
	}
	w.Fault = fmt.Errorf("instruction %d leaves at micro-operation %d behind a store to %s", w.inst, x.Uop, what)
}

// change notes a store of the instruction that is built.
func (w *Builder) change(n int32) {
	if w.changed == 0 {
		w.changed = n
	}
}

// way is the edge that a value names, which is a constant, see ir.Check.
func (w *Builder) way(n int32) int { return int(w.b.Nodes[n].Imm & 1) }

// leave goes on by the way that a value names.
func (w *Builder) leave(way int32) {
	if x := &w.b.Nodes[way]; x.Op == ir.Const {
		w.add(Node{Op: ir.Leave, A: -1, B: -1, C: -1, Imm: x.Imm & 1})
	} else {
		w.add(Node{Op: ir.If, A: way, B: -1, C: -1})
		w.add(Node{Op: ir.Leave, A: -1, B: -1, C: -1, Imm: 1})
		w.add(Node{Op: ir.Else, A: -1, B: -1, C: -1})
		w.add(Node{Op: ir.Leave, A: -1, B: -1, C: -1})
		w.add(Node{Op: ir.End, A: -1, B: -1, C: -1})
	}
	w.dead = true
}

// add appends a node.
func (w *Builder) add(x Node) int32 {
	w.b.Nodes = append(w.b.Nodes, x)
	return int32(len(w.b.Nodes) - 1)
}

// pure appends a node without effects unless there is one like it.
func (w *Builder) pure(x Node) int32 {
	if x.Op == ir.Const {
		return w.constant(x.Imm)
	}
	if n := w.made.find(&x, w.b.Nodes); n > 0 {
		return n
	}
	n := w.add(x)
	w.made.note(n, &x)
	return n
}

func (w *Builder) constant(v uint64) int32 {
	n, head := w.made.constant(v, w.b.Nodes)
	if n == 0 {
		n = w.add(Node{Op: ir.Const, A: -1, B: -1, C: -1, Imm: v})
		w.made.enter(n, head)
	}
	return n
}
