/* A suite that is well when it was started. */
#include "FreeRTOS.h"
static int started;
void vStartBlockingQueueTasks(UBaseType_t priority) { started = 1; }
BaseType_t xAreBlockingQueuesStillRunning(void) { return started; }
