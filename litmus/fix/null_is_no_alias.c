/* LITMUS
 * command: fix
 * options: --mode opt
 * expect: flush at=A1
 * forbid: flush at=O1
 * forbid: flush at=O2
 * allow: fence
 * after-fix: clean
 * END */
/* The address of a persistent pointer and that of an ordinary list may both be null. That makes no aliases of them: what is stored through the one is not
 * loaded through the other, and the list is left alone. */
#include "litmus.h"

struct pool { _Alignas(LINE) void *slot[8]; };
struct item { struct item *next; uint64_t v; };
static struct pool *pool;

__attribute__((noinline)) static void **slot(uint64_t number) { return number > 7 ? NULL : &pool->slot[number]; }

__attribute__((noinline)) static struct item *add(struct item *list, uint64_t v) {
  struct item *item = v == 0 ? NULL : malloc(sizeof *item);
  if (item == NULL) return list;
  item->next = list; //@O1
  item->v = v;
  return item;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pool = pm_map(argv[1], sizeof *pool);
  struct item *list = NULL;
  for (uint64_t i = 0; i < 4; i++) list = add(list, i);
  for (struct item *i = list; i != NULL; i = i->next) i->v++; //@O2
  void **at = slot(list == NULL ? 8 : list->v & 7);
  if (at != NULL) *at = pool; //@A1
  return 0;
}
