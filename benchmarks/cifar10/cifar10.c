/* A network of the shapes of embARC's CIFAR-10 example on the functions of MLI 2.0, linked with libmli2_arcv2.a:
 *
 *     32x32x3 -> convolution 5x5, 32 -> maximum 3x3 / 2 -> convolution 5x5, 16 -> mean 3x3 / 2
 *             -> convolution 5x5, 32 -> mean 3x3 / 2 -> fully connected, 10 -> softmax
 *
 * Weights, input and formats are in cifar10_data.h, which comes from a seeded generator. AFFINE chooses sa8 in place of
 * fx16. The program writes every output of the last two layers as a line. */
#include "mli_api.h"
#include "cifar10_data.h"

#if AFFINE
typedef int8_t element;
typedef int32_t sum;
#define FUNCTION(name) mli_krn_##name##_sa8_sa8_sa32
#define PLAIN(name) mli_krn_##name##_sa8
static const mli_element_type EL_DATA = MLI_EL_SA_8, EL_SUM = MLI_EL_SA_32;
#else
typedef int16_t element;
typedef int16_t sum;
#define FUNCTION(name) mli_krn_##name##_fx16
#define PLAIN(name) mli_krn_##name##_fx16
static const mli_element_type EL_DATA = MLI_EL_FX_16, EL_SUM = MLI_EL_FX_16;
#endif

static const element input[] = {INPUT};
static const element weights1[] = {WEIGHTS1}, weights2[] = {WEIGHTS2}, weights3[] = {WEIGHTS3}, weights4[] = {WEIGHTS4};
static const sum bias1[] = {BIAS1}, bias2[] = {BIAS2}, bias3[] = {BIAS3}, bias4[] = {BIAS4};
static element maps[2][32 * 32 * 32];
static int16_t samples[358];

/* start.s: writes to standard output. */
void write_text(const char *text, unsigned size);

/* What GCC calls for structures, where there is no C library. */
void *memcpy(void *to, const void *from, unsigned n)
{
    volatile char *t = to;
    const char *f = from;
    while (n--)
        *t++ = *f++;
    return to;
}

void *memset(void *to, int value, unsigned n)
{
    volatile char *t = to;
    while (n--)
        *t++ = value;
    return to;
}

static void print_number(int v)
{
    char text[12];
    int n = sizeof text, negative = v < 0;
    text[--n] = '\n';
    if (negative)
        v = -v;
    do
        text[--n] = '0' + v % 10;
    while ((v /= 10) > 0);
    if (negative)
        text[--n] = '-';
    write_text(text + n, sizeof text - n);
}

/* Describes a tensor with one format, without holes. */
static mli_tensor tensor(const void *data, mli_element_type type, unsigned size, int frac, int zero, unsigned rank,
                         unsigned a, unsigned b, unsigned c, unsigned d)
{
    mli_tensor t = {.rank = rank, .shape = {a, b, c, d}, .el_type = type};
    unsigned n = 1;
    for (unsigned i = 0; i < rank; i++)
        n *= t.shape[i];
    t.data.capacity = n * size;
    t.data.mem.pi8 = (int8_t *)data;
    mli_hlp_set_tensor_mem_strides(&t);
    if (type & 0x100) {
        t.el_params.sa.dim = -1;
        t.el_params.sa.scale.mem.i16 = type == MLI_EL_SA_32 ? SCALE * SCALE : SCALE;
        t.el_params.sa.scale_frac_bits.mem.i8 = frac;
        t.el_params.sa.zero_point.mem.i16 = zero;
    } else {
        t.el_params.fx.frac_bits = frac;
    }
    return t;
}

static mli_tensor map(int i, int frac, int zero, unsigned h, unsigned w, unsigned c)
{
    return tensor(maps[i], EL_DATA, sizeof(element), frac, zero, 3, h, w, c, 0);
}

static void show(const mli_tensor *t)
{
    for (unsigned i = 0; i < t->shape[0]; i++)
        print_number(((const element *)t->data.mem.pi8)[i]);
}

#define CHECK(call)             \
    do {                        \
        int status = (call);    \
        if (status)             \
            return status;      \
    } while (0)

int main(void)
{
    const mli_conv2d_cfg conv = {.relu = {MLI_RELU_GEN}, .stride_width = 1, .stride_height = 1, .padding_left = 2,
        .padding_right = 2, .padding_top = 2, .padding_bottom = 2, .dilation_width = 1, .dilation_height = 1};
    const mli_pool_cfg pool = {.kernel_width = 3, .kernel_height = 3, .stride_width = 2, .stride_height = 2,
        .padding_right = 1, .padding_bottom = 1};
    const mli_fully_connected_cfg dense = {{MLI_RELU_NONE}};
    const mli_softmax_cfg whole = {-1};
    mli_lut table = {.data = {.capacity = sizeof samples, .mem = {.pi16 = samples}}};

    mli_tensor in = tensor(input, EL_DATA, sizeof(element), DATA_FRAC, DATA_ZERO, 3, 32, 32, 3, 0);
    mli_tensor w = tensor(weights1, EL_DATA, sizeof(element), WEIGHT_FRAC, 0, 4, 5, 5, 3, 32);
    mli_tensor b = tensor(bias1, EL_SUM, sizeof(sum), BIAS_FRAC, 0, 1, 32, 0, 0, 0);
    mli_tensor x = map(0, DATA_FRAC, DATA_ZERO, 32, 32, 32);
    CHECK(FUNCTION(conv2d_hwcn)(&in, &w, &b, &conv, &x));
    mli_tensor y = map(1, DATA_FRAC, DATA_ZERO, 16, 16, 32);
    CHECK(PLAIN(maxpool_hwc)(&x, &pool, &y));

    w = tensor(weights2, EL_DATA, sizeof(element), WEIGHT_FRAC, 0, 4, 5, 5, 32, 16);
    b = tensor(bias2, EL_SUM, sizeof(sum), BIAS_FRAC, 0, 1, 16, 0, 0, 0);
    x = map(0, DATA_FRAC, DATA_ZERO, 16, 16, 16);
    CHECK(FUNCTION(conv2d_hwcn)(&y, &w, &b, &conv, &x));
    y = map(1, DATA_FRAC, DATA_ZERO, 8, 8, 16);
    CHECK(PLAIN(avepool_hwc)(&x, &pool, &y));

    w = tensor(weights3, EL_DATA, sizeof(element), WEIGHT_FRAC, 0, 4, 5, 5, 16, 32);
    b = tensor(bias3, EL_SUM, sizeof(sum), BIAS_FRAC, 0, 1, 32, 0, 0, 0);
    x = map(0, DATA_FRAC, DATA_ZERO, 8, 8, 32);
    CHECK(FUNCTION(conv2d_hwcn)(&y, &w, &b, &conv, &x));
    y = map(1, DATA_FRAC, DATA_ZERO, 4, 4, 32);
    CHECK(PLAIN(avepool_hwc)(&x, &pool, &y));

    w = tensor(weights4, EL_DATA, sizeof(element), WEIGHT_FRAC, 0, 2, 512, 10, 0, 0);
    b = tensor(bias4, EL_SUM, sizeof(sum), BIAS_FRAC, 0, 1, 10, 0, 0, 0);
    x = tensor(maps[0], EL_DATA, sizeof(element), DATA_FRAC, DATA_ZERO, 1, 10, 0, 0, 0);
    CHECK(FUNCTION(fully_connected)(&y, &w, &b, &dense, &x));
    show(&x);
    y = tensor(maps[1], EL_DATA, sizeof(element), DATA_FRAC, DATA_ZERO, 1, 10, 0, 0, 0);
    CHECK(mli_krn_softmax_create_lut(&table));
    CHECK(PLAIN(softmax)(&x, &table, &whole, &y));
    show(&y);
    return 0;
}
