/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=happens-before
 * expect: missing-flush store=S1
 * END */
/* A flag that only serves to hand x over lies in persistent memory and is never flushed. Nobody has declared it, and
 * a flag that is stored once and loaded is no lock that could be recognised: it counts as data. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; _Alignas(LINE) int ready; };
static struct pool *pm;

static void *writer(void *arg) {
  pm->x = 1;
  pm_persist(&pm->x, sizeof pm->x);
  __atomic_store_n(&pm->ready, 1, __ATOMIC_RELEASE); //@S1
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  pthread_t t;
  start(&t, writer, NULL);
  while (!__atomic_load_n(&pm->ready, __ATOMIC_ACQUIRE)) pause_ms(2); //@L1
  keep(pm->x);
  finish(t);
  return 0;
}
