/* What main knows of the network. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stdint.h>

struct program_output {
    const void *data;
    uint32_t bytes;
};

extern const int program_steps, program_layers, program_outputs;
extern const char *const program_names[]; /* of the layers */
extern const struct program_output program_out[];

void program_init(void);
void program_begin(int step);
int program_layer(int layer);
void program_end(void);

#endif
