package cpu

import (
	"fmt"

	"arcv2dsp/cpu/timing"
)

// Cached reports whether a cache is modelled, which only the reference engine does.
func (c *CPU) Cached() bool { return c.icache != nil || c.dcache != nil }

// Caches returns which lines the instruction and the data cache hold, nil for a cache that is not
// modelled. With SaveState and the memory they are all that decides what happens next.
func (c *CPU) Caches() (instructions, data []uint32) {
	if c.icache != nil {
		instructions = c.icache.State()
	}
	switch {
	case c.data != nil:
		data = c.data.state()
	case c.dcache != nil:
		data = c.dcache.State()
	}
	return instructions, data
}

// SetCaches makes the caches hold the lines that Caches returned.
func (c *CPU) SetCaches(instructions, data []uint32) error {
	set := func(cache *timing.Cache, lines []uint32) bool {
		return cache == nil && len(lines) == 0 || cache != nil && cache.SetState(lines)
	}
	fits := set(c.icache, instructions)
	if c.data != nil {
		fits = fits && c.data.setState(data)
	} else {
		fits = fits && set(c.dcache, data)
	}
	if !fits {
		return fmt.Errorf("%w: caches of another size", ErrState)
	}
	return nil
}

// EmptyCaches invalidates both caches.
func (c *CPU) EmptyCaches() {
	for _, cache := range []*timing.Cache{c.icache, c.dcache} {
		if cache != nil {
			cache.Invalidate()
		}
	}
	if c.data != nil {
		clear(c.data.lines)
	}
}
