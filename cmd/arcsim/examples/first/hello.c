/* A program on a C library, newlib: it prints its arguments, and sorts numbers in memory it has asked for. The start
   code, the heap and the host calls are the library's. */
#include <stdio.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int main(int argc, char **argv)
{
    enum { COUNT = 5 };
    int *list = malloc(COUNT * sizeof *list);

    for (int i = 1; i < argc; i++)
        printf("argument %d is \"%s\"\n", i, argv[i]);
    if (!list)
        return 1;
    for (int i = 0; i < COUNT; i++)
        list[i] = i * 7 % COUNT;
    qsort(list, COUNT, sizeof *list, ascending);
    for (int i = 0; i < COUNT; i++)
        printf("%d%c", list[i], i + 1 < COUNT ? ' ' : '\n');
    printf("a third is %.4f\n", 1.0 / 3);
    free(list);
    return 0;
}
