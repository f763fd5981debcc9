/* What persistent memory libraries write is found by write-protecting PM: threads of the program that write at the same time, protections
 * of its own and forks must not notice. */
#include "harness.h"
#include <libpmemobj.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS 400
#define TOGGLERS 3
#define PAGE 4096

static PMEMobjpool *pool;
static volatile bool over;
static volatile unsigned char *shared;

static void wantChanges(struct recording *r) { r->header->flags |= PERDURE_FLAG_LIBRARY_CHANGES; }

static void openPool(const char *name) {
  setenv("PMEM_IS_PMEM_FORCE", "1", 1);
  pool = pmemobj_create(pm_file(name), "test", PMEMOBJ_MIN_POOL, 0600);
  CHECK(pool != NULL);
}

/* As a lock byte in PM that is taken and released again and again: it may be anything at each look. */
static void *toggle(void *argument) {
  volatile unsigned char *byte = shared + PAGE * (size_t)argument;
  while (!over) {
    for (int n = 0; n < 1000; n++) {
      *byte = 1;
      *byte = 0;
    }
  }
  return NULL;
}

static void *allocate(void *argument) {
  (void)argument;
  for (int n = 0; n < ROUNDS; n++) {
    PMEMoid oid;
    CHECK_EQUAL(0, pmemobj_zalloc(pool, &oid, 500, 1));
    pmemobj_free(&oid);
  }
  return NULL;
}

static void startToggling(pthread_t *togglers) {
  shared = map_pm("shared", 4 * PAGE);
  for (size_t n = 0; n < TOGGLERS; n++) {
    CHECK_EQUAL(0, pthread_create(&togglers[n], NULL, toggle, (void *)n));
  }
}

static void stopToggling(pthread_t *togglers) {
  over = true;
  for (size_t n = 0; n < TOGGLERS; n++) {
    pthread_join(togglers[n], NULL);
  }
}

static void writeWhileOthersAllocate(void) {
  pthread_t togglers[TOGGLERS], allocators[2];
  openPool("busy");
  startToggling(togglers);
  for (int n = 0; n < 2; n++) {
    CHECK_EQUAL(0, pthread_create(&allocators[n], NULL, allocate, NULL));
  }
  for (int n = 0; n < 2; n++) {
    pthread_join(allocators[n], NULL);
  }
  stopToggling(togglers);
  pmemobj_close(pool);
}

static void shouldRecordNothingButWhatDiffersWhileBytesChange(void) {
  struct run run;
  perform(&run, "writeWhileOthersAllocate", (struct options){.before = wantChanges, .ring_slots = 1 << 14});
  EXITED_WELL(run);
  for (size_t i = 0; i < run.events.count; i++) {
    const struct event *e = &run.events.all[i];
    CHECK(e->kind != PERDURE_EV_STORE_BLOCK || e->value <= PMEMOBJ_MIN_POOL);
  }
  done(&run);
}

static void forkWhileOthersAllocate(void) {
  pthread_t togglers[TOGGLERS], allocator;
  openPool("forks");
  startToggling(togglers);
  CHECK_EQUAL(0, pthread_create(&allocator, NULL, allocate, NULL));
  for (int n = 0; n < 20; n++) {
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
      for (size_t at = 0; at < 4 * PAGE; at += PAGE) {
        shared[at + TOGGLERS] = (unsigned char)n;
      }
      _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  pthread_join(allocator, NULL);
  stopToggling(togglers);
  pmemobj_close(pool);
}

static void shouldLetChildrenWrite(void) {
  struct run run;
  perform(&run, "forkWhileOthersAllocate", (struct options){.before = wantChanges, .ring_slots = 1 << 14});
  EXITED_WELL(run);
  done(&run);
}

static sigjmp_buf before_write;
static void onFault(int number) {
  (void)number;
  siglongjmp(before_write, 1);
}

static bool mayWrite(volatile unsigned char *at) {
  if (sigsetjmp(before_write, 1) != 0) {
    return false;
  }
  *at = 1;
  return true;
}

static void protectForItself(void) {
  openPool("own");
  unsigned char *bytes = map_pm("guarded", 4 * PAGE);
  signal(SIGSEGV, onFault);
  CHECK_EQUAL(0, mprotect(bytes + PAGE, PAGE, PROT_READ));
  PMEMoid oid;
  CHECK_EQUAL(0, pmemobj_zalloc(pool, &oid, 500, 1));
  CHECK(mayWrite(bytes));
  CHECK(!mayWrite(bytes + PAGE));
  CHECK(mayWrite(bytes + 2 * PAGE));
  CHECK_EQUAL(0, mprotect(bytes, 2 * PAGE, PROT_READ | PROT_WRITE));
  pmemobj_free(&oid);
  CHECK(mayWrite(bytes + PAGE));
  pmemobj_close(pool);
}

static void shouldKeepTheProgramsOwnProtection(void) {
  struct run run;
  perform(&run, "protectForItself", (struct options){.before = wantChanges});
  EXITED_WELL(run);
  done(&run);
}

const struct named TESTS[] = {
    {"shouldRecordNothingButWhatDiffersWhileBytesChange", shouldRecordNothingButWhatDiffersWhileBytesChange},
    {"shouldLetChildrenWrite", shouldLetChildrenWrite},
    {"shouldKeepTheProgramsOwnProtection", shouldKeepTheProgramsOwnProtection},
    {NULL, NULL},
};
const struct named ACTS[] = {{"writeWhileOthersAllocate", writeWhileOthersAllocate},
                             {"forkWhileOthersAllocate", forkWhileOthersAllocate},
                             {"protectForItself", protectForItself},
                             {NULL, NULL}};
