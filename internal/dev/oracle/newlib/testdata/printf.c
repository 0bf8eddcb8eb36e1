/* Every conversion of printf and the way back through scanf. */
#include <stdio.h>
#include <limits.h>
#include <float.h>
#include <stddef.h>
#include <stdint.h>

int main(void)
{
    int n;
    long l;
    double d;
    char word[16];
    printf("%d %i %5d|%-5d|%05d|%+d|% d|%.3d\n", 42, -42, 7, 7, 7, 7, 7, 7);
    printf("%u %o %x %X %#o %#x %#X\n", 42u, 42u, 0xbeefu, 0xbeefu, 42u, 0xbeefu, 0xbeefu);
    printf("%hd %hhd %hu %hhu\n", (short)-3, (signed char)-3, (unsigned short)65533, (unsigned char)253);
    printf("%ld %lu %lld %llu %llx\n", -715827882l, 4000000000ul, LLONG_MIN, ULLONG_MAX, 0x0123456789abcdefull);
    printf("%zu %td %jd\n", (size_t)12345, (ptrdiff_t)-54321, (intmax_t)-1234567890123ll);
    printf("%c|%3c|%-3c|%s|%8s|%-8s|%.2s|%*d|%-*d|%.*s\n", 'a', 'b', 'c', "text", "right", "left", "cut", 5, 1, 5, 2, 3, "abcdef");
    printf("%f %.0f %.2f %10.3f|%-10.1f|%+f\n", 3.141592653589793, 2.5, 2.675, -1.5, 9.99, 1e10);
    printf("%e %.3E %g %G %g %g %a\n", 123456.789, 0.000123, 0.0001, 1e-10, 123456789.0, 100000.0, 1.0);
    printf("%f %F %e %g\n", 1.0 / 3, 1e300 * 1e10, -1e300 * 1e10, 5e-324);
    printf("%s %% %d%n", "count", 1, &n);
    printf(" %d\n", n);
    printf("%.15g %.17g %.20f\n", DBL_MAX, 0.1, 0.1);
    n = sscanf("17 -5 0x1f 3.25 word rest", "%d %ld %i %lf %15s", &n, &l, (int *)word + 3, &d, word);
    printf("%d %ld %.2f %s\n", n, l, d, word);
    return 0;
}
