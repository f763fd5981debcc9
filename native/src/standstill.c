#include "standstill.h"
#include "explore.h"
#include "system.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#define BETWEEN_LOOKS UINT64_C(400000) /* nanoseconds */

static _Thread_local bool own_idle;

static uint32_t *own_entry(void) { return &perdure_exploration->idle[perdure_self.number % PERDURE_AWAITED]; }

void idle_begin(void) {
  if (!own_idle) {
    own_idle = true;
    __atomic_store_n(own_entry(), perdure_self.tid, __ATOMIC_RELAXED);
  }
}

void idle_end(void) {
  if (own_idle) {
    own_idle = false;
    __atomic_store_n(own_entry(), 0, __ATOMIC_RELAXED);
  }
}

static bool is_idle(uint32_t thread) {
  for (uint32_t i = 0; i < PERDURE_AWAITED; i++) {
    if (__atomic_load_n(&perdure_exploration->idle[i], __ATOMIC_RELAXED) == thread) {
      return true;
    }
  }
  return false;
}

/* Whether a thread of /proc/self/task waits for others: for a lock, a condition, an end. Who sleeps for a time, or reads from a socket, gets
 * on without them. */
static bool waits(int folder, const char *thread) {
  static const char WAITS[] = "202 "; /* the number of futex */
  _Static_assert(SYS_futex == 202, "the number of futex");
  char path[64], text[sizeof WAITS - 1];
  size_t length = strlen(thread);
  if (length + sizeof "/syscall" > sizeof path) {
    return false;
  }
  memcpy(path, thread, length);
  memcpy(path + length, "/syscall", sizeof "/syscall");
  long file = SYSTEM6(SYS_openat, folder, path, O_RDONLY | O_CLOEXEC, 0, 0, 0);
  if (system_failed(file)) {
    return file == -ENOENT; /* it has ended */
  }
  long got = SYSTEM(SYS_read, file, text, sizeof text);
  SYSTEM(SYS_close, file, 0, 0);
  return got == -ESRCH || (got == (long)sizeof text && memcmp(text, WAITS, sizeof text) == 0);
}

static uint32_t number_of(const char *digits) {
  uint32_t number = 0;
  for (; *digits >= '0' && *digits <= '9'; digits++) {
    number = number * 10 + (uint32_t)(*digits - '0');
  }
  return *digits == 0 ? number : 0;
}

struct entry {
  uint64_t inode, offset;
  uint16_t length;
  uint8_t type;
  char name[];
};

/* Of a program with several processes, or with work from outside, this process does not know enough. */
static bool everybody_waits(void) {
  if (perdure_exploration->fed != 0 || __atomic_load_n(&perdure_counters->processes, __ATOMIC_RELAXED) > 1) {
    return false;
  }
  long folder = SYSTEM6(SYS_openat, AT_FDCWD, "/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0, 0, 0);
  if (system_failed(folder)) {
    return false;
  }
  _Alignas(struct entry) char entries[2048];
  bool any = false;
  for (long bytes = 1; bytes > 0 && !any;) {
    bytes = SYSTEM(SYS_getdents64, folder, entries, sizeof entries);
    any = system_failed(bytes);
    for (long at = 0; at < bytes && !any; at += ((const struct entry *)(entries + at))->length) {
      const struct entry *entry = (const struct entry *)(entries + at);
      uint32_t thread = number_of(entry->name);
      any = thread != 0 && thread != perdure_self.tid && !is_idle(thread) && !waits((int)folder, entry->name);
    }
  }
  SYSTEM(SYS_close, folder, 0, 0);
  return !any;
}

static uint64_t accesses(void) { return __atomic_load_n(&perdure_exploration->accesses, __ATOMIC_RELAXED); }

struct quiet quiet_from(uint64_t patience) {
  uint64_t now = system_nanoseconds();
  return (struct quiet){accesses(), now, now, patience, false};
}

bool standstill(struct quiet *quiet) {
  if (accesses() != quiet->accesses) {
    *quiet = quiet_from(quiet->patience);
    return false;
  }
  uint64_t now = system_nanoseconds();
  if (now - quiet->begin > quiet->patience) {
    return true;
  }
  if (now - quiet->looked < BETWEEN_LOOKS) {
    return false;
  }
  bool before = quiet->still;
  quiet->still = everybody_waits();
  quiet->looked = system_nanoseconds();
  return before && quiet->still && accesses() == quiet->accesses;
}
