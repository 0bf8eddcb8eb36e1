#include "arcq_glue_parts.h"

/* How many cells of any window along an axis lie on the map at least. */
static int32_t fewest(const struct axis *a)
{
    int32_t least = a->kernel;
    for (int32_t o = 0; o < a->out; o++) {
        int32_t first = o * a->stride - a->pad;
        least = least_of(least, least_of(first + a->kernel, a->in) - most_of(first, 0));
    }
    return least;
}

/* A factor just above 1 / n, exact for sums of n elements; n is below 2^14. */
static void reciprocal(struct arcq_scale *s, int32_t n)
{
    int32_t bits = 0, down;
    uint32_t upper;
    while (n >> bits)
        bits++;
    down = 29 + bits;
    upper = (uint32_t)1 << (down - 16); /* 2^down / n, 16 bits at a time */
    s->multiplier = (int32_t)((upper / n << 16) + (upper % n << 16) / n + 1);
    s->shift = 0xbc00 | (uint8_t)(48 - down);
}

int arcq_prepare_pool(const struct arcq_pool *c, const struct arcq_memory *memory, struct arcq_glue *glue)
{
    static const arcq_function functions[] = {
        (arcq_function)arcq_average_pool2d_s8, (arcq_function)arcq_average_pool2d_s16, (arcq_function)arcq_max_pool2d_s8, (arcq_function)arcq_max_pool2d_s16,
    };
    struct axis rows = axis(c->in.rows, c->out.rows, c->window.rows, c->window.stride_rows, c->window.pad_rows);
    struct axis columns = axis(c->in.columns, c->out.columns, c->window.columns, c->window.stride_columns, c->window.pad_columns);
    struct arcq_pool2d_params *p;
    if (c->window.rows * c->window.columns > 8192)
        return ARCQ_NOT_SUPPORTED;
    p = arcq_glue_begin(glue, memory, sizeof *p);
    if (!p)
        return ARCQ_BAD_ARGUMENT;
    p->batches = c->in.batches;
    p->channels = c->in.channels;
    PUT_AXIS(p->rows, rows);
    PUT_AXIS(p->columns, columns);
    p->least = c->limits.least;
    p->greatest = c->limits.greatest;
    if (!c->greatest) {
        int32_t first = fewest(&rows) * fewest(&columns), last = c->window.rows * c->window.columns;
        struct arcq_scale *scales = arcq_glue_take(memory, (last - first + 1) * sizeof *scales, ARCQ_USE_TABLE);
        if (!scales)
            return ARCQ_BAD_ARGUMENT;
        for (int32_t n = first; n <= last; n++)
            reciprocal(&scales[n - first], n);
        p->scales = scales;
        p->fewest = first;
    }
    glue->in = &p->in;
    glue->out = &p->out;
    glue->run = functions[2 * !!c->greatest + !!c->halves];
    return ARCQ_OK;
}
