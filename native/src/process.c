/* The process in the recording: its entry, forks, its end. */
#include "library_changes.h"
#include "mapping_table.h"
#include "pm.h"
#include "real.h"
#include "room.h"
#include "system.h"
#include "thread_numbers.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static struct perdure_process unlisted;
struct perdure_process *perdure_process = &unlisted;

static struct perdure_process *take_entry(uint32_t *index) {
  uint32_t taken = __atomic_load_n(&perdure_counters->processes, __ATOMIC_RELAXED);
  do {
    if (taken >= PERDURE_MAX_PROCESSES) {
      *index = PERDURE_MAX_PROCESSES;
      return &unlisted;
    }
  } while (!__atomic_compare_exchange_n(&perdure_counters->processes, &taken, taken + 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
  *index = taken;
  return (struct perdure_process *)((char *)perdure_header + perdure_header->processes_offset) + taken;
}

/* All of an entry but the process id. */
static struct perdure_process *describe(uint32_t parent, uint32_t *index) {
  uint32_t inherited = perdure_process->flags & (PERDURE_PROCESS_INSTRUMENTED | PERDURE_PROCESS_MAPPED_PM);
  struct perdure_process *entry = take_entry(index);
  entry->parent = parent;
  entry->flags = inherited;
  long length = SYSTEM(SYS_readlink, "/proc/self/exe", entry->exe, sizeof entry->exe - 1);
  entry->exe[length > 0 ? length : 0] = 0;
  return entry;
}

static void list(struct perdure_process *entry, uint32_t pid) {
  __atomic_store_n(&entry->pid, pid, __ATOMIC_RELAXED);
  __atomic_store_n(&entry->ready, 1, __ATOMIC_RELEASE);
}

/* The calling thread is the first of the process. */
static void begin_process(struct perdure_process *entry, uint32_t index, uint32_t creator, uint32_t number) {
  perdure_process = entry;
  list(entry, perdure_pid);
  if (perdure_thread_join_recording(number, creator, 1)) {
    record(STAMP_AFTER, PERDURE_EV_PROCESS_BEGIN, 0, 0, index, 0, 0);
  }
}

void perdure_process_begin(void) {
  uint32_t index;
  struct perdure_process *entry = describe((uint32_t)SYSTEM(SYS_getppid, 0, 0, 0), &index);
  begin_process(entry, index, 0, perdure_next_thread_number());
}

void perdure_process_flag(uint32_t flag) { __atomic_or_fetch(&perdure_process->flags, flag, __ATOMIC_RELAXED); }
void perdure_process_unflag(uint32_t flag) { __atomic_and_fetch(&perdure_process->flags, ~flag, __ATOMIC_RELAXED); }

/* The child of vfork runs in its parent's memory: what it does must not be taken for the parent's doing. */
bool perdure_in_own_process(void) { return (uint32_t)SYSTEM(SYS_getpid, 0, 0, 0) == perdure_pid; }

static void announce_child(void) {
  if (perdure_recording && perdure_in_own_process()) {
    struct announced_child *child = &perdure_self.child;
    child->number = perdure_next_thread_number();
    child->entry = describe(perdure_pid, &child->index);
    emit(STAMP_BEFORE, PERDURE_EV_PROCESS_FORK, 0, NULL, child->number);
  }
}

/* A parent that ends right after the fork must leave its child listed, even if the child did not run yet. No child: the entry says so. */
static pid_t forked(pid_t result) {
  struct announced_child *child = &perdure_self.child;
  if (result != 0 && child->entry != NULL) {
    list(child->entry, result > 0 ? (uint32_t)result : 0);
    if (result > 0) {
      thread_number_of_child_is(result, child->number);
    }
    child->entry = NULL;
  }
  return result;
}

static void drop_tables(void) {
  pm_ranges_drop();
  mapping_table_drop();
  thread_numbers_drop();
}

static void after_fork_in_parent(void) {
  drop_tables();
  library_changes_drop();
}

/* The tables must be whole in the child, where nobody would finish what another thread had begun. */
static void before_fork(void) {
  announce_child();
  library_changes_hold();
  thread_numbers_hold();
  mapping_table_hold();
  pm_ranges_hold();
}

/* Nothing of the parent's rings may be written from here on. */
static void begin_child(void) {
  struct perdure_self *self = &perdure_self;
  uint32_t parent = self->number;
  self->ring = &perdure_no_ring;
  self->room = self->limit = 0;
  self->rmw_depth = 0;
  perdure_pid = (uint32_t)SYSTEM(SYS_getpid, 0, 0, 0);
  perdure_atomics_after_fork();
  room_after_fork();
  drop_tables();
  thread_numbers_forget_all();
  library_changes_in_child();
  struct announced_child announced = self->child;
  self->child.entry = NULL;
  if (!perdure_recording) {
    return;
  }
  if (announced.entry == NULL) {
    announced.number = perdure_next_thread_number();
    announced.entry = describe((uint32_t)SYSTEM(SYS_getppid, 0, 0, 0), &announced.index);
  }
  begin_process(announced.entry, announced.index, parent, announced.number);
}

void perdure_follow_forks(void) { pthread_atfork(before_fork, after_fork_in_parent, begin_child); }

REAL(fork);
EXPORT pid_t fork(void) { return forked(CALL(fork)()); }

/* fork without the handlers of pthread_atfork; it may be called in a signal handler, so it holds nothing. */
pid_t _Fork(void);
REAL(_Fork);
EXPORT pid_t _Fork(void) {
  announce_child();
  pid_t child = CALL(_Fork)();
  if (child == 0 && perdure_header != NULL) {
    begin_child();
  }
  return forked(child);
}

static void came_to_its_end(void) {
  if (perdure_recording && perdure_in_own_process() && (perdure_process->flags & PERDURE_PROCESS_ENDED) == 0) {
    emit(STAMP_BEFORE, PERDURE_EV_PROCESS_EXIT, 0, NULL, 0);
    perdure_process_flag(PERDURE_PROCESS_ENDED);
  }
}

/* Other libraries may still have destructors to run: the ring stays with the process. */
__attribute__((destructor(101))) static void end(void) { came_to_its_end(); }

REAL(_exit);
EXPORT void _exit(int status) {
  came_to_its_end();
  CALL(_exit)(status);
  __builtin_unreachable();
}

REAL(_Exit);
EXPORT void _Exit(int status) {
  came_to_its_end();
  CALL(_Exit)(status);
  __builtin_unreachable();
}

REAL_VERSION(quick_exit, "GLIBC_2.24");
EXPORT void quick_exit(int status) {
  came_to_its_end();
  CALL(quick_exit)(status);
  __builtin_unreachable();
}
