/* LITMUS
 * command: run
 * END */
/* Gathers, and loads under a mask, leave out the elements that another thread has not persisted: nothing of it was read. */
#include "vectors.h"

struct pool { _Alignas(LINE) int line[16]; };
static struct pool *p;
static note stored, loaded;

static void *writer(void *unused) {
  scattered_store(p->line, 16, 0x0005, 1);
  masked_store(p[8].line, 0x0101, 1);
  tell(&stored);
  await(&loaded);
  pm_persist(&p[0], LINE);
  pm_persist(&p[2], LINE);
  pm_persist(&p[8], LINE);
  return unused;
}

static void *reader(void *unused) {
  await(&stored);
  keep((uint64_t)gathered_sum(p->line, 16, 0x000a));
  keep((uint64_t)masked_sum(p->line, 0xfffe));
  keep((uint64_t)masked_sum(p[8].line, 0xfefe));
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
