package cpu

import (
	"math/bits"

	"arcv2dsp/cpu/timing"
	"arcv2dsp/dspunit"
	"arcv2dsp/isa"
)

// buildReg is a build configuration register: what software may know of the core.
func buildReg(addr uint32, name string, value func(*Config) uint32) auxReg {
	return auxReg{Addr: addr, Name: name, Read: func(c *CPU) uint32 { return value(&c.Config) }}
}

// auxBuild are the build configuration registers that can be other than zero. Layouts are those
// that Linux, Zephyr and the embARC board files read.
var auxBuild = []auxReg{
	buildReg(0x60, "BCR_VER", func(*Config) uint32 { return 2 }),
	buildReg(0x68, "VECBASE_AC_BUILD", func(c *Config) uint32 { return c.VectorBase | 4<<2 }),
	buildReg(0x6d, "MPU_BUILD", func(c *Config) uint32 {
		return present(c.MPURegions > 0, 2|uint32(c.MPURegions)<<8)
	}),
	buildReg(0x6e, "RF_BUILD", func(c *Config) uint32 {
		v := 2 | b2u(c.Regs16)<<9 | 1<<10 | uint32(c.Banks-1)<<11
		if c.Banks > 1 && c.BankRegs > 4 {
			v |= uint32(bits.Len8(c.BankRegs)-3) << 14
		}
		return v
	}),
	buildReg(0x72, "D_CACHE_BUILD", func(c *Config) uint32 { return cacheBuild(c.DCache, 16) }),
	buildReg(0x74, "DCCM_BUILD", func(c *Config) uint32 { return ccmBuild(c.DCCM) }),
	buildReg(0x75, "TIMER_BUILD", func(c *Config) uint32 {
		return present(c.Timer0 || c.Timer1 || c.RTC, 4|b2u(c.Timer0)<<8|b2u(c.Timer1)<<9|b2u(c.RTC)<<10|
			uint32(c.Timer0Level)<<16|uint32(c.Timer1Level)<<20)
	}),
	buildReg(0x76, "AP_BUILD", func(c *Config) uint32 {
		return present(c.ActionPoints > 0, 5|uint32(bits.Len8(c.ActionPoints/2)-1)<<8)
	}),
	buildReg(0x77, "I_CACHE_BUILD", func(c *Config) uint32 { return cacheBuild(c.ICache, 8) }),
	buildReg(0x78, "ICCM_BUILD", func(c *Config) uint32 { return ccmBuild(c.ICCM) }),
	buildReg(0x79, "XY_BUILD", func(c *Config) uint32 {
		return present(c.XYConfig != 0, 0x20|uint32(c.XYConfig)<<8|b2u(c.XYInterleaved)<<10|
			uint32(max(bits.Len32(c.XYSize>>12), 1)-1)<<12)
	}),
	buildReg(0x7a, "DSP_BUILD", func(c *Config) uint32 {
		return present(c.Has(isa.DSP), 0x21|uint32(c.DSPDivSqrt)<<8|b2u(c.Has(isa.DSPComplex))<<10|
			uint32(c.DSPAccShift)<<11|b2u(c.Has(isa.DSPITU))<<13|b2u(c.DSPWide)<<14)
	}),
	buildReg(0x7b, "MULTIPLY_BUILD", multiplyBuild),
	buildReg(0x7c, "SWAP_BUILD", func(c *Config) uint32 { return present(c.Has(isa.Swap), 3) }),
	buildReg(0x7d, "NORM_BUILD", func(c *Config) uint32 { return present(c.Has(isa.BitScan), 3) }),
	buildReg(0x7e, "MINMAX_BUILD", func(*Config) uint32 { return 2 }),
	buildReg(0x7f, "BARREL_BUILD", func(c *Config) uint32 {
		options := b2u(c.Has(isa.ShiftAssist)) | b2u(c.Has(isa.BarrelShift))<<1
		return present(options != 0, 3|options<<8)
	}),
	buildReg(0xc1, "ISA_CONFIG", isaConfig),
	buildReg(0xcc, "AGU_BUILD", func(c *Config) uint32 {
		a := c.AGU
		version := 2 - b2u(a == dspunit.AGUSmall) // as the boards show
		return present(a.Pointers != 0, version|uint32(a.Pointers)<<8|uint32(a.Offsets)<<12|
			uint32(a.Modifiers)<<16|uint32(c.AGUWriteBuffer)<<21|b2u(c.AGUAccordion)<<24)
	}),
	buildReg(0xf3, "IRQ_BUILD", func(c *Config) uint32 {
		return present(c.Interrupts > 0, 1|uint32(c.Interrupts)<<8|uint32(c.External)<<16|
			uint32(max(c.Levels, 1)-1)<<24|b2u(c.FastIRQ)<<28)
	}),
}

// present is v for a component that the core has, 0 for one it lacks.
func present(has bool, v uint32) uint32 {
	if has {
		return v
	}
	return 0
}

// cacheBuild: version, ways 1 << n, size 512 << n, line length unit << n; the unit is 8 bytes for
// the instruction cache and 16 for the data cache.
func cacheBuild(g timing.CacheGeometry, unit uint32) uint32 {
	log2 := func(n uint32) uint32 { return uint32(max(bits.Len32(n), 1) - 1) }
	return present(g.Size > 0, 4|log2(g.Ways)<<8|log2(g.Size>>9)<<12|log2(g.Line/unit)<<16)
}

// ccmBuild: version, size in units of 256 << n.
func ccmBuild(m CCM) uint32 {
	n := uint32(max(bits.Len32(m.Size>>8), 1) - 1)
	if n > 15 {
		return present(m.Size > 0, 4|15<<8|(n-15)<<12)
	}
	return present(m.Size > 0, 4|n<<8)
}

// multiplyBuild: 32x32 version, type, cycles and DSP level, 16x16 version.
//
// DEVIATION(112): the cycles field is the option's latency minus one; wlh5 shows type 1.
func multiplyBuild(c *Config) uint32 {
	const version32, version16 = 6, 2
	switch m := uint32(c.MPYOption); {
	case m == 0:
		return 0
	case m == 1:
		return version16 << 16
	case m == 6:
		return version32 | 1<<8 | version16<<16
	case m < 6:
		return version32 | 2<<8 | (m-2)<<10 | version16<<16
	default:
		return version32 | 2<<8 | uint32(c.MPYCycles)&3<<10 | (m-6)<<12 | version16<<16
	}
}
