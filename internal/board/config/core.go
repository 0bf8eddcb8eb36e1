package config

import "arcv2dsp/cpu"

// Family is an ARCv2 processor family.
type Family string

// The families that are simulated, as nsim_isa_family spells them.
const (
	EM Family = "av2em"
	HS Family = "av2hs"
)

// Core is a core with the memories and devices around it, as properties describe it. Its Config holds the options that
// the processor takes as they stand; the comments of the other fields name their properties, and the machine derives
// the rest of the Config from them.
type Core struct {
	cpu.Config

	Template string // template the options started from

	Family      Family // nsim_isa_family
	CoreVersion uint32 // nsim_isa_core: version within the family, where arcver does not say it
	Version     uint32 // arcver: ARCVER field of the IDENTITY register, see ARCVer

	Clock uint32 // clock: MHz
	Regs  uint32 // nsim_isa_rgf_num_regs: 16 or 32 core registers

	CodeDensity uint32 // nsim_isa_code_density_option: 0 to 2
	MACCycles   uint32 // mac_cycles: MULTIPLY_BUILD.CYC, or byVersion: see MultiplyCycles
	Shift       uint32 // nsim_isa_shift_option: bit 0 shift assist, bit 1 barrel shifter
	Swap        bool   // nsim_isa_swap_option
	Bitscan     bool   // nsim_isa_bitscan_option
	Bitstream   bool   // nsim_isa_bitstream_option
	Atomic      uint32 // nsim_isa_atomic_option
	LL64        bool   // nsim_isa_ll64_option: 64-bit loads and stores

	DSP        uint32 // nsim_isa_dsp_option: 0 none, 1 or 2 EM, 3 as GCC's test boards call it
	DSPComplex bool   // nsim_isa_dsp_complex_option
	DSPITU     bool   // nsim_isa_dsp_itu_option: shift before accumulation

	FPUSingle    bool   // nsim_isa_fpus_option
	FPUSingleDiv bool   // nsim_isa_fpus_div_option
	FPUDouble    bool   // nsim_isa_fpud_option
	FPUDoubleDiv bool   // nsim_isa_fpud_div_option
	FPUMAC       bool   // nsim_isa_fpu_mac_option: fused multiply-add
	FPUAssist    bool   // nsim_isa_fpuda_option: double-precision assist
	FPXSingle    string // nsim_isa_spfp: none, compact or fast
	FPXDouble    string // nsim_isa_dpfp: none, compact or fast

	AGUKind string // nsim_isa_agu_size: none, small, medium or large

	XY       bool   // nsim_isa_xy
	XYLayout string // nsim_isa_xy_config: dccm_y or dccm_x_y
	XBase    uint32 // nsim_isa_xy_x_base
	YBase    uint32 // nsim_isa_xy_y_base

	HasDMA bool // nsim_isa_dmac_option

	// Policies of the caches, the last word of icache and dcache. a: as the core does it; other letters are kept as given.
	ICachePolicy, DCachePolicy string

	RAM string // ram: all, none or auto, see RAMEverywhere

	Memories []Memory // memory, in the order given

	Devices []Device // nsim_mem-dev, in the order given
}

// dmaInterrupts lists how a DMA controller can interrupt, in the order of cpu.DMAInterrupts.
var dmaInterrupts = []string{"single_internal", "multiple_internal", "single_external", "multiple_external"}

// ARCVer is the ARCVER field of the IDENTITY register. Below 16 arcver is the version of the core
// within its family, as nsim_isa_core is: 3 of av2em is 0x43.
func (c *Core) ARCVer() uint32 {
	v := c.Version
	if v == 0 {
		v = c.CoreVersion
	}
	if v >= 0x10 {
		return v
	}
	if c.Family == HS {
		return 0x50 | v
	}
	return 0x40 | v
}

// byVersion stands for a value that follows from ARCVer.
const byVersion = 0xffffffff

// MultiplyCycles is MULTIPLY_BUILD.CYC, which no property of nSIM has.
//
// DEVIATION(220): where mac_cycles does not say it, 2 on EM cores of version 0x42 and 0 on all others,
// as 16 public boards have it.
func (c *Core) MultiplyCycles() uint32 {
	switch {
	case c.MACCycles != byVersion:
		return c.MACCycles
	case c.ARCVer() == 0x42:
		return 2
	}
	return 0
}

// RAMEverywhere reports whether addresses outside the memories and devices that are named are RAM. A core of whose
// board no memory is named, and an EM without closely coupled memories, has RAM at all addresses unless told otherwise;
// an EM with them has nothing else.
func (c *Core) RAMEverywhere() bool {
	if c.RAM == "auto" {
		return len(c.Memories) == 0 && (c.Family == HS || c.ICCM.Size == 0 && c.ICCM1.Size == 0 && c.DCCM.Size == 0)
	}
	return c.RAM == "all"
}

// TimingCore names the core whose cycle table fits the options best: the template itself unless
// properties turned it into something else.
func (c *Core) TimingCore() string {
	if c.Timing != "" {
		return c.Timing
	}
	cached := c.ICache.Size != 0 || c.DCache.Size != 0
	pick := func(plain, withCache string) string {
		if cached {
			return withCache
		}
		return plain
	}
	switch {
	case c.Family == HS:
		return "hs38"
	case c.DSP != 0 && c.XY:
		return pick("em9d", "em11d")
	case c.DSP != 0:
		return pick("em5d", "em7d")
	}
	return pick("em4", "em6")
}

// HasFPUDouble reports whether there is a double-precision unit: its divider implies it.
func (c *Core) HasFPUDouble() bool { return c.FPUDouble || c.FPUDoubleDiv }

// HasFPUSingle reports whether there is a single-precision unit. All other parts of the unit imply it, which
// is how property files of boards are written.
func (c *Core) HasFPUSingle() bool {
	return c.FPUSingle || c.FPUSingleDiv || c.FPUMAC || c.FPUAssist || c.HasFPUDouble()
}

// HasFPX reports whether there is FPX of either precision.
func (c *Core) HasFPX() bool { return IsFPX(c.FPXSingle) || IsFPX(c.FPXDouble) }

// IsFPX reports whether a kind of FPX is one.
func IsFPX(kind string) bool { return kind != "none" }
