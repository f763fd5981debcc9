/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=happens-before
 * END */
/* A std::promise announces x to the one who waits for its future. x is persisted only after that. */
#include "litmus.h"
#include <future>
#include <thread>

struct Pool { alignas(LINE) uint64_t x; };
static Pool *pm;
static std::promise<int> done;
static note looked;

static void writer() {
  pm->x = 1; //@S1
  done.set_value(1);
  await(&looked);
  pm_persist(&pm->x, sizeof pm->x);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = static_cast<Pool *>(pm_map(argv[1], sizeof *pm));
  keep(pm->x);
  std::thread t(writer);
  if (done.get_future().get() != 1) return 8;
  keep(pm->x); //@L1
  tell(&looked);
  t.join();
  return 0;
}
