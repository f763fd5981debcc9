/* LITMUS
 * command: run
 * libs: -lpmem
 * END */
/* libpmem: pmem_memcpy_persist copies and persists, all inside the critical section. */
#include "litmus.h"
#include <libpmem.h>

struct pool { _Alignas(LINE) char name[LINE]; };
static struct pool *pm;
static const char *text;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *arg) {
  pthread_mutex_lock(&a);
  pmem_memcpy_persist(pm->name, text, strlen(text) + 1);
  pthread_mutex_unlock(&a);
  return arg;
}

static int get(void) {
  pthread_mutex_lock(&a);
  int c = pm->name[2];
  pthread_mutex_unlock(&a);
  return c;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  size_t length;
  int is_pmem;
  pm = pmem_map_file(argv[1], 4096, PMEM_FILE_CREATE, 0600, &length, &is_pmem);
  if (pm == NULL) { perror(argv[1]); return 9; }
  text = argc > 2 ? argv[2] : "a name of some length";
  pthread_t t;
  start(&t, writer, NULL);
  while (get() == 0) pause_ms(2);
  finish(t);
  pmem_unmap(pm, length);
  return 0;
}
