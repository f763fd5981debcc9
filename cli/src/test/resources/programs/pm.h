/* What the programs of the command-line tests share. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static inline uint64_t *pm_map(const char *path) {
  int fd = open(path, O_RDWR | O_CREAT, 0600);
  if (fd < 0 || ftruncate(fd, 4096) != 0) {
    perror(path);
    exit(9);
  }
  void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (p == MAP_FAILED) {
    perror("mmap");
    exit(9);
  }
  close(fd);
  return p;
}
static inline void persist(void *p) { __asm__ volatile("clflushopt %0\n\tsfence" : "+m"(*(volatile char *)p) : : "memory"); }
