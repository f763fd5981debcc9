/* LITMUS
 * command: crash
 * libs: -lpmemobj
 * recover: {prog} {pm} recover
 * args: write
 * END */
/* Transactions as they should be: a nested one, one that is aborted and rolled back, one that ends early. Whatever the moment
 * of the failure, the two words are equal after opening. */
#include "litmus.h"
#include <perdure.h>
#include <libpmemobj.h>

struct root { uint64_t a; char apart[LINE]; uint64_t b; };
static PMEMobjpool *pop;
static struct root *root;

static void set_b(uint64_t v) {
  TX_BEGIN(pop) {
    pmemobj_tx_add_range_direct(&root->b, sizeof root->b);
    root->b = v;
  } TX_END
}

static void both(uint64_t v) {
  TX_BEGIN(pop) {
    pmemobj_tx_add_range_direct(&root->a, sizeof root->a);
    root->a = v;
    set_b(v);
  } TX_END
}

static void given_up(uint64_t v) {
  TX_BEGIN(pop) {
    pmemobj_tx_add_range_direct(&root->a, sizeof root->a);
    root->a = v;
    pmemobj_tx_abort(1);
  } TX_ONABORT {
    printf("aborted\n");
  } TX_END
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  int recovering = strcmp(argv[2], "recover") == 0;
  pop = recovering ? pmemobj_open(argv[1], "litmus") : pmemobj_create(argv[1], "litmus", PMEMOBJ_MIN_POOL, 0600);
  if (pop == NULL) { perror(argv[1]); return 9; }
  root = pmemobj_direct(pmemobj_root(pop, sizeof *root));
  int code = 0;
  if (recovering) {
    code = root->a == root->b ? 0 : 6;
  } else {
    PERDURE_ROI_BEGIN();
    both(1);
    given_up(2);
    both(3);
    PERDURE_ROI_END();
  }
  pmemobj_close(pop);
  return code;
}
