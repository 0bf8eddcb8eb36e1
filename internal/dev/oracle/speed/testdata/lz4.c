/* Text is compressed and expanded again by lz4. */
#include "common.h"
#include "lz4.h"

enum { SIZE = 192 << 10, ROUNDS = 8 };
static uint8_t in[SIZE], packed[SIZE + SIZE / 128 + 64], out[SIZE];

int main(void)
{
    uint32_t h = 0;
    for (int i = 0; i < ROUNDS; i++) {
        text(in, SIZE);
        int n = LZ4_compress_default((char *)in, (char *)packed, SIZE, sizeof packed);
        if (n <= 0 || LZ4_decompress_safe((char *)packed, (char *)out, n, SIZE) != SIZE || memcmp(in, out, SIZE)) return 1;
        h = h * 31 + sum(out, SIZE);
    }
    printf("%08x\n", (unsigned)h);
    return 0;
}
