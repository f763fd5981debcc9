/* Threads: how they get into the recording, their creation, end, join. */
#include "callers.h"
#include "late_patches.h"
#include "pm.h"
#include "real.h"
#include "system.h"
#include "thread_numbers.h"
#include <errno.h>
#include <limits.h>
#include <pthread.h>

static pthread_key_t end_key;
static bool end_key_made;

/* Gives the calling thread a ring, and the first event in it. number 0: a thread that nobody announced. */
bool perdure_thread_join_recording(uint32_t number, uint32_t creator, uint32_t first) {
  struct perdure_self *self = &perdure_self;
  if (self->state == SELF_JOINING || (self->state == SELF_ENDED && number == 0)) {
    return false;
  }
  self->state = SELF_JOINING;
  self->tid = (uint32_t)SYSTEM(SYS_gettid, 0, 0, 0);
  self->number = number != 0 ? number : perdure_next_thread_number();
  self->random = (perdure_header->seed + self->number) * UINT64_C(0x9e3779b97f4a7c15) | 1;
  if (!ring_acquire(self)) {
    self->state = SELF_NEW;
    return false;
  }
  self->state = SELF_LIVE;
  __atomic_add_fetch(&perdure_schedule->living, 1, __ATOMIC_RELAXED);
  record(STAMP_AFTER, PERDURE_EV_THREAD_BEGIN, first, creator, self->number, 0, 0);
  if (first) {
    thread_number_remember(pthread_self(), self->number);
  }
  if (end_key_made) {
    pthread_setspecific(end_key, self);
  }
  return true;
}

/* Destructors of other keys may still run instrumented code: the thread ends in the last round. */
static void at_thread_end(void *value) {
  struct perdure_self *self = &perdure_self;
  if (++self->end_rounds < PTHREAD_DESTRUCTOR_ITERATIONS) {
    pthread_setspecific(end_key, value);
    return;
  }
  if (self->state == SELF_LIVE) {
    emit(STAMP_BEFORE, PERDURE_EV_THREAD_END, 0, NULL, 0);
    if (self->detached) {
      thread_number_forget(pthread_self());
    }
    ring_release(self);
    __atomic_sub_fetch(&perdure_schedule->living, 1, __ATOMIC_RELAXED);
    self->state = SELF_ENDED;
  }
  shadow_stack_leave(self);
  callers_forget();
}

void perdure_watch_thread_ends(void) { end_key_made = pthread_key_create(&end_key, at_thread_end) == 0; }

/* What a creator leaves at the bottom of the new thread's shadow stack. */
struct start {
  union {
    void *(*posix)(void *);
    int (*c11)(void *);
  } routine;
  void *argument;
  size_t bytes;
  uint32_t number, creator;
  uint32_t detached;
};
_Static_assert(sizeof(struct start) <= SHADOW_START_WORDS * sizeof(uint64_t), "start");

static struct start enter_thread(void *at) {
  struct start start = *(struct start *)at;
  struct perdure_self *self = &perdure_self;
  shadow_stack_use(self, (struct shadow_stack){at, start.bytes});
  self->detached = start.detached;
  if (end_key_made) {
    pthread_setspecific(end_key, self);
  }
  if (start.number != 0) {
    thread_number_arrive(pthread_self(), start.number);
    perdure_thread_join_recording(start.number, start.creator, 0);
  }
  return start;
}

static void *run_posix(void *at) {
  struct start start = enter_thread(at);
  return start.routine.posix(start.argument);
}

static int run_c11(void *at) {
  struct start start = enter_thread(at);
  return start.routine.c11(start.argument);
}

static void call_off(const struct start *start, struct shadow_stack room) {
  if (start->number != 0) {
    thread_number_call_off();
  }
  shadow_stack_destroy(room);
}

static bool announce(const pthread_attr_t *attributes, struct shadow_stack *room, struct start *start) {
  size_t stack_bytes = 8u << 20;
  int detached = PTHREAD_CREATE_JOINABLE;
  if (attributes != NULL) {
    pthread_attr_getstacksize(attributes, &stack_bytes);
    pthread_attr_getdetachstate(attributes, &detached);
  }
  if (!shadow_stack_create(stack_bytes, room)) {
    return false;
  }
  start->bytes = room->bytes;
  start->number = 0;
  start->detached = detached == PTHREAD_CREATE_DETACHED;
  if (watching()) {
    start->number = perdure_next_thread_number();
    thread_number_announce();
    emit(STAMP_BEFORE, PERDURE_EV_THREAD_CREATE, 0, NULL, start->number);
    start->creator = perdure_self.number;
    perdure_self.created = start->number;
  }
  *(struct start *)room->words = *start;
  return true;
}

REAL(pthread_create);
EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*routine)(void *), void *argument) {
  struct shadow_stack room;
  struct start start = {.routine.posix = routine, .argument = argument};
  late_patches_make();
  if (!announce(attributes, &room, &start)) {
    return EAGAIN;
  }
  int result = CALL(pthread_create)(thread, attributes, run_posix, room.words);
  if (result != 0) {
    call_off(&start, room);
  }
  return result;
}

typedef unsigned long thrd_t;
int thrd_create(thrd_t *thread, int (*routine)(void *), void *argument);
int thrd_join(thrd_t thread, int *result);
int thrd_detach(thrd_t thread);

REAL(thrd_create);
EXPORT int thrd_create(thrd_t *thread, int (*routine)(void *), void *argument) {
  enum { NO_MEMORY = 3 };
  struct shadow_stack room;
  struct start start = {.routine.c11 = routine, .argument = argument};
  late_patches_make();
  if (!announce(NULL, &room, &start)) {
    return NO_MEMORY;
  }
  int result = CALL(thrd_create)(thread, run_c11, room.words);
  if (result != 0) {
    call_off(&start, room);
  }
  return result;
}

/* The number is looked up before the join: afterwards the same pthread_t may belong to a new thread. */
static uint32_t joinable(pthread_t thread) { return watching() ? thread_number_expect(thread) : 0; }

static int joined(int result, pthread_t thread, uint32_t number) {
  if (result == 0 && number != 0) {
    thread_number_forget_if(thread, number);
    emit(STAMP_AFTER, PERDURE_EV_THREAD_JOIN, 0, NULL, number);
  }
  return result;
}

REAL(pthread_join);
EXPORT int pthread_join(pthread_t thread, void **value) {
  uint32_t number = joinable(thread);
  return joined(CALL(pthread_join)(thread, value), thread, number);
}

REAL(pthread_tryjoin_np);
EXPORT int pthread_tryjoin_np(pthread_t thread, void **value) {
  uint32_t number = joinable(thread);
  return joined(CALL(pthread_tryjoin_np)(thread, value), thread, number);
}

REAL(pthread_timedjoin_np);
EXPORT int pthread_timedjoin_np(pthread_t thread, void **value, const struct timespec *until) {
  uint32_t number = joinable(thread);
  return joined(CALL(pthread_timedjoin_np)(thread, value, until), thread, number);
}

REAL(pthread_clockjoin_np);
EXPORT int pthread_clockjoin_np(pthread_t thread, void **value, clockid_t clock, const struct timespec *until) {
  uint32_t number = joinable(thread);
  return joined(CALL(pthread_clockjoin_np)(thread, value, clock, until), thread, number);
}

REAL(thrd_join);
EXPORT int thrd_join(thrd_t thread, int *value) {
  uint32_t number = joinable(thread);
  return joined(CALL(thrd_join)(thread, value), thread, number);
}

static void detaching(pthread_t thread) {
  uint32_t number = joinable(thread);
  if (number != 0) {
    thread_number_forget_if(thread, number);
    emit(STAMP_BEFORE, PERDURE_EV_THREAD_DETACH, 0, NULL, number);
  }
}

REAL(pthread_detach);
EXPORT int pthread_detach(pthread_t thread) {
  detaching(thread);
  return CALL(pthread_detach)(thread);
}

REAL(thrd_detach);
EXPORT int thrd_detach(thrd_t thread) {
  detaching(thread);
  return CALL(thrd_detach)(thread);
}

/* Threads that functions of the program create and wait for, as its configuration says. */
EXPORT void __perdure_named_create_begin(void) { perdure_self.created = 0; }

EXPORT void __perdure_named_create_end(uint64_t name) {
  if (perdure_recording && perdure_self.created != 0) {
    thread_number_name(name, perdure_self.created);
  }
}

EXPORT void __perdure_named_join_begin(uint64_t name) {
  if (perdure_recording) {
    perdure_self.joining = thread_number_named(name);
  }
}

EXPORT void __perdure_named_join_end(uint32_t site) {
  struct perdure_self *self = &perdure_self;
  if (perdure_recording && self->joining != 0) {
    record(STAMP_AFTER, PERDURE_EV_THREAD_JOIN, 0, 0, self->joining, site, stack_number(self));
    self->joining = 0;
  }
}
