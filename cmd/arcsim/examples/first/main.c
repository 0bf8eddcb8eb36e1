/* A first program: it prints through the host, calls a function in assembly and a kernel of the library, and
   counts interrupts of a timer. */
#include <stdint.h>

#include "console.h"
#include "mli_api.h"

int32_t dot(const int16_t *x, const int16_t *y, int pairs);

/* Auxiliary registers of timer 0. Bit 0 of CONTROL0 lets it interrupt, bit 1 stops it with the core. */
enum { COUNT0 = 0x21, CONTROL0 = 0x22, LIMIT0 = 0x23, TIMER_CYCLES = 1000 };

static volatile int ticks;

__attribute__((interrupt("ilink"))) void timer0(void)
{
    __builtin_arc_sr(3, CONTROL0); /* clears the request */
    ticks++;
}

static void count_ticks(void)
{
    __builtin_arc_sr(TIMER_CYCLES, LIMIT0);
    __builtin_arc_sr(0, COUNT0);
    __builtin_arc_sr(3, CONTROL0);
    __builtin_arc_seti(0x3f); /* interrupts of all priorities */
    while (ticks < 5)
        ;
    __builtin_arc_clri();
    print("%d ticks of %d cycles\n", ticks, TIMER_CYCLES);
}

static void rectify(void)
{
    int16_t in[6] = {-300, 5, -1, 0, 77, -32768}, out[6];
    mli_tensor from = {.data = in, .capacity = sizeof in, .shape = {6}, .rank = 1, .el_type = MLI_EL_FX_16, .el_params.fx.frac_bits = 15};
    mli_tensor to = {.data = out, .capacity = sizeof out};
    mli_relu_cfg cfg = {.type = MLI_RELU_GEN};
    mli_status status = mli_krn_relu_fx16(&from, &cfg, &to);
    print("mli_krn_relu_fx16: status %d,", status);
    for (int i = 0; i < 6; i++)
        print(" %d", out[i]);
    print("\n");
}

int main(void)
{
    static const int16_t x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, y[8] = {1, 1, 1, 1, 1, 1, 1, 2};

    print("Hello from %s\n", "ARC");
    print("dot product %d\n", dot(x, y, 4));
    rectify();
    count_ticks();
    return 0;
}
