/* LITMUS
 * command: run
 * expect: missing-flush store=S1
 * END */
/* A loop that flushes one line too few: a range that does not begin at a line. */
#include "litmus.h"

static void persist_range(const char *p, size_t n) {
  for (size_t i = 0; i < n; i += 64) _mm_clflush(p + i);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  char *pm = pm_map(argv[1], 4096);
  memset(pm + 32, 1, 128); //@S1
  persist_range(pm + 32, 128);
  memset(pm + 1024, 1, 128);
  persist_range(pm + 1024, 128);
  return 0;
}
