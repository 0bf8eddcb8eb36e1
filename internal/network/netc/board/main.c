/* Runs the network on its inputs and prints the cycles of every layer and the bytes of every output. */
#include "program.h"

void write_text(const char *text, uint32_t size);

/* Auxiliary registers of timer 0, which counts cycles. */
enum { COUNT0 = 0x21, CONTROL0 = 0x22, LIMIT0 = 0x23 };

static void print(const char *text)
{
    uint32_t size = 0;
    while (text[size])
        size++;
    write_text(text, size);
}

static void print_number(uint32_t number)
{
    char text[11];
    int at = sizeof text - 1;
    text[at] = 0;
    do {
        text[--at] = '0' + number % 10;
        number /= 10;
    } while (number);
    print(text + at);
}

static void print_bytes(const uint8_t *bytes, uint32_t count)
{
    static const char digits[] = "0123456789abcdef";
    char line[64];
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++) {
        line[used++] = digits[bytes[i] >> 4];
        line[used++] = digits[bytes[i] & 15];
        if (used == sizeof line) {
            write_text(line, used);
            used = 0;
        }
    }
    write_text(line, used);
}

int main(void)
{
    __builtin_arc_sr(0xffffffff, LIMIT0);
    __builtin_arc_sr(0, CONTROL0); /* no interrupts */
    program_init();
    for (int step = 0; step < program_steps; step++) {
        uint32_t all = 0;
        program_begin(step);
        for (int i = 0; i < program_layers; i++) {
            uint32_t begin = __builtin_arc_lr(COUNT0);
            int status = program_layer(i);
            uint32_t cycles = (uint32_t)__builtin_arc_lr(COUNT0) - begin;
            all += cycles;
            print("layer ");
            print_number(i);
            print(" ");
            print(program_names[i]);
            print(" cycles ");
            print_number(cycles);
            print("\n");
            if (status) {
                print("the kernel returned status ");
                print_number(status);
                print("\n");
                return 1;
            }
        }
        print("all layers cycles ");
        print_number(all);
        print("\n");
        program_end();
        for (int i = 0; i < program_outputs; i++) {
            print("output ");
            print_number(i);
            print(" ");
            print_bytes(program_out[i].data, program_out[i].bytes);
            print("\n");
        }
    }
    return 0;
}
