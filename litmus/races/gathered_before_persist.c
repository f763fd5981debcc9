/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=observed-read
 * expect: persistency-race store=S1 load=L2 level>=observed evidence=observed-read
 * expect: persistency-race store=S2 load=L3 level>=observed evidence=observed-read
 * END */
/* Gathers, and loads under a mask, take elements that scatters and masked stores of another thread have not persisted. */
#include "vectors.h"

struct pool { _Alignas(LINE) int line[16]; };
static struct pool *p;
static note stored, loaded;

static void *writer(void *unused) {
  scattered_store(p->line, 16, 0x0005, 1); //@S1
  masked_store(p[8].line, 0x0101, 1); //@S2
  tell(&stored);
  await(&loaded);
  pm_persist(&p[0], LINE);
  pm_persist(&p[2], LINE);
  pm_persist(&p[8], LINE);
  return unused;
}

static void *reader(void *unused) {
  await(&stored);
  keep((uint64_t)gathered_sum(p->line, 16, 0x0004)); //@L1
  keep((uint64_t)masked_sum(p->line, 0x0001)); //@L2
  keep((uint64_t)masked_sum(p[8].line, 0xffff)); //@L3
  tell(&loaded);
  return unused;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  p = pm_map(argv[1], 16 * sizeof *p);
  pthread_t t, u;
  start(&t, writer, NULL);
  start(&u, reader, NULL);
  finish(t);
  finish(u);
  return 0;
}
