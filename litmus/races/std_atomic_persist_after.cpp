/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=happens-before
 * END */
/* C++ std::atomic with its default order hands x over. The store of x comes before the hand-over, its persist after
 * it. */
#include "litmus.h"
#include <atomic>
#include <thread>

struct Pool { alignas(LINE) uint64_t x; };
static Pool *pm;
static std::atomic<bool> ready{false};
static note looked;

static void writer() {
  pm->x = 1; //@S1
  ready = true;
  await(&looked);
  pm_persist(&pm->x, sizeof pm->x);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = static_cast<Pool *>(pm_map(argv[1], sizeof *pm));
  std::thread t(writer);
  while (!ready) pause_ms(2);
  keep(pm->x); //@L1
  tell(&looked);
  t.join();
  return 0;
}
