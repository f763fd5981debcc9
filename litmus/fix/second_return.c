/* LITMUS
 * command: fix
 * options: --mode opt
 * expect: flush at=A1
 * expect: flush at=P1
 * expect: flush at=B1
 * expect: flush at=B2
 * allow: fence
 * after-fix: clean
 * END */
/* A new object is published behind a setjmp; longjmp brings control back to where it was new. It is not new any more: what is stored to it now is reachable. */
#include "litmus.h"
#include <perdure.h>
#include <setjmp.h>

struct node { _Alignas(LINE) uint64_t key; _Alignas(LINE) uint64_t value; };
struct pool { _Alignas(LINE) struct node *root; struct node node[2]; };
static struct pool *pool;
static jmp_buf back;

static struct node *new_node(void) {
  struct node *n = &pool->node[0];
  PERDURE_ALLOC(n, sizeof *n);
  return n;
}

__attribute__((noinline)) static void publish(struct node *n) {
  pool->root = n; //@P1
  longjmp(back, 1);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pool = pm_map(argv[1], sizeof *pool);
  struct node *n = new_node();
  n->key = 1; //@A1
  if (!setjmp(back)) publish(n);
  n->value = 2; //@B1
  n->key = 3; //@B2
  return 0;
}
