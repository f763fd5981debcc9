/* LITMUS
 * command: crash
 * libs: -lpmemobj
 * recover: {prog} {pm} recover
 * args: write
 * expect: cross-failure-race store=S1 load=L2
 * expect: cross-failure-race store=S2 load=L1
 * END */
/* An object is allocated without a constructor, linked, and initialised afterwards. Recovery finds it linked and reads
 * what nobody has written. */
#include "litmus.h"
#include <perdure.h>
#include <libpmemobj.h>

struct item { uint64_t value; char rest[200]; };
struct root { PMEMoid item; };
static PMEMobjpool *pop;

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  int recovering = strcmp(argv[2], "recover") == 0;
  pop = recovering ? pmemobj_open(argv[1], "litmus") : pmemobj_create(argv[1], "litmus", PMEMOBJ_MIN_POOL, 0600);
  if (pop == NULL) { perror(argv[1]); return 9; }
  struct root *root = pmemobj_direct(pmemobj_root(pop, sizeof *root));
  if (recovering) {
    if (!OID_IS_NULL(root->item)) {
      struct item *item = pmemobj_direct(root->item);
      uint64_t value = item->value; keep(value); //@L1
      uint64_t rest = (uint64_t)item->rest[0]; keep(rest); //@L2
    }
  } else {
    PERDURE_ROI_BEGIN();
    pmemobj_alloc(pop, &root->item, sizeof(struct item), 1, NULL, NULL); //@S1
    struct item *item = pmemobj_direct(root->item);
    item->value = 42; //@S2
    pmemobj_persist(pop, &item->value, sizeof item->value);
    PERDURE_ROI_END();
  }
  pmemobj_close(pop);
  return 0;
}
