/* The recording file: opened once, its tables mapped as a whole, its rings one by one when a thread needs them. */
#include "patching.h"
#include "real.h"
#include "ring.h"
#include "signals.h"
#include "stacks.h"
#include "system.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define UNOBSERVED_EXIT 127

int perdure_recording;
int perdure_shared_counter;
uint64_t perdure_sample;
int perdure_library_loads;
uint32_t perdure_pid;
struct perdure_header *perdure_header;
struct perdure_counters *perdure_counters;

static struct perdure_schedule no_schedule;
struct perdure_schedule *perdure_schedule = &no_schedule;

static char path[PATH_MAX];
static int file = -1;
static struct stat identity;
static struct perdure_slot *mapped_rings[PERDURE_MAX_RINGS];
static uint32_t complained;

static void *at(uint64_t offset) { return (char *)perdure_header + offset; }

struct perdure_ring *perdure_ring_at(uint32_t index) { return (struct perdure_ring *)at(perdure_header->rings_offset) + index; }
struct perdure_module *perdure_module_at(uint32_t index) { return (struct perdure_module *)at(perdure_header->modules_offset) + index; }
struct perdure_file *perdure_file_at(uint32_t index) { return (struct perdure_file *)at(perdure_header->files_offset) + index; }
const char *perdure_paths(void) { return at(perdure_header->paths_offset); }

static size_t length_of(const char *text) {
  size_t n = 0;
  while (text[n] != 0) {
    n++;
  }
  return n;
}

static void say(const char *text) { SYSTEM(SYS_write, 2, text, length_of(text)); }

/* One line on standard error, once for a process. */
COLD void perdure_complain(const char *what, const char *detail) {
  if (__atomic_exchange_n(&complained, 1, __ATOMIC_RELAXED) == 0) {
    say("perdure: ");
    say(what);
    say(": ");
    say(detail);
    say("\n");
  }
}

COLD void perdure_count_lost(uint64_t events) {
  if (perdure_counters != NULL) {
    __atomic_add_fetch(&perdure_counters->lost, events, __ATOMIC_RELAXED);
  }
}

uint32_t perdure_next_thread_number(void) {
  uint32_t next = __atomic_load_n(&perdure_counters->next_thread, __ATOMIC_RELAXED);
  uint32_t number;
  do {
    number = next == 0 ? 1 : next;
  } while (
      !__atomic_compare_exchange_n(&perdure_counters->next_thread, &next, number + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return number;
}

#define LOCK_PATIENCE UINT64_C(2000000000)

/* A process that dies while it holds the lock must not stop the others: the lock is taken from the dead, and after two
 * seconds from anyone (a program that replaced itself while one of its threads held it lives on under the same id). */
void perdure_lock_tables(void) {
  uint64_t since = system_nanoseconds();
  for (;;) {
    uint32_t owner = 0;
    if (__atomic_compare_exchange_n(&perdure_counters->table_lock, &owner, perdure_pid, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
      return;
    }
    if (SYSTEM(SYS_kill, owner, 0, 0) == -ESRCH || system_nanoseconds() - since > LOCK_PATIENCE) {
      if (__atomic_compare_exchange_n(&perdure_counters->table_lock, &owner, perdure_pid, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        return;
      }
    }
    system_yield();
  }
}

void perdure_unlock_tables(void) { __atomic_store_n(&perdure_counters->table_lock, 0, __ATOMIC_RELEASE); }

static bool is_the_recording(int fd) {
  struct stat now;
  return fd >= 0 && SYSTEM(SYS_fstat, fd, &now, 0) == 0 && now.st_dev == identity.st_dev && now.st_ino == identity.st_ino;
}

static int open_file(void) { return (int)SYSTEM6(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0, 0, 0); }

/* Programs count on low descriptors, and some close all that they did not open: ours is a high one, checked at each use. */
static int usable_file(void) {
  if (!is_the_recording(file)) {
    file = open_file();
  }
  return is_the_recording(file) ? file : -1;
}

static int move_up(int fd) {
  for (int least = 1000; least >= 100; least /= 3) {
    long high = SYSTEM(SYS_fcntl, fd, F_DUPFD_CLOEXEC, least);
    if (!system_failed(high)) {
      SYSTEM(SYS_close, fd, 0, 0);
      return (int)high;
    }
  }
  return fd;
}

struct perdure_slot *perdure_map_ring(uint32_t index) {
  struct perdure_slot *known = __atomic_load_n(&mapped_rings[index], __ATOMIC_ACQUIRE);
  if (known != NULL) {
    return known;
  }
  int fd = usable_file();
  uint64_t bytes = (uint64_t)perdure_header->ring_slots * sizeof(struct perdure_slot);
  uint64_t offset = perdure_header->data_offset + index * bytes;
  if (fd < 0 || system_failed(SYSTEM6(SYS_fallocate, fd, 0, offset, bytes, 0, 0))) {
    return NULL;
  }
  long address = SYSTEM6(SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, offset);
  if (system_failed(address)) {
    return NULL;
  }
  __atomic_store_n(&mapped_rings[index], (struct perdure_slot *)address, __ATOMIC_RELEASE);
  return (struct perdure_slot *)address;
}

/* A process that cannot see its private pools must not get at the real ones. */
static bool unobserved(const struct perdure_header *head, const char *why) {
  perdure_complain(path, why);
  if ((head->flags & PERDURE_FLAG_LIBRARY_CHANGES) != 0) {
    SYSTEM(SYS_exit_group, UNOBSERVED_EXIT, 0, 0);
  }
  return false;
}

static bool map_tables(int fd) {
  struct perdure_header head;
  if (SYSTEM6(SYS_pread64, fd, &head, sizeof head, 0, 0, 0) != sizeof head || head.magic != PERDURE_MAGIC ||
      head.version != PERDURE_VERSION) {
    perdure_complain(path, "is no recording of this version; the program runs unobserved");
    return false;
  }
  if (system_failed(SYSTEM6(SYS_fallocate, fd, 0, 0, head.data_offset, 0, 0))) {
    return unobserved(&head, "has no space left; the program cannot be observed");
  }
  long address = SYSTEM6(SYS_mmap, 0, head.data_offset, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (system_failed(address)) {
    return unobserved(&head, "cannot be mapped; the program cannot be observed");
  }
  perdure_header = (struct perdure_header *)address;
  perdure_counters = (struct perdure_counters *)((char *)perdure_header + PERDURE_PAGE);
  perdure_schedule = at(head.schedule_offset);
  perdure_shared_counter = head.clock == PERDURE_CLOCK_COUNTER;
  perdure_sample = head.sample;
  perdure_library_loads = (head.flags & PERDURE_FLAG_LIBRARY_LOADS) != 0;
  stack_table_open(at(head.stacks_offset), head.stack_slots);
  return true;
}

const char *perdure_variable(char **environment, const char *name) {
  size_t length = length_of(name);
  for (; environment != NULL && *environment != NULL; environment++) {
    size_t i = 0;
    while (i < length && (*environment)[i] == name[i]) {
      i++;
    }
    if (i == length && (*environment)[i] == '=') {
      return *environment + length + 1;
    }
  }
  return NULL;
}

static bool open_recording(const char *name) {
  size_t length = length_of(name);
  if (length == 0 || length >= sizeof path) {
    return false;
  }
  for (size_t i = 0; i <= length; i++) {
    path[i] = name[i];
  }
  int fd = open_file();
  if (fd < 0) {
    perdure_complain(path, "cannot be opened; the program runs unobserved");
    return false;
  }
  file = move_up(fd);
  return SYSTEM(SYS_fstat, file, &identity, 0) == 0 && map_tables(file);
}

void perdure_start(char **environment) {
  real_resolve_libc();
  shadow_stack_for_main(&perdure_self);
  perdure_pid = (uint32_t)SYSTEM(SYS_getpid, 0, 0, 0);
  const char *name = perdure_variable(environment, PERDURE_ENV_RECORDING);
  perdure_watch_thread_ends();
  if (name == NULL || !open_recording(name)) {
    return;
  }
  perdure_remember_environment(path);
  perdure_follow_forks();
  ring_repair_abandoned();
  if ((perdure_header->flags & PERDURE_FLAG_LIBRARY_CHANGES) != 0) {
    signals_keep_open(SIGSEGV);
  }
  perdure_recording = 1;
  perdure_process_begin();
  patching_start(path);
}

__attribute__((constructor(101))) static void begin(int argc, char **argv, char **environment) {
  (void)argc;
  (void)argv;
  perdure_start(environment);
}

void perdure_spin_lock(uint32_t *lock) {
  for (unsigned round = 0; __atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) != 0; round++) {
    if (round % 64 == 63) {
      system_yield();
    } else {
      __builtin_ia32_pause();
    }
  }
}

void perdure_spin_unlock(uint32_t *lock) { __atomic_store_n(lock, 0, __ATOMIC_RELEASE); }
