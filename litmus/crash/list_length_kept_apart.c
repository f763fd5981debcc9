/* LITMUS
 * command: crash
 * libs: -lpmemobj
 * recover: {prog} {pm} recover
 * args: write
 * expect: cross-failure-race store=S1 load=L1
 * allow: recovery-failure
 * allow: missing-flush store=S1
 * END */
/* The library's atomic lists are failure-atomic; the length beside the list is not part of that. */
#include "litmus.h"
#include <perdure.h>
#include <libpmemobj.h>

POBJ_LAYOUT_BEGIN(litmus);
POBJ_LAYOUT_ROOT(litmus, struct root);
POBJ_LAYOUT_TOID(litmus, struct node);
POBJ_LAYOUT_END(litmus);
struct node { uint64_t value; POBJ_LIST_ENTRY(struct node) link; };
struct root { POBJ_LIST_HEAD(nodes, struct node) head; char apart[2 * LINE]; uint64_t length; };
static PMEMobjpool *pop;

static int set_value(PMEMobjpool *p, void *ptr, void *arg) {
  struct node *n = ptr;
  n->value = *(uint64_t *)arg;
  pmemobj_persist(p, &n->value, sizeof n->value);
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  int recovering = strcmp(argv[2], "recover") == 0;
  pop = recovering ? pmemobj_open(argv[1], "litmus") : pmemobj_create(argv[1], "litmus", PMEMOBJ_MIN_POOL, 0600);
  if (pop == NULL) { perror(argv[1]); return 9; }
  TOID(struct root) root = POBJ_ROOT(pop, struct root);
  if (recovering) {
    TOID(struct node) n;
    uint64_t count = 0, sum = 0;
    POBJ_LIST_FOREACH(n, &D_RO(root)->head, link) { count++; sum += D_RO(n)->value; }
    uint64_t length = D_RO(root)->length; keep(length); //@L1
    printf("%d of %d, sum %d\n", (int)count, (int)length, (int)sum);
  } else {
    PERDURE_ROI_BEGIN();
    for (uint64_t i = 1; i <= 2; i++) {
      POBJ_LIST_INSERT_NEW_HEAD(pop, &D_RW(root)->head, link, sizeof(struct node), set_value, &i);
      D_RW(root)->length++; //@S1
    }
    PERDURE_ROI_END();
  }
  pmemobj_close(pop);
  return 0;
}
