#include "harness.h"
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MANY 50000

static void storeMany(void) {
  uint64_t *pm = map_pm("ring", 4096);
  for (uint64_t i = 0; i < MANY; i++) {
    store8(pm + i % 512, i, 1);
  }
}

static void shouldLoseNothingWhenTheRingWrapsManyTimes(void) {
  struct run run;
  perform(&run, "storeMany", (struct options){.ring_slots = 256});
  EXITED_WELL(run);
  CHECK_EQUAL(MANY, count_of(&run, PERDURE_EV_STORE));
  for (size_t i = 0; i < MANY; i++) {
    const struct event *e = &run.events.all[i + 3];
    CHECK_EQUAL(PERDURE_EV_STORE, e->kind);
    CHECK_EQUAL(i, e->value);
  }
  CHECK(run.recording.rings[0].waits > 0);
  CHECK_EQUAL(0, run.recording.counters->lost);
  done(&run);
}

static void shouldCountTicksOfTheSharedCounterWhenAskedTo(void) {
  struct run run;
  perform(&run, "storeMany", (struct options){.clock = PERDURE_CLOCK_COUNTER});
  EXITED_WELL(run);
  for (size_t i = 0; i < run.events.count; i++) {
    CHECK_EQUAL(i + 1, run.events.all[i].time);
  }
  done(&run);
}

static void storeBlocks(void) {
  unsigned char *pm = map_pm("blocks", 1 << 20);
  unsigned char bytes[PERDURE_BLOCK_MAX];
  for (unsigned i = 1; i < 2000; i++) {
    unsigned length = 1 + i * 37 % PERDURE_BLOCK_MAX;
    memset(bytes, (int)i, length);
    __perdure_store_block(pm, bytes, length, 0, i);
  }
}

static void shouldKeepBlocksWholeAtTheEndOfTheRing(void) {
  struct run run;
  perform(&run, "storeBlocks", (struct options){.ring_slots = 512});
  EXITED_WELL(run);
  CHECK_EQUAL(1999, count_of(&run, PERDURE_EV_STORE_BLOCK));
  for (unsigned i = 1; i < 2000; i++) {
    const struct event *e = event_of(&run, PERDURE_EV_STORE_BLOCK, i - 1);
    CHECK_EQUAL(i, e->site);
    CHECK_EQUAL(1 + i * 37 % PERDURE_BLOCK_MAX, e->payload_length);
    CHECK(e->payload[0] == (unsigned char)i && e->payload[e->payload_length - 1] == (unsigned char)i);
  }
  done(&run);
}

static void storeForever(void) {
  uint64_t *pm = map_pm("forever", 4096);
  for (uint64_t i = 0;; i++) {
    store8(pm, i, 1);
  }
}

static uint64_t events_before_the_kill;
static void killAfterSome(struct recording *r, pid_t act) {
  if (__atomic_load_n(&r->rings[0].claimed, __ATOMIC_RELAXED) > events_before_the_kill) {
    kill(act, SIGKILL);
  }
}

static void shouldKeepWhatWasRecordedBeforeAKill(void) {
  for (int i = 0; i < 20; i++) {
    struct run run;
    events_before_the_kill = 100 + 977 * (uint64_t)i;
    perform(&run, "storeForever", (struct options){.ring_slots = 1024, .during = killAfterSome});
    CHECK(WIFSIGNALED(run.status) && WTERMSIG(run.status) == SIGKILL);
    size_t stores = count_of(&run, PERDURE_EV_STORE);
    /* Four slots are no stores, and the kill may have come before the last store was complete. */
    CHECK(stores + 4 >= events_before_the_kill);
    for (size_t n = 0; n < stores; n++) {
      CHECK_EQUAL(n, run.events.all[n + 3].value);
    }
    CHECK_EQUAL(0, run.recording.processes[0].flags & PERDURE_PROCESS_ENDED);
    done(&run);
  }
}

static void shouldGoOnWithoutAReader(void) {
  struct run run;
  perform(&run, "storeMany", (struct options){.ring_slots = 256, .nobody_drains = true});
  EXITED_WELL(run);
  CHECK_EQUAL(256 - 4, count_of(&run, PERDURE_EV_STORE));
  CHECK(run.recording.counters->lost > 0);
  done(&run);
}

static void askToStop(struct recording *r) { r->counters->stop = 1; }

static void shouldStopWaitingWhenAskedToStop(void) {
  struct run run;
  perform(&run, "storeMany", (struct options){.ring_slots = 256, .nobody_drains = true, .before = askToStop});
  EXITED_WELL(run);
  done(&run);
}

#define LITTLE_SPACE "/dev/shm/perdure-little-space"

static void shouldRunOnWhenThereIsNoSpaceLeft(void) {
  struct run run;
  mkdir(LITTLE_SPACE, 0700);
  if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
      mount("tmpfs", LITTLE_SPACE, "tmpfs", 0, "size=6m") != 0) {
    rmdir(LITTLE_SPACE);
    skip("no small file system can be mounted here");
  }
  perform(&run, "storeMany", (struct options){.ring_slots = 65536 * 4, .directory = LITTLE_SPACE});
  EXITED_WELL(run);
  CHECK_EQUAL(0, run.events.count);
  CHECK(run.recording.counters->lost > 0);
  done(&run);
  umount(LITTLE_SPACE);
  rmdir(LITTLE_SPACE);
}

#define WAITING_THREADS 6
#define EACH 10000

static uint64_t *shared;

static void *storeEach(void *number) {
  for (uint64_t i = 0; i < EACH; i++) {
    store8(shared, i, (uint32_t)(uintptr_t)number);
  }
  return NULL;
}

static void storeInThreads(void) {
  pthread_t thread[WAITING_THREADS];
  shared = map_pm("threads", 4096);
  for (uintptr_t i = 0; i < WAITING_THREADS; i++) {
    pthread_create(&thread[i], NULL, storeEach, (void *)(i + 1));
  }
  for (int i = 0; i < WAITING_THREADS; i++) {
    pthread_join(thread[i], NULL);
  }
}

static void shouldLetAllThreadsGoOnThatWaitForTheReader(void) {
  struct run run;
  perform(&run, "storeInThreads", (struct options){.ring_slots = 256});
  EXITED_WELL(run);
  for (uint32_t site = 1; site <= WAITING_THREADS; site++) {
    CHECK_EQUAL(EACH, count_at(&run, PERDURE_EV_STORE, site));
  }
  CHECK_EQUAL(0, run.recording.counters->lost);
  done(&run);
}

static sigjmp_buf way_out;
static volatile sig_atomic_t jumped;

static void jump(int signal) {
  (void)signal;
  jumped++;
  siglongjmp(way_out, 1);
}

/* Leaves whatever it is in, most often the wait for the reader. */
static void *storeUntilInterrupted(void *unused) {
  if (sigsetjmp(way_out, 1) == 0) {
    for (uint64_t i = 0;; i++) {
      store8(shared, i, 100);
    }
  }
  pause();
  return unused;
}

static void leaveTheWait(void) {
  pthread_t leaver, thread;
  shared = map_pm("leaving", 4096);
  sigaction(SIGUSR1, &(struct sigaction){.sa_handler = jump}, NULL);
  pthread_create(&leaver, NULL, storeUntilInterrupted, NULL);
  usleep(20000);
  pthread_create(&thread, NULL, storeEach, (void *)1);
  usleep(1000);
  pthread_kill(leaver, SIGUSR1);
  pthread_join(thread, NULL);
  _exit(jumped == 1 ? 0 : 1);
}

static void shouldGoOnWhenAThreadLeftItsWaitByAJump(void) {
  struct run run;
  perform(&run, "leaveTheWait", (struct options){.ring_slots = 256});
  EXITED_WELL(run);
  CHECK_EQUAL(EACH, count_at(&run, PERDURE_EV_STORE, 1));
  done(&run);
}

const struct named TESTS[] = {
    {"shouldLoseNothingWhenTheRingWrapsManyTimes", shouldLoseNothingWhenTheRingWrapsManyTimes},
    {"shouldCountTicksOfTheSharedCounterWhenAskedTo", shouldCountTicksOfTheSharedCounterWhenAskedTo},
    {"shouldKeepBlocksWholeAtTheEndOfTheRing", shouldKeepBlocksWholeAtTheEndOfTheRing},
    {"shouldKeepWhatWasRecordedBeforeAKill", shouldKeepWhatWasRecordedBeforeAKill},
    {"shouldGoOnWithoutAReader", shouldGoOnWithoutAReader},
    {"shouldStopWaitingWhenAskedToStop", shouldStopWaitingWhenAskedToStop},
    {"shouldLetAllThreadsGoOnThatWaitForTheReader", shouldLetAllThreadsGoOnThatWaitForTheReader},
    {"shouldGoOnWhenAThreadLeftItsWaitByAJump", shouldGoOnWhenAThreadLeftItsWaitByAJump},
    {"shouldRunOnWhenThereIsNoSpaceLeft", shouldRunOnWhenThereIsNoSpaceLeft},
    {NULL, NULL},
};
const struct named ACTS[] = {
    {"storeMany", storeMany}, {"storeBlocks", storeBlocks}, {"storeForever", storeForever},
    {"storeInThreads", storeInThreads}, {"leaveTheWait", leaveTheWait}, {NULL, NULL}};
