/* Ticks come from the board. */
#include "FreeRTOS.h"
#include "arc/arc_exception.h"
#include "arc/arc_timer.h"
#include "board.h"

void tick(void *frame);

static void on_tick(void *frame)
{
	arc_timer_int_clear(BOARD_OS_TIMER_ID);
	board_timer_update(configTICK_RATE_HZ);
	tick(frame);
}

void start_ticks(void)
{
	uint32_t status = cpu_lock_save();
	int_disable(BOARD_OS_TIMER_INTNO);
	arc_timer_stop(BOARD_OS_TIMER_ID);
	arc_timer_start(BOARD_OS_TIMER_ID, 3, configCPU_CLOCK_HZ / configTICK_RATE_HZ);
	int_handler_install(BOARD_OS_TIMER_INTNO, (INT_HANDLER_T)on_tick);
	int_pri_set(BOARD_OS_TIMER_INTNO, INT_PRI_MIN);
	int_enable(BOARD_OS_TIMER_INTNO);
	cpu_unlock_restore(status);
	__asm__ volatile("seti");
}
