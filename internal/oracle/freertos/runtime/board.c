/* What FreeRTOS's port asks of embARC's libraries: handlers, interrupts, timers, the lock. No header of
   embARC is used here, as types and names in them differ between versions; the port calls by these. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define IRQ_SELECT	0x40b
#define IRQ_PRIORITY	0x206
#define IRQ_ENABLE	0x40c
#define IRQ_CAUSE	0x40a
#define ECR		0x403
#define ERET		0x400
#define EXCEPTIONS	16
#define VECTORS		(EXCEPTIONS + NUM_EXC_INT)

typedef void (*handler)(void *);

static uint32_t lr(uint32_t reg) { return __builtin_arc_lr(reg); }
static void sr(uint32_t reg, uint32_t v) { __builtin_arc_sr(v, reg); }

static void unexpected(void *frame)
{
	(void)frame;
	printf("unexpected exception %#x at %#x, or interrupt %u\n", (unsigned)lr(ECR), (unsigned)lr(ERET), (unsigned)lr(IRQ_CAUSE));
	exit(3);
}

handler exc_int_handler_table[VECTORS] = { [0 ... VECTORS - 1] = unexpected };

int32_t int_handler_install(uint32_t n, handler h)
{
	if (n < EXCEPTIONS || n >= VECTORS)
		return -1;
	exc_int_handler_table[n] = h;
	return 0;
}

int32_t int_pri_set(uint32_t n, int32_t priority)
{
	sr(IRQ_SELECT, n);
	sr(IRQ_PRIORITY, priority - INT_PRI_MIN);
	return 0;
}

static int32_t enable(uint32_t n, uint32_t on)
{
	sr(IRQ_SELECT, n);
	sr(IRQ_ENABLE, on);
	return 0;
}

int32_t int_enable(uint32_t n) { return enable(n, 1); }
int32_t int_disable(uint32_t n) { return enable(n, 0); }

uint32_t cpu_lock_save(void)
{
	uint32_t status;
	__asm__ volatile("clri %0" : "=r"(status) : : "memory");
	return status;
}

void cpu_unlock_restore(uint32_t status) { __asm__ volatile("seti %0" : : "r"(status) : "memory"); }

/* the timers: count, control, limit */
static uint32_t timer(uint32_t n) { return n ? 0x100 : 0x21; }

int32_t arc_timer_stop(uint32_t n)
{
	uint32_t t = timer(n);
	sr(t + 1, 0);
	sr(t + 2, 0);
	sr(t, 0);
	return 0;
}

int32_t arc_timer_start(uint32_t n, uint32_t mode, uint32_t limit)
{
	uint32_t t = timer(n);
	sr(t + 1, 0);
	sr(t + 2, limit);
	sr(t + 1, mode);
	sr(t, 0);
	return 0;
}

int32_t arc_timer_int_clear(uint32_t n)
{
	uint32_t t = timer(n) + 1;
	sr(t, lr(t) & ~8);
	return 0;
}

/* names of earlier versions */
int32_t timer_stop(uint32_t n) { return arc_timer_stop(n); }
int32_t timer_start(uint32_t n, uint32_t mode, uint32_t limit) { return arc_timer_start(n, mode, limit); }
int32_t timer_int_clear(uint32_t n) { return arc_timer_int_clear(n); }

/* the period does not change */
void board_timer_update(unsigned int rate) { (void)rate; }
