/* Synchronisation that the libraries do inside their own calls is not the program's. */
#ifndef PERDURE_LOCKS_H
#define PERDURE_LOCKS_H
#include "pm.h"
#include <errno.h>
#include <pthread.h>

static inline bool lock_events_wanted(void) { return perdure_recording && (perdure_self.quiet | perdure_self.library) == 0; }

/* What the result of a successful call says about the acquisition. */
static inline uint32_t owner_died(int result) { return unlikely(result == EOWNERDEAD) ? PERDURE_LOCK_OWNER_DIED : 0; }

/* A synchronisation object in PM was initialised. That is a store like any other for flushes and crash images; what becomes of the object's
 * state is no matter of races and of missing flushes. */
static inline int initialised(int failed, volatile void *object, size_t size) {
  if (failed == 0 && unlikely(pm_possible((const void *)object, size)) && lock_events_wanted() && pm_is((const void *)object, size)) {
    emit(STAMP_BEFORE, PERDURE_EV_RELAXED_BEGIN, 0, NULL, 0);
    emit_store((void *)object, (const void *)object, size);
    emit(STAMP_AFTER, PERDURE_EV_RELAXED_END, 0, NULL, 0);
  }
  return failed;
}

#pragma GCC visibility push(hidden)
/* Of any mutex, for any caller. */
int perdure_mutex_lock(pthread_mutex_t *mutex);
int perdure_mutex_unlock(pthread_mutex_t *mutex);
/* It was locked, with that result. */
int perdure_mutex_locked(pthread_mutex_t *mutex, int result);
#pragma GCC visibility pop

#endif
