/* The heap: many sizes, kept contents, release and reuse. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    enum { N = 200 };
    unsigned char *p[N];
    unsigned sum = 0, seed = 1;
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < N; i++) {
            size_t n = 1 + (seed = seed * 1103515245u + 12345u) / 65536 % 700;
            p[i] = malloc(n);
            if (!p[i]) { printf("no memory\n"); return 1; }
            memset(p[i], i & 255, n);
            if (i % 3 == 0) {
                p[i] = realloc(p[i], n + 100);
                memset(p[i] + n, i & 255, 100);
            }
            sum += p[i][n / 2];
        }
        for (int i = 0; i < N; i += 2) free(p[i]);
        for (int i = 1; i < N; i += 2) { sum = sum * 31 + p[i][0]; free(p[i]); }
    }
    int *z = calloc(1000, sizeof *z);
    for (int i = 0; i < 1000; i++) sum += z[i];
    free(z);
    printf("sum %u\n", sum);
    return 0;
}
