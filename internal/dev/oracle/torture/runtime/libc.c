/* The few library functions that the compiler's execution tests call, in plain C. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

long __host_write(int fd, const void *buf, long n);

void abort(void) { exit(134); }

void *memcpy(void *d, const void *s, size_t n)
{
    unsigned char *p = d;
    const unsigned char *q = s;
    while (n--) *p++ = *q++;
    return d;
}
void *mempcpy(void *d, const void *s, size_t n) { return (char *)memcpy(d, s, n) + n; }
void bcopy(const void *s, void *d, size_t n) { memmove(d, s, n); }
void bzero(void *d, size_t n) { memset(d, 0, n); }
int bcmp(const void *a, const void *b, size_t n) { return memcmp(a, b, n); }

void *memmove(void *d, const void *s, size_t n)
{
    unsigned char *p = d;
    const unsigned char *q = s;
    if (p <= q) while (n--) *p++ = *q++;
    else { p += n; q += n; while (n--) *--p = *--q; }
    return d;
}
void *memset(void *d, int c, size_t n)
{
    unsigned char *p = d;
    while (n--) *p++ = (unsigned char)c;
    return d;
}
int memcmp(const void *a, const void *b, size_t n)
{
    const unsigned char *p = a, *q = b;
    for (; n--; p++, q++) if (*p != *q) return *p - *q;
    return 0;
}
void *memchr(const void *s, int c, size_t n)
{
    const unsigned char *p = s;
    for (; n--; p++) if (*p == (unsigned char)c) return (void *)p;
    return 0;
}
size_t strlen(const char *s) { const char *p = s; while (*p) p++; return p - s; }
size_t strnlen(const char *s, size_t n) { size_t i = 0; while (i < n && s[i]) i++; return i; }
char *strcpy(char *d, const char *s) { char *p = d; while ((*p++ = *s++)) ; return d; }
char *stpcpy(char *d, const char *s) { while ((*d = *s)) d++, s++; return d; }
char *strncpy(char *d, const char *s, size_t n)
{
    char *p = d;
    while (n && *s) *p++ = *s++, n--;
    while (n--) *p++ = 0;
    return d;
}
char *strcat(char *d, const char *s) { strcpy(d + strlen(d), s); return d; }
char *strncat(char *d, const char *s, size_t n)
{
    char *p = d + strlen(d);
    while (n-- && *s) *p++ = *s++;
    *p = 0;
    return d;
}
int strcmp(const char *a, const char *b)
{
    while (*a && *a == *b) a++, b++;
    return *(const unsigned char *)a - *(const unsigned char *)b;
}
int strncmp(const char *a, const char *b, size_t n)
{
    for (; n; n--, a++, b++)
        if (*a != *b || !*a) return *(const unsigned char *)a - *(const unsigned char *)b;
    return 0;
}
char *strchr(const char *s, int c)
{
    for (;; s++) {
        if (*s == (char)c) return (char *)s;
        if (!*s) return 0;
    }
}
char *index(const char *s, int c) { return strchr(s, c); }
char *strrchr(const char *s, int c)
{
    const char *r = 0;
    for (;; s++) {
        if (*s == (char)c) r = s;
        if (!*s) return (char *)r;
    }
}
char *rindex(const char *s, int c) { return strrchr(s, c); }
char *strstr(const char *s, const char *t)
{
    size_t n = strlen(t);
    for (; ; s++) {
        if (!strncmp(s, t, n)) return (char *)s;
        if (!*s) return 0;
    }
}
size_t strspn(const char *s, const char *set) { size_t n = 0; while (s[n] && strchr(set, s[n])) n++; return n; }
size_t strcspn(const char *s, const char *set) { size_t n = 0; while (s[n] && !strchr(set, s[n])) n++; return n; }
char *strpbrk(const char *s, const char *set) { s += strcspn(s, set); return *s ? (char *)s : 0; }
char *strdup(const char *s) { char *d = malloc(strlen(s) + 1); return d ? strcpy(d, s) : d; }

int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }
__attribute__((weak)) long long llabs(long long x) { return x < 0 ? -x : x; }
double fabs(double x) { return __builtin_fabs(x); }
double floor(double x) { double i = (double)(long long)x; return i > x ? i - 1 : i; }
double fmax(double x, double y) { return y > x || __builtin_isnan(x) ? y : x; }
float fmaxf(float x, float y) { return fmax(x, y); }
long double fmaxl(long double x, long double y) { return fmax(x, y); }
int ilogb(double x)
{
    int e = 0;
    for (x = fabs(x); x >= 2; x /= 2) e++;
    for (; x && x < 1; x *= 2) e--;
    return e;
}
int ilogbf(float x) { return ilogb(x); }
int ilogbl(long double x) { return ilogb(x); }
double sqrt(double x)
{
#ifdef __ARC_FPU_DP_DIV__
    __asm__("fdsqrt %0,%1" : "=r"(x) : "r"(x));
#else
    double root = x > 1 ? x : 1, last = 0;
    if (!(x > 0)) return x;
    do last = root, root = (root + x / root) / 2; while (root < last);
    x = last;
#endif
    return x;
}
int isprint(int c) { return c >= 32 && c < 127; }
int toupper(int c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }
int tolower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

/* A heap that only grows; each block carries its size for realloc. */
extern char __heap_start[], __heap_end[];
static char *brk_now;
void *malloc(size_t n)
{
    size_t *p;
    if (!brk_now) brk_now = __heap_start;
    n = (n + 7) & ~(size_t)7;
    if (n > (size_t)(__heap_end - brk_now) - 8) return 0;
    p = (size_t *)brk_now;
    p[0] = n;
    brk_now += n + 8;
    return p + 2;
}
void free(void *p) { (void)p; }
void *calloc(size_t n, size_t m) { void *p = malloc(n * m); return p ? memset(p, 0, n * m) : p; }
void *realloc(void *p, size_t n)
{
    void *q = malloc(n);
    size_t old = p ? ((size_t *)p)[-2] : 0;
    if (q && p) memcpy(q, p, old < n ? old : n);
    return q;
}
int atoi(const char *s)
{
    int n = 0, neg = 0;
    while (*s == ' ') s++;
    if (*s == '-') neg = 1, s++;
    while (*s >= '0' && *s <= '9') n = n * 10 + *s++ - '0';
    return neg ? -n : n;
}
static void swap(char *a, char *b, size_t n) { while (n--) { char t = *a; *a++ = *b; *b++ = t; } }
void qsort(void *base, size_t n, size_t size, int (*cmp)(const void *, const void *))
{
    char *a = base;
    size_t i, j;
    for (i = 1; i < n; i++)
        for (j = i; j > 0 && cmp(a + (j - 1) * size, a + j * size) > 0; j--)
            swap(a + (j - 1) * size, a + j * size, size);
}

/* Output. */
struct sink { char *buf; size_t max, n; int fd; };
static void put(struct sink *s, char c)
{
    if (s->fd >= 0) __host_write(s->fd, &c, 1);
    else if (s->n + 1 < s->max) s->buf[s->n] = c;
    s->n++;
}
static int format(struct sink *out, const char *f, va_list ap)
{
    for (; *f; f++) {
        char tmp[32];
        const char *s = tmp;
        int minus = 0, zero = 0, plus = 0, alt = 0, width = 0, prec = -1, lng = 0, len, neg = 0, base = 10, upper = 0;
        unsigned long long v;
        if (*f != '%') { put(out, *f); continue; }
        for (f++;; f++) {
            if (*f == '-') minus = 1;
            else if (*f == '0') zero = 1;
            else if (*f == '+') plus = 1;
            else if (*f == '#') alt = 1;
            else if (*f != ' ') break;
        }
        if (*f == '*') { width = va_arg(ap, int); f++; }
        else while (*f >= '0' && *f <= '9') width = width * 10 + *f++ - '0';
        if (*f == '.') {
            f++; prec = 0;
            if (*f == '*') { prec = va_arg(ap, int); f++; }
            else while (*f >= '0' && *f <= '9') prec = prec * 10 + *f++ - '0';
        }
        for (;; f++) {
            if (*f == 'l') lng++;
            else if (*f == 'h') lng--;
            else if (*f != 'z' && *f != 't' && *f != 'j') break;
        }
        switch (*f) {
        case '%': put(out, '%'); continue;
        case 'c': tmp[0] = (char)va_arg(ap, int); len = 1; goto text;
        case 's':
            s = va_arg(ap, const char *);
            if (!s) s = "(null)";
            len = prec >= 0 ? (int)strnlen(s, prec) : (int)strlen(s);
            goto text;
        case 'd': case 'i': {
            long long d = lng >= 2 ? va_arg(ap, long long) : lng == 1 ? va_arg(ap, long) : va_arg(ap, int);
            if (lng == -1) d = (short)d;
            if (lng == -2) d = (signed char)d;
            neg = d < 0;
            v = neg ? -(unsigned long long)d : (unsigned long long)d;
            goto number; }
        case 'f': case 'g': { /* enough for the tests: values that fit 64 bits, few digits, no exponent */
            double d = va_arg(ap, double), scale = 1;
            char *p = tmp + sizeof tmp;
            if (prec < 0) prec = 6;
            for (int i = 0; i < prec; i++) scale *= 10;
            neg = d < 0;
            v = (unsigned long long)((neg ? -d : d) * scale + 0.5);
            if (*f == 'g') while (prec && v % 10 == 0) v /= 10, prec--;
            for (int i = 0; i < prec; i++) *--p = (char)('0' + v % 10), v /= 10;
            if (prec) *--p = '.';
            do *--p = (char)('0' + v % 10); while (v /= 10);
            if (neg) *--p = '-';
            s = p;
            len = (int)(tmp + sizeof tmp - p);
            goto text; }
        case 'X': upper = 1; /* fall through */
        case 'x': base = 16; goto unsign;
        case 'o': base = 8; goto unsign;
        case 'p': base = 16; alt = 1; v = (uintptr_t)va_arg(ap, void *); goto number;
        case 'u':
        unsign:
            v = lng >= 2 ? va_arg(ap, unsigned long long) : lng == 1 ? va_arg(ap, unsigned long) : va_arg(ap, unsigned);
            if (lng == -1) v = (unsigned short)v;
            if (lng == -2) v = (unsigned char)v;
        number: {
            char *p = tmp + sizeof tmp;
            int digits = 0, nonzero = v != 0;
            do { int d = (int)(v % base); *--p = (char)(d < 10 ? '0' + d : (upper ? 'A' : 'a') + d - 10); digits++; v /= base; } while (v);
            while (digits < prec && digits < 24) *--p = '0', digits++;
            if (zero && !minus && prec < 0) while (digits + (neg || plus) < width && digits < 24) *--p = '0', digits++;
            if (alt && nonzero && base == 16) *--p = upper ? 'X' : 'x', *--p = '0';
            if (alt && base == 8 && *p != '0') *--p = '0';
            if (neg) *--p = '-';
            else if (plus) *--p = '+';
            s = p;
            len = (int)(tmp + sizeof tmp - p);
            goto text; }
        default: abort();
        }
    text:
        if (!minus) for (; width > len; width--) put(out, ' ');
        for (int i = 0; i < len; i++) put(out, s[i]);
        for (; width > len; width--) put(out, ' ');
    }
    return (int)out->n;
}
int vsnprintf(char *d, size_t n, const char *f, va_list ap)
{
    struct sink s = { d, n, 0, -1 };
    int r = format(&s, f, ap);
    if (n) d[s.n < n ? s.n : n - 1] = 0;
    return r;
}
int vsprintf(char *d, const char *f, va_list ap) { return vsnprintf(d, 0x7fffffff, f, ap); }
int sprintf(char *d, const char *f, ...) { va_list ap; int r; va_start(ap, f); r = vsprintf(d, f, ap); va_end(ap); return r; }
int snprintf(char *d, size_t n, const char *f, ...) { va_list ap; int r; va_start(ap, f); r = vsnprintf(d, n, f, ap); va_end(ap); return r; }

struct __file { int fd; } __stdio[3] = { { 0 }, { 1 }, { 2 } };
FILE *stdin = &__stdio[0], *stdout = &__stdio[1], *stderr = &__stdio[2];
int vfprintf(FILE *fp, const char *f, va_list ap) { struct sink s = { 0, 0, 0, fp->fd }; return format(&s, f, ap); }
int fprintf(FILE *fp, const char *f, ...) { va_list ap; int r; va_start(ap, f); r = vfprintf(fp, f, ap); va_end(ap); return r; }
int vprintf(const char *f, va_list ap) { return vfprintf(stdout, f, ap); }
int printf(const char *f, ...) { va_list ap; int r; va_start(ap, f); r = vprintf(f, ap); va_end(ap); return r; }
__attribute__((weak)) int __printf_chk(int flag, const char *f, ...) { va_list ap; int r; (void)flag; va_start(ap, f); r = vprintf(f, ap); va_end(ap); return r; }
__attribute__((weak)) int __fprintf_chk(FILE *fp, int flag, const char *f, ...) { va_list ap; int r; (void)flag; va_start(ap, f); r = vfprintf(fp, f, ap); va_end(ap); return r; }
__attribute__((weak)) int __vprintf_chk(int flag, const char *f, va_list ap) { (void)flag; return vprintf(f, ap); }
__attribute__((weak)) int __vfprintf_chk(FILE *fp, int flag, const char *f, va_list ap) { (void)flag; return vfprintf(fp, f, ap); }
int fputc(int c, FILE *fp) { char b = (char)c; __host_write(fp->fd, &b, 1); return (unsigned char)b; }
int putc(int c, FILE *fp) { return fputc(c, fp); }
int putchar(int c) { return fputc(c, stdout); }
int fputs(const char *s, FILE *fp) { __host_write(fp->fd, s, (long)strlen(s)); return 0; }
int puts(const char *s) { fputs(s, stdout); return putchar('\n') < 0; }
size_t fwrite(const void *p, size_t size, size_t n, FILE *fp) { __host_write(fp->fd, p, (long)(size * n)); return n; }
int fflush(FILE *fp) { (void)fp; return 0; }
void __assert_fail(const char *e, const char *file, unsigned line) { printf("%s:%u: %s\n", file, line, e); abort(); }
void (*signal(int n, void (*h)(int)))(int) { (void)n; (void)h; return 0; }
