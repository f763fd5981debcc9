/* LITMUS
 * command: run
 * expect: missing-flush store=S1
 * expect: missing-flush store=S2
 * expect: redundant-fence persist=P1
 * END */
/* Only regions of interest count; they may be opened again, and belong to the process: another thread's stores count as
 * well. */
#include "litmus.h"
#include <perdure.h>

static volatile uint64_t *pm;

static void *other(void *a) {
  pm[8] = 1; //@S1
  return a;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], 4096);
  pthread_t t;
  pm[0] = 1;
  pm_fence();
  PERDURE_ROI_BEGIN();
  start(&t, other, NULL);
  finish(t);
  PERDURE_ROI_END();
  pm[16] = 1;
  pm_fence();
  PERDURE_ROI_BEGIN();
  pm[24] = 1; //@S2
  pm_fence(); //@P1
  PERDURE_ROI_END();
  pm[32] = 1;
  return 0;
}
