/* Transactions of libpmemobj that change two words of a random entry each: POOL OPERATIONS. */
#include <libpmemobj.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define ENTRIES 4096

struct entry {
  uint64_t key, value;
};
struct root {
  struct entry entries[ENTRIES];
};

int main(int count, char **words) {
  if (count < 3) {
    return 2;
  }
  PMEMobjpool *pool = pmemobj_create(words[1], "bench", PMEMOBJ_MIN_POOL, 0600);
  if (pool == NULL) {
    fprintf(stderr, "%s\n", pmemobj_errormsg());
    return 1;
  }
  struct root *root = pmemobj_direct(pmemobj_root(pool, sizeof *root));
  uint64_t random = 88172645463325252u, sum = 0;
  for (long i = atol(words[2]); i > 0; i--) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    struct entry *e = &root->entries[random % ENTRIES];
    TX_BEGIN(pool) {
      pmemobj_tx_add_range_direct(e, sizeof *e);
      e->key = random;
      e->value += (uint64_t)i;
    }
    TX_END
    sum += root->entries[random >> 32 & (ENTRIES - 1)].value;
  }
  printf("%lu\n", sum);
  pmemobj_close(pool);
  return 0;
}
