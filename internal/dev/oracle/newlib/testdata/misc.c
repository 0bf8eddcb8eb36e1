/* setjmp, qsort, strtol, time that goes forward, and an exit status through atexit. */
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static jmp_buf env;
static void deep(int n) { if (n == 0) longjmp(env, 17); deep(n - 1); }
static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void last(void) { printf("last words\n"); }

int main(void)
{
    int v = setjmp(env);
    if (v == 0) deep(20);
    printf("longjmp %d\n", v);
    char *w[] = { "pear", "apple", "fig", "date", "cherry", "banana" };
    qsort(w, 6, sizeof *w, by_text);
    for (int i = 0; i < 6; i++) printf("%s ", w[i]);
    int x[100];
    unsigned s = 7;
    for (int i = 0; i < 100; i++) x[i] = (int)((s = s * 1664525u + 1013904223u) >> 20);
    qsort(x, 100, sizeof *x, by_value);
    int sorted = 1;
    for (int i = 1; i < 100; i++) sorted &= x[i - 1] <= x[i];
    printf("\nsorted %d first %d last %d\n", sorted, x[0], x[99]);
    int *hit = bsearch(&x[42], x, 100, sizeof *x, by_value);
    printf("found %d\n", hit != NULL && *hit == x[42]);
    printf("%ld %lu %.3f\n", strtol("-123abc", NULL, 10), strtoul("ff", NULL, 16), strtod("2.5e3", NULL));
    printf("%.6f %.6f %.6f\n", sqrt(2.0), sin(1.0), exp(1.0));
    clock_t a = clock(), b;
    volatile int k;
    for (k = 0; k < 20000; k++) ;
    b = clock();
    printf("clock %d\n", b >= a);
    printf("time %d\n", time(NULL) != (time_t)-1);
    atexit(last);
    exit(42);
}
