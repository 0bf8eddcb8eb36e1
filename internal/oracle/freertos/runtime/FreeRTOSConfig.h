/* FreeRTOS with everything that the suites of its demos use: a tick every 10,000 cycles. */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#define configCPU_CLOCK_HZ			10000000
#define configTICK_RATE_HZ			1000
#define configUSE_16_BIT_TICKS			0
#define configUSE_PREEMPTION			1
#define configUSE_TIME_SLICING			1
#define configIDLE_SHOULD_YIELD			1
#define configMAX_PRIORITIES			8
#define configMAX_TASK_NAME_LEN			16
#define configMINIMAL_STACK_SIZE		512
#define configSTACK_DEPTH_TYPE			uint32_t
#define configTOTAL_HEAP_SIZE			(1 << 20)
#define configSUPPORT_STATIC_ALLOCATION		1
#define configSUPPORT_DYNAMIC_ALLOCATION	1
/* compilers that trust the types of objects break the shorter list items */
#define configUSE_MINI_LIST_ITEM		0

#define configUSE_IDLE_HOOK			0
#define configUSE_TICK_HOOK			1
#define configUSE_MALLOC_FAILED_HOOK		1
#define configCHECK_FOR_STACK_OVERFLOW		2
#define configUSE_TRACE_FACILITY		1
#define configUSE_MUTEXES			1
#define configUSE_RECURSIVE_MUTEXES		1
#define configUSE_COUNTING_SEMAPHORES		1
#define configUSE_QUEUE_SETS			1
#define configQUEUE_REGISTRY_SIZE		10
#define configUSE_TASK_NOTIFICATIONS		1
#define configTASK_NOTIFICATION_ARRAY_ENTRIES	5
#define configUSE_CO_ROUTINES			0
#define configSTREAM_BUFFER_TRIGGER_LEVEL_TEST_MARGIN 4

#define configUSE_TIMERS			1
#define configTIMER_TASK_PRIORITY		(configMAX_PRIORITIES - 1)
#define configTIMER_QUEUE_LENGTH		20
#define configTIMER_TASK_STACK_DEPTH		(2 * configMINIMAL_STACK_SIZE)

#define INCLUDE_vTaskPrioritySet		1
#define INCLUDE_uxTaskPriorityGet		1
#define INCLUDE_vTaskDelete			1
#define INCLUDE_vTaskSuspend			1
#define INCLUDE_vTaskDelay			1
#define INCLUDE_vTaskDelayUntil			1
#define INCLUDE_xTaskDelayUntil			1
#define INCLUDE_xTaskGetSchedulerState		1
#define INCLUDE_xTaskGetCurrentTaskHandle	1
#define INCLUDE_xTaskGetIdleTaskHandle		1
#define INCLUDE_xTaskGetHandle			1
#define INCLUDE_xTaskAbortDelay			1
#define INCLUDE_xTaskResumeFromISR		1
#define INCLUDE_eTaskGetState			1
#define INCLUDE_uxTaskGetStackHighWaterMark	1
#define INCLUDE_xSemaphoreGetMutexHolder	1
#define INCLUDE_xTimerPendFunctionCall		1

void assert_failed(const char *file, int line);
#define configASSERT(x)				do { if (!(x)) assert_failed(__FILE__, __LINE__); } while (0)

#endif
