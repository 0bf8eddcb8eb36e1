package config

import "strings"

// property is one nSIM property: how it is spelled, where its value goes, what it means.
type property struct {
	Name string // as nSIM spells it
	Help string
	Bind func(*Config) value // nil for a property that is known but not modelled

	// Lacks says what is missing for a property that is accepted but has no effect. It is reported
	// once when the property is given a value other than 0.
	Lacks string
}

const prefix = "nsim_isa_"

// properties is the table of all known properties. It is built on demand: a Config keeps an index.
func properties() []property {
	return []property{
		{Name: "nsim_isa_family", Help: "processor family: av2em or av2hs",
			Bind: func(c *Config) value { return family{&c.Core.Family} }},
		{Name: "nsim_isa_core", Help: "core version of the family",
			Lacks: "the IDENTITY register follows arcver"},
		{Name: "arcver", Help: "ARCVER field of the IDENTITY register",
			Bind: func(c *Config) value { return number{p: &c.Core.Version, max: 255, hex: true} }},
		{Name: "timing", Help: "core whose cycle table applies, the closest one by default",
			Bind: func(c *Config) value { return word{&c.Core.Timing, timingNames()} }},

		{Name: "nsim_isa_rgf_num_regs", Help: "core registers, 16 or 32",
			Bind: func(c *Config) value { return oneOf(&c.Core.Regs, 16, 32) }},
		{Name: "nsim_isa_rgf_num_banks", Help: "register banks",
			Bind: func(c *Config) value { return oneOf(&c.Core.Banks, 1, 2) }},
		{Name: "nsim_isa_rgf_banked_regs", Help: "registers copied in the second bank",
			Bind: func(c *Config) value { return oneOf(&c.Core.BankedRegs, 0, 4, 8, 16, 32) }},
		{Name: "nsim_isa_rgf_num_wr_ports", Help: "write ports of the register file",
			Lacks: "the cycle tables assume two write ports"},
		{Name: "nsim_isa_big_endian", Help: "byte order",
			Lacks: "big-endian programs are inspected, not run"},
		{Name: "nsim_isa_pc_size", Help: "bits of the program counter, as ISA_CONFIG reports them; addresses keep 32 bits",
			Bind: func(c *Config) value { return oneOf(&c.Core.PCSize, 16, 20, 24, 28, 32) }},
		{Name: "nsim_isa_lpc_size", Help: "bits of LP_COUNT, 0 for no zero-overhead loops",
			Bind: func(c *Config) value { return oneOf(&c.Core.LPCSize, 0, 8, 12, 16, 20, 24, 28, 32) }},
		{Name: "nsim_isa_addr_size", Help: "bits of an address, as ISA_CONFIG reports them; addresses keep 32 bits",
			Bind: func(c *Config) value { return oneOf(&c.Core.AddrSize, 16, 20, 24, 28, 32) }},

		{Name: "nsim_isa_code_density_option", Help: "code density instructions, 0 to 2",
			Bind: func(c *Config) value { return upTo(&c.Core.CodeDensity, 3) }},
		{Name: "nsim_isa_div_rem_option", Help: "divider: 0 none, 1 radix-2, 2 radix-4",
			Bind: func(c *Config) value { return upTo(&c.Core.Divide, 2) }},
		{Name: "nsim_isa_mpy_option", Help: "multiplier: 0 none, 2 to 6 wlh1 to wlh5, 7 dmpy, 8 macd, 9 qmacw",
			Bind: func(c *Config) value { return upTo(&c.Core.Multiply, 9) }},
		{Name: "mac_cycles", Help: "MULTIPLY_BUILD.cycles of options 7 to 9: 2 makes what a MAC writes usable one cycle later",
			Bind: func(c *Config) value { return upTo(&c.Core.MACCycles, 3) }},
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
		{Name: "nsim_isa_unaligned_option", Help: "unaligned accesses can be allowed",
			Bind: func(c *Config) value { return flagValue{&c.Core.Unaligned} }},
		{Name: "nsim_isa_turbo_boost", Help: "longer pipeline: a taken branch costs one more cycle",
			Bind: func(c *Config) value { return flagValue{&c.Core.TurboBoost} }},
		{Name: "nsim_isa_sat", Help: "saturating instructions outside the DSP option",
			Lacks: "they come with nsim_isa_dsp_option"},

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
		{Name: "nsim_isa_agu_size", Help: "address generation unit: none, small, medium or large",
			Bind: func(c *Config) value {
				return word{&c.Core.AGU, []string{"none", "small", "medium", "large"}}
			}},
		{Name: "nsim_isa_agu_wb_depth", Help: "entries of the AGU write buffer",
			Bind: func(c *Config) value { return upTo(&c.Core.AGUWBDepth, 7) }},
		{Name: "nsim_isa_agu_accord", Help: "AGU accordion stage",
			Bind: func(c *Config) value { return flagValue{&c.Core.AGUAccord} }},
		{Name: "nsim_isa_xy", Help: "XY memory",
			Bind: func(c *Config) value { return flagValue{&c.Core.XY} }},
		{Name: "nsim_isa_xy_config", Help: "memories beside the DCCM: dccm_y or dccm_x_y",
			Bind: func(c *Config) value { return word{&c.Core.XYConfig, []string{"dccm_y", "dccm_x_y"}} }},
		{Name: "nsim_isa_xy_size", Help: "bytes of X and of Y memory",
			Bind: func(c *Config) value { return size{&c.Core.XYSize} }},
		{Name: "nsim_isa_xy_interleave", Help: "two interleaved banks in X and in Y",
			Bind: func(c *Config) value { return flagValue{&c.Core.XYInterleave} }},
		{Name: "nsim_isa_xy_x_base", Help: "address of X memory",
			Bind: func(c *Config) value { return address(&c.Core.XBase) }},
		{Name: "nsim_isa_xy_y_base", Help: "address of Y memory",
			Bind: func(c *Config) value { return address(&c.Core.YBase) }},

		{Name: "nsim_isa_number_of_interrupts", Help: "interrupts, vectors 16 and up",
			Bind: func(c *Config) value { return upTo(&c.Core.Interrupts, 240) }},
		{Name: "nsim_isa_number_of_levels", Help: "interrupt priority levels",
			Bind: func(c *Config) value { return upTo(&c.Core.InterruptLevels, 16) }},
		{Name: "nsim_isa_number_of_external_interrupts", Help: "interrupt lines from outside the core",
			Bind: func(c *Config) value { return upTo(&c.Core.ExternalInterrupts, 240) }},
		{Name: "nsim_isa_fast_irq", Help: "fast interrupts at level 0",
			Bind: func(c *Config) value { return flagValue{&c.Core.FastIRQ} }},
		{Name: "nsim_isa_intvbase_preset", Help: "address of the vector table after reset",
			Bind: func(c *Config) value { return address(&c.Core.VectorBase) }},
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
		{Name: "nsim_isa_stack_checking", Help: "stack checking",
			Bind: func(c *Config) value { return flagValue{&c.Core.StackChecking} }},
		{Name: "mpu_version", Help: "version of the memory protection unit",
			Bind: func(c *Config) value { return upTo(&c.Core.MPUVersion, 6) }},
		{Name: "mpu_regions", Help: "regions of the memory protection unit",
			Bind: func(c *Config) value { return oneOf(&c.Core.MPURegions, 0, 1, 2, 4, 8, 16, 32) }},

		{Name: "icache", Help: "instruction cache: size,line,ways,policy, or 0",
			Bind: func(c *Config) value { return cacheSpec{p: &c.Core.ICache, line: 8} }},
		{Name: "dcache", Help: "data cache: size,line,ways,policy, or 0",
			Bind: func(c *Config) value { return cacheSpec{p: &c.Core.DCache, line: 16} }},
		{Name: "iccm0_base", Help: "address of the instruction memory",
			Bind: func(c *Config) value { return address(&c.Core.ICCM.Base) }},
		{Name: "iccm0_size", Help: "bytes of instruction memory, 0 for none",
			Bind: func(c *Config) value { return size{&c.Core.ICCM.Size} }},
		{Name: "dccm_base", Help: "address of the data memory",
			Bind: func(c *Config) value { return address(&c.Core.DCCM.Base) }},
		{Name: "dccm_size", Help: "bytes of data memory, 0 for none",
			Bind: func(c *Config) value { return size{&c.Core.DCCM.Size} }},

		{Name: "ram", Help: "memory outside CCMs, XY and devices: all, none, or auto (none for an EM with CCMs)",
			Bind: func(c *Config) value { return word{&c.Core.RAM, []string{"auto", "all", "none"}} }},
		{Name: "nsim_mem-dev", Help: "device: name,kind=dwuart,base=ADDRESS,irq=NUMBER",
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

		{Name: "nsim_emt", Lacks: "host I/O is recognised by itself"},
		{Name: "cycles", Lacks: "cycles are always counted"},
		{Name: "ncam_profiling", Lacks: "stalls are always counted by reason"},
		{Name: "nsim_fast", Lacks: "the engine is chosen by --engine"},
		{Name: "nsim_hlink_gnu_io_ext", Lacks: "the fstat extension is always on"},
		{Name: "nsim_download_elf_sections", Lacks: "segments are loaded, as silicon loaders do"},
		{Name: "nsim_debug", Lacks: "there is no debug log"},
		{Name: "nsim_semihosting", Lacks: "ARC-V semihosting does not apply to ARCv2"},
		{Name: "nsim_ext", Lacks: "extension libraries cannot be loaded"},
		{Name: "nsim_connect", Lacks: "there is one core"},

		{Name: "nsim_isa_fpus_option", Lacks: lacksFPU},
		{Name: "nsim_isa_fpus_div_option", Lacks: lacksFPU},
		{Name: "nsim_isa_fpud_option", Lacks: lacksFPU},
		{Name: "nsim_isa_fpud_div_option", Lacks: lacksFPU},
		{Name: "nsim_isa_fpu_mac_option", Lacks: lacksFPU},
		{Name: "nsim_isa_fpuda_option", Lacks: lacksFPU},
		{Name: "nsim_isa_fpu_fast_mpy_option", Lacks: lacksFPU},
		{Name: "nsim_isa_fpu_fast_div_option", Lacks: lacksFPU},
		{Name: "nsim_isa_fpu_hp_option", Lacks: lacksFPU},
		{Name: "nsim_isa_spfp", Lacks: lacksFPU},
		{Name: "nsim_isa_dpfp", Lacks: lacksFPU},
		{Name: "nsim_isa_has_secure", Lacks: lacksSecure},
		{Name: "nsim_isa_sec_modes_option", Lacks: lacksSecure},
		{Name: "nsim_isa_intvbase_preset_s", Lacks: lacksSecure},
		{Name: "nsim_isa_enable_sec_timer_0", Lacks: lacksSecure},
		{Name: "nsim_isa_stimer_0_int_level", Lacks: lacksSecure},
		{Name: "mpu_sid_option", Lacks: lacksSecure},
		{Name: "iccm0_sec_lvl", Lacks: lacksSecure},
		{Name: "dccm_sec_lvl", Lacks: lacksSecure},
		{Name: "nsim_isa_dc_feature_level", Lacks: lacksCacheDetail},
		{Name: "nsim_isa_ic_feature_level", Lacks: lacksCacheDetail},
		{Name: "nsim_isa_dc_uncached_region", Lacks: lacksCacheDetail},
		{Name: "nsim_isa_dc_mem_cycles", Lacks: lacksCacheDetail},
		{Name: "nsim_isa_dccm_mem_cycles", Lacks: "closely coupled memories answer in one cycle"},
		{Name: "nsim_isa_dccm_interleave", Lacks: "bank conflicts are modelled in X and Y memory only"},
		{Name: "nsim_isa_smart_stack_entries", Lacks: "the trace buffer SmaRT is not there, use a trace"},
		{Name: "nsim_isa_pct_counters", Lacks: "performance counters are not there, use the statistics"},
		{Name: "nsim_isa_has_dmp_peripheral", Lacks: "the peripheral bus is not there"},
		{Name: "nsim_isa_dmac_option", Lacks: lacksDMA},
		{Name: "nsim_isa_dmac_channels", Lacks: lacksDMA},
		{Name: "nsim_isa_dmac_registers", Lacks: lacksDMA},
		{Name: "nsim_isa_dmac_fifo_depth", Lacks: lacksDMA},
		{Name: "nsim_isa_dmac_int_config", Lacks: lacksDMA},
	}
}

const (
	lacksFPU         = "floating point instructions are not modelled"
	lacksSecure      = "the secure mode is not modelled"
	lacksCacheDetail = "caches are modelled by their geometry only"
	lacksDMA         = "the DMA controller is not modelled"
)

func timingNames() []string {
	names := []string{""}
	for _, t := range templates() {
		names = append(names, t.Name)
	}
	return names
}

// short is the name without the common prefix, which may be left out.
func (p property) short() string { return strings.TrimPrefix(p.Name, prefix) }
