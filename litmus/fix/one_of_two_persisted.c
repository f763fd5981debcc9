/* LITMUS
 * command: fix
 * options: --mode opt
 * END */
/* The twin of one_of_two_new: each node is persisted by the name it was written by, before either can be found. */
#include "litmus.h"
#include <perdure.h>

struct node { _Alignas(LINE) uint64_t key; _Alignas(LINE) struct node *next; };
struct pool { _Alignas(LINE) struct node *first; _Alignas(LINE) struct node *second; struct node node[4]; };
static struct pool *pool;
static int nodes; /* in ordinary memory */

static struct node *new_node(void) {
  struct node *n = &pool->node[nodes++];
  PERDURE_ALLOC(n, sizeof *n);
  return n;
}

__attribute__((noinline)) static struct node *either(uint64_t v) {
  struct node *n;
  if (v & 1) {
    n = new_node();
    n->key = v;
    pm_persist(&n->key, sizeof n->key);
  } else {
    n = new_node();
    n->key = v + 1;
    pm_persist(&n->key, sizeof n->key);
  }
  return n;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *p = pm_map(argv[1], sizeof *p);
  pool = p;
  p->first = either((uint64_t)argc);
  pm_persist(&p->first, sizeof p->first);
  struct node *a = new_node();
  struct node *b = new_node();
  struct node *one = argc & 1 ? a : b;
  a->key = 5;
  pm_persist(&a->key, sizeof a->key);
  b->key = 6;
  pm_persist(&b->key, sizeof b->key);
  p->first = a;
  pm_persist(&p->first, sizeof p->first);
  p->second = one;
  pm_persist(&p->second, sizeof p->second);
  return 0;
}
