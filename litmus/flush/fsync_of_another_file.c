/* LITMUS
 * command: run
 * expect: missing-flush store=S1
 * END */
/* fsync of some other file persists nothing here. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; _Alignas(LINE) uint64_t y; };

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pm = pm_map(argv[1], sizeof *pm);
  FILE *other = tmpfile();
  if (other == NULL) return 9;
  pm->x = 1; //@S1
  if (fsync(fileno(other)) != 0) return 9;
  fclose(other);
  return 0;
}
