#include "harness.h"
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t *pm;

static void storeFrom(uint32_t site) { store8(pm, 1, site); }

static void callInTwoWays(void) {
  pm = map_pm("stacks", 4096);
  storeFrom(1);
  for (int i = 0; i < 3; i++) {
    CALL_FROM(10, CALL_FROM(20, storeFrom(2)));
    CALL_FROM(11, CALL_FROM(20, storeFrom(3)));
  }
  CALL_FROM(10, CALL_FROM(20, CALL_FROM(30, memset(pm, 0, 8))));
}

static uint64_t key_of(const struct run *run, uint32_t stack) { return run->recording.stacks[stack - 1].key; }

static void shouldGiveEqualStacksOneNumber(void) {
  struct run run;
  perform(&run, "callInTwoWays", (struct options){0});
  EXITED_WELL(run);
  CHECK_EQUAL(0, event_of(&run, PERDURE_EV_STORE, 0)->stack);
  uint32_t one = event_of(&run, PERDURE_EV_STORE, 1)->stack, other = event_of(&run, PERDURE_EV_STORE, 2)->stack;
  CHECK(one != 0 && other != 0 && one != other);
  for (size_t i = 1; i < 7; i++) {
    CHECK_EQUAL(i % 2 == 1 ? one : other, event_of(&run, PERDURE_EV_STORE, i)->stack);
  }
  CHECK_EQUAL(20, (uint32_t)key_of(&run, one));
  CHECK_EQUAL(10, (uint32_t)key_of(&run, (uint32_t)(key_of(&run, one) >> 32)));
  CHECK_EQUAL(11, (uint32_t)key_of(&run, (uint32_t)(key_of(&run, other) >> 32)));
  done(&run);
}

static void shouldAttributeLibcCallsToTheirCaller(void) {
  struct run run;
  perform(&run, "callInTwoWays", (struct options){0});
  const struct event *fill = event_of(&run, PERDURE_EV_STORE_BLOCK, 0);
  CHECK_EQUAL(30, fill->site);
  CHECK_EQUAL(event_of(&run, PERDURE_EV_STORE, 1)->stack, fill->stack);
  done(&run);
}

static uint64_t recurse(unsigned depth) {
  uint64_t result = 0;
  if (depth == 0) {
    storeFrom(5);
    return 1;
  }
  CALL_FROM(depth % 7 + 1, result = recurse(depth - 1) + 1);
  return result;
}

static void *recurseDeeply(void *unused) {
  (void)unused;
  volatile uint64_t depth = recurse(60000);
  CHECK_EQUAL(60001, depth);
  return NULL;
}

static void recurseInThreads(void) {
  pm = map_pm("stacks", 4096);
  recurseDeeply(NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, recurseDeeply, NULL);
  pthread_join(thread, NULL);
}

static void shouldSurviveDeepRecursion(void) {
  struct run run;
  perform(&run, "recurseInThreads", (struct options){0});
  EXITED_WELL(run);
  CHECK_EQUAL(2, count_of(&run, PERDURE_EV_STORE));
  done(&run);
}

static int storeInClone(void *unused) {
  (void)unused;
  for (uint64_t i = 0; i < 10; i++) {
    CALL_FROM(40, storeFrom(41));
  }
  return 0;
}

/* A thread that pthread_create knows nothing of. It has its creator's thread-local memory, as raw clones have. */
static void cloneThread(void) {
  pm = map_pm("stacks", 4096);
  char *stack = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int pid = clone(storeInClone, stack + (1 << 20), CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);
  CHECK(pid > 0 && waitpid(pid, NULL, 0) == pid);
  storeFrom(42);
}

static void shouldFollowThreadsMadeByClone(void) {
  struct run run;
  perform(&run, "cloneThread", (struct options){0});
  EXITED_WELL(run);
  CHECK_EQUAL(10, count_at(&run, PERDURE_EV_STORE, 41));
  CHECK_EQUAL(1, count_at(&run, PERDURE_EV_STORE, 42));
  done(&run);
}

const struct named TESTS[] = {
    {"shouldGiveEqualStacksOneNumber", shouldGiveEqualStacksOneNumber},
    {"shouldAttributeLibcCallsToTheirCaller", shouldAttributeLibcCallsToTheirCaller},
    {"shouldSurviveDeepRecursion", shouldSurviveDeepRecursion},
    {"shouldFollowThreadsMadeByClone", shouldFollowThreadsMadeByClone},
    {NULL, NULL},
};
const struct named ACTS[] = {
    {"callInTwoWays", callInTwoWays}, {"recurseInThreads", recurseInThreads}, {"cloneThread", cloneThread}, {NULL, NULL}};
