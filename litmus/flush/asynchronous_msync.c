/* LITMUS
 * command: run
 * expect: missing-flush store=S1
 * END */
/* msync that only asks for the writing (MS_ASYNC) waits for nothing and persists nothing. */
#include "litmus.h"

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  char *pm = pm_map(argv[1], 8192);
  pm[10] = 1; //@S1
  if (msync(pm, 4096, MS_ASYNC) != 0) return 9;
  pm[5000] = 1;
  if (msync(pm + 4096, 4096, MS_SYNC) != 0) return 9;
  return 0;
}
