/* Limits of libmli2_arcv2.a. Changing a value here does not change the library. */
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
#define MLI_STACK 768
#define MLI_STACK_WEIGHTS 17000
