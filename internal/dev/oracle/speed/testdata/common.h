/* What the programs share: input that looks like text, a checksum, and its output. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t seed = 1;
static inline uint32_t next(void) { return (seed = seed * 1664525u + 1013904223u) >> 8; }

/* Words of 512, the first of them more often, with some numbers between them. */
static void text(uint8_t *p, unsigned n)
{
    static char words[512][12];
    uint8_t *end = p + n;
    for (unsigned i = 0; i < 512; i++)
        for (unsigned k = 0, len = 2 + next() % 9; k < len; k++) words[i][k] = 'a' + next() % 26;
    while (p < end) {
        const char *w = words[next() & next() & 511];
        if (next() % 16 == 0) *p++ = '0' + next() % 10;
        while (*w && p < end) *p++ = *w++;
        if (p < end) *p++ = next() % 12 ? ' ' : '\n';
    }
}

static uint32_t sum(const void *d, unsigned n)
{
    const uint8_t *p = d;
    uint32_t h = 2166136261u;
    while (n--) h = (h ^ *p++) * 16777619u;
    return h;
}
