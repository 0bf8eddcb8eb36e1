/* A mix of linked list, matrix, state machine and checksum work, the four kinds that embedded code is
 * usually measured by. It is our own program; its iterations are not comparable with those of
 * others. */
#include "guest.h"

#define ITERATIONS 10
#define NODES 64
#define N 10
#define TEXT 160

typedef struct node {
	struct node *next;
	i16 key, value;
} node;

static node pool[NODES];
static i16 a[N][N], b[N][N];
static i32 c[N][N];
static u8 text[TEXT];

#define FAR __attribute__((noinline))

static FAR u16 crc16(u16 crc, u32 v, int bits)
{
	for (int i = 0; i < bits; i++) {
		u32 bit = (v ^ crc) & 1;
		crc >>= 1;
		v >>= 1;
		if (bit)
			crc ^= 0xa001;
	}
	return crc;
}

/* Lists: build, find, reverse, merge sort. */

static FAR node *build(u32 *seed)
{
	node *head = 0;
	for (int i = 0; i < NODES; i++) {
		pool[i].key = (i16)(noise(seed) >> 20);
		pool[i].value = (i16)i;
		pool[i].next = head;
		head = &pool[i];
	}
	return head;
}

static FAR node *find(node *l, i16 key)
{
	while (l && l->key != key)
		l = l->next;
	return l;
}

static FAR node *reverse(node *l)
{
	node *done = 0;
	while (l) {
		node *next = l->next;
		l->next = done;
		done = l;
		l = next;
	}
	return done;
}

static FAR node *sort(node *l, int (*before)(const node *, const node *))
{
	for (int width = 1;; width *= 2) {
		node *p = l, *tail = 0;
		int merges = 0;
		l = 0;
		while (p) {
			node *q = p;
			int ps = 0, qs = width;
			merges++;
			while (q && ps < width) {
				ps++;
				q = q->next;
			}
			while (ps || (qs && q)) {
				node *e;
				if (ps && (!qs || !q || before(p, q))) {
					e = p;
					p = p->next;
					ps--;
				} else {
					e = q;
					q = q->next;
					qs--;
				}
				if (tail)
					tail->next = e;
				else
					l = e;
				tail = e;
			}
			p = q;
		}
		tail->next = 0;
		if (merges <= 1)
			return l;
	}
}

static int by_key(const node *x, const node *y) { return x->key <= y->key; }
static int by_value(const node *x, const node *y) { return x->value <= y->value; }

static FAR u16 lists(u32 *seed, u16 crc)
{
	node *l = build(seed);
	u32 found = 0;
	for (int i = 0; i < 16; i++) {
		node *n = find(l, pool[i * 4].key);
		found += n ? (u32)n->value : 1000;
		l = reverse(l);
	}
	crc = crc16(crc, found, 16);
	l = sort(l, by_key);
	for (node *n = l; n; n = n->next)
		crc = crc16(crc, (u16)n->key, 16);
	l = sort(l, by_value);
	return crc16(crc, (u16)l->key, 16);
}

/* Matrices: product, product with a constant, sum of what exceeds a bound. */

static FAR u16 matrices(u32 *seed, u16 crc)
{
	i32 sum = 0;
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			a[i][j] = (i16)((i32)noise(seed) >> 18);
			b[i][j] = (i16)((i32)noise(seed) >> 18);
		}
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			c[i][j] = 0;
			for (int k = 0; k < N; k++)
				c[i][j] += a[i][k] * b[k][j];
		}
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			i32 v = c[i][j] * 3;
			sum += v > 4096 ? 10 : v > 0 ? 1 : 0;
			a[i][j] = (i16)(a[i][j] + (v >> 8 & 0x7f));
			sum += a[i][j];
		}
	return crc16(crc, (u32)sum, 32);
}

/* State machine: classify the words of a text as integers, reals, exponents or neither. */

enum state { START, SIGN, INTEGER, POINT, REAL, MARK, EXPONENT, BAD, STATES };

static FAR enum state scan(const u8 **at, u32 *moves)
{
	enum state s = START;
	const u8 *p = *at;
	for (; *p && *p != ','; p++) {
		u8 ch = *p;
		enum state was = s;
		int digit = ch >= '0' && ch <= '9';
		switch (s) {
		case START:
			s = digit ? INTEGER : ch == '+' || ch == '-' ? SIGN : ch == '.' ? POINT : BAD;
			break;
		case SIGN:
			s = digit ? INTEGER : ch == '.' ? POINT : BAD;
			break;
		case INTEGER:
			s = digit ? INTEGER : ch == '.' ? REAL : ch == 'e' ? MARK : BAD;
			break;
		case POINT:
			s = digit ? REAL : BAD;
			break;
		case REAL:
			s = digit ? REAL : ch == 'e' ? MARK : BAD;
			break;
		case MARK:
			s = digit || ch == '-' ? EXPONENT : BAD;
			break;
		case EXPONENT:
			s = digit ? EXPONENT : BAD;
			break;
		default:
			break;
		}
		if (s != was)
			moves[was]++;
	}
	if (*p)
		p++;
	*at = p;
	return s;
}

static FAR u16 machine(u32 *seed, u16 crc)
{
	static const char letters[] = "0123456789+-.e,,,x7";
	u32 moves[STATES], ends[STATES];
	for (int i = 0; i < TEXT - 1; i++)
		text[i] = (u8)letters[(noise(seed) >> 16) % 19];
	text[TEXT - 1] = 0;
	for (int i = 0; i < STATES; i++)
		moves[i] = ends[i] = 0;
	const u8 *p = text;
	while (*p)
		ends[scan(&p, moves)]++;
	for (int i = 0; i < STATES; i++)
		crc = crc16(crc16(crc, moves[i], 16), ends[i], 16);
	return crc;
}

int main(void)
{
	u32 seed = 66;
	u16 crc = 0;
	bench_begin();
	for (int i = 0; i < ITERATIONS; i++) {
		crc = lists(&seed, crc);
		crc = matrices(&seed, crc);
		crc = machine(&seed, crc);
	}
	bench_end();
	print("crc", crc);
	return 0;
}
