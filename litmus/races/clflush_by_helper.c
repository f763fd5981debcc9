/* LITMUS
 * command: run
 * END */
/* One thread stores, another one executes clflush on the line, without a fence, and announces it. clflush is ordered
 * by itself and persists the line whoever wrote it. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; };
static struct pool *pm;
static int stage; /* 1 stored, 2 persisted */

static void *writer(void *arg) {
  pm->x = 1;
  __atomic_store_n(&stage, 1, __ATOMIC_RELEASE);
  return arg;
}

static void *helper(void *arg) {
  while (__atomic_load_n(&stage, __ATOMIC_ACQUIRE) != 1) pause_ms(1);
  _mm_clflush(&pm->x);
  __atomic_store_n(&stage, 2, __ATOMIC_RELEASE);
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  pthread_t t1, t2;
  start(&t1, writer, NULL);
  start(&t2, helper, NULL);
  while (__atomic_load_n(&stage, __ATOMIC_ACQUIRE) != 2) pause_ms(1);
  keep(pm->x);
  finish(t1);
  finish(t2);
  return 0;
}
