#include "harness.h"
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static uint64_t counter;

static void expectKinds(const struct run *run, const uint32_t *expected, size_t n) {
  size_t at = 0;
  for (size_t i = 0; i < run->events.count; i++) {
    uint32_t kind = run->events.all[i].kind;
    if (kind >= PERDURE_EV_ACQUIRE && kind <= PERDURE_EV_SYNC_DESTROY) {
      CHECK(at < n);
      CHECK_EQUAL(expected[at], kind | run->events.all[i].info << 8);
      at++;
    }
  }
  CHECK_EQUAL(n, at);
}
#define EXPECT(run, ...)                                                                                                                   \
  do {                                                                                                                                     \
    static const uint32_t expected[] = {__VA_ARGS__};                                                                                      \
    expectKinds(&(run), expected, sizeof expected / sizeof *expected);                                                                     \
  } while (0)
#define ACQUIRED(info) (PERDURE_EV_ACQUIRE | (info) << 8)
#define RELEASED(info) (PERDURE_EV_RELEASE | (info) << 8)

static struct timespec soon(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  t.tv_nsec += 1000000;
  if (t.tv_nsec >= 1000000000) {
    t.tv_sec++;
    t.tv_nsec -= 1000000000;
  }
  return t;
}

static void useMutexes(void) {
  struct timespec until = soon();
  pthread_mutex_init(&mutex, NULL);
  pthread_mutex_lock(&mutex);
  CHECK(pthread_mutex_trylock(&mutex) == EBUSY);
  CHECK(pthread_mutex_timedlock(&mutex, &until) == ETIMEDOUT);
  pthread_mutex_unlock(&mutex);
  CHECK(pthread_mutex_trylock(&mutex) == 0);
  pthread_mutex_unlock(&mutex);
  CHECK(pthread_mutex_clocklock(&mutex, CLOCK_REALTIME, &until) == 0);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_destroy(&mutex);
}

static void shouldRecordOnlySuccessfulAcquisitions(void) {
  struct run run;
  perform(&run, "useMutexes", (struct options){0});
  EXITED_WELL(run);
  EXPECT(run, PERDURE_EV_SYNC_DESTROY, ACQUIRED(0), RELEASED(0), ACQUIRED(PERDURE_LOCK_TRY), RELEASED(0), ACQUIRED(PERDURE_LOCK_TRY),
         RELEASED(0), PERDURE_EV_SYNC_DESTROY);
  done(&run);
}

static void useInnerLevels(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&mutex, &attributes);
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  CHECK(pthread_mutex_trylock(&mutex) == 0);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&mutex);
}

static void shouldTellInnerLevelsThatAreNoFence(void) {
  struct run run;
  perform(&run, "useInnerLevels", (struct options){0});
  EXITED_WELL(run);
  EXPECT(run, PERDURE_EV_SYNC_DESTROY, ACQUIRED(0), ACQUIRED(PERDURE_LOCK_NO_FENCE), ACQUIRED(PERDURE_LOCK_TRY | PERDURE_LOCK_NO_FENCE),
         RELEASED(PERDURE_LOCK_NO_FENCE), RELEASED(PERDURE_LOCK_NO_FENCE), RELEASED(0));
  done(&run);
}

static void useOtherLocks(void) {
  pthread_rwlock_rdlock(&rwlock);
  CHECK(pthread_rwlock_trywrlock(&rwlock) == EBUSY);
  CHECK(pthread_rwlock_tryrdlock(&rwlock) == 0);
  pthread_rwlock_unlock(&rwlock);
  pthread_rwlock_unlock(&rwlock);
  pthread_rwlock_wrlock(&rwlock);
  pthread_rwlock_unlock(&rwlock);
  pthread_spin_init(&spin, 0);
  pthread_spin_lock(&spin);
  CHECK(pthread_spin_trylock(&spin) == EBUSY);
  pthread_spin_unlock(&spin);
  mtx_t c11;
  mtx_init(&c11, mtx_plain);
  mtx_lock(&c11);
  mtx_unlock(&c11);
  mtx_destroy(&c11);
}

static void shouldTellSharedFromExclusive(void) {
  struct run run;
  perform(&run, "useOtherLocks", (struct options){0});
  EXITED_WELL(run);
  EXPECT(run, ACQUIRED(PERDURE_LOCK_SHARED), ACQUIRED(PERDURE_LOCK_SHARED | PERDURE_LOCK_TRY), RELEASED(PERDURE_LOCK_SHARED),
         RELEASED(PERDURE_LOCK_SHARED), ACQUIRED(0), RELEASED(0), PERDURE_EV_SYNC_DESTROY, ACQUIRED(0), RELEASED(PERDURE_LOCK_NO_FENCE),
         PERDURE_EV_SYNC_DESTROY, ACQUIRED(0), RELEASED(0), PERDURE_EV_SYNC_DESTROY);
  done(&run);
}

static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static pthread_mutex_t robust[5];

static void *takeAllAndEnd(void *unused) {
  for (int i = 0; i < 5; i++) {
    pthread_mutex_lock(&robust[i]);
  }
  pthread_cond_signal(&condition);
  return unused;
}

/* The thread that is waited for ends with all locks, one of which this one has given free by waiting. */
static void inheritLocks(void) {
  struct timespec until = soon();
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  for (int i = 0; i < 5; i++) {
    pthread_mutex_init(&robust[i], &attributes);
  }
  pthread_t thread;
  pthread_mutex_lock(&robust[4]);
  pthread_create(&thread, NULL, takeAllAndEnd, NULL);
  CHECK(pthread_cond_wait(&condition, &robust[4]) == EOWNERDEAD);
  pthread_join(thread, NULL);
  CHECK(pthread_mutex_lock(&robust[0]) == EOWNERDEAD);
  CHECK(pthread_mutex_trylock(&robust[1]) == EOWNERDEAD);
  CHECK(pthread_mutex_timedlock(&robust[2], &until) == EOWNERDEAD);
  CHECK(pthread_mutex_clocklock(&robust[3], CLOCK_REALTIME, &until) == EOWNERDEAD);
  for (int i = 0; i < 5; i++) {
    if (i % 2 == 0) {
      pthread_mutex_consistent(&robust[i]);
    }
    pthread_mutex_unlock(&robust[i]);
  }
  for (int i = 0; i < 5; i++) {
    CHECK(pthread_mutex_trylock(&robust[i]) == (i % 2 == 0 ? 0 : ENOTRECOVERABLE));
  }
}

static void shouldTellThatTheOwnerDied(void) {
  struct run run;
  perform(&run, "inheritLocks", (struct options){0});
  EXITED_WELL(run);
  uint32_t flags[] = {[4] = PERDURE_LOCK_OWNER_DIED,
                      [0] = PERDURE_LOCK_OWNER_DIED,
                      [1] = PERDURE_LOCK_OWNER_DIED | PERDURE_LOCK_TRY,
                      [2] = PERDURE_LOCK_OWNER_DIED | PERDURE_LOCK_TRY,
                      [3] = PERDURE_LOCK_OWNER_DIED | PERDURE_LOCK_TRY};
  /* One at first, those of the dead thread, then these. */
  CHECK_EQUAL(6 + 5 + 3, count_of(&run, PERDURE_EV_ACQUIRE));
  for (int i = 0; i < 14; i++) {
    const struct event *e = event_of(&run, PERDURE_EV_ACQUIRE, i);
    CHECK_EQUAL(i < 6 ? 0 : i >= 11 ? PERDURE_LOCK_TRY : flags[(i - 6 + 4) % 5], e->info);
    CHECK(i < 6 || i >= 11 || (!e->early && e->time > event_of(&run, PERDURE_EV_THREAD_END, 0)->time));
  }
  CHECK_EQUAL(1 + 5, count_of(&run, PERDURE_EV_RELEASE));
  done(&run);
}

static void waitInVain(void) {
  struct timespec until = soon();
  pthread_mutex_lock(&mutex);
  CHECK(pthread_cond_timedwait(&condition, &mutex, &until) == ETIMEDOUT);
  pthread_mutex_unlock(&mutex);
  pthread_cond_signal(&condition);
}

static void shouldReleaseTheMutexWhileWaiting(void) {
  struct run run;
  perform(&run, "waitInVain", (struct options){0});
  EXITED_WELL(run);
  EXPECT(run, ACQUIRED(0), RELEASED(0), ACQUIRED(0), RELEASED(0), PERDURE_EV_COND_SIGNAL);
  done(&run);
}

static void unlockMutex(void *unused) {
  (void)unused;
  pthread_mutex_unlock(&mutex);
}

static void *waitForever(void *unused) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlockMutex, NULL);
  for (;;) {
    pthread_cond_wait(&condition, &mutex);
  }
  pthread_cleanup_pop(1);
  return unused;
}

static void cancelWaiter(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waitForever, NULL);
  usleep(20000);
  pthread_cancel(thread);
  pthread_join(thread, NULL);
}

static void shouldHoldTheMutexAgainAfterCancellation(void) {
  struct run run;
  perform(&run, "cancelWaiter", (struct options){0});
  EXITED_WELL(run);
  CHECK_EQUAL(2, count_of(&run, PERDURE_EV_ACQUIRE));
  CHECK_EQUAL(2, count_of(&run, PERDURE_EV_RELEASE));
  CHECK(event_of(&run, PERDURE_EV_RELEASE, 0)->time < event_of(&run, PERDURE_EV_ACQUIRE, 1)->time);
  CHECK(event_of(&run, PERDURE_EV_ACQUIRE, 1)->time < event_of(&run, PERDURE_EV_RELEASE, 1)->time);
  done(&run);
}

static int initialised;
static void initialise(void) { initialised++; }

static void meet(void) {
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, NULL, 1);
  pthread_barrier_wait(&barrier);
  pthread_barrier_destroy(&barrier);
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  CHECK(sem_trywait(&semaphore) == -1 && errno == EAGAIN);
  sem_post(&semaphore);
  sem_wait(&semaphore);
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, initialise);
  pthread_once(&once, initialise);
  static once_flag flag = ONCE_FLAG_INIT;
  call_once(&flag, initialise);
  call_once(&flag, initialise);
  CHECK(initialised == 2);
}

static void shouldRecordBarriersSemaphoresAndOnce(void) {
  struct run run;
  perform(&run, "meet", (struct options){0});
  EXITED_WELL(run);
  EXPECT(run, PERDURE_EV_BARRIER_INIT, PERDURE_EV_BARRIER_ENTER, PERDURE_EV_BARRIER_LEAVE, PERDURE_EV_SYNC_DESTROY,
         PERDURE_EV_SYNC_DESTROY, PERDURE_EV_SEM_POST, PERDURE_EV_SEM_WAIT, PERDURE_EV_ONCE_DONE, PERDURE_EV_ONCE_PASS,
         PERDURE_EV_ONCE_DONE, PERDURE_EV_ONCE_PASS);
  CHECK_EQUAL(1, event_of(&run, PERDURE_EV_BARRIER_INIT, 0)->value);
  done(&run);
}

#define UNDER_LOCK 3
static uint64_t *contended;

/* What comes first under a lock: nothing, a load, a store, a flush, many bytes, another lock. */
static void access_under_lock(int how) {
  static _Thread_local pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
  switch (how % 6) {
  case 1:
    load8(contended, UNDER_LOCK);
    break;
  case 2:
    store8(contended, 1, UNDER_LOCK);
    break;
  case 3:
    __perdure_flush(contended, PERDURE_FLUSH_CLWB, UNDER_LOCK);
    break;
  case 4:
    __perdure_store_block(contended, "many bytes", 11, 0, UNDER_LOCK);
    break;
  case 5:
    pthread_mutex_lock(&own);
    load8(contended, UNDER_LOCK);
    pthread_mutex_unlock(&own);
    break;
  }
}

static void *contend(void *unused) {
  for (int i = 0; i < 5000; i++) {
    pthread_mutex_lock(&mutex);
    counter++;
    access_under_lock(i);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

static void *read_and_write(void *unused) {
  for (int i = 0; i < 5000; i++) {
    if (i % 3 == 0) {
      pthread_rwlock_wrlock(&rwlock);
    } else {
      pthread_rwlock_rdlock(&rwlock);
    }
    access_under_lock(i);
    pthread_rwlock_unlock(&rwlock);
  }
  return unused;
}

static void in_four_threads(void *(*run)(void *)) {
  pthread_t threads[4];
  contended = map_pm("locks", 4096);
  for (int i = 0; i < 4; i++) {
    pthread_create(&threads[i], NULL, run, NULL);
  }
  for (int i = 0; i < 4; i++) {
    pthread_join(threads[i], NULL);
  }
}

static void contendInThreads(void) {
  in_four_threads(contend);
  CHECK_EQUAL(20000, counter);
}

static void readAndWriteInThreads(void) { in_four_threads(read_and_write); }

/* The lock that all threads use; the others belong to one each. */
static uint64_t shared_lock(const struct run *run) { return event_of(run, PERDURE_EV_ACQUIRE, 0)->addr; }

static void shouldNeverShowAMutexInTwoHands(void) {
  struct run run;
  perform(&run, "contendInThreads", (struct options){0});
  EXITED_WELL(run);
  uint64_t lock = shared_lock(&run);
  uint32_t holder = 0;
  size_t acquired = 0;
  for (size_t i = 0; i < run.events.count; i++) {
    const struct event *e = &run.events.all[i];
    if (e->kind == PERDURE_EV_ACQUIRE && e->addr == lock) {
      CHECK_EQUAL(0, holder);
      holder = e->thread;
      acquired++;
    } else if (e->site == UNDER_LOCK || (e->kind == PERDURE_EV_RELEASE && e->addr == lock)) {
      CHECK_EQUAL(holder, e->thread);
      holder = e->kind == PERDURE_EV_RELEASE ? 0 : holder;
    }
  }
  CHECK_EQUAL(20000, acquired);
  done(&run);
}

static void shouldNeverShowReadersBesideAWriter(void) {
  struct run run;
  perform(&run, "readAndWriteInThreads", (struct options){0});
  EXITED_WELL(run);
  uint64_t lock = shared_lock(&run);
  uint32_t writer = 0, readers = 0;
  for (size_t i = 0; i < run.events.count; i++) {
    const struct event *e = &run.events.all[i];
    bool shared = (e->info & PERDURE_LOCK_SHARED) != 0;
    if (e->kind == PERDURE_EV_ACQUIRE && e->addr == lock) {
      CHECK(writer == 0 && (shared || readers == 0));
      readers += shared;
      writer = shared ? 0 : e->thread;
    } else if (e->kind == PERDURE_EV_RELEASE && e->addr == lock) {
      CHECK(shared ? readers > 0 : writer == e->thread);
      readers -= shared;
      writer = 0;
    } else if (e->site == UNDER_LOCK) {
      CHECK(writer == 0 ? readers > 0 : writer == e->thread);
    }
  }
  CHECK_EQUAL(0, readers);
  done(&run);
}

static void lockThenAccess(void) {
  static const char bytes[100] = "bytes";
  uint64_t *pm = map_pm("locks", 4096);
  pthread_mutex_lock(&mutex);
  load8(pm, 1);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  __perdure_store_block(pm, bytes, sizeof bytes, 0, 2);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  usleep(2000);
  pthread_mutex_unlock(&mutex);
}

static void shouldSettleAnAcquisitionWithTheNextEventOrSoon(void) {
  for (enum perdure_clock clock = PERDURE_CLOCK_TSC; clock <= PERDURE_CLOCK_COUNTER; clock++) {
    struct run run;
    perform(&run, "lockThenAccess", (struct options){.clock = clock});
    EXITED_WELL(run);
    EXPECT(run, ACQUIRED(0), RELEASED(0), ACQUIRED(0), RELEASED(0), ACQUIRED(0), RELEASED(0));
    const struct event *first = event_of(&run, PERDURE_EV_ACQUIRE, 0), *load = event_of(&run, PERDURE_EV_LOAD, 0);
    const struct event *second = event_of(&run, PERDURE_EV_ACQUIRE, 1), *block = event_of(&run, PERDURE_EV_STORE_BLOCK, 0);
    const struct event *third = event_of(&run, PERDURE_EV_ACQUIRE, 2), *last = event_of(&run, PERDURE_EV_RELEASE, 2);
    CHECK(first < load && second < block);
    CHECK_EQUAL(clock == PERDURE_CLOCK_TSC, first->early);
    CHECK_EQUAL(clock == PERDURE_CLOCK_TSC, third->early);
    CHECK(first->time <= load->time && load->time <= event_of(&run, PERDURE_EV_RELEASE, 0)->time);
    CHECK(third->time < last->time);
    CHECK_EQUAL(100, block->payload_length);
    CHECK(memcmp(block->payload, "bytes", 6) == 0);
    done(&run);
  }
}

static void lockBeforeOthers(void) {
  uint64_t *pm = map_pm("locks", 4096);
  CALL_FROM(40 | PERDURE_CALL_FOLLOWED, pthread_mutex_lock(&mutex));
  load8(pm, 1);
  CALL_FROM(41, pthread_mutex_unlock(&mutex));
  __perdure_flush(pm, PERDURE_FLUSH_CLWB, 2);
  CALL_FROM(40 | PERDURE_CALL_FOLLOWED, pthread_mutex_lock(&mutex));
  CALL_FROM(41, pthread_mutex_unlock(&mutex));
}

static void shouldNotStampAnAcquisitionThatIsFollowedAtOnceUnlessItPersists(void) {
  for (enum perdure_clock clock = PERDURE_CLOCK_TSC; clock <= PERDURE_CLOCK_COUNTER; clock++) {
    struct run run;
    perform(&run, "lockBeforeOthers", (struct options){.clock = clock});
    EXITED_WELL(run);
    const struct event *first = event_of(&run, PERDURE_EV_ACQUIRE, 0), *second = event_of(&run, PERDURE_EV_ACQUIRE, 1);
    CHECK_EQUAL(40, first->site);
    CHECK_EQUAL(clock == PERDURE_CLOCK_TSC, first->untimed);
    CHECK_EQUAL(40, second->site);
    CHECK(!second->untimed);
    EXPECT(run, ACQUIRED(0), RELEASED(0), ACQUIRED(0), RELEASED(0));
    done(&run);
  }
}

static void unlockBehindOthers(void) {
  uint64_t *pm = map_pm("locks", 4096);
  CALL_FROM(40, pthread_mutex_lock(&mutex));
  store8(pm, 1, 1);
  __perdure_flush(pm, PERDURE_FLUSH_CLWB, 2);
  __perdure_fence(PERDURE_FENCE_SFENCE, 3);
  CALL_FROM(41, pthread_mutex_unlock(&mutex));
  CALL_FROM(40, pthread_mutex_lock(&mutex));
  __perdure_flush(pm, PERDURE_FLUSH_CLWB, 2);
  CALL_FROM(41, pthread_mutex_unlock(&mutex));
  CALL_FROM(40 | PERDURE_CALL_FOLLOWED, pthread_mutex_lock(&mutex));
  CALL_FROM(41, pthread_mutex_unlock(&mutex));
}

static void shouldStampAReleaseThatPersistsOrThatOthersWaitFor(void) {
  for (enum perdure_clock clock = PERDURE_CLOCK_TSC; clock <= PERDURE_CLOCK_COUNTER; clock++) {
    struct run run;
    perform(&run, "unlockBehindOthers", (struct options){.clock = clock});
    EXITED_WELL(run);
    CHECK_EQUAL(clock == PERDURE_CLOCK_TSC, event_of(&run, PERDURE_EV_RELEASE, 0)->with_last);
    CHECK(!event_of(&run, PERDURE_EV_RELEASE, 1)->with_last);
    CHECK(!event_of(&run, PERDURE_EV_RELEASE, 2)->with_last);
    EXPECT(run, ACQUIRED(0), RELEASED(0), ACQUIRED(0), RELEASED(0), ACQUIRED(0), RELEASED(0));
    done(&run);
  }
}

static void lockAndDie(void) {
  pthread_mutex_lock(&mutex);
  kill(getpid(), SIGKILL);
}

static void shouldKeepAnAcquisitionThatIsTheLastEvent(void) {
  struct run run;
  perform(&run, "lockAndDie", (struct options){0});
  CHECK(WIFSIGNALED(run.status));
  CHECK_EQUAL(1, count_of(&run, PERDURE_EV_ACQUIRE));
  done(&run);
}

static void lockAfterFlush(void) {
  uint64_t *pm = map_pm("locks", 4096);
  __perdure_flush(pm, PERDURE_FLUSH_CLWB, 1);
  pthread_mutex_lock(&mutex);
  load8(pm, 2);
  pthread_mutex_unlock(&mutex);
}

/* It is the fence that persists what was flushed. */
static void shouldStampAnAcquisitionAtOnceWhereItPersists(void) {
  struct run run;
  perform(&run, "lockAfterFlush", (struct options){0});
  EXITED_WELL(run);
  CHECK(!event_of(&run, PERDURE_EV_ACQUIRE, 0)->early);
  CHECK(event_of(&run, PERDURE_EV_FLUSH, 0)->time < event_of(&run, PERDURE_EV_ACQUIRE, 0)->time);
  CHECK(event_of(&run, PERDURE_EV_ACQUIRE, 0)->time < event_of(&run, PERDURE_EV_LOAD, 0)->time);
  done(&run);
}

const struct named TESTS[] = {
    {"shouldRecordOnlySuccessfulAcquisitions", shouldRecordOnlySuccessfulAcquisitions},
    {"shouldTellInnerLevelsThatAreNoFence", shouldTellInnerLevelsThatAreNoFence},
    {"shouldTellSharedFromExclusive", shouldTellSharedFromExclusive},
    {"shouldTellThatTheOwnerDied", shouldTellThatTheOwnerDied},
    {"shouldReleaseTheMutexWhileWaiting", shouldReleaseTheMutexWhileWaiting},
    {"shouldHoldTheMutexAgainAfterCancellation", shouldHoldTheMutexAgainAfterCancellation},
    {"shouldRecordBarriersSemaphoresAndOnce", shouldRecordBarriersSemaphoresAndOnce},
    {"shouldNeverShowAMutexInTwoHands", shouldNeverShowAMutexInTwoHands},
    {"shouldNeverShowReadersBesideAWriter", shouldNeverShowReadersBesideAWriter},
    {"shouldSettleAnAcquisitionWithTheNextEventOrSoon", shouldSettleAnAcquisitionWithTheNextEventOrSoon},
    {"shouldNotStampAnAcquisitionThatIsFollowedAtOnceUnlessItPersists", shouldNotStampAnAcquisitionThatIsFollowedAtOnceUnlessItPersists},
    {"shouldStampAReleaseThatPersistsOrThatOthersWaitFor", shouldStampAReleaseThatPersistsOrThatOthersWaitFor},
    {"shouldKeepAnAcquisitionThatIsTheLastEvent", shouldKeepAnAcquisitionThatIsTheLastEvent},
    {"shouldStampAnAcquisitionAtOnceWhereItPersists", shouldStampAnAcquisitionAtOnceWhereItPersists},
    {NULL, NULL},
};
const struct named ACTS[] = {{"useMutexes", useMutexes},
                             {"useInnerLevels", useInnerLevels},
                             {"useOtherLocks", useOtherLocks},
                             {"inheritLocks", inheritLocks},
                             {"waitInVain", waitInVain},
                             {"cancelWaiter", cancelWaiter},
                             {"meet", meet},
                             {"contendInThreads", contendInThreads},
                             {"readAndWriteInThreads", readAndWriteInThreads},
                             {"lockThenAccess", lockThenAccess},
                             {"lockBeforeOthers", lockBeforeOthers},
                             {"unlockBehindOthers", unlockBehindOthers},
                             {"lockAndDie", lockAndDie},
                             {"lockAfterFlush", lockAfterFlush},
                             {NULL, NULL}};
