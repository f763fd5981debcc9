/* Counts lines of its input in persistent memory; aborts at "boom", and waits for ever at "stuck". */
#include <fcntl.h>
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

__attribute__((noinline)) static void explode(volatile uint64_t *lines) {
  *lines = 0;
  abort();
}

/* Nobody releases the lock. */
static void lock_twice(volatile uint64_t *lock) {
  *lock = 1;
  while (*lock == 1) {
  }
}

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
      explode(lines);
    }
    if (strncmp(line, "stuck", 5) == 0) {
      lock_twice(lines + 8);
    }
    ++*lines;
    _mm_clflush(lines);
    _mm_sfence();
  }
  return 0;
}
