/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=lockset,happens-before
 * END */
/* C++ std::shared_mutex: the writer holds it exclusively, the reader shared. The persist comes when the writer's
 * scope has ended. */
#include "litmus.h"
#include <mutex>
#include <shared_mutex>
#include <thread>

struct Pool { alignas(LINE) uint64_t x; };
static Pool *pm;
static std::shared_mutex a;
static note looked;

static void writer() {
  {
    std::unique_lock<std::shared_mutex> guard(a);
    pm->x = 1; //@S1
  }
  await(&looked);
  pm_persist(&pm->x, sizeof pm->x);
}

static uint64_t get() {
  std::shared_lock<std::shared_mutex> guard(a);
  uint64_t v = pm->x; //@L1
  return v;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = static_cast<Pool *>(pm_map(argv[1], sizeof *pm));
  std::thread t(writer);
  while (get() == 0) pause_ms(2);
  tell(&looked);
  t.join();
  return 0;
}
