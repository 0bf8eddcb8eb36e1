/* From what a network says of an operator to the parameter block of a kernel. An operator is prepared once; then its
 * pointers are set and run(params) is one call. Nothing here knows of a framework.
 *
 * Factors are multiplier * 2^(shift - 31). With -DARCQ_GLUE_SINGLE_ROUNDING=1 they round once, else twice. */
#ifndef ARCQ_GLUE_H
#define ARCQ_GLUE_H

#include "arcq.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What memory is for. Weights that get none stay where they are, unless a kernel wants them in another order. */
enum arcq_use { ARCQ_USE_BLOCK, ARCQ_USE_TABLE, ARCQ_USE_WEIGHTS };

/* Memory that lives as long as the operator, at a multiple of 4; 0 when there is none left. */
struct arcq_memory {
    void *(*take)(void *context, uint32_t bytes, enum arcq_use use);
    void *context;
};

/* A prepared operator. Pointers that it does not have are 0. */
struct arcq_glue {
    int (*run)(const void *params);
    const void *params;
    const void **in, **in2;
    void **out, **state, **scratch;
    uint32_t scratch_bytes; /* room that run needs besides */
};

struct arcq_map {
    int32_t batches, rows, columns, channels;
};

struct arcq_window {
    int32_t rows, columns;
    int32_t stride_rows, stride_columns;
    int32_t pad_rows, pad_columns; /* before the map */
    int32_t dilation_rows, dilation_columns;
};

struct arcq_limits {
    int32_t least, greatest; /* of an output element */
};

/* CONV_2D and DEPTHWISE_CONV_2D of bytes. Weights are output, row, column, channel, or 1, row, column, output. */
struct arcq_convolution {
    struct arcq_map in, out;
    struct arcq_window window;
    int32_t depthwise;
    const int8_t *weights;
    const int32_t *bias; /* or 0 */
    const int32_t *multipliers, *shifts; /* of every output channel */
    int32_t in_zero, out_zero;
    struct arcq_limits limits;
};

/* FULLY_CONNECTED of bytes. */
struct arcq_product {
    int32_t rows, inputs, outputs;
    const int8_t *weights;
    const int32_t *bias; /* or 0 */
    const int32_t *multipliers, *shifts;
    int32_t per_channel; /* a factor of every output, else one */
    int32_t in_zero, weight_zero, out_zero;
    struct arcq_limits limits;
};

/* AVERAGE_POOL_2D and MAX_POOL_2D of bytes or halves. */
struct arcq_pool {
    struct arcq_map in, out;
    struct arcq_window window;
    int32_t greatest; /* the greatest cell, else the mean */
    int32_t halves;
    struct arcq_limits limits;
};

enum { ARCQ_MOST_DIMENSIONS = 6 };

struct arcq_shape {
    int32_t rank;
    int32_t size[ARCQ_MOST_DIMENSIONS];
};

/* ADD, SUB and MUL of two tensors that are broadcast to the shape of the output. The factors are those of the inputs and of
 * the sum; a product has that of the output alone. */
struct arcq_pair {
    struct arcq_shape in1, in2, out;
    int32_t halves;
    int32_t in1_zero, in2_zero, out_zero;
    int32_t left_shift;
    int32_t multiplier1, shift1, multiplier2, shift2, multiplier, shift;
    struct arcq_limits limits;
};

/* SOFTMAX of rows of bytes. least_difference is where exponentials begin to count. */
struct arcq_softmax {
    int32_t rows, count;
    int32_t halves; /* of the output */
    int32_t multiplier, shift, least_difference;
};

/* SVDF of bytes with a state of bytes or halves. */
struct arcq_svdf {
    int32_t batches, inputs, filters, outputs, cells;
    int32_t halves; /* of the state and the weights over time */
    const int8_t *weights_feature;
    const void *weights_time;
    const int32_t *bias; /* or 0 */
    int32_t in_zero, state_zero, out_zero;
    int32_t feature_multiplier, feature_shift, time_multiplier, time_shift;
};

/* Each returns ARCQ_OK, ARCQ_NOT_SUPPORTED for a call that no kernel takes, or ARCQ_BAD_ARGUMENT without memory. */
int arcq_prepare_convolution(const struct arcq_convolution *c, const struct arcq_memory *memory, struct arcq_glue *glue);
int arcq_prepare_product(const struct arcq_product *c, const struct arcq_memory *memory, struct arcq_glue *glue);
int arcq_prepare_pool(const struct arcq_pool *c, const struct arcq_memory *memory, struct arcq_glue *glue);
int arcq_prepare_sum(const struct arcq_pair *c, int subtract, const struct arcq_memory *memory, struct arcq_glue *glue);
int arcq_prepare_mul(const struct arcq_pair *c, const struct arcq_memory *memory, struct arcq_glue *glue);
int arcq_prepare_softmax(const struct arcq_softmax *c, const struct arcq_memory *memory, struct arcq_glue *glue);
int arcq_prepare_svdf(const struct arcq_svdf *c, const struct arcq_memory *memory, struct arcq_glue *glue);

#ifdef __cplusplus
}
#endif

#endif
