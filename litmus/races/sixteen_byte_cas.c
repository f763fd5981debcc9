/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=happens-before
 * END */
/* A pointer and its version are changed together by cmpxchg16b in inline assembly. The reader loads the version, the
 * upper half, before the pair is persisted. A compare-and-swap that is never undone by a store is no lock. */
#include "litmus.h"

struct pair { _Alignas(16) uint64_t head; volatile uint64_t version; };
struct pool { _Alignas(LINE) struct pair p; };
static struct pool *pm;
static note looked;

static int swap(struct pair *p, uint64_t head, uint64_t version) {
  uint64_t old_head = p->head, old_version = p->version;
  unsigned char done;
  __asm__ volatile("lock cmpxchg16b %1\n\tsete %0" //@S1
                   : "=q"(done), "+m"(*p), "+a"(old_head), "+d"(old_version) //@S1
                   : "b"(head), "c"(version) //@S1
                   : "memory", "cc"); //@S1
  return done;
}

static void *writer(void *arg) {
  while (!swap(&pm->p, 7, 1)) pause_ms(1);
  await(&looked);
  pm_persist(&pm->p, sizeof pm->p);
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  pthread_t t;
  start(&t, writer, NULL);
  while (pm->p.version == 0) pause_ms(2); //@L1
  tell(&looked);
  finish(t);
  return 0;
}
