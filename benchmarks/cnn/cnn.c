/* A small convolutional network on the MLI functions, written against the C headers and linked with
 * libmli_arcv2.a. It tells horizontal, vertical and diagonal lines in pictures of 8 x 8 pixels apart:
 *
 *     8x8 picture -> convolution 3x3, one line detector per kind, ReLU -> maximum of 2x2
 *                 -> mean of each detector -> fully connected -> softmax
 *
 * Values are fixed point: an element of a tensor with n fractional bits stands for element / 2^n. */
#include "mli_api.h"

enum { SIZE = 8, KINDS = 3, PICTURES = 6 };

static const char *const kinds[KINDS] = {"horizontal", "vertical", "diagonal"};

/* One character a pixel, and the kind the picture shows. */
static const struct {
    const char *pixels;
    int kind;
} pictures[PICTURES] = {
    {"........" "........" "########" "........" "........" "........" "........" "........", 0},
    {"...#...." "...#...." "...#...." "...#...." "...#...." "...#...." "...#...." "...#....", 1},
    {"#......." ".#......" "..#....." "...#...." "....#..." ".....#.." "......#." ".......#", 2},
    {"........" ".######." "........" "........" "........" ".######." "........" "........", 0},
    {".#....#." ".#....#." ".#....#." ".#....#." "......#." "......#." "......#." "........", 1},
    {"..#....." "...#...." "....#..." "#....#.." ".#....#." "..#....#" "...#...." "....#...", 2},
};

/* Detectors: 6 fractional bits, O,I,Kh,Kw. */
static const int8_t detectors[KINDS][1][3][3] = {
    {{{-16, -16, -16}, {32, 32, 32}, {-16, -16, -16}}},
    {{{-16, 32, -16}, {-16, 32, -16}, {-16, 32, -16}}},
    {{{32, -16, -16}, {-16, 32, -16}, {-16, -16, 32}}},
};
static const int8_t detector_bias[KINDS] = {-32, -32, -32};

/* Each kind speaks for itself and against the others: 5 fractional bits, O,I. */
static const int8_t vote[KINDS][KINDS] = {{96, -48, -48}, {-48, 96, -48}, {-48, -48, 96}};
static const int8_t vote_bias[KINDS] = {0, 0, 0};

/* start.s: writes to standard output. */
void write_text(const char *text, unsigned size);

static void print(const char *text)
{
    unsigned n = 0;
    while (text[n])
        n++;
    write_text(text, n);
}

static void print_number(int v)
{
    char digits[12];
    int n = sizeof digits;
    do
        digits[--n] = '0' + v % 10;
    while ((v /= 10) > 0);
    write_text(digits + n, sizeof digits - n);
}

/* Describes a tensor of 8-bit elements. The functions fill in the shapes of their outputs. */
static void tensor(mli_tensor *t, const void *data, unsigned bytes, int frac_bits)
{
    t->data = (void *)data;
    t->capacity = bytes;
    for (int i = 0; i < MLI_MAX_RANK; i++)
        t->mem_stride[i] = 0;
    t->el_type = MLI_EL_FX_8;
    t->el_params.fx.frac_bits = frac_bits;
}

static void shape(mli_tensor *t, unsigned rank, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    t->rank = rank;
    t->shape[0] = a;
    t->shape[1] = b;
    t->shape[2] = c;
    t->shape[3] = d;
}

/* Runs the network; returns the status of the first layer that refuses its arguments. */
static mli_status classify(const int8_t *picture, int8_t *probability)
{
    static int8_t lines[KINDS * SIZE * SIZE], pooled[KINDS * SIZE * SIZE / 4], means[KINDS], votes[KINDS];
    static const mli_conv2d_cfg conv = {{MLI_RELU_GEN}, 1, 1, 1, 1, 1, 1};
    static const mli_pool_cfg two = {2, 2, 2, 2, 0, 0, 0, 0}, all = {4, 4, 4, 4, 0, 0, 0, 0};
    mli_tensor in, w1, b1, w2, b2, t1, t2, t3, t4, out;

    tensor(&in, picture, SIZE * SIZE, 7);
    shape(&in, 3, 1, SIZE, SIZE, 0);
    tensor(&w1, detectors, sizeof detectors, 6);
    shape(&w1, 4, KINDS, 1, 3, 3);
    tensor(&b1, detector_bias, sizeof detector_bias, 6);
    shape(&b1, 1, KINDS, 0, 0, 0);
    tensor(&w2, vote, sizeof vote, 5);
    shape(&w2, 2, KINDS, KINDS, 0, 0);
    tensor(&b2, vote_bias, sizeof vote_bias, 5);
    shape(&b2, 1, KINDS, 0, 0, 0);
    tensor(&t1, lines, sizeof lines, 5);
    tensor(&t2, pooled, sizeof pooled, 0);
    tensor(&t3, means, sizeof means, 0);
    tensor(&t4, votes, sizeof votes, 5);
    tensor(&out, probability, KINDS, 7);

    mli_status s;

    if ((s = mli_krn_conv2d_chw_fx8(&in, &w1, &b1, &conv, &t1)) != MLI_STATUS_OK)
        return s;
    if ((s = mli_krn_maxpool_chw_fx8(&t1, &two, &t2)) != MLI_STATUS_OK)
        return s;
    if ((s = mli_krn_avepool_chw_fx8(&t2, &all, &t3)) != MLI_STATUS_OK)
        return s;
    if ((s = mli_krn_fully_connected_fx8(&t3, &w2, &b2, &t4)) != MLI_STATUS_OK)
        return s;
    return mli_krn_softmax_fx8(&t4, &out);
}

int main(void)
{
    int wrong = 0;
    for (int p = 0; p < PICTURES; p++) {
        int8_t picture[SIZE * SIZE], probability[KINDS];
        for (int i = 0; i < SIZE * SIZE; i++)
            picture[i] = pictures[p].pixels[i] == '#' ? 127 : 0;
        mli_status s = classify(picture, probability);
        if (s != MLI_STATUS_OK) {
            print("a layer refuses its arguments with status ");
            print_number(s);
            print("\n");
            return 100;
        }
        int best = 0;
        for (int k = 1; k < KINDS; k++)
            if (probability[k] > probability[best])
                best = k;
        print(kinds[best]);
        print(" ");
        print_number(probability[best] * 100 / 127);
        print(" %\n");
        wrong += best != pictures[p].kind;
    }
    return wrong;
}
