/* LITMUS
 * command: run
 * expect: missing-flush store=S2
 * expect: missing-flush store=S3
 * END */
/* msync persists the pages of its range; MS_ASYNC only begins to. fdatasync is as good as fsync. */
#include "litmus.h"

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  int fd = open(argv[1], O_RDWR | O_CREAT, 0600);
  if (ftruncate(fd, 5 * 4096)) return 9;
  char *pm = mmap(NULL, 5 * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  pm[3 * 4096] = 1;
  if (fdatasync(fd)) return 9;
  pm[0] = 1;
  pm[4096] = 1; //@S2
  if (msync(pm, 1, MS_SYNC)) return 9;
  pm[2 * 4096] = 1; //@S3
  if (msync(pm + 2 * 4096, 4096, MS_ASYNC)) return 9;
  return 0;
}
