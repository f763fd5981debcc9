/* What the files of the runtime share: the state of a thread, the state of the process, and the words for both.
 *
 * Nothing here may be used before its time: `perdure_start` runs as the first constructor of the process, but interposed
 * functions may be called even earlier; they see perdure_recording == 0 and pass everything through. */
#ifndef PERDURE_RUNTIME_H
#define PERDURE_RUNTIME_H
#include "perdure_hooks.h"
#include "perdure_trace.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))
#define COLD __attribute__((cold, noinline))
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#pragma GCC visibility push(hidden)

/* A read-modify-write between its begin and its end. Signal handlers may nest some more. */
#define PERDURE_DRAWN_REGIONS 64
#define PERDURE_RMW_NESTING 4
struct rmw_in_progress {
  void *addr;
  void *frame; /* where the stack was: tells one that was left by longjmp from one that a signal interrupted */
  struct perdure_slot *slot;
  uint64_t position;
  uint64_t time;
  uint64_t before[2];
  uint32_t *stripe;
};

/* The libpmemobj transaction of the thread, from the outermost begin to its end. */
#define TX_LOCKS 16
#define TX_ALLOCATIONS 64
struct transaction {
  uint32_t depth;
  uint32_t locks;
  uint32_t allocations;
  bool aborted; /* and that was recorded */
  void *lock[TX_LOCKS];
  void *allocation[TX_ALLOCATIONS];
  void (*callback)(void *pool, int stage, void *argument);
  void *callback_argument;
};

/* What a parent has prepared for the child that it is about to fork. */
struct announced_child {
  struct perdure_process *entry; /* null: none */
  uint32_t index;
  uint32_t number; /* of its first thread */
};

/* The outermost call of a persistent memory library. It is recorded with the first event inside: most calls have none. */
struct library_call {
  uint32_t site, stack;
  bool untold;    /* it is not recorded yet; no position is below the limit meanwhile */
  uint64_t limit; /* what it was, then */
};

/* The call of a function that the configuration names as one that takes a lock: where its arguments lie. */
struct outer_acquisition {
  const uint64_t *frame; /* null: none */
  uint64_t lock;
};

enum self_state { SELF_NEW = 0, SELF_JOINING = 1, SELF_LIVE = 2, SELF_ENDED = 3 };

/* The state of a thread. The shadow stack pointer is its first word: instrumented code knows it as __perdure_tls. */
struct perdure_self {
  uint64_t *sp;
  uint64_t *base; /* sp of the empty stack */
  struct perdure_ring *ring;
  struct perdure_slot *slots;
  uint64_t mask;
  uint64_t limit; /* positions below it can be written at once, with the cycle counter */
  uint64_t room;  /* positions below it are known to be free */
  uint32_t number;
  uint32_t tid;
  uint32_t library;      /* calls of persistent memory libraries on the stack */
  uint32_t quiet;        /* interposed functions record nothing while it is not 0 */
  uint32_t trusts_loads; /* plain loads are those of a library, and not wanted */
  uint32_t ring_index;
  uint32_t rmw_depth;
  uint32_t state; /* enum self_state */
  uint32_t end_rounds;
  uint32_t detached;
  uint32_t created; /* the last thread that it created, joining: the one that a named function waits for; 0: none */
  uint32_t joining;
  uint32_t unfenced;  /* flushes or non-temporal stores since the last fence */
  uint32_t unsettled; /* events since the last one whose stamp says when everything before it was complete */
  uint32_t shared_times; /* counts events that could do with the time of the last one */
  struct known_stack *known_stacks; /* of callers.h */
  struct known_stack *last_stack;   /* one of them, that does not depend on rbp, of code that no instrumented code has called */
  void *library_frame;
  struct library_call library_call;
  struct outer_acquisition outer_acquisition;
  struct announced_child child;
  uint64_t random;
  uint64_t unsampled; /* load regions to leave out before the next one that is recorded */
  uint64_t drawn[PERDURE_DRAWN_REGIONS];
  void (*once_routine)(void);
  const void *once_control;
  bool once_ran;
  struct rmw_in_progress rmw[PERDURE_RMW_NESTING];
  uint64_t *shadow_words; /* the room of the shadow stack, null in the area that all threads begin with */
  size_t shadow_bytes;
  int reserving; /* the descriptor, plus one, of a file that a library reserves addresses for */
  struct transaction tx;
};
extern _Thread_local struct perdure_self perdure_self __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* The process. */
extern int perdure_recording;      /* events are wanted */
extern int perdure_shared_counter; /* PERDURE_CLOCK_COUNTER */
extern int perdure_library_loads;  /* those inside persistent memory libraries are recorded */
extern uint64_t perdure_sample;    /* one of so many loads is recorded, where it is more than 1 */
extern uint32_t perdure_pid;
extern struct perdure_header *perdure_header;
extern struct perdure_counters *perdure_counters;
extern struct perdure_schedule *perdure_schedule;
extern struct perdure_process *perdure_process; /* its entry in the process table, or a private one when that is full */

/* recording.c */
void perdure_start(char **environment);
/* As getenv, before libc is ready. */
const char *perdure_variable(char **environment, const char *name);
struct perdure_slot *perdure_map_ring(uint32_t index);
struct perdure_ring *perdure_ring_at(uint32_t index);
struct perdure_module *perdure_module_at(uint32_t index);
struct perdure_file *perdure_file_at(uint32_t index);
const char *perdure_paths(void);
uint32_t perdure_next_thread_number(void);
void perdure_lock_tables(void);
void perdure_unlock_tables(void);
void perdure_count_lost(uint64_t events);
void perdure_complain(const char *what, const char *detail);

/* modules.c: the number of a module's first site */
uint32_t perdure_module_numbers(const uint8_t id[16], uint32_t sites, const char *path);

/* process.c */
void perdure_process_begin(void);
void perdure_process_flag(uint32_t flag);
void perdure_process_unflag(uint32_t flag);
bool perdure_in_own_process(void);
void perdure_follow_forks(void);

/* exec.c */
void perdure_remember_environment(const char *recording);

/* threads.c */
bool perdure_thread_join_recording(uint32_t number, uint32_t creator, uint32_t first);
void perdure_watch_thread_ends(void);

/* atomics.c */
void perdure_atomics_after_fork(void);

/* schedule.c */
uint32_t perdure_random(struct perdure_self *self);
void perdure_act(uint32_t site, bool releases);
static inline void act_before(uint32_t site, bool releases) {
  if (unlikely(__atomic_load_n(&perdure_schedule->active, __ATOMIC_RELAXED) != 0)) {
    perdure_act(site, releases);
  }
}
static inline void act_at(uint32_t site) { act_before(site, false); }
static inline bool order_releases(uint32_t info) {
  uint32_t order = info >> 5;
  return order == PERDURE_RELEASE_ORDER || order == PERDURE_ACQ_REL || order == PERDURE_SEQ_CST;
}

/* Whether the next of the thread's load regions is not part of the sample. */
static inline bool leave_out_next(struct perdure_self *self) {
  if (self->unsampled != 0) {
    self->unsampled--;
    return true;
  }
  self->unsampled = perdure_random(self) % (2 * perdure_sample - 1);
  return false;
}

/* What was drawn for a region that was announced, times two, plus one if it is left out. Others may have taken its place. */
static inline uint64_t *drawn_region(struct perdure_self *self, uint64_t addr) {
  return &self->drawn[addr / 8 % PERDURE_DRAWN_REGIONS];
}

/* Whether a load region that starts here is not part of the sample. */
static inline bool leave_out_region(struct perdure_self *self, uint64_t addr) {
  if (likely(perdure_sample <= 1)) {
    return false;
  }
  bool out = leave_out_next(self);
  *drawn_region(self, addr) = addr << 1 | out;
  return out;
}

/* Whether a load is not part of the sample. */
static inline bool leave_out_load(struct perdure_self *self, uint64_t addr) {
  if (likely(perdure_sample <= 1)) {
    return false;
  }
  uint64_t *drawn = drawn_region(self, addr);
  if (*drawn >> 1 != addr) {
    return leave_out_next(self);
  }
  bool out = *drawn & 1;
  *drawn = 0;
  return out;
}

/* A spin lock of the runtime's own: held for short times, never while user code runs. */
void perdure_spin_lock(uint32_t *lock);
void perdure_spin_unlock(uint32_t *lock);

#pragma GCC visibility pop
#endif
