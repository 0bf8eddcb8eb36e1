package timing

import "slices"

// State returns which lines the cache holds.
func (c *Cache) State() []uint32 { return slices.Clone(c.tags) }

// SetState makes the cache hold the lines that State returned. It reports whether the state is one
// of a cache of this size.
func (c *Cache) SetState(tags []uint32) bool {
	if len(tags) != len(c.tags) {
		return false
	}
	copy(c.tags, tags)
	return true
}
