/* LITMUS
 * command: fix
 * options: --mode opt
 * expect: flush at=A1
 * expect: flush at=S1
 * expect: fence before=P1
 * expect: flush at=P1
 * allow: flush
 * allow: fence
 * after-fix: clean
 * END */
/* Between the writing of a new object and its publication a function stores elsewhere, and needs what is reachable to be persistent before. The
 * new object is not reachable yet: nothing is done about it there, and it still has to be flushed. */
#include "litmus.h"
#include <perdure.h>

struct node { _Alignas(LINE) uint64_t key; struct node *next; };
struct pool { _Alignas(LINE) uint64_t count; _Alignas(LINE) uint64_t sum; _Alignas(LINE) struct node *root; struct node node[4]; };
static struct pool *pool;
static int nodes; /* in ordinary memory */

static struct node *new_node(void) {
  struct node *n = &pool->node[nodes++];
  PERDURE_ALLOC(n, sizeof *n);
  return n;
}

__attribute__((noinline)) static void account(uint64_t key) {
  pool->count++; //@S1
  pool->sum += key;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pool = pm_map(argv[1], sizeof *pool);
  for (uint64_t key = 1; key < 4; key++) {
    struct node *n = new_node();
    n->key = key; //@A1
    account(key);
    n->next = pool->root;
    pool->root = n; //@P1
  }
  return 0;
}
