#include "embARC_toolchain.h"
typedef void (*INT_HANDLER)(void *);
int32_t int_disable(uint32_t n);
int32_t int_enable(uint32_t n);
int32_t int_pri_set(uint32_t n, int32_t priority);
int32_t int_handler_install(uint32_t n, INT_HANDLER h);
uint32_t cpu_lock_save(void);
void cpu_unlock_restore(uint32_t status);
