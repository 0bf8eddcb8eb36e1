
/* What lies beyond every container. */
enum { BELOW = -0x40000, ABOVE = 0x40000 };

/* Integers of reals: x / scale in single precision, halves away from zero, then the zero point. mantissa (24 bits) and
 * exponent are those of the scale. What is not a number becomes the zero point. */
static int32_t quantized(uint32_t x, uint32_t mantissa, int32_t exponent, int32_t zero)
{
    uint32_t m = x & 0x7fffff, q = 1, rest;
    int32_t e = (x >> 23) & 0xff, by;
    if (e == 0xff && m != 0)
        return zero;
    if (e == 0xff)
        return x >> 31 ? BELOW : ABOVE;
    if (e == 0)
        e = 1;
    else
        m |= 0x800000;
    if (m == 0)
        return zero;
    for (; m < 0x800000; e--)
        m <<= 1;
    by = e - exponent;
    if (by < -2)
        return zero; /* less than one half */
    if (by > 17)
        return x >> 31 ? BELOW : ABOVE;
    if (m < mantissa) {
        m <<= 1;
        by--;
    }
    rest = m - mantissa;
    for (int i = 0; i < 3; i++) { /* 23 bits of the quotient behind its first one */
        int bits = i == 2 ? 7 : 8;
        rest <<= bits;
        q = q << bits | rest / mantissa;
        rest %= mantissa;
    }
    if (2 * rest > mantissa || (2 * rest == mantissa && (q & 1)))
        q++;
    q = (q + (1u << (22 - by))) >> (23 - by);
    return x >> 31 ? zero - (int32_t)q : zero + (int32_t)q;
}

static void quantize(void *to, const void *from, uint32_t count, int bytes, uint32_t mantissa, int32_t exponent, int32_t zero,
                     int32_t least, int32_t greatest)
{
    const word *x = from;
    for (uint32_t i = 0; i < count; i++) {
        int32_t q = quantized(x[i], mantissa, exponent, zero);
        q = q < least ? least : q > greatest ? greatest : q;
        if (bytes == 1)
            ((int8_t *)to)[i] = (int8_t)q;
        else
            ((int16_t *)to)[i] = (int16_t)q;
    }
}
