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
    void **out, **state, **cell, **scratch;
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

/* How the sums of a product come out. Data of halves have no zero points. */
struct arcq_sums {
    int32_t halves; /* data of halves, else bytes */
    int32_t wide; /* sums of 64 bits, of halves only: so has the bias, and factors are rounded to 16 */
    const void *bias; /* int32_t or int64_t, or 0 */
    const int32_t *multipliers, *shifts;
    int32_t per_channel; /* a factor of every output channel, else one */
    int32_t in_zero, out_zero;
    struct arcq_limits limits;
};

/* CONV_2D and DEPTHWISE_CONV_2D. Weights are output, row, column, channel, or 1, row, column, output. */
struct arcq_convolution {
    struct arcq_map in, out;
    struct arcq_window window;
    int32_t depthwise;
    int32_t depth; /* channels of a filter: less than those of the map where these are in groups */
    const int8_t *weights;
    struct arcq_sums sums;
};

/* FULLY_CONNECTED. */
struct arcq_product {
    int32_t rows, inputs, outputs;
    const int8_t *weights;
    int32_t weight_zero; /* with bytes */
    struct arcq_sums sums;
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

/* SOFTMAX of rows of bytes, or of halves with two tables. */
struct arcq_softmax {
    int32_t rows, count;
    int32_t halves; /* of the output */
    int32_t multiplier, shift;
    int32_t least_difference; /* where exponentials of bytes begin to count */
    const int16_t *exponentials; /* of halves: exp of -10 to 0 at 513 places, 32768 times; 0 for bytes. They stay where they are. */
    const int16_t *inverses; /* 1 / (1 + x) of 0 to 1 */
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

enum arcq_gate_name { ARCQ_INPUT_GATE, ARCQ_FORGET_GATE, ARCQ_CELL_GATE, ARCQ_OUTPUT_GATE, ARCQ_GATES };

/* UNIDIRECTIONAL_SEQUENCE_LSTM of bytes or halves with a cell of halves. */
struct arcq_lstm {
    int32_t batches, steps, inputs, units;
    int32_t time_major; /* steps are outside of batches */
    int32_t halves;
    struct {
        const int8_t *weights, *recurrent;
        const void *bias; /* int32_t, with halves int64_t; or 0 */
        int32_t multiplier, shift, recurrent_multiplier, recurrent_shift;
    } gates[ARCQ_GATES];
    int32_t in_zero, hidden_zero;
    int32_t keep_multiplier, keep_shift;     /* of forget gate times cell */
    int32_t take_multiplier, take_shift;     /* of input gate times cell gate */
    int32_t hidden_multiplier, hidden_shift; /* of output gate times the cell's hyperbolic tangent */
    int32_t cell_power;                      /* the scale of the cell is 2^cell_power */
    int32_t clip;                            /* of the cell, 0 for none */
    const uint16_t *logistic;                /* 256 values of the logistic function, 65536 times, 1/24 apart from 0 */
};

/* Each returns ARCQ_OK, ARCQ_NOT_SUPPORTED for a call that no kernel takes, or ARCQ_BAD_ARGUMENT without memory. */
int arcq_prepare_convolution(const struct arcq_convolution *c, const struct arcq_memory *memory, struct arcq_glue *glue);
int arcq_prepare_product(const struct arcq_product *c, const struct arcq_memory *memory, struct arcq_glue *glue);
int arcq_prepare_pool(const struct arcq_pool *c, const struct arcq_memory *memory, struct arcq_glue *glue);
int arcq_prepare_add(const struct arcq_pair *c, const struct arcq_memory *memory, struct arcq_glue *glue);
int arcq_prepare_sub(const struct arcq_pair *c, const struct arcq_memory *memory, struct arcq_glue *glue);
int arcq_prepare_mul(const struct arcq_pair *c, const struct arcq_memory *memory, struct arcq_glue *glue);
int arcq_prepare_softmax(const struct arcq_softmax *c, const struct arcq_memory *memory, struct arcq_glue *glue);
int arcq_prepare_svdf(const struct arcq_svdf *c, const struct arcq_memory *memory, struct arcq_glue *glue);
int arcq_prepare_lstm(const struct arcq_lstm *c, const struct arcq_memory *memory, struct arcq_glue *glue);

#ifdef __cplusplus
}
#endif

#endif
