/* The functions of libmli_arcv2.a (rounding to nearest even) and libmli_arcv2_up.a (ties up): the
 * MLI 1.1 kernels and helpers for ARC EM DSP cores. Link one of the two archives.
 *
 * Every kernel takes the formats of its outputs from the caller where they are not determined by the
 * inputs, fills in shape, rank, strides and type of the outputs, and returns MLI_STATUS_OK or the
 * first thing that is wrong with its arguments. DSP_CTRL is as before when a kernel returns. The
 * accumulators, the loop registers and those of the AGU are not: an interrupt handler that uses them
 * saves them. How much stack a call takes is in mli_config.h.
 *
 * Convolutions and poolings are also known as name_generic: there are no specialised functions to
 * choose from, the kernels find the fast ways themselves. */
#ifndef MLI_API_H
#define MLI_API_H

#include "mli_specialised.h"
#include "mli_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Expands a declaration for the fixed-point types of an operator. */
#define MLI_FX_(declare, name) declare(name##_fx8) declare(name##_fx16)
#define MLI_FX_MAC_(declare, name) MLI_FX_(declare, name) declare(name##_fx8w16d)

/* Convolution, CHW: weights O,I,Kh,Kw; HWC: weights O,Kh,Kw,I. Depthwise CHW: C,1,Kh,Kw; HWCN:
 * 1,Kh,Kw,C. */
#define MLI_CONV_(name)                                                                            \
    mli_status mli_krn_##name(const mli_tensor *in, const mli_tensor *weights,                     \
                              const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out); \
    mli_status mli_krn_##name##_generic(const mli_tensor *in, const mli_tensor *weights,           \
                                        const mli_tensor *bias, const mli_conv2d_cfg *cfg,         \
                                        mli_tensor *out);
MLI_FX_MAC_(MLI_CONV_, conv2d_chw)
MLI_FX_MAC_(MLI_CONV_, conv2d_hwc)
MLI_FX_MAC_(MLI_CONV_, depthwise_conv2d_chw)
MLI_CONV_(conv2d_nhwc_sa8_sa8_sa32)
MLI_CONV_(depthwise_conv2d_hwcn_sa8_sa8_sa32)
#undef MLI_CONV_

/* Fully connected: weights O,I. */
#define MLI_DENSE_(name)                                                                           \
    mli_status mli_krn_##name(const mli_tensor *in, const mli_tensor *weights,                     \
                              const mli_tensor *bias, mli_tensor *out);
MLI_FX_MAC_(MLI_DENSE_, fully_connected)
MLI_DENSE_(fully_connected_sa8_sa8_sa32)
#undef MLI_DENSE_

/* Pooling; padding does not take part in maximum or mean. */
#define MLI_POOL_(name)                                                                            \
    mli_status mli_krn_##name(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);     \
    mli_status mli_krn_##name##_generic(const mli_tensor *in, const mli_pool_cfg *cfg,             \
                                        mli_tensor *out);
MLI_FX_(MLI_POOL_, avepool_chw)
MLI_FX_(MLI_POOL_, avepool_hwc)
MLI_FX_(MLI_POOL_, maxpool_chw)
MLI_FX_(MLI_POOL_, maxpool_hwc)
MLI_POOL_(avepool_hwc_sa8)
MLI_POOL_(maxpool_hwc_sa8)
#undef MLI_POOL_

/* Recurrent cells: weights O,I+O, four times for LSTM (gates input, cell, forget, output). */
#define MLI_RNN_(name)                                                                             \
    mli_status mli_krn_##name(const mli_tensor *in, const mli_tensor *prev_out,                    \
                              const mli_tensor *weights, const mli_tensor *bias,                   \
                              const mli_rnn_cell_cfg *cfg, mli_tensor *out);
#define MLI_LSTM_(name)                                                                            \
    mli_status mli_krn_##name(const mli_tensor *in, const mli_tensor *prev_out,                    \
                              const mli_tensor *weights, const mli_tensor *bias,                   \
                              const mli_rnn_cell_cfg *cfg, mli_tensor *cell, mli_tensor *out);
MLI_FX_MAC_(MLI_RNN_, basic_rnn_cell)
MLI_FX_MAC_(MLI_LSTM_, lstm_cell)
#undef MLI_RNN_
#undef MLI_LSTM_

/* Activations. */
#define MLI_RELU_(name)                                                                            \
    mli_status mli_krn_##name(const mli_tensor *in, const mli_relu_cfg *cfg, mli_tensor *out);
#define MLI_LEAKY_(name)                                                                           \
    mli_status mli_krn_##name(const mli_tensor *in, const mli_tensor *slope, mli_tensor *out);
#define MLI_UNARY_(name) mli_status mli_krn_##name(const mli_tensor *in, mli_tensor *out);
MLI_FX_(MLI_RELU_, relu)
MLI_FX_(MLI_LEAKY_, leaky_relu)
MLI_FX_(MLI_UNARY_, sigm)
MLI_FX_(MLI_UNARY_, tanh)
MLI_FX_(MLI_UNARY_, softmax)
#undef MLI_RELU_
#undef MLI_LEAKY_
#undef MLI_UNARY_

/* Element by element; one operand may be a scalar. */
#define MLI_ELTWISE_(name)                                                                         \
    mli_status mli_krn_##name(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out);
MLI_FX_(MLI_ELTWISE_, eltwise_add)
MLI_FX_(MLI_ELTWISE_, eltwise_sub)
MLI_FX_(MLI_ELTWISE_, eltwise_mul)
MLI_FX_(MLI_ELTWISE_, eltwise_min)
MLI_FX_(MLI_ELTWISE_, eltwise_max)
#undef MLI_ELTWISE_

/* Data movement. */
#define MLI_PERMUTE_(name)                                                                         \
    mli_status mli_krn_##name(const mli_tensor *in, const mli_permute_cfg *cfg, mli_tensor *out);
#define MLI_CONCAT_(name)                                                                          \
    mli_status mli_krn_##name(const mli_tensor **inputs, const mli_concat_cfg *cfg,                \
                              mli_tensor *out);
#define MLI_PADDING_(name)                                                                         \
    mli_status mli_krn_##name(const mli_tensor *in, const mli_padding2d_cfg *cfg, mli_tensor *out);
MLI_FX_(MLI_PERMUTE_, permute)
MLI_FX_(MLI_CONCAT_, concat)
MLI_FX_(MLI_PADDING_, padding2d_chw)
MLI_FX_(MLI_PADDING_, padding2d_hwc)
#undef MLI_PERMUTE_
#undef MLI_CONCAT_
#undef MLI_PADDING_

#undef MLI_FX_MAC_
#undef MLI_FX_

/* Helpers. */

/* Elements in the dimensions from start_dim on. */
uint32_t mli_hlp_count_elem_num(const mli_tensor *in, uint32_t start_dim);

/* Bytes of one element, 0 for an unknown type. */
uint32_t mli_hlp_tensor_element_size(const mli_tensor *in);

/* Copies in to out, converting between fixed-point formats: out gives type and fractional bits. */
mli_status mli_hlp_convert_tensor(const mli_tensor *in, mli_tensor *out);

/* Makes out describe part of in without copying: the element at start_coord and what follows it in
 * the remaining dimensions, limited to first_out_dim_size in the first of them. */
mli_status mli_hlp_point_to_subtensor(const mli_tensor *in, const mli_point_to_subtsr_cfg *cfg,
                                      mli_tensor *out);

/* Makes out describe the box of in that starts at offset and has the given size. */
mli_status mli_hlp_create_subtensor(const mli_tensor *in, const mli_sub_tensor_cfg *cfg,
                                    mli_tensor *out);

/* Affine parameters; idx counts positions along dim. Fixed-point tensors answer with their
 * fractional bits, 1 and 0. */
uint32_t mli_hlp_tensor_scale_shift(const mli_tensor *in);
int32_t mli_hlp_tensor_scale(const mli_tensor *in, uint32_t idx);
int16_t mli_hlp_tensor_zero_offset(const mli_tensor *in, uint32_t idx);

#ifdef __cplusplus
}
#endif

#endif
