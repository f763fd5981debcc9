/* LITMUS
 * command: fix
 * options: --mode opt
 * expect: flush at=A1
 * expect: fence before=P1
 * expect: flush at=P1
 * allow: flush at=A2
 * allow: fence
 * after-fix: clean
 * END */
/* A new leaf is put into a new holder that is never published; the leaf is, by a pointer that is loaded from the holder. What was
 * written to the leaf must be persistent before, although its own variable is not what is stored. */
#include "litmus.h"
#include <perdure.h>

struct leaf { _Alignas(LINE) uint64_t key; };
struct holder { _Alignas(LINE) struct leaf *leaf; };
struct pool { _Alignas(LINE) struct leaf *root; struct leaf leaf[4]; struct holder holder[4]; };
static struct pool *pool;
static int leaves, holders; /* in ordinary memory */

static struct leaf *new_leaf(void) {
  struct leaf *l = &pool->leaf[leaves++];
  PERDURE_ALLOC(l, sizeof *l);
  return l;
}

static struct holder *new_holder(void) {
  struct holder *h = &pool->holder[holders++];
  PERDURE_ALLOC(h, sizeof *h);
  return h;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pool = pm_map(argv[1], sizeof *pool);
  struct holder *h = new_holder();
  struct leaf *l = new_leaf();
  l->key = 7; //@A1
  h->leaf = l; //@A2
  pool->root = h->leaf; //@P1
  return 0;
}
