/* Arithmetic that the compiler leaves to its library. */
#include "rt.h"

volatile double d = 3.25;
volatile long long q = 123456789012345LL;
volatile float f;
volatile unsigned long long u;

uint32_t run(void)
{
    d = d * 2.5 / 1.7 + d;
    q = q / 77 + q % 1001;
    f = (float)d + (float)q;
    u = (unsigned long long)d;
    return (uint32_t)(d + f) + (uint32_t)q + __builtin_popcountll(u) + __builtin_ctzll(q | 1);
}
