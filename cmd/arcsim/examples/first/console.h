/* Printing through the host. */
#ifndef CONSOLE_H
#define CONSOLE_H

/* print writes a text as printf does: %d %u %x %c %s and %%. */
void print(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
