/* Condition variables: waiting releases the mutex and takes it again, also when the wait fails or the thread is cancelled. Not where the mutex
 * was given up meanwhile: its owner died, and the next one has released it as it was. */
#include "locks.h"
#include "real.h"
#include <pthread.h>

struct wait {
  const void *mutex;
  bool watched;
  int result;
};

static struct wait begin_wait(const void *mutex) {
  struct wait wait = {mutex, lock_events_wanted(), 0};
  if (wait.watched) {
    emit(STAMP_BEFORE, PERDURE_EV_RELEASE, 0, mutex, 0);
  }
  return wait;
}

static void end_wait(struct wait *wait) {
  if (wait->watched && wait->result != ENOTRECOVERABLE) {
    emit(STAMP_AFTER, PERDURE_EV_ACQUIRE, owner_died(wait->result), wait->mutex, 0);
  }
}

#define DURING_WAIT(mutex) __attribute__((cleanup(end_wait))) struct wait wait = begin_wait(mutex)

static void signalling(const void *condition) {
  if (lock_events_wanted()) {
    emit(STAMP_BEFORE, PERDURE_EV_COND_SIGNAL, 0, condition, 0);
  }
}

#define COND_VERSION "GLIBC_2.3.2"

REAL_VERSION(pthread_cond_init, COND_VERSION);
EXPORT int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes) {
  return initialised(CALL(pthread_cond_init)(condition, attributes), condition, sizeof *condition);
}

REAL_VERSION(pthread_cond_wait, COND_VERSION);
EXPORT int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  DURING_WAIT(mutex);
  return wait.result = CALL(pthread_cond_wait)(condition, mutex);
}

REAL_VERSION(pthread_cond_timedwait, COND_VERSION);
EXPORT int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
  DURING_WAIT(mutex);
  return wait.result = CALL(pthread_cond_timedwait)(condition, mutex, until);
}

REAL(pthread_cond_clockwait);
EXPORT int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) {
  DURING_WAIT(mutex);
  return wait.result = CALL(pthread_cond_clockwait)(condition, mutex, clock, until);
}

REAL_VERSION(pthread_cond_signal, COND_VERSION);
EXPORT int pthread_cond_signal(pthread_cond_t *condition) {
  signalling(condition);
  return CALL(pthread_cond_signal)(condition);
}

REAL_VERSION(pthread_cond_broadcast, COND_VERSION);
EXPORT int pthread_cond_broadcast(pthread_cond_t *condition) {
  signalling(condition);
  return CALL(pthread_cond_broadcast)(condition);
}

/* C11: the same objects under other names. */
typedef struct cnd cnd_t;
typedef struct mtx mtx_t;
int cnd_wait(cnd_t *condition, mtx_t *mutex);
int cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *until);
int cnd_signal(cnd_t *condition);
int cnd_broadcast(cnd_t *condition);

REAL(cnd_wait);
EXPORT int cnd_wait(cnd_t *condition, mtx_t *mutex) {
  DURING_WAIT(mutex);
  return CALL(cnd_wait)(condition, mutex);
}

REAL(cnd_timedwait);
EXPORT int cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *until) {
  DURING_WAIT(mutex);
  return CALL(cnd_timedwait)(condition, mutex, until);
}

REAL(cnd_signal);
EXPORT int cnd_signal(cnd_t *condition) {
  signalling(condition);
  return CALL(cnd_signal)(condition);
}

REAL(cnd_broadcast);
EXPORT int cnd_broadcast(cnd_t *condition) {
  signalling(condition);
  return CALL(cnd_broadcast)(condition);
}
