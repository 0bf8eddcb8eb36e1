/* Functions of MLI 1.1 as a compiler makes them: elementwise operators, rectifiers, movement, dense layers and a
 * pooling operator, which read of their outputs what callers give: the element type and the strides. They leave
 * copying, clearing and arithmetic of 64 bits to the run-time library; products are those of product.s, which
 * wants DSP_CTRL preset and misaligned words allowed. */
#include "mli_api.h"

void *memcpy(void *to, const void *from, unsigned n);
void *memset(void *to, int c, unsigned n);

static unsigned count(const mli_tensor *t)
{
    unsigned n = 1;
    for (unsigned d = 0; d < t->rank; d++)
        n *= t->shape[d];
    return n;
}

static void describe(mli_tensor *out, const mli_tensor *like, mli_element_type type)
{
    out->rank = like->rank ? like->rank : 1;
    for (unsigned d = 0; d < out->rank; d++) {
        out->shape[d] = like->rank ? like->shape[d] : 1;
        out->mem_stride[d] = 0;
    }
    out->el_type = type;
}

/* The elements of an operand, and the step from one to the next: a scalar is read again and again. */
static const void *operand(const mli_tensor *t, unsigned *step)
{
    *step = count(t) > 1;
    return t->rank ? t->data : (const void *)&t->data;
}

#define ELTWISE(name, type, number, lo, hi, expr)                                             \
    mli_status mli_krn_eltwise_##name(const mli_tensor *in1, const mli_tensor *in2,            \
                                      mli_tensor *out)                                         \
    {                                                                                          \
        unsigned sa, sb;                                                                       \
        const type *a = operand(in1, &sa), *b = operand(in2, &sb);                             \
        type first = *a, second = *b; /* the output may lie over a scalar */                   \
        const mli_tensor *shape = sa ? in1 : in2;                                              \
        unsigned n = count(shape);                                                             \
        int frac = in1->el_params.fx.frac_bits;                                                \
        type *to = out->data;                                                                  \
        describe(out, shape, number);                                                          \
        out->el_params.fx.frac_bits = frac;                                                    \
        for (unsigned i = 0; i < n; i++) {                                                     \
            int x = sa ? a[i] : first, y = sb ? b[i] : second;                                 \
            int v = expr;                                                                      \
            to[i] = v < lo ? lo : v > hi ? hi : v;                                             \
        }                                                                                      \
        return MLI_STATUS_OK;                                                                  \
    }

ELTWISE(add_fx8, int8_t, MLI_EL_FX_8, -128, 127, x + y)
ELTWISE(add_fx16, int16_t, MLI_EL_FX_16, -32768, 32767, x + y)
ELTWISE(sub_fx8, int8_t, MLI_EL_FX_8, -128, 127, x - y)
ELTWISE(min_fx16, int16_t, MLI_EL_FX_16, -32768, 32767, x < y ? x : y)
ELTWISE(max_fx8, int8_t, MLI_EL_FX_8, -128, 127, x > y ? x : y)

/* Products of n pairs, of which shift bits are dropped (product.s). */
void product(const int16_t *a, const int16_t *b, int16_t *to, unsigned n, int shift);

mli_status mli_krn_eltwise_mul_fx16(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out)
{
    unsigned sa, sb;
    const int16_t *a = operand(in1, &sa), *b = operand(in2, &sb);
    const mli_tensor *shape = sa ? in1 : in2;
    unsigned n = count(shape);
    int shift = in1->el_params.fx.frac_bits + in2->el_params.fx.frac_bits - out->el_params.fx.frac_bits;
    int16_t *to = out->data;
    int16_t first = *a, second = *b;
    describe(out, shape, MLI_EL_FX_16);
    if (n == 1 || (sa && sb)) {
        product(a, b, to, n, shift);
        return MLI_STATUS_OK;
    }
    for (unsigned i = 0; i < n; i++)
        product(sa ? a + i : &first, sb ? b + i : &second, to + i, 1, shift);
    return MLI_STATUS_OK;
}

/* x without its lowest bits, rounded to the nearest, ties to even. */
static int64_t drop(int64_t x, int bits)
{
    if (bits <= 0)
        return x << (bits < -40 ? 40 : -bits);
    if (bits > 62)
        return 0;
    int64_t half = (int64_t)1 << (bits - 1), y = x >> bits, rest = x - (y << bits);
    return y + (rest > half || (rest == half && (y & 1)));
}

static int dense_step(const mli_tensor *out)
{
    return out->mem_stride[0] ? out->mem_stride[0] : 1;
}

#define DENSE(name, type, wtype, number, lo, hi)                                              \
    mli_status mli_krn_fully_connected_##name(const mli_tensor *in, const mli_tensor *weights, \
                                              const mli_tensor *bias, mli_tensor *out)         \
    {                                                                                          \
        const type *x = in->data;                                                              \
        const wtype *w = weights->data, *b = bias->data;                                       \
        unsigned n = count(in), rows = bias->shape[0];                                         \
        unsigned step = weights->mem_stride[0] ? (unsigned)weights->mem_stride[0] : n;         \
        int bits = in->el_params.fx.frac_bits + weights->el_params.fx.frac_bits;               \
        int up = bits - bias->el_params.fx.frac_bits, down = bits - out->el_params.fx.frac_bits; \
        type *to = out->data;                                                                  \
        if (out->el_type != number)                                                            \
            return MLI_STATUS_TYPE_MISMATCH;                                                   \
        for (unsigned o = 0; o < rows; o++) {                                                  \
            int64_t sum = (int64_t)b[o] << up;                                                 \
            for (unsigned i = 0; i < n; i++)                                                   \
                sum += (int)x[i] * w[o * step + i];                                            \
            sum = drop(sum, down);                                                             \
            to[o * dense_step(out)] = sum < lo ? lo : sum > hi ? hi : sum;                     \
        }                                                                                      \
        out->rank = 1;                                                                         \
        out->shape[0] = rows;                                                                  \
        return MLI_STATUS_OK;                                                                  \
    }

DENSE(fx8, int8_t, int8_t, MLI_EL_FX_8, -128, 127)
DENSE(fx8w16d, int16_t, int8_t, MLI_EL_FX_16, -32768, 32767)

mli_status mli_krn_concat_fx8(const mli_tensor **in, const mli_concat_cfg *cfg, mli_tensor *out)
{
    unsigned outer = 1, at = 0, along = 0, axis = cfg->axis;
    char *to = out->data;
    for (unsigned d = 0; d < axis; d++)
        outer *= in[0]->shape[d];
    for (unsigned o = 0; o < outer; o++)
        for (unsigned i = 0; i < cfg->tensors_num; i++) {
            unsigned run = count(in[i]) / outer;
            memcpy(to + at, (const char *)in[i]->data + o * run, run);
            at += run;
        }
    for (unsigned i = 0; i < cfg->tensors_num; i++)
        along += in[i]->shape[axis];
    describe(out, in[0], MLI_EL_FX_8);
    out->shape[axis] = along;
    out->el_params.fx.frac_bits = in[0]->el_params.fx.frac_bits;
    return MLI_STATUS_OK;
}

mli_status mli_krn_padding2d_chw_fx8(const mli_tensor *in, const mli_padding2d_cfg *cfg, mli_tensor *out)
{
    unsigned c = in->shape[0], h = in->shape[1], w = in->shape[2];
    unsigned oh = h + cfg->padding_top + cfg->padding_bottom, ow = w + cfg->padding_left + cfg->padding_right;
    const char *from = in->data;
    char *to = out->data;
    memset(to, 0, c * oh * ow);
    for (unsigned k = 0; k < c; k++)
        for (unsigned y = 0; y < h; y++)
            memcpy(to + (k * oh + y + cfg->padding_top) * ow + cfg->padding_left, from + (k * h + y) * w, w);
    describe(out, in, MLI_EL_FX_8);
    out->shape[1] = oh;
    out->shape[2] = ow;
    out->el_params.fx.frac_bits = in->el_params.fx.frac_bits;
    return MLI_STATUS_OK;
}

/* The mean as MLI 1.1 defines it: by a truncated reciprocal of 15 bits. */
mli_status mli_krn_avepool_chw_fx8(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out)
{
    int c = in->shape[0], h = in->shape[1], w = in->shape[2];
    int row = in->mem_stride[1] ? in->mem_stride[1] : w, plane = in->mem_stride[0] ? in->mem_stride[0] : h * row;
    int oh = (h + cfg->padding_top + cfg->padding_bottom - cfg->kernel_height) / cfg->stride_height + 1;
    int ow = (w + cfg->padding_left + cfg->padding_right - cfg->kernel_width) / cfg->stride_width + 1;
    int out_row = out->mem_stride[1] ? out->mem_stride[1] : ow;
    int out_plane = out->mem_stride[0] ? out->mem_stride[0] : oh * out_row;
    const int8_t *from = in->data;
    int8_t *to = out->data;
    for (int k = 0; k < c; k++)
        for (int oy = 0; oy < oh; oy++)
            for (int ox = 0; ox < ow; ox++) {
                int sum = 0;
                unsigned taps = 0;
                for (int y = oy * cfg->stride_height - cfg->padding_top, i = 0; i < cfg->kernel_height; i++, y++)
                    for (int x = ox * cfg->stride_width - cfg->padding_left, j = 0; j < cfg->kernel_width; j++, x++)
                        if (y >= 0 && y < h && x >= 0 && x < w) {
                            sum += from[k * plane + y * row + x];
                            taps++;
                        }
                uint32_t v = ((uint64_t)1 << 63) / ((uint64_t)taps << 32);
                int up = 0;
                while (!(v >> 31)) {
                    v <<= 1;
                    up++;
                }
                int64_t mean = drop((int64_t)sum * (v >> 17), 14 + up);
                to[k * out_plane + oy * out_row + ox] = mean < -128 ? -128 : mean > 127 ? 127 : mean;
            }
    out->rank = 3;
    out->el_type = MLI_EL_FX_8;
    out->shape[0] = c;
    out->shape[1] = oh;
    out->shape[2] = ow;
    out->el_params.fx.frac_bits = in->el_params.fx.frac_bits;
    return MLI_STATUS_OK;
}
