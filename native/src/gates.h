/* The entries that patched code calls. What they are told stands behind the call, as operands of instructions that do
 * nothing; the address of the access is on the stack. Patched code finds the gates, and one byte for each block of 1 MiB that says
 * whether anything in it is to be observed, in an area below 2 GiB. A page of the map speaks for 4 GiB: few are ever there. */
#ifndef PERDURE_GATES_H
#define PERDURE_GATES_H
#include "runtime.h"

#define GATES_AREA UINT64_C(0x77fc0000)
#define GATES_BLOCK_SHIFT 20
#define GATES_BLOCKS (UINT64_C(1) << (47 - GATES_BLOCK_SHIFT))
#define GATES_BLOCK_MAP GATES_AREA
#define GATES_TABLE (GATES_BLOCK_MAP + GATES_BLOCKS)
/* One byte for each word of 8 bytes, by the low bits of its number: whether one of them was touched. */
#define GATES_FILTER (GATES_TABLE + 0x10000)
#define GATES_AREA_BYTES (GATES_FILTER + 0x10000 - GATES_AREA)
/* Marks of blocks. Patched code takes those with persistent memory for negative. */
#define GATES_PM 0x80u
#define GATES_TOUCHED 1u /* words of the block were touched by locked instructions */

/* The usual case of some gates, written down by hand; everything else is left to those of the same name. */
void quick_gate_load(void);
void quick_gate_load_followed(void);
void quick_gate_load_now(void);
void quick_gate_store(void);
void quick_gate_store_preceded(void);
void quick_gate_flush(void);
void quick_gate_flush_preceded(void);
void quick_gate_fence(void);

/* Maps the area, once; false when something else is there. */
bool gates_open(void);
/* Patched code tests the block of an address that may be so far from the one that is accessed: 64 KiB, and 4 KiB where accesses share a test. */
#define GATES_NEAR UINT64_C(0x20000)
/* What xsave writes, once the area is open. */
extern uint32_t gates_state_bytes __attribute__((visibility("hidden")));
/* Persistent memory was added. */
void gates_watch_pm(uint64_t start, uint64_t end);
/* A word was touched by a read-modify-write for the first time. */
void gates_watch_word(uint64_t addr);

#endif
