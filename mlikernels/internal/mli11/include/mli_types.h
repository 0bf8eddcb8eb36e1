/* This file is generated. */
#ifndef MLI_TYPES_H
#define MLI_TYPES_H

/* Tensors, configurations and statuses of the MLI 1.1 interface. Numbers behind members are offsets. */
#include <stdbool.h>
#include <stdint.h>

#include "mli_config.h"

typedef enum {
    MLI_STATUS_OK = 0,
    MLI_STATUS_BAD_TENSOR = 1,
    MLI_STATUS_SHAPE_MISMATCH = 2,
    MLI_STATUS_INCOMPATEBLE_TENSORS = 3,
    MLI_STATUS_BAD_FUNC_CFG = 4,
    MLI_STATUS_NOT_ENGH_MEM = 5,
    MLI_STATUS_NOT_SUPPORTED = 6,
    MLI_STATUS_SPEC_PARAM_MISMATCH = 7,
    MLI_STATUS_ARGUMENT_ERROR = 8,
    MLI_STATUS_LENGTH_ERROR = 9,
    MLI_STATUS_SIZE_MISMATCH = 10,
    MLI_STATUS_RANK_MISMATCH = 11,
    MLI_STATUS_TYPE_MISMATCH = 12,
    MLI_STATUS_LARGE_ENUM = 0x02000000
} mli_status;

typedef enum {
    MLI_EL_FX_8 = 0, /* 8-bit fixed point */
    MLI_EL_FX_16 = 1, /* 16-bit fixed point */
    MLI_EL_ASYM_I8 = 2, /* 8-bit affine */
    MLI_EL_ASYM_I32 = 3, /* 32-bit affine, biases */
    MLI_EL_LARGE_ENUM = 0x02000000
} mli_element_type;

typedef enum {
    MLI_RELU_NONE = 0,
    MLI_RELU_GEN = 1, /* [0, max] */
    MLI_RELU_1 = 2, /* [-1, 1] */
    MLI_RELU_6 = 3, /* [0, 6] */
    MLI_RELU_LARGE_ENUM = 0x02000000
} mli_relu_type;

typedef enum {
    RNN_ONE_TO_ONE = 0, /* one step */
    RNN_BATCH_TO_BATCH = 1, /* a sequence, every step gives an output */
    RNN_BATCH_TO_LAST = 2, /* a sequence, the last output is kept */
    RNN_MODE_LARGE_ENUM = 0x02000000
} mli_rnn_mode;

typedef enum {
    RNN_ACT_NONE = 0,
    RNN_ACT_TANH = 1,
    RNN_ACT_SIGM = 2,
    RNN_ACT_LARGE_ENUM = 0x02000000
} mli_rnn_out_activation;

typedef enum {
    MLI_MOV_STATE_INVALID = 0,
    MLI_MOV_STATE_OPEN = 1,
    MLI_MOV_STATE_PREPARED = 2,
    MLI_MOV_STATE_DMA_CONFIGURED = 3,
    MLI_MOV_STATE_DMA_RUNNING = 4,
    MLI_MOV_STATE_DONE = 5,
    MLI_MOV_STATE_LARGE_ENUM = 0x02000000
} mli_mov_state;

/* A zero point or scale: the value itself when there is one for the tensor (dim < 0), else a pointer to an array along dim. */
typedef union {
    int32_t *pi32; /* 0 */
    int16_t *pi16; /* 0 */
    int8_t *pi8; /* 0 */
    int32_t i32; /* 0 */
    int16_t i16; /* 0 */
    int8_t i8; /* 0 */
} mli_data_container; /* 4 bytes */

typedef union {
    struct {
        uint8_t frac_bits; /* 0: value = element / 2^frac_bits */
    } fx;
    struct {
        mli_data_container zero_point; /* 0: int16_t */
        mli_data_container scale; /* 4: int32_t */
        int32_t dim; /* 8 */
        int8_t scale_frac_bits; /* 12: value = (element - zero point) * scale / 2^scale_frac_bits */
    } asym;
} mli_element_params; /* 16 bytes */

typedef struct {
    void *data; /* 0 */
    uint32_t capacity; /* 4: bytes behind data */
    int32_t mem_stride[4]; /* 8: elements from one index to the next, 0 = contiguous */
    uint32_t shape[4]; /* 24: slowest dimension first */
    uint32_t rank; /* 40 */
    mli_element_type el_type; /* 44 */
    mli_element_params el_params; /* 48 */
} mli_tensor; /* 64 bytes */

typedef struct {
    mli_relu_type type; /* 0 */
} mli_relu_cfg; /* 4 bytes */

typedef struct {
    mli_relu_cfg relu; /* 0 */
    uint8_t stride_width; /* 4 */
    uint8_t stride_height; /* 5 */
    uint8_t padding_left; /* 6 */
    uint8_t padding_right; /* 7 */
    uint8_t padding_top; /* 8 */
    uint8_t padding_bottom; /* 9 */
} mli_conv2d_cfg; /* 12 bytes */

typedef struct {
    uint8_t kernel_width; /* 0 */
    uint8_t kernel_height; /* 1 */
    uint8_t stride_width; /* 2 */
    uint8_t stride_height; /* 3 */
    uint8_t padding_left; /* 4 */
    uint8_t padding_right; /* 5 */
    uint8_t padding_top; /* 6 */
    uint8_t padding_bottom; /* 7 */
} mli_pool_cfg; /* 8 bytes */

typedef struct {
    mli_rnn_mode mode; /* 0 */
    mli_rnn_out_activation act; /* 4 */
    mli_tensor *ir_tsr; /* 8: scratch: outputs elements for a basic cell, 4 x outputs for LSTM */
} mli_rnn_cell_cfg; /* 12 bytes */

typedef struct {
    uint8_t perm_dim[4]; /* 0 */
} mli_permute_cfg; /* 4 bytes */

typedef struct {
    uint8_t padding_left; /* 0 */
    uint8_t padding_right; /* 1 */
    uint8_t padding_top; /* 2 */
    uint8_t padding_bottom; /* 3 */
} mli_padding2d_cfg; /* 4 bytes */

typedef struct {
    uint8_t tensors_num; /* 0 */
    uint8_t axis; /* 1 */
} mli_concat_cfg; /* 2 bytes */

typedef struct {
    uint32_t start_coord[4]; /* 0 */
    uint8_t coord_num; /* 16 */
    uint8_t first_out_dim_size; /* 17 */
} mli_point_to_subtsr_cfg; /* 20 bytes */

typedef struct {
    uint32_t offset[4]; /* 0 */
    uint32_t size[4]; /* 16 */
    uint32_t sub_tensor_rank; /* 32 */
} mli_sub_tensor_cfg; /* 36 bytes */

/* The part of a tensor that a move takes, and its place. An extent of 0 is all there is, a stride of 0 the one of the output. */
typedef struct {
    uint32_t offset[4]; /* 0 */
    uint32_t size[4]; /* 16 */
    uint32_t sub_sample_step[4]; /* 32 */
    uint32_t dst_offset[4]; /* 48 */
    int32_t dst_mem_stride[4]; /* 64 */
    uint8_t perm_dim[4]; /* 80: of the source, by dimension of the output */
    uint8_t padding_pre[4]; /* 84 */
    uint8_t padding_post[4]; /* 88 */
} mli_mov_cfg_t; /* 92 bytes */

typedef struct {
    int dma_ch; /* 0 */
    int num_ch; /* 4 */
    mli_mov_state state; /* 8 */
} mli_mov_handle_t; /* 12 bytes */

/* Dimensions of shapes: feature maps and filters in the order that the name ends with. */
#define FMAP_H_DIM_HWC 0
#define FMAP_W_DIM_HWC 1
#define FMAP_C_DIM_HWC 2
#define KRNL_C_DIM_HWC 0
#define KRNL_H_DIM_HWC 1
#define KRNL_W_DIM_HWC 2
#define KRNL_D_DIM_HWC 3
#define KRNL_DW_D_DIM_HWC 0
#define KRNL_DW_H_DIM_HWC 1
#define KRNL_DW_W_DIM_HWC 2
#define KRNL_DW_C_DIM_HWC 3

#endif
