/* LITMUS
 * command: fix
 * options: --mode opt
 * expect: flush at=A1
 * expect: fence before=B1
 * expect: flush at=B1
 * allow: fence
 * END */
/* A file is mapped over an array of the program, which goes on using the array's name. */
#include "litmus.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

struct pool { _Alignas(LINE) uint64_t x; _Alignas(LINE) uint64_t y; };
static struct pool pool[64] __attribute__((aligned(4096)));

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  int fd = open(argv[1], O_RDWR | O_CREAT, 0600);
  if (fd < 0 || ftruncate(fd, sizeof pool)) return 9;
  if (mmap(pool, sizeof pool, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED) return 9;
  pool[1].x = 1; //@A1
  pool[1].y = 2; //@B1
  return 0;
}
