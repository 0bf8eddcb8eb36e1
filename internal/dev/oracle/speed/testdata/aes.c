/* AES-128 in counter mode with tables for a round, after FIPS 197. */
#include "common.h"

enum { SIZE = 64 << 10, ROUNDS = 24 };
static uint8_t box[256], data[SIZE];
static uint32_t table[4][256], keys[44];

static uint8_t twice(uint8_t x) { return x << 1 ^ (x >> 7) * 0x1b; }
static uint32_t turn(uint32_t x, int n) { return x << n | x >> (32 - n); }

static void tables(void)
{
    uint8_t p = 1, q = 1;
    do { /* p goes through all powers of 3, q through their inverses */
        p ^= twice(p);
        q ^= q << 1;
        q ^= q << 2;
        q ^= q << 4;
        if (q & 0x80) q ^= 0x09;
        box[p] = q ^ (uint8_t)(q << 1 | q >> 7) ^ (uint8_t)(q << 2 | q >> 6) ^ (uint8_t)(q << 3 | q >> 5) ^ (uint8_t)(q << 4 | q >> 4) ^ 0x63;
    } while (p != 1);
    box[0] = 0x63;
    for (int i = 0; i < 256; i++) {
        uint32_t s = box[i], d = twice(box[i]), t = d << 24 | s << 16 | s << 8 | (d ^ s);
        for (int k = 0; k < 4; k++) table[k][i] = turn(t, 32 - 8 * k);
    }
}

static uint32_t substitute(uint32_t x)
{
    return (uint32_t)box[x >> 24] << 24 | (uint32_t)box[x >> 16 & 255] << 16 | (uint32_t)box[x >> 8 & 255] << 8 | box[x & 255];
}

static void expand(const uint32_t key[4])
{
    uint8_t r = 1;
    memcpy(keys, key, 16);
    for (int i = 4; i < 44; i++) {
        uint32_t t = keys[i - 1];
        if (i % 4 == 0) {
            t = substitute(turn(t, 8)) ^ (uint32_t)r << 24;
            r = twice(r);
        }
        keys[i] = keys[i - 4] ^ t;
    }
}

static void encrypt(const uint32_t in[4], uint32_t out[4])
{
    uint32_t s[4], t[4];
    const uint32_t *k = keys;
    for (int i = 0; i < 4; i++) s[i] = in[i] ^ *k++;
    for (int r = 1; r < 10; r++) {
        for (int i = 0; i < 4; i++)
            t[i] = table[0][s[i] >> 24] ^ table[1][s[(i + 1) & 3] >> 16 & 255] ^ table[2][s[(i + 2) & 3] >> 8 & 255] ^
                   table[3][s[(i + 3) & 3] & 255] ^ *k++;
        memcpy(s, t, 16);
    }
    for (int i = 0; i < 4; i++)
        out[i] = (((uint32_t)box[s[i] >> 24] << 24 | (uint32_t)box[s[(i + 1) & 3] >> 16 & 255] << 16 |
                   (uint32_t)box[s[(i + 2) & 3] >> 8 & 255] << 8 | box[s[(i + 3) & 3] & 255])) ^ *k++;
}

int main(void)
{
    /* the example of FIPS 197, appendix B */
    static const uint32_t key[4] = {0x2b7e1516, 0x28aed2a6, 0xabf71588, 0x09cf4f3c}, plain[4] = {0x3243f6a8, 0x885a308d, 0x313198a2, 0xe0370734};
    static const uint32_t secret[4] = {0x3925841d, 0x02dc09fb, 0xdc118597, 0x196a0b32};
    uint32_t out[4], counter[4] = {1, 2, 3, 4};
    tables();
    expand(key);
    encrypt(plain, out);
    if (memcmp(out, secret, 16)) return 1;
    text(data, SIZE);
    for (int r = 0; r < ROUNDS; r++)
        for (uint8_t *p = data; p < data + SIZE; p += 16) {
            encrypt(counter, out);
            counter[3]++;
            for (int i = 0; i < 16; i++) p[i] ^= out[i / 4] >> (24 - 8 * (i & 3));
        }
    printf("%08x\n", (unsigned)sum(data, SIZE));
    return 0;
}
