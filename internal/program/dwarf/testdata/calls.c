/* Inlined calls, a loop, and a function that the compiler drops. */
volatile int sink;

static inline __attribute__((always_inline)) int square(int x)
{
	return x * x;
}

static inline __attribute__((always_inline)) int sum_squares(int n)
{
	int s = 0;
	for (int i = 0; i < n; i++) {
		sink = i;
		s += square(sink);
	}
	return s;
}

int __attribute__((noinline)) helper(int x)
{
	sink = x;
	return x + 1;
}

int dropped(int x)
{
	return helper(x) * 3;
}

int __start(void)
{
	int v = sum_squares(sink);
	v += helper(v);
	sink = square(v);
	return v;
}
