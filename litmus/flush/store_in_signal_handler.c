/* LITMUS
 * command: run
 * expect: missing-flush store=S1
 * END */
/* A signal handler stores to two lines and persists one of them. */
#include "litmus.h"
#include <signal.h>

static volatile uint64_t *pm;

static void on(int s) {
  pm[0] = (uint64_t)s; //@S1
  pm[64] = 2;
  pm_flush(&pm[64]);
  pm_fence();
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], 4096);
  struct sigaction sa = {.sa_handler = on};
  sigaction(SIGUSR1, &sa, NULL);
  raise(SIGUSR1);
  sigaction(SIGALRM, &sa, NULL);
  return 0;
}
