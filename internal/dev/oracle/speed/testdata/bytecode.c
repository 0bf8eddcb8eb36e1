/* An interpreter of byte code with a stack, and programs for it: primes by a sieve, the greatest common divisors of pairs, and
   recursive Fibonacci numbers. */
#include "common.h"

enum op { PUSH, GET_LOCAL, SET_LOCAL, ADD, SUB, MOD, LESS, JUMP, JUMP_IF_0, LOAD, STORE, CALL, RETURN, DUP, SWAP, HALT };
enum { CELLS = 8000, ROUNDS = 12 };

static uint8_t code[512], cells[CELLS];

/* Words of a program are a letter or a number. A number is pushed; @x and !x read and write a variable; :x is a label, and
   >x, ?x and (x jump to it, jump if the stack has 0, and call. */
static void assemble(const char *s)
{
    uint8_t at[128] = {0};
    for (int pass = 0; pass < 2; pass++) {
        uint8_t *p = code;
        for (const char *t = s; *t; t++) {
            if (*t == ' ') continue;
            if (*t == ':') {
                at[(int)*++t] = p - code;
            } else if (*t >= '0' && *t <= '9') {
                int n = 0;
                while (*t >= '0' && *t <= '9') n = n * 10 + *t++ - '0';
                *p++ = PUSH, *p++ = n, *p++ = n >> 8;
            } else {
                int op;
                switch (*t) {
                case '@': op = GET_LOCAL; break;
                case '!': op = SET_LOCAL; break;
                case '+': op = ADD; break;
                case '-': op = SUB; break;
                case '%': op = MOD; break;
                case '<': op = LESS; break;
                case '>': op = JUMP; break;
                case '?': op = JUMP_IF_0; break;
                case '[': op = LOAD; break;
                case ']': op = STORE; break;
                case '(': op = CALL; break;
                case ')': op = RETURN; break;
                case '=': op = DUP; break;
                case '~': op = SWAP; break;
                default: op = HALT; break;
                }
                *p++ = op;
                if (op == GET_LOCAL || op == SET_LOCAL) *p++ = *++t & 31;
                if (op == JUMP || op == JUMP_IF_0 || op == CALL) *p++ = at[(int)*++t];
            }
        }
    }
}

static int run(void)
{
    static int stack[256], locals[32];
    static const uint8_t *calls[256];
    const uint8_t *p = code, **c = calls;
    int *s = stack, t;
    for (;;) {
        switch (*p++) {
        case PUSH: *s++ = p[0] | p[1] << 8; p += 2; break;
        case GET_LOCAL: *s++ = locals[*p++]; break;
        case SET_LOCAL: locals[*p++] = *--s; break;
        case ADD: s--; s[-1] += *s; break;
        case SUB: s--; s[-1] -= *s; break;
        case MOD: s--; s[-1] %= *s; break;
        case LESS: s--; s[-1] = s[-1] < *s; break;
        case JUMP: p = code + *p; break;
        case JUMP_IF_0: p = *--s ? p + 1 : code + *p; break;
        case LOAD: s[-1] = cells[s[-1]]; break;
        case STORE: s -= 2; cells[s[1]] = s[0]; break;
        case CALL: *c++ = p + 1; p = code + *p; break;
        case RETURN: p = *--c; break;
        case DUP: *s = s[-1]; s++; break;
        case SWAP: t = s[-1]; s[-1] = s[-2]; s[-2] = t; break;
        default: return *--s;
        }
    }
}

int main(void)
{
    static const char *programs[] = {
        "0 !c 2 !i :A @i 8000 < ?D @i [ ?B >C :B @c 1 + !c @i @i + !j :E @j 8000 < ?C 1 @j ] @j @i + !j >E :C @i 1 + !i >A :D @c ;",
        "0 !c 1 !i :A @i 70 < ?D 1 !j :B @j 70 < ?C @i !a @j !b :E @b ?F @a @b % @b !a !b >E :F @c @a + !c @j 1 + !j >B "
        ":C @i 1 + !i >A :D @c ;",
        "18 (F ; :F = 2 < ?R ) :R = 1 - (F ~ 2 - (F + )",
    };
    uint32_t h = 0;
    for (int r = 0; r < ROUNDS; r++)
        for (int i = 0; i < 3; i++) {
            memset(cells, 0, sizeof cells);
            assemble(programs[i]);
            int v = run();
            if (i == 0 && v != 1007 || i == 2 && v != 2584) return 1;
            h = h * 31 + v;
        }
    printf("%08x\n", (unsigned)h);
    return 0;
}
