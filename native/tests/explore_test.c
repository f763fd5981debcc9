#include "harness.h"
#include "perdure_exploration.h"
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define FOREVER UINT64_C(600000000000)

enum { READ = 11, WRITE = 12, SPIN_TABLE = 13, SPIN_SIZE = 14, SPIN_LOCK = 15 };

static struct perdure_exploration *area;
static uint64_t *pm;

static void point(uint32_t site, uint32_t kind) {
  area->points[site].site = site;
  area->points[site].kind = kind;
}

/* Readers wait for the store at WRITE, for longer than any test would. */
static void explore(void) {
  char path[4096];
  snprintf(path, sizeof path, "%s.area", pm_file("explore"));
  int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  CHECK(file >= 0 && ftruncate(file, sizeof *area) == 0);
  area = mmap(NULL, sizeof *area, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  area->magic = PERDURE_EXPLORATION_MAGIC;
  area->strategy = PERDURE_STRATEGY_SYNC_POINTS;
  area->seed = 1;
  area->reader_wait = FOREVER;
  point(READ, PERDURE_SYNC_LOAD);
  point(WRITE, PERDURE_SYNC_STORE);
  setenv(PERDURE_ENV_EXPLORATION, path, 1);
}

static void forget(void) {
  unlink(getenv(PERDURE_ENV_EXPLORATION));
  unsetenv(PERDURE_ENV_EXPLORATION);
  munmap(area, sizeof *area);
}

static uint64_t read_word(uint64_t *word, uint32_t site) {
  __perdure_label_load(word, 8, 0, site);
  return load8(word, site);
}

static void write_word(uint64_t *word, uint64_t value, uint32_t site) {
  __perdure_label_store(word, 8, 0, 0, site);
  store8(word, value, site);
  __perdure_label_stored(site);
}

static void in_two_threads(void *(*first)(void *), void *(*second)(void *)) {
  __perdure_labels_begin();
  pm = map_pm("explored", 4096);
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
}

static void *readOnly(void *unused) {
  read_word(pm, READ);
  return unused;
}

static void twoReaders(void) { in_two_threads(readOnly, readOnly); }

static void shouldGiveUpWhenEverybodyWaits(void) {
  struct run run;
  explore();
  perform(&run, "twoReaders", (struct options){0});
  EXITED_WELL(run);
  CHECK(area->privileged != 0);
  CHECK_EQUAL(PERDURE_DISABLED_IN_VAIN, area->points[READ].disabled);
  CHECK_EQUAL(0, area->waiting);
  CHECK_EQUAL(0, area->signalled);
  done(&run);
  forget();
}

static uint64_t *lock(void) { return pm + 64; }

/* Holds the lock while it waits. */
static void *readUnderLock(void *unused) {
  __atomic_store_n(lock(), 1, __ATOMIC_SEQ_CST);
  read_word(pm, READ);
  __atomic_store_n(lock(), 2, __ATOMIC_SEQ_CST);
  return unused;
}

/* Looks for the lock's place each time. */
static void *spinOnTheWayToALock(void *unused) {
  do {
    read_word(pm + 16, SPIN_TABLE);
    read_word(pm + 24, SPIN_SIZE);
    sched_yield();
  } while (read_word(lock(), SPIN_LOCK) != 2);
  write_word(pm, 5, WRITE);
  return unused;
}

static void readerKeepsTheWriterFromItsLock(void) { in_two_threads(readUnderLock, spinOnTheWayToALock); }

static void shouldNotTakeSpinningForProgress(void) {
  struct run run;
  explore();
  perform(&run, "readerKeepsTheWriterFromItsLock", (struct options){0});
  EXITED_WELL(run);
  CHECK(area->privileged != 0);
  CHECK_EQUAL(1, area->signalled);
  done(&run);
  forget();
}

static _Atomic int flushed;

static void *writeAndFlush(void *unused) {
  write_word(pm, 5, WRITE);
  __perdure_flush(pm, PERDURE_FLUSH_CLWB, WRITE);
  flushed = 1;
  return unused;
}

/* Many words, so that it does not seem to spin. */
static void *readUntilFlushed(void *unused) {
  for (unsigned i = 0; !flushed; i++) {
    read_word(pm + 64 + i % 128, SPIN_TABLE);
  }
  return unused;
}

static void readerGetsOn(void) { in_two_threads(readUntilFlushed, writeAndFlush); }

/* The flush would come after the time that the writer gives, which is longer than any test. */
static void shouldNotGiveReadersMoreTimeThanTheyNeed(void) {
  struct run run;
  explore();
  area->writer_wait = FOREVER;
  area->shared = 1;
  perform(&run, "readerGetsOn", (struct options){0});
  EXITED_WELL(run);
  CHECK_EQUAL(1, area->signalled);
  done(&run);
  forget();
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int looked, looked_again;

static void *lookAndLookAgainUnderTheLock(void *unused) {
  read_word(pm, READ);
  looked = 1;
  pthread_mutex_lock(&mutex);
  read_word(pm, SPIN_TABLE);
  pthread_mutex_unlock(&mutex);
  looked_again = 1;
  return unused;
}

static void *writeUntilLookedAgain(void *unused) {
  while (!looked) {
    sched_yield();
  }
  for (uint64_t value = 5; !looked_again; value++) {
    pthread_mutex_lock(&mutex);
    write_word(pm, value, WRITE);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

static void writerOvertakes(void) { in_two_threads(lookAndLookAgainUnderTheLock, writeUntilLookedAgain); }

static void shouldWaitBehindALoadBeforeItTakesALockUntilTheWordHasChanged(void) {
  struct run run;
  explore();
  area->same_word = PERDURE_LOADED_WORD;
  perform(&run, "writerOvertakes", (struct options){0});
  EXITED_WELL(run);
  CHECK_EQUAL(1, area->points[READ].reached);
  /* A writer that gets no processor for long is not waited for. */
  CHECK(area->matches == 1 || area->privileged != 0);
  CHECK_EQUAL(0, area->points[READ].disabled);
  done(&run);
  forget();
}

static void *search(void *unused) {
  for (unsigned i = 0; i < 3; i++) {
    read_word(pm + i, READ);
  }
  return unused;
}

static void twoSearch(void) { in_two_threads(search, search); }

static void shouldNotWaitBehindLoadsThatAreNotActedUpon(void) {
  struct run run;
  explore();
  area->same_word = PERDURE_LOADED_WORD;
  perform(&run, "twoSearch", (struct options){0});
  EXITED_WELL(run);
  CHECK_EQUAL(0, area->points[READ].reached);
  done(&run);
  forget();
}

static void diesInACall(void) {
  pm = map_pm("explored", 4096);
  CALL_FROM(5, raise(SIGFPE));
}

static void shouldNoteTheCallsInWhichASignalEndedTheProgram(void) {
  struct run run;
  explore();
  perform(&run, "diesInACall", (struct options){0});
  CHECK(WIFSIGNALED(run.status) && WTERMSIG(run.status) == SIGFPE);
  CHECK(area->failed != 0);
  done(&run);
  forget();
}

static void handled(int number) { _exit(number == SIGFPE ? 0 : 1); }

static void handlesItself(void) {
  signal(SIGFPE, handled);
  raise(SIGFPE);
}

static void shouldLeaveSignalsThatTheProgramHandlesToIt(void) {
  struct run run;
  explore();
  perform(&run, "handlesItself", (struct options){0});
  EXITED_WELL(run);
  CHECK_EQUAL(0, area->failed);
  done(&run);
  forget();
}

const struct named TESTS[] = {
    {"shouldGiveUpWhenEverybodyWaits", shouldGiveUpWhenEverybodyWaits},
    {"shouldNotTakeSpinningForProgress", shouldNotTakeSpinningForProgress},
    {"shouldNotGiveReadersMoreTimeThanTheyNeed", shouldNotGiveReadersMoreTimeThanTheyNeed},
    {"shouldWaitBehindALoadBeforeItTakesALockUntilTheWordHasChanged", shouldWaitBehindALoadBeforeItTakesALockUntilTheWordHasChanged},
    {"shouldNotWaitBehindLoadsThatAreNotActedUpon", shouldNotWaitBehindLoadsThatAreNotActedUpon},
    {"shouldNoteTheCallsInWhichASignalEndedTheProgram", shouldNoteTheCallsInWhichASignalEndedTheProgram},
    {"shouldLeaveSignalsThatTheProgramHandlesToIt", shouldLeaveSignalsThatTheProgramHandlesToIt},
    {NULL, NULL},
};
const struct named ACTS[] = {{"twoReaders", twoReaders},
                             {"readerKeepsTheWriterFromItsLock", readerKeepsTheWriterFromItsLock},
                             {"readerGetsOn", readerGetsOn},
                             {"writerOvertakes", writerOvertakes},
                             {"twoSearch", twoSearch},
                             {"diesInACall", diesInACall},
                             {"handlesItself", handlesItself},
                             {NULL, NULL}};
