/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=proven evidence=happens-before
 * expect: persistency-race store=S2 load=L1 level<=proven evidence=happens-before
 * END */
/* A block that was allocated without zeroing is handed over before anything is written to it. What the reader finds
 * there is nobody's value and nobody has persisted it: the allocation counts as an unpersisted store until the owner
 * writes the bytes. Nothing orders the load before the first real store either, so that pair is unordered, too. */
#include "litmus.h"
#include <perdure.h>

struct block { _Alignas(LINE) uint64_t value; };
static struct block *block;
static int shared; /* in ordinary memory */
static note looked;

static void *owner(void *arg) {
  PERDURE_ALLOC(block, sizeof *block); //@S1
  __atomic_store_n(&shared, 1, __ATOMIC_RELEASE);
  await(&looked);
  memset(block, 1, sizeof *block); //@S2
  pm_persist(block, sizeof *block);
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  block = pm_map(argv[1], sizeof *block);
  pthread_t t;
  start(&t, owner, NULL);
  while (!__atomic_load_n(&shared, __ATOMIC_ACQUIRE)) pause_ms(2);
  keep(block->value); //@L1
  tell(&looked);
  finish(t);
  return 0;
}
