/* LITMUS
 * command: run
 * expect: missing-flush store=S1
 * END */
/* The program stores, then becomes another one, which ends well. */
#include "litmus.h"

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  uint64_t *pm = pm_map(argv[1], 4096);
  pm[0] = 1; //@S1
  pm[64] = 1;
  pm_persist(&pm[64], 8);
  execl("/bin/true", "true", (char *)NULL);
  return 9;
}
