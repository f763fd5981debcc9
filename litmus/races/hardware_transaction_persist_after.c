/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=proven
 * END
 *
 * Two hardware transactions, one after the other. The end of the first makes its store visible; the store is persisted only afterwards, and
 * the second reads it in between. */
#include "transaction.h"

static uint64_t *pm;
static note stored, loaded;

__attribute__((noinline)) static void put(void) { pm[0] = 7; } //@S1
__attribute__((noinline)) static uint64_t get(void) { return pm[0]; } //@L1

static void *writer(void *arg) {
  transaction_begin();
  put();
  transaction_end();
  tell(&stored);
  await(&loaded);
  pm_persist(pm, 8);
  return arg;
}

static void *reader(void *arg) {
  await(&stored);
  transaction_begin();
  uint64_t seen = get();
  transaction_end();
  keep(seen);
  tell(&loaded);
  return arg;
}

int main(int argc, char **argv) {
  (void)argc;
  pm = pm_map(argv[1], 4096);
  pm[8] = 1;
  pm_persist(pm + 8, 8);
  pthread_t a, b;
  start(&a, writer, NULL);
  start(&b, reader, NULL);
  finish(a);
  finish(b);
  return 0;
}
