/* A stand-in for the kernel, which has one task: enough to build and run what surrounds the real one. */
#ifndef FREERTOS_H
#define FREERTOS_H
#include <stddef.h>
#include <stdint.h>
#include "FreeRTOSConfig.h"
#include "portmacro.h"
typedef long BaseType_t;
typedef unsigned long UBaseType_t;
typedef unsigned int TickType_t, StackType_t;
typedef struct { int unused; } StaticTask_t;
typedef void *TaskHandle_t;
#define pdPASS 1
#define pdFAIL 0
void vApplicationTickHook(void);
#endif
