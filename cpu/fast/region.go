package fast

import (
	"slices"

	"arcv2dsp/cpu"
)

// region is the blocks that become a unit.
type region struct {
	e      *Engine
	blocks []*block
	uops   int
	insts  int // of blocks that no unit has
	border []*unit
	taken  []*unit // units whose blocks are in it
}

// region finds a block and those it leads to, nearest first, as far as they have been executed. Blocks of
// other units stay there: were they compiled again with each block that leads to them, a recursive function would be
// compiled as often as it has places to return to. But a unit at the border becomes part of the region when that grows
// by half or more, so that a loop is one unit with the loops inside; an instruction is compiled a few times at most. And
// blocks that end in a computed jump are compiled with each that leads to them, as they lead to no others.
func (e *Engine) region(first *block) *region {
	r := &region{e: e}
	r.add(first)
	r.insts = len(first.src.Insts)
	for i := 0; ; {
		for ; i < len(r.blocks); i++ {
			r.spread(r.blocks[i])
		}
		if !r.take() {
			return r
		}
	}
}

func (r *region) add(b *block) {
	r.blocks = append(r.blocks, b)
	r.uops += len(b.uops)
}

// spread adds what execution goes to from a block.
func (r *region) spread(b *block) {
	for i := range b.exits {
		if x := &b.exits[i]; x.to != &r.e.none && (x.to.code != 0 || x.n+x.total > 0) {
			r.reach(x.to)
		}
	}
	for i := range b.uops { // calls come back
		if u := &b.uops[i]; u.op == uLI && u.a == cpu.RegBLINK {
			place := u.imm >> 1 & jumpMask
			at := jumpAt(u.imm, b.key.mode)
			if j := &r.e.jumps[place]; j.at == at {
				r.reach(j.to)
			}
			if j := &r.e.late[place]; j.at == at {
				r.reach(j.to)
			}
		}
	}
}

// reach adds a block if there is room, or notes the unit that has it.
func (r *region) reach(b *block) {
	switch {
	case b.dead || slices.Contains(r.blocks, b):
	case b.code != 0 && b.src.End != cpu.EndJump:
		if u := b.entered(); !slices.Contains(r.border, u) {
			r.border = append(r.border, u)
		}
	case r.uops+len(b.uops) <= unitUops && len(r.blocks) < unitBlocks:
		r.add(b)
		if b.code == 0 {
			r.insts += len(b.src.Insts)
		}
	}
}

// take makes a unit at the border part of the region if that is worth it.
func (r *region) take() bool {
	for _, u := range r.border {
		if slices.Contains(r.taken, u) || u.insts > 2*r.insts || r.uops+u.uops > unitUops || len(r.blocks)+len(u.blocks) > unitBlocks {
			continue
		}
		r.taken = append(r.taken, u)
		for _, b := range u.blocks {
			if !b.dead && !slices.Contains(r.blocks, b) {
				r.add(b)
			}
		}
		return true
	}
	return false
}
