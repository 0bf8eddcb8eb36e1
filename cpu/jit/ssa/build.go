package ssa

import (
	"maps"

	"arcv2dsp/cpu/jit/ir"
)

// Uop is a micro-operation with its program.
type Uop struct {
	ir.Uop
	Prog ir.Prog
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
	Offsets []uint32
	Pure    []bool // bases of objects that compiled code never writes
	UopSize uint32 // what SkipIf counts in

	// PageBits is how many low bits of an address say where in a page of memory it is.
	PageBits int

	// Frozen returns what is at a place when it is known.
	Frozen func(base, off uint32, size int) (uint64, Frozen)
	// Dropped reports whether a location keeps nothing.
	Dropped func(base, off uint32) bool
	// Scratch is the range of offsets of base 0 that nobody reads after a block.
	Scratch [2]uint32
}

// Assumption is a number that compiled code relies on.
type Assumption struct {
	Base, Off uint32
	Size      int
	Value     uint64
}

// Builder makes blocks that share locations.
type Builder struct {
	Config
	Locs        []Loc
	Assumptions []Assumption
	Reached     bool // some access of object 0 is not that of a location
	assumed     map[Assumption]bool
	locs        map[Loc]int32

	b     *Block
	made  map[Node]int32
	log   []Node // keys of made, in order, to forget those of a branch
	held  map[cell]held
	exits map[Exit]uint64
	ways  [2]uint64
	dead  bool // what follows is not reached
}

// cell is four bytes of an object, held the value that they are part of.
type cell struct{ base, off uint32 }

type held struct {
	loc   int32
	value int32
}

// NewBuilder returns a builder.
func NewBuilder(c Config) *Builder {
	return &Builder{Config: c, assumed: map[Assumption]bool{}, locs: map[Loc]int32{}}
}

// open is a branch that is being built.
type open struct {
	end    int // micro-operation in front of which it ends, for those of SkipIf
	marks  int
	before map[cell]held
	then   map[cell]held
	gone   bool // the then branch does not reach the end

	skipped      bool // it is in a part that is not reached
	known, taken bool // the condition is a constant
}

// Block builds the micro-operations of a block, whose ways out have the given addresses.
func (w *Builder) Block(uops []Uop, ways [2]uint64) *Block {
	// node 0 is none of the values, so that the zero held is none of those held
	w.b = &Block{Nodes: []Node{{Op: ir.Const, A: -1, B: -1, C: -1}}}
	w.made, w.log = map[Node]int32{}, nil
	w.held = map[cell]held{}
	w.exits = map[Exit]uint64{}
	w.dead = false
	w.ways = ways
	var skips []open
	for i := range uops {
		for len(skips) > 0 && skips[len(skips)-1].end == i {
			w.otherwise(&skips[len(skips)-1])
			w.end(&skips[len(skips)-1])
			skips = skips[:len(skips)-1]
		}
		if w.dead {
			continue
		}
		u := &uops[i]
		val := make([]int32, len(u.Prog))
		var opened []open
		for k := range u.Prog {
			in := &u.Prog[k]
			if w.dead && in.Op != ir.Else && in.Op != ir.End {
				if in.Op == ir.If {
					opened = append(opened, open{skipped: true})
				}
				continue
			}
			at := func(n int32) int32 {
				if n < 0 {
					return -1
				}
				return val[n]
			}
			switch in.Op {
			case ir.Field:
				val[k] = w.constant(uint64(u.Field(in.Imm)))
			case ir.If:
				opened = append(opened, w.branch(at(in.A)))
			case ir.Else:
				w.otherwise(&opened[len(opened)-1])
			case ir.End:
				w.end(&opened[len(opened)-1])
				opened = opened[:len(opened)-1]
			case ir.Guard:
				w.guard(at(in.A), w.exit(Exit{Why: in.Imm, Uop: i, Way: -1}))
			case ir.Exit:
				x := Exit{Why: in.Imm, Uop: i, Way: -1}
				if in.B >= 0 {
					x.Way = int(w.b.Nodes[at(in.B)].Imm) // a constant, checked by way
				}
				w.add(Node{Op: ir.Exit, A: -1, B: -1, C: -1, Imm: w.exit(x)})
				w.dead = true
			case ir.Leave:
				w.leave(at(in.A))
			case ir.LeaveTo:
				// nobody goes on at the target of a jump but through the driver when that is not known
				way := w.b.Nodes[at(in.A)].Imm
				w.add(Node{Op: ir.LeaveTo, A: -1, B: at(in.B), C: -1, Imm: w.exit(Exit{Why: NoTarget, Uop: i, Way: int(way)})})
				w.dead = true
			case ir.SkipIf:
				o := w.branch(w.not(at(in.A)))
				o.end = i + 1 + int(u.Imm/w.UopSize)
				skips = append(skips, o)
			default:
				val[k] = w.instruction(in, at(in.A), at(in.B), at(in.C))
			}
		}
	}
	w.unobserved()
	return w.b
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
	return open{end: -1, marks: len(w.log), before: maps.Clone(w.held)}
}

func (w *Builder) forget(marks int) {
	for _, k := range w.log[marks:] {
		delete(w.made, k)
	}
	w.log = w.log[:marks]
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
	w.held, w.dead = maps.Clone(o.before), false
	w.forget(o.marks)
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
	w.forget(o.marks)
	switch {
	case w.dead:
		w.held = o.then
	case !o.gone:
		for c, h := range w.held {
			if o.then[c] != h {
				delete(w.held, c)
			}
		}
		// a value made in a branch is not there behind it
	}
	w.dead = w.dead && o.gone
	for c, h := range w.held {
		if o.before[c] != h {
			delete(w.held, c)
		}
	}
}

func (w *Builder) exit(x Exit) uint64 {
	n, ok := w.exits[x]
	if !ok {
		n = uint64(len(w.b.Exits))
		w.exits[x] = n
		w.b.Exits = append(w.b.Exits, x)
	}
	return n
}

// guard leaves by an exit when a condition holds.
func (w *Builder) guard(cond int32, exit uint64) {
	x := &w.b.Nodes[cond]
	switch {
	case x.Op == ir.Const && x.Imm == 0:
		return
	case x.Op == ir.Const:
		w.add(Node{Op: ir.Exit, A: -1, B: -1, C: -1, Imm: exit})
		w.dead = true
		return
	case x.Op == ir.Or && w.b.IsBool(cond):
		a, b := x.A, x.B
		w.guard(a, exit)
		w.guard(b, exit)
		return
	}
	w.add(Node{Op: ir.Guard, A: cond, B: -1, C: -1, Imm: exit})
}

// leave goes on by the way that a value names.
func (w *Builder) leave(way int32) {
	if x := &w.b.Nodes[way]; x.Op == ir.Const {
		w.add(Node{Op: ir.Leave, A: -1, B: -1, C: -1, Imm: x.Imm})
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
	if n, ok := w.made[x]; ok {
		return n
	}
	n := w.add(x)
	w.made[x] = n
	w.log = append(w.log, x)
	return n
}

func (w *Builder) constant(v uint64) int32 {
	return w.pure(Node{Op: ir.Const, A: -1, B: -1, C: -1, Imm: v})
}

// instruction builds an instruction without control.
func (w *Builder) instruction(in *ir.Inst, a, b, c int32) int32 {
	switch in.Op {
	case ir.Const:
		return w.constant(in.Imm)
	case ir.Offset:
		return w.constant(uint64(w.Offsets[in.Imm]))
	case ir.Base:
		return w.pure(Node{Op: ir.Base, A: -1, B: -1, C: -1, Imm: in.Imm})
	case ir.Way:
		return w.constant(w.ways[w.b.Nodes[a].Imm&1])
	case ir.Load8, ir.Load16, ir.Load32, ir.Load64:
		return w.load(in.Op, a)
	case ir.Store8, ir.Store16, ir.Store32, ir.Store64:
		w.store(in.Op, a, b)
		return -1
	}
	return w.op(in.Op, in.Wide, a, b, c)
}
