package isa

import (
	"strconv"
	"strings"
	"sync"
)

// AuxReg is one auxiliary register, or a numbered run of them.
type AuxReg struct {
	Addr   uint32
	Name   string // lower case; names are matched without regard to case
	Count  int    // registers of a run: the name is followed by 0, 1, 2 ...; 0 for a single one
	Step   uint32 // distance of their addresses
	Needs  Feature
	Access Access
	Own    bool // a name that the GNU tools do not know
}

// Access is how an auxiliary register may be used.
type Access uint8

const (
	ReadWrite Access = iota
	ReadOnly
	WriteOnly
)

// Addresses that other packages name.
const (
	AuxLPStart            = 0x002
	AuxLPEnd              = 0x003
	AuxIdentity           = 0x004
	AuxDebug              = 0x005
	AuxPC                 = 0x006
	AuxSecStat            = 0x009
	AuxStatus32           = 0x00a
	AuxStatus32P0         = 0x00b
	AuxUserSP             = 0x00d
	AuxIRQCtrl            = 0x00e
	AuxICIVIC             = 0x010
	AuxICCtrl             = 0x011
	AuxICLIL              = 0x013
	AuxDCCM               = 0x018
	AuxICIVIL             = 0x019
	AuxCount0             = 0x021
	AuxControl0           = 0x022
	AuxLimit0             = 0x023
	AuxIntVectorBase      = 0x025
	AuxIRQAct             = 0x043
	AuxDCIVDC             = 0x047
	AuxDCCtrl             = 0x048
	AuxDCLDL              = 0x049
	AuxDCIVDL             = 0x04a
	AuxDCFLSH             = 0x04b
	AuxDCFLDL             = 0x04c
	AuxDCCMBaseBuild      = 0x061
	AuxEABuild            = 0x065
	AuxVecBaseACBuild     = 0x068
	AuxFPBuild            = 0x06b
	AuxMPUBuild           = 0x06d
	AuxRFBuild            = 0x06e
	AuxDCacheBuild        = 0x072
	AuxDCCMBuild          = 0x074
	AuxTimerBuild         = 0x075
	AuxAPBuild            = 0x076
	AuxICacheBuild        = 0x077
	AuxICCMBuild          = 0x078
	AuxXYBuild            = 0x079
	AuxDSPBuild           = 0x07a
	AuxMultiplyBuild      = 0x07b
	AuxSwapBuild          = 0x07c
	AuxNormBuild          = 0x07d
	AuxMinMaxBuild        = 0x07e
	AuxBarrelBuild        = 0x07f
	AuxBPUBuild           = 0x0c0
	AuxISAConfig          = 0x0c1
	AuxAGUBuild           = 0x0cc
	AuxIRQBuild           = 0x0f3
	AuxPCTBuild           = 0x0f5
	AuxSmartBuild         = 0x0ff
	AuxCount1             = 0x100
	AuxControl1           = 0x101
	AuxLimit1             = 0x102
	AuxIRQPriorityPending = 0x200
	AuxIRQHint            = 0x201
	AuxIRQPriority        = 0x206
	AuxUStackTop          = 0x260
	AuxUStackBase         = 0x261
	AuxKStackTop          = 0x264
	AuxKStackBase         = 0x265
	AuxJLIBase            = 0x290
	AuxLDIBase            = 0x291
	AuxEIBase             = 0x292
	AuxERET               = 0x400
	AuxERBTA              = 0x401
	AuxERStatus           = 0x402
	AuxECR                = 0x403
	AuxEFA                = 0x404
	AuxMPUEn              = 0x409
	AuxICause             = 0x40a
	AuxIRQSelect          = 0x40b
	AuxIRQEnable          = 0x40c
	AuxIRQTrigger         = 0x40d
	AuxIRQStatus          = 0x40f
	AuxBTA                = 0x412
	AuxIRQPulseCancel     = 0x415
	AuxIRQPending         = 0x416
	AuxAcc0Lo             = 0x580
	AuxAcc0GLo            = 0x581
	AuxAcc0Hi             = 0x582
	AuxAcc0GHi            = 0x583
	AuxDSPBfly0           = 0x598
	AuxDSPFFTCtrl         = 0x59e
	AuxDSPCtrl            = 0x59f
	AuxAGUAP0             = 0x5c0
	AuxAGUOS0             = 0x5d0
	AuxAGUMod0            = 0x5e0
	AuxXCCMBase           = 0x5f8
	AuxYCCMBase           = 0x5f9
)

// auxRegs holds the registers of both families by address. Where two names share an address, the
// first that the core has is printed.
var auxRegs = []AuxReg{
	{Addr: AuxLPStart, Name: "lp_start"},
	{Addr: AuxLPEnd, Name: "lp_end"},
	{Addr: AuxIdentity, Name: "identity", Access: ReadOnly},
	{Addr: AuxDebug, Name: "debug"},
	{Addr: AuxPC, Name: "pc", Access: ReadOnly},
	{Addr: 0x007, Name: "memseg", Needs: HS},
	{Addr: AuxSecStat, Name: "sec_stat", Needs: EM},
	{Addr: AuxStatus32, Name: "status32", Access: ReadOnly},
	{Addr: AuxStatus32P0, Name: "status32_p0"},
	{Addr: 0x00c, Name: "sec_extra", Needs: EM},
	{Addr: AuxUserSP, Name: "aux_user_sp"},
	{Addr: AuxIRQCtrl, Name: "aux_irq_ctrl"},
	{Addr: 0x00f, Name: "debugi", Needs: HS},
	{Addr: AuxICIVIC, Name: "ic_ivic", Access: WriteOnly},
	{Addr: AuxICCtrl, Name: "ic_ctrl"},
	{Addr: 0x012, Name: "ic_startr_ext", Needs: HS},
	{Addr: AuxICLIL, Name: "ic_lil", Access: WriteOnly},
	{Addr: 0x016, Name: "ic_ivir", Needs: HS},
	{Addr: 0x017, Name: "ic_endr", Needs: HS},
	{Addr: AuxDCCM, Name: "aux_dccm", Needs: EM, Own: true},
	{Addr: AuxICIVIL, Name: "ic_ivil", Access: WriteOnly},
	{Addr: 0x01a, Name: "ic_ram_address"},
	{Addr: 0x01b, Name: "ic_tag"},
	{Addr: 0x01c, Name: "ic_wp"},
	{Addr: 0x01d, Name: "ic_data"},
	{Addr: 0x01e, Name: "ic_ptag"},
	{Addr: 0x01f, Name: "debugi", Needs: EM},
	{Addr: 0x01f, Name: "ic_endr_ext", Needs: HS},
	{Addr: AuxCount0, Name: "count0"},
	{Addr: AuxControl0, Name: "control0"},
	{Addr: AuxLimit0, Name: "limit0"},
	{Addr: AuxIntVectorBase, Name: "int_vector_base"},
	{Addr: 0x026, Name: "int_vector_base_s", Needs: EM, Own: true},
	{Addr: 0x030, Name: "acg_ctrl", Needs: EM},
	{Addr: 0x038, Name: "aux_kernel_sp", Needs: EM},
	{Addr: 0x039, Name: "aux_sec_u_sp", Needs: EM},
	{Addr: 0x03a, Name: "aux_sec_k_sp", Needs: EM},
	{Addr: 0x03e, Name: "aux_sec_ctrl", Needs: EM},
	{Addr: 0x03f, Name: "erp_control", Needs: EM},
	{Addr: 0x040, Name: "rferp_status0", Needs: EM, Access: ReadOnly},
	{Addr: 0x041, Name: "rferp_status1", Needs: EM, Access: ReadOnly},
	{Addr: AuxIRQAct, Name: "aux_irq_act"},
	{Addr: AuxDCIVDC, Name: "dc_ivdc", Access: WriteOnly},
	{Addr: AuxDCCtrl, Name: "dc_ctrl"},
	{Addr: AuxDCLDL, Name: "dc_ldl", Access: WriteOnly},
	{Addr: AuxDCIVDL, Name: "dc_ivdl", Access: WriteOnly},
	{Addr: AuxDCFLSH, Name: "dc_flsh", Access: WriteOnly},
	{Addr: AuxDCFLDL, Name: "dc_fldl", Access: WriteOnly},
	{Addr: 0x04f, Name: "hw_pf_ctrl", Needs: EM, Own: true},
	{Addr: 0x058, Name: "dc_ram_addr"},
	{Addr: 0x059, Name: "dc_tag"},
	{Addr: 0x05a, Name: "dc_wp"},
	{Addr: 0x05b, Name: "dc_data"},
	{Addr: AuxDCCMBaseBuild, Name: "dccm_base_build", Access: ReadOnly},
	{Addr: 0x062, Name: "crc_build", Access: ReadOnly},
	{Addr: 0x063, Name: "bta_link_build", Access: ReadOnly},
	{Addr: 0x064, Name: "vbfdw_build", Access: ReadOnly},
	{Addr: AuxEABuild, Name: "ea_build", Access: ReadOnly},
	{Addr: 0x066, Name: "dataspace", Access: ReadOnly},
	{Addr: 0x067, Name: "memsubsys", Access: ReadOnly},
	{Addr: AuxVecBaseACBuild, Name: "vecbase_ac_build", Access: ReadOnly},
	{Addr: 0x069, Name: "p_base_addr", Access: ReadOnly},
	{Addr: 0x06a, Name: "data_uncached_build", Access: ReadOnly},
	{Addr: AuxFPBuild, Name: "fp_build", Access: ReadOnly},
	{Addr: 0x06c, Name: "dpfp_build", Access: ReadOnly},
	{Addr: AuxMPUBuild, Name: "mpu_build", Access: ReadOnly},
	{Addr: AuxRFBuild, Name: "rf_build", Access: ReadOnly},
	{Addr: 0x06f, Name: "mmu_build", Access: ReadOnly},
	{Addr: 0x070, Name: "sec_vecbase_build", Needs: EM, Access: ReadOnly},
	{Addr: 0x071, Name: "vecbase_build", Access: ReadOnly},
	{Addr: AuxDCacheBuild, Name: "d_cache_build", Access: ReadOnly},
	{Addr: 0x073, Name: "madi_build", Access: ReadOnly},
	{Addr: AuxDCCMBuild, Name: "dccm_build", Access: ReadOnly},
	{Addr: AuxTimerBuild, Name: "timer_build", Access: ReadOnly},
	{Addr: AuxAPBuild, Name: "ap_build", Access: ReadOnly},
	{Addr: AuxICacheBuild, Name: "i_cache_build", Access: ReadOnly},
	{Addr: AuxICCMBuild, Name: "iccm_build", Access: ReadOnly},
	{Addr: AuxXYBuild, Name: "dspram_build", Access: ReadOnly},
	{Addr: AuxDSPBuild, Name: "dsp_build", Needs: EM, Access: ReadOnly, Own: true},
	{Addr: 0x07a, Name: "mac_build", Access: ReadOnly},
	{Addr: AuxMultiplyBuild, Name: "multiply_build", Access: ReadOnly},
	{Addr: AuxSwapBuild, Name: "swap_build", Access: ReadOnly},
	{Addr: AuxNormBuild, Name: "norm_build", Access: ReadOnly},
	{Addr: AuxMinMaxBuild, Name: "minmax_build", Access: ReadOnly},
	{Addr: AuxBarrelBuild, Name: "barrel_build", Access: ReadOnly},
	{Addr: 0x080, Name: "ax0"},
	{Addr: 0x081, Name: "ax1"},
	{Addr: 0x082, Name: "ax2"},
	{Addr: 0x083, Name: "ax3"},
	{Addr: 0x084, Name: "ay0"},
	{Addr: 0x085, Name: "ay1"},
	{Addr: 0x086, Name: "ay2"},
	{Addr: 0x087, Name: "ay3"},
	{Addr: 0x088, Name: "mx00"},
	{Addr: 0x089, Name: "mx01"},
	{Addr: 0x08a, Name: "mx10"},
	{Addr: 0x08b, Name: "mx11"},
	{Addr: 0x08c, Name: "mx20"},
	{Addr: 0x08d, Name: "mx21"},
	{Addr: 0x08e, Name: "mx30"},
	{Addr: 0x08f, Name: "mx31"},
	{Addr: 0x090, Name: "my00"},
	{Addr: 0x091, Name: "my01"},
	{Addr: 0x092, Name: "my10"},
	{Addr: 0x093, Name: "my11"},
	{Addr: 0x094, Name: "my20"},
	{Addr: 0x095, Name: "my21"},
	{Addr: 0x096, Name: "my30"},
	{Addr: 0x097, Name: "my31"},
	{Addr: 0x098, Name: "xyconfig"},
	{Addr: 0x099, Name: "burstsys"},
	{Addr: 0x09a, Name: "burstxym"},
	{Addr: 0x09b, Name: "burstsz"},
	{Addr: 0x09c, Name: "burstval"},
	{Addr: 0x09d, Name: "xylsbasex"},
	{Addr: 0x09e, Name: "xylsbasey"},
	{Addr: 0x09f, Name: "aux_xmaclw_h"},
	{Addr: 0x0a0, Name: "aux_xmaclw_l"},
	{Addr: 0x0a1, Name: "se_ctrl"},
	{Addr: 0x0a2, Name: "se_stat"},
	{Addr: 0x0a3, Name: "se_err"},
	{Addr: 0x0a4, Name: "se_eadr"},
	{Addr: 0x0a5, Name: "se_spc"},
	{Addr: 0x0a6, Name: "sdm_base"},
	{Addr: 0x0a7, Name: "scm_base"},
	{Addr: 0x0a8, Name: "se_dbg_ctrl"},
	{Addr: 0x0a9, Name: "se_dbg_data0"},
	{Addr: 0x0aa, Name: "se_dbg_data1"},
	{Addr: 0x0ab, Name: "se_dbg_data2"},
	{Addr: 0x0ac, Name: "se_dbg_data3"},
	{Addr: 0x0ad, Name: "se_watch"},
	{Addr: AuxBPUBuild, Name: "bpu_build", Access: ReadOnly},
	{Addr: AuxISAConfig, Name: "isa_config", Access: ReadOnly},
	{Addr: 0x0c7, Name: "sep_build", Needs: EM, Access: ReadOnly, Own: true},
	{Addr: AuxAGUBuild, Name: "agu_build", Needs: EM, Access: ReadOnly, Own: true},
	{Addr: 0x0e9, Name: "lpb_build", Needs: EM, Access: ReadOnly, Own: true},
	{Addr: AuxIRQBuild, Name: "irq_build", Needs: EM, Access: ReadOnly, Own: true},
	{Addr: 0x0f4, Name: "hwp_build", Access: ReadOnly},
	{Addr: AuxPCTBuild, Name: "pct_build", Access: ReadOnly},
	{Addr: 0x0f6, Name: "cc_build", Access: ReadOnly},
	{Addr: 0x0f7, Name: "pm_bcr", Access: ReadOnly},
	{Addr: 0x0f8, Name: "scq_switch_build", Access: ReadOnly},
	{Addr: 0x0f9, Name: "vraptor_build", Access: ReadOnly},
	{Addr: 0x0fa, Name: "dma_config", Access: ReadOnly},
	{Addr: 0x0fb, Name: "simd_config", Access: ReadOnly},
	{Addr: 0x0fc, Name: "vlc_build", Access: ReadOnly},
	{Addr: 0x0fd, Name: "simd_dma_build", Access: ReadOnly},
	{Addr: 0x0fe, Name: "ifetch_queue_build", Access: ReadOnly},
	{Addr: AuxSmartBuild, Name: "smart_build", Access: ReadOnly},
	{Addr: AuxCount1, Name: "count1"},
	{Addr: AuxControl1, Name: "control1"},
	{Addr: AuxLimit1, Name: "limit1"},
	{Addr: 0x103, Name: "timer_xx"},
	{Addr: 0x106, Name: "s_tmr0_count", Needs: EM, Own: true},
	{Addr: 0x107, Name: "s_tmr0_control", Needs: EM, Own: true},
	{Addr: 0x108, Name: "s_tmr0_limit", Needs: EM, Own: true},
	{Addr: 0x109, Name: "s_tmr1_count", Needs: EM, Own: true},
	{Addr: 0x10a, Name: "s_tmr1_control", Needs: EM, Own: true},
	{Addr: 0x10b, Name: "s_tmr1_limit", Needs: EM, Own: true},
	{Addr: AuxIRQPriorityPending, Name: "irq_priority_pending", Access: ReadOnly},
	{Addr: AuxIRQHint, Name: "aux_irq_hint"},
	{Addr: AuxIRQPriority, Name: "irq_priority"},
	{Addr: 0x220, Name: "ap_amv", Count: 8, Step: 3},
	{Addr: 0x221, Name: "ap_amm", Count: 8, Step: 3},
	{Addr: 0x222, Name: "ap_ac", Count: 8, Step: 3},
	{Addr: AuxUStackTop, Name: "ustack_top", Needs: EM, Own: true},
	{Addr: AuxUStackBase, Name: "ustack_base", Needs: EM, Own: true},
	{Addr: 0x262, Name: "s_ustack_top", Needs: EM, Own: true},
	{Addr: 0x263, Name: "s_ustack_base", Needs: EM, Own: true},
	{Addr: AuxKStackTop, Name: "kstack_top", Needs: EM, Own: true},
	{Addr: AuxKStackBase, Name: "kstack_base", Needs: EM, Own: true},
	{Addr: 0x266, Name: "s_kstack_top", Needs: EM, Own: true},
	{Addr: 0x267, Name: "s_kstack_base", Needs: EM, Own: true},
	{Addr: 0x268, Name: "nsc_table_top", Needs: EM},
	{Addr: 0x269, Name: "nsc_table_base", Needs: EM},
	{Addr: AuxJLIBase, Name: "jli_base"},
	{Addr: AuxLDIBase, Name: "ldi_base"},
	{Addr: AuxEIBase, Name: "ei_base"},
	{Addr: 0x300, Name: "fpu_ctrl", Own: true},
	{Addr: 0x300, Name: "fp_status", Needs: EM | FPXDouble},
	{Addr: 0x301, Name: "fpu_status", Own: true},
	{Addr: 0x301, Name: "aux_dpfp1l", Needs: EM | FPXDouble},
	{Addr: 0x301, Name: "d1l", Needs: EM | FPXDouble},
	{Addr: 0x302, Name: "fpu_dpfp1l", Needs: EM, Own: true},
	{Addr: 0x302, Name: "aux_dpfp1h", Needs: EM | FPXDouble},
	{Addr: 0x302, Name: "d1h", Needs: EM | FPXDouble},
	{Addr: 0x302, Name: "d1l", Needs: EM | FPUDoubleAssist},
	{Addr: 0x303, Name: "fpu_dpfp1h", Needs: EM, Own: true},
	{Addr: 0x303, Name: "aux_dpfp2l", Needs: EM | FPXDouble},
	{Addr: 0x303, Name: "d1h", Needs: EM | FPUDoubleAssist},
	{Addr: 0x303, Name: "d2l", Needs: EM | FPXDouble},
	{Addr: 0x304, Name: "fpu_dpfp2l", Needs: EM, Own: true},
	{Addr: 0x304, Name: "aux_dpfp2h", Needs: EM | FPXDouble},
	{Addr: 0x304, Name: "d2h", Needs: EM | FPXDouble},
	{Addr: 0x304, Name: "d2l", Needs: EM | FPUDoubleAssist},
	{Addr: 0x305, Name: "fpu_dpfp2h", Needs: EM, Own: true},
	{Addr: 0x305, Name: "d2h", Needs: EM | FPUDoubleAssist},
	{Addr: 0x305, Name: "dpfp_status", Needs: EM | FPXDouble},
	{Addr: AuxERET, Name: "eret"},
	{Addr: AuxERBTA, Name: "erbta"},
	{Addr: AuxERStatus, Name: "erstatus"},
	{Addr: AuxECR, Name: "ecr"},
	{Addr: AuxEFA, Name: "efa"},
	{Addr: 0x406, Name: "ersec_stat", Needs: EM},
	{Addr: 0x407, Name: "aux_sec_except", Needs: EM},
	{Addr: AuxMPUEn, Name: "mpuen"},
	{Addr: AuxICause, Name: "icause", Needs: EM, Access: ReadOnly, Own: true},
	{Addr: 0x40a, Name: "icause1", Access: ReadOnly},
	{Addr: AuxIRQSelect, Name: "irq_select", Needs: EM, Own: true},
	{Addr: 0x40b, Name: "icause2"},
	{Addr: AuxIRQEnable, Name: "irq_enable", Needs: EM, Own: true},
	{Addr: 0x40c, Name: "aux_ienable"},
	{Addr: AuxIRQTrigger, Name: "irq_trigger", Needs: EM, Own: true},
	{Addr: 0x40d, Name: "aux_itrigger"},
	{Addr: AuxIRQStatus, Name: "irq_status", Needs: EM, Access: ReadOnly, Own: true},
	{Addr: 0x410, Name: "xpu"},
	{Addr: AuxBTA, Name: "bta"},
	{Addr: AuxIRQPulseCancel, Name: "aux_irq_pulse_cancel", Access: WriteOnly},
	{Addr: AuxIRQPending, Name: "aux_irq_pending", Access: ReadOnly},
	{Addr: 0x420, Name: "mpuic"},
	{Addr: 0x421, Name: "mpufa"},
	{Addr: 0x422, Name: "mpurdb", Count: 16, Step: 2},
	{Addr: 0x423, Name: "mpurdp", Count: 16, Step: 2},
	{Addr: 0x448, Name: "mpu_index", Needs: EM, Own: true},
	{Addr: 0x449, Name: "mpu_rstart", Needs: EM, Own: true},
	{Addr: 0x44a, Name: "mpu_rend", Needs: EM, Own: true},
	{Addr: 0x44b, Name: "mpu_rper", Needs: EM, Own: true},
	{Addr: 0x44c, Name: "mpu_probe", Needs: EM, Own: true},
	{Addr: 0x460, Name: "tlbpd0", Needs: HS},
	{Addr: 0x461, Name: "tlbpd1", Needs: HS},
	{Addr: 0x464, Name: "tlbindex", Needs: HS},
	{Addr: 0x465, Name: "tlbcommand", Needs: HS},
	{Addr: 0x468, Name: "pid", Needs: HS},
	{Addr: 0x46c, Name: "scratch_data0", Needs: HS},
	{Addr: 0x488, Name: "lpb_ctrl", Needs: EM, Own: true},
	{Addr: AuxAcc0Lo, Name: "acc0_lo", Needs: EM, Own: true},
	{Addr: AuxAcc0GLo, Name: "acc0_glo", Needs: EM, Own: true},
	{Addr: AuxAcc0Hi, Name: "acc0_hi", Needs: EM, Own: true},
	{Addr: AuxAcc0GHi, Name: "acc0_ghi", Needs: EM, Own: true},
	{Addr: AuxDSPBfly0, Name: "dsp_bfly0", Needs: EM, Own: true},
	{Addr: AuxDSPFFTCtrl, Name: "dsp_fft_ctrl", Needs: EM, Own: true},
	{Addr: AuxDSPCtrl, Name: "dsp_ctrl", Needs: EM, Own: true},
	{Addr: AuxAGUAP0, Name: "agu_ap", Count: 12, Step: 1, Needs: EM, Own: true},
	{Addr: AuxAGUOS0, Name: "agu_os", Count: 8, Step: 1, Needs: EM, Own: true},
	{Addr: AuxAGUMod0, Name: "agu_mod", Count: 24, Step: 1, Needs: EM, Own: true},
	{Addr: AuxXCCMBase, Name: "xccm_base", Needs: EM, Own: true},
	{Addr: AuxYCCMBase, Name: "yccm_base", Needs: EM, Own: true},
	{Addr: 0x700, Name: "smart_control"},
	{Addr: 0xf70, Name: "hw_pf_build", Needs: EM, Access: ReadOnly, Own: true},
}

// AuxRegs returns every auxiliary register, runs written out, by address.
func AuxRegs() []AuxReg { return auxTables().all }

// AuxByName finds a register by its name, in any case, among those of a core.
func AuxByName(name string, f Feature) (*AuxReg, bool) {
	t := auxTables()
	for _, i := range t.byName[strings.ToLower(name)] {
		if f.Has(t.all[i].Needs) {
			return &t.all[i], true
		}
	}
	return nil, false
}

// AuxByAddr finds the register of a core at an address. With gnu set only names that the GNU tools
// know count.
func AuxByAddr(addr uint32, f Feature, gnu bool) (*AuxReg, bool) {
	t := auxTables()
	for _, i := range t.byAddr[addr] {
		if r := &t.all[i]; f.Has(r.Needs) && !(gnu && r.Own) {
			return r, true
		}
	}
	return nil, false
}

type auxIndex struct {
	all    []AuxReg
	byName map[string][]int
	byAddr map[uint32][]int
}

var auxTables = sync.OnceValue(func() *auxIndex {
	t := &auxIndex{byName: map[string][]int{}, byAddr: map[uint32][]int{}}
	for _, r := range auxRegs {
		for i := range max(1, r.Count) {
			one := r
			if r.Count > 0 {
				one.Name += strconv.Itoa(i)
				one.Addr += uint32(i) * r.Step
				one.Count, one.Step = 0, 0
			}
			t.byName[one.Name] = append(t.byName[one.Name], len(t.all))
			t.byAddr[one.Addr] = append(t.byAddr[one.Addr], len(t.all))
			t.all = append(t.all, one)
		}
	}
	return t
})
