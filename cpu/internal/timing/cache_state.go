package timing

import "slices"

// State returns which lines the cache holds, and which of them are dirty.
func (c *Cache) State() []uint32 { return slices.Concat(c.tags, c.dirty) }

// SetState makes the cache hold the lines that State returned. It reports whether the state is one
// of a cache of this size.
func (c *Cache) SetState(state []uint32) bool {
	n := len(c.tags)
	if len(state) != 2*n {
		return false
	}
	for i, tag := range state[n:] {
		if tag != 0 && tag != state[i] {
			return false // a dirty line that the cache does not hold
		}
	}
	copy(c.tags, state)
	copy(c.dirty, state[n:])
	return true
}
