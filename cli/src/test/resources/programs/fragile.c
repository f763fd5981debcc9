/* Counts lines of its input in persistent memory; aborts at "boom". */
#include <fcntl.h>
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int fd = open(argv[1], O_RDWR | O_CREAT, 0600);
  if (argc < 3 || fd < 0 || ftruncate(fd, 4096) != 0) {
    return 2;
  }
  uint64_t *lines = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  FILE *input = fopen(argv[2], "r");
  char line[64];
  while (fgets(line, sizeof line, input) != NULL) {
    if (strncmp(line, "boom", 4) == 0) {
      abort();
    }
    ++*lines;
    _mm_clflush(lines);
    _mm_sfence();
  }
  return 0;
}
