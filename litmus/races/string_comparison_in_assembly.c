/* LITMUS
 * command: run
 * allow: persistency-race store=S1 load=L0
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=lockset,happens-before,observed-read
 * END */
/* repe cmpsb reads up to the first difference: the byte that is unpersisted, and no byte behind it. */
#include "litmus.h"

struct pool { _Alignas(LINE) char text[LINE]; };
static struct pool *pm;
static note first, stored, looked;

static void *writer(void *arg) {
  await(&first);
  pm->text[3] = 'x'; //@S1
  pm->text[4] = 'y';
  tell(&stored);
  await(&looked);
  pm_persist(pm->text, LINE);
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  pthread_t t;
  start(&t, writer, NULL);
  keep((uint64_t)pm->text[3]); //@L0
  tell(&first);
  await(&stored);
  char zeros[LINE] = "";
  const void *a = pm->text, *b = zeros;
  uint64_t n = LINE;
  __asm__ volatile("repe cmpsb" : "+S"(a), "+D"(b), "+c"(n) : : "memory", "cc"); //@L1
  tell(&looked);
  finish(t);
  return 0;
}
