/* Barriers, semaphores and once. */
#include "locks.h"
#include "real.h"
#include <pthread.h>
#include <semaphore.h>

static inline void before(uint32_t kind, const void *object, uint64_t value) {
  if (lock_events_wanted()) {
    emit(STAMP_BEFORE, kind, 0, object, value);
  }
}

static inline void after(uint32_t kind, const void *object) {
  if (lock_events_wanted()) {
    emit(STAMP_AFTER, kind, 0, object, 0);
  }
}

REAL(pthread_barrier_init);
EXPORT int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes, unsigned count) {
  before(PERDURE_EV_BARRIER_INIT, barrier, count);
  return initialised(CALL(pthread_barrier_init)(barrier, attributes, count), barrier, sizeof *barrier);
}

REAL(pthread_barrier_destroy);
EXPORT int pthread_barrier_destroy(pthread_barrier_t *barrier) {
  before(PERDURE_EV_SYNC_DESTROY, barrier, 0);
  return CALL(pthread_barrier_destroy)(barrier);
}

REAL(pthread_barrier_wait);
EXPORT int pthread_barrier_wait(pthread_barrier_t *barrier) {
  before(PERDURE_EV_BARRIER_ENTER, barrier, 0);
  int result = CALL(pthread_barrier_wait)(barrier);
  after(PERDURE_EV_BARRIER_LEAVE, barrier);
  return result;
}

REAL(sem_init);
EXPORT int sem_init(sem_t *semaphore, int shared, unsigned value) {
  before(PERDURE_EV_SYNC_DESTROY, semaphore, 0);
  return initialised(CALL(sem_init)(semaphore, shared, value), semaphore, sizeof *semaphore);
}

REAL(sem_post);
EXPORT int sem_post(sem_t *semaphore) {
  before(PERDURE_EV_SEM_POST, semaphore, 0);
  return CALL(sem_post)(semaphore);
}

static inline int waited(int result, const sem_t *semaphore) {
  if (result == 0) {
    after(PERDURE_EV_SEM_WAIT, semaphore);
  }
  return result;
}

REAL(sem_wait);
EXPORT int sem_wait(sem_t *semaphore) { return waited(CALL(sem_wait)(semaphore), semaphore); }

REAL(sem_trywait);
EXPORT int sem_trywait(sem_t *semaphore) { return waited(CALL(sem_trywait)(semaphore), semaphore); }

REAL(sem_timedwait);
EXPORT int sem_timedwait(sem_t *semaphore, const struct timespec *until) {
  return waited(CALL(sem_timedwait)(semaphore, until), semaphore);
}

REAL(sem_clockwait);
EXPORT int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until) {
  return waited(CALL(sem_clockwait)(semaphore, clock, until), semaphore);
}

/* The routine of once takes no argument: the thread remembers which one is meant. */
struct once {
  void (*outer)(void);
  bool outer_ran;
  const void *outer_control;
};

static void restore(struct once *saved) {
  perdure_self.once_routine = saved->outer;
  perdure_self.once_ran = saved->outer_ran;
  perdure_self.once_control = saved->outer_control;
}

static void run_once(void) {
  struct perdure_self *self = &perdure_self;
  const void *control = self->once_control;
  self->once_routine();
  self->once_ran = true;
  before(PERDURE_EV_ONCE_DONE, control, 0);
}

#define DURING_ONCE(control, routine)                                                                                                      \
  __attribute__((cleanup(restore)))                                                                                                        \
  struct once saved = {perdure_self.once_routine, perdure_self.once_ran, perdure_self.once_control};                                       \
  perdure_self.once_routine = routine;                                                                                                     \
  perdure_self.once_control = control;                                                                                                     \
  perdure_self.once_ran = false

static inline void passed(const void *control) {
  if (!perdure_self.once_ran) {
    after(PERDURE_EV_ONCE_PASS, control);
  }
}

REAL(pthread_once);
EXPORT int pthread_once(pthread_once_t *control, void (*routine)(void)) {
  DURING_ONCE(control, routine);
  int result = CALL(pthread_once)(control, run_once);
  passed(control);
  return result;
}

void call_once(void *flag, void (*routine)(void));
REAL(call_once);
EXPORT void call_once(void *flag, void (*routine)(void)) {
  DURING_ONCE(flag, routine);
  CALL(call_once)(flag, run_once);
  passed(flag);
}
