/* LITMUS
 * command: run
 * expect: missing-flush store=S1
 * END */
/* A sparse pool of six gigabytes: places that are four gigabytes apart are different ones. */
#include "litmus.h"

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  char *pm = pm_map(argv[1], (size_t)6 << 30);
  char *far = pm + ((size_t)5 << 30);
  far[0] = 1;
  pm_persist(far, 1);
  far[64] = 1; //@S1
  pm[((size_t)1 << 30) + 64] = 1;
  pm_persist(pm + ((size_t)1 << 30) + 64, 1);
  return 0;
}
