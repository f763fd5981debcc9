#include "pm.h"
/* Functions of the project's own that flush, which anybody can see through. One call is needless. */
__attribute__((noinline)) void write_back(void *p) {
  __asm__ volatile("clflushopt %0" : "+m"(*(volatile char *)p) : : "memory");
}

__attribute__((noinline)) void drain(void) { __asm__ volatile("sfence" : : : "memory"); }

__attribute__((noinline)) void save(void *p, uint64_t n) {
  for (uint64_t i = 0; i < n; i += 64) write_back((char *)p + i);
  drain();
}

int main(int argc, char **argv) {
  (void)argc;
  uint64_t *pm = pm_map(argv[1]);
  pm[0] = 1;
  save(pm, 8);
  pm[8] = 1;
  save(pm, 8);
  write_back(pm + 8);
  drain();
  return 0;
}
