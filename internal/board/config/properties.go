package config

import (
	"strings"

	"arcv2dsp/cpu"
)

// property is one nSIM property: its spelling, the place of its value, its meaning.
type property struct {
	Name string // as nSIM spells it
	Also string // a second name of the same value
	Help string
	Bind func(*Config) value // nil for a property that is known but not modelled

	// Lacks says what is missing for a property that is accepted but has no effect. It is reported
	// once when the property is given a value other than 0.
	Lacks string
}

const prefix = "nsim_isa_"

// Clocks in MHz.
const (
	nominalClock = 100
	maxClock     = 4000
)

// properties are the rows of the table of all known properties.
func properties() []property {
	list := []property{
		{Name: "nsim_isa_family", Help: "processor family: av2em or av2hs",
			Bind: func(c *Config) value { return family{&c.Core.Family} }},
		{Name: "nsim_isa_core", Help: "version of the core within its family, where arcver does not say it",
			Bind: func(c *Config) value { return upTo(&c.Core.CoreVersion, 15) }},
		{Name: "arcver", Help: "ARCVER field of the IDENTITY register; below 16: as nsim_isa_core",
			Bind: func(c *Config) value { return number[uint32]{p: &c.Core.Version, max: 255, hex: true} }},
		{Name: "cpunum", Also: "nsim_cpunum0", Help: "ARCNUM field of the IDENTITY register",
			Bind: func(c *Config) value { return upTo(&c.Core.ARCNum, 255) }},
		{Name: "chipid", Help: "CHIPID field of the IDENTITY register",
			Bind: func(c *Config) value { return number[uint16]{p: &c.Core.ChipID, max: 0xffff, hex: true} }},
		{Name: "clock", Help: "clock in MHz, by which the time of the guest follows from its cycles",
			Bind: func(c *Config) value { return upTo(&c.Core.Clock, maxClock) }},
		{Name: "timing", Help: "core whose cycle table applies, the closest one by default; one: each instruction takes one cycle, nothing else any",
			Bind: func(c *Config) value { return word{&c.Core.Timing, timingNames()} }},

		{Name: "nsim_isa_rgf_num_regs", Help: "core registers, 16 or 32",
			Bind: func(c *Config) value { return oneOf(&c.Core.Regs, 16, 32) }},
		{Name: "nsim_isa_rgf_num_banks", Help: "register banks",
			Bind: func(c *Config) value { return oneOf(&c.Core.Banks, 1, 2) }},
		{Name: "nsim_isa_rgf_banked_regs", Help: "registers copied in the second bank",
			Bind: func(c *Config) value { return oneOf(&c.Core.BankRegs, 0, 4, 8, 16, 32) }},
		{Name: "nsim_isa_rgf_num_wr_ports", Help: "write ports of the register file, as RF_BUILD reports them",
			Bind: func(c *Config) value { return oneOf(&c.Core.Ports, 1, 2) }},
		{Name: "nsim_isa_pc_size", Help: "bits of the program counter, as ISA_CONFIG reports them; addresses keep 32 bits",
			Bind: func(c *Config) value { return oneOf(&c.Core.PCSize, 16, 20, 24, 28, 32) }},
		{Name: "nsim_isa_lpc_size", Help: "bits of LP_COUNT, 0 for no zero-overhead loops",
			Bind: func(c *Config) value { return oneOf(&c.Core.LPCSize, 0, 8, 12, 16, 20, 24, 28, 32) }},
		{Name: "nsim_isa_addr_size", Help: "bits of an address, as ISA_CONFIG reports them; addresses keep 32 bits",
			Bind: func(c *Config) value { return oneOf(&c.Core.AddrSize, 16, 20, 24, 28, 32) }},

		{Name: "nsim_isa_code_density_option", Help: "code density instructions, 0 to 2",
			Bind: func(c *Config) value { return upTo(&c.Core.CodeDensity, 3) }},
		{Name: "nsim_isa_div_rem_option", Help: "divider: 0 none, 1 radix-2, 2 radix-4",
			Bind: func(c *Config) value { return upTo(&c.Core.DivOption, 2) }},
		{Name: "nsim_isa_mpy_option", Help: "multiplier: 0 none, 2 to 6 wlh1 to wlh5, 7 dmpy, 8 macd, 9 qmacw",
			Bind: func(c *Config) value { return upTo(&c.Core.MPYOption, 9) }},
		{Name: "mac_cycles", Help: "MULTIPLY_BUILD.CYC of options 7 to 9: 2 makes what a MAC writes usable one cycle later; auto: 2 for arcver 0x42",
			Bind: func(c *Config) value { return cyclesByVersion{&c.Core.MACCycles} }},
		{Name: "nsim_isa_shift_option", Help: "bit 0 shift assist, bit 1 barrel shifter",
			Bind: func(c *Config) value { return upTo(&c.Core.Shift, 3) }},
		{Name: "nsim_isa_swap_option", Help: "swap instructions",
			Bind: func(c *Config) value { return flagValue{&c.Core.Swap} }},
		{Name: "nsim_isa_bitscan_option", Help: "norm, ffs and fls",
			Bind: func(c *Config) value { return flagValue{&c.Core.Bitscan} }},
		{Name: "nsim_isa_bitstream_option", Help: "bitstream instructions",
			Bind: func(c *Config) value { return flagValue{&c.Core.Bitstream} }},
		{Name: "nsim_isa_atomic_option", Help: "llock and scond",
			Bind: func(c *Config) value { return upTo(&c.Core.Atomic, 2) }},
		{Name: "nsim_isa_ll64_option", Help: "64-bit loads and stores",
			Bind: func(c *Config) value { return flagValue{&c.Core.LL64} }},
		{Name: "nsim_isa_unaligned_option", Also: "nsim_isa_ad_option", Help: "unaligned accesses can be allowed",
			Bind: func(c *Config) value { return flagValue{&c.Core.Unaligned} }},
		{Name: "nsim_isa_turbo_boost", Help: "longer pipeline: a taken branch costs one more cycle",
			Bind: func(c *Config) value { return flagValue{&c.Core.Turbo} }},
		{Name: "nsim_isa_dual_issue_option", Help: "two instructions per cycle, as ISA_CONFIG reports it; the cycle model issues one",
			Bind: func(c *Config) value { return flagValue{&c.Core.DualIssue} }},

		{Name: "nsim_isa_dsp_option", Help: "DSP instructions: 0 none",
			Bind: func(c *Config) value { return upTo(&c.Core.DSP, 3) }},
		{Name: "nsim_isa_dsp_complex_option", Help: "complex DSP instructions",
			Bind: func(c *Config) value { return flagValue{&c.Core.DSPComplex} }},
		{Name: "nsim_isa_dsp_divsqrt_option", Help: "DSP divide and square root: 0 none, 1 radix-2, 2 radix-4",
			Bind: func(c *Config) value { return upTo(&c.Core.DSPDivSqrt, 2) }},
		{Name: "nsim_isa_dsp_accshift_option", Help: "accumulator shifts: 0 none, 1 limited, 2 full",
			Bind: func(c *Config) value { return upTo(&c.Core.DSPAccShift, 2) }},
		{Name: "nsim_isa_dsp_itu_option", Help: "shift before accumulation (DSP_CTRL.PA)",
			Bind: func(c *Config) value { return flagValue{&c.Core.DSPITU} }},
		{Name: "nsim_isa_dsp_wide_option", Help: "wide vector operations of HS4xD",
			Bind: func(c *Config) value { return flagValue{&c.Core.DSPWide} }},
		{Name: "nsim_isa_fpus_option", Help: "single-precision floating-point unit",
			Bind: func(c *Config) value { return flagValue{&c.Core.FPUSingle} }},
		{Name: "nsim_isa_fpus_div_option", Help: "single-precision divide and square root; implies fpus_option",
			Bind: func(c *Config) value { return flagValue{&c.Core.FPUSingleDiv} }},
		{Name: "nsim_isa_fpud_option", Help: "double-precision floating-point unit (HS); implies fpus_option",
			Bind: func(c *Config) value { return flagValue{&c.Core.FPUDouble} }},
		{Name: "nsim_isa_fpud_div_option", Help: "divide and square root in both precisions; implies fpud_option",
			Bind: func(c *Config) value { return flagValue{&c.Core.FPUDoubleDiv} }},
		{Name: "nsim_isa_fpu_mac_option", Help: "fused multiply-add in the precisions there are; implies fpus_option",
			Bind: func(c *Config) value { return flagValue{&c.Core.FPUMAC} }},
		{Name: "nsim_isa_fpuda_option", Help: "double-precision assist (EM); implies fpus_option",
			Bind: func(c *Config) value { return flagValue{&c.Core.FPUAssist} }},
		{Name: "nsim_isa_fpu_fast_mpy_option", Help: "floating-point products two cycles earlier (EM)",
			Bind: func(c *Config) value { return flagValue{&c.Core.FPUFastMul} }},
		{Name: "nsim_isa_fpu_fast_div_option", Help: "floating-point quotients and roots in half the time (EM)",
			Bind: func(c *Config) value { return flagValue{&c.Core.FPUFastDiv} }},
		{Name: "nsim_isa_fpu_pipe_impl", Help: "pipelined floating-point unit, as FPU_BUILD reports it (EM)",
			Bind: func(c *Config) value { return flagValue{&c.Core.FPUPipe} }},
		{Name: "nsim_isa_spfp", Help: "FPX single precision, before the floating-point unit: none, compact or fast",
			Bind: func(c *Config) value { return word{&c.Core.FPXSingle, fpxKinds} }},
		{Name: "nsim_isa_dpfp", Help: "FPX double precision: none, compact or fast",
			Bind: func(c *Config) value { return word{&c.Core.FPXDouble, fpxKinds} }},
		{Name: "nsim_isa_agu_size", Help: "address generation unit: none, small, medium or large",
			Bind: func(c *Config) value {
				return word{&c.Core.AGUKind, []string{"none", "small", "medium", "large"}}
			}},
		{Name: "nsim_isa_agu_wb_depth", Help: "entries of the AGU write buffer",
			Bind: func(c *Config) value { return upTo(&c.Core.AGUWriteBuffer, 7) }},
		{Name: "nsim_isa_agu_accord", Help: "AGU accordion stage",
			Bind: func(c *Config) value { return flagValue{&c.Core.AGUAccordion} }},
		{Name: "nsim_isa_xy", Help: "XY memory",
			Bind: func(c *Config) value { return flagValue{&c.Core.XY} }},
		{Name: "nsim_isa_xy_config", Help: "memories beside the DCCM: dccm_y or dccm_x_y",
			Bind: func(c *Config) value { return word{&c.Core.XYLayout, []string{"dccm_y", "dccm_x_y"}} }},
		{Name: "nsim_isa_xy_size", Help: "bytes of X and of Y memory",
			Bind: func(c *Config) value { return size{&c.Core.XYSize} }},
		{Name: "nsim_isa_xy_interleave", Help: "two interleaved banks in X and in Y",
			Bind: func(c *Config) value { return flagValue{&c.Core.XYInterleaved} }},
		{Name: "nsim_isa_xy_x_base", Help: "address of X memory",
			Bind: func(c *Config) value { return address(&c.Core.XBase) }},
		{Name: "nsim_isa_xy_y_base", Help: "address of Y memory",
			Bind: func(c *Config) value { return address(&c.Core.YBase) }},

		{Name: "nsim_isa_number_of_interrupts", Help: "interrupts, vectors 16 and up",
			Bind: func(c *Config) value { return upTo(&c.Core.Interrupts, 240) }},
		{Name: "nsim_isa_number_of_levels", Help: "interrupt priority levels",
			Bind: func(c *Config) value { return upTo(&c.Core.Levels, 16) }},
		{Name: "nsim_isa_number_of_external_interrupts", Help: "interrupt lines from outside the core",
			Bind: func(c *Config) value { return upTo(&c.Core.External, 240) }},
		{Name: "nsim_isa_fast_irq", Help: "fast interrupts at level 0",
			Bind: func(c *Config) value { return flagValue{&c.Core.FastIRQ} }},
		{Name: "nsim_isa_intvbase_preset", Help: "address of the vector table after reset",
			Bind: func(c *Config) value { return address(&c.Core.VectorBase) }},
		{Name: "nsim_isa_intvbase_preset_s", Help: "address of the vector table of the secure world after reset",
			Bind: func(c *Config) value { return address(&c.Core.SecureVectorBase) }},
		{Name: "nsim_isa_enable_timer_0", Help: "timer 0",
			Bind: func(c *Config) value { return flagValue{&c.Core.Timer0} }},
		{Name: "nsim_isa_timer_0_int_level", Help: "priority of timer 0 after reset",
			Bind: func(c *Config) value { return upTo(&c.Core.Timer0Level, 15) }},
		{Name: "nsim_isa_enable_timer_1", Help: "timer 1",
			Bind: func(c *Config) value { return flagValue{&c.Core.Timer1} }},
		{Name: "nsim_isa_timer_1_int_level", Help: "priority of timer 1 after reset",
			Bind: func(c *Config) value { return upTo(&c.Core.Timer1Level, 15) }},
		{Name: "nsim_isa_rtc_option", Help: "64-bit cycle counter",
			Bind: func(c *Config) value { return flagValue{&c.Core.RTC} }},
		{Name: "nsim_isa_num_actionpoints", Help: "action points",
			Bind: func(c *Config) value { return oneOf(&c.Core.ActionPoints, 0, 2, 4, 8) }},
		{Name: "nsim_isa_aps_feature", Help: "1: full action points, as AP_BUILD reports them",
			Bind: func(c *Config) value { return flagValue{&c.Core.FullPoints} }},
		{Name: "nsim_isa_stack_checking", Help: "stack checking",
			Bind: func(c *Config) value { return flagValue{&c.Core.StackCheck} }},
		{Name: "mpu_version", Help: "version of the memory protection unit",
			Bind: func(c *Config) value { return upTo(&c.Core.MPUVersion, 6) }},
		{Name: "mpu_regions", Help: "regions of the memory protection unit",
			Bind: func(c *Config) value { return oneOf(&c.Core.MPURegions, 0, 1, 2, 4, 8, 16, 32) }},
		{Name: "mpu_sid_option", Help: "regions of the MPU can be told apart by a secure number, as MPU_BUILD reports it",
			Bind: func(c *Config) value { return flagValue{&c.Core.MPUSecureID} }},
		{Name: "nsim_isa_has_secure", Help: "SecureShield: two worlds, secure timer 0 among the timers, build registers in the versions of such cores",
			Bind: func(c *Config) value { return flagValue{&c.Core.Secure} }},
		{Name: "nsim_isa_enable_sec_timer_0", Help: "secure timer 0",
			Bind: func(c *Config) value { return flagValue{&c.Core.SecureTimer0} }},
		{Name: "nsim_isa_stimer_0_int_level", Help: "priority of secure timer 0 after reset",
			Bind: func(c *Config) value { return upTo(&c.Core.SecureLevel, 15) }},

		{Name: "nsim_isa_smart_stack_entries", Help: "entries of the trace buffer SmaRT, 0 for none",
			Bind: func(c *Config) value { return oneOf(&c.Core.SmaRT, 0, 8, 16, 32, 64) }},
		{Name: "nsim_isa_pct_counters", Help: "performance counters of cycles and instructions, 0 for none",
			Bind: func(c *Config) value { return upTo(&c.Core.Counters, 32) }},

		{Name: "nsim_isa_dmac_option", Help: "micro-DMA controller",
			Bind: func(c *Config) value { return flagValue{&c.Core.HasDMA} }},
		{Name: "nsim_isa_dmac_channels", Help: "channels of the DMA controller, 1 to 16",
			Bind: func(c *Config) value { return upTo(&c.Core.DMA.Channels, 16) }},
		{Name: "nsim_isa_dmac_registers", Help: "how many of them, the last ones, have their block in auxiliary registers",
			Bind: func(c *Config) value { return upTo(&c.Core.DMA.Registers, 16) }},
		{Name: "nsim_isa_dmac_fifo_depth", Help: "entries of its FIFO, as DMAC_BUILD reports them",
			Bind: func(c *Config) value { return oneOf(&c.Core.DMA.FIFO, 1, 2, 4) }},
		{Name: "nsim_isa_dmac_int_config", Help: "its interrupts: single_internal, multiple_internal; external ones leave the core and lead nowhere",
			Bind: func(c *Config) value { return choice[cpu.DMAInterrupts]{&c.Core.DMA.Interrupts, dmaInterrupts} }},

		{Name: "icache", Help: "instruction cache: size,line,ways,policy, or 0",
			Bind: func(c *Config) value { return cacheSpec{p: &c.Core.ICache, policy: &c.Core.ICachePolicy, line: 8} }},
		{Name: "dcache", Help: "data cache: size,line,ways,policy, or 0",
			Bind: func(c *Config) value { return cacheSpec{p: &c.Core.DCache, policy: &c.Core.DCachePolicy, line: 16} }},
		{Name: "nsim_isa_ic_feature_level", Help: "maintenance operations of the instruction cache: 0 none, 1 whole cache and lines, 2 all",
			Bind: func(c *Config) value { return upTo(&c.Core.ICacheFeatures, 2) }},
		{Name: "nsim_isa_dc_feature_level", Help: "maintenance operations of the data cache: 0 none, 1 whole cache and lines, 2 all",
			Bind: func(c *Config) value { return upTo(&c.Core.DCacheFeatures, 2) }},
		{Name: "nsim_isa_dc_mem_cycles", Help: "cycles of the data cache's memories, as D_CACHE_BUILD reports them",
			Bind: func(c *Config) value { return upTo(&c.Core.DCacheCycles, 2) }},
		{Name: "dcache_data", Help: "the data cache holds data: lines can be stale, unwritten or locked; 0: memory is coherent",
			Bind: func(c *Config) value { return flagValue{&c.Core.DCacheHolds} }},
		{Name: "nsim_isa_dc_uncached_region", Help: "a region of addresses is not cached, as D_CACHE_BUILD reports it",
			Bind: func(c *Config) value { return flagValue{&c.Core.DCacheUncached} }},
		{Name: "iccm0_base", Help: "address of the instruction memory",
			Bind: func(c *Config) value { return address(&c.Core.ICCM.Base) }},
		{Name: "iccm0_size", Help: "bytes of instruction memory, 0 for none",
			Bind: func(c *Config) value { return size{&c.Core.ICCM.Size} }},
		{Name: "iccm1_base", Help: "address of the second instruction memory, a multiple of 256 MB as is then iccm0_base",
			Bind: func(c *Config) value { return address(&c.Core.ICCM1.Base) }},
		{Name: "iccm1_size", Help: "bytes of the second instruction memory, 0 for none",
			Bind: func(c *Config) value { return size{&c.Core.ICCM1.Size} }},
		{Name: "dccm_base", Help: "address of the data memory",
			Bind: func(c *Config) value { return address(&c.Core.DCCM.Base) }},
		{Name: "dccm_size", Help: "bytes of data memory, 0 for none",
			Bind: func(c *Config) value { return size{&c.Core.DCCM.Size} }},
		{Name: "nsim_isa_dccm_mem_cycles", Help: "cycles of the data memory, as DCCM_BUILD reports them; the cycle model counts one",
			Bind: func(c *Config) value { return upTo(&c.Core.DCCMCycles, 7) }},
		{Name: "nsim_isa_dccm_interleave", Help: "two interleaved banks in the data memory: an unaligned access of an AGU port costs nothing",
			Bind: func(c *Config) value { return flagValue{&c.Core.DCCMInterleaved} }},
		{Name: "nsim_isa_has_dmp_peripheral", Help: "a bus of its own for peripherals, at the last sixteenth of the address space",
			Bind: func(c *Config) value { return flagValue{&c.Core.Peripherals} }},

		{Name: "nsim_bpu_bc_entries", Help: "branch cache, as BPU_BUILD reports it",
			Bind: func(c *Config) value {
				return oneOf(&c.Core.Predictor.Branches, 0, 256, 512, 1024, 2048, 4096, 8192, 16384)
			}},
		{Name: "nsim_bpu_pt_entries", Help: "pattern table of the branch predictor",
			Bind: func(c *Config) value {
				return oneOf(&c.Core.Predictor.Patterns, 0, 2048, 4096, 8192, 16384, 32768, 65536, 131072)
			}},
		{Name: "nsim_bpu_rs_entries", Help: "return stack of the branch predictor",
			Bind: func(c *Config) value { return oneOf(&c.Core.Predictor.Returns, 0, 4, 8, 16, 32) }},
		{Name: "nsim_bpu_bc_full_tag", Help: "the branch cache compares whole addresses",
			Bind: func(c *Config) value { return flagValue{&c.Core.Predictor.FullTag} }},
		{Name: "nsim_bpu_bc_tag_size", Help: "bits of an address that the branch cache compares; 0: as many as full tags have",
			Bind: func(c *Config) value { return upTo(&c.Core.Predictor.TagSize, 31) }},
		{Name: "nsim_bpu_tosq_entries", Help: "queue of the return stack's tops",
			Bind: func(c *Config) value { return upTo(&c.Core.Predictor.TopQueue, 8) }},
		{Name: "nsim_bpu_fb_entries", Help: "fetch blocks in flight",
			Bind: func(c *Config) value { return upTo(&c.Core.Predictor.FetchSize, 4) }},
		{Name: "nsim_isa_ifq_size", Help: "entries of the instruction fetch queue, as IFQUEUE_BUILD reports them",
			Bind: func(c *Config) value { return oneOf(&c.Core.FetchQueue, 0, 1, 2, 4, 8, 16) }},
		{Name: "nsim_isa_lpb_num", Help: "size of the loop buffer, as LPB_BUILD reports it",
			Bind: func(c *Config) value { return upTo(&c.Core.LoopBuffer, 255) }},
		{Name: "nsim_isa_volatile_base", Help: "first 256 MB that the data cache leaves out, as AUX_VOLATILE reports it",
			Bind: func(c *Config) value { return volatileNumber{&c.Core.Volatile, &c.Core.Volatile.Base} }},
		{Name: "nsim_isa_volatile_limit", Help: "end of what the data cache leaves out, in units of 256 MB; 0: the last address",
			Bind: func(c *Config) value { return volatileNumber{&c.Core.Volatile, &c.Core.Volatile.Limit} }},
		{Name: "nsim_isa_volatile_disable", Help: "the data cache leaves nothing out",
			Bind: func(c *Config) value { return flagValue{&c.Core.Volatile.Disable} }},
		{Name: "nsim_isa_volatile_strict_ordering", Help: "accesses to what the data cache leaves out keep their order",
			Bind: func(c *Config) value { return flagValue{&c.Core.Volatile.Strict} }},

		{Name: "memory", Help: memoryHelp,
			Bind: func(c *Config) value { return memoryList{&c.Core.Memories} }},
		{Name: "ram", Help: "RAM at all addresses outside the memories of the core: all, in place of those of the board; none; auto: none for a board with memories and for an EM with CCMs",
			Bind: func(c *Config) value { return word{&c.Core.RAM, []string{"auto", "all", "none"}} }},
		{Name: "nsim_mem-dev", Help: deviceHelp(),
			Bind: func(c *Config) value { return deviceList{&c.Core.Devices} }},

		{Name: "nsim_trace", Help: "write an instruction trace",
			Bind: func(c *Config) value { return flagValue{&c.Run.Trace} }},
		{Name: "nsim_trace-output", Help: "file of the instruction trace",
			Bind: func(c *Config) value { return text{&c.Run.TraceOutput} }},
		{Name: "nsim_print_stats_on_exit", Help: "print counts at the end",
			Bind: func(c *Config) value { return flagValue{&c.Run.Stats} }},
		{Name: "invalid_instruction_interrupt", Help: "0: an invalid instruction ends the run",
			Bind: func(c *Config) value { return flagValue{&c.Run.InstructionErrors} }},
		{Name: "memory_exception_interrupt", Help: "0: a memory error ends the run",
			Bind: func(c *Config) value { return flagValue{&c.Run.MemoryErrors} }},
	}
	for _, l := range lacks() {
		for _, name := range l.names {
			list = append(list, property{Name: name, Lacks: l.reason})
		}
	}
	return list
}

// fpxKinds are the kinds of FPX.
var fpxKinds = []string{"none", "compact", "fast"}

func timingNames() []string {
	names := []string{"", cpu.TimingOne}
	for _, t := range templates() {
		names = append(names, t.Name)
	}
	return names
}

// names are the spellings of the property: its names, and each without the common prefix, which may be
// left out.
func (p property) names() []string {
	list := []string{p.Name, strings.TrimPrefix(p.Name, prefix)}
	if p.Also != "" {
		list = append(list, p.Also, strings.TrimPrefix(p.Also, prefix))
	}
	return list
}
