/* LITMUS
 * command: run
 * options: --model cxl
 * expect: persistency-race store=S1 load=L1 level>=observed
 * expect: redundant-flush persist=P1
 * expect: redundant-fence persist=P1
 * expect: missing-fence store=S2
 * END */
/* With --model cxl everything is as with adr: races, needless operations, missing fences. */
#include "litmus.h"

static uint64_t *pm;
static note s, l;

static void *writer(void *a) {
  *pm = 1; //@S1
  tell(&s);
  await(&l);
  pm_persist(pm, 8);
  pm_persist(pm, 8); //@P1
  _mm_stream_si64((long long *)pm + 8, 1); //@S2
  return a;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], 4096);
  pthread_t t;
  start(&t, writer, NULL);
  await(&s);
  keep(*pm); //@L1
  tell(&l);
  finish(t);
  return 0;
}
