/* The kernels of libmli_arcv2.a, by operator. Names behind a function are other names of it: name_generic, and those
 * that MLI 1.1 has for special cases, which give the same whenever the call meets what the name says of kernel,
 * channels, stride and padding. This file is generated. */
#ifndef MLI_KERNELS_H
#define MLI_KERNELS_H

#include "mli_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Mean pooling, CHW maps. */
mli_status mli_krn_avepool_chw_fx16(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx16_generic(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx16_k10x10_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx16_k10x10_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx16_k1x2_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx16_k1x2_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx16_k1x3_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx16_k1x3_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx16_k1xn_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx16_k1xn_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx16_k2x1_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx16_k2x1_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx16_k2x2_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx16_k2x2_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx16_k3x1_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx16_k3x1_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx16_k3x3_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx16_k3x3_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx16_k4x4_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx16_k4x4_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx16_k5x5_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx16_k5x5_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx16_k6x6_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx16_k6x6_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx16_k7x7_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx16_k7x7_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx16_k8x8_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx16_k8x8_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx16_k9x9_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx16_k9x9_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx16_knx1_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx16_knx1_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx8(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx8_generic(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx8_k10x10_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx8_k10x10_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx8_k1x2_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx8_k1x2_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx8_k1x3_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx8_k1x3_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx8_k1xn_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx8_k1xn_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx8_k2x1_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx8_k2x1_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx8_k2x2_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx8_k2x2_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx8_k3x1_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx8_k3x1_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx8_k3x3_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx8_k3x3_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx8_k4x4_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx8_k4x4_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx8_k5x5_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx8_k5x5_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx8_k6x6_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx8_k6x6_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx8_k7x7_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx8_k7x7_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx8_k8x8_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx8_k8x8_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx8_k9x9_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx8_k9x9_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx8_knx1_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_chw_fx8_knx1_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);

/* Mean pooling, HWC maps. */
mli_status mli_krn_avepool_hwc_fx16(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_hwc_fx16_generic(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_hwc_fx16_k2x2_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_hwc_fx16_k2x2_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_hwc_fx16_k3x3_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_hwc_fx16_k3x3_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_hwc_fx8(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_hwc_fx8_generic(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_hwc_fx8_k2x2_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_hwc_fx8_k2x2_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_hwc_fx8_k3x3_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_hwc_fx8_k3x3_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_hwc_sa8(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_hwc_sa8_generic(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_hwc_sa8_k2x2_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_hwc_sa8_k2x2_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_hwc_sa8_k3x3_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_avepool_hwc_sa8_k3x3_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);

/* Basic recurrent cell. */
mli_status mli_krn_basic_rnn_cell_fx16(const mli_tensor *in, const mli_tensor *prev_out, const mli_tensor *weights, const mli_tensor *bias, const mli_rnn_cell_cfg *cfg, mli_tensor *out);
mli_status mli_krn_basic_rnn_cell_fx8(const mli_tensor *in, const mli_tensor *prev_out, const mli_tensor *weights, const mli_tensor *bias, const mli_rnn_cell_cfg *cfg, mli_tensor *out);
mli_status mli_krn_basic_rnn_cell_fx8w16d(const mli_tensor *in, const mli_tensor *prev_out, const mli_tensor *weights, const mli_tensor *bias, const mli_rnn_cell_cfg *cfg, mli_tensor *out);

/* Concatenation. */
mli_status mli_krn_concat_fx16(const mli_tensor **inputs, const mli_concat_cfg *cfg, mli_tensor *out);
mli_status mli_krn_concat_fx8(const mli_tensor **inputs, const mli_concat_cfg *cfg, mli_tensor *out);

/* Convolution, CHW maps and O,I,Kh,Kw weights. */
mli_status mli_krn_conv2d_chw_fx16(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_generic(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_ch1_str1(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_k1x1_ch1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_k1x1_ch1_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_k1x1_ch3_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_k1x1_ch3_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_k1x1_ch4_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_k1x1_ch4_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_k1x1_ch8_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_k1x1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_k1x1_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_k1x2_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_k1x3_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_k1xn_str1(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_k2x1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_k2x2_ch1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_k2x2_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_k2x2_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_k2x2_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_k3x1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_k3x3_ch1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_k3x3_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_k3x3_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_k3x3_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_k4x4_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_k4x4_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_k5x5_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_k5x5_ch1_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_k5x5_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_k5x5_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_k6x6_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_k6x6_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_k7x7_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_k7x7_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_knx1_str1(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx16_str1(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8_generic(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8_ch1_str1(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8_k1x1_ch1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8_k1x1_ch1_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8_k1x1_ch3_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8_k1x1_ch3_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8_k1x1_ch4_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8_k1x1_ch4_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8_k1x1_ch8_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8_k1x1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8_k1x1_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8_k1x2_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8_k1x3_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8_k1xn_str1(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8_k2x1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8_k2x2_ch1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8_k2x2_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8_k2x2_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8_k2x2_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8_k3x1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8_k3x3_ch1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8_k3x3_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8_k3x3_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8_k3x3_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8_k4x4_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8_k4x4_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8_k5x5_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8_k5x5_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8_k6x6_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8_k6x6_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8_k7x7_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8_k7x7_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8_knx1_str1(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8_str1(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d_generic(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d_ch1_str1(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d_k1x1_ch1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d_k1x1_ch1_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d_k1x1_ch3_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d_k1x1_ch3_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d_k1x1_ch4_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d_k1x1_ch4_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d_k1x1_ch8_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d_k1x1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d_k1x1_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d_k1x2_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d_k1x3_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d_k1xn_str1(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d_k2x1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d_k2x2_ch1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d_k2x2_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d_k2x2_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d_k2x2_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d_k3x1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d_k3x3_ch1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d_k3x3_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d_k3x3_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d_k3x3_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d_k4x4_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d_k4x4_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d_k5x5_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d_k5x5_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d_k6x6_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d_k6x6_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d_k7x7_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d_k7x7_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d_knx1_str1(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_chw_fx8w16d_str1(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);

/* Convolution, HWC maps and O,Kh,Kw,I weights. */
mli_status mli_krn_conv2d_hwc_fx16(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_hwc_fx16_generic(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_hwc_fx8(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_hwc_fx8_generic(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_hwc_fx8w16d(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_hwc_fx8w16d_generic(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);

/* Convolution, HWC maps and O,Kh,Kw,I weights. */
mli_status mli_krn_conv2d_nhwc_sa8_sa8_sa32(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_nhwc_sa8_sa8_sa32_generic(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_nhwc_sa8_sa8_sa32_k1x1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_nhwc_sa8_sa8_sa32_k3x3_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_nhwc_sa8_sa8_sa32_k3x3_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_nhwc_sa8_sa8_sa32_k5x5_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_conv2d_nhwc_sa8_sa8_sa32_k5x5_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);

/* Depthwise convolution, CHW maps and C,1,Kh,Kw weights. */
mli_status mli_krn_depthwise_conv2d_chw_fx16(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx16_generic(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx16_ch1_str1(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx16_k1x2_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx16_k1x2_ch1_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx16_k1xn_str1(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx16_k2x1_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx16_k2x1_ch1_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx16_k2x2_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx16_k2x2_ch1_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx16_k2x2_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx16_k2x2_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx16_k3x3_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx16_k3x3_ch1_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx16_k3x3_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx16_k3x3_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx16_k4x4_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx16_k4x4_ch1_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx16_k4x4_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx16_k4x4_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx16_k5x5_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx16_k5x5_ch1_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx16_k5x5_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx16_k5x5_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx16_k6x6_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx16_k6x6_ch1_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx16_k6x6_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx16_k6x6_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx16_k7x7_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx16_k7x7_ch1_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx16_k7x7_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx16_k7x7_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx16_knx1_str1(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx16_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8_generic(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8_ch1_str1(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8_k1x2_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8_k1x2_ch1_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8_k1xn_str1(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8_k2x1_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8_k2x1_ch1_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8_k2x2_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8_k2x2_ch1_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8_k2x2_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8_k2x2_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8_k3x3_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8_k3x3_ch1_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8_k3x3_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8_k3x3_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8_k4x4_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8_k4x4_ch1_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8_k4x4_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8_k4x4_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8_k5x5_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8_k5x5_ch1_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8_k5x5_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8_k5x5_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8_k6x6_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8_k6x6_ch1_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8_k6x6_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8_k6x6_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8_k7x7_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8_k7x7_ch1_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8_k7x7_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8_k7x7_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8_knx1_str1(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8w16d(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8w16d_generic(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8w16d_ch1_str1(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8w16d_k1x2_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8w16d_k1x2_ch1_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8w16d_k1xn_str1(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8w16d_k2x1_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8w16d_k2x1_ch1_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8w16d_k2x2_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8w16d_k2x2_ch1_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8w16d_k2x2_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8w16d_k2x2_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8w16d_k3x3_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8w16d_k3x3_ch1_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8w16d_k3x3_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8w16d_k3x3_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8w16d_k4x4_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8w16d_k4x4_ch1_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8w16d_k4x4_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8w16d_k4x4_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8w16d_k5x5_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8w16d_k5x5_ch1_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8w16d_k5x5_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8w16d_k5x5_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8w16d_k6x6_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8w16d_k6x6_ch1_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8w16d_k6x6_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8w16d_k6x6_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8w16d_k7x7_ch1_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8w16d_k7x7_ch1_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8w16d_k7x7_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8w16d_k7x7_str1_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8w16d_knx1_str1(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_chw_fx8w16d_str1_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);

/* Depthwise convolution, HWC maps and 1,Kh,Kw,C weights. */
mli_status mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32_generic(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32_k3x3_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32_k3x3_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32_k5x5_krnpad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32_k5x5_nopad(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out);

/* Sum of two tensors. */
mli_status mli_krn_eltwise_add_fx16(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out);
mli_status mli_krn_eltwise_add_fx8(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out);

/* Maximum of two tensors. */
mli_status mli_krn_eltwise_max_fx16(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out);
mli_status mli_krn_eltwise_max_fx8(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out);

/* Minimum of two tensors. */
mli_status mli_krn_eltwise_min_fx16(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out);
mli_status mli_krn_eltwise_min_fx8(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out);

/* Product of two tensors. */
mli_status mli_krn_eltwise_mul_fx16(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out);
mli_status mli_krn_eltwise_mul_fx8(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out);

/* Difference of two tensors. */
mli_status mli_krn_eltwise_sub_fx16(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out);
mli_status mli_krn_eltwise_sub_fx8(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out);

/* Fully connected layer. */
mli_status mli_krn_fully_connected_fx16(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, mli_tensor *out);
mli_status mli_krn_fully_connected_fx8(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, mli_tensor *out);
mli_status mli_krn_fully_connected_fx8w16d(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, mli_tensor *out);
mli_status mli_krn_fully_connected_sa8_sa8_sa32(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, mli_tensor *out);

/* Leaky rectifier. */
mli_status mli_krn_leaky_relu_fx16(const mli_tensor *in, const mli_tensor *slope, mli_tensor *out);
mli_status mli_krn_leaky_relu_fx8(const mli_tensor *in, const mli_tensor *slope, mli_tensor *out);

/* LSTM cell. */
mli_status mli_krn_lstm_cell_fx16(const mli_tensor *in, const mli_tensor *prev_out, const mli_tensor *weights, const mli_tensor *bias, const mli_rnn_cell_cfg *cfg, mli_tensor *cell, mli_tensor *out);
mli_status mli_krn_lstm_cell_fx8(const mli_tensor *in, const mli_tensor *prev_out, const mli_tensor *weights, const mli_tensor *bias, const mli_rnn_cell_cfg *cfg, mli_tensor *cell, mli_tensor *out);
mli_status mli_krn_lstm_cell_fx8w16d(const mli_tensor *in, const mli_tensor *prev_out, const mli_tensor *weights, const mli_tensor *bias, const mli_rnn_cell_cfg *cfg, mli_tensor *cell, mli_tensor *out);

/* Maximum pooling, CHW maps. */
mli_status mli_krn_maxpool_chw_fx16(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx16_generic(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx16_k10x10_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx16_k10x10_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx16_k1x2_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx16_k1x2_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx16_k1x3_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx16_k1x3_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx16_k1xn(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx16_k2x1_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx16_k2x1_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx16_k2x2(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx16_k2x2_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx16_k2x2_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx16_k2x2_str1_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx16_k3x1_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx16_k3x1_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx16_k3x3(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx16_k3x3_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx16_k3x3_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx16_k4x4_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx16_k4x4_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx16_k5x5_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx16_k5x5_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx16_k6x6_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx16_k6x6_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx16_k7x7_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx16_k7x7_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx16_k8x8_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx16_k8x8_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx16_k9x9_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx16_k9x9_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx16_knx1(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx8(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx8_generic(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx8_k10x10_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx8_k10x10_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx8_k1x2_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx8_k1x2_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx8_k1x3_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx8_k1x3_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx8_k1xn(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx8_k2x1_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx8_k2x1_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx8_k2x2(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx8_k2x2_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx8_k2x2_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx8_k2x2_str1_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx8_k3x1_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx8_k3x1_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx8_k3x3(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx8_k3x3_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx8_k3x3_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx8_k4x4_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx8_k4x4_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx8_k5x5_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx8_k5x5_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx8_k6x6_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx8_k6x6_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx8_k7x7_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx8_k7x7_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx8_k8x8_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx8_k8x8_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx8_k9x9_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx8_k9x9_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_chw_fx8_knx1(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);

/* Maximum pooling, HWC maps. */
mli_status mli_krn_maxpool_hwc_fx16(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_hwc_fx16_generic(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_hwc_fx16_k2x2_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_hwc_fx16_k2x2_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_hwc_fx16_k3x3_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_hwc_fx16_k3x3_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_hwc_fx8(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_hwc_fx8_generic(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_hwc_fx8_k2x2_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_hwc_fx8_k2x2_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_hwc_fx8_k3x3_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_hwc_fx8_k3x3_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_hwc_sa8(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_hwc_sa8_generic(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_hwc_sa8_k2x2_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_hwc_sa8_k2x2_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_hwc_sa8_k3x3_krnpad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
mli_status mli_krn_maxpool_hwc_sa8_k3x3_nopad(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);

/* Zero padding, CHW maps. */
mli_status mli_krn_padding2d_chw_fx16(const mli_tensor *in, const mli_padding2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_padding2d_chw_fx8(const mli_tensor *in, const mli_padding2d_cfg *cfg, mli_tensor *out);

/* Zero padding, HWC maps. */
mli_status mli_krn_padding2d_hwc_fx16(const mli_tensor *in, const mli_padding2d_cfg *cfg, mli_tensor *out);
mli_status mli_krn_padding2d_hwc_fx8(const mli_tensor *in, const mli_padding2d_cfg *cfg, mli_tensor *out);

/* Permutation of axes. */
mli_status mli_krn_permute_fx16(const mli_tensor *in, const mli_permute_cfg *cfg, mli_tensor *out);
mli_status mli_krn_permute_fx8(const mli_tensor *in, const mli_permute_cfg *cfg, mli_tensor *out);

/* Rectifiers. */
mli_status mli_krn_relu_fx16(const mli_tensor *in, const mli_relu_cfg *cfg, mli_tensor *out);
mli_status mli_krn_relu_fx8(const mli_tensor *in, const mli_relu_cfg *cfg, mli_tensor *out);

/* Sigmoid. */
mli_status mli_krn_sigm_fx16(const mli_tensor *in, mli_tensor *out);
mli_status mli_krn_sigm_fx8(const mli_tensor *in, mli_tensor *out);

/* Softmax. */
mli_status mli_krn_softmax_fx16(const mli_tensor *in, mli_tensor *out);
mli_status mli_krn_softmax_fx8(const mli_tensor *in, mli_tensor *out);

/* Hyperbolic tangent. */
mli_status mli_krn_tanh_fx16(const mli_tensor *in, mli_tensor *out);
mli_status mli_krn_tanh_fx8(const mli_tensor *in, mli_tensor *out);

#ifdef __cplusplus
}
#endif

#endif
