/* LITMUS
 * command: run
 * END */
/* The exit handlers and destructors belong to the run: what they persist is persisted. */
#include "litmus.h"

static uint64_t *pm;

static void last(void) { pm_persist(&pm[0], 8); }
__attribute__((destructor)) static void later(void) { pm_persist(&pm[64], 8); }
int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], 4096);
  pm[0] = 1;
  pm[64] = 1;
  atexit(last);
  return 0;
}
