/* LITMUS
 * command: run
 * expect: missing-flush store=S1
 * END */
/* Unmapping persists nothing. What is flushed through the next mapping of the file is persisted. */
#include "litmus.h"

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  uint64_t *pm = pm_map(argv[1], 8192);
  pm[0] = 1; //@S1
  pm[64] = 1;
  munmap(pm, 8192);
  pm = pm_map(argv[1], 8192);
  pm_persist(&pm[64], 8);
  return 0;
}
