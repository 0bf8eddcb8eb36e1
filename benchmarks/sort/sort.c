/* Quicksort, heapsort and insertion sort of the same 1000 words. */
#include "guest.h"

#define N 1000

static u32 a[N], b[N], c[N];

static void fill(u32 *v)
{
	u32 seed = 2024;
	for (int i = 0; i < N; i++)
		v[i] = noise(&seed) >> 8;
}

static void quick(u32 *v, int lo, int hi)
{
	while (lo < hi) {
		u32 pivot = v[(lo + hi) / 2];
		int i = lo, j = hi;
		while (i <= j) {
			while (v[i] < pivot)
				i++;
			while (v[j] > pivot)
				j--;
			if (i <= j) {
				u32 t = v[i];
				v[i++] = v[j];
				v[j--] = t;
			}
		}
		if (j - lo < hi - i) {
			quick(v, lo, j);
			lo = i;
		} else {
			quick(v, i, hi);
			hi = j;
		}
	}
}

static void sift(u32 *v, int root, int n)
{
	u32 top = v[root];
	for (;;) {
		int child = 2 * root + 1;
		if (child >= n)
			break;
		if (child + 1 < n && v[child + 1] > v[child])
			child++;
		if (v[child] <= top)
			break;
		v[root] = v[child];
		root = child;
	}
	v[root] = top;
}

static void heap(u32 *v, int n)
{
	for (int i = n / 2 - 1; i >= 0; i--)
		sift(v, i, n);
	while (n > 1) {
		u32 t = v[0];
		v[0] = v[--n];
		v[n] = t;
		sift(v, 0, n);
	}
}

static void insertion(u32 *v, int n)
{
	for (int i = 1; i < n; i++) {
		u32 t = v[i];
		int j = i;
		for (; j > 0 && v[j - 1] > t; j--)
			v[j] = v[j - 1];
		v[j] = t;
	}
}

static u32 digest(const u32 *v)
{
	u32 h = 2166136261u;
	for (int i = 0; i < N; i++)
		h = (h ^ v[i]) * 16777619u;
	return h;
}

int main(void)
{
	fill(a);
	fill(b);
	fill(c);
	bench_begin();
	quick(a, 0, N - 1);
	heap(b, N);
	insertion(c, N);
	bench_end();
	for (int i = 1; i < N; i++)
		if (a[i - 1] > a[i])
			return 1;
	print("quick", digest(a));
	print("heap", digest(b));
	print("insertion", digest(c));
	return 0;
}
