/* LITMUS
 * command: run
 * libs: -lpmemobj
 * expect: missing-flush store=S1
 * END */
/* What libpmemobj notes for itself inside the pool, when it is given the user's pointer, settings or volatile variables, is not the
 * program's to flush. Its own store is. */
#include "litmus.h"
#include <libpmemobj.h>

struct root { struct pmemvlt state; uint64_t volatile_word; uint64_t word; };

static int set_up(void *data, void *argument) {
  *(uint64_t *)data = *(uint64_t *)argument;
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  PMEMobjpool *pool = pmemobj_create(argv[1], "settings", PMEMOBJ_MIN_POOL, 0600);
  if (pool == NULL) return 9;
  struct root *root = pmemobj_direct(pmemobj_root(pool, sizeof(struct root)));
  pmemobj_set_user_data(pool, &argc);
  if (pmemobj_get_user_data(pool) != &argc) return 9;
  int on = 1;
  if (pmemobj_ctl_set(pool, "stats.enabled", &on) != 0) return 9;
  uint64_t initial = 7;
  if (pmemobj_volatile(pool, &root->state, &root->volatile_word, sizeof initial, set_up, &initial) == NULL) return 9;
  root->word = 1; //@S1
  pmemobj_close(pool);
  return 0;
}
