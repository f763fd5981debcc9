/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=proven evidence=lockset,happens-before
 * END */
/* Who takes the robust lock of a dead thread and frees it without having repaired anything makes it useless: from then on taking it fails. A
 * thread that looks nevertheless looks without the lock, and in no order with the dead one. */
#include "litmus.h"
#include <errno.h>

static uint64_t *pm;
static pthread_mutex_t m;
static note stored, given_up;

static void *owner(void *a) {
  pthread_mutex_lock(&m);
  *pm = 1; //@S1
  pm_persist(pm, 8);
  tell(&stored);
  return a;
}

static void *heir(void *a) {
  await(&stored);
  if (pthread_mutex_lock(&m) != EOWNERDEAD) exit(9);
  keep(*pm);
  pthread_mutex_unlock(&m);
  tell(&given_up);
  return a;
}

static void *stranger(void *a) {
  await(&given_up);
  if (pthread_mutex_lock(&m) != ENOTRECOVERABLE || pthread_mutex_trylock(&m) != ENOTRECOVERABLE) exit(9);
  keep(*pm); //@L1
  return a;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], 4096);
  pthread_mutexattr_t at;
  pthread_mutexattr_init(&at);
  pthread_mutexattr_setrobust(&at, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&m, &at);
  *pm = 3; /* so that the owner is not the first who touches it */
  pm_persist(pm, 8);
  pthread_t t, u, v;
  start(&u, heir, NULL);
  start(&v, stranger, NULL);
  start(&t, owner, NULL);
  finish(u);
  finish(v);
  finish(t);
  return 0;
}
