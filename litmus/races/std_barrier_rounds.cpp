/* LITMUS
 * command: run
 * libs: -std=c++20
 * allow: persistency-race store=S1 load=L1 level<=possible
 * END */
/* std::barrier of C++20, round by round, with a completion that reads everything. Everything is persisted before arriving. */
#include "litmus.h"
#include <barrier>
#include <thread>
#include <vector>

struct Cell { alignas(LINE) uint64_t v; };
static Cell *pm;

static uint64_t all() {
  uint64_t s = 0;
  for (int i = 0; i < 3; i++) s += pm[i].v; //@L1
  return s;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = static_cast<Cell *>(pm_map(argv[1], 3 * sizeof(Cell)));
  auto sum = []() noexcept { keep(all()); };
  std::barrier round(3, sum);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++) {
    threads.emplace_back([&round, i] {
      for (int r = 0; r < 4; r++) {
        pm[i].v = r + 1; //@S1
        pm_persist(&pm[i], sizeof(Cell));
        round.arrive_and_wait();
      }
    });
  }
  for (auto &t : threads) t.join();
  keep(all());
  return 0;
}
