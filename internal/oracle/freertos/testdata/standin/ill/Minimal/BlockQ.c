/* A suite that is well only once. */
#include "FreeRTOS.h"
static int asked;
void vStartBlockingQueueTasks(UBaseType_t priority) {}
BaseType_t xAreBlockingQueuesStillRunning(void) { return asked++ == 0; }
