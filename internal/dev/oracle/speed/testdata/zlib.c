/* Text is compressed and expanded again by zlib. */
#include "common.h"
#include "zlib.h"

enum { SIZE = 96 << 10, ROUNDS = 3 };
static uint8_t in[SIZE], packed[SIZE + 1024], out[SIZE];

static void *take(void *opaque, unsigned n, unsigned size) { return calloc(n, size); }
static void give(void *opaque, void *p) { free(p); }

int main(void)
{
    uint32_t h = 0;
    for (int i = 0; i < ROUNDS; i++) {
        z_stream d = {.zalloc = take, .zfree = give, .next_in = in, .avail_in = SIZE, .next_out = packed, .avail_out = sizeof packed};
        z_stream e = {.zalloc = take, .zfree = give, .next_in = packed, .next_out = out, .avail_out = SIZE};
        text(in, SIZE);
        if (deflateInit(&d, 5 + i) || deflate(&d, Z_FINISH) != Z_STREAM_END || deflateEnd(&d)) return 1;
        e.avail_in = d.total_out;
        if (inflateInit(&e) || inflate(&e, Z_FINISH) != Z_STREAM_END || inflateEnd(&e) || memcmp(in, out, SIZE)) return 1;
        h = h * 31 + sum(packed, d.total_out);
    }
    printf("%08x\n", (unsigned)h);
    return 0;
}
