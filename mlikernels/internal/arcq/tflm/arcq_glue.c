#include "arcq_glue.h"

#ifndef ARCQ_GLUE_SINGLE_ROUNDING
#define ARCQ_GLUE_SINGLE_ROUNDING 0
#endif

typedef int (*arcq_function)(const void *);

static int32_t least_of(int32_t a, int32_t b) { return a < b ? a : b; }
static int32_t most_of(int32_t a, int32_t b) { return a > b ? a : b; }

static void *take(const struct arcq_memory *memory, uint32_t bytes, enum arcq_use use)
{
    return memory->take(memory->context, (bytes + 3) & ~3u, use);
}

static void clear(void *at, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++)
        ((char *)at)[i] = 0;
}

/* A block of zeros, and an operator with it. */
static void *begin(struct arcq_glue *glue, const struct arcq_memory *memory, uint32_t bytes)
{
    void *block = take(memory, bytes, ARCQ_USE_BLOCK);
    clear(glue, sizeof *glue);
    if (block)
        clear(block, bytes);
    glue->params = block;
    return block;
}

/* Weights, in memory of their own where there is any. */
static const int8_t *placed(const struct arcq_memory *memory, const int8_t *weights, uint32_t bytes)
{
    int8_t *to = take(memory, bytes, ARCQ_USE_WEIGHTS);
    if (!to)
        return weights;
    for (uint32_t i = 0; i < bytes; i++)
        to[i] = weights[i];
    return to;
}

/* The shift of a factor as kernels take it. */
static int32_t shift_word(int32_t multiplier, int32_t shift)
{
    if (ARCQ_GLUE_SINGLE_ROUNDING)
        return 0xbc00 | (uint8_t)(17 + shift);
    if (multiplier == 0)
        return 1;
    return shift < 0 ? -shift : ~shift;
}

/* The same where products are words. */
static int32_t word_shift(int32_t multiplier, int32_t shift)
{
    if (ARCQ_GLUE_SINGLE_ROUNDING)
        return 0x1c00 | (uint8_t)(1 + shift);
    return shift_word(multiplier, shift);
}

static int usual(int32_t word) { return word >= 1 && word < 32; }

/* 2 * a * b / 2^32, halves up, saturated. */
static int32_t high_product(int32_t a, int32_t b)
{
    int64_t p = (int64_t)a * b;
    if (a == b && a == INT32_MIN)
        return INT32_MAX;
    p += p >= 0 ? 1 << 30 : 1 - (1 << 30);
    if (p < 0)
        p += INT32_MAX; /* towards zero */
    return (int32_t)(p >> 31);
}

/* x / 2^by, halves away from zero. */
static int32_t divided(int32_t x, int32_t by)
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

/* x times a factor. */
static int32_t scaled(int32_t x, int32_t multiplier, int32_t shift)
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
    return divided(high_product((int32_t)((uint32_t)x << most_of(shift, 0)), multiplier), most_of(-shift, 0));
#endif
}

/* Records of channels: biases with the zero point of the input taken out, and factors. A weight of a channel is every step-th
 * of n. */
static int channels(struct arcq_channel *records, int32_t count, const int8_t *weights, int32_t n, int32_t next, int32_t step,
                    const int32_t *bias, int32_t in_zero, const int32_t *multipliers, const int32_t *shifts, int per_channel)
{
    int rare = 0;
    for (int32_t ch = 0; ch < count; ch++) {
        int32_t sum = 0, k = per_channel ? ch : 0;
        for (int32_t i = 0; i < n; i++)
            sum += weights[ch * next + i * step];
        records[ch].bias = bias ? bias[ch] : 0;
        records[ch].folded = (int32_t)((uint32_t)records[ch].bias - (uint32_t)in_zero * (uint32_t)sum);
        records[ch].multiplier = multipliers[k];
        records[ch].shift = shift_word(multipliers[k], shifts[k]);
        rare |= !usual(records[ch].shift);
    }
    return rare;
}

/* One axis of a window, as blocks have it. */
struct axis {
    int32_t in, out, kernel, stride, pad, full;
};

static struct axis axis(int32_t in, int32_t out, int32_t kernel, int32_t stride, int32_t pad)
{
    int32_t room = in + pad - kernel;
    struct axis a = {.in = in, .out = out, .kernel = kernel, .stride = stride, .pad = pad, .full = room >= 0 ? least_of(out, room / stride + 1) : 0};
    return a;
}

/* Copies an axis into a block, whose own structure has no name. */
#define PUT_AXIS(to, a) \
    ((to).in = (a).in, (to).out = (a).out, (to).kernel = (a).kernel, (to).stride = (a).stride, (to).pad = (a).pad, (to).full = (a).full)

/* How many cells of the map all windows see together. */
static int32_t inside(const struct axis *a)
{
    int32_t n = 0;
    for (int32_t o = 0; o < a->out; o++) {
        int32_t first = o * a->stride - a->pad;
        n += least_of(first + a->kernel, a->in) - most_of(first, 0);
    }
    return n;
}

/* Room that makes a convolution faster: for a copy of a window where all channels together gain more than it costs (the
 * numbers are those of the kernels' loops), or for a small map with its padding. */
static uint32_t convolution_scratch(const struct arcq_convolution *c, const struct axis *rows, const struct axis *columns)
{
    int32_t y = inside(rows), x = inside(columns), outputs = rows->out * columns->out, depth = c->in.channels;
    int32_t kernel = rows->kernel * columns->kernel * depth, row = columns->kernel * depth;
    int32_t zones = y * x * depth / 2, patches;
    if (c->depthwise && c->in.channels > 1) {
        int32_t cells = ((rows->out - 1) * rows->stride + rows->kernel) * ((columns->out - 1) * columns->stride + columns->kernel);
        if (cells > 850 || c->in.batches > 1 || (y == rows->out * rows->kernel && x == columns->out * columns->kernel))
            return 0;
        return (cells * depth + 3) & ~3;
    }
    zones += rows->kernel == 1 ? 13 * outputs : 4 * y * columns->out + 15 * outputs;
    patches = outputs * (kernel / 2 + 10 + (45 + rows->kernel * (9 + row / 4 + row % 4)) / c->out.channels);
    return patches < zones ? (kernel + 3) & ~3 : 0;
}

/* A window of one cell is a product: every position is a row. */
static int convolution_as_product(const struct arcq_convolution *c, const struct arcq_memory *memory, struct arcq_glue *glue)
{
    struct arcq_product p = {
        .rows = c->out.batches * c->out.rows * c->out.columns, .inputs = c->in.channels, .outputs = c->out.channels,
        .weights = c->weights, .bias = c->bias, .multipliers = c->multipliers, .shifts = c->shifts, .per_channel = 1,
        .in_zero = c->in_zero, .out_zero = c->out_zero, .limits = c->limits,
    };
    return arcq_prepare_product(&p, memory, glue);
}

int arcq_prepare_convolution(const struct arcq_convolution *c, const struct arcq_memory *memory, struct arcq_glue *glue)
{
    const struct arcq_window *w = &c->window;
    int32_t cells = w->rows * w->columns, bytes = cells * c->out.channels, first = c->depthwise && c->in.channels == 1;
    struct axis rows = axis(c->in.rows, c->out.rows, w->rows, w->stride_rows, w->pad_rows);
    struct axis columns = axis(c->in.columns, c->out.columns, w->columns, w->stride_columns, w->pad_columns);
    struct arcq_conv2d_params *p;
    struct arcq_channel *records;
    int rare;
    if (w->dilation_rows != 1 || w->dilation_columns != 1 || (c->depthwise && !first && c->in.channels != c->out.channels))
        return ARCQ_NOT_SUPPORTED;
    if (!c->depthwise && cells == 1 && w->stride_rows == 1 && w->stride_columns == 1)
        return convolution_as_product(c, memory, glue);
    p = begin(glue, memory, sizeof *p);
    records = take(memory, c->out.channels * sizeof *records, ARCQ_USE_TABLE);
    if (!p || !records)
        return ARCQ_BAD_ARGUMENT;
    if (!c->depthwise)
        bytes *= c->in.channels;
    if (first) { /* filters one behind the other, as those of a convolution */
        int8_t *filters = take(memory, bytes, ARCQ_USE_WEIGHTS);
        if (!filters)
            filters = take(memory, bytes, ARCQ_USE_TABLE);
        if (!filters)
            return ARCQ_BAD_ARGUMENT;
        for (int32_t i = 0; i < bytes; i++)
            filters[i % c->out.channels * cells + i / c->out.channels] = c->weights[i];
        p->weights = filters;
    } else {
        p->weights = placed(memory, c->weights, bytes);
    }
    if (c->depthwise)
        rare = channels(records, c->out.channels, c->weights, cells, 1, c->out.channels, c->bias, c->in_zero, c->multipliers, c->shifts, 1);
    else
        rare = channels(records, c->out.channels, c->weights, cells * c->in.channels, cells * c->in.channels, 1, c->bias, c->in_zero, c->multipliers, c->shifts, 1);
    p->channels = records;
    p->batches = c->in.batches;
    PUT_AXIS(p->rows, rows);
    PUT_AXIS(p->columns, columns);
    p->in_channels = c->in.channels;
    p->out_channels = c->out.channels;
    p->in_zero = c->in_zero;
    p->out_zero = c->out_zero;
    p->least = c->limits.least;
    p->greatest = c->limits.greatest;
    p->rare = rare;
    glue->scratch_bytes = convolution_scratch(c, &rows, &columns);
    if (glue->scratch_bytes)
        glue->scratch = &p->scratch;
    glue->in = &p->in;
    glue->out = &p->out;
    glue->run = c->depthwise && !first ? (arcq_function)arcq_depthwise_conv2d_s8 : (arcq_function)arcq_conv2d_s8;
    return ARCQ_OK;
}

int arcq_prepare_product(const struct arcq_product *c, const struct arcq_memory *memory, struct arcq_glue *glue)
{
    struct arcq_fully_connected_params *p = begin(glue, memory, sizeof *p);
    struct arcq_channel *records = take(memory, c->outputs * sizeof *records, ARCQ_USE_TABLE);
    if (!p || !records)
        return ARCQ_BAD_ARGUMENT;
    p->rare = channels(records, c->outputs, c->weights, c->inputs, c->inputs, 1, c->bias, c->in_zero, c->multipliers, c->shifts, c->per_channel);
    p->weights = placed(memory, c->weights, c->inputs * c->outputs);
    p->channels = records;
    p->rows = c->rows;
    p->inputs = c->inputs;
    p->outputs = c->outputs;
    p->in_zero = c->in_zero;
    p->weight_zero = c->weight_zero;
    p->out_zero = c->out_zero;
    p->least = c->limits.least;
    p->greatest = c->limits.greatest;
    if (c->weight_zero)
        p->rare = 1;
    glue->in = &p->in;
    glue->out = &p->out;
    glue->run = (arcq_function)arcq_fully_connected_s8;
    return ARCQ_OK;
}

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
    p = begin(glue, memory, sizeof *p);
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
        struct arcq_scale *scales = take(memory, (last - first + 1) * sizeof *scales, ARCQ_USE_TABLE);
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
    clear(w->outer, sizeof w->outer);
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
    int32_t *table = take(memory, 256 * sizeof *table, ARCQ_USE_TABLE);
    if (table)
        for (int32_t i = 0; i < 256; i++)
            table[i] = scaled((int32_t)((uint32_t)(i - 128 - zero) << up), multiplier, shift);
    return table;
}

static int sum8(const struct arcq_pair *c, int subtract, const struct arcq_memory *memory, struct arcq_glue *glue)
{
    struct arcq_add8_params *p;
    struct walk w;
    int status = walk(&w, c);
    if (status)
        return status;
    p = begin(glue, memory, sizeof *p);
    if (!p)
        return ARCQ_BAD_ARGUMENT;
    p->terms1 = terms(memory, c->in1_zero, c->left_shift, c->multiplier1, c->shift1);
    p->terms2 = terms(memory, c->in2_zero, c->left_shift, c->multiplier2, c->shift2);
    if (!p->terms1 || !p->terms2)
        return ARCQ_BAD_ARGUMENT;
    p->multiplier = c->multiplier;
    p->shift = shift_word(c->multiplier, c->shift);
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
    *word = word_shift(multiplier, shift);
    return !usual(*word);
}

static int sum16(const struct arcq_pair *c, int subtract, const struct arcq_memory *memory, struct arcq_glue *glue)
{
    struct arcq_add16_params *p;
    struct walk w;
    int status = walk(&w, c);
    if (status)
        return status;
    p = begin(glue, memory, sizeof *p);
    if (!p)
        return ARCQ_BAD_ARGUMENT;
    p->multiplier1 = c->multiplier1;
    p->multiplier2 = c->multiplier2;
    p->multiplier = c->multiplier;
    p->shift = shift_word(c->multiplier, c->shift);
    p->rare = !usual(p->shift);
    p->rare |= term(&p->up1, &p->shift1, c->left_shift, c->multiplier1, c->shift1);
    p->rare |= term(&p->up2, &p->shift2, c->left_shift, c->multiplier2, c->shift2);
    p->least = c->limits.least;
    p->greatest = c->limits.greatest;
    PUT_WALK(glue, p->walk, w);
    glue->run = subtract ? (arcq_function)arcq_sub_s16 : (arcq_function)arcq_add_s16;
    return ARCQ_OK;
}

int arcq_prepare_sum(const struct arcq_pair *c, int subtract, const struct arcq_memory *memory, struct arcq_glue *glue)
{
    return c->halves ? sum16(c, subtract, memory, glue) : sum8(c, subtract, memory, glue);
}

int arcq_prepare_mul(const struct arcq_pair *c, const struct arcq_memory *memory, struct arcq_glue *glue)
{
    struct arcq_mul_params *p;
    struct walk w;
    int status = walk(&w, c);
    if (status)
        return status;
    p = begin(glue, memory, sizeof *p);
    if (!p)
        return ARCQ_BAD_ARGUMENT;
    p->in1_zero = c->in1_zero;
    p->in2_zero = c->in2_zero;
    p->multiplier = c->multiplier;
    p->shift = shift_word(c->multiplier, c->shift);
    p->out_zero = c->out_zero;
    p->least = c->limits.least;
    p->greatest = c->limits.greatest;
    p->rare = !usual(p->shift);
    PUT_WALK(glue, p->walk, w);
    glue->run = c->halves ? (arcq_function)arcq_mul_s16 : (arcq_function)arcq_mul_s8;
    return ARCQ_OK;
}

/* exp(a) for a <= 0 with five integer bits, as gemmlowp's fixed point has it: result and factors have none. */
static int32_t exponential(int32_t a)
{
    static const int32_t powers[] = {1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242}; /* exp(-2^(k-2)) */
    const int32_t quarter = 1 << 24;
    int32_t rest = (a & (quarter - 1)) - quarter, remainder = (int32_t)((uint32_t)rest - (uint32_t)a);
    int32_t x = (int32_t)((uint32_t)rest << 5) + (1 << 28), x2 = high_product(x, x), x3 = high_product(x2, x), x4 = high_product(x2, x2);
    int32_t tail = high_product(divided(x4, 2) + x3, 715827883) + x2;
    int32_t result = 1895147668 + high_product(1895147668, x + divided(tail, 1));
    for (int k = 0; k < 7; k++)
        if (remainder >> (24 + k) & 1)
            result = high_product(result, powers[k]);
    return a == 0 ? INT32_MAX : result;
}

int arcq_prepare_softmax(const struct arcq_softmax *c, const struct arcq_memory *memory, struct arcq_glue *glue)
{
    struct arcq_softmax_params *p = begin(glue, memory, sizeof *p);
    int32_t *table = take(memory, 256 * sizeof *table, ARCQ_USE_TABLE), bits = c->halves ? 16 : 8;
    if (!p || !table)
        return ARCQ_BAD_ARGUMENT;
    for (int32_t i = 0; i < 256; i++)
        table[i] = i - 255 < c->least_difference ? 0 : exponential(scaled(i - 255, c->multiplier, c->shift));
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

int arcq_prepare_svdf(const struct arcq_svdf *c, const struct arcq_memory *memory, struct arcq_glue *glue)
{
    struct arcq_svdf_params *p = begin(glue, memory, sizeof *p);
    int32_t *features = take(memory, c->filters * sizeof *features, ARCQ_USE_TABLE), *times = take(memory, c->outputs * sizeof *times, ARCQ_USE_TABLE);
    int32_t run = c->filters / c->outputs * c->cells, size = c->halves ? 2 : 1;
    if (!p || !features || !times)
        return ARCQ_BAD_ARGUMENT;
    for (int32_t f = 0; f < c->filters; f++) {
        int32_t sum = 0;
        for (int32_t i = 0; i < c->inputs; i++)
            sum += c->weights_feature[f * c->inputs + i];
        features[f] = (int32_t)-((uint32_t)c->in_zero * (uint32_t)sum);
    }
    for (int32_t o = 0; o < c->outputs; o++) {
        int32_t sum = 0;
        for (int32_t i = o * run; i < (o + 1) * run; i++)
            sum += c->halves ? ((const int16_t *)c->weights_time)[i] : ((const int8_t *)c->weights_time)[i];
        times[o] = (int32_t)((uint32_t)(c->bias ? c->bias[o] : 0) - (uint32_t)c->state_zero * (uint32_t)sum);
    }
    p->weights_feature = placed(memory, c->weights_feature, c->filters * c->inputs);
    p->weights_time = placed(memory, c->weights_time, c->filters * c->cells * size);
    p->feature_starts = features;
    p->time_starts = times;
    p->batches = c->batches;
    p->inputs = c->inputs;
    p->filters = c->filters;
    p->outputs = c->outputs;
    p->output_cells = run;
    p->memory_bytes = c->cells * size;
    p->batch_bytes = c->filters * c->cells * size;
    p->state_bytes = c->batches * p->batch_bytes;
    p->state_zero = c->state_zero;
    p->out_zero = c->out_zero;
    p->feature_multiplier = c->feature_multiplier;
    p->feature_shift = shift_word(c->feature_multiplier, c->feature_shift);
    p->time_multiplier = c->time_multiplier;
    p->time_shift = shift_word(c->time_multiplier, c->time_shift);
    glue->in = (const void **)&p->in;
    glue->state = &p->state;
    glue->out = (void **)&p->out;
    glue->run = c->halves ? (arcq_function)arcq_svdf_s16s8 : (arcq_function)arcq_svdf_s8;
    return ARCQ_OK;
}
