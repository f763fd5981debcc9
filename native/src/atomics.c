/* Atomic accesses and read-modify-writes.
 *
 * A read-modify-write is a load and a store in one, so one stamp taken before it would show it earlier than the store it
 * read from, when that came in between. Therefore: the read-modify-writes of a word run one after the other, under a stripe
 * of a lock table; each looks at the word, takes its stamp, and when the word turns out to have been changed in between by a
 * plain store, takes a new one afterwards. */
#include "explore.h"
#include "pm.h"
#include "system.h"
#include "touched_words.h"

#define STRIPES 4096
#define PAUSES 256
#define PATIENCE UINT64_C(1000000000)

/* Each holds the thread id of its owner, or 0. */
static struct {
  _Alignas(64) uint32_t owner;
} stripes[STRIPES];

void perdure_atomics_after_fork(void) {
  for (int i = 0; i < STRIPES; i++) {
    stripes[i].owner = 0;
  }
}

/* An owner that was left by longjmp never comes back: after a second the stripe is taken from it. */
static COLD void wait_for_stripe(uint32_t *stripe, uint32_t self) {
  uint64_t since = 0;
  for (unsigned round = 0;; round++) {
    uint32_t owner = __atomic_load_n(stripe, __ATOMIC_RELAXED);
    bool overdue = since != 0 && round % 16 == 0 && system_nanoseconds() - since > PATIENCE;
    if ((owner == 0 || overdue) &&
        __atomic_compare_exchange_n(stripe, &owner, self, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
      return;
    }
    if (round < PAUSES) {
      __builtin_ia32_pause();
    } else {
      since = since != 0 ? since : system_nanoseconds();
      system_yield();
    }
  }
}

static uint32_t *lock_stripe(const void *addr, uint32_t self) {
  uint32_t *stripe = &stripes[((uint64_t)addr >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 52].owner;
  uint32_t nobody = 0;
  if (unlikely(!__atomic_compare_exchange_n(stripe, &nobody, self, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))) {
    wait_for_stripe(stripe, self);
  }
  return stripe;
}

static void unlock_stripe(uint32_t *stripe, uint32_t self) {
  if (stripe != NULL && __atomic_load_n(stripe, __ATOMIC_RELAXED) == self) {
    __atomic_store_n(stripe, 0, __ATOMIC_RELEASE);
  }
}

static inline void look(const void *addr, uint32_t size, uint64_t value[2]) {
  value[1] = 0;
  switch (size) {
  case 1:
    value[0] = *(const volatile uint8_t *)addr;
    break;
  case 2:
    value[0] = *(const volatile uint16_t *)addr;
    break;
  case 4:
    value[0] = *(const volatile uint32_t *)addr;
    break;
  case 16:
    value[0] = ((const volatile uint64_t *)addr)[0];
    value[1] = ((const volatile uint64_t *)addr)[1];
    break;
  default:
    value[0] = *(const volatile uint64_t *)addr;
  }
}

/* Signal handlers may come in between any two steps: an entry is theirs to use only outside of begin and end, which raise
 * the depth first and lower it last; in between the frame is null until everything else is there. */
static inline void order_for_signals(void) { __asm__ volatile("" : : : "memory"); }

/* One that a longjmp out of a signal handler left behind: the stack is above its frame again. */
static void drop_abandoned(struct perdure_self *self, char *frame) {
  while (self->rmw_depth > 0 && self->rmw_depth <= PERDURE_RMW_NESTING) {
    struct rmw_in_progress *rmw = &self->rmw[self->rmw_depth - 1];
    char *began = rmw->frame;
    if (began == NULL || frame < began || frame > began + (8 << 20)) {
      return;
    }
    rmw->frame = NULL;
    self->rmw_depth--;
    for (uint64_t i = 0; i < 2 && rmw->slot != NULL; i++) {
      ring_commit(rmw->slot + i, ring_word(rmw->position + i, self->mask, PERDURE_EV_PAD, 0, 0));
    }
    unlock_stripe(rmw->stripe, self->tid);
  }
}

EXPORT void __perdure_rmw_begin(void *addr, uint32_t info, uint32_t site) {
  struct perdure_self *self = &perdure_self;
  if (unlikely(!perdure_recording)) {
    return;
  }
  explore_before_acquire();
  act_before(site, order_releases(info));
  /* A fault must come before anything is claimed, and the line is wanted for writing. */
  __asm__ volatile("prefetchw %0" : : "m"(*(const char *)addr));
  (void)*(volatile char *)addr;
  if (unlikely(self->rmw_depth != 0)) {
    drop_abandoned(self, __builtin_frame_address(0));
  }
  uint32_t depth = self->rmw_depth++;
  if (unlikely(depth >= PERDURE_RMW_NESTING)) {
    return;
  }
  order_for_signals();
  struct rmw_in_progress *rmw = &self->rmw[depth];
  rmw->addr = addr;
  rmw->slot = NULL;
  rmw->stripe = NULL;
  if (unlikely(!ring_claim_block(self, &rmw->position, 2))) {
    return;
  }
  if (likely(depth == 0)) {
    rmw->stripe = lock_stripe(addr, self->tid);
  }
  rmw->slot = &self->slots[rmw->position & self->mask];
  order_for_signals();
  rmw->frame = __builtin_frame_address(0);
  look(addr, info & 31, rmw->before);
  rmw->time = clock_now(STAMP_AFTER);
}

static inline void fill_rmw(struct perdure_self *self, struct perdure_slot *slot, uint64_t position, uint64_t time, void *addr,
                            const uint64_t old[2], const uint64_t new[2], uint32_t operation, uint32_t stored, uint32_t info,
                            uint32_t site) {
  uint64_t *payload = (uint64_t *)(slot + 1);
  slot->time = time;
  slot->site = site;
  slot->stack = stack_number(self);
  if (stored) {
    payload[0] = old[0];
    payload[1] = old[1];
    payload[2] = new[0];
    payload[3] = new[1];
    slot->value = operation;
    ring_commit(slot, ring_word(position, self->mask, PERDURE_EV_RMW, info, (uint64_t)addr));
  } else {
    ring_commit(slot + 1, ring_word(position + 1, self->mask, PERDURE_EV_PAD, 0, 0));
    slot->value = old[0];
    ring_commit(slot, ring_word(position, self->mask, PERDURE_EV_CAS_FAILED, info, (uint64_t)addr));
  }
}

static inline void end_rmw(void *addr, const uint64_t old[2], const uint64_t new[2], uint32_t operation, uint32_t stored, uint32_t info,
                           uint32_t site) {
  struct perdure_self *self = &perdure_self;
  if (unlikely(self->rmw_depth == 0)) {
    return;
  }
  uint32_t depth = self->rmw_depth - 1;
  if (unlikely(depth >= PERDURE_RMW_NESTING)) {
    perdure_count_lost(1);
    self->rmw_depth--;
    return;
  }
  struct rmw_in_progress *rmw = &self->rmw[depth];
  struct perdure_slot *slot = rmw->slot;
  bool overtaken = ((old[0] ^ rmw->before[0]) | (old[1] ^ rmw->before[1])) != 0;
  uint64_t time = likely(!overtaken) ? rmw->time : clock_now(STAMP_AFTER);
  unlock_stripe(rmw->stripe, self->tid);
  rmw->frame = NULL;
  order_for_signals();
  if (likely(slot != NULL && rmw->addr == addr)) {
    fill_rmw(self, slot, rmw->position, time, addr, old, new, operation, stored, info, site);
  }
  order_for_signals();
  self->rmw_depth--;
  touched_words_add((uint64_t)addr);
}

EXPORT void __perdure_rmw_end(void *addr, const void *old_value, const void *new_value, uint32_t operation, uint32_t stored, uint32_t info,
                              uint32_t site) {
  const uint64_t *old = old_value, *new = new_value;
  end_rmw(addr, old, new, operation, stored, info, site);
}

EXPORT void __perdure_rmw_end8(void *addr, uint64_t old_value, uint64_t new_value, uint32_t operation, uint32_t stored, uint32_t info,
                               uint32_t site) {
  uint64_t old[2] = {old_value, 0}, new[2] = {new_value, 0};
  end_rmw(addr, old, new, operation, stored, info, site);
}

EXPORT void __perdure_rmw_end_unknown(void *addr, uint32_t operation, uint32_t info, uint32_t site) {
  struct perdure_self *self = &perdure_self;
  uint64_t old[2] = {0, 0}, new[2];
  if (self->rmw_depth == 0) {
    return;
  }
  if (self->rmw_depth <= PERDURE_RMW_NESTING) {
    old[0] = self->rmw[self->rmw_depth - 1].before[0];
    old[1] = self->rmw[self->rmw_depth - 1].before[1];
  }
  look(addr, info & 31, new);
  end_rmw(addr, old, new, operation, 1, info, site);
}

EXPORT void __perdure_atomic_load(const void *addr, uint64_t value, uint32_t info, uint32_t site) {
  if (likely(perdure_recording)) {
    record(STAMP_AFTER, PERDURE_EV_LOAD, info, (uint64_t)addr, value, site, stack_number(&perdure_self));
    act_at(site);
  }
}

EXPORT void __perdure_atomic_store(void *addr, uint64_t value, uint32_t info, uint32_t site) {
  if (likely(perdure_recording)) {
    act_before(site, order_releases(info));
    record(STAMP_BEFORE, PERDURE_EV_STORE, info, (uint64_t)addr, value, site, stack_number(&perdure_self));
  }
}

static inline bool volatile_matters(const void *addr, uint32_t info) {
  return perdure_recording && (touched_words_has((uint64_t)addr) || pm_is(addr, info & 31));
}

EXPORT void __perdure_volatile_load(const void *addr, uint64_t value, uint32_t info, uint32_t site) {
  if (volatile_matters(addr, info)) {
    record(STAMP_AFTER, PERDURE_EV_LOAD, info, (uint64_t)addr, value, site, stack_number(&perdure_self));
    act_at(site);
  }
}

EXPORT void __perdure_volatile_store(void *addr, uint64_t value, uint32_t info, uint32_t site) {
  if (volatile_matters(addr, info)) {
    act_before(site, order_releases(info));
    record(STAMP_BEFORE, PERDURE_EV_STORE, info, (uint64_t)addr, value, site, stack_number(&perdure_self));
  }
}
