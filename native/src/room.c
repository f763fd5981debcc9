/* A sleep that ends by itself costs the target some 10 µs, with what it finds in the caches afterwards; an analysis may take seconds for what a
 * program does in a tenth of one, with any number of threads that wait all that time. The reader cannot wake them: it is written in Java. */
#include "room.h"
#include "system.h"
#include <linux/futex.h>

/* The longest sleep is about what a fast reader takes for a ring: it never comes to a slot that its owner sleeps on. */
#define SHORTEST_SLEEP UINT64_C(50000)
#define LONGEST_SLEEP_A_SLOT 50
/* A watcher may be gone, by a longjmp out of a signal handler: then another one takes its place. */
#define PATIENCE UINT64_C(100000000)

/* What the threads wait for, by ring: an odd position, or 0; it is the word that the thread sleeps on. */
static uint64_t awaited[PERDURE_MAX_RINGS];
static uint32_t watcher;  /* the thread that looks, by the system's number, or 0 */
static uint64_t looked;   /* when it did so last */

static bool reached(uint32_t index, uint64_t position) {
  return __atomic_load_n(&perdure_ring_at(index)->consumed, __ATOMIC_ACQUIRE) >= position;
}

/* Whether somebody slept there. */
static bool wake(uint32_t index, uint64_t position) {
  return __atomic_compare_exchange_n(&awaited[index], &position, 0, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED) &&
         SYSTEM6(SYS_futex, &awaited[index], FUTEX_WAKE_PRIVATE, 1, 0, 0, 0) > 0;
}

static uint32_t rings(void) {
  uint32_t n = __atomic_load_n(&perdure_counters->rings, __ATOMIC_ACQUIRE);
  return n < PERDURE_MAX_RINGS ? n : PERDURE_MAX_RINGS;
}

static void wake_who_has_room(void) {
  for (uint32_t i = 0, n = rings(); i < n; i++) {
    uint64_t position = __atomic_load_n(&awaited[i], __ATOMIC_SEQ_CST);
    if (position != 0 && reached(i, position - 1)) {
      wake(i, position);
    }
  }
}

static void wake_anyone(void) {
  for (uint32_t i = 0, n = rings(); i < n; i++) {
    uint64_t position = __atomic_load_n(&awaited[i], __ATOMIC_SEQ_CST);
    if (position != 0 && wake(i, position)) {
      return;
    }
  }
}

static bool watches(const struct perdure_self *self, uint64_t now) {
  uint32_t before = __atomic_load_n(&watcher, __ATOMIC_SEQ_CST);
  return before == self->tid ||
         ((before == 0 || (int64_t)(now - __atomic_load_n(&looked, __ATOMIC_RELAXED)) > (int64_t)PATIENCE) &&
          __atomic_compare_exchange_n(&watcher, &before, self->tid, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
}

static void watch(uint64_t since, uint64_t now) {
  uint64_t longest = (uint64_t)perdure_header->ring_slots * LONGEST_SLEEP_A_SLOT;
  uint64_t sleep = now - since > SHORTEST_SLEEP ? now - since : SHORTEST_SLEEP;
  __atomic_store_n(&looked, now, __ATOMIC_RELAXED);
  system_sleep(sleep < longest ? sleep : longest);
  wake_who_has_room();
}

void room_await(struct perdure_self *self, uint64_t position, uint64_t since) {
  uint64_t now = system_nanoseconds();
  if (watches(self, now)) {
    watch(since, now);
    return;
  }
  uint64_t odd = position | 1;
  uint64_t *word = &awaited[self->ring_index];
  __atomic_store_n(word, odd, __ATOMIC_SEQ_CST);
  /* Who watched may have left, or looked, before it could see that. */
  if (__atomic_load_n(&watcher, __ATOMIC_SEQ_CST) != 0 && !reached(self->ring_index, position)) {
    struct timespec patience = {(time_t)(PATIENCE / 1000000000u), (long)(PATIENCE % 1000000000u)};
    SYSTEM6(SYS_futex, word, FUTEX_WAIT_PRIVATE, (uint32_t)odd, &patience, 0, 0);
  }
  __atomic_store_n(word, 0, __ATOMIC_RELAXED);
}

void room_leave(struct perdure_self *self) {
  uint32_t own = self->tid;
  __atomic_compare_exchange_n(&watcher, &own, 0, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
  if (__atomic_load_n(&watcher, __ATOMIC_SEQ_CST) == 0) {
    wake_anyone();
  }
}

void room_after_fork(void) {
  __atomic_store_n(&watcher, 0, __ATOMIC_RELAXED);
  for (uint32_t i = 0, n = rings(); i < n; i++) {
    __atomic_store_n(&awaited[i], 0, __ATOMIC_RELAXED);
  }
}
