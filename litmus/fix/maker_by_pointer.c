/* LITMUS
 * command: fix
 * options: --mode opt
 * expect: flush at=A1
 * expect: flush at=A2
 * expect: fence before=P1
 * expect: flush at=P1
 * allow: fence
 * after-fix: clean
 * END */
/* A function that is called through a pointer returns a new object. Nobody tells its caller what it has written, so it is persistent before it returns. What the caller
 * writes itself it looks after. */
#include "litmus.h"
#include <perdure.h>

struct node { _Alignas(LINE) uint64_t key; _Alignas(LINE) struct node *next; };
struct pool { _Alignas(LINE) struct node *head; struct node node[4]; };
static struct pool *pool;
static int nodes; /* in ordinary memory */

static struct node *make(uint64_t key) {
  struct node *n = &pool->node[nodes++];
  PERDURE_ALLOC(n, sizeof *n);
  n->key = key; //@A1
  return n;
}

static struct node *(*volatile maker)(uint64_t) = make;

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pool = pm_map(argv[1], sizeof *pool);
  for (uint64_t key = 1; key < 4; key++) {
    struct node *n = maker(key);
    n->next = pool->head; //@A2
    pool->head = n; //@P1
  }
  return 0;
}
