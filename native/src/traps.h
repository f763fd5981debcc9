/* Places that had no room for a jump: the processor traps there, and goes on in the copy. */
#ifndef PERDURE_TRAPS_H
#define PERDURE_TRAPS_H
#include <stdint.h>

void traps_add(uint64_t at, uint64_t target);
/* Installs the handler, if there are traps. */
void traps_start(void);

#endif
