#ifndef STDLIB_H
#define STDLIB_H
#include <stddef.h>
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 0x7fffffff
void abort(void) __attribute__((noreturn));
void exit(int) __attribute__((noreturn));
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void free(void *);
int abs(int);
long labs(long);
long long llabs(long long);
int atoi(const char *);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
#define alloca __builtin_alloca
#endif
