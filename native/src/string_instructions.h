/* What movs, cmps, stos, lods and scas do to memory; of the opcode, the last bit does not count. */
#ifndef PERDURE_STRING_INSTRUCTIONS_H
#define PERDURE_STRING_INSTRUCTIONS_H
#include <stdint.h>

/* To be called before the instruction, with the registers by their numbers. */
void string_stores(const uint64_t *registers, uint32_t opcode, uint32_t size, uint64_t count, uint32_t site);
/* After it, with what rsi and rdi were before it. */
void string_loaded(uint64_t from, uint64_t to, uint32_t opcode, uint64_t length, uint32_t site);

#endif
