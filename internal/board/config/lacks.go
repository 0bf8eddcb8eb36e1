package config

// lack is a reason why properties have no effect. They are accepted because property files of real
// cores have them.
type lack struct {
	reason string
	names  []string
}

// lacks lists the known properties that are not modelled.
func lacks() []lack {
	return []lack{
		{reason: "host I/O is recognised by itself", names: []string{"nsim_emt"}},
		{reason: "cycles are always counted", names: []string{"cycles"}},
		{reason: "stalls are always counted by reason", names: []string{"ncam_profiling"}},
		{reason: "the engine is chosen by --engine", names: []string{"nsim_fast"}},
		{reason: "the fstat extension is always on", names: []string{"nsim_hlink_gnu_io_ext"}},
		{reason: "segments are loaded, as silicon loaders do", names: []string{"nsim_download_elf_sections"}},
		{reason: "there is no debug log", names: []string{"nsim_debug"}},
		{reason: "ARC-V semihosting does not apply to ARCv2", names: []string{"nsim_semihosting"}},
		{reason: "extension libraries cannot be loaded", names: []string{"nsim_ext"}},
		{reason: "big-endian programs are inspected, not run", names: []string{"nsim_isa_big_endian"}},
		{reason: "saturating instructions come with nsim_isa_dsp_option", names: []string{"nsim_isa_sat"}},
		{reason: "nsim_isa_agu_size says it", names: []string{"nsim_isa_agu"}},
		{reason: "conversions of half precision are not described in public", names: []string{"nsim_isa_fpu_hp_option"}},
		{reason: "nsim_isa_has_secure says it", names: []string{"nsim_isa_sec_modes_option"}},
		{reason: "the MPU alone says which memory is secure", names: []string{"iccm0_sec_lvl", "dccm_sec_lvl"}},
		{reason: "code is not protected against being read", names: []string{"nsim_isa_code_protect_mask"}},
		{reason: "memories never fail, so nothing is protected against it", names: []string{
			"nsim_isa_error_prot", "nsim_isa_error_prot_ccm_wb",
		}},
		{reason: "the watchdog of the core is not modelled", names: []string{
			"nsim_isa_watchdog", "nsim_isa_watchdog_size",
		}},
		{reason: "performance counters do not interrupt, and PCT_BUILD says so", names: []string{"nsim_isa_pct_interrupt"}},
		{reason: "the instructions of FastMath are not modelled", names: []string{
			"nsim_isa_fmp_div_option", "nsim_isa_fmp_sqrt_option", "nsim_isa_fmp_sat_option", "nsim_isa_fmp_trig_option",
		}},
		{reason: "addresses are physical, there is no MMU", names: []string{
			"nsim_mmu", "mmu_pagesize", "mmu_ntlb_ways", "mmu_ntlb_sets", "mmu_stlb_entries", "mmu_super_pagesize",
			"mmu_pae40_enabled", "mmu_sasid", "mmu_dtlb_entries", "mmu_itlb_entries",
		}},
		{reason: "there is one core, without ARConnect and what a cluster shares", names: []string{
			"nsim_connect", "nsim_connect_ics", "nsim_connect_ics_numsemas", "nsim_connect_ics_num_semas",
			"nsim_connect_icm", "nsim_connect_icm_sram_size", "nsim_connect_icm_sram_ecc", "nsim_connect_pmu",
			"nsim_connect_pdm", "nsim_connect_idu", "nsim_connect_idu_cirqnum", "nsim_connect_ici",
			"nsim_connect_icd", "nsim_connect_gfrc",
			"nsim_csm", "nsim_csm_size0", "nsim_csm_bank_mcycle", "nsim_csm_ecc0", "nsim_csm_mpnum", "nsim_csm_base",
			"nsim_cluster_dma", "nsim_cluster_dma_ch_num", "nsim_cluster_dma_desc_num",
			"nsim_cluster_dma_max_burst_size", "nsim_cluster_dma_max_pend_trans", "nsim_cluster_dma_buf_size",
			"nsim_cluster_dma_data_size",
			"nsim_sl2cache", "nsim_slc_version", "nsim_slc_ecc_type",
			"nsim_isa_has_scu", "nsim_isa_scu_stb_entries", "nsim_isa_scu_has_coherent_io", "nsim_isa_scu_coherent_io",
		}},
		{reason: "clock and power are always on", names: []string{"nsim_isa_pdm_option", "nsim_isa_dvfs_option"}},
	}
}
