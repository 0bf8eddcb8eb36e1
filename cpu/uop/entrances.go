package uop

import "slices"

// Unit is compiled code of some blocks.
type Unit struct {
	Blocks []*Block
	Insts  int  // in the blocks
	Uops   int  // in the blocks
	Valid  bool // what it assumes is so
	Dead   bool
}

// Entrances are the places where a block can be entered, for engines that compile.
type Entrances struct {
	Entry uintptr // where it can be entered now, 0 when nowhere
	Real  uint32  // what need is while it has no entry: with one, the leaf leaves in front of it
	Heat  uint8
	Made  uint8 // units that have been made for it
	Units []Entry
	Parts []*Unit // units it is part of
}

// Entry is a way into a unit.
type Entry struct {
	Unit *Unit
	At   uintptr
}

// closed is the need of blocks with an entry: more than any limit.
const closed = 1 << 31

// Choose enters a block by a unit that is right now.
func (b *Block) Choose() {
	b.Entry, b.Need = 0, b.Real
	for _, x := range b.Units {
		if x.Unit.Valid {
			b.Entry, b.Need = x.At, closed
			return
		}
	}
}

// Entered is the unit that a block with an entry is entered by.
func (b *Block) Entered() *Unit {
	return b.Units[slices.IndexFunc(b.Units, func(x Entry) bool { return x.Unit.Valid })].Unit
}

// Retire takes a unit out of use.
func (u *Unit) Retire() {
	if u.Dead {
		return
	}
	u.Dead = true
	for _, b := range u.Blocks {
		b.Units = slices.DeleteFunc(b.Units, func(x Entry) bool { return x.Unit == u })
		b.Choose()
	}
}

// Abandon retires the units that a block is part of.
func (b *Block) Abandon() {
	for len(b.Parts) > 0 {
		u := b.Parts[len(b.Parts)-1]
		b.Parts = b.Parts[:len(b.Parts)-1]
		u.Retire()
	}
}
