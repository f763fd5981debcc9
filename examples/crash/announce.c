/* Announces data by a mark, and persists the mark first: only an image without what was not persisted shows it.
 *
 *     announce POOL write
 *     announce POOL recover */
#include <fcntl.h>
#include <immintrin.h>
#include <perdure.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct announcement {
  _Alignas(64) uint64_t mark;
  _Alignas(64) uint64_t data;
};

static void announce(struct announcement *pm) {
  pm->data = 42;
  pm->mark = 1;
  _mm_clflush(&pm->mark); /* (1) */
  _mm_clflush(&pm->data); /* (2) */
}

static int recover(const struct announcement *pm) {
  uint64_t mark = pm->mark, data = pm->data;
  printf("mark %d, data %d\n", (int)mark, (int)data);
  return mark == 0 || data == 42 ? 0 : 3;
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  int fd = open(argv[1], O_RDWR | O_CREAT, 0600);
  if (fd < 0 || ftruncate(fd, sizeof(struct announcement)) != 0) return 9;
  struct announcement *pm = mmap(NULL, sizeof *pm, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (pm == MAP_FAILED) return 9;
  PERDURE_COMMIT_VAR(&pm->mark, sizeof pm->mark);
  if (strcmp(argv[2], "recover") == 0) return recover(pm);
  announce(pm);
  return 0;
}
