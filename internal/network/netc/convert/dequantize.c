
/* Reals of integers: (q - zero) * scale, rounded once to single precision. mantissa (24 bits) and exponent are those of
 * the scale. */
static uint32_t dequantized(int32_t steps, uint32_t mantissa, int32_t exponent)
{
    uint32_t sign = steps < 0 ? 0x80000000 : 0, n = steps < 0 ? -(uint32_t)steps : (uint32_t)steps, high, low, m;
    int32_t e = exponent + 32;
    if (n == 0)
        return 0;
    for (; !(n >> 31); e--)
        n <<= 1;
    high = (uint64_t)(mantissa << 8) * n >> 32;
    low = (mantissa << 8) * n;
    if (!(high >> 31)) {
        high = high << 1 | low >> 31;
        low <<= 1;
        e--;
    }
    high |= low != 0; /* 24 bits, and 8 that say how to round */
    if (e < 1) {
        int32_t down = 1 - e;
        high = down > 31 ? 1 : high >> down | (high << (32 - down) != 0);
        e = 1;
    }
    m = high >> 8;
    if ((high & 0xff) > 0x80 || ((high & 0xff) == 0x80 && (m & 1)))
        m++;
    if (e > 254 || (e == 254 && m >> 24))
        return sign | 0x7f800000;
    return sign | (((uint32_t)(e - 1) << 23) + m);
}

static void dequantize(void *to, const void *from, uint32_t count, int bytes, int is_signed, uint32_t mantissa, int32_t exponent, int32_t zero)
{
    word *x = to;
    for (uint32_t i = 0; i < count; i++) {
        int32_t q = bytes == 2 ? ((const int16_t *)from)[i] : is_signed ? ((const int8_t *)from)[i] : ((const uint8_t *)from)[i];
        x[i] = dequantized(q - zero, mantissa, exponent);
    }
}
