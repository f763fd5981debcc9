/* LITMUS
 * command: fix
 * options: --mode opt
 * expect: flush at=A1
 * expect: flush at=A2
 * expect: fence before=P1
 * expect: flush at=P1
 * expect: flush at=A3
 * expect: flush at=A4
 * expect: fence before=P2
 * expect: flush at=P2
 * expect: fence before=P3
 * expect: flush at=P3
 * allow: fence
 * after-fix: clean
 * END */
/* A reference means one of two new nodes. Whoever publishes it publishes either, whatever name the node was written by; so does a function that returns it. And when
 * one of the two has been published, the other may still be found by the reference later. */
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
    n->key = v; //@A1
  } else {
    n = new_node();
    n->key = v + 1; //@A2
  }
  return n;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pool = pm_map(argv[1], sizeof *pool);
  pool->first = either((uint64_t)argc); //@P1
  struct node *a = new_node();
  struct node *b = new_node();
  struct node *one = argc & 1 ? a : b;
  a->key = 5; //@A3
  b->key = 6; //@A4
  pool->first = a; //@P2
  pool->second = one; //@P3
  return 0;
}
