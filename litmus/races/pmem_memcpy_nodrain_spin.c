/* LITMUS
 * command: run
 * libs: -lpmem
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=lockset,happens-before
 * END */
/* libpmem: pmem_memcpy_nodrain under a spin lock, whose unlock waits for nothing, and pmem_drain afterwards. The
 * reader sees bytes that are still on the way. */
#include "litmus.h"
#include <libpmem.h>

struct pool { _Alignas(LINE) char name[LINE]; };
static struct pool *pm;
static const char *text;
static pthread_spinlock_t a;
static note looked;

static void *writer(void *arg) {
  pthread_spin_lock(&a);
  pmem_memcpy_nodrain(pm->name, text, strlen(text) + 1); //@S1
  pthread_spin_unlock(&a);
  await(&looked);
  pmem_drain();
  return arg;
}

static int get(void) {
  pthread_spin_lock(&a);
  int c = pm->name[2]; //@L1
  pthread_spin_unlock(&a);
  return c;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  size_t length;
  int is_pmem;
  pm = pmem_map_file(argv[1], 4096, PMEM_FILE_CREATE, 0600, &length, &is_pmem);
  if (pm == NULL) { perror(argv[1]); return 9; }
  text = argc > 2 ? argv[2] : "a name of some length";
  pthread_spin_init(&a, PTHREAD_PROCESS_PRIVATE);
  pthread_t t;
  start(&t, writer, NULL);
  while (get() == 0) pause_ms(2);
  tell(&looked);
  finish(t);
  pmem_unmap(pm, length);
  return 0;
}
