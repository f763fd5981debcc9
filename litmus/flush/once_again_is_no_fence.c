/* LITMUS
 * command: run
 * expect: missing-fence store=S1
 * END */
/* Passing through pthread_once when its routine has already run is a plain load: the flush before it stays pending. */
#include "litmus.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void nothing(void) {}
struct pool { _Alignas(LINE) uint64_t x; _Alignas(LINE) uint64_t y; };

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pm = pm_map(argv[1], sizeof *pm);
  pthread_once(&once, nothing);
  pm->x = 1; //@S1
  pm_flush(&pm->x);
  pthread_once(&once, nothing);
  return 0;
}
