/* Mutexes, reader-writer locks and spin locks. A release is stamped before the call, an acquisition after its success. */
#include "explore.h"
#include "locks.h"
#include "real.h"
#include <errno.h>
#include <pthread.h>

static inline bool succeeded(int result) { return lock_events_wanted() && (result == 0 || result == EOWNERDEAD); }

/* Inner levels of a recursive mutex only count: they execute no locked instruction. */
static inline uint32_t level(const pthread_mutex_t *mutex) { return mutex->__data.__count > 1 ? PERDURE_LOCK_NO_FENCE : 0; }

static inline __attribute__((always_inline)) int acquired(int result, const void *lock, uint32_t info) {
  if (succeeded(result)) {
    record_acquire(info | owner_died(result), (uint64_t)lock, place_of_caller(&perdure_self));
  }
  return result;
}

/* The place is found before the lock is taken, while nothing has to wait for it: what the program reads first under a lock then begins
 * as long as the lock's own line is on its way. */
#define ACQUIRE(function, lock, info)                                                                                                      \
  struct place place = lock_events_wanted() ? place_of_caller(&perdure_self) : (struct place){.site = 0};                                  \
  explore_before_acquire();                                                                                                                \
  int result = CALL(function)(lock);                                                                                                       \
  if (succeeded(result)) {                                                                                                                 \
    record_acquire((info) | owner_died(result), (uint64_t)(lock), place);                                                                  \
  }                                                                                                                                        \
  return result

static inline __attribute__((always_inline)) void releasing(const void *lock, uint32_t info) {
  if (lock_events_wanted()) {
    struct place place = place_of_caller(&perdure_self);
    act_at(place.site);
    record_release(info, (uint64_t)lock, place);
  }
}

static inline void destroyed(const void *lock) {
  if (lock_events_wanted()) {
    emit(STAMP_BEFORE, PERDURE_EV_SYNC_DESTROY, 0, lock, 0);
  }
}

REAL(pthread_mutex_init);
EXPORT int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
  destroyed(mutex);
  return initialised(CALL(pthread_mutex_init)(mutex, attributes), mutex, sizeof *mutex);
}

REAL(pthread_mutex_destroy);
EXPORT int pthread_mutex_destroy(pthread_mutex_t *mutex) {
  destroyed(mutex);
  return CALL(pthread_mutex_destroy)(mutex);
}

REAL(pthread_mutex_lock);
int perdure_mutex_lock(pthread_mutex_t *mutex) { ACQUIRE(pthread_mutex_lock, mutex, level(mutex)); }
int perdure_mutex_locked(pthread_mutex_t *mutex, int result) { return acquired(result, mutex, level(mutex)); }

REAL(pthread_mutex_trylock);
EXPORT int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  int result = CALL(pthread_mutex_trylock)(mutex);
  return acquired(result, mutex, PERDURE_LOCK_TRY | level(mutex));
}

REAL(pthread_mutex_timedlock);
EXPORT int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until) {
  int result = CALL(pthread_mutex_timedlock)(mutex, until);
  return acquired(result, mutex, PERDURE_LOCK_TRY | level(mutex));
}

REAL(pthread_mutex_clocklock);
EXPORT int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) {
  int result = CALL(pthread_mutex_clocklock)(mutex, clock, until);
  return acquired(result, mutex, PERDURE_LOCK_TRY | level(mutex));
}

REAL(pthread_mutex_unlock);
int perdure_mutex_unlock(pthread_mutex_t *mutex) {
  releasing(mutex, level(mutex));
  return CALL(pthread_mutex_unlock)(mutex);
}

REAL(pthread_rwlock_init);
EXPORT int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes) {
  destroyed(lock);
  return initialised(CALL(pthread_rwlock_init)(lock, attributes), lock, sizeof *lock);
}

REAL(pthread_rwlock_destroy);
EXPORT int pthread_rwlock_destroy(pthread_rwlock_t *lock) {
  destroyed(lock);
  return CALL(pthread_rwlock_destroy)(lock);
}

REAL(pthread_rwlock_rdlock);
EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *lock) { ACQUIRE(pthread_rwlock_rdlock, lock, PERDURE_LOCK_SHARED); }

REAL(pthread_rwlock_tryrdlock);
EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
  return acquired(CALL(pthread_rwlock_tryrdlock)(lock), lock, PERDURE_LOCK_SHARED | PERDURE_LOCK_TRY);
}

REAL(pthread_rwlock_timedrdlock);
EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *until) {
  return acquired(CALL(pthread_rwlock_timedrdlock)(lock, until), lock, PERDURE_LOCK_SHARED | PERDURE_LOCK_TRY);
}

REAL(pthread_rwlock_clockrdlock);
EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until) {
  return acquired(CALL(pthread_rwlock_clockrdlock)(lock, clock, until), lock, PERDURE_LOCK_SHARED | PERDURE_LOCK_TRY);
}

REAL(pthread_rwlock_wrlock);
EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *lock) { ACQUIRE(pthread_rwlock_wrlock, lock, 0); }

REAL(pthread_rwlock_trywrlock);
EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
  return acquired(CALL(pthread_rwlock_trywrlock)(lock), lock, PERDURE_LOCK_TRY);
}

REAL(pthread_rwlock_timedwrlock);
EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *until) {
  return acquired(CALL(pthread_rwlock_timedwrlock)(lock, until), lock, PERDURE_LOCK_TRY);
}

REAL(pthread_rwlock_clockwrlock);
EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until) {
  return acquired(CALL(pthread_rwlock_clockwrlock)(lock, clock, until), lock, PERDURE_LOCK_TRY);
}

/* One function frees both kinds: the writer's thread id is in the lock. */
REAL(pthread_rwlock_unlock);
EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  if (lock_events_wanted()) {
    bool exclusive = (uint32_t)lock->__data.__cur_writer == perdure_self.tid;
    releasing(lock, exclusive ? 0 : PERDURE_LOCK_SHARED);
  }
  return CALL(pthread_rwlock_unlock)(lock);
}

REAL(pthread_spin_init);
EXPORT int pthread_spin_init(pthread_spinlock_t *lock, int shared) {
  destroyed((const void *)lock);
  return initialised(CALL(pthread_spin_init)(lock, shared), lock, sizeof *lock);
}

REAL(pthread_spin_destroy);
EXPORT int pthread_spin_destroy(pthread_spinlock_t *lock) {
  destroyed((const void *)lock);
  return CALL(pthread_spin_destroy)(lock);
}

REAL(pthread_spin_lock);
EXPORT int pthread_spin_lock(pthread_spinlock_t *lock) { ACQUIRE(pthread_spin_lock, lock, 0); }

REAL(pthread_spin_trylock);
EXPORT int pthread_spin_trylock(pthread_spinlock_t *lock) {
  return acquired(CALL(pthread_spin_trylock)(lock), (const void *)lock, PERDURE_LOCK_TRY);
}

REAL(pthread_spin_unlock);
EXPORT int pthread_spin_unlock(pthread_spinlock_t *lock) {
  releasing((const void *)lock, PERDURE_LOCK_NO_FENCE);
  return CALL(pthread_spin_unlock)(lock);
}

/* C11: the same objects under other names. */
typedef struct mtx mtx_t;
int mtx_init(mtx_t *mutex, int type);
void mtx_destroy(mtx_t *mutex);
int mtx_lock(mtx_t *mutex);
int mtx_trylock(mtx_t *mutex);
int mtx_timedlock(mtx_t *mutex, const struct timespec *until);
int mtx_unlock(mtx_t *mutex);

REAL(mtx_init);
EXPORT int mtx_init(mtx_t *mutex, int type) {
  destroyed(mutex);
  return CALL(mtx_init)(mutex, type);
}

REAL(mtx_destroy);
EXPORT void mtx_destroy(mtx_t *mutex) {
  destroyed(mutex);
  CALL(mtx_destroy)(mutex);
}

REAL(mtx_lock);
EXPORT int mtx_lock(mtx_t *mutex) { ACQUIRE(mtx_lock, mutex, 0); }

REAL(mtx_trylock);
EXPORT int mtx_trylock(mtx_t *mutex) { return acquired(CALL(mtx_trylock)(mutex), mutex, PERDURE_LOCK_TRY); }

REAL(mtx_timedlock);
EXPORT int mtx_timedlock(mtx_t *mutex, const struct timespec *until) {
  return acquired(CALL(mtx_timedlock)(mutex, until), mutex, PERDURE_LOCK_TRY);
}

REAL(mtx_unlock);
EXPORT int mtx_unlock(mtx_t *mutex) {
  releasing(mutex, 0);
  return CALL(mtx_unlock)(mutex);
}
