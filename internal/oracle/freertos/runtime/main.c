/* Starts the test suites of FreeRTOS's demos and asks each of them, after some time and again, whether it is
   well. Ends with status 0 when all are in every round, with 1 when one is not. */
#include <stdio.h>
#include <stdlib.h>
#include <FreeRTOS.h>
#include <task.h>
#include <queue.h>
#include <semphr.h>
#include <timers.h>
#include "headers.h"

/* ticks between rounds, longer than the slowest suite takes to get on, and of the timers' suite */
#define PERIOD 3000
#define TIMER_PERIOD 50

struct suite {
	const char *name;
	BaseType_t (*well)(void);
};

#define SUITE(name, start, well, tick) static BaseType_t well_##name(void) { return well; }
#include "suites.h"
#undef SUITE
#define SUITE(name, start, well, tick) { #name, well_##name },
static const struct suite suites[] = {
#include "suites.h"
};
#undef SUITE
#define COUNT (sizeof suites / sizeof suites[0])

static void end(int status)
{
	portDISABLE_INTERRUPTS();
	exit(status);
}

static void check(void *unused)
{
	unsigned round, i, ill = 0;
	(void)unused;
	for (round = 1; round <= ROUNDS; round++) {
		vTaskDelay(PERIOD);
		for (i = 0; i < COUNT; i++)
			if (suites[i].well() != pdPASS) {
				printf("%s: not well in round %u\n", suites[i].name, round);
				ill++;
			}
	}
	if (!ill)
		for (i = 0; i < COUNT; i++)
			printf("%s\n", suites[i].name);
	end(ill != 0);
}

void vApplicationTickHook(void)
{
#define SUITE(name, start, well, tick) tick;
#include "suites.h"
#undef SUITE
}

int main(void)
{
	xTaskCreate(check, "check", 4 * configMINIMAL_STACK_SIZE, NULL, configMAX_PRIORITIES - 2, NULL);
#define SUITE(name, start, well, tick) start;
#include "suites.h"
#undef SUITE
	vTaskStartScheduler();
	printf("the scheduler did not start\n");
	return 2;
}

void assert_failed(const char *file, int line)
{
	printf("assertion failed: %s:%d\n", file, line);
	end(2);
}

void vApplicationMallocFailedHook(void)
{
	printf("no memory left\n");
	end(2);
}

void vApplicationStackOverflowHook(TaskHandle_t task, char *name)
{
	(void)task;
	printf("the stack of task %s overflowed\n", name);
	end(2);
}

/* memory of the tasks that the kernel itself needs */

void vApplicationGetIdleTaskMemory(StaticTask_t **task, StackType_t **stack, uint32_t *size)
{
	static StaticTask_t idle;
	static StackType_t memory[configMINIMAL_STACK_SIZE];
	*task = &idle, *stack = memory, *size = configMINIMAL_STACK_SIZE;
}

void vApplicationGetTimerTaskMemory(StaticTask_t **task, StackType_t **stack, uint32_t *size)
{
	static StaticTask_t timer;
	static StackType_t memory[configTIMER_TASK_STACK_DEPTH];
	*task = &timer, *stack = memory, *size = configTIMER_TASK_STACK_DEPTH;
}
