package fast

import (
	"unsafe"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/timing"
	"arcv2dsp/cpu/uop"
)

// The caches decide about cycles only, so the leaf asks them no more than it must. A line that was
// used last in its set is in front of it, see timing.Cache.Front: touching it again changes nothing. A
// block asks at its start and where it comes into another line, loads and stores ask each time. When the
// line is not in front, the leaf leaves for the driver, which asks the cache itself.

// openCaches tells the leaf where the tags in front are.
func (e *Engine) openCaches(c *cpu.CPU) {
	instructions, data := c.CacheModels()
	if instructions != nil {
		tags, _, _ := instructions.Front()
		e.FetchTags = unsafe.Pointer(&tags[0])
	}
	if data != nil {
		tags, shift, mask := data.Front()
		e.DataTags, e.DataShift, e.DataMask = unsafe.Pointer(&tags[0]), shift, mask
	}
}

// touch lets a cache bring the line that micro-operation u of a block needs in front, so that u can
// execute. It refuses where the cycles it takes could matter to somebody: when the block might not end
// before the deadline, and while profiling. The reference engine executes the instruction then.
func (e *Engine) touch(c *cpu.CPU, b *uop.Block, u *uop.Uop, why uop.Exit) bool {
	cache, addr, lost := c.DataCache(), e.Touched, &e.dataLost
	if why == uop.ExitFetch {
		cache, lost = c.FetchCache(), &e.fetchLost
		_, shift, _ := cache.Front()
		addr = (u.Imm - 1) << shift
	}
	if e.prof != nil || !e.room(b, cache.Fill()) {
		return false
	}
	e.fill(cache, addr, lost)
	return true
}

// room reports whether a block that is under way ends before the deadline even if it loses more cycles.
func (e *Engine) room(b *uop.Block, more uint32) bool {
	used := int64(int32(uint32(e.Acct)))
	return used+int64(more)+int64(b.Real) <= int64(e.Limit)
}

// fill asks a cache for an address and counts the cycles that takes.
func (e *Engine) fill(cache *timing.Cache, addr uint32, lost *uint64) {
	stall := uint64(cache.Access(addr, 1))
	e.Acct += stall
	*lost += stall
}

// collectCaches adds up what the caches have lost.
func (e *Engine) collectCaches() {
	e.stalls[timing.ICache] += e.fetchLost
	e.stalls[timing.DCache] += e.dataLost
	e.fetchLost, e.dataLost = 0, 0
}

// bring does for a fused loop what touch does for a micro-operation: it lets the data cache bring the
// lines of two addresses in front. It refuses where the cycles could matter to somebody, and where one
// line displaces the other.
func (e *Engine) bring(c *cpu.CPU, b *uop.Block, x, y uint32) bool {
	cache := c.DataCache()
	tags, shift, mask := cache.Front()
	front := func(addr uint32) bool {
		return !c.CachesAt(addr) || tags[addr>>shift&mask] == addr>>shift+1
	}
	switch {
	case front(x) && front(y):
		return true
	case e.prof != nil || !e.room(b, 2*cache.Fill()) || x>>shift != y>>shift && (x^y)>>shift&mask == 0:
		return false
	}
	for _, addr := range [...]uint32{x, y} {
		if !front(addr) {
			e.fill(cache, addr, &e.dataLost)
		}
	}
	return true
}

// line limits n to the accesses of a stream that stay inside their cache line, which must be in front.
func (s *flow) line(c *cpu.CPU, addr, size uint32, n *uint32) bool {
	if !c.CachesAt(addr) {
		return true
	}
	tags, shift, mask := c.DataCache().Front()
	if tags[addr>>shift&mask] != addr>>shift+1 {
		return false
	}
	bytes := uint32(1) << shift
	off := addr & (bytes - 1)
	switch {
	case int32(s.step) > 0:
		*n = min(*n, (bytes-size-off)/s.step+1)
	case s.step != 0:
		*n = min(*n, off/-s.step+1)
	}
	return true
}
