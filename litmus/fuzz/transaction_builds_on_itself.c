/* LITMUS
 * command: run
 * options: --detect taint
 * libs: -lpmemobj
 * expect: intra-thread-inconsistency store=S1 load=L1 effect=E1
 * END */
/* A transaction reads back what it has logged and written, and what it has allocated, and writes what depends on it: all of that
 * is undone together. Behind it, the same without a transaction is an inconsistency: the sum is persisted before its part. */
#include "litmus.h"
#include <libpmemobj.h>

struct root { uint64_t part, sum; _Alignas(LINE) uint64_t loose_part; _Alignas(LINE) uint64_t loose_sum; PMEMoid node; };

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  remove(argv[1]);
  PMEMobjpool *pool = pmemobj_create(argv[1], "litmus", PMEMOBJ_MIN_POOL, 0600);
  if (pool == NULL) return 3;
  struct root *root = pmemobj_direct(pmemobj_root(pool, sizeof *root));
  TX_BEGIN(pool) {
    pmemobj_tx_add_range_direct(&root->part, sizeof root->part);
    pmemobj_tx_add_range_direct(&root->sum, sizeof root->sum);
    *(volatile uint64_t *)&root->part = 5;
    uint64_t part = *(volatile uint64_t *)&root->part;
    *(volatile uint64_t *)&root->sum = part + 1;
    pmemobj_tx_add_range_direct(&root->node, sizeof root->node);
    root->node = pmemobj_tx_alloc(64, 1);
    volatile uint64_t *node = pmemobj_direct(*(volatile PMEMoid *)&root->node);
    node[0] = part;
    node[1] = node[0] * 2;
  } TX_END
  *(volatile uint64_t *)&root->loose_part = 7; //@S1
  uint64_t part = *(volatile uint64_t *)&root->loose_part; //@L1
  *(volatile uint64_t *)&root->loose_sum = part + 1; //@E1
  pmemobj_persist(pool, &root->loose_sum, sizeof root->loose_sum);
  pmemobj_persist(pool, &root->loose_part, sizeof root->loose_part);
  pmemobj_close(pool);
  return 0;
}
