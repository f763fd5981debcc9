#include "harness.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static uint64_t *pm;

static void *storeOnce(void *site) {
  store8(pm, 1, (uint32_t)(uintptr_t)site);
  return site;
}

static void createAndJoin(void) {
  pm = map_pm("threads", 4096);
  pthread_t thread;
  void *value;
  CALL_FROM(7, pthread_create(&thread, NULL, storeOnce, (void *)5));
  CALL_FROM(8, pthread_join(thread, &value));
  CHECK(value == (void *)5);
}

static void shouldRecordCreationBeginEndAndJoinInThisOrder(void) {
  struct run run;
  perform(&run, "createAndJoin", (struct options){0});
  EXITED_WELL(run);
  static const uint32_t expected[] = {PERDURE_EV_THREAD_BEGIN, PERDURE_EV_PROCESS_BEGIN, PERDURE_EV_MAP,         PERDURE_EV_THREAD_CREATE,
                                      PERDURE_EV_THREAD_BEGIN, PERDURE_EV_STORE,         PERDURE_EV_THREAD_END, PERDURE_EV_THREAD_JOIN,
                                      PERDURE_EV_PROCESS_EXIT};
  CHECK_EQUAL(sizeof expected / sizeof *expected, run.events.count);
  for (size_t i = 0; i < run.events.count; i++) {
    CHECK_EQUAL(expected[i], run.events.all[i].kind);
  }
  const struct event *begin = event_of(&run, PERDURE_EV_THREAD_BEGIN, 1);
  CHECK_EQUAL(1, begin->addr);
  CHECK_EQUAL(0, begin->info);
  CHECK_EQUAL(1, event_of(&run, PERDURE_EV_THREAD_BEGIN, 0)->info);
  CHECK_EQUAL(begin->value, event_of(&run, PERDURE_EV_THREAD_CREATE, 0)->value);
  CHECK_EQUAL(begin->value, event_of(&run, PERDURE_EV_THREAD_JOIN, 0)->value);
  CHECK_EQUAL(7, event_of(&run, PERDURE_EV_THREAD_CREATE, 0)->site);
  CHECK_EQUAL(8, event_of(&run, PERDURE_EV_THREAD_JOIN, 0)->site);
  CHECK_EQUAL(begin->value, event_of(&run, PERDURE_EV_STORE, 0)->thread);
  done(&run);
}

static void *leaveByExit(void *unused) {
  (void)unused;
  pthread_exit(NULL);
}

static void *waitForCancel(void *unused) {
  while (pause() == -1) {
  }
  return unused;
}

static void endInOtherWays(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, leaveByExit, NULL);
  pthread_join(thread, NULL);
  pthread_create(&thread, NULL, waitForCancel, NULL);
  pthread_cancel(thread);
  pthread_join(thread, NULL);
}

static void shouldRecordTheEndAfterExitAndCancel(void) {
  struct run run;
  perform(&run, "endInOtherWays", (struct options){0});
  EXITED_WELL(run);
  CHECK_EQUAL(2, count_of(&run, PERDURE_EV_THREAD_END));
  CHECK_EQUAL(2, count_of(&run, PERDURE_EV_THREAD_JOIN));
  for (size_t i = 0; i < 2; i++) {
    CHECK(event_of(&run, PERDURE_EV_THREAD_END, i)->time < event_of(&run, PERDURE_EV_THREAD_JOIN, i)->time);
  }
  done(&run);
}

static pthread_key_t late;
static int rounds;

static void storeLate(void *value) {
  store8(pm, 9, 77);
  if (++rounds < 3) {
    pthread_setspecific(late, value);
  }
}

static void *setLate(void *value) {
  pthread_setspecific(late, &rounds);
  return value;
}

static void storeInDestructor(void) {
  pm = map_pm("threads", 4096);
  pthread_t thread;
  pthread_key_create(&late, storeLate);
  pthread_create(&thread, NULL, setLate, NULL);
  pthread_join(thread, NULL);
}

static void shouldRecordWhatDestructorsOfAThreadDo(void) {
  struct run run;
  perform(&run, "storeInDestructor", (struct options){0});
  EXITED_WELL(run);
  CHECK_EQUAL(3, count_at(&run, PERDURE_EV_STORE, 77));
  CHECK(event_of(&run, PERDURE_EV_STORE, 2)->time < event_of(&run, PERDURE_EV_THREAD_END, 0)->time);
  done(&run);
}

static int storeInC11(void *site) {
  storeOnce(site);
  return 3;
}

static void otherJoins(void) {
  pm = map_pm("threads", 4096);
  thrd_t c11;
  int result;
  CHECK(thrd_create(&c11, storeInC11, (void *)5) == thrd_success && thrd_join(c11, &result) == thrd_success && result == 3);
  pthread_t thread;
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 60;
  pthread_create(&thread, NULL, storeOnce, (void *)6);
  CHECK(pthread_timedjoin_np(thread, NULL, &until) == 0);
  pthread_create(&thread, NULL, storeOnce, (void *)6);
  CHECK(pthread_clockjoin_np(thread, NULL, CLOCK_REALTIME, &until) == 0);
  pthread_create(&thread, NULL, storeOnce, (void *)6);
  while (pthread_tryjoin_np(thread, NULL) != 0) {
  }
  pthread_create(&thread, NULL, storeOnce, (void *)6);
  pthread_detach(thread);
}

static void shouldRecordAllKindsOfJoins(void) {
  struct run run;
  perform(&run, "otherJoins", (struct options){0});
  EXITED_WELL(run);
  CHECK_EQUAL(4, count_of(&run, PERDURE_EV_THREAD_JOIN));
  CHECK_EQUAL(1, count_of(&run, PERDURE_EV_THREAD_DETACH));
  for (size_t i = 0; i < 4; i++) {
    CHECK_EQUAL(event_of(&run, PERDURE_EV_THREAD_CREATE, i)->value, event_of(&run, PERDURE_EV_THREAD_JOIN, i)->value);
  }
  done(&run);
}

#define CHURN 10000

static void churn(void) {
  pm = map_pm("threads", 4096);
  for (int i = 0; i < CHURN / 4; i++) {
    pthread_t threads[4];
    for (int j = 0; j < 4; j++) {
      CHECK(pthread_create(&threads[j], NULL, storeOnce, (void *)1) == 0);
    }
    for (int j = 0; j < 4; j++) {
      CHECK(pthread_join(threads[j], NULL) == 0);
    }
  }
}

static void shouldUseRingsAgain(void) {
  struct run run;
  perform(&run, "churn", (struct options){.ring_slots = 1024});
  EXITED_WELL(run);
  CHECK_EQUAL(CHURN, count_of(&run, PERDURE_EV_STORE));
  CHECK_EQUAL(CHURN, count_of(&run, PERDURE_EV_THREAD_JOIN));
  CHECK(run.recording.counters->rings <= 16);
  CHECK_EQUAL(0, run.recording.counters->lost);
  static bool joined[CHURN + 2], began[CHURN + 2];
  for (size_t i = 0; i < run.events.count; i++) {
    const struct event *e = &run.events.all[i];
    if (e->kind == PERDURE_EV_THREAD_BEGIN) {
      CHECK(e->value <= CHURN + 1 && !began[e->value]);
      began[e->value] = true;
    } else if (e->kind == PERDURE_EV_THREAD_JOIN) {
      CHECK(e->value <= CHURN + 1 && began[e->value] && !joined[e->value]);
      joined[e->value] = true;
    }
  }
  done(&run);
}

const struct named TESTS[] = {
    {"shouldRecordCreationBeginEndAndJoinInThisOrder", shouldRecordCreationBeginEndAndJoinInThisOrder},
    {"shouldRecordTheEndAfterExitAndCancel", shouldRecordTheEndAfterExitAndCancel},
    {"shouldRecordWhatDestructorsOfAThreadDo", shouldRecordWhatDestructorsOfAThreadDo},
    {"shouldRecordAllKindsOfJoins", shouldRecordAllKindsOfJoins},
    {"shouldUseRingsAgain", shouldUseRingsAgain},
    {NULL, NULL},
};
const struct named ACTS[] = {
    {"createAndJoin", createAndJoin}, {"endInOtherWays", endInOtherWays}, {"storeInDestructor", storeInDestructor},
    {"otherJoins", otherJoins},       {"churn", churn},                   {NULL, NULL}};
