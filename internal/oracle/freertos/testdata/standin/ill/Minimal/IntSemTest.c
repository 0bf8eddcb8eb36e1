/* A suite that is well while it sees ticks. */
#include "FreeRTOS.h"
static volatile unsigned seen, before;
void vStartInterruptSemaphoreTasks(void) {}
void vInterruptSemaphorePeriodicTest(void) { seen++; }
BaseType_t xAreInterruptSemaphoreTasksStillRunning(void)
{
	BaseType_t well = seen - before >= 1000 ? pdPASS : pdFAIL;
	before = seen;
	return well;
}
