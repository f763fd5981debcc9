/* LITMUS
 * command: run
 * libs: -latomic
 * allow: persistency-race store=S1 load=L1 level<=possible
 * END */
/* A std::atomic of sixteen bytes in ordinary memory hands x over: a release store and an acquire load, which compilers leave to a library or to an
 * instruction for sixteen bytes. x is persisted before. */
#include "litmus.h"
#include <atomic>
#include <thread>

struct Pool { alignas(LINE) uint64_t x; };
struct Tagged { uint64_t pointer, version; };
static Pool *pm;
static std::atomic<Tagged> ready;

static void writer() {
  pm->x = 1; //@S1
  pm_persist(&pm->x, sizeof pm->x);
  ready.store(Tagged{1, 1}, std::memory_order_release);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = static_cast<Pool *>(pm_map(argv[1], sizeof *pm));
  keep(pm->x);
  std::thread t(writer);
  while (ready.load(std::memory_order_acquire).version == 0) pause_ms(1);
  keep(pm->x); //@L1
  t.join();
  return 0;
}
