/* LITMUS
 * command: run
 * END */
/* Stores to a private mapping of the pool stay with the process: there is nothing to persist. */
#include "litmus.h"

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  char *pm = pm_map(argv[1], 4096);
  int fd = open(argv[1], O_RDWR);
  volatile char *copy = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
  if (copy == MAP_FAILED) return 9;
  copy[0] = 1;
  keep((uint64_t)pm[0]);
  return 0;
}
