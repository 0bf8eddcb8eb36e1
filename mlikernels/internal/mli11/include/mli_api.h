/* The functions of libmli_arcv2.a (rounding to nearest even) and libmli_arcv2_up.a (ties up): the
 * MLI 1.1 kernels and helpers for ARC EM DSP cores. Link one of the two archives.
 *
 * Every kernel takes the formats of its outputs from the caller where they are not determined by the
 * inputs, fills in shape, rank and type of the outputs, and returns MLI_STATUS_OK or the
 * first thing that is wrong with its arguments. DSP_CTRL is as before when a kernel returns. The
 * accumulators, the loop registers and those of the AGU are not: an interrupt handler that uses them
 * saves them. How much stack a call takes is in mli_config.h.
 *
 * Tensors may have holes (mem_stride) between the indices of all dimensions but the innermost where they are maps of
 * poolings or HWC maps of convolutions, or weights of these convolutions and of fully connected layers. Outputs of these
 * poolings and convolutions are slices of larger tensors where the caller gives mem_stride; 0 is the stride without
 * holes, and the field stays as it is. Other functions set it to 0. Maps with holes cost no more, but columns of
 * convolutions that lie apart, and weights, are read by plain loads, and so is all for positions of an output that lie
 * apart where filters are not taken in pairs. All other holes are MLI_STATUS_INCOMPATEBLE_TENSORS. Operands of mli_krn_eltwise_* and the slope of
 * mli_krn_leaky_relu_* may have rank 0: their value is then in the place of the data pointer.
 *
 * The kernels are declared in mli_kernels.h. The specialised names there are other names of the general functions,
 * which find the fast ways themselves. */
#ifndef MLI_API_H
#define MLI_API_H

#include "mli_kernels.h"
#include "mli_types.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/* Movement. There is no DMA: mli_mov_prepare moves, what is started is done. */
mli_status mli_mov_tensor_sync(const mli_tensor *src, const mli_mov_cfg_t *cfg, mli_tensor *dst);
mli_status mli_mov_prepare(mli_mov_handle_t *h, const mli_tensor *src, const mli_mov_cfg_t *cfg,
                           mli_tensor *dst);
mli_status mli_mov_start(mli_mov_handle_t *h, const mli_tensor *src, const mli_mov_cfg_t *cfg,
                         mli_tensor *dst);
bool mli_mov_isdone(mli_mov_handle_t *h);
mli_status mli_mov_wait(mli_mov_handle_t *h);
mli_status mli_mov_registercallback(mli_mov_handle_t *h, void (*cb)(int32_t), int32_t cookie);
mli_status mli_mov_set_num_dma_ch(int ch_offset, int num_ch);
mli_status mli_mov_acquire_handle(int num_ch, mli_mov_handle_t *h);
mli_status mli_mov_release_handle(mli_mov_handle_t *h);

/* Configurations; arrays have an entry for each of the four dimensions. */
mli_status mli_mov_cfg_for_copy(mli_mov_cfg_t *cfg);
mli_status mli_mov_cfg_for_slice(mli_mov_cfg_t *cfg, int *offsets, int *sizes, int *dst_mem_stride);
mli_status mli_mov_cfg_for_concat(mli_mov_cfg_t *cfg, int *dst_offsets, int *dst_mem_stride);
mli_status mli_mov_cfg_for_subsample(mli_mov_cfg_t *cfg, int *sub_sample_step, int *dst_mem_stride);
mli_status mli_mov_cfg_for_permute(mli_mov_cfg_t *cfg, uint8_t *perm_dim);
mli_status mli_mov_cfg_for_padding2d_chw(mli_mov_cfg_t *cfg, uint8_t padleft, uint8_t padright,
                                         uint8_t padtop, uint8_t padbot, int *dst_mem_stride);
mli_status mli_mov_cfg_for_padding2d_hwc(mli_mov_cfg_t *cfg, uint8_t padleft, uint8_t padright,
                                         uint8_t padtop, uint8_t padbot, int *dst_mem_stride);
mli_status mli_mov_cfg_all(mli_mov_cfg_t *cfg, int *offsets, int *sizes, int *sub_sample_step,
                           int *dst_offsets, int *dst_mem_stride, uint8_t *perm_dim, uint8_t padleft,
                           uint8_t padright, uint8_t padtop, uint8_t padbot);

#ifdef __cplusplus
}
#endif

#endif
