#include "embARC_toolchain.h"
int32_t arc_timer_stop(uint32_t n);
int32_t arc_timer_start(uint32_t n, uint32_t mode, uint32_t limit);
int32_t arc_timer_int_clear(uint32_t n);
