/* A synthetic mix in the proportions of classic systems code: calls with few arguments, records
 * behind pointers, enumerations, string copies and comparisons, small arrays, one division. It is
 * our own program; its iterations are not comparable with those of others. */
#include "guest.h"

#define ITERATIONS 500

typedef enum { RED, GREEN, BLUE, WHITE, BLACK } colour;

typedef struct record {
	struct record *next;
	colour kind, shade;
	i32 value;
	char name[31];
} record;

static record first, second;
static i32 counts[50], grid[50][50];
static i32 total;
static u8 last_mark, mark;
static char text1[31], text2[31];

#define FAR __attribute__((noinline))

static FAR void copy_text(char *to, const char *from)
{
	while ((*to++ = *from++))
		;
}

static FAR i32 compare_text(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return (i32)(u8)*a - (i32)(u8)*b;
}

static FAR colour mix(colour in)
{
	switch (in) {
	case RED:
		return in;
	case GREEN:
		return total > 100 ? RED : BLACK;
	case BLUE:
		return GREEN;
	case WHITE:
		return in;
	default:
		return BLUE;
	}
}

static FAR i32 add_up(i32 a, i32 b) { return a + 2 + b; }

static FAR u8 class_of(u8 c1, u8 c2)
{
	u8 here = c1;
	if (here != c2)
		return 0;
	last_mark = here;
	return 1;
}

static FAR i32 same_text(const char *a, const char *b)
{
	i32 i = 2;
	u8 c = 'A';
	while (i <= 2)
		if (class_of(a[i], b[i + 1]) == 0) {
			c = 'A';
			i++;
		} else {
			break;
		}
	if (c >= 'W' && c < 'Z')
		i = 7;
	if (c == 'R')
		return 1;
	if (compare_text(a, b) > 0) {
		total = i + 7;
		return 1;
	}
	return 0;
}

static FAR void tally(i32 *row, i32 (*table)[50], i32 at, i32 v)
{
	i32 i = at + 5;
	row[i] = v;
	row[i + 1] = row[i];
	row[i + 30] = i;
	for (i32 k = i; k <= i + 1; k++)
		table[i][k] = i;
	table[i][i - 1]++;
	table[i + 20][i] = row[i];
	total = 5;
}

static FAR void advance(record *r)
{
	record *n = r->next;
	*n = *r;
	r->value = 5;
	n->value = r->value;
	n->next = r->next;
	if (n->kind == RED) {
		n->value = 6;
		n->shade = mix(r->shade);
		n->value = add_up(n->value, 10);
	} else {
		*r = *n;
	}
}

int main(void)
{
	i32 one = 0, two = 0, three = 0;
	first.next = &second;
	first.kind = RED;
	first.shade = BLUE;
	first.value = 40;
	copy_text(first.name, "THE PROGRAM, ITS OWN RECORD");
	copy_text(text1, "THE PROGRAM, ITS FIRST STRING");
	counts[8] = 10;
	bench_begin();
	for (i32 run = 1; run <= ITERATIONS; run++) {
		mark = 'A';
		one = 2;
		two = 3;
		copy_text(text2, "THE PROGRAM, ITS SECOND STRING");
		colour shade = GREEN;
		u8 flag = !same_text(text1, text2);
		while (one < two) {
			three = 5 * one - two;
			three = add_up(one, two) + three - 7;
			one++;
		}
		tally(counts, grid, one, three);
		advance(&first);
		for (u8 c = 'A'; c <= mark + 1; c++)
			if (class_of(c, 'C'))
				shade = mix(RED);
		two = two * one + flag;
		one = two / (three + (i32)shade + 3);
		two = 7 * (two - three) - one;
		total += run & 3;
	}
	bench_end();
	print("one", one);
	print("two", two);
	print("three", three);
	print("total", total);
	print("value", second.value);
	print("grid", grid[8][7]);
	print("counts", counts[38]);
	return 0;
}
