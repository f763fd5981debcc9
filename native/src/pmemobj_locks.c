/* libpmemobj: locks that live in PM. They are locks of the program; the pthread locks behind them are not its business. */
#include "locks.h"
#include "pmemobj.h"
#include "real.h"
#include <errno.h>
#include <time.h>

typedef struct PMEMmutex PMEMmutex;
typedef struct PMEMrwlock PMEMrwlock;
typedef struct PMEMcond PMEMcond;

void pmemobj_mutex_zero(PMEMobjpool *pool, PMEMmutex *mutex);
int pmemobj_mutex_lock(PMEMobjpool *pool, PMEMmutex *mutex);
int pmemobj_mutex_timedlock(PMEMobjpool *pool, PMEMmutex *mutex, const struct timespec *until);
int pmemobj_mutex_trylock(PMEMobjpool *pool, PMEMmutex *mutex);
int pmemobj_mutex_unlock(PMEMobjpool *pool, PMEMmutex *mutex);
void pmemobj_rwlock_zero(PMEMobjpool *pool, PMEMrwlock *lock);
int pmemobj_rwlock_rdlock(PMEMobjpool *pool, PMEMrwlock *lock);
int pmemobj_rwlock_wrlock(PMEMobjpool *pool, PMEMrwlock *lock);
int pmemobj_rwlock_timedrdlock(PMEMobjpool *pool, PMEMrwlock *lock, const struct timespec *until);
int pmemobj_rwlock_timedwrlock(PMEMobjpool *pool, PMEMrwlock *lock, const struct timespec *until);
int pmemobj_rwlock_tryrdlock(PMEMobjpool *pool, PMEMrwlock *lock);
int pmemobj_rwlock_trywrlock(PMEMobjpool *pool, PMEMrwlock *lock);
int pmemobj_rwlock_unlock(PMEMobjpool *pool, PMEMrwlock *lock);
void pmemobj_cond_zero(PMEMobjpool *pool, PMEMcond *condition);
int pmemobj_cond_broadcast(PMEMobjpool *pool, PMEMcond *condition);
int pmemobj_cond_signal(PMEMobjpool *pool, PMEMcond *condition);
int pmemobj_cond_timedwait(PMEMobjpool *pool, PMEMcond *condition, PMEMmutex *mutex, const struct timespec *until);
int pmemobj_cond_wait(PMEMobjpool *pool, PMEMcond *condition, PMEMmutex *mutex);

/* Declares `result`: of the call, made in silence. */
#define CALLED(call)                                                                                                                       \
  int result;                                                                                                                              \
  {                                                                                                                                        \
    QUIETLY;                                                                                                                               \
    result = call;                                                                                                                         \
  }

static int acquired(int result, const void *lock, uint32_t info) {
  if ((result == 0 || result == EOWNERDEAD) && lock_events_wanted()) {
    emit(STAMP_AFTER, PERDURE_EV_ACQUIRE, info | owner_died(result), lock, 0);
  }
  return result;
}

static void before(uint32_t kind, const void *object) {
  if (lock_events_wanted()) {
    emit(STAMP_BEFORE, kind, 0, object, 0);
  }
}

REAL_LIBRARY(pmemobj_mutex_zero, LIBPMEMOBJ);
EXPORT void pmemobj_mutex_zero(PMEMobjpool *pool, PMEMmutex *mutex) {
  before(PERDURE_EV_SYNC_DESTROY, mutex);
  QUIETLY;
  CALL(pmemobj_mutex_zero)(pool, mutex);
}

REAL_LIBRARY(pmemobj_mutex_lock, LIBPMEMOBJ);
EXPORT int pmemobj_mutex_lock(PMEMobjpool *pool, PMEMmutex *mutex) {
  CALLED(CALL(pmemobj_mutex_lock)(pool, mutex));
  return acquired(result, mutex, 0);
}

REAL_LIBRARY(pmemobj_mutex_timedlock, LIBPMEMOBJ);
EXPORT int pmemobj_mutex_timedlock(PMEMobjpool *pool, PMEMmutex *mutex, const struct timespec *until) {
  CALLED(CALL(pmemobj_mutex_timedlock)(pool, mutex, until));
  return acquired(result, mutex, PERDURE_LOCK_TRY);
}

REAL_LIBRARY(pmemobj_mutex_trylock, LIBPMEMOBJ);
EXPORT int pmemobj_mutex_trylock(PMEMobjpool *pool, PMEMmutex *mutex) {
  CALLED(CALL(pmemobj_mutex_trylock)(pool, mutex));
  return acquired(result, mutex, PERDURE_LOCK_TRY);
}

REAL_LIBRARY(pmemobj_mutex_unlock, LIBPMEMOBJ);
EXPORT int pmemobj_mutex_unlock(PMEMobjpool *pool, PMEMmutex *mutex) {
  before(PERDURE_EV_RELEASE, mutex);
  QUIETLY;
  return CALL(pmemobj_mutex_unlock)(pool, mutex);
}

REAL_LIBRARY(pmemobj_rwlock_zero, LIBPMEMOBJ);
EXPORT void pmemobj_rwlock_zero(PMEMobjpool *pool, PMEMrwlock *lock) {
  before(PERDURE_EV_SYNC_DESTROY, lock);
  QUIETLY;
  CALL(pmemobj_rwlock_zero)(pool, lock);
}

REAL_LIBRARY(pmemobj_rwlock_rdlock, LIBPMEMOBJ);
EXPORT int pmemobj_rwlock_rdlock(PMEMobjpool *pool, PMEMrwlock *lock) {
  CALLED(CALL(pmemobj_rwlock_rdlock)(pool, lock));
  return acquired(result, lock, PERDURE_LOCK_SHARED);
}

REAL_LIBRARY(pmemobj_rwlock_wrlock, LIBPMEMOBJ);
EXPORT int pmemobj_rwlock_wrlock(PMEMobjpool *pool, PMEMrwlock *lock) {
  CALLED(CALL(pmemobj_rwlock_wrlock)(pool, lock));
  return acquired(result, lock, 0);
}

REAL_LIBRARY(pmemobj_rwlock_timedrdlock, LIBPMEMOBJ);
EXPORT int pmemobj_rwlock_timedrdlock(PMEMobjpool *pool, PMEMrwlock *lock, const struct timespec *until) {
  CALLED(CALL(pmemobj_rwlock_timedrdlock)(pool, lock, until));
  return acquired(result, lock, PERDURE_LOCK_SHARED | PERDURE_LOCK_TRY);
}

REAL_LIBRARY(pmemobj_rwlock_timedwrlock, LIBPMEMOBJ);
EXPORT int pmemobj_rwlock_timedwrlock(PMEMobjpool *pool, PMEMrwlock *lock, const struct timespec *until) {
  CALLED(CALL(pmemobj_rwlock_timedwrlock)(pool, lock, until));
  return acquired(result, lock, PERDURE_LOCK_TRY);
}

REAL_LIBRARY(pmemobj_rwlock_tryrdlock, LIBPMEMOBJ);
EXPORT int pmemobj_rwlock_tryrdlock(PMEMobjpool *pool, PMEMrwlock *lock) {
  CALLED(CALL(pmemobj_rwlock_tryrdlock)(pool, lock));
  return acquired(result, lock, PERDURE_LOCK_SHARED | PERDURE_LOCK_TRY);
}

REAL_LIBRARY(pmemobj_rwlock_trywrlock, LIBPMEMOBJ);
EXPORT int pmemobj_rwlock_trywrlock(PMEMobjpool *pool, PMEMrwlock *lock) {
  CALLED(CALL(pmemobj_rwlock_trywrlock)(pool, lock));
  return acquired(result, lock, PERDURE_LOCK_TRY);
}

REAL_LIBRARY(pmemobj_rwlock_unlock, LIBPMEMOBJ);
EXPORT int pmemobj_rwlock_unlock(PMEMobjpool *pool, PMEMrwlock *lock) {
  before(PERDURE_EV_RELEASE, lock);
  QUIETLY;
  return CALL(pmemobj_rwlock_unlock)(pool, lock);
}

REAL_LIBRARY(pmemobj_cond_zero, LIBPMEMOBJ);
EXPORT void pmemobj_cond_zero(PMEMobjpool *pool, PMEMcond *condition) {
  before(PERDURE_EV_SYNC_DESTROY, condition);
  QUIETLY;
  CALL(pmemobj_cond_zero)(pool, condition);
}

REAL_LIBRARY(pmemobj_cond_signal, LIBPMEMOBJ);
EXPORT int pmemobj_cond_signal(PMEMobjpool *pool, PMEMcond *condition) {
  before(PERDURE_EV_COND_SIGNAL, condition);
  QUIETLY;
  return CALL(pmemobj_cond_signal)(pool, condition);
}

REAL_LIBRARY(pmemobj_cond_broadcast, LIBPMEMOBJ);
EXPORT int pmemobj_cond_broadcast(PMEMobjpool *pool, PMEMcond *condition) {
  before(PERDURE_EV_COND_SIGNAL, condition);
  QUIETLY;
  return CALL(pmemobj_cond_broadcast)(pool, condition);
}

/* The mutex is held again however the wait ends, also by cancellation: quiet ends first, then the mutex is recorded. */
static void taken_again(PMEMmutex **mutex) { acquired(0, *mutex, 0); }
#define DURING_WAIT(mutex)                                                                                                                 \
  before(PERDURE_EV_RELEASE, mutex);                                                                                                       \
  __attribute__((cleanup(taken_again), unused)) PMEMmutex *waiting_with = mutex;                                                           \
  QUIETLY

REAL_LIBRARY(pmemobj_cond_wait, LIBPMEMOBJ);
EXPORT int pmemobj_cond_wait(PMEMobjpool *pool, PMEMcond *condition, PMEMmutex *mutex) {
  DURING_WAIT(mutex);
  return CALL(pmemobj_cond_wait)(pool, condition, mutex);
}

REAL_LIBRARY(pmemobj_cond_timedwait, LIBPMEMOBJ);
EXPORT int pmemobj_cond_timedwait(PMEMobjpool *pool, PMEMcond *condition, PMEMmutex *mutex, const struct timespec *until) {
  DURING_WAIT(mutex);
  return CALL(pmemobj_cond_timedwait)(pool, condition, mutex, until);
}
