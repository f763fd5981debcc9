/* What is persistent memory, and the events of interposed functions that touch it. */
#ifndef PERDURE_PM_H
#define PERDURE_PM_H
#include "ring.h"

/* Blocks marked 2: a look at the list of ranges. */
bool pm_in_ranges(uint64_t addr, uint64_t length);
/* Makes a range PM: inside the window by its blocks, elsewhere through the list. */
void pm_add(uint64_t addr, uint64_t length);
void pm_remove(uint64_t addr, uint64_t length);
/* The two steps by which blocks of the window stop being PM as a whole: their mappings go to the list, then the list is looked at. */
bool pm_list(uint64_t addr, uint64_t length);
void pm_look_closer(uint64_t addr, uint64_t length);
/* From now on no address is PM by its place in the window alone. */
void quick_hooks_look_closer(void);
void pm_ranges_hold(void);
void pm_ranges_drop(void);

static inline bool pm_block(uint64_t addr) {
  uint64_t block = addr >> PERDURE_BLOCK_SHIFT;
  return block < PERDURE_BLOCKS && __perdure_pm_map[block] != 0;
}

/* May some byte of the range be PM? One or two table lookups. */
static inline bool pm_possible(const void *addr, size_t length) { return pm_block((uint64_t)addr) || pm_block((uint64_t)addr + length); }

/* Is some byte of the range PM? */
static inline bool pm_is(const void *addr, size_t length) {
  uint64_t block = (uint64_t)addr >> PERDURE_BLOCK_SHIFT;
  if (block >= PERDURE_BLOCKS || length == 0) {
    return false;
  }
  if (likely(__perdure_pm_map[block] == 1)) {
    return true;
  }
  return pm_possible(addr, length) && pm_in_ranges((uint64_t)addr, length);
}

/* Whether interposed functions are to record: not inside the runtime's own wrappers. */
static inline bool watching(void) { return perdure_recording && perdure_self.quiet == 0; }

/* Events at the call site of an interposed function. */
void emit(enum stamp when, uint32_t kind, uint32_t info, const void *addr, uint64_t value);
void emit_with_payload(enum stamp when, uint32_t kind, uint32_t info, const void *addr, uint64_t value, const void *payload, size_t length);
/* Nothing where the range is no PM. */
void emit_load(const void *addr, size_t length);
void emit_store(void *addr, const void *bytes, size_t length);
void emit_store_nt(void *addr, const void *bytes, size_t length);
void emit_fill(void *addr, int byte, size_t length);
void emit_fill_nt(void *addr, int byte, size_t length);
void emit_change(void *addr, const void *bytes, size_t length); /* seen afterwards, by its effect */

#endif
