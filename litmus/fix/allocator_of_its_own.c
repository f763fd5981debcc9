/* LITMUS
 * command: fix
 * options: --mode opt --config allocator_of_its_own.toml
 * expect: flush at=A1
 * expect: flush at=A2
 * expect: fence before=P1
 * forbid: fence before=A2
 * expect: flush at=P1
 * allow: fence
 * END */
/* The configuration names the allocator, so that its objects are known to be persistent and, until they are published, nobody
 * else's: two flushes, and one fence before the publication. */
#include "litmus.h"

struct node { _Alignas(LINE) uint64_t key; _Alignas(LINE) struct node *next; };
static char *arena;

__attribute__((noinline)) void *pm_alloc(size_t size) {
  static size_t used = LINE;
  void *p = arena + used;
  used += (size + LINE - 1) / LINE * LINE;
  return p;
}

static void insert(struct node **head, uint64_t key) {
  struct node *n = pm_alloc(sizeof *n);
  n->key = key; //@A1
  n->next = *head; //@A2
  *head = n; //@P1
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  arena = pm_map(argv[1], 4096);
  insert((struct node **)arena, 5);
  return 0;
}
