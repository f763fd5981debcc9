/* LITMUS
 * command: fix
 * options: --mode opt
 * expect: flush at=A1
 * expect: flush at=B1
 * allow: flush
 * allow: fence
 * after-fix: clean
 * END */
/* Nothing ever holds the address of the new nodes: what is written to them in one round of the loop has lost its name in the next, and is persistent
 * before the next store. (Without PERDURE_ALLOC it would be before the store of the number, too.) */
#include "litmus.h"
#include <perdure.h>

struct node { _Alignas(LINE) uint64_t key; };
struct pool { _Alignas(LINE) uint64_t last; struct node node[4]; };

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pool = (struct pool *)pm_map(argv[1], sizeof *pool);
  for (uint64_t i = 0; i < 4; i++) {
    struct node *n = &pool->node[i];
    PERDURE_ALLOC(n, sizeof *n);
    n->key = i + 7; //@A1
    pool->last = i; //@B1
  }
  return 0;
}
