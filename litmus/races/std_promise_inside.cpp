/* LITMUS
 * command: run
 * allow: persistency-race store=S1 load=L1 level<=possible
 * END */
/* A std::promise announces x to the one who waits for its future. x is persisted before. */
#include "litmus.h"
#include <future>
#include <thread>

struct Pool { alignas(LINE) uint64_t x; };
static Pool *pm;
static std::promise<int> done;

static void writer() {
  pm->x = 1; //@S1
  pm_persist(&pm->x, sizeof pm->x);
  done.set_value(1);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = static_cast<Pool *>(pm_map(argv[1], sizeof *pm));
  keep(pm->x);
  std::thread t(writer);
  if (done.get_future().get() != 1) return 8;
  keep(pm->x); //@L1
  t.join();
  return 0;
}
