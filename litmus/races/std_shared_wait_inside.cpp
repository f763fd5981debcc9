/* LITMUS
 * command: run
 * allow: persistency-race store=S1 load=L1 level<=possible
 * END */
/* std::condition_variable_any waits with a time limit over the shared side of a std::shared_mutex. x is persisted before. */
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

static void writer() {
  pm->x = 1; //@S1
  pm_persist(&pm->x, sizeof pm->x);
  {
    std::lock_guard<std::shared_mutex> guard(mutex);
    ready = true;
  }
  changed.notify_all();
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
  t.join();
  return 0;
}
