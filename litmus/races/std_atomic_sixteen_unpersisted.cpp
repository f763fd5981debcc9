/* LITMUS
 * command: run
 * libs: -latomic
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=happens-before
 * END */
/* A std::atomic of sixteen bytes in persistent memory: a pointer and its version. The compiler calls libatomic for it. */
#include "litmus.h"
#include <atomic>
#include <new>
#include <thread>

struct Tagged { uint64_t pointer, version; };
static std::atomic<Tagged> *pm;
static note stored, looked;

static void writer() {
  pm->store(Tagged{1, 2}, std::memory_order_release); //@S1
  tell(&stored);
  await(&looked);
  pm_persist(pm, sizeof *pm);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = static_cast<std::atomic<Tagged> *>(pm_map(argv[1], 4096));
  std::thread t(writer);
  await(&stored);
  Tagged seen = pm->load(std::memory_order_acquire); //@L1
  keep(seen.version);
  tell(&looked);
  t.join();
  return 0;
}
