/* LITMUS
 * command: run
 * libs: -lpmemobj
 * END */
/* libpmemobj's atomic lists: two threads insert new elements, built by a constructor, and walk the list, under one lock. */
#include "litmus.h"
#include <libpmemobj.h>

POBJ_LAYOUT_BEGIN(l);
POBJ_LAYOUT_ROOT(l, struct root);
POBJ_LAYOUT_TOID(l, struct item);
POBJ_LAYOUT_END(l);
struct item { uint64_t v; POBJ_LIST_ENTRY(struct item) e; };
struct root { POBJ_LIST_HEAD(head, struct item) h; };
static PMEMobjpool *pop;
static TOID(struct root) root;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;

static int build(PMEMobjpool *p, void *ptr, void *arg) {
  struct item *i = ptr;
  i->v = (uintptr_t)arg;
  pmemobj_persist(p, &i->v, 8);
  return 0;
}

static void *worker(void *arg) {
  for (uintptr_t i = 0; i < 10; i++) {
    pthread_mutex_lock(&a);
    POBJ_LIST_INSERT_NEW_TAIL(pop, &D_RW(root)->h, e, sizeof(struct item), build, (void *)i);
    uint64_t sum = 0;
    TOID(struct item) it;
    POBJ_LIST_FOREACH(it, &D_RO(root)->h, e) sum += D_RO(it)->v;
    keep(sum);
    if (i % 3 == 2) {
      TOID(struct item) first = POBJ_LIST_FIRST(&D_RO(root)->h);
      POBJ_LIST_REMOVE_FREE(pop, &D_RW(root)->h, first, e);
    }
    pthread_mutex_unlock(&a);
    pause_ms(1);
  }
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pop = pmemobj_create(argv[1], POBJ_LAYOUT_NAME(l), PMEMOBJ_MIN_POOL, 0600);
  if (!pop) return 9;
  root = POBJ_ROOT(pop, struct root);
  pthread_t t, u;
  start(&t, worker, NULL);
  start(&u, worker, NULL);
  finish(t);
  finish(u);
  pmemobj_close(pop);
  return 0;
}
