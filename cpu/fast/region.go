package fast

import (
	"slices"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/internal/uop"
)

// region is the blocks that become a unit.
type region struct {
	e      *Engine
	least  uint64 // times that a block in it has been executed
	blocks []*uop.Block
	uops   int
	insts  int // of blocks that no unit has
	border []*uop.Unit
	taken  []*uop.Unit // units whose blocks are in it
}

// region finds a block and those it leads to, nearest first, as far as they have been executed often enough, and then what leads to
// them, see back. Blocks of other units stay there: were they compiled again with each block that leads to them, a recursive function
// would be compiled as often as it has places to return to. But a unit at the border becomes part of the region when that grows
// by half or more, so that a loop is one unit with the loops inside; an instruction is compiled a few times at most. And
// blocks that end in a computed jump are compiled with each that leads to them, as they lead to no others.
func (e *Engine) region(first *uop.Block, least uint64) *region {
	r := &region{e: e, least: least}
	r.add(first)
	r.insts = len(first.Src.Insts)
	for i := 0; ; {
		for ; i < len(r.blocks); i++ {
			r.spread(r.blocks[i])
		}
		if !r.back() && !r.take() {
			return r
		}
	}
}

func (r *region) add(b *uop.Block) {
	r.blocks = append(r.blocks, b)
	r.uops += len(b.Uops)
}

// spread adds what execution goes to from a block.
func (r *region) spread(b *uop.Block) {
	for i := range b.Exits {
		if x := &b.Exits[i]; x.To != &r.e.code.None && (x.To.Entry != 0 || x.Times() > 0) {
			r.reach(x.To)
		}
	}
	for _, to := range b.Met() {
		r.reach(to)
	}
	for i := range b.Uops { // calls come back
		if u := &b.Uops[i]; u.Op == uop.LI && u.A == cpu.RegBLINK {
			r.e.code.Landings(u.Imm, b.Key.Mode, r.reach)
		}
	}
}

// back adds the block by which execution comes to the region more often than by all others, if that block leads to nothing else more
// often. Samples meet loops rather than the code in front of them, which would become a unit of its own, or stay in the leaf.
func (r *region) back() bool {
	var most *uop.Edge
	var times, entries uint64
	for _, b := range r.blocks {
		entries += b.Times()
	}
	for _, b := range r.blocks {
		for _, x := range b.From() {
			if slices.Contains(r.blocks, x.Out) {
				entries -= min(entries, x.Times())
			} else if x.Times() > times {
				most, times = x, x.Times()
			}
		}
	}
	if most == nil || 2*times < max(entries, most.Out.Times()) || most.Out.Entry != 0 {
		return false
	}
	n := len(r.blocks)
	r.reach(most.Out)
	return len(r.blocks) > n
}

// reach adds a block if it is executed often enough and there is room, or notes the unit that has it.
func (r *region) reach(b *uop.Block) {
	switch {
	case b.Dead || slices.Contains(r.blocks, b):
	case b.Entry != 0 && b.Src.End != cpu.EndJump:
		if u := b.Entered(); !slices.Contains(r.border, u) {
			r.border = append(r.border, u)
		}
	case b.Times() >= r.least && r.uops+len(b.Uops) <= unitUops && len(r.blocks) < unitBlocks:
		r.add(b)
		if b.Entry == 0 {
			r.insts += len(b.Src.Insts)
		}
	}
}

// take makes a unit at the border part of the region if that is worth it.
func (r *region) take() bool {
	for _, u := range r.border {
		if slices.Contains(r.taken, u) || u.Insts > 2*r.insts || r.uops+u.Uops > unitUops || len(r.blocks)+len(u.Blocks) > unitBlocks {
			continue
		}
		r.taken = append(r.taken, u)
		for _, b := range u.Blocks {
			if !b.Dead && !slices.Contains(r.blocks, b) {
				r.add(b)
			}
		}
		return true
	}
	return false
}
