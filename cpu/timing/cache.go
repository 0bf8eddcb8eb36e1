package timing

// Cache models which lines a cache holds, not their contents: set-associative, least recently used
// line replaced, write-back and write-allocate.
//
// DEVIATION(171): writing back a dirty line costs nothing; the write buffer of the bus hides it.
type Cache struct {
	tags   []uint32 // line addresses plus one, sets of ways, most recently used first
	ways   int
	line   uint32 // log2 of the line size
	sets   uint32
	filled uint32 // cycles of a line fill
}

// NewCache returns an empty cache of the given size in bytes.
func (m *Model) NewCache(size uint32) *Cache {
	c := &Cache{ways: int(m.CacheWays)}
	for 1<<c.line < uint32(m.CacheLine) {
		c.line++
	}
	c.sets = max(size>>c.line/uint32(m.CacheWays), 1)
	c.tags = make([]uint32, c.sets*uint32(m.CacheWays))
	c.filled = uint32(m.CacheFillStart) + uint32(m.CacheLine)/4*uint32(m.CacheWord)
	return c
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

// Invalidate empties the cache.
func (c *Cache) Invalidate() { clear(c.tags) }

func (c *Cache) touch(line uint32) (stall uint32) {
	set := c.tags[line%c.sets*uint32(c.ways):][:c.ways]
	tag := line + 1
	hit := 0
	for hit < len(set)-1 && set[hit] != tag {
		hit++
	}
	if set[hit] != tag {
		stall = c.filled
	}
	copy(set[1:hit+1], set[:hit])
	set[0] = tag
	return stall
}
