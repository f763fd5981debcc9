/* LITMUS
 * command: fix
 * options: --mode opt
 * expect: flush at=A1
 * expect: flush at=L1
 * expect: flush at=A2
 * expect: flush at=X1
 * allow: fence
 * END */
/* A node is published by a compare-and-swap, which compilers do on integers: the node escapes all the same. The exchange is
 * itself a fence, so the node needs flushes before it and perhaps nothing else. */
#include "litmus.h"
#include <perdure.h>

struct node { _Alignas(LINE) uint64_t data; _Alignas(LINE) struct node *next; };
struct pool { _Alignas(LINE) struct node *top; struct node node[8]; };
static struct pool *pool;
static int used; /* in ordinary memory */

static struct node *new_node(void) {
  struct node *n = &pool->node[__atomic_fetch_add(&used, 1, __ATOMIC_RELAXED)];
  PERDURE_ALLOC(n, sizeof *n);
  return n;
}

static void *push(void *arg) {
  struct node *n = new_node();
  n->data = 7; //@A1
  struct node *top = __atomic_load_n(&pool->top, __ATOMIC_ACQUIRE); //@L1
  do {
    n->next = top; //@A2
  } while (!__atomic_compare_exchange_n(&pool->top, &top, n, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)); //@X1
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pool = pm_map(argv[1], sizeof *pool);
  pthread_t t;
  start(&t, push, NULL);
  push(NULL);
  finish(t);
  return 0;
}
