/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=happens-before
 * END */
/* A part of an ordinary variable is declared to be persistent memory; what lies beside it is not. */
#include "litmus.h"
#include <perdure.h>

static _Alignas(LINE) uint64_t area[4 * LINE / sizeof(uint64_t)];
static note stored, looked;

static void *writer(void *arg) {
  area[7] = 1;
  area[8] = 1; //@S1
  area[16] = 1;
  tell(&stored);
  await(&looked);
  pm_persist(&area[8], sizeof area[8]);
  return arg;
}

int main(void) {
  PERDURE_PM(&area[8], LINE);
  pthread_t t;
  start(&t, writer, NULL);
  await(&stored);
  keep(area[7]);
  keep(area[8]); //@L1
  keep(area[16]);
  tell(&looked);
  finish(t);
  return 0;
}
