/* LITMUS
 * command: run
 * END */
/* C++ std::atomic with its default order hands x over. x is persisted before the hand-over. */
#include "litmus.h"
#include <atomic>
#include <thread>

struct Pool { alignas(LINE) uint64_t x; };
static Pool *pm;
static std::atomic<bool> ready{false};

static void writer() {
  pm->x = 1;
  pm_persist(&pm->x, sizeof pm->x);
  ready = true;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = static_cast<Pool *>(pm_map(argv[1], sizeof *pm));
  std::thread t(writer);
  while (!ready) pause_ms(2);
  keep(pm->x);
  t.join();
  return 0;
}
