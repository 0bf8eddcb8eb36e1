package cpu

import (
	"encoding/binary"
	"math/bits"

	"arcv2dsp/cpu/internal/timing"
	"arcv2dsp/memory"
)

// dataCache is a data cache that holds data. It shows what a coherent one hides: a line that was not written back, one that
// is stale, one that is locked. The memory of the simulator is the core's view through the cache; a line keeps the
// bytes of memory itself where they differ. So only accesses that go around the cache (.di) and the ends of lines
// need to look at lines.
//
// DEVIATION(255): code is fetched, registers are saved by interrupts, AGU ports and the host access
// memory as the core sees it. Accesses to memory outside CCMs are cached unless they say .di or
// DC_CTRL.DC is set.
type dataCache struct {
	lines []dataLine // sets of ways, most recently used first
	ways  uint32
	sets  uint32
	shift int // of the line size
}

// dataLine is a line that the cache holds.
type dataLine struct {
	tag    uint32 // its address in lines, plus one; 0 is none
	dirty  bool
	locked bool
	behind []byte // what memory holds; nil when it holds what the core sees
}

// DC_CTRL.
const (
	dcDisable  = ctrlDisable
	dcDone     = 1 << 2 // the last operation on a line succeeded
	dcIndirect = 1 << 5
	dcFlush    = 1 << 6 // invalidating a line writes it back first
	dcLocked   = 1 << 7 // flushing writes locked lines back, too
)

func newDataCache(g timing.CacheGeometry) *dataCache {
	return &dataCache{
		lines: make([]dataLine, g.Size/g.Line), ways: g.Ways, sets: g.Size / g.Line / g.Ways,
		shift: bits.TrailingZeros32(g.Line),
	}
}

// set returns the ways that a line can be in.
func (k *dataCache) set(line uint32) []dataLine {
	return k.lines[line%k.sets*k.ways:][:k.ways]
}

// find returns a line that the cache holds, nil otherwise.
func (k *dataCache) find(line uint32) *dataLine {
	set := k.set(line)
	for i := range set {
		if set[i].tag == line+1 {
			return &set[i]
		}
	}
	return nil
}

// each calls f with the lines that an access touches.
func (k *dataCache) each(addr, size uint32, f func(line uint32)) {
	first, last := addr>>k.shift, (addr+size-1)>>k.shift
	f(first)
	if last != first {
		f(last)
	}
}

// holds reports whether the data cache serves an address.
func (c *CPU) holds(addr uint32) bool {
	return c.data != nil && c.Mem.Kinds[addr>>12] == memory.RAM
}

// bypasses reports whether an access goes around the cache.
func (c *CPU) bypasses(uncached bool) bool { return uncached || c.aux.dcCtrl&dcDisable != 0 }

// bring makes the cache hold a line as its most recently used one. It returns nil when every way is
// locked.
func (c *CPU) bring(line uint32) *dataLine {
	k := c.data
	set := k.set(line)
	at := len(set)
	for i := range set {
		if set[i].tag == line+1 {
			at = i
		}
	}
	if at == len(set) {
		for at--; at >= 0 && set[at].locked; at-- {
		}
		if at < 0 {
			return nil
		}
		c.drop(&set[at], true)
		set[at].tag = line + 1
		c.lose(timing.DCache, c.dcache.FillAt(line<<k.shift))
	}
	used := set[at]
	copy(set[1:at+1], set[:at])
	set[0] = used
	return &set[0]
}

// drop ends a line: dirty bytes are written back, or are lost, and stale ones are forgotten.
func (c *CPU) drop(l *dataLine, back bool) {
	if l.dirty && back {
		c.lose(timing.DCache, c.dcache.Back())
	}
	if l.behind != nil && !(back && l.dirty) {
		_ = c.Mem.Poke((l.tag-1)<<c.data.shift, l.behind) // it was read from there
	}
	*l = dataLine{}
}

// keep makes a line remember what memory holds, before the core sees something else.
func (c *CPU) keep(l *dataLine) {
	if l.behind == nil {
		l.behind = make([]byte, 1<<c.data.shift)
		_ = c.Mem.Peek((l.tag-1)<<c.data.shift, l.behind) // the access itself raises what is wrong
	}
}

// cacheLoad passes a load through the cache: v is the core's value.
func (c *CPU) cacheLoad(addr, size uint32, v uint64, uncached bool) uint64 {
	if !c.bypasses(uncached) {
		c.data.each(addr, size, func(line uint32) { c.bring(line) })
		return v
	}
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], v)
	for i := range size {
		at := addr + i
		if l := c.data.find(at >> c.data.shift); l != nil && l.behind != nil {
			b[i] = l.behind[at&(1<<c.data.shift-1)]
		}
	}
	return binary.LittleEndian.Uint64(b[:])
}

// cacheStore prepares a store, which then changes what the core sees.
func (c *CPU) cacheStore(addr, size uint32) {
	c.data.each(addr, size, func(line uint32) {
		if l := c.bring(line); l != nil {
			c.keep(l)
			l.dirty = true
		}
	})
}

// storeAround stores to memory around the cache: the core goes on to see the lines it holds.
func (c *CPU) storeAround(addr, size uint32, v uint64) *memory.Fault {
	var before, after [8]byte
	_ = c.Mem.Peek(addr, before[:size]) // a fault is found by the store
	if f := c.Mem.Store(addr, size, v); f != nil {
		return f
	}
	binary.LittleEndian.PutUint64(after[:], v)
	for i := range size {
		at := addr + i
		l := c.data.find(at >> c.data.shift)
		if l == nil {
			continue
		}
		c.keep(l)
		l.behind[at&(1<<c.data.shift-1)] = after[i]
		_ = c.Mem.Poke(at, before[i:i+1])
	}
	return nil
}

// done notes whether an operation on a line succeeded.
func (c *CPU) done(ok bool) {
	c.aux.dcCtrl &^= dcDone
	if ok {
		c.aux.dcCtrl |= dcDone
	}
}

// lockLine is DC_LDL: it fetches a line and keeps it. One way of each set stays free.
//
// DEVIATION(254): locking the last way fails. DC_CTRL.LM decides for flushes, of a line as of all;
// invalidating with DC_CTRL.IM writes back whatever is dirty.
func (c *CPU) lockLine(addr uint32) {
	if c.data == nil {
		return
	}
	line := addr >> c.data.shift
	locked := uint32(0)
	for _, l := range c.data.set(line) {
		if l.locked && l.tag != line+1 {
			locked++
		}
	}
	if locked+1 >= c.data.ways || !c.holds(addr) {
		c.done(false)
		return
	}
	l := c.bring(line)
	l.locked = true
	c.done(true)
}

// lineOperation are the cycles of an operation on a line: a loop that invalidates a line of 32 bytes after the other takes
// 21 cycles for each by public measurements, of which the loop itself takes 8.
//
// DEVIATION(256): an operation on the whole cache costs its dirty lines alone.
const lineOperation = 13

// flushLine is DC_FLDL.
func (c *CPU) flushLine(addr uint32) {
	c.lose(timing.DCache, lineOperation)
	if c.data == nil {
		c.lose(timing.DCache, c.dcache.Clean(addr))
		return
	}
	l := c.data.find(addr >> c.data.shift)
	c.done(l != nil)
	if l != nil {
		c.flush(l)
	}
}

// flush writes a line back.
func (c *CPU) flush(l *dataLine) {
	if l.dirty && (!l.locked || c.aux.dcCtrl&dcLocked != 0) {
		c.lose(timing.DCache, c.dcache.Back())
		l.dirty, l.behind = false, nil
	}
}

// flushAll is DC_FLSH.
func (c *CPU) flushAll() {
	if c.data == nil {
		c.lose(timing.DCache, c.dcache.CleanAll())
		return
	}
	for i := range c.data.lines {
		c.flush(&c.data.lines[i])
	}
}

// invalidateLine is DC_IVDL.
func (c *CPU) invalidateLine(addr uint32) {
	c.lose(timing.DCache, lineOperation)
	if c.data == nil {
		c.lose(timing.DCache, c.dcache.Drop(addr, c.aux.dcCtrl&dcFlush != 0))
		return
	}
	l := c.data.find(addr >> c.data.shift)
	c.done(l != nil)
	if l != nil {
		c.drop(l, c.aux.dcCtrl&dcFlush != 0)
	}
}

// invalidateAll is DC_IVDC.
func (c *CPU) invalidateAll() {
	if c.data == nil && c.aux.dcCtrl&dcFlush != 0 {
		c.lose(timing.DCache, c.dcache.CleanAll())
	}
	c.dcache.Invalidate()
	if c.data == nil {
		return
	}
	for i := range c.data.lines {
		c.drop(&c.data.lines[i], c.aux.dcCtrl&dcFlush != 0)
	}
}

// forget drops the lines with what they have not written back, as a reset does.
func (k *dataCache) forget(c *CPU) {
	for i := range k.lines {
		c.drop(&k.lines[i], false)
	}
}

// state returns the lines as words: tag, state bits, and the bytes of memory.
func (k *dataCache) state() (words []uint32) {
	for _, l := range k.lines {
		flags := b2u(l.dirty) | b2u(l.locked)<<1 | b2u(l.behind != nil)<<2
		words = append(words, l.tag, flags)
		for i := 0; i < len(l.behind); i += 4 {
			words = append(words, binary.LittleEndian.Uint32(l.behind[i:]))
		}
	}
	return words
}

// setState is the inverse of state. It reports whether the words are the state of a cache of this size.
func (k *dataCache) setState(words []uint32) bool {
	lines := make([]dataLine, len(k.lines))
	for i := range lines {
		if len(words) < 2 {
			return false
		}
		l := &lines[i]
		l.tag, l.dirty, l.locked = words[0], words[1]&1 != 0, words[1]&2 != 0
		behind := words[1]&4 != 0
		words = words[2:]
		if !behind {
			continue
		}
		n := 1 << k.shift / 4
		if len(words) < n || l.tag == 0 || (l.tag-1)>>(32-k.shift) != 0 {
			return false
		}
		for _, w := range words[:n] {
			l.behind = binary.LittleEndian.AppendUint32(l.behind, w)
		}
		words = words[n:]
	}
	copy(k.lines, lines)
	return len(words) == 0
}
