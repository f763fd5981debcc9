/* A radix tree without locks, six bits of the key a level. A missing node is put in by compare-and-swap; whoever loses uses the
 * winner's. Values are words in the lowest level. */
#include "index.h"

enum { BITS = 6, FANOUT = 1 << BITS, LEVELS = (KEY_BITS + 1 + BITS - 1) / BITS };

struct node {
  _Atomic uintptr_t child[FANOUT]; /* a node, or a value in the lowest level */
};

struct index {
  struct node root;
};

static size_t index_size(void) { return sizeof(struct index); }

static void index_create(struct index *index) { (void)index; }

static unsigned digit(uint64_t key, int level) { return (unsigned)(key >> (level * BITS)) % FANOUT; }

static struct node *child_of(struct node *node, unsigned at) {
  return (struct node *)atomic_load_explicit(&node->child[at], memory_order_acquire);
}

static struct node *make_child(struct node *node, unsigned at) {
  struct node *fresh = pm_new(sizeof *fresh);
  memset(fresh, 0, sizeof *fresh);
  PERSIST(*fresh);
  uintptr_t expected = 0;
  if (!atomic_compare_exchange_strong(&node->child[at], &expected, (uintptr_t)fresh)) fresh = (struct node *)expected;
  PERSIST(node->child[at]);
  return fresh;
}

static void index_put(struct index *index, uint64_t key, uint64_t value) {
  struct node *node = &index->root;
  for (int level = LEVELS - 1; level > 0; level--) {
    unsigned at = digit(key, level);
    struct node *next = child_of(node, at);
    if (next == NULL)
      next = make_child(node, at);
    else
      flush(&node->child[at], sizeof node->child[at]);
    node = next;
  }
  fence();
  unsigned at = digit(key, 0);
  atomic_store_explicit(&node->child[at], value, memory_order_release);
  PERSIST(node->child[at]);
}

static uint64_t index_get(struct index *index, uint64_t key) {
  struct node *node = &index->root;
  for (int level = LEVELS - 1; level > 0 && node != NULL; level--) node = child_of(node, digit(key, level));
  return node == NULL ? 0 : atomic_load_explicit(&node->child[digit(key, 0)], memory_order_acquire);
}

static void scan(struct node *node, int level, uint64_t key, int bounded, unsigned *left, uint64_t *sum) {
  unsigned first = bounded ? digit(key, level) : 0;
  for (unsigned i = first; i < FANOUT && *left > 0; i++) {
    uintptr_t child = atomic_load_explicit(&node->child[i], memory_order_acquire);
    if (child == 0) continue;
    if (level > 0) {
      scan((struct node *)child, level - 1, key, bounded && i == first, left, sum);
    } else {
      *sum += child;
      --*left;
    }
  }
}

static uint64_t index_scan(struct index *index, uint64_t key, unsigned count) {
  uint64_t sum = 0;
  scan(&index->root, LEVELS - 1, key, 1, &count, &sum);
  return sum;
}
