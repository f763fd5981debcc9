/* LITMUS
 * command: run
 * END */
/* A flag that only serves to hand x over lies in persistent memory and is never flushed. It is declared as such, with
 * its value after a restart, so it gives neither a race nor a missing flush. */
#include "litmus.h"
#include <perdure.h>

struct pool { _Alignas(LINE) uint64_t x; _Alignas(LINE) int ready; };
static struct pool *pm;

static void *writer(void *arg) {
  pm->x = 1;
  pm_persist(&pm->x, sizeof pm->x);
  __atomic_store_n(&pm->ready, 1, __ATOMIC_RELEASE);
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  PERDURE_SYNC_VAR(&pm->ready, sizeof pm->ready, 0);
  pthread_t t;
  start(&t, writer, NULL);
  while (!__atomic_load_n(&pm->ready, __ATOMIC_ACQUIRE)) pause_ms(2);
  keep(pm->x);
  finish(t);
  return 0;
}
