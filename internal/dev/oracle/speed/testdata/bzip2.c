/* Text is compressed and expanded again by bzip2. */
#include "common.h"
#include "bzlib.h"

enum { SIZE = 64 << 10, ROUNDS = 2 };
static uint8_t in[SIZE], packed[SIZE + 2048], out[SIZE];

void bz_internal_error(int code) { exit(code & 255); }

int main(void)
{
    uint32_t h = 0;
    for (int i = 0; i < ROUNDS; i++) {
        unsigned n = sizeof packed, m = SIZE;
        text(in, SIZE);
        if (BZ2_bzBuffToBuffCompress((char *)packed, &n, (char *)in, SIZE, 1, 0, 30) ||
            BZ2_bzBuffToBuffDecompress((char *)out, &m, (char *)packed, n, 0, 0) || memcmp(in, out, SIZE)) return 1;
        h = h * 31 + sum(packed, n);
    }
    printf("%08x\n", (unsigned)h);
    return 0;
}
