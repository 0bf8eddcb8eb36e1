/* A caller that has the kernels of MLI 1.1 write into slices of larger tensors. Each kernel writes once densely and then
 * into slices: inside a slice there must be the dense elements, everywhere else what was there before. main returns
 * the number of slices looked at, or -(1000 * kernel + 100 * map + 10 * place + what is wrong) of the first wrong one, kernels
 * counted from 1. */
#include "mli_api.h"

#define LENGTH(a) (sizeof(a) / sizeof(a[0]))

typedef mli_status (*conv_function)(const mli_tensor *, const mli_tensor *, const mli_tensor *, const mli_conv2d_cfg *, mli_tensor *);
typedef mli_status (*pool_function)(const mli_tensor *, const mli_pool_cfg *, mli_tensor *);

enum { FX8, FX16, FX8W16D, SA8 };
enum { CHW, HWC };

struct kernel {
    conv_function conv;
    pool_function pool;
    int type, order, depthwise;
};

static const struct kernel kernels[] = {
    {.conv = mli_krn_conv2d_hwc_fx8, .type = FX8, .order = HWC},
    {.conv = mli_krn_conv2d_hwc_fx16, .type = FX16, .order = HWC},
    {.conv = mli_krn_conv2d_hwc_fx8w16d, .type = FX8W16D, .order = HWC},
    {.conv = mli_krn_conv2d_nhwc_sa8_sa8_sa32, .type = SA8, .order = HWC},
    {.conv = mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32, .type = SA8, .order = HWC, .depthwise = 1},
    {.pool = mli_krn_avepool_chw_fx8, .type = FX8, .order = CHW},
    {.pool = mli_krn_avepool_chw_fx16, .type = FX16, .order = CHW},
    {.pool = mli_krn_avepool_hwc_fx8, .type = FX8, .order = HWC},
    {.pool = mli_krn_avepool_hwc_fx16, .type = FX16, .order = HWC},
    {.pool = mli_krn_avepool_hwc_sa8, .type = SA8, .order = HWC},
    {.pool = mli_krn_maxpool_chw_fx8, .type = FX8, .order = CHW},
    {.pool = mli_krn_maxpool_chw_fx16, .type = FX16, .order = CHW},
    {.pool = mli_krn_maxpool_hwc_fx8, .type = FX8, .order = HWC},
    {.pool = mli_krn_maxpool_hwc_fx16, .type = FX16, .order = HWC},
    {.pool = mli_krn_maxpool_hwc_sa8, .type = SA8, .order = HWC},
};

/* A map: rows, columns, channels in and out, the side of the window, its step, padding on all sides. */
static const struct map {
    int h, w, c, o, k, step, pad;
} maps[] = {
    {6, 7, 4, 3, 3, 1, 1},
    {12, 13, 8, 8, 3, 1, 1},
    {9, 8, 5, 6, 2, 2, 0},
    {7, 6, 8, 4, 1, 1, 0},
};

/* Where a slice lies in the larger tensor: elements before and behind it in each dimension. */
static const struct place {
    int before[3], behind[3];
} places[] = {
    {{0, 0, 0}, {0, 0, 5}},
    {{0, 0, 3}, {0, 0, 0}},
    {{1, 0, 0}, {1, 0, 0}},
    {{0, 2, 0}, {0, 1, 0}},
    {{1, 2, 3}, {1, 1, 2}},
};

#define MAX 8192
static int16_t input[MAX], weights[MAX], dense[MAX], larger[2 * MAX];
static int32_t bias[64], bias_scales[64], weight_scales[64];
static int16_t weight_zeros[64];

static uint32_t state = 1;

static int random(int bits)
{
    state = state * 1664525 + 1013904223;
    return (int32_t)state >> (32 - bits);
}

static int bytes_of(int type) { return type == FX8 || type == SA8 ? 1 : 2; }

static int at(const void *data, int bytes, int i) { return bytes == 1 ? ((const int8_t *)data)[i] : ((const int16_t *)data)[i]; }

static void fill(void *data, int bytes, int n, int bits)
{
    for (int i = 0; i < n; i++)
        if (bytes == 1)
            ((int8_t *)data)[i] = random(bits);
        else if (bytes == 2)
            ((int16_t *)data)[i] = random(bits);
        else
            ((int32_t *)data)[i] = random(bits);
}

static mli_tensor tensor(void *data, uint32_t capacity, int type, int frac)
{
    mli_tensor t = {.data = data, .capacity = capacity};
    t.el_type = type == FX8 ? MLI_EL_FX_8 : type == SA8 ? MLI_EL_ASYM_I8 : MLI_EL_FX_16;
    if (type != SA8) {
        t.el_params.fx.frac_bits = frac;
        return t;
    }
    t.el_params.asym.dim = -1;
    t.el_params.asym.zero_point.i16 = 3;
    t.el_params.asym.scale.i32 = 40 + frac;
    t.el_params.asym.scale_frac_bits = 10;
    return t;
}

static void shape(mli_tensor *t, int rank, int a, int b, int c, int d)
{
    t->rank = rank;
    t->shape[0] = a, t->shape[1] = b, t->shape[2] = c, t->shape[3] = d;
}

/* call runs a kernel on a map. */
static mli_status call(const struct kernel *k, const struct map *m, mli_tensor *out)
{
    int bytes = bytes_of(k->type), wtype = k->type == FX8W16D ? FX8 : k->type, outputs = k->depthwise ? m->c : m->o;
    mli_tensor in = tensor(input, sizeof input, k->type, 3);
    if (k->order == CHW)
        shape(&in, 3, m->c, m->h, m->w, 0);
    else
        shape(&in, 3, m->h, m->w, m->c, 0);
    fill(input, bytes, m->h * m->w * m->c, 6);
    if (k->pool) {
        mli_pool_cfg cfg = {m->k, m->k, m->step, m->step, m->pad, m->pad, m->pad, m->pad};
        return k->pool(&in, &cfg, out);
    }
    mli_conv2d_cfg cfg = {{MLI_RELU_NONE}, m->step, m->step, m->pad, m->pad, m->pad, m->pad};
    mli_tensor w = tensor(weights, sizeof weights, wtype, 4), b = tensor(bias, sizeof bias, wtype, 4);
    if (k->depthwise)
        shape(&w, 4, 1, m->k, m->k, m->c);
    else
        shape(&w, 4, outputs, m->k, m->k, m->c);
    shape(&b, 1, outputs, 0, 0, 0);
    fill(weights, bytes_of(wtype), outputs * m->k * m->k * m->c, 6);
    fill(bias, k->type == SA8 ? 4 : bytes_of(wtype), outputs, 6);
    if (k->type == SA8) {
        b.el_type = MLI_EL_ASYM_I32;
        for (int i = 0; i < outputs; i++) {
            weight_scales[i] = 30 + i;
            weight_zeros[i] = 0;
            bias_scales[i] = in.el_params.asym.scale.i32 * weight_scales[i];
        }
        w.el_params.asym.dim = k->depthwise ? 3 : 0;
        w.el_params.asym.scale.pi32 = weight_scales;
        w.el_params.asym.zero_point.pi16 = weight_zeros;
        b.el_params.asym.dim = 0;
        b.el_params.asym.scale.pi32 = bias_scales;
        b.el_params.asym.zero_point.pi16 = weight_zeros;
        b.el_params.asym.scale_frac_bits = 20;
    }
    return k->conv(&in, &w, &b, &cfg, out);
}

/* slice writes a call into a slice and compares; it returns 0 when all is well. */
static int slice(const struct kernel *k, const struct map *m, const struct place *p)
{
    int bytes = bytes_of(k->type), ground = 0x35, all[3], seed = state;
    mli_tensor whole = tensor(dense, sizeof dense, k->type, 2);
    if (call(k, m, &whole) != MLI_STATUS_OK || whole.rank != 3)
        return 1;
    for (int d = 0; d < 3; d++)
        all[d] = p->before[d] + whole.shape[d] + p->behind[d];
    for (int i = 0; i < all[0] * all[1] * all[2]; i++)
        if (bytes == 1)
            ((int8_t *)larger)[i] = ground;
        else
            larger[i] = ground;
    int first = (p->before[0] * all[1] + p->before[1]) * all[2] + p->before[2];
    int last = ((p->before[0] + whole.shape[0] - 1) * all[1] + p->before[1] + whole.shape[1] - 1) * all[2] + p->before[2] + whole.shape[2];
    mli_tensor out = tensor((char *)larger + first * bytes, (last - first) * bytes, k->type, 2);
    out.mem_stride[0] = all[1] * all[2], out.mem_stride[1] = all[2], out.mem_stride[2] = 1;
    state = seed;
    if (call(k, m, &out) != MLI_STATUS_OK || out.rank != 3 || out.el_type != whole.el_type)
        return 2;
    if (out.mem_stride[0] != all[1] * all[2] || out.mem_stride[1] != all[2] || out.mem_stride[2] != 1)
        return 3;
    for (int d = 0; d < 3; d++)
        if (out.shape[d] != whole.shape[d])
            return 4;
    for (int x = 0; x < all[0]; x++)
        for (int y = 0; y < all[1]; y++)
            for (int z = 0; z < all[2]; z++) {
                int a = x - p->before[0], b = y - p->before[1], c = z - p->before[2], want = ground;
                if (a >= 0 && a < (int)out.shape[0] && b >= 0 && b < (int)out.shape[1] && c >= 0 && c < (int)out.shape[2])
                    want = at(dense, bytes, (a * whole.shape[1] + b) * whole.shape[2] + c);
                if (at(larger, bytes, (x * all[1] + y) * all[2] + z) != want)
                    return 5;
            }
    out.capacity--; /* one byte less does not hold the slice */
    if (call(k, m, &out) != MLI_STATUS_NOT_ENGH_MEM)
        return 6;
    out.capacity++, out.mem_stride[2] = 2; /* neighbours are neighbours */
    return call(k, m, &out) == MLI_STATUS_INCOMPATEBLE_TENSORS ? 0 : 7;
}

int main(void)
{
    int done = 0;
    for (unsigned k = 0; k < LENGTH(kernels); k++)
        for (unsigned m = 0; m < LENGTH(maps); m++)
            for (unsigned p = 0; p < LENGTH(places); p++, done++) {
                int wrong = slice(&kernels[k], &maps[m], &places[p]);
                if (wrong)
                    return -(int)(1000 * (k + 1) + 100 * m + 10 * p + wrong);
            }
    return done;
}
