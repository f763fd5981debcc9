/* LITMUS
 * command: run
 * expect: missing-flush store=S1
 * END */
/* A child stores into the shared mapping and ends with _exit; nobody flushes one of its two words. */
#include "litmus.h"
#include <sys/wait.h>

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  uint64_t *pm = pm_map(argv[1], 4096);
  pid_t p = fork();
  if (p == 0) {
    pm[0] = 1; //@S1
    pm[8] = 1;
    _exit(0);
  }
  waitpid(p, NULL, 0);
  pm_persist(&pm[8], 8);
  return 0;
}
