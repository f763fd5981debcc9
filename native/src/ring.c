#include "bytes.h"
#include "ring.h"
#include "room.h"
#include "system.h"
#include <errno.h>

struct perdure_ring perdure_no_ring = {.claimed = PERDURE_NO_RING_POSITION};

#define STUCK_NANOSECONDS UINT64_C(1000000000)

/* From now on events of this thread go nowhere. */
static void give_up(struct perdure_self *self) {
  self->room = self->limit = 0;
  self->ring = &perdure_no_ring;
  self->state = SELF_ENDED;
  __atomic_store_n(&perdure_recording, 0, __ATOMIC_RELAXED);
}

static bool reader_is_gone(void) {
  uint32_t reader = __atomic_load_n(&perdure_header->reader_pid, __ATOMIC_RELAXED);
  return reader == 0 || SYSTEM(SYS_kill, reader, 0, 0) == -ESRCH || __atomic_load_n(&perdure_counters->stop, __ATOMIC_RELAXED) != 0;
}

static bool committed(const struct perdure_self *self, uint64_t position) {
  uint64_t where = __atomic_load_n(&self->slots[position & self->mask].where, __ATOMIC_ACQUIRE);
  return (where >> PERDURE_LAP_SHIFT & 1) == ((position & (self->mask + 1)) == 0);
}

/* The reader stands before a slot that this very thread claimed and did not fill, because a signal handler interrupted the
 * hook and fills the ring, or left it by longjmp. Nobody else can let the reader go on. */
static void pass_over_unfilled(struct perdure_self *self, uint64_t position, uint64_t own) {
  if (position < own && !committed(self, position)) {
    ring_fill(self, position, clock_now(STAMP_BEFORE), PERDURE_EV_PAD, 0, 0, 0, 0, 0);
    perdure_count_lost(1);
  }
}

/* Sleeps until half of the ring is free, so that a slow reader is not disturbed by threads that wake for one event each. */
static bool sleep_until_room(struct perdure_self *self, uint64_t own, uint64_t end) {
  uint64_t slots = self->mask + 1;
  uint64_t seen = ~UINT64_C(0), since = 0, begin = system_nanoseconds();
  for (;;) {
    uint64_t consumed = __atomic_load_n(&self->ring->consumed, __ATOMIC_ACQUIRE);
    self->room = consumed + slots;
    if (end + slots / 2 <= self->room) {
      return true;
    }
    if (reader_is_gone()) {
      return false;
    }
    if (consumed != seen) {
      seen = consumed;
      since = system_nanoseconds();
    } else if (system_nanoseconds() - since > STUCK_NANOSECONDS) {
      pass_over_unfilled(self, consumed, own);
    }
    room_await(self, end - slots / 2, begin);
  }
}

static bool wait_for_room(struct perdure_self *self, uint64_t own, uint64_t end) {
  self->ring->waits++;
  bool found = sleep_until_room(self, own, end);
  room_leave(self);
  return found;
}

/* Gives a position that may be written, after waiting for room; false when the event cannot be recorded. */
static bool find_room(struct perdure_self *self, uint64_t *position, uint64_t slots) {
  while (*position >= PERDURE_NO_RING_POSITION) {
    if (!perdure_recording) {
      return false;
    }
    if (self->ring == &perdure_no_ring && !perdure_thread_join_recording(0, 0, 0)) {
      perdure_count_lost(1);
      return false;
    }
    *position = ring_claim(self, slots);
  }
  if (*position + slots <= self->room || wait_for_room(self, *position, *position + slots)) {
    return true;
  }
  give_up(self);
  perdure_count_lost(1);
  return false;
}

/* Positions up to the room may be written at once again. */
static void lift_limit(struct perdure_self *self) { self->limit = perdure_shared_counter ? 0 : self->room; }

static COLD bool make_room(struct perdure_self *self, uint64_t *position, uint64_t slots) {
  if (!find_room(self, position, slots)) {
    return false;
  }
  lift_limit(self);
  return true;
}

void ring_keep_room(struct perdure_self *self) {
  if (self->library_call.untold || (self->ring == &perdure_no_ring && !perdure_thread_join_recording(0, 0, 0))) {
    return;
  }
  uint64_t claimed = self->ring->claimed;
  uint64_t end = claimed + (self->mask + 1) / 4;
  if (end > self->room && wait_for_room(self, claimed, end)) {
    lift_limit(self);
  }
}

void ring_enter_library(struct perdure_self *self, struct place place) {
  self->library_call = (struct library_call){place.site, place.stack, true, self->limit};
  __asm__ volatile("" : : : "memory");
  self->limit = 0;
}

bool ring_leave_library(struct perdure_self *self) {
  struct library_call *call = &self->library_call;
  if (!call->untold) {
    return true;
  }
  self->limit = call->limit;
  __asm__ volatile("" : : : "memory");
  call->untold = false;
  return false;
}

void record_slowly(enum stamp when, uint64_t position, uint32_t kind, uint32_t info, uint64_t addr, uint64_t value, uint32_t site,
                   uint32_t stack) {
  struct perdure_self *self = &perdure_self;
  if (!ring_leave_library(self)) {
    record_slowly(STAMP_BEFORE, position, PERDURE_EV_LIBRARY_ENTER, 0, 0, 0, self->library_call.site, self->library_call.stack);
    record(when, kind, info, addr, value, site, stack);
    return;
  }
  if (position >= self->limit && !make_room(self, &position, 1)) {
    return;
  }
  settle(self);
  ring_fill(self, position, clock_now(when), kind, info, addr, value, site, stack);
}

bool ring_claim_block(struct perdure_self *self, uint64_t *position, uint64_t slots) {
  if (unlikely(self->library_call.untold)) {
    ring_leave_library(self);
    record(STAMP_BEFORE, PERDURE_EV_LIBRARY_ENTER, 0, 0, 0, self->library_call.site, self->library_call.stack);
  }
  for (;;) {
    *position = ring_claim(self, slots);
    if (unlikely(*position + slots > self->limit) && !make_room(self, position, slots)) {
      return false;
    }
    settle(self);
    if ((*position & self->mask) + slots <= self->mask + 1) {
      return true;
    }
    uint64_t now = clock_now(STAMP_BEFORE);
    for (uint64_t i = 0; i < slots; i++) {
      ring_fill(self, *position + i, now, PERDURE_EV_PAD, 0, 0, 0, 0, 0);
    }
  }
}

void record_with_payload(enum stamp when, uint32_t kind, uint32_t info, uint64_t addr, uint64_t value, const void *payload, size_t length,
                         uint32_t site, uint32_t stack) {
  struct perdure_self *self = &perdure_self;
  uint64_t position;
  if (ring_claim_block(self, &position, 1 + (length + 31) / 32)) {
    uint64_t now = clock_now(when);
    copy_bytes(&self->slots[(position & self->mask) + 1], payload, length);
    ring_fill(self, position, now, kind, info, addr, value, site, stack);
  }
}

void record_store_bytes(uint32_t kind, uint64_t addr, const void *bytes, int fill, size_t length, uint32_t site, uint32_t stack) {
  struct perdure_self *self = &perdure_self;
  note_order(self, kind, 0);
  for (size_t done = 0; done < length;) {
    size_t part = length - done < PERDURE_BLOCK_MAX ? length - done : PERDURE_BLOCK_MAX;
    uint64_t position;
    if (!ring_claim_block(self, &position, 1 + (part + 31) / 32)) {
      return;
    }
    void *payload = &self->slots[(position & self->mask) + 1];
    if (bytes != NULL) {
      copy_bytes(payload, (const char *)bytes + done, part);
    } else {
      fill_bytes(payload, fill, part);
    }
    ring_fill(self, position, clock_now(STAMP_BEFORE), kind, 0, addr + done, part, site, stack);
    done += part;
  }
}

static bool owner_is_gone(const struct perdure_ring *ring) {
  return SYSTEM(SYS_kill, ring->pid, 0, 0) == -ESRCH &&
         __atomic_load_n(&ring->consumed, __ATOMIC_ACQUIRE) == __atomic_load_n(&ring->claimed, __ATOMIC_ACQUIRE);
}

static bool take(uint32_t index, uint32_t state) {
  struct perdure_ring *ring = perdure_ring_at(index);
  return __atomic_load_n(&ring->state, __ATOMIC_RELAXED) == state &&
         __atomic_compare_exchange_n(&ring->state, &state, PERDURE_RING_LIVE, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

static bool take_from_the_dead(uint32_t index) {
  struct perdure_ring *ring = perdure_ring_at(index);
  uint32_t owner = __atomic_load_n(&ring->pid, __ATOMIC_RELAXED);
  return __atomic_load_n(&ring->state, __ATOMIC_ACQUIRE) == PERDURE_RING_LIVE && owner != perdure_pid && owner_is_gone(ring) &&
         __atomic_compare_exchange_n(&ring->pid, &owner, perdure_pid, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/* A ring that another thread gave back or a killed process left behind, drained; else a new one. */
static bool find_ring(uint32_t *index) {
  uint32_t rings = __atomic_load_n(&perdure_counters->rings, __ATOMIC_ACQUIRE);
  uint32_t known = rings < PERDURE_MAX_RINGS ? rings : PERDURE_MAX_RINGS;
  for (*index = 0; *index < known; ++*index) {
    if (take(*index, PERDURE_RING_FREE)) {
      return true;
    }
  }
  for (*index = 0; *index < known; ++*index) {
    if (take_from_the_dead(*index)) {
      return true;
    }
  }
  while (rings < PERDURE_MAX_RINGS) {
    if (__atomic_compare_exchange_n(&perdure_counters->rings, &rings, rings + 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      *index = rings;
      return true;
    }
  }
  return false;
}

bool ring_acquire(struct perdure_self *self) {
  uint32_t index;
  if (!find_ring(&index)) {
    perdure_complain("too many threads at a time", "events of some are not recorded");
    return false;
  }
  struct perdure_ring *ring = perdure_ring_at(index);
  struct perdure_slot *slots = perdure_map_ring(index);
  if (slots == NULL) {
    perdure_complain("no space left for the recording", "events are lost");
    __atomic_store_n(&ring->state, PERDURE_RING_FREE, __ATOMIC_RELEASE);
    return false;
  }
  ring->pid = perdure_pid;
  ring->tid = self->tid;
  ring->thread = self->number;
  __atomic_store_n(&ring->state, PERDURE_RING_LIVE, __ATOMIC_RELEASE);
  self->slots = slots;
  self->mask = perdure_header->ring_slots - 1;
  self->ring_index = index;
  self->room = __atomic_load_n(&ring->consumed, __ATOMIC_ACQUIRE) + perdure_header->ring_slots;
  lift_limit(self);
  self->unsettled = 0;
  __asm__ volatile("" : : : "memory");
  self->ring = ring;
  return true;
}

void ring_release(struct perdure_self *self) {
  struct perdure_ring *ring = self->ring;
  if (ring == &perdure_no_ring) {
    return;
  }
  self->ring = &perdure_no_ring;
  __asm__ volatile("" : : : "memory");
  self->room = self->limit = 0;
  __atomic_store_n(&ring->state, PERDURE_RING_FREE, __ATOMIC_RELEASE);
}

/* How many slots a committed event takes. */
static uint64_t slots_of(const struct perdure_slot *slot) {
  switch (slot->where >> PERDURE_KIND_SHIFT & PERDURE_KIND_MASK) {
  case PERDURE_EV_RMW:
  case PERDURE_EV_MAP:
  case PERDURE_EV_COMMIT_RANGE:
  case PERDURE_EV_SYNC_VAR:
    return 2;
  case PERDURE_EV_STORE_BLOCK:
  case PERDURE_EV_STORE_NT_BLOCK:
    return 1 + (slot->value + 31) / 32;
  default:
    return 1;
  }
}

void ring_repair_abandoned(void) {
  uint32_t rings = __atomic_load_n(&perdure_counters->rings, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < rings && i < PERDURE_MAX_RINGS; i++) {
    struct perdure_ring *ring = perdure_ring_at(i);
    if (ring->pid != perdure_pid || __atomic_load_n(&ring->state, __ATOMIC_ACQUIRE) != PERDURE_RING_LIVE) {
      continue;
    }
    struct perdure_slot *slots = perdure_map_ring(i);
    if (slots == NULL) {
      continue;
    }
    struct perdure_self view = {.slots = slots, .mask = perdure_header->ring_slots - 1};
    uint64_t position = __atomic_load_n(&ring->consumed, __ATOMIC_ACQUIRE);
    uint64_t end = position + view.mask + 1 < ring->claimed ? position + view.mask + 1 : ring->claimed;
    while (position < end && committed(&view, position)) {
      position += slots_of(&slots[position & view.mask]);
    }
    for (; position < end; position++) {
      ring_fill(&view, position, clock_now(STAMP_BEFORE), PERDURE_EV_PAD, 0, 0, 0, 0, 0);
    }
    __atomic_store_n(&ring->state, PERDURE_RING_FREE, __ATOMIC_RELEASE);
  }
}
