#include "harness.h"
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>

#define ROUNDS 20000
static uint64_t word;
static uint64_t lock;
static const uint32_t INFO = PERDURE_INFO(8, PERDURE_SEQ_CST);

static uint64_t fetchAdd(uint64_t *addr) {
  __perdure_rmw_begin(addr, INFO, 1);
  uint64_t old = __atomic_fetch_add(addr, 1, __ATOMIC_SEQ_CST);
  __perdure_rmw_end8(addr, old, old + 1, PERDURE_RMW_OTHER, 1, INFO, 1);
  return old;
}

static bool compareAndSwap(uint64_t *addr, uint64_t expected, uint64_t desired) {
  __perdure_rmw_begin(addr, INFO, 2);
  bool stored = __atomic_compare_exchange_n(addr, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  __perdure_rmw_end8(addr, expected, desired, PERDURE_RMW_CAS, stored, INFO, 2);
  return stored;
}

static void storeRelease(uint64_t *addr, uint64_t value) {
  __perdure_atomic_store(addr, value, PERDURE_INFO(8, PERDURE_RELEASE_ORDER), 3);
  __atomic_store_n(addr, value, __ATOMIC_RELEASE);
}

static void *add(void *unused) {
  for (int i = 0; i < ROUNDS; i++) {
    fetchAdd(&word);
  }
  return unused;
}

static void inThreads(void *(*routine)(void *)) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) {
    pthread_create(&threads[i], NULL, routine, NULL);
  }
  for (int i = 0; i < 4; i++) {
    pthread_join(threads[i], NULL);
  }
}

static void addInThreads(void) {
  inThreads(add);
  CHECK_EQUAL(4 * ROUNDS, word);
}

static void shouldOrderReadModifyWritesOfAWord(void) {
  struct run run;
  perform(&run, "addInThreads", (struct options){0});
  EXITED_WELL(run);
  uint64_t expected = 0;
  for (size_t i = 0; i < run.events.count; i++) {
    const struct event *e = &run.events.all[i];
    if (e->kind == PERDURE_EV_RMW) {
      uint64_t old, new;
      memcpy(&old, e->payload, 8);
      memcpy(&new, e->payload + 16, 8);
      CHECK_EQUAL(expected, old);
      CHECK_EQUAL(expected + 1, new);
      expected++;
    }
  }
  CHECK_EQUAL(4 * ROUNDS, expected);
  done(&run);
}

static void *lockAndUnlock(void *unused) {
  for (int i = 0; i < ROUNDS / 4; i++) {
    while (!compareAndSwap(&lock, 0, 1)) {
      __builtin_ia32_pause();
    }
    word++;
    storeRelease(&lock, 0);
  }
  return unused;
}

static void lockInThreads(void) {
  inThreads(lockAndUnlock);
  CHECK_EQUAL(ROUNDS, word);
}

static void shouldNeverShowASpinLockInTwoHands(void) {
  struct run run;
  perform(&run, "lockInThreads", (struct options){.ring_slots = 65536});
  EXITED_WELL(run);
  CHECK_EQUAL(ROUNDS, count_of(&run, PERDURE_EV_RMW));
  uint32_t holder = 0;
  for (size_t i = 0; i < run.events.count; i++) {
    const struct event *e = &run.events.all[i];
    if (e->kind == PERDURE_EV_RMW) {
      CHECK_EQUAL(0, holder);
      holder = e->thread;
    } else if (e->kind == PERDURE_EV_STORE) {
      CHECK_EQUAL(holder, e->thread);
      holder = 0;
    }
  }
  done(&run);
}

static void failToSwap(void) {
  word = 7;
  CHECK(!compareAndSwap(&word, 1, 2));
  CHECK(compareAndSwap(&word, 7, 8));
}

static void shouldTellAFailedCompareAndSwap(void) {
  struct run run;
  perform(&run, "failToSwap", (struct options){0});
  EXITED_WELL(run);
  CHECK_EQUAL(7, event_of(&run, PERDURE_EV_CAS_FAILED, 0)->value);
  CHECK_EQUAL(PERDURE_RMW_CAS, event_of(&run, PERDURE_EV_RMW, 0)->value);
  CHECK_EQUAL(INFO, event_of(&run, PERDURE_EV_RMW, 0)->info);
  CHECK_EQUAL(1, count_of(&run, PERDURE_EV_RMW));
  done(&run);
}

static void exchangeUnknown(void) {
  static unsigned char byte = 5;
  __perdure_rmw_begin(&byte, PERDURE_INFO(1, PERDURE_SEQ_CST), 4);
  __atomic_exchange_n(&byte, 9, __ATOMIC_SEQ_CST);
  __perdure_rmw_end_unknown(&byte, PERDURE_RMW_EXCHANGE, PERDURE_INFO(1, PERDURE_SEQ_CST), 4);
  unsigned char wide[16] __attribute__((aligned(16))) = {1, 2, 3}, old[16], new[16] = {4};
  memcpy(old, wide, 16);
  __perdure_rmw_begin(wide, PERDURE_INFO(16, PERDURE_SEQ_CST), 5);
  memcpy(wide, new, 16);
  __perdure_rmw_end(wide, old, new, PERDURE_RMW_CAS, 1, PERDURE_INFO(16, PERDURE_SEQ_CST), 5);
}

static void shouldReadValuesThatTheCallerDoesNotKnow(void) {
  struct run run;
  perform(&run, "exchangeUnknown", (struct options){0});
  EXITED_WELL(run);
  const struct event *byte = event_of(&run, PERDURE_EV_RMW, 0), *wide = event_of(&run, PERDURE_EV_RMW, 1);
  CHECK_EQUAL(5, byte->payload[0]);
  CHECK_EQUAL(9, byte->payload[16]);
  CHECK_EQUAL(3, wide->payload[2]);
  CHECK_EQUAL(4, wide->payload[16]);
  done(&run);
}

static void accessVolatile(void) {
  static volatile uint64_t plain, touched;
  const uint32_t info = PERDURE_INFO(8, PERDURE_VOLATILE);
  __perdure_volatile_store((void *)&plain, 1, info, 6);
  __perdure_volatile_store((void *)&touched, 1, info, 6);
  fetchAdd((uint64_t *)&touched);
  __perdure_volatile_store((void *)&plain, 1, info, 7);
  __perdure_volatile_store((void *)&touched, 1, info, 7);
  __perdure_volatile_load((void *)&touched, 1, info, 8);
  __perdure_atomic_load((void *)&plain, 1, PERDURE_INFO(8, PERDURE_RELAXED), 9);
}

static void shouldRecordVolatileAccessesOfTouchedWordsOnly(void) {
  struct run run;
  perform(&run, "accessVolatile", (struct options){0});
  EXITED_WELL(run);
  CHECK_EQUAL(0, count_at(&run, PERDURE_EV_STORE, 6));
  CHECK_EQUAL(1, count_at(&run, PERDURE_EV_STORE, 7));
  CHECK_EQUAL(1, count_at(&run, PERDURE_EV_LOAD, 8));
  CHECK_EQUAL(1, count_at(&run, PERDURE_EV_LOAD, 9));
  done(&run);
}

const struct named TESTS[] = {
    {"shouldOrderReadModifyWritesOfAWord", shouldOrderReadModifyWritesOfAWord},
    {"shouldNeverShowASpinLockInTwoHands", shouldNeverShowASpinLockInTwoHands},
    {"shouldTellAFailedCompareAndSwap", shouldTellAFailedCompareAndSwap},
    {"shouldReadValuesThatTheCallerDoesNotKnow", shouldReadValuesThatTheCallerDoesNotKnow},
    {"shouldRecordVolatileAccessesOfTouchedWordsOnly", shouldRecordVolatileAccessesOfTouchedWordsOnly},
    {NULL, NULL},
};
const struct named ACTS[] = {{"addInThreads", addInThreads},       {"lockInThreads", lockInThreads},   {"failToSwap", failToSwap},
                             {"exchangeUnknown", exchangeUnknown}, {"accessVolatile", accessVolatile}, {NULL, NULL}};
