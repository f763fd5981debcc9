/* Modules, marks, and programs that run without a recording. */
#include "harness.h"
#include "perdure.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static uint32_t base_of_one, base_of_two;
static const struct perdure_module_descriptor one = {1, 100, "one", &base_of_one}, two = {1, 50, "two", &base_of_two};

static void registerModules(void) {
  __perdure_module_begin(&one);
  __perdure_module_begin(&two);
  CHECK_EQUAL(1, base_of_one);
  CHECK_EQUAL(101, base_of_two);
  base_of_one = 0;
  __perdure_module_begin(&one);
  CHECK_EQUAL(1, base_of_one);
}

static void shouldNumberTheSitesOfModules(void) {
  struct run run;
  perform(&run, "registerModules", (struct options){0});
  EXITED_WELL(run);
  CHECK_EQUAL(2, run.recording.counters->modules);
  CHECK_EQUAL(151, run.recording.counters->next_site);
  CHECK_EQUAL(50, run.recording.modules[1].count);
  CHECK(strstr(run.recording.modules[0].path, "modules_test") != NULL);
  CHECK(strcmp((const char *)run.recording.modules[0].id, "one") == 0);
  CHECK(run.recording.processes[0].flags & PERDURE_PROCESS_INSTRUMENTED);
  done(&run);
}

static uint64_t memory[64] __attribute__((aligned(64)));

static void mark(void) {
  store8(memory, 1, 1);
  PERDURE_PM(memory, 64);
  store8(memory + 7, 1, 2);
  store8(memory + 8, 1, 3);
  PERDURE_ROI_BEGIN();
  PERDURE_COMMIT_VAR(memory, 8);
  PERDURE_COMMIT_RANGE(memory, memory + 1, 16);
  PERDURE_SYNC_VAR(memory + 3, 8, 77);
  PERDURE_ACQUIRE(memory + 3);
  PERDURE_RELEASE(memory + 3);
  PERDURE_ALLOC(memory + 4, 8);
  PERDURE_FREE(memory + 4);
  PERDURE_RELAXED_BEGIN();
  PERDURE_RELAXED_END();
  PERDURE_FAILURE_POINT();
  PERDURE_SKIP_FAILURES_BEGIN();
  PERDURE_SKIP_FAILURES_END();
  PERDURE_SKIP_DETECTION_BEGIN();
  PERDURE_SKIP_DETECTION_END();
  PERDURE_DETECTION_COMPLETE();
  PERDURE_ROI_END();
}

static void shouldRecordMarks(void) {
  static const uint32_t kinds[] = {PERDURE_EV_PM_RANGE,      PERDURE_EV_STORE,
                                   PERDURE_EV_ROI_BEGIN,     PERDURE_EV_COMMIT_VAR,
                                   PERDURE_EV_COMMIT_RANGE,  PERDURE_EV_SYNC_VAR,
                                   PERDURE_EV_ACQUIRE,       PERDURE_EV_RELEASE,
                                   PERDURE_EV_ALLOC,         PERDURE_EV_FREE,
                                   PERDURE_EV_RELAXED_BEGIN, PERDURE_EV_RELAXED_END,
                                   PERDURE_EV_FAILURE_POINT, PERDURE_EV_SKIP_FAILURES_BEGIN,
                                   PERDURE_EV_SKIP_FAILURES_END, PERDURE_EV_SKIP_DETECTION_BEGIN,
                                   PERDURE_EV_SKIP_DETECTION_END, PERDURE_EV_DETECTION_COMPLETE,
                                   PERDURE_EV_ROI_END};
  struct run run;
  perform(&run, "mark", (struct options){0});
  EXITED_WELL(run);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    CHECK_EQUAL(kinds[i], run.events.all[2 + i].kind);
  }
  uint64_t start = event_of(&run, PERDURE_EV_PM_RANGE, 0)->addr, extra;
  memcpy(&extra, event_of(&run, PERDURE_EV_COMMIT_RANGE, 0)->payload, 8);
  CHECK_EQUAL(start, extra);
  memcpy(&extra, event_of(&run, PERDURE_EV_SYNC_VAR, 0)->payload, 8);
  CHECK_EQUAL(77, extra);
  CHECK_EQUAL(0, count_at(&run, PERDURE_EV_STORE, 3));
  done(&run);
}

static void *useEverything(void *unused) {
  uint64_t word = 0;
  __perdure_rmw_begin(&word, 8, 1);
  __perdure_rmw_end8(&word, 0, 1, 0, 1, 8, 1);
  __perdure_atomic_store(&word, 1, 8, 1);
  __perdure_volatile_load(&word, 1, 8, 1);
  __perdure_fence(PERDURE_FENCE_SFENCE, 1);
  __perdure_store(&word, 1, 8, 1);
  char text[32];
  CALL_FROM(3, strcpy(text, "plain"));
  CHECK(strcmp(text, "plain") == 0);
  mark();
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void runAlone(void) {
  __perdure_module_begin(&one);
  CHECK_EQUAL(0, base_of_one);
  char *pm = map_pm("alone", 4096);
  CHECK((uint64_t)pm > PERDURE_WINDOW_END);
  useEverything(NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, useEverything, NULL);
  pthread_join(thread, NULL);
}

static void hideRecording(struct recording *r) { r->header->magic = 0; }

static void shouldRunNormallyWithoutARecording(void) {
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    setenv("PERDURE_ACT", "runAlone", 1);
    setenv("PERDURE_TEST_PM", pm_directory(), 1);
    execl("/proc/self/exe", "act", (char *)NULL);
  }
  int status;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK_EQUAL(0, status);
}

static void shouldRunNormallyWithAForeignRecording(void) {
  struct run run;
  perform(&run, "runAlone", (struct options){.before = hideRecording});
  EXITED_WELL(run);
  CHECK_EQUAL(0, run.events.count);
  done(&run);
}

const struct named TESTS[] = {
    {"shouldNumberTheSitesOfModules", shouldNumberTheSitesOfModules},
    {"shouldRecordMarks", shouldRecordMarks},
    {"shouldRunNormallyWithoutARecording", shouldRunNormallyWithoutARecording},
    {"shouldRunNormallyWithAForeignRecording", shouldRunNormallyWithAForeignRecording},
    {NULL, NULL},
};
const struct named ACTS[] = {{"registerModules", registerModules}, {"mark", mark}, {"runAlone", runAlone}, {NULL, NULL}};
