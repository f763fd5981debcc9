/* LITMUS
 * command: run
 * options: --detect lockset,hb,regions,observed
 * END */
/* A robust lock taken with EOWNERDEAD is taken: what happens under it is protected. */
#include "litmus.h"
#include <errno.h>

static uint64_t *pm;
static pthread_mutex_t m;
static note inside;

static void *owner(void *a) { pthread_mutex_lock(&m); return a; }
static void *reader(void *a) {
  await(&inside);
  if (pthread_mutex_lock(&m)) exit(9);
  keep(*pm);
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
  start(&t, owner, NULL);
  finish(t);
  start(&u, reader, NULL);
  if (pthread_mutex_lock(&m) != EOWNERDEAD) return 9;
  pthread_mutex_consistent(&m);
  *pm = 1;
  tell(&inside);
  pause_ms(20);
  pm_persist(pm, 8);
  pthread_mutex_unlock(&m);
  finish(u);
  return 0;
}
