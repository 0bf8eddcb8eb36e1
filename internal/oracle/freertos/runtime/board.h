/* The board as FreeRTOS's port asks for it: timer 0 ticks. */
#ifndef BOARD_H
#define BOARD_H
#define BOARD_OS_TIMER_ID	0
#define BOARD_OS_TIMER_INTNO	16
void board_timer_update(unsigned int rate);
#endif
