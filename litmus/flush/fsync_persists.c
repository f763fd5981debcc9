/* LITMUS
 * command: run
 * END */
/* fsync of the mapped file persists what was stored through the mapping, as msync does. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; _Alignas(LINE) uint64_t y; };

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pm = pm_map(argv[1], sizeof *pm);
  int fd = open(argv[1], O_RDWR);
  if (fd < 0) return 9;
  pm->x = 1;
  pm->y = 2;
  if (fsync(fd) != 0) return 9;
  close(fd);
  return 0;
}
