/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=happens-before
 * END */
/* The mapping is moved by mremap between the writer's store and the reader's load; the reader sees the same memory at another address. */
#include "litmus.h"

static char *pm;
static note stored, looked;

static void *writer(void *arg) {
  pm[100] = 1; //@S1
  tell(&stored);
  await(&looked);
  pm_persist(pm + 100, 1);
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], 4096);
  pthread_t t;
  start(&t, writer, NULL);
  await(&stored);
  char *room = mmap(NULL, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char *moved = mremap(pm, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, room);
  if (moved == MAP_FAILED) return 9;
  pm = moved;
  keep((uint64_t)moved[100]); //@L1
  tell(&looked);
  finish(t);
  return 0;
}
