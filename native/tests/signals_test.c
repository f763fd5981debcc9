#include "harness.h"
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t *pm;
static volatile uint64_t handled;

static void storeInHandler(int signal) {
  (void)signal;
  handled++;
  store8(pm + 1, handled, 2);
  __perdure_rmw_begin(pm + 2, 8, 3);
  uint64_t old = __atomic_fetch_add(pm + 2, 1, __ATOMIC_SEQ_CST);
  __perdure_rmw_end8(pm + 2, old, old + 1, 0, 1, 8, 3);
}

static void interruptOften(void) {
  pm = map_pm("signals", 4096);
  struct sigaction action = {.sa_handler = storeInHandler, .sa_flags = SA_RESTART};
  sigaction(SIGALRM, &action, NULL);
  struct itimerval timer = {{0, 100}, {0, 100}};
  setitimer(ITIMER_REAL, &timer, NULL);
  uint64_t rounds = 0;
  while (handled < 500) {
    store8(pm, rounds, 1);
    __perdure_rmw_begin(pm + 2, 8, 4);
    uint64_t old = __atomic_fetch_add(pm + 2, 1, __ATOMIC_SEQ_CST);
    __perdure_rmw_end8(pm + 2, old, old + 1, 0, 1, 8, 4);
    rounds++;
  }
  memset(&timer, 0, sizeof timer);
  setitimer(ITIMER_REAL, &timer, NULL);
  store8(pm + 3, rounds, 5);
  store8(pm + 3, handled, 6);
}

static uint64_t valueAt(const struct run *run, uint32_t site) {
  for (size_t i = 0; i < run->events.count; i++) {
    if (run->events.all[i].site == site) {
      return run->events.all[i].value;
    }
  }
  CHECK(false);
  return 0;
}

static void shouldRecordWhatSignalHandlersDoInsideHooks(void) {
  struct run run;
  perform(&run, "interruptOften", (struct options){0});
  EXITED_WELL(run);
  CHECK_EQUAL(valueAt(&run, 5), count_at(&run, PERDURE_EV_STORE, 1));
  CHECK_EQUAL(valueAt(&run, 5), count_at(&run, PERDURE_EV_RMW, 4));
  CHECK_EQUAL(valueAt(&run, 6), count_at(&run, PERDURE_EV_STORE, 2));
  CHECK_EQUAL(valueAt(&run, 6), count_at(&run, PERDURE_EV_RMW, 3));
  CHECK_EQUAL(0, run.recording.counters->lost);
  done(&run);
}

static sigjmp_buf back;
static void jumpBack(int signal) {
  (void)signal;
  siglongjmp(back, 1);
}

/* The word cannot be written: the read-modify-write itself faults, after its begin. */
static void jumpOutOfRmw(void) {
  pm = map_pm("signals", 8192);
  uint64_t *sealed = pm + 512;
  mprotect(sealed, 4096, PROT_READ);
  signal(SIGSEGV, jumpBack);
  for (volatile int i = 0; i < 3; i++) {
    if (sigsetjmp(back, 1) == 0) {
      __perdure_rmw_begin(sealed, 8, 7);
      __atomic_fetch_add(sealed, 1, __ATOMIC_SEQ_CST);
      __perdure_rmw_end8(sealed, 0, 1, 0, 1, 8, 7);
    }
  }
  mprotect(sealed, 4096, PROT_READ | PROT_WRITE);
  __perdure_rmw_begin(sealed, 8, 8);
  uint64_t old = __atomic_fetch_add(sealed, 1, __ATOMIC_SEQ_CST);
  __perdure_rmw_end8(sealed, old, old + 1, 0, 1, 8, 8);
  store8(pm, 1, 9);
}

static void shouldForgetReadModifyWritesThatAJumpLeft(void) {
  struct run run;
  perform(&run, "jumpOutOfRmw", (struct options){0});
  EXITED_WELL(run);
  CHECK_EQUAL(0, count_at(&run, PERDURE_EV_RMW, 7));
  CHECK_EQUAL(1, count_at(&run, PERDURE_EV_RMW, 8));
  CHECK_EQUAL(1, count_at(&run, PERDURE_EV_STORE, 9));
  done(&run);
}

const struct named TESTS[] = {
    {"shouldRecordWhatSignalHandlersDoInsideHooks", shouldRecordWhatSignalHandlersDoInsideHooks},
    {"shouldForgetReadModifyWritesThatAJumpLeft", shouldForgetReadModifyWritesThatAJumpLeft},
    {NULL, NULL},
};
const struct named ACTS[] = {{"interruptOften", interruptOften}, {"jumpOutOfRmw", jumpOutOfRmw}, {NULL, NULL}};
