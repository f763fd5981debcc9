/* LITMUS
 * command: run
 * libs: -lpmemobj
 * END */
/* libpmemobj: a block is allocated, filled, persisted, read by another thread and freed; then one is allocated again,
 * which may well be the same. pmemobj_alloc makes its bytes private once more, so the second filling races with no
 * earlier load. */
#include "litmus.h"
#include <libpmemobj.h>

struct block { uint64_t value[8]; };
static PMEMobjpool *pop;
static struct block *block;
static int stage; /* whose turn it is */

static void wait_for(int s) {
  while (__atomic_load_n(&stage, __ATOMIC_ACQUIRE) != s) pause_ms(1);
}
static void now(int s) { __atomic_store_n(&stage, s, __ATOMIC_RELEASE); }

static PMEMoid fill(uint64_t v) {
  PMEMoid oid;
  if (pmemobj_alloc(pop, &oid, sizeof(struct block), 1, NULL, NULL) != 0) exit(9);
  block = pmemobj_direct(oid);
  block->value[0] = v;
  pmemobj_persist(pop, block, sizeof *block);
  return oid;
}

static void *owner(void *arg) {
  PMEMoid oid = fill(1);
  now(1);
  wait_for(2);
  pmemobj_free(&oid);
  fill(2);
  now(3);
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
  keep(block->value[0]);
  now(2);
  wait_for(3);
  keep(block->value[0]);
  finish(t);
  pmemobj_close(pop);
  return 0;
}
