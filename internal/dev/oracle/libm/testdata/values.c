/* Values of the math library on many arguments, as bits: what one IEEE machine computes another does, too. */
#include <math.h>
#include <stdint.h>
#include <string.h>

int *__errno(void) { static int e; return &e; }
void put(const char *name, uint64_t sum, uint64_t sample);

static uint64_t state = 88172645463325252u;
static uint64_t next(void) { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return state; }
static double draw(int i)
{
	uint64_t b = next();
	double d;
	if (i & 1) b = (b & ~(0x7ffull << 52)) | (1023 - 8 + (b >> 52 & 15)) << 52; /* of ordinary size */
	memcpy(&d, &b, 8);
	return d;
}
static float drawf(int i)
{
	uint32_t b = next();
	float f;
	if (i & 1) b = (b & ~(0xffu << 23)) | (127 - 8 + (b >> 23 & 15)) << 23;
	memcpy(&f, &b, 4);
	return f;
}
static uint64_t bits(double d) { uint64_t b; if (d != d) return 1; memcpy(&b, &d, 8); return b; }
static uint64_t bitsf(float f) { uint32_t b; if (f != f) return 1; memcpy(&b, &f, 4); return b; }

#define ONE(f) { uint64_t sum = 0, r = 0; for (int i = 0; i < 3000; i++) sum = sum * 31 + (r = bits(f(draw(i)))); put(#f, sum, r); }
#define TWO(f) { uint64_t sum = 0, r = 0; for (int i = 0; i < 3000; i++) { double x = draw(i); sum = sum * 31 + (r = bits(f(x, draw(i)))); } put(#f, sum, r); }
#define ONEF(f) { uint64_t sum = 0, r = 0; for (int i = 0; i < 3000; i++) sum = sum * 31 + (r = bitsf(f(drawf(i)))); put(#f, sum, r); }
#define TWOF(f) { uint64_t sum = 0, r = 0; for (int i = 0; i < 3000; i++) { float x = drawf(i); sum = sum * 31 + (r = bitsf(f(x, drawf(i)))); } put(#f, sum, r); }

void values(void)
{
	ONE(sin) ONE(cos) ONE(tan) ONE(asin) ONE(acos) ONE(atan) ONE(sinh) ONE(cosh) ONE(tanh) ONE(exp) ONE(log) ONE(log10)
	ONE(sqrt) ONE(cbrt) ONE(expm1) ONE(log1p) ONE(erf) ONE(floor) ONE(ceil) ONE(rint) ONE(round) ONE(trunc)
	TWO(pow) TWO(atan2) TWO(fmod) TWO(hypot) TWO(remainder) TWO(fmax)
	ONEF(sinf) ONEF(cosf) ONEF(tanf) ONEF(asinf) ONEF(atanf) ONEF(expf) ONEF(logf) ONEF(sqrtf) ONEF(cbrtf) ONEF(floorf)
	ONEF(rintf) TWOF(powf) TWOF(atan2f) TWOF(fmodf) TWOF(hypotf)
}
