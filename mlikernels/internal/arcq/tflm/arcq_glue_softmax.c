#include "arcq_glue_parts.h"

/* exp(a) for a <= 0 with five integer bits, as gemmlowp's fixed point has it: result and factors have none. */
static int32_t exponential(int32_t a)
{
    static const int32_t powers[] = {1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242}; /* exp(-2^(k-2)) */
    const int32_t quarter = 1 << 24;
    int32_t rest = (a & (quarter - 1)) - quarter, remainder = (int32_t)((uint32_t)rest - (uint32_t)a);
    int32_t x = (int32_t)((uint32_t)rest << 5) + (1 << 28), x2 = arcq_glue_high_product(x, x), x3 = arcq_glue_high_product(x2, x), x4 = arcq_glue_high_product(x2, x2);
    int32_t tail = arcq_glue_high_product(arcq_glue_divided(x4, 2) + x3, 715827883) + x2;
    int32_t result = 1895147668 + arcq_glue_high_product(1895147668, x + arcq_glue_divided(tail, 1));
    for (int k = 0; k < 7; k++)
        if (remainder >> (24 + k) & 1)
            result = arcq_glue_high_product(result, powers[k]);
    return a == 0 ? INT32_MAX : result;
}

static int softmax16(const struct arcq_softmax *c, const struct arcq_memory *memory, struct arcq_glue *glue)
{
    enum { LONGEST = 1 << 16 }; /* the sum of its exponentials keeps to 31 bits */
    struct arcq_softmax16_params *p = arcq_glue_begin(glue, memory, sizeof *p);
    if (!p)
        return ARCQ_BAD_ARGUMENT;
    if (c->count > LONGEST)
        return ARCQ_NOT_SUPPORTED;
    p->rows = c->rows;
    p->count = c->count;
    p->exponentials = c->exponentials;
    p->inverses = c->inverses;
    p->multiplier = c->multiplier;
    p->shift = arcq_glue_word_shift(c->multiplier, c->shift);
    glue->in = (const void **)&p->in;
    glue->out = (void **)&p->out;
    glue->run = (arcq_function)arcq_softmax_s16;
    return ARCQ_OK;
}

int arcq_prepare_softmax(const struct arcq_softmax *c, const struct arcq_memory *memory, struct arcq_glue *glue)
{
    struct arcq_softmax_params *p;
    int32_t *table, bits = c->halves ? 16 : 8;
    if (c->exponentials)
        return softmax16(c, memory, glue);
    p = arcq_glue_begin(glue, memory, sizeof *p);
    table = arcq_glue_take(memory, 256 * sizeof *table, ARCQ_USE_TABLE);
    if (!p || !table)
        return ARCQ_BAD_ARGUMENT;
    for (int32_t i = 0; i < 256; i++)
        table[i] = i - 255 < c->least_difference ? 0 : exponential(arcq_glue_scaled(i - 255, c->multiplier, c->shift));
    p->rows = c->rows;
    p->count = c->count;
    p->exponentials = table + 255;
    p->shift = 31 - bits;
    p->least = -(1 << (bits - 1));
    p->greatest = (1 << (bits - 1)) - 1;
    glue->in = (const void **)&p->in;
    glue->out = &p->out;
    glue->run = c->halves ? (arcq_function)arcq_softmax_s8_s16 : (arcq_function)arcq_softmax_s8;
    return ARCQ_OK;
}
