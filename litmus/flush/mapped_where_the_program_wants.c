/* LITMUS
 * command: run
 * expect: missing-flush store=S1
 * expect: missing-flush store=S2
 * END */
/* A mapping at an address of the program's own choice, and one by a hint. */
#include "litmus.h"

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  int fd = open(argv[1], O_RDWR | O_CREAT, 0600);
  if (ftruncate(fd, 8192)) return 9;
  char *r = mmap(NULL, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char *pm = mmap(r + 4096, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
  if (pm != r + 4096) return 9;
  pm[0] = 1; //@S1
  pm[64] = 1;
  pm_flush(pm + 64);
  pm_fence();
  char *q = mmap((void *)0x20000000000, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 4096);
  if (q == MAP_FAILED) return 9;
  q[0] = 1; //@S2
  return 0;
}
