#include "arcq_glue_parts.h"

/* The part of a window that lies on the map for one cell of the output. */
struct part {
    int32_t in, filter, taps;
};

/* One axis of a convolution: elements from cell to cell of a map and of a filter. */
struct sweep_axis {
    struct axis window;
    int32_t dilation, map_step, filter_step;
    int32_t joined; /* taps lie side by side on the map and in the filter */
    int32_t kinds;  /* of parts */
};

static struct part part(const struct sweep_axis *a, int32_t o)
{
    int32_t d = a->dilation, at = o * a->window.stride - a->window.pad, from = most_of(0, (d - 1 - at) / d);
    struct part p = {at + from * d, from, least_of(a->window.kernel, (a->window.in - at + d - 1) / d) - from};
    if (at >= a->window.in || p.taps <= 0)
        p = (struct part){0, 0, 0};
    return p;
}

/* The cells of an axis. Their starts are the numbers of their kinds: cells that see the same part of the filter have one. */
static struct arcq_cell *cells(struct sweep_axis *a, const struct arcq_memory *memory, int32_t bytes, int32_t run, int32_t one_kind)
{
    struct arcq_cell *list = arcq_glue_take(memory, a->window.out * sizeof *list, ARCQ_USE_BLOCK);
    a->kinds = 0;
    for (int32_t o = 0; list && o < a->window.out; o++) {
        struct part p = part(a, o);
        struct arcq_cell *c = &list[o];
        int32_t same = 0, join = a->joined && p.taps > 0;
        c->in = p.in * a->map_step * bytes;
        c->weights = p.filter * a->filter_step;
        c->taps = join ? 1 : p.taps;
        c->run = join ? p.taps * run : run;
        while (same < o && !one_kind && (list[same].weights != c->weights || list[same].taps != c->taps || list[same].run != c->run))
            same++;
        c->starts = same < o ? list[same].starts : a->kinds++;
    }
    return list;
}

/* The sum of the weights of a channel that two parts of an axis see. */
static int32_t seen(const struct sweep_axis *rows, const struct sweep_axis *columns, const int8_t *weights, int32_t run, struct part row, struct part column)
{
    int32_t sum = 0;
    for (int32_t y = row.filter; y < row.filter + row.taps; y++)
        for (int32_t x = column.filter; x < column.filter + column.taps; x++)
            sum += arcq_glue_sum(weights + y * rows->filter_step + x * columns->filter_step, run, 1);
    return sum;
}

/* The start of a sum and its factor; false where no kernel takes the factor. */
static int put(void *at, const struct arcq_sums *s, int32_t channel, int32_t weights)
{
    int32_t k = s->per_channel ? channel : 0;
    if (s->wide) {
        struct arcq_wide_start *w = at;
        const uint32_t *bias = (const uint32_t *)s->bias + 2 * channel;
        w->start = s->bias ? bias[0] : 0;
        w->start_high = s->bias ? (int32_t)bias[1] : 0;
        w->multiplier = arcq_glue_short(s->multipliers[k]);
        w->shift = arcq_glue_wide_shift(s->shifts[k]);
        return s->shifts[k] <= ARCQ_GREATEST_WIDE_SHIFT;
    } else {
        struct arcq_start *n = at;
        n->start = (int32_t)((uint32_t)(s->bias ? ((const int32_t *)s->bias)[channel] : 0) - (uint32_t)s->in_zero * (uint32_t)weights);
        n->multiplier = s->multipliers[k];
        n->shift = arcq_glue_shift(s->multipliers[k], s->shifts[k]);
        return 1;
    }
}

/* The first cell of a kind. */
static int32_t first_of(const struct arcq_cell *list, int32_t kind)
{
    int32_t o = 0;
    while (list[o].starts != kind)
        o++;
    return o;
}

/* A convolution as tables see it. */
struct sweep {
    struct sweep_axis rows, columns;
    int32_t groups, depth, filter_step, bytes, record;
};

static void describe(struct sweep *s, const struct arcq_convolution *c)
{
    const struct arcq_window *w = &c->window;
    s->groups = c->depthwise ? c->in.channels : c->in.channels / c->depth;
    s->depth = c->depthwise ? 1 : c->depth;
    s->filter_step = c->depthwise ? 1 : w->rows * w->columns * c->depth;
    s->bytes = c->sums.halves ? 2 : 1;
    s->record = c->sums.wide ? sizeof(struct arcq_wide_start) : sizeof(struct arcq_start);
    s->columns.window = axis(c->in.columns, c->out.columns, w->columns, w->stride_columns, w->pad_columns);
    s->columns.dilation = w->dilation_columns;
    s->columns.map_step = c->in.channels;
    s->columns.filter_step = c->depthwise ? c->out.channels : c->depth;
    s->columns.joined = w->dilation_columns * s->columns.map_step == s->depth && s->columns.filter_step == s->depth;
    s->rows.window = axis(c->in.rows, c->out.rows, w->rows, w->stride_rows, w->pad_rows);
    s->rows.dilation = w->dilation_rows;
    s->rows.map_step = s->columns.map_step * c->in.columns;
    s->rows.filter_step = s->columns.filter_step * w->columns;
    s->rows.joined = 0;
}

/* The starts of all kinds of cells, every channel, and room for one more, which ports read; 0 without memory. Cells then say where those of their kind begin. */
static const void *starts(const struct arcq_convolution *c, struct sweep *s, struct arcq_cell *rows, struct arcq_cell *columns, const struct arcq_memory *memory, int32_t *fits)
{
    int32_t count = c->out.channels;
    char *table = arcq_glue_take(memory, (s->rows.kinds * s->columns.kinds * count + 1) * s->record, ARCQ_USE_TABLE), *at = table;
    for (int32_t y = 0; table && y < s->rows.kinds; y++)
        for (int32_t x = 0; x < s->columns.kinds; x++) {
            struct part row = part(&s->rows, first_of(rows, y)), column = part(&s->columns, first_of(columns, x));
            for (int32_t ch = 0; ch < count; ch++, at += s->record) {
                int32_t weights = c->sums.in_zero ? seen(&s->rows, &s->columns, c->weights + ch * s->filter_step, s->depth, row, column) : 0;
                *fits &= put(at, &c->sums, ch, weights);
            }
        }
    for (int32_t o = 0; o < c->out.rows; o++)
        rows[o].starts *= s->columns.kinds * count * s->record;
    for (int32_t o = 0; o < c->out.columns; o++)
        columns[o].starts *= count * s->record;
    return table;
}

/* Whether the sums of a channel keep to 32 bits, whatever data of 16 bits are. */
static int32_t is_short(const struct arcq_convolution *c, const struct sweep *s, int32_t channel)
{
    const int8_t *weights = c->weights + channel * s->filter_step;
    const uint32_t *bias = (const uint32_t *)c->sums.bias + 2 * channel;
    int64_t reach = 0;
    for (int32_t y = 0; y < c->window.rows; y++)
        for (int32_t x = 0; x < c->window.columns; x++)
            for (int32_t d = 0; d < s->depth; d++) {
                int32_t w = weights[y * s->rows.filter_step + x * s->columns.filter_step + d];
                reach += (w < 0 ? -w : w) << 15;
            }
    if (c->sums.bias && bias[1] != (bias[0] >> 31 ? ~0u : 0))
        return 0;
    if (c->sums.bias)
        reach += (int32_t)bias[0] < 0 ? -(int64_t)(int32_t)bias[0] : (int32_t)bias[0];
    return reach <= INT32_MAX;
}

/* How windows of short sums go by without AGU ports, CONVOLVE_HELD: where enough of a filter is on the map, and outputs and windows
 * make up for a copy. */
static int32_t held(const struct arcq_convolve_params *p, const struct sweep *s, const struct arcq_cell *rows, const struct arcq_cell *columns)
{
    int32_t windows = p->batches * p->row_count * p->column_count, whole = 0;
    int32_t filter = p->filter_step, size = (filter + 7) & ~7;
    for (int32_t y = 0; y < p->row_count; y++)
        for (int32_t x = 0; x < p->column_count; x++)
            whole += 2 * rows[y].taps * columns[x].taps * columns[x].run >= filter ? p->batches : 0;
    if (s->depth == 1 && p->group_outputs == 1 && filter == 1)
        return p->groups % 2 == 0 && (uintptr_t)p->weights % 2 == 0 && s->columns.window.kernel <= 7 ? 3 : 0;
    if (p->groups > 1 || p->group_outputs < 4 || 4 * whole < windows)
        return 0;
    if (filter == size && (uintptr_t)p->weights % 4 == 0)
        return 1;
    return windows >= 8 && size * p->group_outputs <= 3072 ? 2 : 0;
}

int arcq_prepare_sweep(const struct arcq_convolution *c, const struct arcq_memory *memory, struct arcq_glue *glue)
{
    struct sweep s;
    struct arcq_convolve_params *p = arcq_glue_begin(glue, memory, sizeof *p);
    struct arcq_cell *plane = arcq_glue_take(memory, sizeof *plane, ARCQ_USE_BLOCK), *rows, *columns;
    int32_t fits = 1;
    describe(&s, c);
    rows = cells(&s.rows, memory, s.bytes, s.depth, !c->sums.in_zero);
    columns = cells(&s.columns, memory, s.bytes, s.depth, !c->sums.in_zero);
    if (!p || !plane || !rows || !columns)
        return ARCQ_BAD_ARGUMENT;
    *plane = (struct arcq_cell){.taps = 1, .run = s.depth};
    p->starts = starts(c, &s, rows, columns, memory, &fits);
    if (!p->starts)
        return ARCQ_BAD_ARGUMENT;
    if (!fits || (c->sums.halves && c->sums.in_zero))
        return ARCQ_NOT_SUPPORTED;
    p->weights = arcq_glue_placed(memory, c->weights, c->window.rows * s.rows.filter_step * (c->depthwise ? 1 : c->out.channels));
    p->planes = plane;
    p->rows = rows;
    p->columns = columns;
    p->plane_count = 1;
    p->row_count = c->out.rows;
    p->column_count = c->out.columns;
    p->batches = c->in.batches;
    p->batch_step = c->in.rows * s.rows.map_step * s.bytes;
    p->groups = s.groups;
    p->group_outputs = c->out.channels / s.groups;
    p->group_step = s.depth * s.bytes;
    p->filter_step = s.filter_step;
    p->plane_in = p->batch_step;
    p->plane_weights = c->window.rows * s.rows.filter_step;
    p->row_in = s.rows.dilation * s.rows.map_step * s.bytes;
    p->row_weights = s.rows.filter_step;
    p->tap_in = s.columns.dilation * s.columns.map_step * s.bytes;
    p->tap_weights = s.columns.filter_step;
    p->out_zero = c->sums.out_zero;
    p->least = c->sums.limits.least;
    p->greatest = c->sums.limits.greatest;
    for (int32_t ch = 0; ch < (c->sums.per_channel ? c->out.channels : 1) && !c->sums.wide; ch++)
        p->rare |= !usual(arcq_glue_shift(c->sums.multipliers[ch], c->sums.shifts[ch]));
    p->rare |= c->sums.wide;
    for (int32_t ch = 0; ch < c->out.channels && c->sums.wide; ch++)
        p->rare &= is_short(c, &s, ch);
    if (c->sums.wide && p->rare)
        p->held = held(p, &s, rows, columns);
    glue->in = &p->in;
    glue->out = &p->out;
    glue->run = c->sums.wide ? (arcq_function)arcq_convolve_s16s8 : c->sums.halves ? (arcq_function)arcq_convolve_narrow_s16s8 : (arcq_function)arcq_convolve_s8;
    return ARCQ_OK;
}
