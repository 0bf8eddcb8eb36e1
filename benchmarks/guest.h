/* What the guest programs share: output through host calls, and the marks between which cycles are
 * counted. */
#ifndef GUEST_H
#define GUEST_H

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef int i32;
typedef short i16;

/* start.inc: cycles are counted from bench_begin to bench_end. */
void bench_begin(void);
void bench_end(void);
void write_text(const char *text, u32 size);

/* Eight hexadecimal digits after a name, and a line feed. */
static inline void print(const char *name, u32 v)
{
	char line[40];
	u32 n = 0;
	while (*name)
		line[n++] = *name++;
	line[n++] = ' ';
	for (int i = 28; i >= 0; i -= 4)
		line[n++] = "0123456789abcdef"[v >> i & 15];
	line[n++] = '\n';
	write_text(line, n);
}

/* The generator of all inputs. */
static inline u32 noise(u32 *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state;
}

#endif
