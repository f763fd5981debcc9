/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=happens-before
 * END */
/* std::condition_variable_any waits with a time limit over the shared side of a std::shared_mutex. x is persisted only after that. */
#include "litmus.h"
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

struct Pool { alignas(LINE) uint64_t x; };
static Pool *pm;
static std::shared_mutex mutex;
static std::condition_variable_any changed;
static bool ready;
static note looked;

static void writer() {
  pm->x = 1; //@S1
  {
    std::lock_guard<std::shared_mutex> guard(mutex);
    ready = true;
  }
  changed.notify_all();
  await(&looked);
  pm_persist(&pm->x, sizeof pm->x);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = static_cast<Pool *>(pm_map(argv[1], sizeof *pm));
  keep(pm->x);
  std::thread t(writer);
  {
    std::shared_lock<std::shared_mutex> guard(mutex);
    while (!ready) changed.wait_for(guard, std::chrono::milliseconds(20));
  }
  keep(pm->x); //@L1
  tell(&looked);
  t.join();
  return 0;
}
