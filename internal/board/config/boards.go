package config

import (
	"slices"
	"strings"
)

// board is one row of the board table: a core as public boards have it. Options it does not name are absent.
type board struct {
	Name    string
	Summary string
	zephyr  string // names that Zephyr has for it
	family  Family
	options string // name=value words, the prefix nsim_isa_ left out
}

// Options that cores of one generation have in common.
const (
	// everyCore has all of the small instruction options and timer 0.
	everyCore = `rgf_num_regs=32 lpc_size=32 pc_size=32 addr_size=32 code_density_option=2
		swap_option=1 bitscan_option=1 shift_option=3 enable_timer_0=1 timer_0_int_level=1 `
	// firstEM is the EM of the first starter kit.
	firstEM = everyCore + `core=1 arcver=0x41 cpunum=1 rgf_num_banks=1 rgf_num_wr_ports=1 div_rem_option=1
		mpy_option=6 num_actionpoints=2 has_dmp_peripheral=1 smart_stack_entries=8 number_of_levels=2
		intvbase_preset=0 clock=35 `
	// dspEM is an EM with the DSP option and what all of them have beside it.
	dspEM = everyCore + `div_rem_option=1 mpy_option=8 dsp_option=2 dsp_complex_option=1 dsp_divsqrt_option=1
		stack_checking=1 number_of_levels=4 intvbase_preset=0 `
	// bankedRegs are two register banks, for fast interrupts.
	bankedRegs = `rgf_num_banks=2 rgf_banked_regs=32 rgf_num_wr_ports=2 fast_irq=1 `
	// fullDSP are the DSP options that the boards with XY memory have.
	fullDSP = `dsp_itu_option=1 dsp_accshift_option=2 `
	// singleFPU is the floating-point unit of EM boards.
	singleFPU = `fpus_div_option=1 fpu_mac_option=1 fpu_fast_mpy_option=0 fpu_fast_div_option=0 `
	// dma is the DMA controller of the starter kits.
	dma = `dmac_option=1 dmac_channels=2 dmac_registers=0 dmac_fifo_depth=2 dmac_int_config=single_internal `
	// kitDSP has the options of all DSP cores of the starter kits.
	kitDSP = dspEM + `turbo_boost=1 enable_timer_1=1 timer_1_int_level=0 num_actionpoints=2
		smart_stack_entries=8 has_dmp_peripheral=1 dccm_interleave=1 pct_counters=8 ` + dma
	// kitDDR is the memory of the starter kits. The micro-DMA controller of the second kit takes 135 cycles to move a word
	// that is read from there and written there, two accesses of 1 + 66 cycles.
	kitDDR = ` memory=ddr,base=0x10000000,size=128M,first=66,next=0,waits=published `
	// kitDevices are the devices of the starter kits whose interrupts do not differ; software of the boards has its console
	// at the second UART. The registers for pins and the serial buses remember what is written.
	kitDevices = ` nsim_mem-dev=mux,kind=bank,base=0xf0000000,size=4K
		nsim_mem-dev=i2c0,kind=bank,base=0xf0004000,size=4K nsim_mem-dev=i2c1,kind=bank,base=0xf0005000,size=4K
		nsim_mem-dev=spi0,kind=bank,base=0xf0006000,size=4K nsim_mem-dev=spi1,kind=bank,base=0xf0007000,size=4K `
	// kit22 and kit23 are the devices of the second starter kit with the interrupts of its versions 2.2 and 2.3.
	kit22 = kitDevices + ` nsim_mem-dev=gpio0,kind=dwgpio,base=0xf0002000,irq=22
		nsim_mem-dev=uart0,kind=dwuart,base=0xf0008000,irq=27,line=none
		nsim_mem-dev=uart1,kind=dwuart,base=0xf0009000,irq=28
		nsim_mem-dev=uart2,kind=dwuart,base=0xf000a000,irq=29,line=none `
	kit23 = kitDevices + ` nsim_mem-dev=gpio0,kind=dwgpio,base=0xf0002000,irq=24
		nsim_mem-dev=uart0,kind=dwuart,base=0xf0008000,irq=29,line=none
		nsim_mem-dev=uart1,kind=dwuart,base=0xf0009000,irq=30
		nsim_mem-dev=uart2,kind=dwuart,base=0xf000a000,irq=31,line=none `
	// nsimUART is the console of nSIM's boards.
	nsimUART = ` nsim_mem-dev=uart0,kind=dwuart,base=0xf0000000,irq=24 `
	// iotDevices are the devices of the IoT development kit. Those of its data fusion subsystem are auxiliary registers. The
	// clock locks at once: PLLSTAT reads stable and ready.
	iotDevices = ` nsim_mem-dev=sysconf,kind=bank,base=0xf000a000,size=4K,reads=0x28:0xc
		nsim_mem-dev=uart0,kind=dwuart,base=0x80014000,space=aux,irq=86
		nsim_mem-dev=uart1,kind=dwuart,base=0x80014100,space=aux,irq=87,line=none
		nsim_mem-dev=uart2,kind=dwuart,base=0x80014200,space=aux,irq=88,line=none
		nsim_mem-dev=uart3,kind=dwuart,base=0x80014300,space=aux,irq=89,line=none
		nsim_mem-dev=gpio8b0,kind=dwgpio,base=0x80017800,space=aux,irq=54 nsim_mem-dev=gpio8b1,kind=dwgpio,base=0x80017900,space=aux,irq=55
		nsim_mem-dev=gpio8b2,kind=dwgpio,base=0x80017a00,space=aux,irq=56 nsim_mem-dev=gpio8b3,kind=dwgpio,base=0x80017b00,space=aux,irq=57
		nsim_mem-dev=gpio4b0,kind=dwgpio,base=0x80017c00,space=aux,irq=19 nsim_mem-dev=gpio4b1,kind=dwgpio,base=0x80017d00,space=aux,irq=52
		nsim_mem-dev=gpio4b2,kind=dwgpio,base=0x80017e00,space=aux,irq=53
		nsim_mem-dev=i2c,kind=bank,base=0x80012000,space=aux,size=0x300 nsim_mem-dev=spi,kind=bank,base=0x80010000,space=aux,size=0x300 `
	// sdpDevices are the devices of the software development platform whose interrupts do not differ.
	sdpDevices = ` nsim_mem-dev=mux,kind=bank,base=0xf0000000,size=8K
		nsim_mem-dev=spi0,kind=bank,base=0xf0008000,size=4K nsim_mem-dev=spi1,kind=bank,base=0xf1000000,size=4K
		nsim_mem-dev=dfss,kind=bank,base=0x80010000,space=aux,size=0x300 `
	// sdp107 and sdp108 are them with the interrupts of the cores: one more on those with SecureShield and without DSP.
	sdp107 = sdpDevices + ` nsim_mem-dev=gpio0,kind=dwgpio,base=0xf0002000,irq=85 nsim_mem-dev=uart0,kind=dwuart,base=0xf0004000,irq=107 `
	sdp108 = sdpDevices + ` nsim_mem-dev=gpio0,kind=dwgpio,base=0xf0002000,irq=86 nsim_mem-dev=uart0,kind=dwuart,base=0xf0004000,irq=108 `
	// nsimLarge are closely coupled memories of nSIM's boards for Zephyr.
	nsimLarge = ` dccm_size=1M dccm_base=0x80000000 iccm0_size=1M iccm0_base=0 `
	// nsimEM has what nSIM's boards with an EM have for Zephyr.
	nsimEM = kitDSP + ` mpu_version=2 number_of_interrupts=20 number_of_external_interrupts=16 unaligned_option=1
		dcache=16384,32,2,a dc_feature_level=2 icache=16384,32,2,a ic_feature_level=2 fpuda_option=1 ` + singleFPU + nsimLarge + nsimUART
	// nsimXY are the options by which its larger ones differ.
	nsimXY = fullDSP + `core=3 arcver=0x43 rgf_banked_regs=32 rgf_num_wr_ports=2 mpu_regions=16 bitstream_option=1
		agu_size=large agu_wb_depth=4 agu_accord=1
		xy=1 xy_config=dccm_x_y xy_interleave=1 xy_x_base=0xc0000000 xy_y_base=0xe0000000 `
	// sdpSmall has what the smaller cores of the software development platform have.
	sdpSmall = everyCore + bankedRegs + `core=4 arcver=0x44 div_rem_option=1 stack_checking=1 number_of_levels=4 intvbase_preset=0
		turbo_boost=1 rtc_option=1 num_actionpoints=8 smart_stack_entries=8 number_of_external_interrupts=77
		unaligned_option=1 bitstream_option=1 dccm_size=128K dccm_base=0x80000000 iccm0_size=128K iccm0_base=0x60000000
		mpu_version=2 mpu_regions=8 ` + sdpMemory
	// sdpMemory is the memory of the platform outside its cores.
	sdpMemory = ` memory=flash,base=0,size=256K,kind=rom,first=32,next=8,waits=assumed
		memory=psram,base=0x10000000,size=16M,first=10,next=2,waits=assumed `
	// sdpCaches are caches of its cores, sdpDSP the options of those with DSP.
	sdpCaches = ` dcache=16384,32,2,a dc_feature_level=2 icache=16384,64,2,a ic_feature_level=1 `
	sdpDSP    = fullDSP + singleFPU + ` fpuda_option=1 mpy_option=8 dsp_option=2 dsp_complex_option=1 dsp_divsqrt_option=1 `
	// shield are the options of cores with SecureShield.
	shield = `has_secure=1 sec_modes_option=1 enable_sec_timer_0=1 stimer_0_int_level=1 intvbase_preset_s=0
		mpu_version=4 mpu_regions=16 mpu_sid_option=1 iccm0_sec_lvl=NS dccm_sec_lvl=NS `
	// smallBranches and largeBranches are branch predictors.
	smallBranches = `nsim_bpu_bc_entries=512 nsim_bpu_pt_entries=8192 nsim_bpu_rs_entries=4
		nsim_bpu_tosq_entries=5 nsim_bpu_fb_entries=2 `
	largeBranches = `nsim_bpu_bc_entries=2048 nsim_bpu_pt_entries=16384 nsim_bpu_rs_entries=8
		nsim_bpu_bc_full_tag=1 nsim_bpu_tosq_entries=8 `
	// doubleFPU is the floating-point unit of HS boards.
	doubleFPU = `fpud_div_option=1 fpu_mac_option=1 `
	// linuxHS is an HS that Linux runs on.
	linuxHS = everyCore + bankedRegs + doubleFPU + largeBranches + `atomic_option=1 ll64_option=1
		unaligned_option=1 div_rem_option=2 mpy_option=9 enable_timer_1=1 timer_1_int_level=0 rtc_option=1
		num_actionpoints=8 stack_checking=1 smart_stack_entries=64 pct_counters=8
		number_of_levels=2 number_of_external_interrupts=70 intvbase_preset=0
		dcache=65536,64,2,a dc_feature_level=2 dc_mem_cycles=2 icache=65536,64,4,a ic_feature_level=2
		mmu_pagesize=8K mmu_ntlb_ways=4 mmu_ntlb_sets=256 mmu_stlb_entries=16 mmu_super_pagesize=2M
		mmu_pae40_enabled=1 nsim_connect=2
		memory=sram,base=0x10000000,size=256K,first=2,next=0,waits=assumed
		memory=ddr,base=0x80000000,size=256M,first=60,next=0,waits=assumed `
	// dataFusion has the options that the cores of the software development platform share.
	dataFusion = dspEM + fullDSP + singleFPU + `fpuda_option=1 turbo_boost=1 rtc_option=1 num_actionpoints=8
		smart_stack_entries=8 number_of_external_interrupts=77
		dcache=16384,32,2,a dc_feature_level=2 icache=16384,64,2,a ic_feature_level=1
		dccm_size=128K dccm_base=0x80000000 iccm0_size=128K iccm0_base=0x60000000
		error_prot=4 error_prot_ccm_wb=1 watchdog=1 watchdog_size=32
		dmac_option=1 dmac_channels=16 dmac_registers=0 dmac_fifo_depth=2 dmac_int_config=multiple_internal ` + sdpMemory
)

// boards is the table of board presets. Options and register values are those of the public tool
// configurations, and of smaller cores of a board what its public software says of them; memories and devices outside the core
// are those of the boards' public software. Clocks are stated where a tool configuration, that software or a published
// measurement does, others are nominal. Wait states say where they are from.
func boards() []board {
	return []board{
		{Name: "emsk11-em4", Summary: "EM Starter Kit 1.1, EM4", family: EM, options: firstEM + `
			chipid=9 enable_timer_1=1 timer_1_int_level=0 number_of_interrupts=9 number_of_external_interrupts=7
			dccm_size=64K dccm_base=0x80000000 iccm0_size=128K iccm0_base=0` + kitDDR},
		{Name: "emsk11-em4cr16", Summary: "EM Starter Kit 1.1, EM4 with 16 registers and 24-bit addresses", family: EM,
			options: firstEM + `chipid=10 rgf_num_regs=16 pc_size=24 addr_size=24
			number_of_interrupts=9 number_of_external_interrupts=8 fast_irq=1
			dccm_size=64K dccm_base=0x800000 iccm0_size=128K iccm0_base=0`},
		{Name: "emsk11-em6gp", Summary: "EM Starter Kit 1.1, EM6 with caches", family: EM, options: firstEM + `
			chipid=12 number_of_interrupts=10 number_of_external_interrupts=9
			dcache=16384,32,2,a dc_feature_level=2 icache=16384,32,2,a ic_feature_level=2
			iccm0_size=32K iccm0_base=0` + kitDDR},
		{Name: "emsk22-em7d", Summary: "EM Starter Kit 2.2, EM7D", zephyr: "em_starterkit_em7d_v22 em_starterkit@2.2/emsk_em7d", family: EM, options: kitDSP + `
			core=2 arcver=0x42 rgf_num_banks=1 rgf_num_wr_ports=1 dsp_accshift_option=1 mpu_version=2 mpu_regions=8
			number_of_interrupts=20 number_of_external_interrupts=16 fast_irq=1
			dcache=16384,32,2,a dc_feature_level=2 icache=16384,32,2,a ic_feature_level=2
			dccm_size=128K dccm_base=0x80000000 iccm0_size=256K iccm0_base=0 clock=25` + kitDDR + kit22},
		{Name: "emsk23-em7d", Summary: "EM Starter Kit 2.3, EM7D with SecureShield", zephyr: "em_starterkit_em7d em_starterkit/emsk_em7d", family: EM, options: kitDSP + shield + `
			core=3 arcver=0x43 rgf_num_banks=1 rgf_num_wr_ports=1 dsp_accshift_option=1
			number_of_interrupts=22 number_of_external_interrupts=17
			dcache=16384,32,2,a dc_feature_level=2 icache=16384,32,2,a ic_feature_level=2
			dccm_size=128K dccm_base=0x80000000 iccm0_size=256K iccm0_base=0 clock=25` + kitDDR + kit23},
		{Name: "emsk23-em5d", Summary: "EM Starter Kit 2.3, EM5D: as EM7D without caches", family: EM, options: kitDSP + shield + `
			core=3 arcver=0x43 rgf_num_banks=1 rgf_num_wr_ports=1 dsp_accshift_option=1
			number_of_interrupts=22 number_of_external_interrupts=17
			dccm_size=128K dccm_base=0x80000000 iccm0_size=256K iccm0_base=0 clock=25` + kitDDR + kit23},
		{Name: "emsk23-em9d", Summary: "EM Starter Kit 2.3, EM9D: X and Y memory, large AGU", zephyr: "em_starterkit em_starterkit_em9d em_starterkit/emsk_em9d", family: EM,
			options: kitDSP + bankedRegs + fullDSP + singleFPU + `core=3 arcver=0x43 unaligned_option=1 bitstream_option=1
			agu_size=large agu_wb_depth=4 agu_accord=1
			xy=1 xy_config=dccm_x_y xy_size=8K xy_interleave=1 xy_x_base=0xc0000000 xy_y_base=0xe0000000
			number_of_interrupts=22 number_of_external_interrupts=18 ifq_size=1
			dccm_size=128K dccm_base=0x80000000 iccm0_size=256K iccm0_base=0 clock=25` + kitDDR + kit23},
		{Name: "emsk23-em11d", Summary: "EM Starter Kit 2.3, EM11D: X in DCCM, Y memory, large AGU, caches", zephyr: "em_starterkit_em11d em_starterkit/emsk_em11d", family: EM,
			options: kitDSP + bankedRegs + fullDSP + singleFPU + `core=3 arcver=0x43 unaligned_option=1 bitstream_option=1
			fpuda_option=1 agu_size=large agu_wb_depth=4 agu_accord=1
			xy=1 xy_config=dccm_y xy_size=8K xy_interleave=1 xy_y_base=0xe0000000
			number_of_interrupts=22 number_of_external_interrupts=18
			dcache=16384,32,2,a dc_feature_level=2 icache=16384,64,2,a ic_feature_level=1
			dccm_size=64K dccm_base=0x80000000 iccm0_size=64K iccm0_base=0 clock=25` + kitDDR + kit23},
		{Name: "emsdp-em11d", Summary: "EM Software Development Platform, EM11D: X and Y memory not interleaved", zephyr: "emsdp emsdp_em11d emsdp/emsdp_em11d", family: EM,
			options: dataFusion + bankedRegs + `core=4 arcver=0x44 unaligned_option=1 bitstream_option=1
			agu_size=small agu_wb_depth=4 agu_accord=1
			xy=1 xy_config=dccm_x_y xy_size=16K xy_x_base=0x90000000 xy_y_base=0xa0000000
			mpu_version=2 mpu_regions=8 number_of_interrupts=96` + sdp107},
		{Name: "emsdp-em7d-esp", Summary: "EM Software Development Platform, EM7D with SecureShield", zephyr: "emsdp_em7d_esp emsdp/emsdp_em7d_esp", family: EM,
			options: dataFusion + shield + `core=4 arcver=0x44 rgf_num_banks=1 rgf_num_wr_ports=1
			fpu_pipe_impl=1 intvbase_preset=0x400 number_of_interrupts=97 pct_counters=8` + sdp108},
		{Name: "emsdp-em4", Summary: "EM Software Development Platform, EM4", zephyr: "emsdp_em4 emsdp/emsdp_em4", family: EM,
			options: sdpSmall + sdp108 + `mpy_option=6 number_of_interrupts=97`},
		{Name: "emsdp-em6", Summary: "EM Software Development Platform, EM6: EM4 with caches", zephyr: "emsdp_em6 emsdp/emsdp_em6", family: EM,
			options: sdpSmall + sdp108 + sdpCaches + `mpy_option=6 number_of_interrupts=97`},
		{Name: "emsdp-em5d", Summary: "EM Software Development Platform, EM5D", zephyr: "emsdp_em5d emsdp/emsdp_em5d", family: EM,
			options: sdpSmall + sdp107 + sdpDSP + `number_of_interrupts=96`},
		{Name: "emsdp-em7d", Summary: "EM Software Development Platform, EM7D: EM5D with caches", zephyr: "emsdp_em7d emsdp/emsdp_em7d", family: EM,
			options: sdpSmall + sdp107 + sdpDSP + sdpCaches + `number_of_interrupts=96`},
		{Name: "emsdp-em9d", Summary: "EM Software Development Platform, EM9D: X and Y memory", zephyr: "emsdp_em9d emsdp/emsdp_em9d", family: EM,
			options: sdpSmall + sdp107 + sdpDSP + `number_of_interrupts=96 agu_size=small agu_wb_depth=4 agu_accord=1
			xy=1 xy_config=dccm_x_y xy_size=16K xy_x_base=0xc0000000 xy_y_base=0xe0000000`},
		{Name: "iotdk-em9d", Summary: "IoT Development Kit, EM9D: X and Y memory, small AGU", zephyr: "iotdk iotdk/arc_iot", family: EM,
			options: dspEM + bankedRegs + fullDSP + singleFPU + `core=2 arcver=0x42 cpunum=1 unaligned_option=1 fpuda_option=1
			agu_size=small agu_wb_depth=2 agu_accord=1
			xy=1 xy_config=dccm_x_y xy_size=32K xy_interleave=1 xy_x_base=0xc0000000 xy_y_base=0xe0000000
			enable_timer_1=1 timer_1_int_level=0 num_actionpoints=8 smart_stack_entries=64 pct_counters=8 ifq_size=4
			mpu_version=2 mpu_regions=16 number_of_interrupts=95 number_of_external_interrupts=60
			dccm_size=128K dccm_base=0x80000000 iccm0_size=256K iccm0_base=0x20000000
			error_prot=3 error_prot_ccm_wb=1 watchdog=1 watchdog_size=16 nsim_connect=2
			dmac_option=1 dmac_channels=16 dmac_registers=16 dmac_fifo_depth=4 dmac_int_config=multiple_internal
			pdm_option=1 dvfs_option=1 clock=144
			memory=flash,base=0,size=256K,kind=rom,first=3,next=3,waits=assumed
			memory=spiflash,base=0x10000000,size=2M,kind=rom,first=32,next=8,waits=assumed
			memory=sram,base=0x30000000,size=128K,first=2,next=0,waits=assumed` + iotDevices},
		{Name: "wei-em9d", Summary: "WE-I Plus, EM9D: two instruction memories, X and Y memory not interleaved, large AGU", family: EM,
			options: everyCore + fullDSP + singleFPU + `core=4 arcver=0x44 rgf_num_banks=1 rgf_num_wr_ports=2
			unaligned_option=1 div_rem_option=1 turbo_boost=1 mpy_option=8
			dsp_option=2 dsp_complex_option=1 dsp_divsqrt_option=1 fpu_pipe_impl=1
			agu_size=large agu_wb_depth=4 agu_accord=1
			xy=1 xy_config=dccm_x_y xy_size=32K xy_x_base=0x90000000 xy_y_base=0xa0000000
			enable_timer_1=1 timer_1_int_level=1 rtc_option=1 num_actionpoints=2 aps_feature=1 stack_checking=1
			smart_stack_entries=32 ifq_size=8 number_of_interrupts=158 number_of_levels=2
			number_of_external_interrupts=107 fast_irq=1 intvbase_preset=0
			dccm_size=512K dccm_base=0x80000000 dccm_interleave=1
			iccm0_size=64K iccm0_base=0 iccm1_size=512K iccm1_base=0x10000000
			error_prot=4 watchdog=1 watchdog_size=32
			dmac_option=1 dmac_channels=16 dmac_registers=0 dmac_fifo_depth=4 dmac_int_config=multiple_internal
			pdm_option=1 clock=400`},
		{Name: "axs103-hs36", Summary: "AXS103, HS36: caches and closely coupled memories", family: HS,
			options: everyCore + doubleFPU + smallBranches + `core=2 arcver=0x52 cpunum=5 rgf_num_banks=1 rgf_num_wr_ports=2
			atomic_option=1 ll64_option=1 unaligned_option=1 div_rem_option=2 mpy_option=9
			enable_timer_1=1 timer_1_int_level=0 rtc_option=1 num_actionpoints=8 stack_checking=1
			nsim_bpu_bc_full_tag=1 nsim_bpu_bc_tag_size=20 smart_stack_entries=8 mpu_version=3 mpu_regions=8
			number_of_interrupts=32 number_of_levels=2 number_of_external_interrupts=12 intvbase_preset=0
			dcache=65536,32,2,a dc_feature_level=2 dc_mem_cycles=2 icache=65536,32,2,a ic_feature_level=2
			dccm_size=256K dccm_base=0xc0000000 dccm_mem_cycles=2 iccm0_size=256K iccm0_base=0x10000000
			memory=ddr,base=0x80000000,size=128M,first=30,next=0,waits=assumed`},
		{Name: "hsdk-hs38", Summary: "HS Development Kit, HS38 (core 0)", zephyr: "hsdk", family: HS, options: linuxHS + `
			core=2 arcver=0x52 nsim_bpu_bc_tag_size=18 nsim_bpu_fb_entries=2 nsim_mmu=4 dc_uncached_region=1
			number_of_interrupts=72 nsim_mem-dev=uart0,kind=dwuart,base=0xf0005000`},
		{Name: "hsdk4xd-hs47d", Summary: "HS Development Kit 4xD, HS47D with DSP (core 0)", zephyr: "hsdk4xd", family: HS, options: linuxHS + `
			core=4 arcver=0x54 dual_issue_option=1 dsp_option=3 dsp_complex_option=1 dsp_divsqrt_option=2 dsp_itu_option=1
			dsp_accshift_option=2 dsp_wide_option=1 agu_size=small aps_feature=1 pct_interrupt=1
			volatile_base=15 volatile_limit=0 volatile_strict_ordering=1 nsim_bpu_fb_entries=4 lpb_num=8
			mpu_version=3 mpu_regions=8 nsim_mmu=5 number_of_interrupts=73 nsim_mem-dev=uart0,kind=dwuart,base=0xf0005000`},
		{Name: "nsim-em", Summary: "the EM7D that nSIM's board stands for", family: EM, options: kitDSP + `
			core=2 arcver=0x42 rgf_num_banks=1 rgf_num_wr_ports=1 dsp_accshift_option=1
			number_of_interrupts=20 number_of_external_interrupts=16 fast_irq=1
			dcache=16384,32,2,a dc_feature_level=2 icache=16384,32,2,a ic_feature_level=2
			dccm_size=128K dccm_base=0x80000000 iccm0_size=256K iccm0_base=0`},
		{Name: "nsim-sem", Summary: "nsim-em with SecureShield", zephyr: "nsim_sem nsim/nsim_sem", family: EM, options: kitDSP + shield + `
			core=3 arcver=0x43 rgf_num_banks=1 rgf_num_wr_ports=1 dsp_accshift_option=1 has_dmp_peripheral=0
			number_of_interrupts=22 number_of_external_interrupts=17
			dcache=16384,32,2,a dc_feature_level=2 icache=16384,32,2,a ic_feature_level=2
			dccm_size=512K dccm_base=0x80000000 iccm0_size=512K iccm0_base=0` + nsimUART},
		{Name: "nsim-hs", Summary: "the HS34 that nSIM's board stands for", family: HS,
			options: everyCore + smallBranches + `core=3 arcver=0x53 rgf_num_banks=1 rgf_num_wr_ports=2 atomic_option=1
			unaligned_option=1 mpy_option=6 enable_timer_1=1 timer_1_int_level=0 nsim_bpu_bc_tag_size=4
			number_of_interrupts=20 number_of_levels=4 number_of_external_interrupts=16 fast_irq=1 intvbase_preset=0
			dccm_size=1M dccm_base=0x80000000 dccm_mem_cycles=2 iccm0_size=1M iccm0_base=0 ram=none`},
		{Name: "nsim-zephyr-em", Summary: "nSIM's EM11D: two register banks, X and Y memory", zephyr: "nsim_em nsim/nsim_em", family: EM,
			options: nsimEM + nsimXY + `rgf_num_banks=2 fast_irq=1 xy_size=32K`},
		{Name: "nsim-zephyr-em11d", Summary: "nSIM's EM11D without fast interrupts", zephyr: "nsim_em11d nsim/nsim_em11d", family: EM,
			options: nsimEM + nsimXY + `rgf_num_banks=1 fast_irq=0 xy_size=64K`},
		{Name: "nsim-zephyr-em7d", Summary: "nSIM's EM7D with memory protection", zephyr: "nsim_em7d_v22 nsim/nsim_em7d_v22", family: EM,
			options: nsimEM + `core=2 arcver=0x42 rgf_num_banks=1 rgf_num_wr_ports=1 dsp_accshift_option=1 mpu_regions=8 fast_irq=1`},
		{Name: "nsim-zephyr-sem", Summary: "nsim-sem with 1 MB of each memory", zephyr: "nsim_sem_mpu_stack_guard nsim/nsim_sem/mpu_stack_guard", family: EM,
			options: kitDSP + shield + singleFPU + nsimLarge + `fpuda_option=1 core=3 arcver=0x43 rgf_num_banks=1 rgf_num_wr_ports=1
			dsp_accshift_option=1 has_dmp_peripheral=0 number_of_interrupts=22 number_of_external_interrupts=17
			dcache=16384,32,2,a dc_feature_level=2 icache=16384,32,2,a ic_feature_level=2` + nsimUART},
		{Name: "nsim-zephyr-hs", Summary: "nSIM's HS38 with memory protection", zephyr: "nsim_hs nsim/nsim_hs", family: HS,
			options: everyCore + bankedRegs + doubleFPU + `core=2 arcver=0x52 atomic_option=1 ll64_option=1 unaligned_option=1
			div_rem_option=2 mpy_option=9 enable_timer_1=1 timer_1_int_level=0 rtc_option=1 num_actionpoints=8 stack_checking=1
			number_of_interrupts=72 number_of_levels=2 number_of_external_interrupts=70 intvbase_preset=0
			dcache=65536,64,2,a dc_feature_level=2 dc_uncached_region=1 dc_mem_cycles=2 icache=65536,64,4,a ic_feature_level=2
			dccm_mem_cycles=2 mpu_version=3 mpu_regions=16 ram=none` + nsimLarge + nsimUART},
	}
}

func boardNamed(name string) *board {
	for _, b := range boards() {
		if b.Name == name || slices.Contains(strings.Fields(b.zephyr), name) {
			return &b
		}
	}
	return nil
}

// settings are the options as if they stood in a property file.
func (b *board) settings() Settings {
	var list Settings
	for _, text := range append(strings.Fields(b.options), "nsim_isa_family="+string(b.family)) {
		list = append(list, setting{text: text, place: "board " + b.Name})
	}
	return list
}

// Boards lists the board presets.
func Boards() []TemplateInfo {
	var list []TemplateInfo
	for _, b := range boards() {
		info := infoOf(b.Name, b.Summary)
		if info.Also = strings.Fields(b.zephyr); len(info.Also) > 0 {
			info.Summary += "; Zephyr's " + info.Also[0]
		}
		list = append(list, info)
	}
	return list
}

// coreNames are all names that New takes.
func coreNames() []string {
	var names []string
	for _, t := range append(Templates(), Boards()...) {
		names = append(names, t.Name)
	}
	for _, b := range boards() {
		names = append(names, strings.Fields(b.zephyr)...)
	}
	return names
}
