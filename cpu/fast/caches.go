package fast

import (
	"arcv2dsp/cpu"
	"arcv2dsp/cpu/timing"
	"arcv2dsp/cpu/uop"
)

// The caches decide about cycles only, so the leaf asks them no more than it must. A line that was
// used last in its set is in front of it, see timing.Cache.Front: touching it again changes nothing. A
// block asks at its start and where it comes into another line, loads and stores ask each time. When the
// line is not in front, the leaf leaves for the driver, which asks the cache itself.

// touch lets a cache bring the line that micro-operation u of a block needs in front, so that u can
// execute. It refuses where the cycles it takes could matter to somebody: when the block might not end
// before the deadline, and while profiling. The reference engine executes the instruction then.
func (code *code) touch(c *cpu.CPU, b *uop.Block, u *uop.Uop, why uop.Exit) bool {
	cache, addr, lost := c.DataCache(), code.Touched, &code.dataLost
	if why == uop.ExitFetch {
		cache, lost = c.FetchCache(), &code.fetchLost
		_, shift, _ := cache.Front()
		addr = (u.Imm - 1) << shift
	}
	if code.prof != nil || !code.room(b, cache.Fill()) {
		return false
	}
	code.fill(cache, addr, lost)
	return true
}

// room reports whether a block that is under way ends before the deadline even if it loses more cycles.
func (code *code) room(b *uop.Block, more uint32) bool {
	used := int64(int32(uint32(code.Acct)))
	return used+int64(more)+int64(b.Real) <= int64(code.Limit)
}

// fill asks a cache for an address and counts the cycles that takes.
func (code *code) fill(cache *timing.Cache, addr uint32, lost *uint64) {
	stall := uint64(cache.Access(addr, 1))
	code.Acct += stall
	*lost += stall
}

// bring does for a fused loop what touch does for a micro-operation: it lets the data cache bring the
// lines of two addresses in front. It refuses where the cycles could matter to somebody, and where one
// line displaces the other.
func (code *code) bring(c *cpu.CPU, b *uop.Block, x, y uint32) bool {
	cache := c.DataCache()
	tags, shift, mask := cache.Front()
	front := func(addr uint32) bool {
		return !c.CachesAt(addr) || tags[addr>>shift&mask] == addr>>shift+1
	}
	switch {
	case front(x) && front(y):
		return true
	case code.prof != nil || !code.room(b, 2*cache.Fill()) || x>>shift != y>>shift && (x^y)>>shift&mask == 0:
		return false
	}
	for _, addr := range [...]uint32{x, y} {
		if !front(addr) {
			code.fill(cache, addr, &code.dataLost)
		}
	}
	return true
}
