/* Threads that allocate, free and change objects of libpmemobj at the same time. One word of the program's own is read by another thread
 * before it is persisted. */
#include <libpmemobj.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

POBJ_LAYOUT_BEGIN(traffic);
POBJ_LAYOUT_ROOT(traffic, struct root);
POBJ_LAYOUT_TOID(traffic, struct node);
POBJ_LAYOUT_END(traffic);

enum { THREADS = 2, ROUNDS = 40 };
struct node {
  uint64_t key;
  char text[200];
};
struct part {
  PMEMmutex lock;
  TOID(struct node) head;
  PMEMoid raw;
};
struct root {
  struct part part[THREADS];
  PMEMmutex lock;
  uint64_t unflushed;
};

static PMEMobjpool *pool;
static struct root *root;

static uint64_t count(void) {
  pmemobj_mutex_lock(pool, &root->lock);
  uint64_t now = ++root->unflushed;
  pmemobj_mutex_unlock(pool, &root->lock);
  return now;
}

static void *work(void *number) {
  struct part *p = &root->part[(long)number];
  for (int i = 0; i < ROUNDS; i++) {
    uint64_t key = count();
    TX_BEGIN_PARAM(pool, TX_PARAM_MUTEX, &p->lock, TX_PARAM_NONE) {
      TX_ADD_DIRECT(p);
      if (!TOID_IS_NULL(p->head)) {
        TX_FREE(p->head);
      }
      p->head = i % 3 != 0 ? TX_NEW(struct node) : TX_ZALLOC(struct node, 4000);
      D_RW(p->head)->key = key;
      if (i % 7 == 6) {
        pmemobj_tx_abort(1);
      }
    }
    TX_END
    if (!OID_IS_NULL(p->raw)) {
      pmemobj_free(&p->raw);
    }
    if (pmemobj_alloc(pool, &p->raw, 64 + (size_t)(i * 37 % 3000), 1, NULL, NULL) != 0) {
      abort();
    }
  }
  return NULL;
}

int main(int argc, char **argv) {
  pool = argc > 1 ? pmemobj_create(argv[1], POBJ_LAYOUT_NAME(traffic), PMEMOBJ_MIN_POOL, 0600) : NULL;
  if (pool == NULL) {
    fprintf(stderr, "%s\n", pmemobj_errormsg());
    return 1;
  }
  root = pmemobj_direct(pmemobj_root(pool, sizeof *root));
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; i++) {
    if (pthread_create(&threads[i], NULL, work, (void *)i) != 0) {
      return 1;
    }
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
  pmemobj_close(pool);
  return 0;
}
