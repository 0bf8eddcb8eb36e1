package uop

import (
	"slices"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/internal/timing"
)

// The caches decide about cycles only, so an executor asks them no more than it must. A line that was
// used last in its set is in front of it, see timing.Cache.Front: touching it again changes nothing. A
// block asks at its start and where it comes into another line, loads and stores ask each time. When the
// line is not in front, it leaves for the driver, which asks the cache itself.

// Touch lets a cache bring the line that micro-operation u of a block needs in front, so that u can
// execute. It refuses where the cycles it takes could matter to somebody: when the block might not end
// before the deadline, and while profiling. The reference engine executes the instruction then.
func (code *Code) Touch(c *cpu.CPU, b *Block, u *Uop, why Exit) bool {
	cache, addr, lost := c.DataCache(), code.Touched, &code.dataLost
	if why == ExitFetch {
		cache, lost = c.FetchCache(), &code.fetchLost
		_, shift, _ := cache.Front()
		addr = (u.Imm - 1) << shift
	}
	if code.prof != nil || !code.room(b, cache.Worst()) {
		return false
	}
	code.fill(cache, addr, why == ExitStore, lost)
	return true
}

// room reports whether a block that is under way ends before the deadline even if it loses more cycles.
func (code *Code) room(b *Block, more uint32) bool {
	used := int64(int32(uint32(code.Acct)))
	return used+int64(more)+int64(b.Real) <= int64(code.Limit)
}

// fill asks a cache for an address and counts the cycles that takes.
func (code *Code) fill(cache *timing.Cache, addr uint32, write bool, lost *uint64) {
	stall := uint64(cache.Access(addr, 1, write))
	code.Acct += stall
	*lost += stall
}

// Steady reports whether all lines that a block lies in are in front.
func (b *Block) Steady(c *cpu.CPU) bool {
	if len(b.lines) == 0 {
		return true
	}
	tags, _, mask := c.FetchCache().Front()
	for _, tag := range b.lines {
		if tags[(tag-1)&mask] != tag {
			return false
		}
	}
	return true
}

// keeps reports whether all lines of a block are in front whenever the block before it has executed, so
// that it need not ask for them: they are lines of that block, of which none has displaced another.
func keeps(c *cpu.CPU, before, b *Block) bool {
	_, _, mask := c.FetchCache().Front()
	for i, tag := range before.lines {
		for _, other := range before.lines[:i] {
			if (tag-1)&mask == (other-1)&mask {
				return false
			}
		}
	}
	for _, tag := range b.lines {
		if !slices.Contains(before.lines, tag) {
			return false
		}
	}
	return len(b.lines) > 0
}

// linesOf returns the tags of the lines that a block is fetched from, those that the cache serves.
func linesOf(c *cpu.CPU, src *cpu.Block) (tags []uint32) {
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
