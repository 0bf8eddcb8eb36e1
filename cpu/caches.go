package cpu

import (
	"fmt"

	"arcv2dsp/cpu/internal/timing"
	"arcv2dsp/memory"
)

// ctrlDisable is the bit of IC_CTRL and DC_CTRL that turns a cache off.
//
// DEVIATION(210): memory behind a cache that is off answers as on a core without that cache.
const ctrlDisable = 1 << 0

// CacheModels returns the caches of the core, whether they take part now or not; nil for none.
func (c *CPU) CacheModels() (instructions, data *timing.Cache) { return c.icache, c.dcache }

// FetchCache returns the instruction cache as it takes part now: nil for a core without one and while
// IC_CTRL turns it off.
func (c *CPU) FetchCache() *timing.Cache {
	if c.icache == nil || c.aux.icCtrl&ctrlDisable != 0 {
		return nil
	}
	return c.icache
}

// DataCache is FetchCache for the data cache and DC_CTRL. A cache that holds data is another one.
func (c *CPU) DataCache() *timing.Cache {
	if c.dcache == nil || c.data != nil || c.aux.dcCtrl&ctrlDisable != 0 {
		return nil
	}
	return c.dcache
}

// CachesAt reports whether the caches serve an address: CCMs and devices have ways of their own.
func (c *CPU) CachesAt(addr uint32) bool { return c.Mem.Kinds[addr>>12] == memory.RAM }

// dataAccess lets the data cache charge an access that it serves.
func (c *CPU) dataAccess(addr, size uint32, a memory.Access) {
	if cache := c.DataCache(); cache != nil && c.CachesAt(addr) {
		c.lose(timing.DCache, cache.Access(addr, size, a == memory.Write))
	}
}

// openCaches tells the caches of the wait states of the memories behind them, and the memory that a cache meets them.
func (c *CPU) openCaches() {
	for _, cache := range []*timing.Cache{c.icache, c.dcache} {
		if cache == nil {
			continue
		}
		_, shift, _ := cache.Front()
		burst := func(r *memory.Region) uint32 { return uint32(r.Wait) + (uint32(1)<<shift/4-1)*uint32(r.Next) }
		most := uint32(0)
		for _, r := range c.Mem.Regions() {
			if r.Kind == memory.RAM {
				most = max(most, burst(r))
			}
		}
		if most > 0 {
			cache.Behind(func(addr uint32) uint32 {
				if r := c.Mem.At(addr); r != nil {
					return burst(r)
				}
				return 0
			}, most)
		}
	}
	c.switchCache()
}

// switchCache tells the memory whether loads and stores meet its wait states: not while the data cache serves them.
func (c *CPU) switchCache() {
	c.Mem.SetCached(c.dcache != nil && c.aux.dcCtrl&ctrlDisable == 0)
}

// fetchAccess lets the instruction cache charge an instruction that it serves.
func (c *CPU) fetchAccess(d *decoded) {
	if cache := c.FetchCache(); cache != nil && c.CachesAt(d.pc) {
		c.lose(timing.ICache, cache.Access(d.pc, uint32(d.in.Len), false))
	}
}

// HoldsData reports whether the data cache holds data, so that only the reference engine executes.
func (c *CPU) HoldsData() bool { return c.data != nil }

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
