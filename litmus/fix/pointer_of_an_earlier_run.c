/* LITMUS
 * command: fix
 * options: --mode opt
 * expect: flush at=A1
 * expect: fence before=B1
 * expect: flush at=B1
 * allow: fence
 * after-fix: clean
 * END */
/* The program never stores the pointer that it follows: an earlier run has left it in the pool. What it leads to is persistent memory all the same. */
#include "litmus.h"

struct node { _Alignas(LINE) uint64_t x; };
struct pool { struct node *node; _Alignas(LINE) uint64_t count; };

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pool = pm_map(argv[1], sizeof *pool);
  struct node *node = pool->node;
  if (node != NULL) node->x++; //@A1
  pool->count++; //@B1
  return 0;
}
