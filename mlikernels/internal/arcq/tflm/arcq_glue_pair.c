#include "arcq_glue_parts.h"

/* The steps of a tensor that is broadcast to a shape: a dimension of one element repeats. */
static void spread(const struct arcq_shape *from, const struct arcq_shape *to, int32_t *steps)
{
    int32_t step = 1;
    for (int32_t d = to->rank - 1; d >= 0; d--) {
        int32_t at = d - (to->rank - from->rank), size = at < 0 ? 1 : from->size[at];
        steps[d] = size == 1 ? 0 : step;
        step *= size;
    }
}

/* A run shorter than this changes places with the longest dimension. */
enum { SHORT_RUN = 8 };

/* A walk, as blocks have it. */
enum { MOST_OUTER = 5 };
struct walk {
    int32_t count, steps[3], dimensions, outer[4 * MOST_OUTER];
};

/* A walk over three tensors in as few dimensions as possible. */
static int walk(struct walk *w, const struct arcq_pair *c)
{
    const struct arcq_shape *shapes[3] = {&c->in1, &c->in2, &c->out};
    int32_t full[3][ARCQ_MOST_DIMENSIONS], steps[3][ARCQ_MOST_DIMENSIONS], size[ARCQ_MOST_DIMENSIONS], n = 0, longest = 0, bytes = c->halves ? 2 : 1;
    for (int t = 0; t < 3; t++)
        spread(shapes[t], &c->out, full[t]);
    for (int32_t d = 0; d < c->out.rank; d++) {
        int even = n > 0;
        if (c->out.size[d] == 1)
            continue;
        for (int t = 0; t < 3; t++)
            even = even && steps[t][n - 1] == full[t][d] * c->out.size[d];
        n += !even;
        size[n - 1] = even ? size[n - 1] * c->out.size[d] : c->out.size[d];
        for (int t = 0; t < 3; t++)
            steps[t][n - 1] = full[t][d];
    }
    if (n == 0) {
        n = 1;
        size[0] = 1;
        for (int t = 0; t < 3; t++)
            steps[t][0] = 0;
    }
    for (int32_t d = 1; d < n; d++)
        if (size[d] > size[longest])
            longest = d;
    if (size[n - 1] < SHORT_RUN) {
        int32_t s = size[n - 1];
        size[n - 1] = size[longest];
        size[longest] = s;
        for (int t = 0; t < 3; t++) {
            s = steps[t][n - 1];
            steps[t][n - 1] = steps[t][longest];
            steps[t][longest] = s;
        }
    }
    w->count = size[n - 1];
    w->dimensions = n - 1;
    arcq_glue_clear(w->outer, sizeof w->outer);
    if (n - 1 > MOST_OUTER)
        return ARCQ_NOT_SUPPORTED;
    for (int t = 0; t < 3; t++)
        w->steps[t] = steps[t][n - 1] * bytes;
    for (int32_t i = 0; i < n - 1; i++) {
        int32_t d = n - 2 - i;
        w->outer[4 * i] = size[d];
        for (int t = 0; t < 3; t++) {
            int32_t next = steps[t][d]; /* less what the dimensions inside have moved on */
            for (int32_t e = d + 1; e < n - 1; e++)
                next -= (size[e] - 1) * steps[t][e];
            w->outer[4 * i + 1 + t] = next * bytes;
        }
    }
    return ARCQ_OK;
}

/* Copies a walk into a block, whose own structure has no name, and takes its pointers. */
#define PUT_WALK(glue, to, w) \
    do { \
        (to).count = (w).count; \
        (to).dimensions = (w).dimensions; \
        for (int i = 0; i < 3; i++) \
            (to).steps[i] = (w).steps[i]; \
        for (int i = 0; i < 4 * MOST_OUTER; i++) \
            (to).outer[i] = (w).outer[i]; \
        (glue)->in = &(to).in1; \
        (glue)->in2 = &(to).in2; \
        (glue)->out = &(to).out; \
    } while (0)

/* The 256 elements of a tensor of bytes in the common scale of a sum. */
static const int32_t *terms(const struct arcq_memory *memory, int32_t zero, int32_t up, int32_t multiplier, int32_t shift)
{
    int32_t *table = arcq_glue_take(memory, 256 * sizeof *table, ARCQ_USE_TABLE);
    if (table)
        for (int32_t i = 0; i < 256; i++)
            table[i] = arcq_glue_scaled((int32_t)((uint32_t)(i - 128 - zero) << up), multiplier, shift);
    return table;
}

static int sum8(const struct arcq_pair *c, int subtract, const struct arcq_memory *memory, struct arcq_glue *glue)
{
    struct arcq_add8_params *p;
    struct walk w;
    int status = walk(&w, c);
    if (status)
        return status;
    p = arcq_glue_begin(glue, memory, sizeof *p);
    if (!p)
        return ARCQ_BAD_ARGUMENT;
    p->terms1 = terms(memory, c->in1_zero, c->left_shift, c->multiplier1, c->shift1);
    p->terms2 = terms(memory, c->in2_zero, c->left_shift, c->multiplier2, c->shift2);
    if (!p->terms1 || !p->terms2)
        return ARCQ_BAD_ARGUMENT;
    p->multiplier = c->multiplier;
    p->shift = arcq_glue_shift(c->multiplier, c->shift);
    p->out_zero = c->out_zero;
    p->least = c->limits.least;
    p->greatest = c->limits.greatest;
    p->rare = !usual(p->shift);
    PUT_WALK(glue, p->walk, w);
    glue->run = subtract ? (arcq_function)arcq_sub_s8 : (arcq_function)arcq_add_s8;
    return ARCQ_OK;
}

/* How halves come to the common scale. A factor of one half has one bit more before it, so that it has the usual form. */
static int term(int32_t *up, int32_t *word, int32_t left, int32_t multiplier, int32_t shift)
{
    if (!ARCQ_GLUE_SINGLE_ROUNDING && shift == 0) {
        shift = -1;
        left++;
    }
    *up = left;
    *word = arcq_glue_word_shift(multiplier, shift);
    return !usual(*word);
}

static int sum16(const struct arcq_pair *c, int subtract, const struct arcq_memory *memory, struct arcq_glue *glue)
{
    struct arcq_add16_params *p;
    struct walk w;
    int status = walk(&w, c);
    if (status)
        return status;
    p = arcq_glue_begin(glue, memory, sizeof *p);
    if (!p)
        return ARCQ_BAD_ARGUMENT;
    p->multiplier1 = c->multiplier1;
    p->multiplier2 = c->multiplier2;
    p->multiplier = c->multiplier;
    p->shift = arcq_glue_shift(c->multiplier, c->shift);
    p->rare = !usual(p->shift);
    p->rare |= term(&p->up1, &p->shift1, c->left_shift, c->multiplier1, c->shift1);
    p->rare |= term(&p->up2, &p->shift2, c->left_shift, c->multiplier2, c->shift2);
    p->least = c->limits.least;
    p->greatest = c->limits.greatest;
    PUT_WALK(glue, p->walk, w);
    glue->run = subtract ? (arcq_function)arcq_sub_s16 : (arcq_function)arcq_add_s16;
    return ARCQ_OK;
}

int arcq_prepare_add(const struct arcq_pair *c, const struct arcq_memory *memory, struct arcq_glue *glue)
{
    return c->halves ? sum16(c, 0, memory, glue) : sum8(c, 0, memory, glue);
}

int arcq_prepare_sub(const struct arcq_pair *c, const struct arcq_memory *memory, struct arcq_glue *glue)
{
    return c->halves ? sum16(c, 1, memory, glue) : sum8(c, 1, memory, glue);
}

int arcq_prepare_mul(const struct arcq_pair *c, const struct arcq_memory *memory, struct arcq_glue *glue)
{
    struct arcq_mul_params *p;
    struct walk w;
    int status = walk(&w, c);
    if (status)
        return status;
    p = arcq_glue_begin(glue, memory, sizeof *p);
    if (!p)
        return ARCQ_BAD_ARGUMENT;
    p->in1_zero = c->in1_zero;
    p->in2_zero = c->in2_zero;
    p->multiplier = c->multiplier;
    p->shift = arcq_glue_shift(c->multiplier, c->shift);
    p->out_zero = c->out_zero;
    p->least = c->limits.least;
    p->greatest = c->limits.greatest;
    p->rare = !usual(p->shift);
    PUT_WALK(glue, p->walk, w);
    glue->run = c->halves ? (arcq_function)arcq_mul_s16 : (arcq_function)arcq_mul_s8;
    return ARCQ_OK;
}
