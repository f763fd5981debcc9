/* What threads do at accesses of PM so that interleavings of interest come about: PMRace's synchronisation algorithm (figure 6 of the
 * paper), random delays, random priorities. */
#include "explore.h"
#include "failures.h"
#include "spinning.h"
#include "standstill.h"
#include "system.h"
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/mman.h>

#define NAP UINT64_C(200000)          /* nanoseconds between two looks of a waiting reader */
#define PATIENCE UINT64_C(8000000)    /* no access of anybody for so long: everybody waits, though threads seem to run */
#define ENOUGH 1000                    /* accesses of other threads: readers have done what they do with what they read */
#define TURN_SLICE UINT64_C(50000)    /* a thread of lower priority waits so long at a time */
#define TURN_FRESH UINT64_C(1000000)  /* a thread that accessed PM within that time is running */
#define MOST_SLICES 40
#define MOST_MATCHES 8u               /* of readers and stores to the word that they wait for */

struct perdure_exploration *perdure_exploration;
static uint8_t nowhere[PERDURE_COVERAGE_BYTES];
EXPORT uint8_t *__perdure_coverage = nowhere;
static _Thread_local uint64_t random_state;
static uint32_t writers_asleep;
static _Thread_local uint64_t stores_to, stores_length; /* of the store that the thread is about to make */
static _Thread_local struct perdure_sync_point *loaded_at; /* of the load that the thread made last, if it is to wait behind it */
static _Thread_local const void *loaded_from;
static _Thread_local uint64_t stored_line; /* the line of a store that was signalled and not flushed yet; 0: none */

__attribute__((constructor(102))) static void begin(int argc, char **argv, char **environment) {
  const char *name = perdure_variable(environment, PERDURE_ENV_PROGRAM_NAME);
  if (name != NULL && argc > 0) {
    argv[0] = (char *)name;
  }
  const char *path = perdure_variable(environment, PERDURE_ENV_EXPLORATION);
  if (path == NULL || !perdure_recording) {
    return;
  }
  long file = SYSTEM6(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0, 0, 0);
  if (system_failed(file)) {
    perdure_complain(path, "cannot be opened; threads run as they like");
    return;
  }
  long address = SYSTEM6(SYS_mmap, 0, sizeof *perdure_exploration, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  SYSTEM(SYS_close, file, 0, 0);
  struct perdure_exploration *area = (struct perdure_exploration *)address;
  if (system_failed(address) || area->magic != PERDURE_EXPLORATION_MAGIC) {
    perdure_complain(path, "is no exploration area; threads run as they like");
    return;
  }
  perdure_exploration = area;
  __perdure_coverage = area->coverage;
  failures_watch();
}

static uint64_t mixed(uint64_t x) {
  x ^= x >> 33;
  x *= UINT64_C(0xff51afd7ed558ccd);
  x ^= x >> 33;
  x *= UINT64_C(0xc4ceb9fe1a85ec53);
  return x ^ x >> 33;
}

static uint64_t next_random(void) {
  if (random_state == 0) {
    random_state = perdure_exploration->seed * 1000003 + perdure_self.number + 1;
  }
  return mixed(random_state++);
}

/* ---- sync points ------------------------------------------------------------------------------------------------------ */

static struct perdure_sync_point *point_of(uint32_t site, uint32_t kind) {
  for (uint32_t i = 0; i < PERDURE_SYNC_POINTS; i++) {
    struct perdure_sync_point *point = &perdure_exploration->points[(site + i) & (PERDURE_SYNC_POINTS - 1)];
    if (point->site == 0) {
      return NULL;
    }
    if (point->site == site && point->kind == kind) {
      return point;
    }
  }
  return NULL;
}

static bool passes(struct perdure_sync_point *point) {
  uint32_t skip = __atomic_load_n(&point->skip, __ATOMIC_RELAXED);
  while (skip > 0) {
    if (__atomic_compare_exchange_n(&point->skip, &skip, skip - 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      return true;
    }
  }
  return __atomic_load_n(&point->disabled, __ATOMIC_RELAXED) != 0 ||
         __atomic_load_n(&perdure_exploration->privileged, __ATOMIC_RELAXED) == perdure_self.number;
}

static void disable(struct perdure_sync_point *point, enum perdure_disabled why) { __atomic_store_n(&point->disabled, why, __ATOMIC_RELAXED); }

static uint64_t word_of(uint64_t addr) { return addr & ~UINT64_C(7); }

static uint64_t *own_awaited(void) { return &perdure_exploration->awaited[perdure_self.number % PERDURE_AWAITED]; }

/* The readers that wait for a word of the range go on. */
static bool let_go(uint64_t addr, uint64_t length) {
  bool any = false;
  for (uint32_t i = 0; i < PERDURE_AWAITED; i++) {
    uint64_t *awaited = &perdure_exploration->awaited[i];
    uint64_t word = __atomic_load_n(awaited, __ATOMIC_RELAXED);
    any |= word != 0 && word >= word_of(addr) && word < addr + length &&
           __atomic_compare_exchange_n(awaited, &word, 0, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
  }
  return any;
}

/* Before a load of the entry, or behind it: until one of its stores has been made. If nobody gets on, one thread becomes privileged and passes all
 * waits. If others get on but no store comes, or nobody gets on though one is privileged, the point is disabled. */
static void await_store(struct perdure_sync_point *point, const void *addr) {
  struct perdure_exploration *area = perdure_exploration;
  __atomic_add_fetch(&point->reached, 1, __ATOMIC_RELAXED);
  if (__atomic_load_n(&area->signalled, __ATOMIC_ACQUIRE) != 0 || passes(point)) {
    return;
  }
  __atomic_add_fetch(&area->waiting, 1, __ATOMIC_RELAXED);
  idle_begin();
  uint64_t word = word_of((uint64_t)addr);
  __atomic_store_n(own_awaited(), word, __ATOMIC_RELAXED);
  uint64_t begin = system_nanoseconds();
  struct quiet quiet = quiet_from(PATIENCE + next_random() % PATIENCE);
  uint32_t privileged = __atomic_load_n(&area->privileged, __ATOMIC_RELAXED);
  /* Who looks first becomes privileged, so that looks come in a random order. */
  struct timespec nap = {0, (long)(NAP / 2 + next_random() % NAP)};
  while (__atomic_load_n(&area->signalled, __ATOMIC_ACQUIRE) == 0 && __atomic_load_n(&point->disabled, __ATOMIC_RELAXED) == 0 &&
         __atomic_load_n(own_awaited(), __ATOMIC_ACQUIRE) == word) {
    SYSTEM6(SYS_futex, &area->signalled, FUTEX_WAIT, 0, &nap, 0, 0);
    if (__atomic_load_n(&writers_asleep, __ATOMIC_RELAXED) == 0 && standstill(&quiet)) {
      uint32_t before = privileged;
      if (before == 0 && __atomic_compare_exchange_n(&area->privileged, &privileged, perdure_self.number, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        break;
      }
      if (before != 0) {
        disable(point, PERDURE_DISABLED_IN_VAIN);
      }
      /* Another one has just become privileged: it gets its time. */
      quiet = quiet_from(quiet.patience);
    }
    if (system_nanoseconds() - begin > area->reader_wait) {
      disable(point, PERDURE_DISABLED_IN_VAIN);
    }
  }
  if (__atomic_exchange_n(own_awaited(), 0, __ATOMIC_RELAXED) != word && area->same_word == PERDURE_SAME_WORD) {
    disable(point, PERDURE_DISABLED_MET);
  }
  idle_end();
  __atomic_sub_fetch(&area->waiting, 1, __ATOMIC_RELAXED);
}

/* What a thread has read may be out of date by the time it acts on it: it waits behind a load for a store to the word. A load that is followed
 * by one of another word at the same place searches for something: only what ends the search is acted upon. */
static void await_change(bool searches) {
  struct perdure_sync_point *point = loaded_at;
  loaded_at = NULL;
  if (point != NULL && !searches) {
    await_store(point, loaded_from);
  }
}

static bool searches(const void *addr, uint32_t site) { return loaded_at != NULL && loaded_at->site == site && loaded_from != addr; }

COLD void explore_acquire(void) { await_change(false); }

/* After a store of the entry: readers go on; the writer gives them time before its flush, so that it may release locks meanwhile. What a
 * thread stores before there are others, to initialise, has no readers. */
static void signal_readers(struct perdure_sync_point *point) {
  struct perdure_exploration *area = perdure_exploration;
  if (__atomic_load_n(&area->shared, __ATOMIC_RELAXED) == 0) {
    return;
  }
  uint64_t reached = __atomic_add_fetch(&point->reached, 1, __ATOMIC_RELAXED);
  uint32_t skip = __atomic_load_n(&point->skip, __ATOMIC_RELAXED);
  bool for_a_reader = area->same_word == PERDURE_SAME_WORD || area->same_word == PERDURE_LOADED_WORD;
  if (reached <= skip || (for_a_reader && !let_go(stores_to, stores_length))) {
    return;
  }
  bool more = area->same_word != PERDURE_ANY_WORD && __atomic_add_fetch(&area->matches, 1, __ATOMIC_RELAXED) < MOST_MATCHES;
  if (!more && __atomic_exchange_n(&area->signalled, 1, __ATOMIC_RELEASE) != 0) {
    return;
  }
  SYSTEM6(SYS_futex, &area->signalled, FUTEX_WAKE, INT_MAX, 0, 0, 0);
  if (area->same_word == PERDURE_LOADED_WORD) {
    return;
  }
  if (stored_line == 0) {
    /* Hooks of flushes take their slow way, which comes below. */
    __atomic_add_fetch(&perdure_schedule->active, 1, __ATOMIC_RELAXED);
  }
  stored_line = stores_to & ~UINT64_C(63);
}

/* The time that a writer gives readers ends when they have got on well, or when nobody is left who could use it. */
static void give_time(void) {
  uint64_t begin = system_nanoseconds(), wait = perdure_exploration->writer_wait;
  uint64_t enough = __atomic_load_n(&perdure_exploration->accesses, __ATOMIC_RELAXED) + ENOUGH;
  struct quiet quiet = quiet_from(wait);
  __atomic_add_fetch(&writers_asleep, 1, __ATOMIC_RELAXED);
  for (uint64_t passed = 0; passed < wait; passed = system_nanoseconds() - begin) {
    system_sleep(wait - passed < NAP ? wait - passed : NAP);
    if (__atomic_load_n(&perdure_exploration->accesses, __ATOMIC_RELAXED) >= enough ||
        (__atomic_load_n(&writers_asleep, __ATOMIC_RELAXED) == 1 && standstill(&quiet))) {
      break;
    }
  }
  __atomic_sub_fetch(&writers_asleep, 1, __ATOMIC_RELAXED);
}

COLD void explore_flush(const void *addr, size_t length) {
  uint64_t from = (uint64_t)addr & ~UINT64_C(63);
  if (stored_line == 0 || stored_line < from || stored_line >= (uint64_t)addr + length) {
    return;
  }
  stored_line = 0;
  __atomic_sub_fetch(&perdure_schedule->active, 1, __ATOMIC_RELAXED);
  give_time();
}

/* ---- priorities ---------------------------------------------------------------------------------------------------------- */

static struct perdure_turn *own_turn(void) {
  struct perdure_turn *turn = &perdure_exploration->turns[perdure_self.number & (PERDURE_TURNS - 1)];
  if (turn->thread != perdure_self.number) {
    turn->priority = (uint32_t)mixed(perdure_exploration->seed + perdure_self.number) | UINT32_C(1) << 31;
    turn->thread = perdure_self.number;
  }
  return turn;
}

static bool more_urgent_runs(uint32_t priority, uint64_t now) {
  for (uint32_t i = 0; i < PERDURE_TURNS; i++) {
    struct perdure_turn *other = &perdure_exploration->turns[i];
    if (other->priority > priority && now - __atomic_load_n(&other->last, __ATOMIC_RELAXED) < TURN_FRESH) {
      return true;
    }
  }
  return false;
}

static void take_turn(uint64_t access) {
  struct perdure_turn *turn = own_turn();
  for (uint32_t i = 0; i < PERDURE_CHANGE_POINTS; i++) {
    if (perdure_exploration->change_points[i] == access) {
      turn->priority = i + 1;
    }
  }
  for (unsigned slice = 0; slice < MOST_SLICES && more_urgent_runs(turn->priority, system_nanoseconds()); slice++) {
    system_sleep(TURN_SLICE);
  }
  __atomic_store_n(&turn->last, system_nanoseconds(), __ATOMIC_RELAXED);
}

/* ---- all strategies -------------------------------------------------------------------------------------------------------- */

static void note_thread(void) {
  uint32_t nobody = 0;
  if (!__atomic_compare_exchange_n(&perdure_exploration->first, &nobody, perdure_self.number, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) &&
      nobody != perdure_self.number) {
    __atomic_store_n(&perdure_exploration->shared, 1, __ATOMIC_RELAXED);
  }
}

static void at_access(void) {
  if (__atomic_load_n(&perdure_exploration->shared, __ATOMIC_RELAXED) == 0) {
    note_thread();
  }
  uint64_t access = __atomic_add_fetch(&perdure_exploration->accesses, 1, __ATOMIC_RELAXED);
  if (perdure_exploration->strategy == PERDURE_STRATEGY_DELAYS) {
    system_sleep(next_random() % (perdure_exploration->longest_delay + 1));
  } else if (perdure_exploration->strategy == PERDURE_STRATEGY_PRIORITIES) {
    take_turn(access);
  }
}

COLD void explore_load(const void *addr, uint32_t site) {
  await_change(searches(addr, site));
  enum progress progress = progress_by_load(addr);
  if (progress == SPINS_ON_ONE) {
    return;
  }
  if (progress == GETS_ON) {
    at_access();
  }
  struct perdure_sync_point *point =
      perdure_exploration->strategy == PERDURE_STRATEGY_SYNC_POINTS ? point_of(site, PERDURE_SYNC_LOAD) : NULL;
  if (point != NULL && perdure_exploration->same_word == PERDURE_LOADED_WORD) {
    loaded_at = point;
    loaded_from = addr;
  } else if (point != NULL) {
    await_store(point, addr);
  }
}

COLD void explore_store(const void *addr, size_t length) {
  await_change(false);
  stores_to = (uint64_t)addr;
  stores_length = length;
  if (progress_by_store(addr) == GETS_ON) {
    at_access();
  }
}

COLD void explore_stored(uint32_t site) {
  struct perdure_sync_point *point =
      perdure_exploration->strategy == PERDURE_STRATEGY_SYNC_POINTS ? point_of(site, PERDURE_SYNC_STORE) : NULL;
  if (point != NULL) {
    signal_readers(point);
  }
}
