/* LITMUS
 * command: run
 * expect: missing-fence store=S1
 * END */
/* Unlocking an inner level of a recursive mutex only counts down. The flush before it stays pending; the program ends
 * with the outer level still held. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; _Alignas(LINE) uint64_t y; };

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pm = pm_map(argv[1], sizeof *pm);
  pthread_mutexattr_t kind;
  pthread_mutex_t a;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&a, &kind);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&a);
  pm->x = 1; //@S1
  pm_flush(&pm->x);
  pthread_mutex_unlock(&a);
  return 0;
}
