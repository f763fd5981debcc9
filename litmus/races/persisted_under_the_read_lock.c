/* LITMUS
 * command: run
 * options: --detect lockset
 * expect: persistency-race store=S1 load=L1
 * END */
/* Stored under the write-lock, persisted under the read-lock of the same rwlock: another section. Readers may come in
 * between. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; };
static struct pool *pm;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;

static void *writer(void *a) {
  pthread_rwlock_wrlock(&rw);
  pm->x = 1; //@S1
  pthread_rwlock_unlock(&rw);
  pthread_rwlock_rdlock(&rw);
  pm_persist(&pm->x, 8);
  pthread_rwlock_unlock(&rw);
  return a;
}

static void *reader(void *a) {
  for (int i = 0; i < 20; i++) {
    pthread_rwlock_rdlock(&rw);
    keep(pm->x); //@L1
    pthread_rwlock_unlock(&rw);
  }
  return a;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  keep(pm->x);
  pthread_t t[2];
  start(&t[0], reader, NULL);
  start(&t[1], writer, NULL);
  for (int i = 0; i < 2; i++) finish(t[i]);
  return 0;
}
