/* Computes floating-point operations with the host's hardware. A line of input is
     operation rounding x y a
   in hexadecimal but for the operation, which is an instruction of the ARC floating-point unit; the rounding
   is FPU_CTRL.RM. A line of output is the result, the exceptions as in FPU_STATUS, the flags Z N C V.

   The host decides everything but three things that the simulator had to decide itself: which NaN a result
   is, which integer stands for a number out of range, and that such a number is invalid and not inexact. */
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static float single(uint64_t x) { uint32_t b = x; float f; memcpy(&f, &b, 4); return f; }
static double twice(uint64_t x) { double d; memcpy(&d, &x, 8); return d; }
static uint64_t bits32(float f) { uint32_t b; memcpy(&b, &f, 4); return b; }
static uint64_t bits64(double d) { uint64_t b; memcpy(&b, &d, 8); return b; }

static int nan32(uint64_t x) { return (x & 0x7fffffff) > 0x7f800000; }
static int nan64(uint64_t x) { return (x & ~(1ull << 63)) > 0x7ffull << 52; }

/* the first NaN of the operands made quiet, or the default one */
static uint64_t choose32(uint64_t z, int n, const uint64_t *operands)
{
	if (!nan32(z)) return z;
	for (int i = 0; i < n; i++) if (nan32(operands[i])) return operands[i] | 1 << 22;
	return 0x7fc00000;
}
static uint64_t choose64(uint64_t z, int n, const uint64_t *operands)
{
	if (!nan64(z)) return z;
	for (int i = 0; i < n; i++) if (nan64(operands[i])) return operands[i] | 1ull << 51;
	return 0x7ff8ull << 48;
}

static int compare(int less, int equal, int unordered) { return unordered ? 1 : equal ? 8 : less ? 6 : 0; }

/* converts a number to an integer of the kind that the selector names */
static uint64_t integer(double x, int selector, int width)
{
	int is_signed = selector & 2;
	double top = ldexp(1, is_signed ? width - 1 : width), bottom = is_signed ? -top : 0;
	uint64_t all = ~0ull >> (64 - width), most = is_signed ? all >> 1 : all;
	if (isnan(x)) { feclearexcept(FE_ALL_EXCEPT); feraiseexcept(FE_INVALID); return most; }
	volatile double r;
	if (selector & 8) { r = trunc(x); feclearexcept(FE_ALL_EXCEPT); if (r != x) feraiseexcept(FE_INEXACT); }
	else r = rint(x);
	if (r >= top || r < bottom) {
		feclearexcept(FE_ALL_EXCEPT);
		feraiseexcept(FE_INVALID);
		return r < bottom ? (is_signed ? most + 1 : 0) : most;
	}
	return (is_signed || r < 0 ? (uint64_t)(int64_t)r : r >= 9223372036854775808.0 ? (uint64_t)(int64_t)(r - 9223372036854775808.0) ^ 1ull << 63 : (uint64_t)(int64_t)r) & all;
}

static double from(uint64_t x, int selector, int width, int to_single)
{
	volatile int64_t s = width == 32 ? (int64_t)(int32_t)x : (int64_t)x;
	volatile uint64_t u = width == 32 ? (uint64_t)(uint32_t)x : x;
	if (to_single) return selector & 2 ? (float)s : (float)u;
	return selector & 2 ? (double)s : (double)u;
}

int main(void)
{
	static const int modes[] = { FE_TOWARDZERO, FE_TONEAREST, FE_UPWARD, FE_DOWNWARD };
	static const int exceptions[] = { FE_INVALID, FE_DIVBYZERO, FE_OVERFLOW, FE_UNDERFLOW, FE_INEXACT };
	char op[16];
	unsigned round;
	unsigned long long in[3];
	if (!__builtin_cpu_supports("fma")) return 3;
	while (scanf("%15s %x %llx %llx %llx", op, &round, &in[0], &in[1], &in[2]) == 5) {
		uint64_t v[3] = { in[0], in[1], in[2] }, z = 0;
		volatile float x = single(v[0]), y = single(v[1]), a = single(v[2]), zs = 0;
		volatile double dx = twice(v[0]), dy = twice(v[1]), da = twice(v[2]), zd = 0;
		int flags = 0, selector = v[1], kind = 0; /* kind 1: single in zs, 2: double in zd */
		fesetround(modes[round & 3]);
		feclearexcept(FE_ALL_EXCEPT);
		if (!strcmp(op, "fsadd")) zs = x + y, kind = 1;
		else if (!strcmp(op, "fssub")) zs = x - y, kind = 1;
		else if (!strcmp(op, "fsmul")) zs = x * y, kind = 1;
		else if (!strcmp(op, "fsdiv")) zs = x / y, kind = 1;
		else if (!strcmp(op, "fsmadd")) zs = __builtin_fmaf(x, y, a), kind = 1;
		else if (!strcmp(op, "fsmsub")) zs = __builtin_fmaf(-x, y, a), kind = 1;
		else if (!strcmp(op, "fssqrt")) zs = __builtin_sqrtf(y), kind = 1, v[0] = v[1];
		else if (!strcmp(op, "fdadd")) zd = dx + dy, kind = 2;
		else if (!strcmp(op, "fdsub")) zd = dx - dy, kind = 2;
		else if (!strcmp(op, "fdmul")) zd = dx * dy, kind = 2;
		else if (!strcmp(op, "fddiv")) zd = dx / dy, kind = 2;
		else if (!strcmp(op, "fdmadd")) zd = __builtin_fma(dx, dy, da), kind = 2;
		else if (!strcmp(op, "fdmsub")) zd = __builtin_fma(-dx, dy, da), kind = 2;
		else if (!strcmp(op, "fdsqrt")) zd = __builtin_sqrt(dy), kind = 2, v[0] = v[1];
		else if (!strcmp(op, "fscmp")) flags = compare(isless(x, y), x == y, isunordered(x, y));
		else if (!strcmp(op, "fscmpf")) { volatile int l = x < y, q = x == y, g = x > y; flags = compare(l, q, !l && !q && !g); }
		else if (!strcmp(op, "fdcmp")) flags = compare(isless(dx, dy), dx == dy, isunordered(dx, dy));
		else if (!strcmp(op, "fdcmpf")) { volatile int l = dx < dy, q = dx == dy, g = dx > dy; flags = compare(l, q, !l && !q && !g); }
		else if (!strcmp(op, "fcvt32")) z = selector & 1 ? integer(x, selector, 32) : bits32(from(v[0], selector, 32, 1));
		else if (!strcmp(op, "fcvt64")) z = selector & 1 ? integer(dx, selector, 64) : bits64(from(v[0], selector, 64, 0));
		else if (!strcmp(op, "fcvt32_64")) {
			if (selector & 4) {
				zd = x;
				z = bits64(zd);
				if (nan32(v[0])) z = (v[0] & 1ull << 31) << 32 | 0x7ff8ull << 48 | (v[0] & 0x7fffff) << 29;
			} else z = selector & 1 ? integer(x, selector, 64) : bits64(from(v[0], selector, 32, 0));
		} else if (!strcmp(op, "fcvt64_32")) {
			if (selector & 4) {
				zs = dx;
				z = bits32(zs);
				if (nan64(v[0])) z = (v[0] >> 63) << 31 | 0x7fc00000 | (v[0] >> 29 & 0x7fffff);
			} else z = selector & 1 ? integer(dx, selector, 32) : bits32(from(v[0], selector, 64, 1));
		} else return 2;
		int e = 0;
		for (int i = 0; i < 5; i++) if (fetestexcept(exceptions[i])) e |= 1 << i;
		fesetround(FE_TONEAREST);
		int n = strstr(op, "sqrt") ? 1 : op[2] == 'm' && op[3] != 'u' ? 3 : 2;
		if (kind == 1) z = choose32(bits32(zs), n, v);
		if (kind == 2) z = choose64(bits64(zd), n, v);
		printf("%llx %x %x\n", (unsigned long long)z, e, flags);
	}
	return 0;
}
