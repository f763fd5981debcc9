/* LITMUS
 * command: run
 * END */
/* C++ std::shared_mutex: the writer holds it exclusively, the reader shared. The writer persists inside its scope, so
 * the reader's shared lock does protect its load. */
#include "litmus.h"
#include <mutex>
#include <shared_mutex>
#include <thread>

struct Pool { alignas(LINE) uint64_t x; };
static Pool *pm;
static std::shared_mutex a;

static void writer() {
  std::unique_lock<std::shared_mutex> guard(a);
  pm->x = 1;
  pm_persist(&pm->x, sizeof pm->x);
}

static uint64_t get() {
  std::shared_lock<std::shared_mutex> guard(a);
  uint64_t v = pm->x;
  return v;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = static_cast<Pool *>(pm_map(argv[1], sizeof *pm));
  std::thread t(writer);
  while (get() == 0) pause_ms(2);
  t.join();
  return 0;
}
