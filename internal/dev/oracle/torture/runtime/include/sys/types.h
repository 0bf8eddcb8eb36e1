#ifndef SYS_TYPES_H
#define SYS_TYPES_H
#include <stddef.h>
typedef long off_t;
typedef int ssize_t;
typedef unsigned mode_t;
#endif
