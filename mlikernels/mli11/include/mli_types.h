/* Tensors, configurations and status codes of the MLI 1.1 interface. The offsets in the comments are
 * those of the ARC C ABI; the assembly sources use the same ones. */
#ifndef MLI_TYPES_H
#define MLI_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "mli_config.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The last member of every enumeration makes it 32 bits wide. */

typedef enum {
    MLI_STATUS_OK = 0,
    MLI_STATUS_BAD_TENSOR,
    MLI_STATUS_SHAPE_MISMATCH,
    MLI_STATUS_INCOMPATEBLE_TENSORS, /* spelled as in MLI */
    MLI_STATUS_BAD_FUNC_CFG,
    MLI_STATUS_NOT_ENGH_MEM,
    MLI_STATUS_NOT_SUPPORTED,
    MLI_STATUS_SPEC_PARAM_MISMATCH,
    MLI_STATUS_ARGUMENT_ERROR,
    MLI_STATUS_LENGTH_ERROR,
    MLI_STATUS_SIZE_MISMATCH,
    MLI_STATUS_RANK_MISMATCH,
    MLI_STATUS_TYPE_MISMATCH,
    MLI_STATUS_LARGE_ENUM = 0x02000000
} mli_status;

typedef enum {
    MLI_EL_FX_8 = 0,  /* 8-bit fixed point */
    MLI_EL_FX_16,     /* 16-bit fixed point */
    MLI_EL_ASYM_I8,   /* 8-bit affine */
    MLI_EL_ASYM_I32,  /* 32-bit affine, biases */
    MLI_EL_LARGE_ENUM = 0x02000000
} mli_element_type;

/* A zero point or scale: the value itself when there is one for the tensor (dim < 0), else a pointer
 * to an array with one entry per position along dim. */
typedef union {
    int32_t *pi32;
    int16_t *pi16;
    int8_t *pi8;
    int32_t i32;
    int16_t i16;
    int8_t i8;
} mli_data_container;

typedef union {
    struct {
        uint8_t frac_bits; /* value = element / 2^frac_bits */
    } fx;
    struct {
        mli_data_container zero_point; /* int16_t */
        mli_data_container scale;      /* int32_t */
        int32_t dim;
        int8_t scale_frac_bits; /* value = (element - zero point) * scale / 2^scale_frac_bits */
    } asym;
} mli_element_params;

typedef struct {
    void *data;                        /*  0 */
    uint32_t capacity;                 /*  4: bytes behind data */
    int32_t mem_stride[MLI_MAX_RANK];  /*  8: elements from one index to the next, 0 = contiguous */
    uint32_t shape[MLI_MAX_RANK];      /* 24: slowest dimension first */
    uint32_t rank;                     /* 40 */
    mli_element_type el_type;          /* 44 */
    mli_element_params el_params;      /* 48 */
} mli_tensor;                          /* 64 bytes */

typedef enum {
    MLI_RELU_NONE = 0,
    MLI_RELU_GEN, /* [0, max] */
    MLI_RELU_1,   /* [-1, 1] */
    MLI_RELU_6,   /* [0, 6] */
    MLI_RELU_LARGE_ENUM = 0x02000000
} mli_relu_type;

typedef struct {
    mli_relu_type type;
} mli_relu_cfg;

typedef struct {
    mli_relu_cfg relu;
    uint8_t stride_width;
    uint8_t stride_height;
    uint8_t padding_left;
    uint8_t padding_right;
    uint8_t padding_top;
    uint8_t padding_bottom;
} mli_conv2d_cfg;

typedef struct {
    uint8_t kernel_width;
    uint8_t kernel_height;
    uint8_t stride_width;
    uint8_t stride_height;
    uint8_t padding_left;
    uint8_t padding_right;
    uint8_t padding_top;
    uint8_t padding_bottom;
} mli_pool_cfg;

typedef enum {
    RNN_ONE_TO_ONE = 0, /* one step */
    RNN_BATCH_TO_BATCH, /* a sequence, every step gives an output */
    RNN_BATCH_TO_LAST,  /* a sequence, the last output is kept */
    RNN_MODE_LARGE_ENUM = 0x02000000
} mli_rnn_mode;

typedef enum {
    RNN_ACT_NONE = 0,
    RNN_ACT_TANH,
    RNN_ACT_SIGM,
    RNN_ACT_LARGE_ENUM = 0x02000000
} mli_rnn_out_activation;

typedef struct {
    mli_rnn_mode mode;
    mli_rnn_out_activation act;
    mli_tensor *ir_tsr; /* scratch: outputs elements for a basic cell, 4 x outputs for LSTM */
} mli_rnn_cell_cfg;

typedef struct {
    uint8_t perm_dim[MLI_MAX_RANK]; /* dimension d of the output is perm_dim[d] of the input */
} mli_permute_cfg;

typedef struct {
    uint8_t padding_left;
    uint8_t padding_right;
    uint8_t padding_top;
    uint8_t padding_bottom;
} mli_padding2d_cfg;

typedef struct {
    uint8_t tensors_num;
    uint8_t axis;
} mli_concat_cfg;

typedef struct {
    uint32_t start_coord[MLI_MAX_RANK];
    uint8_t coord_num;
    uint8_t first_out_dim_size;
} mli_point_to_subtsr_cfg;

typedef struct {
    uint32_t offset[MLI_MAX_RANK];
    uint32_t size[MLI_MAX_RANK];
    uint32_t sub_tensor_rank;
} mli_sub_tensor_cfg;

/* What part of a tensor a move takes, and where it goes: dimension d of the output is perm_dim[d] of the source. A
 * size of 0 is all there is, a stride of 0 the one of the output, or the one without holes. */
typedef struct {
    uint32_t offset[MLI_MAX_RANK];
    uint32_t size[MLI_MAX_RANK];
    uint32_t sub_sample_step[MLI_MAX_RANK];
    uint32_t dst_offset[MLI_MAX_RANK];
    int32_t dst_mem_stride[MLI_MAX_RANK];
    uint8_t perm_dim[MLI_MAX_RANK];
    uint8_t padding_pre[MLI_MAX_RANK];
    uint8_t padding_post[MLI_MAX_RANK];
} mli_mov_cfg_t;

typedef enum {
    MLI_MOV_STATE_INVALID = 0,
    MLI_MOV_STATE_OPEN,
    MLI_MOV_STATE_PREPARED,
    MLI_MOV_STATE_DMA_CONFIGURED,
    MLI_MOV_STATE_DMA_RUNNING,
    MLI_MOV_STATE_DONE,
    MLI_MOV_STATE_LARGE_ENUM = 0x02000000
} mli_mov_state;

typedef struct {
    int dma_ch;
    int num_ch;
    mli_mov_state state;
} mli_mov_handle_t;

#ifdef __cplusplus
}
#endif

#endif
