/* LITMUS
 * command: run
 * allow: persistency-race store=S1 load=L1 level<=possible
 * END */
/* The flag is stored and loaded in relaxed order, with a release fence before the store and an acquire fence after
 * the load. The fences make the edge. The main thread has read x before, so locksets alone may say that a race is
 * possible. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; };
static struct pool *pm;
static int ready; /* in ordinary memory */

static void *writer(void *arg) {
  pm->x = 1; //@S1
  pm_persist(&pm->x, sizeof pm->x);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  __atomic_store_n(&ready, 1, __ATOMIC_RELAXED);
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  keep(pm->x);
  pthread_t t;
  start(&t, writer, NULL);
  while (!__atomic_load_n(&ready, __ATOMIC_RELAXED)) pause_ms(2);
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  keep(pm->x); //@L1
  finish(t);
  return 0;
}
