package timing

import (
	"fmt"
	"math/bits"
)

// Cache models which lines a cache holds, not their contents: set-associative, least recently used
// line replaced, write-back and write-allocate.
//
// DEVIATION(171): a dirty line that is replaced or flushed costs a burst of its words. The memory behind takes them from
// the buffer of the bus, so its wait states are not met: flushing a dirty line of 32 bytes takes 11 cycles more than
// invalidating it by public measurements, and a burst of 8 words 10.
type Cache struct {
	tags   []uint32 // line addresses plus one; the lines used last of all sets, then those before, ...
	dirty  []uint32 // the same where a line is dirty, else 0; it follows tags in memory
	line   uint32   // log2 of the line size
	sets   uint32
	filled uint32 // cycles of a line fill from memory without wait states
	back   uint32 // cycles of writing a line back
	waits  func(addr uint32) uint32
	worst  uint32 // cycles of the longest access to a line
}

// CacheGeometry is the shape of a cache; Size 0 is no cache.
type CacheGeometry struct {
	Size uint32 // bytes: a power of two of at least Line * Ways, and of two lines
	Line uint32 // bytes: a power of two of at least 4
	Ways uint32 // a power of two
}

// Check reports why the geometry cannot be built.
func (g CacheGeometry) Check() error {
	power := func(n uint32) bool { return n != 0 && n&(n-1) == 0 }
	if g.Size == 0 {
		return nil
	}
	if !power(g.Size) || !power(g.Line) || !power(g.Ways) || g.Line < 4 || g.Line == g.Size ||
		uint64(g.Line)*uint64(g.Ways) > uint64(g.Size) {
		return fmt.Errorf("no cache has %d bytes in %d ways of lines of %d bytes", g.Size, g.Ways, g.Line)
	}
	return nil
}

// NewCache returns an empty cache of a geometry that Check accepts, nil for no cache and in a model without any.
func (m *Model) NewCache(g CacheGeometry) *Cache {
	if g.Size == 0 || m.Core == One {
		return nil
	}
	lines := g.Size / g.Line
	both := make([]uint32, 2*lines)
	c := &Cache{
		tags:   both[:lines:lines],
		dirty:  both[lines:],
		line:   uint32(bits.TrailingZeros32(g.Line)),
		sets:   lines / g.Ways,
		filled: uint32(m.CacheFillStart) + g.Line/4*uint32(m.CacheWord),
	}
	c.back = c.filled
	c.worst = c.filled + c.back
	return c
}

// Behind says how many wait states the memory behind the cache has: those of a burst that fills a line at an address, and
// the most of all addresses.
func (c *Cache) Behind(waits func(addr uint32) uint32, most uint32) {
	c.waits, c.worst = waits, c.filled+c.back+most
}

// Access returns the cycles that an access to [addr, addr+size) waits for the cache.
func (c *Cache) Access(addr, size uint32, write bool) (stall uint32) {
	first, last := addr>>c.line, (addr+size-1)>>c.line
	stall = c.touch(first, write)
	if last != first {
		stall += c.touch(last, write)
	}
	return stall
}

// Fill returns the cycles of a line fill from memory without wait states.
func (c *Cache) Fill() uint32 { return c.filled }

// Back returns the cycles of writing a line back.
func (c *Cache) Back() uint32 { return c.back }

// FillAt returns the cycles of a line fill at an address.
func (c *Cache) FillAt(addr uint32) uint32 {
	if c.waits == nil {
		return c.filled
	}
	return c.filled + c.waits(addr)
}

// Worst returns the cycles of the longest access to a line.
func (c *Cache) Worst() uint32 { return c.worst }

// Invalidate empties the cache.
func (c *Cache) Invalidate() {
	clear(c.tags)
	clear(c.dirty)
}

// Clean writes the line of an address back when it is dirty, and returns the cycles that takes. Drop also makes the cache
// forget the line; without back its contents are lost.
func (c *Cache) Clean(addr uint32) (stall uint32) {
	if at := c.find(addr); at >= 0 && c.dirty[at] != 0 {
		c.dirty[at] = 0
		return c.back
	}
	return 0
}

// Drop is described with Clean.
func (c *Cache) Drop(addr uint32, back bool) (stall uint32) {
	at := c.find(addr)
	if at < 0 {
		return 0
	}
	if back && c.dirty[at] != 0 {
		stall = c.back
	}
	c.tags[at], c.dirty[at] = 0, 0
	return stall
}

// CleanAll writes all dirty lines back, and returns the cycles that takes.
func (c *Cache) CleanAll() (stall uint32) {
	for at, tag := range c.dirty {
		if tag != 0 {
			c.dirty[at] = 0
			stall += c.back
		}
	}
	return stall
}

// find is where the line of an address is, -1 when the cache does not hold it.
func (c *Cache) find(addr uint32) int {
	line := addr >> c.line
	for at := int(line % c.sets); at < len(c.tags); at += int(c.sets) {
		if c.tags[at] == line+1 {
			return at
		}
	}
	return -1
}

func (c *Cache) touch(line uint32, write bool) (stall uint32) {
	sets := int(c.sets)
	at, tag := int(line%c.sets), line+1
	if c.tags[at] == tag {
		if write {
			c.dirty[at] = tag
		}
		return 0
	}
	hit := at + sets
	for hit < len(c.tags) && c.tags[hit] != tag {
		hit += sets
	}
	dirty := uint32(0)
	if hit >= len(c.tags) {
		stall = c.FillAt(line << c.line)
		if hit -= sets; c.dirty[hit] != 0 {
			stall += c.back
		}
	} else {
		dirty = c.dirty[hit]
	}
	for ; hit > at; hit -= sets {
		c.tags[hit], c.dirty[hit] = c.tags[hit-sets], c.dirty[hit-sets]
	}
	if write {
		dirty = tag
	}
	c.tags[at], c.dirty[at] = tag, dirty
	return stall
}

// Front returns the tags of the lines used last, one per set, and how the tag of an address is found:
// line = addr >> shift is at line & mask, and its tag is line + 1. An access to a line in front waits
// for nothing and changes nothing, so an engine need not report it. For a store that holds when the line is dirty as well: its
// tag stands Dirty words behind.
func (c *Cache) Front() (tags []uint32, shift, mask uint32) {
	return c.tags[:c.sets], c.line, c.sets - 1
}

// Dirty is how many words behind the tag of a line in front it stands again while the line is dirty.
func (c *Cache) Dirty() uint32 { return uint32(len(c.tags)) }
