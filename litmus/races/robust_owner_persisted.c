/* LITMUS
 * command: run
 * END */
/* The owner of a robust lock persists what it has written and ends without freeing the lock. Who takes the lock next is told so, and comes
 * after all that the dead thread did: there is nothing to find, whichever way the lock is taken. */
#include "litmus.h"
#include <errno.h>
#include <time.h>

#define WAYS 5
struct entry { _Alignas(LINE) uint64_t value; };
static struct entry *pm;
static pthread_mutex_t m[WAYS];
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static note ready, over[WAYS];

static void *owner(void *a) {
  long way = (long)a;
  if (pthread_mutex_lock(&m[way]) != 0) exit(9);
  pm[way].value = 1;
  pm_persist(&pm[way], sizeof pm[way]);
  pthread_cond_signal(&changed);
  tell(&over[way]);
  return NULL;
}

static int take(long way, pthread_mutex_t *lock) {
  struct timespec until;
  clock_gettime(way == 3 ? CLOCK_MONOTONIC : CLOCK_REALTIME, &until);
  until.tv_sec += 2;
  int result = 0;
  switch (way) {
  case 0: return pthread_mutex_lock(lock);
  case 1:
    while ((result = pthread_mutex_trylock(lock)) == EBUSY) pause_ms(1);
    return result;
  case 2: return pthread_mutex_timedlock(lock, &until);
  case 3: return pthread_mutex_clocklock(lock, CLOCK_MONOTONIC, &until);
  default: return pthread_cond_wait(&changed, lock);
  }
}

static void *heir(void *a) {
  long way = (long)a;
  if (way == WAYS - 1) {
    if (pthread_mutex_lock(&m[way]) != 0) exit(9);
    tell(&ready);
  } else {
    await(&over[way]);
  }
  if (take(way, &m[way]) != EOWNERDEAD) exit(9);
  pthread_mutex_consistent(&m[way]);
  keep(pm[way].value);
  pm[way].value = 2;
  pm_persist(&pm[way], sizeof pm[way]);
  pthread_mutex_unlock(&m[way]);
  return NULL;
}

/* The lock is in order again. */
static void *other(void *a) {
  long way = (long)a;
  if (pthread_mutex_lock(&m[way]) != 0) exit(9);
  keep(pm[way].value);
  pthread_mutex_unlock(&m[way]);
  return NULL;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], WAYS * sizeof *pm);
  pthread_mutexattr_t at;
  pthread_mutexattr_init(&at);
  pthread_mutexattr_setrobust(&at, PTHREAD_MUTEX_ROBUST);
  for (long way = 0; way < WAYS; way++) {
    pthread_mutex_init(&m[way], &at);
    pm[way].value = 3; /* so that the owner is not the first who touches it */
    pm_persist(&pm[way], sizeof pm[way]);
    pthread_t t, u, v;
    start(&u, heir, (void *)way);
    if (way == WAYS - 1) await(&ready);
    start(&t, owner, (void *)way);
    finish(u);
    start(&v, other, (void *)way);
    finish(v);
    finish(t);
  }
  return 0;
}
