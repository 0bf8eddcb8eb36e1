/* What the files of the glue share. */
#ifndef ARCQ_GLUE_PARTS_H
#define ARCQ_GLUE_PARTS_H

#include "arcq_glue.h"

#ifndef ARCQ_GLUE_SINGLE_ROUNDING
#define ARCQ_GLUE_SINGLE_ROUNDING 0
#endif

typedef int (*arcq_function)(const void *);

static inline int32_t least_of(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t most_of(int32_t a, int32_t b) { return a > b ? a : b; }

/* Memory of a whole number of words. */
void *arcq_glue_take(const struct arcq_memory *memory, uint32_t bytes, enum arcq_use use);

void arcq_glue_clear(void *at, uint32_t bytes);

/* A block of zeros, and an operator with it. */
void *arcq_glue_begin(struct arcq_glue *glue, const struct arcq_memory *memory, uint32_t bytes);

/* Weights, in memory of their own where there is any. */
const void *arcq_glue_placed(const struct arcq_memory *memory, const void *weights, uint32_t bytes);

/* The shift of a factor as kernels take it: of sums of 32 bits, and the same where products are words. */
int32_t arcq_glue_shift(int32_t multiplier, int32_t shift);
int32_t arcq_glue_word_shift(int32_t multiplier, int32_t shift);

/* A factor for sums of 64 bits: 16 bits of a multiplier, ties up, and its shift. */
enum { ARCQ_GREATEST_WIDE_SHIFT = 7 }; /* more would leave less than the 48 bits that sums may have */
int32_t arcq_glue_short(int32_t multiplier);
int32_t arcq_glue_wide_shift(int32_t shift);

/* Whether kernels have fast loops for a shift. */
static inline int usual(int32_t word) { return word >= 1 && word < 32; }

/* 2 * a * b / 2^32, halves up, saturated. */
int32_t arcq_glue_high_product(int32_t a, int32_t b);

/* x / 2^by, halves away from zero. */
int32_t arcq_glue_divided(int32_t x, int32_t by);

/* x times a factor. */
int32_t arcq_glue_scaled(int32_t x, int32_t multiplier, int32_t shift);

/* The sum of n weights, every step-th of them. */
int32_t arcq_glue_sum(const int8_t *weights, int32_t n, int32_t step);

/* A convolution of any kind, by tables of the cells of its axes. */
int arcq_prepare_sweep(const struct arcq_convolution *c, const struct arcq_memory *memory, struct arcq_glue *glue);

/* One axis of a window, as blocks have it. */
struct axis {
    int32_t in, out, kernel, stride, pad, full;
};

static inline struct axis axis(int32_t in, int32_t out, int32_t kernel, int32_t stride, int32_t pad)
{
    int32_t room = in + pad - kernel;
    struct axis a = {.in = in, .out = out, .kernel = kernel, .stride = stride, .pad = pad, .full = room >= 0 ? least_of(out, room / stride + 1) : 0};
    return a;
}

/* Copies an axis into a block, whose own structure has no name. */
#define PUT_AXIS(to, a) \
    ((to).in = (a).in, (to).out = (a).out, (to).kernel = (a).kernel, (to).stride = (a).stride, (to).pad = (a).pad, (to).full = (a).full)

#endif
