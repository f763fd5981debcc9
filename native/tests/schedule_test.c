#include "harness.h"
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FOREVER UINT64_C(600000000000)

static uint64_t *pm;

static struct perdure_schedule_entry *plan(struct recording *r, uint32_t slot, struct perdure_schedule_entry entry) {
  r->schedule->entries[slot] = entry;
  r->schedule->active++;
  return &r->schedule->entries[slot];
}

static void delayAtSite(struct recording *r) {
  /* Two sites with the same first slot: the second is found behind the first. */
  plan(r, 7, (struct perdure_schedule_entry){7, PERDURE_ACTION_NONE, UINT32_MAX, 0, 0, 0});
  plan(r, 8, (struct perdure_schedule_entry){7 + PERDURE_SCHEDULE_SLOTS, PERDURE_ACTION_DELAY, UINT32_MAX, 0, 20000000, 0});
}

static uint64_t nanoseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void storeAtDelayedSite(void) {
  pm = map_pm("schedule", 4096);
  uint64_t begin = nanoseconds();
  store8(pm, 1, 7 + PERDURE_SCHEDULE_SLOTS);
  CHECK(nanoseconds() - begin >= 20000000);
  store8(pm, 1, 9);
  load8(pm, 7 + PERDURE_SCHEDULE_SLOTS);
  CHECK(nanoseconds() - begin >= 40000000);
}

static void shouldDelayAtASite(void) {
  struct run run;
  perform(&run, "storeAtDelayedSite", (struct options){.before = delayAtSite});
  EXITED_WELL(run);
  CHECK_EQUAL(2, run.recording.schedule->entries[8].reached);
  done(&run);
}

static void delayOneAtATime(struct recording *r) {
  plan(r, 5, (struct perdure_schedule_entry){5, PERDURE_ACTION_DELAY, UINT32_MAX, 0, 1000000, 0});
  r->schedule->most_asleep = 1;
}

static void delayWhileAnotherSleeps(struct recording *r) {
  delayOneAtATime(r);
  r->schedule->asleep = 1;
}

static void storeAtSiteFive(void) {
  pm = map_pm("sleeper", 4096);
  store8(pm, 1, 5);
}

static void shouldLetOnlySomeThreadsSleepAtATime(void) {
  struct run run;
  perform(&run, "storeAtSiteFive", (struct options){.before = delayOneAtATime});
  EXITED_WELL(run);
  CHECK_EQUAL(1000000, event_of(&run, PERDURE_EV_DELAY, 0)->value);
  CHECK(event_of(&run, PERDURE_EV_DELAY, 0)->time < event_of(&run, PERDURE_EV_STORE, 0)->time);
  CHECK_EQUAL(0, run.recording.schedule->asleep);
  done(&run);
  perform(&run, "storeAtSiteFive", (struct options){.before = delayWhileAnotherSleeps});
  EXITED_WELL(run);
  CHECK_EQUAL(0, count_of(&run, PERDURE_EV_DELAY));
  CHECK_EQUAL(1, run.recording.schedule->asleep);
  done(&run);
}

static void delayHalf(struct recording *r) {
  plan(r, 5, (struct perdure_schedule_entry){5, PERDURE_ACTION_DELAY, UINT32_MAX, 0, 1000000, 0});
  r->schedule->most_asleep = PERDURE_HALF_ASLEEP;
  /* With the thread of the program: four. */
  r->schedule->living = 3;
  r->schedule->asleep = 1;
}

static void delayWhileHalfSleep(struct recording *r) {
  delayHalf(r);
  r->schedule->asleep = 2;
}

static void shouldLetHalfOfTheThreadsSleep(void) {
  struct run run;
  perform(&run, "storeAtSiteFive", (struct options){.before = delayHalf});
  EXITED_WELL(run);
  CHECK_EQUAL(1, count_of(&run, PERDURE_EV_DELAY));
  CHECK_EQUAL(4, run.recording.schedule->living);
  done(&run);
  perform(&run, "storeAtSiteFive", (struct options){.before = delayWhileHalfSleep});
  EXITED_WELL(run);
  CHECK_EQUAL(0, count_of(&run, PERDURE_EV_DELAY));
  done(&run);
}

static void delayReleases(struct recording *r) {
  r->schedule->release_nanoseconds = 1000000;
  r->schedule->active = 1;
}

static void storeWithAndWithoutRelease(void) {
  pm = map_pm("releases", 4096);
  store8(pm, 1, 5);
  __perdure_atomic_store(pm, 2, PERDURE_INFO(8, PERDURE_RELEASE_ORDER), 6);
  __perdure_atomic_store(pm, 3, PERDURE_INFO(8, PERDURE_RELAXED), 7);
}

static void shouldDelayReleasesThatNobodyHasNamed(void) {
  struct run run;
  perform(&run, "storeWithAndWithoutRelease", (struct options){.before = delayReleases});
  EXITED_WELL(run);
  CHECK_EQUAL(1, count_of(&run, PERDURE_EV_DELAY));
  CHECK_EQUAL(6, event_of(&run, PERDURE_EV_DELAY, 0)->site);
  done(&run);
}

static void waitForLoad(struct recording *r) {
  plan(r, 1, (struct perdure_schedule_entry){1, PERDURE_ACTION_WAIT, UINT32_MAX, 3, FOREVER, 0});
  plan(r, 2, (struct perdure_schedule_entry){2, PERDURE_ACTION_SIGNAL, UINT32_MAX, 3, 0, 0});
}

static void *storeFirst(void *unused) {
  store8(pm, 5, 1);
  return unused;
}

static void storeAndLoad(void) {
  pm = map_pm("hold", 4096);
  pthread_t thread;
  pthread_create(&thread, NULL, storeFirst, NULL);
  usleep(30000);
  CHECK_EQUAL(0, load8(pm, 2));
  pthread_join(thread, NULL);
  CHECK_EQUAL(5, load8(pm, 3));
}

static void shouldHoldAThreadUntilAnotherSignals(void) {
  struct run run;
  perform(&run, "storeAndLoad", (struct options){.before = waitForLoad});
  EXITED_WELL(run);
  CHECK(event_of(&run, PERDURE_EV_LOAD, 0)->time < event_of(&run, PERDURE_EV_STORE, 0)->time);
  done(&run);
}

static void waitInVain(struct recording *r) {
  plan(r, 1, (struct perdure_schedule_entry){1, PERDURE_ACTION_WAIT, UINT32_MAX, 3, 10000000, 0});
}

static void storeAlone(void) {
  pm = map_pm("schedule", 4096);
  storeFirst(NULL);
}

static void shouldStopWaitingAfterTheTimeLimit(void) {
  struct run run;
  perform(&run, "storeAlone", (struct options){.before = waitInVain});
  EXITED_WELL(run);
  CHECK_EQUAL(1, run.recording.schedule->entries[1].reached);
  done(&run);
}

static void countHalf(struct recording *r) {
  plan(r, 1, (struct perdure_schedule_entry){1, PERDURE_ACTION_SIGNAL, UINT32_MAX / 2, 0, 0, 0});
}

static void storeThousand(void) {
  pm = map_pm("schedule", 4096);
  for (int i = 0; i < 1000; i++) {
    store8(pm, 1, 1);
  }
}

static void shouldActWithTheProbabilityAskedFor(void) {
  struct run run;
  perform(&run, "storeThousand", (struct options){.before = countHalf});
  EXITED_WELL(run);
  uint64_t reached = run.recording.schedule->entries[1].reached;
  CHECK(reached > 350 && reached < 650);
  done(&run);
  perform(&run, "storeThousand", (struct options){.before = countHalf});
  CHECK_EQUAL(reached, run.recording.schedule->entries[1].reached);
  done(&run);
}

static void sampleOneInTen(struct recording *r) { r->header->sample = 10; }

static void storeAndLoadThousand(void) {
  pm = map_pm("sample", 4096);
  for (int i = 0; i < 1000; i++) {
    store8(pm, (uint64_t)i, 1);
    load8(pm, 2);
  }
}

static void shouldRecordASampleOfTheLoadsAndAllStores(void) {
  struct run run;
  perform(&run, "storeAndLoadThousand", (struct options){.before = sampleOneInTen});
  EXITED_WELL(run);
  size_t loads = count_at(&run, PERDURE_EV_LOAD, 2);
  CHECK(loads > 60 && loads < 160);
  CHECK_EQUAL(1000, count_at(&run, PERDURE_EV_STORE, 1));
  done(&run);
  perform(&run, "storeAndLoadThousand", (struct options){.before = sampleOneInTen});
  CHECK_EQUAL(loads, count_at(&run, PERDURE_EV_LOAD, 2));
  done(&run);
}

static void announceAndLoadThousand(void) {
  pm = map_pm("sample", 4096);
  for (int i = 0; i < 1000; i++) {
    __perdure_region_start(pm + i % 32, 8, PERDURE_REGION_LOAD, 3);
    load8(pm + i % 32, 2);
  }
}

static void shouldSampleALoadTogetherWithItsAnnouncement(void) {
  struct run run;
  perform(&run, "announceAndLoadThousand", (struct options){.before = sampleOneInTen});
  EXITED_WELL(run);
  size_t loads = count_at(&run, PERDURE_EV_LOAD, 2);
  CHECK(loads > 60 && loads < 160);
  CHECK_EQUAL(loads, count_at(&run, PERDURE_EV_REGION_START, 3));
  for (size_t i = 0; i < loads; i++) {
    CHECK_EQUAL(event_of(&run, PERDURE_EV_REGION_START, i)->addr, event_of(&run, PERDURE_EV_LOAD, i)->addr);
  }
  done(&run);
}

const struct named TESTS[] = {
    {"shouldDelayAtASite", shouldDelayAtASite},
    {"shouldLetOnlySomeThreadsSleepAtATime", shouldLetOnlySomeThreadsSleepAtATime},
    {"shouldLetHalfOfTheThreadsSleep", shouldLetHalfOfTheThreadsSleep},
    {"shouldDelayReleasesThatNobodyHasNamed", shouldDelayReleasesThatNobodyHasNamed},
    {"shouldRecordASampleOfTheLoadsAndAllStores", shouldRecordASampleOfTheLoadsAndAllStores},
    {"shouldSampleALoadTogetherWithItsAnnouncement", shouldSampleALoadTogetherWithItsAnnouncement},
    {"shouldHoldAThreadUntilAnotherSignals", shouldHoldAThreadUntilAnotherSignals},
    {"shouldStopWaitingAfterTheTimeLimit", shouldStopWaitingAfterTheTimeLimit},
    {"shouldActWithTheProbabilityAskedFor", shouldActWithTheProbabilityAskedFor},
    {NULL, NULL},
};
const struct named ACTS[] = {{"storeAtDelayedSite", storeAtDelayedSite},
                             {"storeAtSiteFive", storeAtSiteFive},
                             {"storeWithAndWithoutRelease", storeWithAndWithoutRelease},
                             {"storeAndLoadThousand", storeAndLoadThousand},
                             {"announceAndLoadThousand", announceAndLoadThousand},
                             {"storeAndLoad", storeAndLoad},
                             {"storeAlone", storeAlone},
                             {"storeThousand", storeThousand},
                             {NULL, NULL}};
