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

#define PERDURE_NO_RING_POSITION (UINT64_C(1) << 62)
extern struct perdure_ring perdure_no_ring;

/* When an event is stamped: before it takes effect, or after (then everything before it must have completed). */
enum stamp { STAMP_BEFORE, STAMP_AFTER };

static inline uint64_t cycles(enum stamp when) {
  uint32_t low, high;
  if (when == STAMP_AFTER) {
    __asm__ volatile("lfence" : : : "memory");
  }
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high) : : "memory");
  return (uint64_t)high << 32 | low;
}

static inline uint64_t clock_now(enum stamp when) {
  if (unlikely(perdure_shared_counter)) {
    return __atomic_add_fetch(&perdure_counters->clock, 1, __ATOMIC_SEQ_CST);
  }
  return cycles(when);
}

static inline uint64_t ring_claim(struct perdure_self *self, uint64_t slots) {
  uint64_t position = slots;
  __asm__ volatile("xaddq %0, %1" : "+r"(position), "+m"(self->ring->claimed) : : "cc", "memory");
  return position;
}

/* Claims several slots that lie behind each other; false when the event cannot be recorded. */
bool ring_claim_block(struct perdure_self *self, uint64_t *position, uint64_t slots);
/* Waits until a quarter of the ring can be written without waiting. */
void ring_keep_room(struct perdure_self *self);
/* A library is called: the next event of the thread, if it comes before the return, is preceded by one that says so. */
void ring_enter_library(struct perdure_self *self, struct place place);
/* The library returns; false if nothing was recorded inside. */
bool ring_leave_library(struct perdure_self *self);
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

/* An acquisition is a fence where there is something to persist, and must not come late then. */
static inline void note_order(struct perdure_self *self, uint32_t kind, uint32_t info) {
  if (kind == PERDURE_EV_FLUSH || kind == PERDURE_EV_STORE_NT || kind == PERDURE_EV_STORE_NT_BLOCK) {
    self->unfenced = 1;
  } else if (kind == PERDURE_EV_FENCE ? info <= PERDURE_FENCE_LIBRARY_DRAIN
                                      : (kind == PERDURE_EV_ACQUIRE || kind == PERDURE_EV_RELEASE) && (info & PERDURE_LOCK_NO_FENCE) == 0) {
    self->unfenced = 0;
  }
}

/* The claimed position is beyond the limit, or the event must be stamped. */
void record_slowly(enum stamp when, uint64_t position, uint32_t kind, uint32_t info, uint64_t addr, uint64_t value, uint32_t site,
                   uint32_t stack);

/* Before a clock reading that also tells by when the unsettled events were made: they must be complete. */
static inline void settle(struct perdure_self *self) {
  if (self->unsettled != 0) {
    __asm__ volatile("lfence" : : : "memory");
    self->unsettled = 0;
  }
}

static inline __attribute__((always_inline)) void record(enum stamp when, uint32_t kind, uint32_t info, uint64_t addr, uint64_t value,
                                                         uint32_t site, uint32_t stack) {
  struct perdure_self *self = &perdure_self;
  note_order(self, kind, info);
  uint64_t position = ring_claim(self, 1);
  if (unlikely(position >= self->limit)) {
    record_slowly(when, position, kind, info, addr, value, site, stack);
    return;
  }
  if (when == STAMP_AFTER) {
    self->unsettled = 0;
  } else {
    settle(self);
  }
  ring_fill(self, position, cycles(when), kind, info, addr, value, site, stack);
}

/* An acquisition that has succeeded. To stamp it after that, the processor would have to wait until it is complete, and what the
 * program does under the lock could not begin meanwhile. Where another event is known to follow at once, it has no stamp of its own;
 * elsewhere it is stamped early: the reader moves it towards the next event of the thread, which is stamped after everything before it
 * is complete, and by PERDURE_EARLY_TICKS at most. One that follows the death of the owner is stamped at once: there was no release to come after. */
static inline __attribute__((always_inline)) void record_acquire(uint32_t info, uint64_t lock, struct place place) {
  struct perdure_self *self = &perdure_self;
  if (unlikely(self->unfenced != 0 || self->unsettled >= (place.followed ? PERDURE_MOST_UNSETTLED : 1) ||
               (info & PERDURE_LOCK_OWNER_DIED) != 0 || __atomic_load_n(&perdure_schedule->active, __ATOMIC_RELAXED) != 0)) {
    record(STAMP_AFTER, PERDURE_EV_ACQUIRE, info, lock, 0, place.site, place.stack);
    act_at(place.site);
    return;
  }
  uint64_t position = ring_claim(self, 1);
  if (unlikely(position >= self->limit)) {
    record_slowly(STAMP_AFTER, position, PERDURE_EV_ACQUIRE, info, lock, 0, place.site, place.stack);
    return;
  }
  self->unsettled++;
  if (place.followed) {
    ring_fill(self, position, PERDURE_UNTIMED, PERDURE_EV_ACQUIRE, info, lock, 0, place.site, place.stack);
  } else {
    ring_fill(self, position, cycles(STAMP_BEFORE), PERDURE_EV_ACQUIRE, info | PERDURE_LOCK_EARLY, lock, 0, place.site, place.stack);
  }
}

/* A release by the holder. Nobody can acquire the lock before it, so it may seem earlier than it is, and takes the time of the thread's last
 * event; not where it is what persists, or where the last event has to wait for a time itself. */
static inline __attribute__((always_inline)) void record_release(uint32_t info, uint64_t lock, struct place place) {
  struct perdure_self *self = &perdure_self;
  if (self->unfenced != 0 || self->unsettled != 0 || ++self->shared_times % PERDURE_STAMP_ONE_OF == 0 ||
      unlikely(__atomic_load_n(&perdure_schedule->active, __ATOMIC_RELAXED) != 0)) {
    record(STAMP_BEFORE, PERDURE_EV_RELEASE, info, lock, 0, place.site, place.stack);
    return;
  }
  uint64_t position = ring_claim(self, 1);
  if (unlikely(position >= self->limit)) {
    record_slowly(STAMP_BEFORE, position, PERDURE_EV_RELEASE, info, lock, 0, place.site, place.stack);
    return;
  }
  ring_fill(self, position, PERDURE_TIME_OF_LAST, PERDURE_EV_RELEASE, info, lock, 0, place.site, place.stack);
}

/* An event that takes the time of the thread's next one; there are fewer than PERDURE_MOST_UNSETTLED such events before it. */
static inline __attribute__((always_inline)) void record_untimed(uint32_t kind, uint32_t info, uint64_t addr, uint64_t value, uint32_t site,
                                                                 uint32_t stack) {
  struct perdure_self *self = &perdure_self;
  uint64_t position = ring_claim(self, 1);
  if (unlikely(position >= self->limit)) {
    record_slowly(STAMP_AFTER, position, kind, info, addr, value, site, stack);
    return;
  }
  self->unsettled++;
  ring_fill(self, position, PERDURE_UNTIMED, kind, info, addr, value, site, stack);
}

/* An event with payload slots. */
void record_with_payload(enum stamp when, uint32_t kind, uint32_t info, uint64_t addr, uint64_t value, const void *payload, size_t length,
                         uint32_t site, uint32_t stack);
/* A store of many bytes, as several events where it must be; a fill where bytes is null. */
void record_store_bytes(uint32_t kind, uint64_t addr, const void *bytes, int fill, size_t length, uint32_t site, uint32_t stack);

#endif
