/* LITMUS
 * command: run
 * libs: -std=c++20
 * allow: persistency-race store=S1 load=L0 level<=possible
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=happens-before,observed-read
 * END */
/* A latch of C++20 is counted down before x is persisted. */
#include "litmus.h"
#include <latch>

struct pool { alignas(LINE) uint64_t x; };
static struct pool *pm;
static std::latch written(1);
static note looked;

static void *writer(void *arg) {
  pm->x = 1; //@S1
  written.count_down();
  await(&looked);
  pm_persist(&pm->x, sizeof pm->x);
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
  tell(&looked);
  finish(t);
  return 0;
}
