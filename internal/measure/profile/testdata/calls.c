/* What profiles are tested with: calls, recursion, an inlined function, a jump table, a kernel. */

static inline int square(int x)
{
	return x * x + (x >> 3);
}

__attribute__((noinline)) int leaf(int x)
{
	int sum = 0;
	for (int i = 0; i < 10; i++)
		sum += square(x + i);
	return sum;
}

__attribute__((noinline)) int middle(int x)
{
	return leaf(x) + leaf(x + 1);
}

__attribute__((noinline)) int fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

__attribute__((noinline)) int choose(int x)
{
	switch (x & 7) {
	case 0: return middle(x);
	case 1: return leaf(x) ^ 5;
	case 2: return x * 3;
	case 3: return x - 7;
	case 4: return x << 2;
	case 5: return fib(3);
	case 6: return x >> 1;
	}
	return x;
}

int never(int x)
{
	return x + 12345;
}

int mli_krn_sum(const short *x, const short *y, int n);

static short data[64];

volatile int out;

int main(void)
{
	for (int i = 0; i < 64; i++)
		data[i] = (short)(i * 3);
	for (int i = 0; i < 40; i++)
		out += choose(i);
	out += fib(10) + mli_krn_sum(data, data, 64);
	return out == 0 ? never(1) : 0;
}
