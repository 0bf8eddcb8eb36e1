#include "FreeRTOS.h"
BaseType_t xTaskCreate(void (*f)(void *), const char *name, uint32_t stack, void *arg, UBaseType_t priority, TaskHandle_t *t);
void vTaskDelay(TickType_t n);
void vTaskStartScheduler(void);
