/* The hot path: one event into the ring of the thread.
 *
 * The slot is claimed by an exchange-and-add without lock prefix: only this thread claims, and one instruction is enough
 * against its own signal handlers. The clock is read after the claim, and the word that commits the slot is written last.
 * A thread without a ring claims from perdure_no_ring, whose positions lie beyond every limit, so that the test for room
 * is the only branch. */
#ifndef PERDURE_RING_H
#define PERDURE_RING_H
#include "runtime.h"
#include "stacks.h"
#include <x86intrin.h>

#define PERDURE_NO_RING_POSITION (UINT64_C(1) << 62)
extern struct perdure_ring perdure_no_ring;

/* When an event is stamped: before it takes effect, or after (then everything before it must have completed). */
enum stamp { STAMP_BEFORE, STAMP_AFTER };

static inline uint64_t clock_now(enum stamp when) {
  if (unlikely(perdure_shared_counter)) {
    return __atomic_add_fetch(&perdure_counters->clock, 1, __ATOMIC_SEQ_CST);
  }
  if (when == STAMP_AFTER) {
    __asm__ volatile("lfence" : : : "memory");
  }
  return __rdtsc();
}

static inline uint64_t ring_claim(struct perdure_self *self, uint64_t slots) {
  uint64_t position = slots;
  __asm__ volatile("xaddq %0, %1" : "+r"(position), "+m"(self->ring->claimed) : : "cc", "memory");
  return position;
}

/* Gives a position that may be written, after waiting for room; false when the event cannot be recorded. */
bool ring_make_room(struct perdure_self *self, uint64_t *position, uint64_t slots);
/* Claims several slots that lie behind each other; false when the event cannot be recorded. */
bool ring_claim_block(struct perdure_self *self, uint64_t *position, uint64_t slots);
bool ring_acquire(struct perdure_self *self);
void ring_release(struct perdure_self *self);
/* Fills what the claims of a vanished program left open in rings of this process id. */
void ring_repair_abandoned(void);

static inline uint64_t ring_word(uint64_t position, uint64_t mask, uint32_t kind, uint32_t info, uint64_t addr) {
  uint64_t lap = (position & (mask + 1)) == 0;
  return (addr & ((UINT64_C(1) << PERDURE_ADDR_BITS) - 1)) | (uint64_t)kind << PERDURE_KIND_SHIFT | lap << PERDURE_LAP_SHIFT |
         (uint64_t)info << PERDURE_INFO_SHIFT;
}

static inline void ring_commit(struct perdure_slot *slot, uint64_t where) {
  __atomic_store_n(&slot->where, where, __ATOMIC_RELEASE);
}

static inline void ring_fill(struct perdure_self *self, uint64_t position, uint64_t time, uint32_t kind, uint32_t info, uint64_t addr,
                             uint64_t value, uint32_t site, uint32_t stack) {
  struct perdure_slot *slot = &self->slots[position & self->mask];
  slot->time = time;
  slot->site = site;
  slot->stack = stack;
  slot->value = value;
  ring_commit(slot, ring_word(position, self->mask, kind, info, addr));
}

static inline __attribute__((always_inline)) void record(enum stamp when, uint32_t kind, uint32_t info, uint64_t addr, uint64_t value,
                                                         uint32_t site, uint32_t stack) {
  struct perdure_self *self = &perdure_self;
  uint64_t position = ring_claim(self, 1);
  if (unlikely(position >= self->limit) && !ring_make_room(self, &position, 1)) {
    return;
  }
  ring_fill(self, position, clock_now(when), kind, info, addr, value, site, stack);
}

/* An event with payload slots. */
void record_with_payload(enum stamp when, uint32_t kind, uint32_t info, uint64_t addr, uint64_t value, const void *payload, size_t length,
                         uint32_t site, uint32_t stack);
/* A store of many bytes, as several events where it must be; a fill where bytes is null. */
void record_store_bytes(uint32_t kind, uint64_t addr, const void *bytes, int fill, size_t length, uint32_t site, uint32_t stack);

#endif
