/* LITMUS
 * command: run
 * libs: -lpmemobj
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=happens-before
 * END */
/* libpmemobj: a fresh block is filled and handed over before pmemobj_persist. The allocation has persisted the heap's
 * own data, not what the program writes into the block. */
#include "litmus.h"
#include <libpmemobj.h>

struct block { uint64_t value[8]; };
static PMEMobjpool *pop;
static struct block *block;
static int stage; /* whose turn it is */
static note looked;

static void wait_for(int s) {
  while (__atomic_load_n(&stage, __ATOMIC_ACQUIRE) != s) pause_ms(1);
}
static void now(int s) { __atomic_store_n(&stage, s, __ATOMIC_RELEASE); }

static void *owner(void *arg) {
  PMEMoid oid;
  if (pmemobj_alloc(pop, &oid, sizeof(struct block), 1, NULL, NULL) != 0) exit(9);
  block = pmemobj_direct(oid);
  block->value[0] = 1; //@S1
  now(1);
  await(&looked);
  pmemobj_persist(pop, block, sizeof *block);
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  unlink(argv[1]);
  pop = pmemobj_create(argv[1], "litmus", PMEMOBJ_MIN_POOL, 0600);
  if (pop == NULL) { perror(argv[1]); return 9; }
  pthread_t t;
  start(&t, owner, NULL);
  wait_for(1);
  keep(block->value[0]); //@L1
  tell(&looked);
  finish(t);
  pmemobj_close(pop);
  return 0;
}
