/* Memory for code within reach of 32-bit distances from a module. */
#ifndef PERDURE_NEAR_MEMORY_H
#define PERDURE_NEAR_MEMORY_H
#include <stddef.h>
#include <stdint.h>

/* Writable pages from which every byte of [low, high) can be reached, and the other way round; null where there are none. */
void *near_memory_map(uint64_t low, uint64_t high, size_t bytes);

#endif
