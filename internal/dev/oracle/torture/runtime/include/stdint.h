/* The compiler's own types: those of the host's library are not for this target. */
#include <stdint-gcc.h>
