#define portDISABLE_INTERRUPTS() __asm__ volatile("clri")
