package uop

import (
	"slices"

	"arcv2dsp/memory"
)

// Unit is machine code of some blocks.
type Unit struct {
	Blocks []*Block
	Insts  int  // in the blocks
	Uops   int  // in the blocks
	Valid  bool // the code relies on nothing that is not so: SetValid
	Dead   bool
}

// Entrances are the places where a block may be entered as machine code.
type Entrances struct {
	Heat  uint8  // samples of the block since it was compiled, where their number decides
	Due   uint64 // how often the block must have been executed to be weighed again
	Made  uint8  // units that have been made for it
	Pays  int32  // what entering it has brought, in instructions: those executed then, less what it cost
	rests uint16 // samples of the block until it is entered again
	tired uint8  // times it has rested
	ways  []way
	units []*Unit // units it is part of

	crossed uint8  // times the end of a page lay among accesses of its machine code
	since   uint64 // instructions executed in machine code when the first of them was
}

// way is a way into a unit.
type way struct {
	unit *Unit
	at   uintptr
}

// closed is the need of blocks with an entry: more than any limit.
const closed = 1 << 31

// Install has the blocks of a new unit entered where its code for them begins, but for those where that is 0. A block
// that begins with the end of a loop is entered from inside the unit only: whether the loop ends belongs to the
// instruction before it.
func (u *Unit) Install(at []uintptr) {
	for i, b := range u.Blocks {
		b.units = append(b.units, u)
		if !b.Key.Loop && at[i] != 0 {
			b.ways = append(b.ways, way{unit: u, at: at[i]})
			b.choose()
		}
	}
}

// SetValid notes whether what the code of a unit relies on is so.
func (u *Unit) SetValid(valid bool) {
	if valid == u.Valid || u.Dead {
		return
	}
	u.Valid = valid
	for _, b := range u.Blocks {
		b.choose()
	}
}

// choose enters a block by a unit that is right now.
func (b *Block) choose() {
	b.Entry, b.Need = 0, b.Real
	if b.rests > 0 {
		return
	}
	for _, x := range b.ways {
		if x.unit.Valid {
			b.Entry, b.Need = x.at, closed
			return
		}
	}
}

// maxTired bounds how long a block rests: 4 samples the first time, 4 times as many each time after that.
const maxTired = 5

// Rest has a block not entered for a while, as that does not pay. Later it may: when the blocks that it leads to are compiled.
func (b *Block) Rest() {
	b.tired = min(b.tired+1, maxTired)
	b.rests, b.Pays = 1<<(2*b.tired), 0
	b.choose()
}

// Sampled reports whether a block is to be compiled when it is sampled often enough, rather than to rest.
func (b *Block) Sampled() bool {
	if b.rests == 0 {
		return true
	}
	if b.rests--; b.rests == 0 {
		b.choose()
	}
	return false
}

// Entered is the unit that a block with an entry is entered by.
func (b *Block) Entered() *Unit {
	return b.ways[slices.IndexFunc(b.ways, func(x way) bool { return x.unit.Valid })].unit
}

// Retire takes a unit out of use.
func (u *Unit) Retire() {
	if u.Dead {
		return
	}
	u.Dead = true
	for _, b := range u.Blocks {
		b.ways = slices.DeleteFunc(b.ways, func(x way) bool { return x.unit == u })
		b.choose()
	}
}

// AskParts has accesses with the base of one ask for parts of pages, in a block and in those that are compiled with it.
func (b *Block) AskParts(u *Uop) {
	if u.Op >= LDWP {
		return // it does
	}
	base := u.B % memory.MaxParts
	b.askParts(base)
	for _, unit := range b.units {
		for _, other := range unit.Blocks {
			other.askParts(base)
		}
	}
	b.abandon()
}

// askParts takes accesses with other bases of the same low bits, too, which memory.KeepPart does not tell apart.
func (b *Block) askParts(base uint8) {
	for i := range b.Uops {
		if u := &b.Uops[i]; u.Accesses() && u.Op < LDWP && u.B%memory.MaxParts == base {
			u.Op += partedAccess
		}
	}
}

// Machine code that is left for the ends of pages more often than once in so many instructions shall not take accesses together.
const (
	manyCrossings = 64
	rareCrossing  = 4096
)

// NotePages notes that the end of a page lay among accesses that the machine code of a block takes together, when so many instructions
// had been executed in machine code. Where that is so time and again the block is compiled anew without.
func (b *Block) NotePages(insts uint64) {
	if b.crossed == 0 {
		b.since = insts
	}
	if b.crossed++; b.crossed < manyCrossings {
		return
	}
	b.crossed = 0
	if insts-b.since < manyCrossings*rareCrossing {
		b.Alone = true
		b.abandon()
	}
}

// abandon retires the units that a block is part of.
func (b *Block) abandon() {
	for len(b.units) > 0 {
		u := b.units[len(b.units)-1]
		b.units = b.units[:len(b.units)-1]
		u.Retire()
	}
}
