/* LITMUS
 * command: fix
 * options: --mode opt
 * expect: flush at=A1
 * expect: fence before=B1
 * expect: flush at=B1
 * forbid: fence before=E1
 * allow: flush
 * allow: fence
 * after-fix: clean
 * END */
/* A function stores to memory that its caller does not know. It has to flush, for only it knows where; to fence is the caller's matter, which stores only where
 * the flag says so. The unlock is a fence by itself. */
#include "litmus.h"

struct node { _Alignas(LINE) uint64_t x; };
struct pool { _Alignas(LINE) struct node *node; struct node first; _Alignas(LINE) uint64_t y; };
static struct pool *pool;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static void change(uint64_t v) {
  pool->node->x = v; //@A1
} //@E1

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pool = pm_map(argv[1], sizeof *pool);
  pool->node = &pool->first;
  pm_persist(&pool->node, sizeof pool->node);
  pthread_mutex_lock(&lock);
  change(1);
  pthread_mutex_unlock(&lock);
  change(2);
  if (argc > 1) pool->y = 1; //@B1
  return 0;
}
