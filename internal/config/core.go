package config

// Family is an ARCv2 processor family.
type Family string

// The families that are simulated, as nsim_isa_family spells them.
const (
	EM Family = "av2em"
	HS Family = "av2hs"
)

// Core says what a core is built of. The field comments name the nSIM property; values are coded
// as the property codes them.
type Core struct {
	Template string // template the options started from
	Timing   string // core whose cycle table applies; empty: the closest template

	Family      Family // nsim_isa_family
	CoreVersion uint32 // nsim_isa_core: version within the family, where arcver does not say it
	Version     uint32 // arcver: ARCVER field of the IDENTITY register, see ARCVer
	Number      uint32 // cpunum: ARCNUM field of the IDENTITY register
	Chip        uint32 // chipid: CHIPID field of the IDENTITY register

	Clock uint32 // clock: MHz

	Regs       uint32 // nsim_isa_rgf_num_regs: 16 or 32 core registers
	Banks      uint32 // nsim_isa_rgf_num_banks: register banks, 2 for fast interrupts
	BankedRegs uint32 // nsim_isa_rgf_banked_regs: registers copied in the second bank
	WritePorts uint32 // nsim_isa_rgf_num_wr_ports
	PCSize     uint32 // nsim_isa_pc_size: bits of the program counter
	LPCSize    uint32 // nsim_isa_lpc_size: bits of LP_COUNT, 0 for no zero-overhead loops
	AddrSize   uint32 // nsim_isa_addr_size: bits of an address

	CodeDensity uint32 // nsim_isa_code_density_option: 0 to 2
	Divide      uint32 // nsim_isa_div_rem_option: 0 none, 1 radix-2, 2 radix-4
	Multiply    uint32 // nsim_isa_mpy_option: 0 to 9
	MACCycles   uint32 // mac_cycles: MULTIPLY_BUILD.CYC, or byVersion: see MultiplyCycles
	Shift       uint32 // nsim_isa_shift_option: bit 0 shift assist, bit 1 barrel shifter
	Swap        bool   // nsim_isa_swap_option
	Bitscan     bool   // nsim_isa_bitscan_option
	Bitstream   bool   // nsim_isa_bitstream_option
	Atomic      uint32 // nsim_isa_atomic_option
	LL64        bool   // nsim_isa_ll64_option: 64-bit loads and stores
	Unaligned   bool   // nsim_isa_unaligned_option
	TurboBoost  bool   // nsim_isa_turbo_boost: one more cycle for a taken branch
	DualIssue   bool   // nsim_isa_dual_issue_option

	DSP         uint32 // nsim_isa_dsp_option: 0 none, 1 or 2 EM, 3 as GCC's test boards call it
	DSPComplex  bool   // nsim_isa_dsp_complex_option
	DSPDivSqrt  uint32 // nsim_isa_dsp_divsqrt_option: 0 none, 1 radix-2, 2 radix-4
	DSPAccShift uint32 // nsim_isa_dsp_accshift_option: 0 none, 1 limited, 2 full
	DSPITU      bool   // nsim_isa_dsp_itu_option: shift before accumulation
	DSPWide     bool   // nsim_isa_dsp_wide_option

	FPUSingle    bool   // nsim_isa_fpus_option
	FPUSingleDiv bool   // nsim_isa_fpus_div_option
	FPUDouble    bool   // nsim_isa_fpud_option
	FPUDoubleDiv bool   // nsim_isa_fpud_div_option
	FPUMAC       bool   // nsim_isa_fpu_mac_option: fused multiply-add
	FPUAssist    bool   // nsim_isa_fpuda_option: double-precision assist
	FPUFastMul   bool   // nsim_isa_fpu_fast_mpy_option
	FPUFastDiv   bool   // nsim_isa_fpu_fast_div_option
	FPUPipe      bool   // nsim_isa_fpu_pipe_impl
	FPXSingle    string // nsim_isa_spfp: none, compact or fast
	FPXDouble    string // nsim_isa_dpfp: none, compact or fast

	AGU        string // nsim_isa_agu_size: none, small, medium or large
	AGUWBDepth uint32 // nsim_isa_agu_wb_depth: entries of the AGU write buffer
	AGUAccord  bool   // nsim_isa_agu_accord

	XY           bool   // nsim_isa_xy
	XYConfig     string // nsim_isa_xy_config: dccm_y or dccm_x_y
	XYSize       uint32 // nsim_isa_xy_size: bytes of X and of Y
	XYInterleave bool   // nsim_isa_xy_interleave
	XBase        uint32 // nsim_isa_xy_x_base
	YBase        uint32 // nsim_isa_xy_y_base

	Interrupts         uint32 // nsim_isa_number_of_interrupts
	InterruptLevels    uint32 // nsim_isa_number_of_levels
	ExternalInterrupts uint32 // nsim_isa_number_of_external_interrupts
	FastIRQ            bool   // nsim_isa_fast_irq
	VectorBase         uint32 // nsim_isa_intvbase_preset
	Timer0             bool   // nsim_isa_enable_timer_0
	Timer1             bool   // nsim_isa_enable_timer_1
	Timer0Level        uint32 // nsim_isa_timer_0_int_level
	Timer1Level        uint32 // nsim_isa_timer_1_int_level
	SecureTimer0       bool   // nsim_isa_enable_sec_timer_0
	SecureTimer0Level  uint32 // nsim_isa_stimer_0_int_level
	RTC                bool   // nsim_isa_rtc_option: 64-bit cycle counter
	ActionPoints       uint32 // nsim_isa_num_actionpoints
	PointFeatures      uint32 // nsim_isa_aps_feature: 1 for action points that match whole conditions
	StackChecking      bool   // nsim_isa_stack_checking
	MPUVersion         uint32 // mpu_version
	MPURegions         uint32 // mpu_regions
	MPUSecureID        bool   // mpu_sid_option
	Secure             bool   // nsim_isa_has_secure
	SmaRT              uint32 // nsim_isa_smart_stack_entries
	Counters           uint32 // nsim_isa_pct_counters

	DMA DMA // nsim_isa_dmac_*

	ICache         Cache  // icache
	DCache         Cache  // dcache
	ICacheFeatures uint32 // nsim_isa_ic_feature_level
	DCacheFeatures uint32 // nsim_isa_dc_feature_level
	DCacheCycles   uint32 // nsim_isa_dc_mem_cycles
	DCacheUncached bool   // nsim_isa_dc_uncached_region
	DCacheHolds    bool   // dcache_data
	ICCM           CCM    // iccm0_base, iccm0_size
	DCCM           CCM    // dccm_base, dccm_size
	DCCMCycles     uint32 // nsim_isa_dccm_mem_cycles
	DCCMInterleave bool   // nsim_isa_dccm_interleave
	Peripherals    bool   // nsim_isa_has_dmp_peripheral: a bus of its own for peripherals

	Predictor  Predictor // nsim_bpu_*
	FetchQueue uint32    // nsim_isa_ifq_size
	LoopBuffer uint32    // nsim_isa_lpb_num
	Volatile   Volatile  // nsim_isa_volatile_*

	RAM string // ram: all, none or auto, see RAMEverywhere

	Devices []Device // nsim_mem-dev, in the order given
}

// Cache is the geometry of a cache; Size 0 means none.
type Cache struct {
	Size   uint32 // bytes
	Line   uint32 // bytes
	Ways   uint32
	Policy string // a: as the core does it; other letters are kept as given
}

// CCM is a closely coupled memory; Size 0 means none.
type CCM struct {
	Base uint32
	Size uint32 // bytes
}

// Predictor is the branch predictor as BPU_BUILD describes it; no entries means none.
type Predictor struct {
	Branches  uint32 // nsim_bpu_bc_entries: branch cache
	Patterns  uint32 // nsim_bpu_pt_entries: pattern table
	Returns   uint32 // nsim_bpu_rs_entries: return stack
	FullTag   bool   // nsim_bpu_bc_full_tag
	TagSize   uint32 // nsim_bpu_bc_tag_size: bits
	TopQueue  uint32 // nsim_bpu_tosq_entries
	FetchSize uint32 // nsim_bpu_fb_entries
}

// DMA is the micro-DMA controller.
type DMA struct {
	Present    bool   // nsim_isa_dmac_option
	Channels   uint32 // nsim_isa_dmac_channels
	Registers  uint32 // nsim_isa_dmac_registers: channels whose blocks are in auxiliary registers
	FIFO       uint32 // nsim_isa_dmac_fifo_depth
	Interrupts string // nsim_isa_dmac_int_config, one of DMAInterrupts
}

// DMAInterrupts lists how a DMA controller can interrupt.
var DMAInterrupts = []string{"single_internal", "multiple_internal", "single_external", "multiple_external"}

// Volatile is the part of the address space that a data cache leaves out, in units of 256 MB.
type Volatile struct {
	Present bool   // any of its properties was given
	Base    uint32 // nsim_isa_volatile_base
	Limit   uint32 // nsim_isa_volatile_limit
	Disable bool   // nsim_isa_volatile_disable
	Strict  bool   // nsim_isa_volatile_strict_ordering
}

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

// RAMEverywhere reports whether addresses outside closely coupled memories and devices are RAM. An
// EM with closely coupled memories has nothing else unless told otherwise; an HS has a bus to DDR.
func (c *Core) RAMEverywhere() bool {
	if c.RAM == "auto" {
		return c.Family == HS || c.ICCM.Size == 0 && c.DCCM.Size == 0
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
