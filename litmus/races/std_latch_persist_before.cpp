/* LITMUS
 * command: run
 * libs: -std=c++20
 * allow: persistency-race store=S1 load=L0 level<=possible
 * allow: persistency-race store=S1 load=L1 level<=possible
 * END */
/* A latch of C++20 is counted down after x is persisted, and waited for before it is read. */
#include "litmus.h"
#include <latch>

struct pool { alignas(LINE) uint64_t x; };
static struct pool *pm;
static std::latch written(1);

static void *writer(void *arg) {
  pm->x = 1; //@S1
  pm_persist(&pm->x, sizeof pm->x);
  written.count_down();
  return arg;
}

static uint64_t get() {
  return pm->x; //@L0
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = (struct pool *)pm_map(argv[1], sizeof *pm);
  keep(get());
  pthread_t t;
  start(&t, writer, NULL);
  written.wait();
  keep(pm->x); //@L1
  finish(t);
  return 0;
}
