package fast

import (
	"slices"
	"unsafe"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/timing"
	"arcv2dsp/isa"
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
		e.fetchTags = unsafe.Pointer(&tags[0])
	}
	if data != nil {
		tags, shift, mask := data.Front()
		e.dataTags, e.dataShift, e.dataMask = unsafe.Pointer(&tags[0]), shift, mask
	}
}

// touch lets a cache bring the line that micro-operation u of a block needs in front, so that u can
// execute. It refuses where the cycles it takes could matter to somebody: when the block might not end
// before the deadline, and while profiling. The reference engine executes the instruction then.
func (e *Engine) touch(c *cpu.CPU, b *block, u *uop, why exit) bool {
	cache, addr, lost := c.DataCache(), e.touched, &e.dataLost
	if why == exitFetch {
		cache, lost = c.FetchCache(), &e.fetchLost
		_, shift, _ := cache.Front()
		addr = (u.imm - 1) << shift
	}
	if e.prof != nil || !e.room(b, cache.Fill()) {
		return false
	}
	e.fill(cache, addr, lost)
	return true
}

// room reports whether a block that is under way ends before the deadline even if it loses more cycles.
func (e *Engine) room(b *block, more uint32) bool {
	used := int64(int32(uint32(e.acct)))
	return used+int64(more)+int64(b.real) <= int64(e.limit)
}

// fill asks a cache for an address and counts the cycles that takes.
func (e *Engine) fill(cache *timing.Cache, addr uint32, lost *uint64) {
	stall := uint64(cache.Access(addr, 1))
	e.acct += stall
	*lost += stall
}

// collectCaches adds up what the caches have lost.
func (e *Engine) collectCaches() {
	e.stalls[timing.ICache] += e.fetchLost
	e.stalls[timing.DCache] += e.dataLost
	e.fetchLost, e.dataLost = 0, 0
}

// resumes reports whether a block can go on at instruction k behind one that the reference engine
// executed: in the same mode, and in a cache line that is still in front or that the block asks for. It
// cannot in a delay slot, which needs what the branch before it has worked out.
func (b *block) resumes(c *cpu.CPU, k int) bool {
	if c.BlockMode() != b.key.mode || b.src.Insts[k].Slot {
		return false
	}
	pc := b.src.Insts[k].PC
	switch {
	case b.key.mode&cpu.ModeFetch == 0 || !c.CachesAt(pc):
		return true
	case b.key.warm:
		return b.steady(c)
	}
	tags, shift, mask := c.FetchCache().Front()
	tag := pc>>shift + 1
	u := &b.uops[b.start[k]]
	return tags[pc>>shift&mask] == tag || u.op == uFETCH && u.imm == tag
}

// steady reports whether all lines that a block lies in are in front.
func (b *block) steady(c *cpu.CPU) bool {
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
func keeps(c *cpu.CPU, before, b *block) bool {
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

// bring does for a fused loop what touch does for a micro-operation: it lets the data cache bring the
// lines of two addresses in front. It refuses where the cycles could matter to somebody, and where one
// line displaces the other.
func (e *Engine) bring(c *cpu.CPU, b *block, x, y uint32) bool {
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

// fetch emits the questions for the lines that an instruction lies in, as far as they are not those of
// the instruction before.
func (l *lowerer) fetch(in *cpu.BlockInst) {
	if !l.cpu.CachesAt(in.PC) {
		return
	}
	_, shift, mask := l.cpu.FetchCache().Front()
	first, last := in.PC>>shift, (in.Next-1)>>shift
	for line := first; ; line = last {
		if line+1 != l.line {
			l.line = line + 1
			l.emit(uop{op: uFETCH, imm: line + 1, x: line & mask * 4})
		}
		if line == last {
			return
		}
	}
}

// cachedAccess is the distance of the loads and stores that a data cache serves.
const cachedAccess = uLDWC - uLDW

// access emits the load or store u of an instruction, checked against the bounds of the stack and served
// by the data cache where the mode asks for that.
func (l *lowerer) access(in *cpu.BlockInst, u uop) {
	if l.mode&cpu.ModeStack != 0 && in.Args[1].Kind == isa.OpReg && in.Args[1].Reg == cpu.RegSP {
		check := uop{op: uSTACK, b: cpu.RegSP, c: cpu.SlotZero, x: in.Size.Bytes()}
		if in.Addr != isa.AddrPost {
			check.c, check.imm = l.source(in, 2)
		}
		if in.Addr == isa.AddrScaled {
			check.d = scale(in.Size)
			check.imm <<= check.d
		}
		l.emit(check)
	}
	if l.mode&cpu.ModeData != 0 {
		u.op += cachedAccess
	}
	l.emit(u)
}
