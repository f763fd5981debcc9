#include "pm.h"
/* Writes every word of many megabytes. */
int main(int argc, char **argv) {
  enum { BYTES = 64 << 20 };
  int fd = open(argv[1], O_RDWR | O_CREAT, 0600);
  if (argc < 2 || fd < 0 || ftruncate(fd, BYTES) != 0) return 2;
  volatile uint64_t *words = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (words == MAP_FAILED) return 3;
  for (size_t i = 0; i < BYTES / sizeof *words; i++) words[i] = i;
  return 0;
}
