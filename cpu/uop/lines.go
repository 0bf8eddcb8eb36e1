package uop

import (
	"slices"

	"arcv2dsp/cpu"
)

// Resumes reports whether a block can go on at instruction k behind one that the reference engine
// executed: if execution came there, the pipeline and the mode are those of the block, and the instruction is in a
// cache line that is still in front or that the block asks for. It cannot in a delay slot, which needs what the branch
// before it has worked out.
func (b *Block) Resumes(c *cpu.CPU, k int) bool {
	if b.Dead || k >= len(b.Src.Insts) || b.Src.Insts[k].Slot || !c.Simple() {
		return false
	}
	if in := &b.Src.Insts[k]; c.PC != in.PC || c.Pipe.Settled() != in.Pipe || c.BlockMode() != b.Key.Mode {
		return false
	}
	pc := b.Src.Insts[k].PC
	switch {
	case b.Key.Mode&cpu.ModeFetch == 0 || !c.CachesAt(pc):
		return true
	case b.Key.Warm:
		return b.Steady(c)
	}
	tags, shift, mask := c.FetchCache().Front()
	tag := pc>>shift + 1
	u := &b.Uops[b.Start[k]]
	return tags[pc>>shift&mask] == tag || u.Op == FETCH && u.Imm == tag
}

// Steady reports whether all lines that a block lies in are in front.
func (b *Block) Steady(c *cpu.CPU) bool {
	if len(b.Lines) == 0 {
		return true
	}
	tags, _, mask := c.FetchCache().Front()
	for _, tag := range b.Lines {
		if tags[(tag-1)&mask] != tag {
			return false
		}
	}
	return true
}

// Keeps reports whether all lines of a block are in front whenever the block before it has executed, so
// that it need not ask for them: they are lines of that block, of which none has displaced another.
func Keeps(c *cpu.CPU, before, b *Block) bool {
	_, _, mask := c.FetchCache().Front()
	for i, tag := range before.Lines {
		for _, other := range before.Lines[:i] {
			if (tag-1)&mask == (other-1)&mask {
				return false
			}
		}
	}
	for _, tag := range b.Lines {
		if !slices.Contains(before.Lines, tag) {
			return false
		}
	}
	return len(b.Lines) > 0
}

// LinesOf returns the tags of the lines that a block is fetched from, those that the cache serves.
func LinesOf(c *cpu.CPU, src *cpu.Block) (tags []uint32) {
	_, shift, _ := c.FetchCache().Front()
	for i := range src.Insts {
		in := &src.Insts[i]
		if !c.CachesAt(in.PC) {
			continue
		}
		for _, tag := range [...]uint32{in.PC>>shift + 1, (in.Next-1)>>shift + 1} {
			if !slices.Contains(tags, tag) {
				tags = append(tags, tag)
			}
		}
	}
	return tags
}
