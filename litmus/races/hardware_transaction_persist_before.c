/* LITMUS
 * command: run
 * allow: persistency-race store=S1 load=L1 level<=possible
 * allow: persistency-race store=S1 load=L2 level<=possible
 * END
 *
 * The word is taken and given by hardware transactions, which come one after the other, and persisted in between: the reader that has it next
 * reads what is persistent. (It has had it before, so that the store is no initialisation.) No transaction is open at the accesses, so locksets alone
 * say that they may race. */
#include "transaction.h"

static uint64_t *pm;
static uint64_t owner; /* only transactions touch it */
static note looked, given;

__attribute__((noinline)) static void own(uint64_t who) {
  transaction_begin();
  owner = who;
  transaction_end();
}

static void *writer(void *arg) {
  await(&looked);
  own(1);
  pm[0] = 7; //@S1
  pm_persist(pm, 8);
  own(2);
  tell(&given);
  return arg;
}

static void *reader(void *arg) {
  own(2);
  uint64_t seen = pm[0]; //@L1
  own(0);
  tell(&looked);
  await(&given);
  own(2);
  keep(seen + pm[0]); //@L2
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
