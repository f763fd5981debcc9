/* Transactions of libpmemobj, by one thread. Beside its work it copies its memory map to the file of the second argument. */
#include <libpmemobj.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "maps.h"

POBJ_LAYOUT_BEGIN(oracle);
POBJ_LAYOUT_ROOT(oracle, struct root);
POBJ_LAYOUT_TOID(oracle, struct node);
POBJ_LAYOUT_END(oracle);

struct node {
  uint64_t key;
  char value[48];
  TOID(struct node) next;
};

struct root {
  uint64_t count;
  TOID(struct node) buckets[16];
};

static int put(PMEMobjpool *pop, uint64_t key, const char *value) {
  TOID(struct root) root = POBJ_ROOT(pop, struct root);
  int failed = 0;
  TX_BEGIN(pop) {
    TX_ADD(root);
    TOID(struct node) node = TX_NEW(struct node);
    D_RW(node)->key = key;
    strncpy(D_RW(node)->value, value, sizeof D_RW(node)->value - 1);
    D_RW(node)->next = D_RO(root)->buckets[key % 16];
    D_RW(root)->buckets[key % 16] = node;
    D_RW(root)->count++;
    if (key % 7 == 3) pmemobj_tx_abort(1);
  }
  TX_ONABORT { failed = 1; }
  TX_END
  return failed;
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  PMEMobjpool *pop = pmemobj_create(argv[1], POBJ_LAYOUT_NAME(oracle), PMEMOBJ_MIN_POOL, 0600);
  if (pop == NULL) {
    fprintf(stderr, "%s\n", pmemobj_errormsg());
    return 3;
  }
  int failed = 0;
  for (uint64_t i = 0; i < 40; i++) failed += put(pop, i * 5, "a value in persistent memory");
  TOID(struct root) root = POBJ_ROOT(pop, struct root);
  TX_BEGIN(pop) {
    TX_ADD_FIELD(root, buckets[0]);
    TOID(struct node) first = D_RO(root)->buckets[0];
    D_RW(root)->buckets[0] = D_RO(first)->next;
    TX_FREE(first);
  }
  TX_END
  printf("%llu %d\n", (unsigned long long)D_RO(root)->count, failed);
  int written = write_maps(argv[2]);
  pmemobj_close(pop);
  return written;
}
