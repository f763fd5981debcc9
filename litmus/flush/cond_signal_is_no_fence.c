/* LITMUS
 * command: run
 * expect: missing-fence store=S1
 * END */
/* Signalling a condition variable that nobody waits for executes no locked instruction: the flush before it stays
 * pending. */
#include "litmus.h"

static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
struct pool { _Alignas(LINE) uint64_t x; _Alignas(LINE) uint64_t y; };

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pm = pm_map(argv[1], sizeof *pm);
  pm->x = 1; //@S1
  pm_flush(&pm->x);
  pthread_cond_signal(&changed);
  return 0;
}
