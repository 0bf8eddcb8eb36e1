/* One task, and delays that watch the ticks go by. */
#include "task.h"
#include <string.h>

static void (*task)(void *);
static volatile TickType_t ticks;
void start_ticks(void);

BaseType_t xTaskCreate(void (*f)(void *), const char *name, uint32_t stack, void *arg, UBaseType_t priority, TaskHandle_t *t)
{
	configASSERT(strlen(name) < configMAX_TASK_NAME_LEN);
	task = f;
	return pdPASS;
}

void tick(void *frame)
{
	ticks++;
	vApplicationTickHook();
}

void vTaskDelay(TickType_t n)
{
	TickType_t start = ticks;
	while (ticks - start < n)
		;
}

void vTaskStartScheduler(void)
{
	start_ticks();
	task(NULL);
}
