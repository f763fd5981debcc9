/* LITMUS
 * command: run
 * allow: persistency-race store=S1 load=L1 level<=possible
 * END */
/* Rounds of a computation with a barrier between them: in each round every thread reads what its neighbour persisted in the
 * round before, out of one of two halves, and writes into the other. No lock; the barrier orders it all. */
#include "litmus.h"

enum { N = 3, ROUNDS = 6 };
struct cell { _Alignas(LINE) uint64_t v; };
static struct cell *pm;
static pthread_barrier_t round_end;

static void *worker(void *arg) {
  uintptr_t me = (uintptr_t)arg;
  for (int r = 0; r < ROUNDS; r++) {
    uint64_t seen = pm[(r % 2) * N + (me + 1) % N].v; //@L1
    struct cell *mine = &pm[((r + 1) % 2) * N + me];
    mine->v = seen + 1; //@S1
    pm_persist(mine, sizeof *mine);
    pthread_barrier_wait(&round_end);
  }
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], 2 * N * sizeof *pm);
  pthread_barrier_init(&round_end, NULL, N);
  pthread_t t[N];
  for (uintptr_t i = 0; i < N; i++) start(&t[i], worker, (void *)i);
  for (int i = 0; i < N; i++) finish(t[i]);
  return 0;
}
