void vStartBlockingQueueTasks(UBaseType_t priority);
BaseType_t xAreBlockingQueuesStillRunning(void);
