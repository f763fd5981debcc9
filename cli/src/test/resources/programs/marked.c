/* Announces data by a mark and persists the mark first; recovery believes it. */
#include <fcntl.h>
#include <perdure.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct pool {
  uint64_t mark;
  char apart[120];
  uint64_t data;
  char end[120];
};

static void persist(void *p) { __asm__ volatile("clflush %0" : "+m"(*(volatile char *)p) : : "memory"); }

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  int fd = open(argv[1], O_RDWR | O_CREAT, 0600);
  if (fd < 0 || ftruncate(fd, sizeof(struct pool)) != 0) return 9;
  struct pool *pm = mmap(NULL, sizeof *pm, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (pm == MAP_FAILED) return 9;
  PERDURE_COMMIT_VAR(&pm->mark, sizeof pm->mark);
  if (strcmp(argv[2], "recover") == 0) {
    if (pm->mark == 0) return 0;
    printf("data %d\n", (int)pm->data);
    return pm->data == 42 ? 0 : 3;
  }
  pm->data = 42;
  pm->mark = 1;
  persist(&pm->mark);
  persist(&pm->data);
  return 0;
}
