#include "arcq_glue_parts.h"

enum { ALL_ONCE = 2 }; /* what blocks say of shifts that round once */

/* Records of channels: biases with the zero point of the input taken out, and factors. A weight of a channel is every step-th
 * of n. */
static int channels(struct arcq_channel *records, int32_t count, const int8_t *weights, int32_t n, int32_t next, int32_t step, const struct arcq_sums *s)
{
    int rare = 0;
    for (int32_t ch = 0; ch < count; ch++) {
        int32_t k = s->per_channel ? ch : 0;
        records[ch].bias = s->bias ? ((const int32_t *)s->bias)[ch] : 0;
        records[ch].folded = (int32_t)((uint32_t)records[ch].bias - (uint32_t)s->in_zero * (uint32_t)arcq_glue_sum(weights + ch * next, n, step));
        records[ch].multiplier = s->multipliers[k];
        records[ch].shift = arcq_glue_shift(s->multipliers[k], s->shifts[k]);
        rare |= ARCQ_GLUE_SINGLE_ROUNDING ? s->shifts[k] > 0 || s->shifts[k] < -23 : records[ch].shift < 1 || records[ch].shift > 23;
    }
    return ARCQ_GLUE_SINGLE_ROUNDING && !rare ? ALL_ONCE : rare;
}

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

/* The taps of the window of an output that lie on the map: from the first on, before the end. */
static int32_t first_tap(const struct axis *a, int32_t o)
{
    return most_of(a->pad - o * a->stride, 0);
}

static int32_t end_tap(const struct axis *a, int32_t o)
{
    return least_of(a->kernel, a->in + a->pad - o * a->stride);
}

/* The first output behind the zone of an output: windows that lie on the map as a whole are one zone, every other is its own. */
static int32_t next_zone(const struct axis *a, int32_t o)
{
    int whole;
    do
        whole = first_tap(a, o) == 0 && end_tap(a, o) == a->kernel;
    while (++o < a->out && whole && first_tap(a, o) == 0 && end_tap(a, o) == a->kernel);
    return o;
}

/* How many zones there are, and the lines of all their outputs. */
static int32_t zones_of(const struct axis *rows, const struct axis *columns, int32_t *lines)
{
    int32_t zones = *lines = 0;
    for (int32_t y = 0, down; y < rows->out; y = down) {
        down = next_zone(rows, y);
        for (int32_t x = 0, right; x < columns->out; x = right, zones++) {
            right = next_zone(columns, x);
            *lines += least_of(down - y, right - x);
        }
    }
    return zones;
}

/* What sums start with, for every zone and channel: the zero point times the weights that lie beside the map there is too much
 * in the folded biases. */
static const int32_t *zone_starts(const struct arcq_memory *memory, const struct arcq_channel *records, int32_t channels, const int8_t *weights, int32_t depth,
                                  const struct axis *rows, const struct axis *columns, int32_t in_zero)
{
    int32_t lines, zones = zones_of(rows, columns, &lines), n = 0;
    int32_t *starts = arcq_glue_take(memory, zones * channels * sizeof *starts, ARCQ_USE_TABLE);
    for (int32_t y = 0; starts && y < rows->out; y = next_zone(rows, y))
        for (int32_t x = 0; x < columns->out; x = next_zone(columns, x))
            for (int32_t ch = 0; ch < channels; ch++) {
                const int8_t *filter = weights + ch * rows->kernel * columns->kernel * depth;
                uint32_t start = records[ch].folded;
                for (int32_t r = 0; r < rows->kernel; r++)
                    for (int32_t k = 0; k < columns->kernel; k++, filter += depth)
                        if (r < first_tap(rows, y) || r >= end_tap(rows, y) || k < first_tap(columns, x) || k >= end_tap(columns, x))
                            start += (uint32_t)in_zero * (uint32_t)arcq_glue_sum(filter, depth, 1);
                starts[n++] = (int32_t)start;
            }
    return starts;
}

/* Room that makes a convolution faster: for a copy of a window where all channels together gain more than it costs (the
 * numbers are those of the kernels' loops), or for a small map with its padding. */
static uint32_t convolution_scratch(const struct arcq_convolution *c, const struct axis *rows, const struct axis *columns, int32_t rare)
{
    int32_t y = inside(rows), x = inside(columns), outputs = rows->out * columns->out, depth = c->in.channels, channels = c->out.channels;
    int32_t kernel = rows->kernel * columns->kernel * depth, row = columns->kernel * depth, all = y * columns->out, lines;
    int32_t many = zones_of(rows, columns, &lines), usual = rare != 1, few = usual && rows->kernel <= 3;
    int32_t zones = many * (40 + 100 / channels) + 10 * lines + all * x / columns->out * depth / 2, patches = 45;
    if (c->depthwise && c->in.channels > 1) {
        int32_t cells = ((rows->out - 1) * rows->stride + rows->kernel) * ((columns->out - 1) * columns->stride + columns->kernel);
        if (cells > 850 || c->in.batches > 1 || (y == rows->out * rows->kernel && x == columns->out * columns->kernel))
            return 0;
        return (cells * depth + 3) & ~3;
    }
    if (few && row <= 12)
        zones += all * (row % 2) / 2 + 5 * outputs;
    else if (few && row <= 194 && (rows->kernel == 1 || row % 2 == 0))
        zones += 2 * all + 3 * outputs;
    else
        zones += (usual ? 0 : 5 * outputs) + (rows->kernel == 1 ? 8 * outputs : 3 * all + 10 * outputs);
    patches += rows->kernel * (9 + row / 4 + row % 4);
    if (usual && kernel <= 146 && channels >= 8)
        patches = 6 + (patches + 13) / channels;
    else
        patches = (usual ? 10 : 15) + patches / channels;
    return outputs * (kernel / 2 + patches) < zones ? (kernel + 3) & ~3 : 0;
}

/* A window of one cell is a product: every position is a row. */
static int convolution_as_product(const struct arcq_convolution *c, const struct arcq_memory *memory, struct arcq_glue *glue)
{
    struct arcq_product p = {
        .rows = c->out.batches * c->out.rows * c->out.columns, .inputs = c->in.channels, .outputs = c->out.channels, .weights = c->weights, .sums = c->sums,
    };
    return arcq_prepare_product(&p, memory, glue);
}

/* Filters one behind the other, as those of a convolution, from such as lie beside each other. */
static const int8_t *behind(const struct arcq_memory *memory, const int8_t *weights, int32_t count, int32_t cells)
{
    int32_t bytes = count * cells;
    int8_t *filters = arcq_glue_take(memory, bytes, ARCQ_USE_WEIGHTS);
    if (!filters)
        filters = arcq_glue_take(memory, bytes, ARCQ_USE_TABLE);
    for (int32_t i = 0; filters && i < bytes; i++)
        filters[i % count * cells + i / count] = weights[i];
    return filters;
}

int arcq_prepare_convolution(const struct arcq_convolution *c, const struct arcq_memory *memory, struct arcq_glue *glue)
{
    const struct arcq_window *w = &c->window;
    int32_t cells = w->rows * w->columns, whole = cells * c->in.channels, first = c->depthwise && c->in.channels == 1;
    struct axis rows = axis(c->in.rows, c->out.rows, w->rows, w->stride_rows, w->pad_rows);
    struct axis columns = axis(c->in.columns, c->out.columns, w->columns, w->stride_columns, w->pad_columns);
    struct arcq_conv2d_params *p;
    struct arcq_channel *records;
    if (c->sums.halves || w->dilation_rows != 1 || w->dilation_columns != 1 || (c->depthwise ? !first && c->in.channels != c->out.channels : c->depth != c->in.channels))
        return arcq_prepare_sweep(c, memory, glue);
    if (!c->depthwise && cells == 1 && w->stride_rows == 1 && w->stride_columns == 1)
        return convolution_as_product(c, memory, glue);
    p = arcq_glue_begin(glue, memory, sizeof *p);
    records = arcq_glue_take(memory, c->out.channels * sizeof *records, ARCQ_USE_TABLE);
    if (!p || !records)
        return ARCQ_BAD_ARGUMENT;
    p->weights = first ? behind(memory, c->weights, c->out.channels, cells) : arcq_glue_placed(memory, c->weights, c->depthwise ? cells * c->out.channels : whole * c->out.channels);
    if (!p->weights)
        return ARCQ_BAD_ARGUMENT;
    if (c->depthwise)
        p->rare = channels(records, c->out.channels, c->weights, cells, 1, c->out.channels, &c->sums);
    else
        p->rare = channels(records, c->out.channels, c->weights, whole, whole, 1, &c->sums);
    p->channels = records;
    p->batches = c->in.batches;
    PUT_AXIS(p->rows, rows);
    PUT_AXIS(p->columns, columns);
    p->in_channels = c->in.channels;
    p->out_channels = c->out.channels;
    p->in_zero = c->sums.in_zero;
    p->out_zero = c->sums.out_zero;
    p->least = c->sums.limits.least;
    p->greatest = c->sums.limits.greatest;
    glue->scratch_bytes = convolution_scratch(c, &rows, &columns, p->rare);
    if (glue->scratch_bytes)
        glue->scratch = &p->scratch;
    glue->in = &p->in;
    glue->out = &p->out;
    glue->run = (arcq_function)arcq_depthwise_conv2d_s8;
    if (c->depthwise && !first)
        return ARCQ_OK;
    glue->run = (arcq_function)arcq_conv2d_s8;
    if (!glue->scratch_bytes && !(p->starts = zone_starts(memory, records, c->out.channels, p->weights, c->in.channels, &rows, &columns, c->sums.in_zero)))
        return ARCQ_BAD_ARGUMENT;
    return ARCQ_OK;
}

/* A product of halves is a convolution whose window and map have one cell. */
static int product_as_convolution(const struct arcq_product *c, const struct arcq_memory *memory, struct arcq_glue *glue)
{
    struct arcq_convolution w = {
        .in = {c->rows, 1, 1, c->inputs}, .out = {c->rows, 1, 1, c->outputs}, .window = {1, 1, 1, 1, 0, 0, 1, 1},
        .depth = c->inputs, .weights = c->weights, .sums = c->sums,
    };
    return c->weight_zero ? ARCQ_NOT_SUPPORTED : arcq_prepare_sweep(&w, memory, glue);
}

int arcq_prepare_product(const struct arcq_product *c, const struct arcq_memory *memory, struct arcq_glue *glue)
{
    struct arcq_fully_connected_params *p;
    struct arcq_channel *records;
    if (c->sums.halves)
        return product_as_convolution(c, memory, glue);
    p = arcq_glue_begin(glue, memory, sizeof *p);
    records = arcq_glue_take(memory, c->outputs * sizeof *records, ARCQ_USE_TABLE);
    if (!p || !records)
        return ARCQ_BAD_ARGUMENT;
    p->rare = channels(records, c->outputs, c->weights, c->inputs, c->inputs, 1, &c->sums);
    p->weights = arcq_glue_placed(memory, c->weights, c->inputs * c->outputs);
    p->channels = records;
    p->rows = c->rows;
    p->inputs = c->inputs;
    p->outputs = c->outputs;
    p->in_zero = c->sums.in_zero;
    p->weight_zero = c->weight_zero;
    p->out_zero = c->sums.out_zero;
    p->least = c->sums.limits.least;
    p->greatest = c->sums.limits.greatest;
    if (c->weight_zero)
        p->rare = 1;
    glue->in = &p->in;
    glue->out = &p->out;
    glue->run = (arcq_function)arcq_fully_connected_s8;
    return ARCQ_OK;
}
