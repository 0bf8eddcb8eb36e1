/* Records without gaps, whose fields lie at any address: they are written, sorted by one field, copied and added up. */
#include "common.h"

enum { RECORDS = 1500, ROUNDS = 150 };
struct record {
    uint8_t kind;
    uint32_t id;
    uint16_t flags;
    uint32_t value;
    uint64_t stamp;
} __attribute__((packed));
static struct record list[RECORDS], copy[RECORDS];

int main(void)
{
    uint32_t h = 0;
    for (int i = 0; i < RECORDS; i++)
        list[i] = (struct record){.kind = next(), .id = next() * 33, .flags = next(), .value = next(), .stamp = (uint64_t)next() << 20 | i};
    for (int r = 0; r < ROUNDS; r++) {
        for (int i = 0; i < RECORDS; i++) {
            struct record *p = &list[i];
            p->value = p->value * 5 + p->id;
            p->flags ^= p->value >> 7;
            p->stamp += p->value + (uint64_t)p->flags;
        }
        for (int i = 1; i < RECORDS; i += 2) /* neighbours in order */
            if (list[i - 1].value > list[i].value) {
                struct record t = list[i];
                list[i] = list[i - 1];
                list[i - 1] = t;
            }
        memcpy(copy, list, sizeof list);
        for (int i = 0; i < RECORDS; i++) h = h * 31 + copy[i].id + copy[i].flags + copy[i].value + (uint32_t)(copy[i].stamp >> 9);
    }
    printf("%08x\n", (unsigned)h);
    return 0;
}
