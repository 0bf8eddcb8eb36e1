package cpu

import "arcv2dsp/isa"

// maxCounters is the largest number of performance counters.
const maxCounters = 32

// PCT_CONTROL and PCT_CONFIG fields.
const (
	countersEnable = 1 << 0
	countersClear  = 1 << 16
	countersSnap   = 1 << 17
	countersConfig = 0xc03ff // condition, and the modes in which it counts

	counterBits = 48
)

// conditions are the countable conditions that have a name, by their number. The others of the list that
// CC_BUILD promises have none and never hold.
//
// DEVIATION(223): numbers are ours, for software finds conditions by name. Counters count in user and in kernel
// mode, whatever PCT_CONFIG says.
var conditions = [...]struct {
	name  string
	count func(*CPU) uint64
}{
	{name: "never", count: func(*CPU) uint64 { return 0 }},
	{name: "crun", count: func(c *CPU) uint64 { return c.Cycles }},
	{name: "iall", count: func(c *CPU) uint64 { return c.Insts }},
}

// counters are the performance counters. A counter is a difference between now and the time at which it was
// 0, or what it was when counting stopped.
type counters struct {
	on     bool
	index  uint32 // PCT_INDEX
	name   uint32 // CC_INDEX
	config [maxCounters]uint32
	base   [maxCounters]uint64 // what the condition's count was when the counter was 0, while on
	held   [maxCounters]uint64 // the counter, while off
	snap   [maxCounters]uint64
}

func hasCounters(c *Config) bool { return c.Counters > 0 }

// auxCounters are the registers of the performance counters, as Linux uses them.
var auxCounters = []auxReg{
	buildReg(0xf5, "PCT_BUILD", func(c *Config) uint32 {
		return present(c.Counters > 0, c.countersVersion()|(counterBits-32)/16<<8|uint32(c.Counters)<<16|
			present(c.Has(isa.EM), uint32(c.Counters)<<24))
	}),
	buildReg(0xf6, "CC_BUILD", func(c *Config) uint32 {
		version, list := uint32(4), uint32(111)
		if c.Has(isa.HS) {
			version, list = 2, 113
			if c.ARCVer >= hs4 {
				list = 123
			}
		}
		return present(c.Counters > 0, version|list<<16)
	}),
	{Addr: 0x240, Name: "CC_INDEX", Has: hasCounters,
		Read:  func(c *CPU) uint32 { return c.counters.name },
		Write: func(c *CPU, v uint32) { c.counters.name = v & 0xffff }},
	{Addr: 0x241, Name: "CC_NAME0", Has: hasCounters, Read: func(c *CPU) uint32 { return c.conditionName(0) }},
	{Addr: 0x242, Name: "CC_NAME1", Has: hasCounters, Read: func(c *CPU) uint32 { return c.conditionName(4) }},
	{Addr: 0x250, Name: "PCT_COUNTL", Has: hasCounters,
		Read: func(c *CPU) uint32 { return uint32(c.counter(c.counterSelected())) },
		Write: func(c *CPU, v uint32) {
			i := c.counterSelected()
			c.setCounter(i, c.counter(i)>>32<<32|uint64(v))
		}},
	{Addr: 0x251, Name: "PCT_COUNTH", Has: hasCounters,
		Read: func(c *CPU) uint32 { return uint32(c.counter(c.counterSelected()) >> 32) },
		Write: func(c *CPU, v uint32) {
			i := c.counterSelected()
			c.setCounter(i, uint64(v)<<32|c.counter(i)&0xffffffff)
		}},
	{Addr: 0x252, Name: "PCT_SNAPL", Has: hasCounters,
		Read: func(c *CPU) uint32 { return uint32(c.counters.snap[c.counterSelected()]) }},
	{Addr: 0x253, Name: "PCT_SNAPH", Has: hasCounters,
		Read: func(c *CPU) uint32 { return uint32(c.counters.snap[c.counterSelected()] >> 32) }},
	{Addr: 0x254, Name: "PCT_CONFIG", Has: hasCounters,
		Read: func(c *CPU) uint32 { return c.counters.config[c.counterSelected()] },
		Write: func(c *CPU, v uint32) {
			i := c.counterSelected()
			n := c.counter(i)
			c.counters.config[i] = v & countersConfig
			c.setCounter(i, n)
		}},
	{Addr: 0x255, Name: "PCT_CONTROL", Has: hasCounters,
		Read: func(c *CPU) uint32 { return b2u(c.counters.on) * countersEnable }, Write: (*CPU).controlCounters},
	{Addr: 0x256, Name: "PCT_INDEX", Has: hasCounters,
		Read: func(c *CPU) uint32 { return c.counters.index },
		Write: func(c *CPU, v uint32) {
			if v < uint32(c.Config.Counters) {
				c.counters.index = v
			}
		}},
}

// countersVersion follows the version of the core.
func (c *Config) countersVersion() uint32 {
	switch {
	case c.Has(isa.HS):
		return 3
	case c.ARCVer > em3:
		return 4
	}
	return 2
}

// counterSelected is the counter that PCT_INDEX stands for.
func (c *CPU) counterSelected() uint32 { return c.counters.index % maxCounters }

// condition is how often the condition of counter i has held since the start.
func (c *CPU) condition(i uint32) uint64 {
	if n := c.counters.config[i] & 0x3ff; n < uint32(len(conditions)) {
		return conditions[n].count(c)
	}
	return 0
}

// counter returns what counter i shows.
func (c *CPU) counter(i uint32) uint64 {
	if !c.counters.on {
		return c.counters.held[i]
	}
	return (c.condition(i) - c.counters.base[i]) & (1<<counterBits - 1)
}

func (c *CPU) setCounter(i uint32, v uint64) {
	v &= 1<<counterBits - 1
	c.counters.held[i], c.counters.base[i] = v, c.condition(i)-v
}

func (c *CPU) controlCounters(v uint32) {
	k := &c.counters
	for i := range uint32(c.Config.Counters) {
		n := c.counter(i)
		if v&countersSnap != 0 {
			k.snap[i] = n
		}
		if v&countersClear != 0 {
			n = 0
		}
		c.setCounter(i, n)
	}
	k.on = v&countersEnable != 0
}

// conditionName is four letters of the name of the condition that CC_INDEX stands for.
func (c *CPU) conditionName(from int) (word uint32) {
	if c.counters.name >= uint32(len(conditions)) {
		return 0
	}
	name := conditions[c.counters.name].name
	for i := range 4 {
		if from+i < len(name) {
			word |= uint32(name[from+i]) << (8 * i)
		}
	}
	return word
}
