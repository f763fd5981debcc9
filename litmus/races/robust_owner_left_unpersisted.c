/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=happens-before,observed-read
 * END */
/* The owner of a robust lock ends before it has persisted. Who takes the lock next comes after the store, and reads what is not persistent yet. */
#include "litmus.h"
#include <errno.h>

static uint64_t *pm;
static pthread_mutex_t m;
static note stored;

static void *owner(void *a) {
  pthread_mutex_lock(&m);
  *pm = 1; //@S1
  tell(&stored);
  return a;
}

static void *heir(void *a) {
  await(&stored);
  if (pthread_mutex_lock(&m) != EOWNERDEAD) exit(9);
  pthread_mutex_consistent(&m);
  keep(*pm); //@L1
  pm_persist(pm, 8);
  pthread_mutex_unlock(&m);
  return a;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], 4096);
  pthread_mutexattr_t at;
  pthread_mutexattr_init(&at);
  pthread_mutexattr_setrobust(&at, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&m, &at);
  pthread_t t, u;
  start(&u, heir, NULL);
  start(&t, owner, NULL);
  finish(u);
  finish(t);
  return 0;
}
