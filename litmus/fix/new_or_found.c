/* LITMUS
 * command: fix
 * options: --mode opt
 * expect: flush at=A1
 * expect: fence before=P1
 * expect: flush at=P1
 * expect: flush at=P2
 * allow: flush
 * allow: fence
 * after-fix: clean
 * END */
/* A function returns the node that it was given, or a new one if there is none. The caller stores what it gets, which publishes the new node: it was written by another
 * name, and only on one of the ways. */
#include "litmus.h"
#include <perdure.h>

struct node { _Alignas(LINE) uint64_t key; _Alignas(LINE) struct node *child[2]; };
struct pool { _Alignas(LINE) struct node *root; struct node node[8]; };
static struct pool *pool;
static int nodes; /* in ordinary memory */

static struct node *insert(struct node *at, uint64_t key) {
  if (at == NULL) {
    struct node *n = &pool->node[nodes++];
    PERDURE_ALLOC(n, sizeof *n);
    n->key = key; //@A1
    return n;
  }
  int side = at->key < key;
  at->child[side] = insert(at->child[side], key); //@P1
  return at;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pool = pm_map(argv[1], sizeof *pool);
  static const uint64_t keys[] = {5, 2, 8, 1, 9, 3};
  for (int i = 0; i < 6; i++) pool->root = insert(pool->root, keys[i]); //@P2
  return 0;
}
