#include "pm.h"
/* A server: ends by SIGTERM, in good order. */
static volatile sig_atomic_t stop;
static void on_term(int s) { (void)s; stop = 1; }
int main(int argc, char **argv) {
  (void)argc;
  uint64_t *pm = pm_map(argv[1]);
  signal(SIGTERM, on_term);
  signal(SIGINT, on_term);
  pm[0] = 1;
  while (!stop) usleep(1000);
  return 0;
}
