/* Product of two 32 x 32 matrices, of words and of halfwords with 32-bit sums. */
#include "guest.h"

#define N 32

static i32 a[N][N], b[N][N], c[N][N];
static i16 p[N][N], q[N][N];
static i32 r[N][N];

static void words(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			i32 sum = 0;
			for (int k = 0; k < N; k++)
				sum += a[i][k] * b[k][j];
			c[i][j] = sum;
		}
}

static void halfwords(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			i32 sum = 0;
			for (int k = 0; k < N; k++)
				sum += p[i][k] * q[j][k]; /* q is transposed */
			r[i][j] = sum;
		}
}

static u32 digest(const i32 *v)
{
	u32 h = 2166136261u;
	for (int i = 0; i < N * N; i++)
		h = (h ^ (u32)v[i]) * 16777619u;
	return h;
}

int main(void)
{
	u32 seed = 7;
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			a[i][j] = (i32)noise(&seed) >> 12;
			b[i][j] = (i32)noise(&seed) >> 12;
			p[i][j] = (i16)(a[i][j]);
			q[j][i] = (i16)(b[i][j]);
		}
	bench_begin();
	words();
	halfwords();
	bench_end();
	print("words", digest(&c[0][0]));
	print("halfwords", digest(&r[0][0]));
	return 0;
}
