void vStartInterruptSemaphoreTasks(void);
BaseType_t xAreInterruptSemaphoreTasksStillRunning(void);
void vInterruptSemaphorePeriodicTest(void);
