package cpu

// auxMemory are the registers that say where memories are.
var auxMemory = []auxReg{
	{Addr: 0x018, Name: "AUX_DCCM", Has: hasDCCM,
		Read:  func(c *CPU) uint32 { return c.aux.dccmBase },
		Write: func(c *CPU, v uint32) { c.moveCCM("dccm", &c.aux.dccmBase, v) }},
	{Addr: 0x208, Name: "AUX_ICCM", Has: hasICCM,
		Read:  func(c *CPU) uint32 { return c.aux.iccmBase | c.aux.iccm1Base>>iccm1Bits },
		Write: (*CPU).moveICCM},

	// The bus for peripherals answers as the rest of memory does: moving it changes nothing.
	{Addr: 0x20a, Name: "DMP_PERIPHERAL", Has: hasPeripherals,
		Read:  func(c *CPU) uint32 { return c.aux.peripherals },
		Write: func(c *CPU, v uint32) { c.aux.peripherals = v & (0xf << c.peripheralShift()) }},

	// Memory never differs from what a program would see without caches: leaving a region out of them
	// changes nothing.
	{Addr: 0x05e, Name: "AUX_VOLATILE", Has: hasVolatile,
		Read:  func(c *CPU) uint32 { return c.aux.volatile },
		Write: func(c *CPU, v uint32) { c.aux.volatile = v & 0xff000003 }},
}

// TellsAddress reports whether addr is IDENTITY or says where a memory or a bus is, which is beside what the
// build registers tell of a core.
func TellsAddress(addr uint32) bool {
	switch addr {
	case 0x004, 0x018, 0x05e, 0x208, 0x20a, 0x5f8, 0x5f9:
		return true
	}
	return false
}

func hasDCCM(c *Config) bool        { return c.DCCM.Size > 0 }
func hasICCM(c *Config) bool        { return c.ICCM.Size > 0 || c.ICCM1.Size > 0 }
func hasPeripherals(c *Config) bool { return c.Peripherals }
func hasVolatile(c *Config) bool    { return c.Volatile.Present }

// peripheralShift is the place of the bits of DMP_PERIPHERAL: the bus has a sixteenth of the addresses.
func (c *CPU) peripheralShift() uint8 {
	if n := c.Config.AddrSize; n > 4 {
		return n - 4
	}
	return 28
}

// iccm1Bits is how far below those of the first the bits of the second instruction memory lie in AUX_ICCM. Where a
// core has two, each is at a multiple of 256 MB.
const iccm1Bits = 4

// moveICCM writes AUX_ICCM.
func (c *CPU) moveICCM(v uint32) {
	if c.Config.ICCM1.Size == 0 {
		c.moveCCM("iccm", &c.aux.iccmBase, v)
		return
	}
	to := c.aux
	to.iccmBase, to.iccm1Base = v&0xf0000000, v<<iccm1Bits&0xf0000000
	if c.placeMemories(&to) == nil {
		c.aux.iccmBase, c.aux.iccm1Base = to.iccmBase, to.iccm1Base
		c.FlushCode()
	}
}

// resetMemory sets the registers to where memories are after reset.
func (c *CPU) resetMemory() {
	c.aux.iccmBase, c.aux.iccm1Base, c.aux.dccmBase = c.Config.ICCM.Base, c.Config.ICCM1.Base, c.Config.DCCM.Base
	for _, m := range c.aux.memories() {
		if r := c.Mem.Region(m.region); r != nil {
			*m.base = r.Base
		}
	}
	c.aux.peripherals = 0xf << c.peripheralShift()
	v := &c.Config.Volatile
	c.aux.volatile = v.Base<<28 | v.Limit<<24 | b2u(v.Strict)<<1 | b2u(v.Disable)
}

// memoryBase is the register that says where a memory is.
type memoryBase struct {
	region string
	base   *uint32
}

// memories are the registers of the memories that a program can move.
func (a *auxState) memories() [5]memoryBase {
	return [...]memoryBase{
		{region: "iccm", base: &a.iccmBase}, {region: "iccm1", base: &a.iccm1Base}, {region: "dccm", base: &a.dccmBase},
		{region: "xccm", base: &a.xccmBase}, {region: "yccm", base: &a.yccmBase},
	}
}

// placeMemories moves the memories to where the registers of a say they are. If one cannot be there, none moves.
func (c *CPU) placeMemories(a *auxState) error {
	bases := map[string]uint32{}
	for _, m := range a.memories() {
		if c.Mem.Region(m.region) != nil {
			bases[m.region] = *m.base
		}
	}
	return c.Mem.Arrange(bases)
}
