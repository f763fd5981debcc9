/* LITMUS
 * command: fix
 * options: --mode opt
 * END */
/* The program flushes ranges by a loop of its own, in a function and in place. Both count, and nothing is inserted. */
#include "litmus.h"

struct record { _Alignas(LINE) char name[40]; uint64_t sizes[20]; uint64_t used; };
static struct record *pool;

static void persist(const void *p, size_t n) {
  for (uintptr_t a = (uintptr_t)p & ~(uintptr_t)(LINE - 1); a < (uintptr_t)p + n; a += LINE) pm_flush((void *)a);
  pm_fence();
}

static void rename_to(struct record *r, const char *name, size_t length) {
  memcpy(r->name, name, length);
  persist(r->name, length);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pool = pm_map(argv[1], sizeof *pool);
  rename_to(pool, argv[0], strlen(argv[0]) % sizeof pool->name);
  memset(pool->sizes, 1, sizeof pool->sizes);
  char *end = (char *)pool->sizes + sizeof pool->sizes;
  for (char *a = (char *)((uintptr_t)pool->sizes & -(uintptr_t)LINE); a < end; a += LINE) pm_flush(a);
  pm_fence();
  pool->used = 20;
  persist(&pool->used, sizeof pool->used);
  return 0;
}
