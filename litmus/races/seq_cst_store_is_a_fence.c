/* LITMUS
 * command: run
 * END */
/* x is flushed, and the flag that hands it over is set by a sequentially consistent store. On x86 that is an xchg,
 * which completes the flush before the flag is seen. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; };
static struct pool *pm;
static int ready; /* in ordinary memory */

static void *writer(void *arg) {
  pm->x = 1;
  pm_flush(&pm->x);
  __atomic_store_n(&ready, 1, __ATOMIC_SEQ_CST);
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  pthread_t t;
  start(&t, writer, NULL);
  while (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE)) pause_ms(2);
  keep(pm->x);
  finish(t);
  return 0;
}
