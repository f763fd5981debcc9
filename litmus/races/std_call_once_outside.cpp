/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=happens-before
 * END */
/* std::call_once builds x, its persist comes after it. */
#include "litmus.h"
#include <mutex>
#include <thread>

static uint64_t *pm;
static std::once_flag once;
static note looked, built;

static void writer() {
  std::call_once(once, [] { *pm = 1; }); //@S1
  tell(&built);
  await(&looked);
  pm_persist(pm, 8);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = static_cast<uint64_t *>(pm_map(argv[1], 4096));
  std::thread t(writer);
  await(&built);
  std::call_once(once, [] { *pm = 2; });
  keep(*pm); //@L1
  tell(&looked);
  t.join();
  return 0;
}
