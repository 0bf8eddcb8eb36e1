#include "arcq_glue_parts.h"

int arcq_prepare_svdf(const struct arcq_svdf *c, const struct arcq_memory *memory, struct arcq_glue *glue)
{
    struct arcq_svdf_params *p = arcq_glue_begin(glue, memory, sizeof *p);
    int32_t *features = arcq_glue_take(memory, c->filters * sizeof *features, ARCQ_USE_TABLE), *times = arcq_glue_take(memory, c->outputs * sizeof *times, ARCQ_USE_TABLE);
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
    p->weights_feature = arcq_glue_placed(memory, c->weights_feature, c->filters * c->inputs);
    p->weights_time = arcq_glue_placed(memory, c->weights_time, c->filters * c->cells * size);
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
    p->feature_shift = arcq_glue_shift(c->feature_multiplier, c->feature_shift);
    p->time_multiplier = c->time_multiplier;
    p->time_shift = arcq_glue_shift(c->time_multiplier, c->time_shift);
    glue->in = (const void **)&p->in;
    glue->state = &p->state;
    glue->out = (void **)&p->out;
    glue->run = c->halves ? (arcq_function)arcq_svdf_s16s8 : (arcq_function)arcq_svdf_s8;
    return ARCQ_OK;
}

/* The starts of one product of a gate. Those of halves have 64 bits and no zero point. */
static const void *gate_starts(const struct arcq_lstm *c, const struct arcq_memory *memory, const int8_t *weights, int32_t count, const void *bias, int32_t zero)
{
    int32_t words = c->halves ? 2 : 1;
    int32_t *list = arcq_glue_take(memory, c->units * words * sizeof *list, ARCQ_USE_TABLE);
    for (int32_t i = 0; list && i < c->units * words; i++)
        list[i] = bias ? ((const int32_t *)bias)[i] : 0;
    for (int32_t u = 0; list && zero && u < c->units; u++)
        list[u] = (int32_t)((uint32_t)list[u] - (uint32_t)zero * (uint32_t)arcq_glue_sum(weights + u * count, count, 1));
    return list;
}

/* A factor of a gate as kernels take it; false where they do not. */
static int gate_factor(const struct arcq_lstm *c, int32_t multiplier, int32_t shift, int32_t *to, int32_t *word)
{
    *to = c->halves ? arcq_glue_short(multiplier) : multiplier;
    *word = c->halves ? arcq_glue_wide_shift(shift) : arcq_glue_shift(multiplier, shift);
    return !c->halves || shift <= ARCQ_GREATEST_WIDE_SHIFT;
}

static int gates(const struct arcq_lstm *c, const struct arcq_memory *memory, struct arcq_gate *to)
{
    int fits = 1;
    for (int g = 0; g < ARCQ_GATES; g++, to++) {
        to->starts = gate_starts(c, memory, c->gates[g].weights, c->inputs, c->gates[g].bias, c->in_zero);
        to->recurrent_starts = gate_starts(c, memory, c->gates[g].recurrent, c->units, 0, c->hidden_zero);
        if (!to->starts || !to->recurrent_starts)
            return ARCQ_BAD_ARGUMENT;
        to->weights = arcq_glue_placed(memory, c->gates[g].weights, c->units * c->inputs);
        to->recurrent_weights = arcq_glue_placed(memory, c->gates[g].recurrent, c->units * c->units);
        fits &= gate_factor(c, c->gates[g].multiplier, c->gates[g].shift, &to->multiplier, &to->shift);
        fits &= gate_factor(c, c->gates[g].recurrent_multiplier, c->gates[g].recurrent_shift, &to->recurrent_multiplier, &to->recurrent_shift);
    }
    return fits ? ARCQ_OK : ARCQ_NOT_SUPPORTED;
}

int arcq_prepare_lstm(const struct arcq_lstm *c, const struct arcq_memory *memory, struct arcq_glue *glue)
{
    enum { ENTRIES = 256 };
    struct arcq_lstm_params *p = arcq_glue_begin(glue, memory, sizeof *p);
    struct arcq_gate *list = arcq_glue_take(memory, ARCQ_GATES * sizeof *list, ARCQ_USE_BLOCK);
    uint16_t *logistic = arcq_glue_take(memory, (ENTRIES + 1) * sizeof *logistic, ARCQ_USE_TABLE);
    int32_t bytes = c->halves ? 2 : 1, down = 12 + c->cell_power, status;
    if (!p || !list || !logistic)
        return ARCQ_BAD_ARGUMENT;
    if (c->halves && (c->in_zero || c->hidden_zero))
        return ARCQ_NOT_SUPPORTED;
    status = gates(c, memory, list);
    if (status)
        return status;
    for (int32_t i = 0; i <= ENTRIES; i++)
        logistic[i] = c->logistic[least_of(i, ENTRIES - 1)];
    p->gates = list;
    p->table = logistic;
    p->batches = c->batches;
    p->steps = c->steps;
    p->inputs = c->inputs;
    p->units = c->units;
    p->batch_in = (c->time_major ? 1 : c->steps) * c->inputs * bytes;
    p->step_in = (c->time_major ? c->batches : 1) * c->inputs * bytes;
    p->batch_out = (c->time_major ? 1 : c->steps) * c->units * bytes;
    p->step_out = (c->time_major ? c->batches : 1) * c->units * bytes;
    p->hidden_zero = c->hidden_zero;
    p->cell_least = c->clip ? -c->clip : INT16_MIN;
    p->cell_greatest = c->clip ? c->clip : INT16_MAX;
    p->keep_multiplier = c->keep_multiplier;
    p->keep_shift = arcq_glue_shift(c->keep_multiplier, c->keep_shift);
    p->take_multiplier = c->take_multiplier;
    p->take_shift = arcq_glue_shift(c->take_multiplier, c->take_shift);
    p->hidden_multiplier = c->hidden_multiplier;
    p->hidden_shift = arcq_glue_shift(c->hidden_multiplier, c->hidden_shift);
    p->tanh_multiplier = down >= 0 ? 3 << down : 3;
    p->tanh_shift = down >= 0 ? 0 : -down;
    glue->in = &p->in;
    glue->state = &p->hidden;
    glue->cell = (void **)&p->cell;
    glue->scratch = (void **)&p->arguments;
    glue->scratch_bytes = ARCQ_GATES * c->units * sizeof *p->arguments;
    glue->out = &p->out;
    glue->run = c->halves ? (arcq_function)arcq_lstm_s16s8 : (arcq_function)arcq_lstm_s8;
    return ARCQ_OK;
}
