/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=happens-before
 * END */
/* x is flushed, and the flag that hands it over is set by a release store, a plain mov on x86: the flush is still
 * under way when the reader sees the flag. The fence comes later. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; };
static struct pool *pm;
static int ready; /* in ordinary memory */
static note looked;

static void *writer(void *arg) {
  pm->x = 1; //@S1
  pm_flush(&pm->x);
  __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
  await(&looked);
  pm_fence();
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  pthread_t t;
  start(&t, writer, NULL);
  while (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE)) pause_ms(2);
  keep(pm->x); //@L1
  tell(&looked);
  finish(t);
  return 0;
}
