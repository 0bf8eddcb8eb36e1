#include "arcq_glue_parts.h"

void *arcq_glue_take(const struct arcq_memory *memory, uint32_t bytes, enum arcq_use use)
{
    return memory->take(memory->context, (bytes + 3) & ~3u, use);
}

void arcq_glue_clear(void *at, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++)
        ((char *)at)[i] = 0;
}

void *arcq_glue_begin(struct arcq_glue *glue, const struct arcq_memory *memory, uint32_t bytes)
{
    void *block = arcq_glue_take(memory, bytes, ARCQ_USE_BLOCK);
    arcq_glue_clear(glue, sizeof *glue);
    if (block)
        arcq_glue_clear(block, bytes);
    glue->params = block;
    return block;
}

const void *arcq_glue_placed(const struct arcq_memory *memory, const void *weights, uint32_t bytes)
{
    int8_t *to = arcq_glue_take(memory, bytes, ARCQ_USE_WEIGHTS);
    if (!to)
        return weights;
    for (uint32_t i = 0; i < bytes; i++)
        to[i] = ((const int8_t *)weights)[i];
    return to;
}

int32_t arcq_glue_shift(int32_t multiplier, int32_t shift)
{
    if (ARCQ_GLUE_SINGLE_ROUNDING)
        return 0xbc00 | (uint8_t)(17 + shift);
    if (multiplier == 0)
        return 1;
    return shift < 0 ? -shift : ~shift;
}

int32_t arcq_glue_word_shift(int32_t multiplier, int32_t shift)
{
    if (ARCQ_GLUE_SINGLE_ROUNDING)
        return 0x1c00 | (uint8_t)(1 + shift);
    return arcq_glue_shift(multiplier, shift);
}

int32_t arcq_glue_short(int32_t multiplier)
{
    return least_of((multiplier >> 16) + (multiplier >> 15 & 1), INT16_MAX);
}

int32_t arcq_glue_wide_shift(int32_t shift) { return 0xbc00 | (uint8_t)(33 + shift); }

int32_t arcq_glue_high_product(int32_t a, int32_t b)
{
    int64_t p = (int64_t)a * b;
    if (a == b && a == INT32_MIN)
        return INT32_MAX;
    p += p >= 0 ? 1 << 30 : 1 - (1 << 30);
    if (p < 0)
        p += INT32_MAX; /* towards zero */
    return (int32_t)(p >> 31);
}

int32_t arcq_glue_divided(int32_t x, int32_t by)
{
    int32_t mask, rest;
    if (by == 0)
        return x;
    if (by > 31)
        return 0;
    mask = (int32_t)((1u << by) - 1);
    rest = x & mask;
    return (by == 31 ? x >> 31 : x >> by) + (rest > (mask >> 1) + (x < 0));
}

int32_t arcq_glue_scaled(int32_t x, int32_t multiplier, int32_t shift)
{
#if ARCQ_GLUE_SINGLE_ROUNDING
    int64_t p = (int64_t)x * multiplier;
    int32_t by = 31 - shift, high;
    uint32_t low;
    if (by > 32)
        p += (int64_t)(1u << (by - 33)) << 32;
    else
        p += (uint32_t)1 << (by - 1);
    high = (int32_t)(p >> 32);
    low = (uint32_t)p;
    if (by >= 32)
        return high >> (by - 32);
    return (int32_t)((uint32_t)high << (32 - by) | low >> by);
#else
    return arcq_glue_divided(arcq_glue_high_product((int32_t)((uint32_t)x << most_of(shift, 0)), multiplier), most_of(-shift, 0));
#endif
}

int32_t arcq_glue_sum(const int8_t *weights, int32_t n, int32_t step)
{
    int32_t sum = 0;
    for (int32_t i = 0; i < n; i++)
        sum += weights[i * step];
    return sum;
}
