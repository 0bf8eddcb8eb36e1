package timing

import (
	"fmt"
	"math/bits"
)

// Cache models which lines a cache holds, not their contents: set-associative, least recently used
// line replaced, write-back and write-allocate.
//
// DEVIATION(171): writing back a dirty line costs nothing; the write buffer of the bus hides it.
type Cache struct {
	tags   []uint32 // line addresses plus one; the lines used last of all sets, then those before, ...
	line   uint32   // log2 of the line size
	sets   uint32
	filled uint32 // cycles of a line fill
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

// NewCache returns an empty cache of a geometry that Check accepts, nil for no cache.
func (m *Model) NewCache(g CacheGeometry) *Cache {
	if g.Size == 0 {
		return nil
	}
	return &Cache{
		tags:   make([]uint32, g.Size/g.Line),
		line:   uint32(bits.TrailingZeros32(g.Line)),
		sets:   g.Size / g.Line / g.Ways,
		filled: uint32(m.CacheFillStart) + g.Line/4*uint32(m.CacheWord),
	}
}

// Access returns the cycles that an access to [addr, addr+size) waits for the cache.
func (c *Cache) Access(addr, size uint32) (stall uint32) {
	first, last := addr>>c.line, (addr+size-1)>>c.line
	stall = c.touch(first)
	if last != first {
		stall += c.touch(last)
	}
	return stall
}

// Fill returns the cycles of a line fill.
func (c *Cache) Fill() uint32 { return c.filled }

// Invalidate empties the cache.
func (c *Cache) Invalidate() { clear(c.tags) }

func (c *Cache) touch(line uint32) (stall uint32) {
	sets := int(c.sets)
	at, tag := int(line%c.sets), line+1
	if c.tags[at] == tag {
		return 0
	}
	hit := at + sets
	for hit < len(c.tags) && c.tags[hit] != tag {
		hit += sets
	}
	if hit >= len(c.tags) {
		stall = c.filled
		hit -= sets
	}
	for ; hit > at; hit -= sets {
		c.tags[hit] = c.tags[hit-sets]
	}
	c.tags[at] = tag
	return stall
}

// Front returns the tags of the lines used last, one per set, and how the tag of an address is found:
// line = addr >> shift is at line & mask, and its tag is line + 1. An access to a line in front waits
// for nothing and changes nothing, so an engine need not report it.
func (c *Cache) Front() (tags []uint32, shift, mask uint32) {
	return c.tags[:c.sets], c.line, c.sets - 1
}
