/* LITMUS
 * command: run
 * expect: missing-flush store=S1
 * expect: missing-flush store=S2
 * END */
/* A relaxed block belongs to the thread and includes callees: neither another thread's stores nor those after it. */
#include "litmus.h"
#include <perdure.h>

static volatile uint64_t *pm;
static note in, out;

__attribute__((noinline)) static void put(int i) { pm[i] = 1; __asm__ volatile(""); }
static void *other(void *a) {
  await(&in);
  pm[8] = 1; //@S1
  tell(&out);
  return a;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], 4096);
  pthread_t t;
  start(&t, other, NULL);
  PERDURE_RELAXED_BEGIN();
  put(16);
  memset((char *)pm + 256, 1, (size_t)argc);
  tell(&in);
  await(&out);
  PERDURE_RELAXED_END();
  pm[24] = 1; //@S2
  finish(t);
  return 0;
}
