/* LITMUS
 * command: fix
 * options: --mode opt
 * expect: flush at=A1
 * expect: flush at=A2
 * expect: flush at=A3
 * expect: fence before=P1
 * expect: flush at=P1
 * forbid: fence before=A2
 * forbid: fence before=A3
 * allow: fence
 * after-fix: clean
 * END */
/* A new leaf is put into a new node, and then the node is published. The store that links the two makes nothing reachable: one
 * fence before the publication does for both objects. */
#include "litmus.h"
#include <perdure.h>

struct leaf { _Alignas(LINE) uint64_t key; };
struct node { _Alignas(LINE) uint64_t bit; _Alignas(LINE) struct leaf *leaf; };
struct pool { _Alignas(LINE) struct node *root; struct leaf leaf[4]; struct node node[4]; };
static struct pool *pool;
static int leaves, nodes; /* in ordinary memory */

static struct leaf *new_leaf(void) {
  struct leaf *l = &pool->leaf[leaves++];
  PERDURE_ALLOC(l, sizeof *l);
  return l;
}

static struct node *new_node(void) {
  struct node *n = &pool->node[nodes++];
  PERDURE_ALLOC(n, sizeof *n);
  return n;
}

static void insert(uint64_t key) {
  struct node *n = new_node();
  struct leaf *l = new_leaf();
  l->key = key; //@A1
  n->leaf = l; //@A2
  n->bit = key & 1; //@A3
  pool->root = n; //@P1
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pool = pm_map(argv[1], sizeof *pool);
  insert(7);
  return 0;
}
