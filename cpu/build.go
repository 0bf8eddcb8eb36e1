package cpu

import (
	"math/bits"

	"arcv2dsp/cpu/internal/timing"
	"arcv2dsp/isa"
)

// buildReg is a build configuration register: a fact about the core that software may read.
func buildReg(addr uint32, name string, value func(*Config) uint32) auxReg {
	return auxReg{Addr: addr, Name: name, Read: func(c *CPU) uint32 { return value(&c.Config) }}
}

// auxBuild are the build configuration registers that can be other than zero: those that Linux, Zephyr and embARC
// read, with the values of public boards. Registers of components that are not modelled read 0, as on a core
// without them; docs/properties.md lists which.
var auxBuild = []auxReg{
	buildReg(0x60, "BCR_VER", func(*Config) uint32 { return 2 }),
	buildReg(0x68, "VECBASE_AC_BUILD", func(c *Config) uint32 { return c.VectorBase | 4<<2 }),
	buildReg(0x6b, "FP_BUILD", func(c *Config) uint32 {
		return present(c.Has(isa.FPXSingle), fpxVersion|b2u(c.FPXFast)<<8)
	}),
	buildReg(0x6c, "DPFP_BUILD", func(c *Config) uint32 {
		return present(c.Has(isa.FPXDouble), fpxVersion|b2u(c.FPXFast)<<8)
	}),
	buildReg(0x6d, "MPU_BUILD", func(c *Config) uint32 {
		return present(c.MPURegions > 0, uint32(c.MPUVersion)|uint32(c.MPURegions)<<8|
			b2u(c.Secure)<<16|b2u(c.MPUSecureID)<<17)
	}),
	buildReg(0x6e, "RF_BUILD", func(c *Config) uint32 {
		v := 2 | uint32(max(c.Ports, 1)-1)<<8 | b2u(c.Regs16)<<9 | uint32(c.Banks-1)<<11
		if c.Banks > 1 && c.BankRegs > 4 {
			v |= uint32(bits.Len8(c.BankRegs)-3) << 14
		}
		return v
	}),
	buildReg(0x70, "SEC_VECBASE_BUILD", func(c *Config) uint32 { return present(c.Secure, c.SecureVectorBase|1) }),
	buildReg(0x72, "D_CACHE_BUILD", func(c *Config) uint32 {
		return present(c.DCache.Size > 0, cacheBuild(c.DCache, 16)|c.dcacheVersion()|uint32(c.DCacheFeatures)<<20|
			b2u(c.DCacheUncached)<<26|uint32(max(c.DCacheCycles, 1)-1)<<28)
	}),
	buildReg(0x74, "DCCM_BUILD", func(c *Config) uint32 {
		return present(c.DCCM.Size > 0, ccmBuild(c.DCCM, 4)|c.dccmVersion()|
			b2u(c.DCCMInterleaved)<<16|uint32(c.DCCMCycles)<<17)
	}),
	buildReg(0x75, "TIMER_BUILD", func(c *Config) uint32 {
		return present(c.Timer0 || c.Timer1 || c.SecureTimer0 || c.RTC, c.memoryVersion()|
			b2u(c.Timer0)<<8|b2u(c.Timer1)<<9|b2u(c.RTC)<<10|b2u(c.SecureTimer0)<<11|
			uint32(c.Timer0Level)<<16|uint32(c.Timer1Level)<<20|uint32(c.SecureLevel)<<24)
	}),
	buildReg(0x76, "AP_BUILD", func(c *Config) uint32 {
		return present(c.ActionPoints > 0, 5|uint32(bits.Len8(c.ActionPoints/2)-1)<<8|b2u(!c.FullPoints)<<10)
	}),
	buildReg(0x77, "I_CACHE_BUILD", func(c *Config) uint32 {
		return present(c.ICache.Size > 0, cacheBuild(c.ICache, 8)|c.memoryVersion()|uint32(c.ICacheFeatures)<<20)
	}),
	buildReg(0x78, "ICCM_BUILD", func(c *Config) uint32 {
		return present(hasICCM(c), ccmBuild(c.ICCM, 8)|ccmBuild(c.ICCM1, 8)<<4|c.memoryVersion())
	}),
	buildReg(0x79, "XY_BUILD", func(c *Config) uint32 {
		return present(c.XYConfig != 0, 0x20|uint32(c.XYConfig)<<8|b2u(c.XYInterleaved)<<10|log2(c.XYSize>>12)<<12)
	}),
	buildReg(0x7a, "DSP_BUILD", func(c *Config) uint32 {
		return present(c.Has(isa.DSP), 0x21+b2u(c.Has(isa.HS))|uint32(c.DSPDivSqrt)<<8|b2u(c.Has(isa.DSPComplex))<<10|
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
	buildReg(0xc0, "BPU_BUILD", predictorBuild),
	buildReg(0xc1, "ISA_CONFIG", isaConfig),
	buildReg(0xc5, "STACK_REGION_BUILD", func(c *Config) uint32 { return present(c.StackCheck, 2) }),
	buildReg(0xc8, "FPU_BUILD", fpuBuild),
	buildReg(0xcb, "BS_BUILD", func(c *Config) uint32 { return present(c.Has(isa.Bitstream), 2) }),
	buildReg(0xcc, "AGU_BUILD", func(c *Config) uint32 {
		a := c.AGU
		return present(a.Pointers != 0, c.aguVersion()|uint32(a.Pointers)<<8|uint32(a.Offsets)<<12|
			uint32(a.Modifiers)<<16|uint32(c.AGUWriteBuffer)<<21|b2u(c.AGUAccordion)<<24)
	}),
	buildReg(0xcd, "DMAC_BUILD", dmaBuild),
	// one core, no coherency unit
	buildReg(0xcf, "CLUSTER_BUILD", func(c *Config) uint32 { return present(c.Has(isa.HS), 1|1<<8) }),
	buildReg(0xdb, "SEC_BUILD", func(c *Config) uint32 {
		return present(c.Secure, 1<<12|3+2*b2u(c.ARCVer > em3))
	}),
	buildReg(0xe9, "LPB_BUILD", func(c *Config) uint32 {
		return present(c.LoopBuffer > 0, 1|uint32(c.LoopBuffer)<<8)
	}),
	buildReg(0xf1, "CORE_CONFIG", func(c *Config) uint32 {
		return present(c.Has(isa.EM) && c.ARCVer >= em2, 1|b2u(c.Turbo)<<8)
	}),
	buildReg(0xf3, "IRQ_BUILD", func(c *Config) uint32 {
		return present(c.Interrupts > 0, 1|uint32(c.Interrupts)<<8|uint32(c.External)<<16|
			uint32(max(c.Levels, 1)-1)<<24|b2u(c.FastIRQ)<<28)
	}),
	buildReg(0xfe, "IFQUEUE_BUILD", func(c *Config) uint32 {
		return present(c.FetchQueue > 0, 2|log2(uint32(c.FetchQueue))<<8)
	}),
}

// Versions of EM and HS cores, ARCVER, that registers differ by.
const (
	em2 = 0x42
	em3 = 0x43
	hs4 = 0x54
)

// memoryVersion is the version of most registers about memories and timers: 5 with SecureShield.
func (c *Config) memoryVersion() uint32 { return 4 + b2u(c.Secure) }

func (c *Config) dcacheVersion() uint32 { return 4 + b2u(c.Secure || c.Has(isa.HS)) }

func (c *Config) dccmVersion() uint32 {
	if c.Has(isa.EM) && c.ARCVer < em2 {
		return 3
	}
	return c.memoryVersion()
}

// aguVersion follows the version of the core.
func (c *Config) aguVersion() uint32 {
	switch {
	case c.Has(isa.HS):
		return 3
	case c.ARCVer >= em3:
		return 2
	}
	return 1
}

// present is v for a component that the core has, 0 for one it lacks.
func present(has bool, v uint32) uint32 {
	if has {
		return v
	}
	return 0
}

// log2 is that of a power of two, 0 for 0.
func log2(n uint32) uint32 { return uint32(max(bits.Len32(n), 1) - 1) }

// cacheBuild: ways 1 << n, size 512 << n, line length unit << n; the unit is 8 bytes for the instruction
// cache and 16 for the data cache.
func cacheBuild(g timing.CacheGeometry, unit uint32) uint32 {
	return log2(g.Ways)<<8 | log2(g.Size>>9)<<12 | log2(g.Line/unit)<<16
}

// ccmBuild: size in units of 256 << n from bit 8, with a second field, so many bits further, for what the first
// cannot say. The fields of the second instruction memory follow those of the first.
func ccmBuild(m CCM, second int) uint32 {
	if m.Size == 0 {
		return 0
	}
	n := log2(m.Size >> 8)
	if n > 15 {
		return (15 | (n-15)<<second) << 8
	}
	return n << 8
}

// predictorBuild: entries of branch cache, pattern table and return stack as powers of two from 256, 2048
// and 4, tags, queues. A full tag compares what is left of 29 bits beyond the index of the branch cache.
func predictorBuild(c *Config) uint32 {
	p := c.Predictor
	if p.Branches == 0 {
		return 0
	}
	tag := p.TagSize
	if tag == 0 && p.FullTag {
		tag = 29 - log2(p.Branches)
	}
	return 5 | log2(p.Branches>>8)<<8 | log2(p.Patterns>>11)<<11 | log2(p.Returns>>2)<<14 | b2u(p.FullTag)<<16 |
		tag<<17 | log2(p.TopQueue)<<22 | (max(p.FetchSize, 1)-1)<<24
}

// multiplyBuild: 32x32 version, type, cycles and DSP level, 16x16 version.
//
// DEVIATION(112): of options 2 to 5 the cycles field is the latency minus one. Option 6 is sequential on EM,
// type 0, and pipelined on HS.
func multiplyBuild(c *Config) uint32 {
	const (
		version32, version16 = 6, 2
		pipelined            = 2 << 8
	)
	switch m := uint32(c.MPYOption); {
	case m == 0:
		return 0
	case m == 1:
		return version16 << 16
	case m == 6:
		return version32 | present(c.Has(isa.HS), pipelined) | version16<<16
	case m < 6:
		return version32 | pipelined | (m-2)<<10 | version16<<16
	default:
		return version32 | pipelined | uint32(c.MPYCycles)&3<<10 | (m-6)<<12 | version16<<16
	}
}

// fpxVersion is the version of FPX.
//
// DEVIATION(242): 2, with bit 8 for the fast kind, whose place Linux knows.
const fpxVersion = 2

// fpuBuild: version 1 on HS, 2 on EM, 3 with the pipelined implementation, as the boards show; then a bit per
// part: single precision, its fused, converting and dividing instructions; the same for double precision; the
// assist.
//
// DEVIATION(243): bits 12 and 13 are the fast multiplier and divider, which no public board has.
func fpuBuild(c *Config) uint32 {
	version := uint32(1)
	if c.Has(isa.EM) {
		version = 2 + b2u(c.FPUPipe)
	}
	has := func(f isa.Feature) uint32 { return b2u(c.Has(f)) }
	return present(hasFPU(c), version|
		has(isa.FPUSingle)<<8|has(isa.FPUSingleMAC)<<9|has(isa.FPUSingle)<<10|has(isa.FPUSingleDiv)<<11|
		b2u(c.FPUFastMul)<<12|b2u(c.FPUFastDiv)<<13|b2u(c.FPUPipe)<<14|
		has(isa.FPUDouble)<<16|has(isa.FPUDoubleMAC)<<17|has(isa.FPUDouble)<<18|has(isa.FPUDoubleDiv)<<19|
		has(isa.FPUDoubleAssist)<<24)
}
