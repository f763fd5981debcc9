/* LITMUS
 * command: run
 * expect: missing-flush store=S1
 * END */
/* The mapping grows by mremap, which may move it. A store made before is persisted through the new address: state
 * belongs to the memory, not to the address. A store into the new part is never flushed. */
#include "litmus.h"

#define PAGE 4096

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  char *pm = pm_map(argv[1], PAGE);
  pm[0] = 1;
  if (truncate(argv[1], 2 * PAGE) != 0) return 9;
  pm = mremap(pm, PAGE, 2 * PAGE, MREMAP_MAYMOVE);
  if (pm == MAP_FAILED) return 9;
  pm_flush(pm);
  pm_fence();
  pm[PAGE] = 2; //@S1
  return 0;
}
