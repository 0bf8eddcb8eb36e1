/* printf in small: what the program prints goes to the host by the write call of start.s. */
#include <stdarg.h>
#include <stdint.h>

#include "console.h"

int host_write(int descriptor, const char *text, unsigned size);

static char line[128];
static unsigned used;

static void flush(void)
{
    host_write(1, line, used);
    used = 0;
}

static void put(char c)
{
    line[used++] = c;
    if (c == '\n' || used == sizeof line)
        flush();
}

static void number(uint32_t n, uint32_t base)
{
    if (n >= base)
        number(n / base, base);
    put("0123456789abcdef"[n % base]);
}

void print(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    for (; *format; format++) {
        if (*format != '%') {
            put(*format);
            continue;
        }
        switch (*++format) {
        case 'd': {
            int n = va_arg(values, int);
            if (n < 0)
                put('-');
            number(n < 0 ? -(uint32_t)n : (uint32_t)n, 10);
            break;
        }
        case 'u': number(va_arg(values, unsigned), 10); break;
        case 'x': number(va_arg(values, unsigned), 16); break;
        case 'c': put((char)va_arg(values, int)); break;
        case 's':
            for (const char *s = va_arg(values, const char *); *s; s++)
                put(*s);
            break;
        case 0: format--; break; /* a lone % at the end */
        default: put(*format);
        }
    }
    va_end(values);
    if (used)
        flush();
}
