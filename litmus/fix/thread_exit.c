/* LITMUS
 * command: fix
 * options: --mode opt
 * expect: flush at=A1
 * expect: flush at=L1
 * expect: fence before=E1
 * expect: flush at=A2
 * allow: fence
 * END */
/* A thread reads x atomically and hands it over by pthread_exit. Whoever joins it may rely on x: it has to be persistent before the
 * thread ends, although the thread itself stores nothing. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; _Alignas(LINE) uint64_t y; };
static struct pool *pool;

static void *writer(void *arg) {
  __atomic_store_n(&pool->x, 1, __ATOMIC_RELEASE); //@A1
  return arg;
}

static void *reader(void *arg) {
  (void)arg;
  uint64_t r = __atomic_load_n(&pool->x, __ATOMIC_ACQUIRE); //@L1
  pthread_exit((void *)(uintptr_t)r); //@E1
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pool = pm_map(argv[1], sizeof *pool);
  pthread_t t1, t2;
  void *seen = NULL;
  start(&t1, writer, NULL);
  start(&t2, reader, NULL);
  pthread_join(t2, &seen);
  pool->y = (uint64_t)(uintptr_t)seen; //@A2
  finish(t1);
  return 0;
}
