package mli20

import (
	"slices"
	"strings"

	"arcv2dsp/mlikernels/internal/cstruct"
	"arcv2dsp/mlikernels/internal/mli"
	mlistructs "arcv2dsp/mlikernels/internal/mli/structs"
	"arcv2dsp/mlikernels/internal/mli20/structs"
)

// headerDir is the folder of the headers: those of MLI 1.1 have the same names.
const headerDir = "mli2"

// headers are the C headers by name. They follow from the structures and the rows.
func headers() (map[string]string, error) {
	return map[string]string{
		headerDir + "/mli_config.h": mli.Guarded("MLI_CONFIG_H", configHeader),
		headerDir + "/mli_types.h":  mli.Guarded("MLI_TYPES_H", typesHeader()),
		headerDir + "/mli_api.h":    mli.Guarded("MLI_API_H", apiHeader()),
	}, nil
}

const configHeader = `/* Limits of libmli2_arcv2.a. Changing a value here does not change the library. */
#define MLI_MAX_RANK 4
#define MLI_RNN_MAX_INPUT 4
#define MLI_CONCAT_MAX_TENSORS 8

/* Every function checks its arguments, as builds of MLI with return codes do. */
#define MLI_CHECKS_ARGUMENTS 1
#define DBG_MODE_RELEASE 0
#define DBG_MODE_RET_CODES 1
#define DBG_MODE_ASSERT 2
#define DBG_MODE_DEBUG 3
#define DBG_MODE_FULL 4
#undef MLI_DEBUG_MODE
#define MLI_DEBUG_MODE DBG_MODE_RET_CODES

/* Platforms as MLI numbers them. The functions are the same for those with and without X and Y memory and take pointers to
 * any memory; -DV2DSP_XY makes PLATFORM say that the core has it. */
#ifdef V2DSP_XY
#define PLATFORM 2
#define PLATFORM_STR "ARCv2DSP XY"
#else
#define PLATFORM 1
#define PLATFORM_STR "ARCv2DSP"
#endif
#undef V2DSP
#undef V2DSP_XY
#define V2DSP 1
#define V2DSP_XY 2
#define V2DSP_WIDE 3
#define V2DSP_VECTOR 4
#define X86_PLATFORM 5
#define MLI_PTR(p) p *
#define MLI_PTR_IS_XY false
#define MLI_OUT_PTR(p) p *
#define MLI_OUT_PTR_IS_XY false
#define MLI_CONV_OUT_PTR(p) p *
#define MLI_CONV_OUT_PTR_IS_XY false

/* Bytes of stack that a function needs at most: one without weights, and one with weights, which may copy filters, windows
 * and inputs there. */
#define MLI_STACK 640
#define MLI_STACK_WEIGHTS 17000
`

// enums are the enumerations of the interface.
func enums() []*cstruct.Enum {
	return []*cstruct.Enum{
		mli.StatusEnum(mli.StatusMisalignment),
		{Name: "mli_element_type", Large: "MLI_EL_LARGE_ENUM", Members: []cstruct.Member{
			{Name: "MLI_EL_FX_4", Value: 0x4}, {Name: "MLI_EL_FX_8", Value: 0x8}, {Name: "MLI_EL_FX_16", Value: 0x10},
			{Name: "MLI_EL_SA_8", Value: 0x108}, {Name: "MLI_EL_SA_32", Value: 0x120},
			{Name: "MLI_EL_FP_16", Value: 0x210}, {Name: "MLI_EL_FP_32", Value: 0x220},
		}},
		{Name: "mli_element_param_type", Large: "MLI_EL_PARAM_LARGE_ENUM", Members: cstruct.Numbered("MLI_EL_PARAM_SC16_ZP16")},
		mlistructs.ReLUTypes,
		{Name: "mli_rnn_direction", Large: "RNN_DIR_LARGE_ENUM", Members: cstruct.Numbered("RNN_DIR_FORWARD", "RNN_DIR_BACKWARD")},
		{Name: "mli_rnn_results", Large: "RNN_OUT_LARGE_ENUM", Members: cstruct.Numbered("RNN_OUT_LAST", "RNN_OUT_ALL")},
		mlistructs.Activations,
		mlistructs.MoveStates,
	}
}

func typesHeader() string {
	return mli.TypesHeader("Tensors, configurations, tables and statuses of the MLI 2.0 interface.", enums(), structs.All()) +
		mli.Indices(mli.IndexNames{Prefix: "FMAP", Letters: "HWC", Order: "HWC"}, mli.IndexNames{Prefix: "KRNL", Letters: "CHWD", Order: "HWC"},
			mli.IndexNames{Prefix: "KRNL", Letters: "HWDC", Order: "HWCN"}, mli.IndexNames{Prefix: "KRNL_DW", Letters: "HWDN", Order: "HW1N"})
}

// otherFunctions are the functions that are no kernels.
var otherFunctions = []string{
	"uint32_t mli_hlp_count_elem_num(const mli_tensor *in, uint32_t start_dim)",
	"uint32_t mli_hlp_tensor_element_size(const mli_tensor *in)",
	"bool mli_hlp_tensor_data_ptr_cmp(const mli_tensor *in1, const mli_tensor *in2)",
	"int32_t mli_hlp_tensor_scale(const mli_tensor *in, uint32_t scale_idx)",
	"int32_t mli_hlp_tensor_scale_shift(const mli_tensor *in, uint32_t scale_idx)",
	"int16_t mli_hlp_tensor_zero_offset(const mli_tensor *in, uint32_t zero_idx)",
	"mli_status mli_hlp_convert_tensor_safx(const mli_tensor *src, mli_tensor *dst)",
	"mli_status mli_hlp_point_to_subtensor(const mli_tensor *in, const mli_point_to_subtsr_cfg *cfg, mli_tensor *out)",
	"mli_status mli_hlp_create_subtensor(const mli_tensor *in, const mli_sub_tensor_cfg *cfg, mli_tensor *out)",
	"void mli_hlp_set_tensor_mem_strides(mli_tensor *tensor)",
	"const char *mli_hlp_compile_options_string(void)",
	"uint8_t mli_hlp_accu_guard_bits_sa8_sa8(void)",
	"uint8_t mli_hlp_accu_guard_bits_fx16_fx16(void)",
	"uint8_t mli_hlp_accu_guard_bits_fx16_fx8(void)",
	"mli_status mli_mov_tensor_sync(const mli_tensor *src, const mli_mov_cfg_t *cfg, mli_tensor *dst)",
	"mli_status mli_mov_prepare(mli_mov_handle_t *h, const mli_tensor *src, const mli_mov_cfg_t *cfg, mli_tensor *dst)",
	"mli_status mli_mov_start(mli_mov_handle_t *h, const mli_tensor *src, const mli_mov_cfg_t *cfg, mli_tensor *dst)",
	"bool mli_mov_isdone(mli_mov_handle_t *h)",
	"mli_status mli_mov_wait(mli_mov_handle_t *h)",
	"mli_status mli_mov_registercallback(mli_mov_handle_t *h, void (*cb)(int32_t), int32_t cookie)",
	"mli_status mli_mov_set_num_dma_ch(int ch_offset, int num_ch)",
	"mli_status mli_mov_acquire_handle(int num_ch, mli_mov_handle_t *h)",
	"mli_status mli_mov_release_handle(mli_mov_handle_t *h)",
	"mli_status mli_mov_cfg_for_copy(mli_mov_cfg_t *cfg)",
	"mli_status mli_mov_cfg_for_slice(mli_mov_cfg_t *cfg, int *offsets, int *sizes, int *dst_mem_stride)",
	"mli_status mli_mov_cfg_for_concat(mli_mov_cfg_t *cfg, int *dst_offsets, int *dst_mem_stride)",
	"mli_status mli_mov_cfg_for_subsample(mli_mov_cfg_t *cfg, int *sub_sample_step, int *dst_mem_stride)",
	"mli_status mli_mov_cfg_for_permute(mli_mov_cfg_t *cfg, uint8_t *perm_dim)",
	"mli_status mli_mov_cfg_for_padding2d_chw(mli_mov_cfg_t *cfg, uint8_t padleft, uint8_t padright, uint8_t padtop, uint8_t padbot, int *dst_mem_stride)",
	"mli_status mli_mov_cfg_for_padding2d_hwc(mli_mov_cfg_t *cfg, uint8_t padleft, uint8_t padright, uint8_t padtop, uint8_t padbot, int *dst_mem_stride)",
	"mli_status mli_mov_cfg_all(mli_mov_cfg_t *cfg, int *offsets, int *sizes, int *subsample_step, int *dst_offsets, int *dst_mem_stride, uint8_t *perm_dim, " +
		"uint8_t padleft, uint8_t padright, uint8_t padtop, uint8_t padbot)",
}

// prototypes declares every function of the library.
func prototypes() []string {
	all := slices.Clone(otherFunctions)
	for _, name := range []string{"sigm", "tanh", "softmax", "l2_normalize"} {
		all = append(all, "int32_t mli_krn_"+name+"_get_lut_size(void)", "mli_status mli_krn_"+name+"_create_lut(mli_lut *lut)")
	}
	for _, f := range functions() {
		for _, name := range append([]string{f.Name}, f.kernel.Aliases...) {
			all = append(all, "mli_status "+name+"("+strings.Join(mli.Parameters(f.args, f.config), ", ")+")")
		}
	}
	return all
}

func apiHeader() string {
	var b strings.Builder
	b.WriteString(`/* The functions of libmli2_arcv2.a (rounding to nearest even) and libmli2_arcv2_up.a (ties up): MLI 2.0 for ARC EM DSP
 * cores. Link one of the two archives, and none of MLI 1.1 beside it: they have names in common.
 *
 * The caller describes outputs: data, shape, strides, type, and the format where the function does not fix it. Strides
 * are never 0. A function returns MLI_STATUS_OK or the first thing that is wrong; then it has written nothing. DSP_CTRL is
 * as before when it returns; the accumulators, the loop registers and those of the AGU are not. */
#include "mli_types.h"

#ifdef __cplusplus
extern "C" {
#endif

`)
	for _, p := range prototypes() {
		b.WriteString(p + ";\n")
	}
	b.WriteString("\n#ifdef __cplusplus\n}\n#endif\n")
	return b.String()
}
