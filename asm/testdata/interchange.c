/* Compiled by gcc for the interchange tests; calls interchange.s and is called by it. */
struct point { short x, y; int weight; };
int add_s16 (const short *p, int n);
long long mac64 (int a, int b);
extern int table[];
static int counter;
int shared = 3;
const char *const names[] = { "one", "two", "three" };

int from_c (int a, int b)
{
  switch (a & 7)
    {
    case 0: return b + 1;
    case 1: return b * 3;
    case 2: return table[b & 3];
    case 3: return names[b % 3][0];
    case 4: return shared++;
    case 5: return counter -= b;
    case 6: return b / 7;
    default: return a << (b & 31);
    }
}

long long from_c64 (struct point *p, int n)
{
  long long sum = 0;
  for (int i = 0; i < n; i++)
    sum += (long long) p[i].x * p[i].y + p[i].weight;
  return sum + mac64 (n, shared) + add_s16 (&p->x, n);
}
