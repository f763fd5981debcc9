/* A skip list without locks: a new node is linked by compare-and-swap, level by level. The lowest level decides what is in the list;
 * the higher ones are hints. A value that is read may still be on its way to memory: what a put relies on it persists first. */
#include "index.h"

enum { LEVELS = 12 };

struct node {
  uint64_t key;
  _Atomic uint64_t value;
  uint64_t levels;
  struct node *_Atomic next[];
};

struct index {
  struct node *_Atomic first[LEVELS];
};

static size_t index_size(void) { return sizeof(struct index); }

static void index_create(struct index *index) { (void)index; }

static unsigned levels_of(uint64_t key) {
  uint64_t bits = (key * 0x9e3779b97f4a7c15u) >> 32;
  unsigned levels = 1;
  while (levels < LEVELS && (bits & 3) == 0) {
    levels++;
    bits >>= 2;
  }
  return levels;
}

/* The links before the key on each level, and the node with the key or behind it. */
static struct node *find(struct index *index, uint64_t key, struct node *_Atomic **links) {
  struct node *_Atomic *level = index->first;
  struct node *next = NULL;
  for (int i = LEVELS - 1; i >= 0; i--) {
    next = atomic_load_explicit(&level[i], memory_order_acquire);
    while (next != NULL && next->key < key) {
      level = next->next;
      next = atomic_load_explicit(&level[i], memory_order_acquire);
    }
    links[i] = &level[i];
  }
  return next;
}

static struct node *new_node(uint64_t key, uint64_t value, unsigned levels) {
  struct node *node = pm_new(sizeof *node + levels * sizeof *node->next);
  node->key = key;
  atomic_init(&node->value, value);
  node->levels = levels;
  return node;
}

static void index_put(struct index *index, uint64_t key, uint64_t value) {
  struct node *_Atomic *links[LEVELS];
  struct node *fresh = NULL;
  unsigned levels = levels_of(key);
  for (;;) {
    struct node *found = find(index, key, links);
    if (found != NULL && found->key == key) {
      PERSIST(*links[0]);
      atomic_store_explicit(&found->value, value, memory_order_release);
      PERSIST(found->value);
      return;
    }
    if (fresh == NULL) fresh = new_node(key, value, levels);
    atomic_init(&fresh->next[0], found);
    persist(fresh, sizeof *fresh + levels * sizeof *fresh->next);
    if (atomic_compare_exchange_strong(links[0], &found, fresh)) {
      PERSIST(*links[0]);
      break;
    }
  }
  for (unsigned i = 1; i < levels; i++) {
    for (;;) {
      find(index, key, links);
      struct node *next = atomic_load_explicit(links[i], memory_order_acquire);
      if (next == fresh || (next != NULL && next->key <= key)) break;
      atomic_store_explicit(&fresh->next[i], next, memory_order_release);
      PERSIST(fresh->next[i]);
      if (atomic_compare_exchange_strong(links[i], &next, fresh)) {
        PERSIST(*links[i]);
        break;
      }
    }
  }
}

static uint64_t index_get(struct index *index, uint64_t key) {
  struct node *_Atomic *links[LEVELS];
  struct node *found = find(index, key, links);
  return found == NULL || found->key != key ? 0 : atomic_load_explicit(&found->value, memory_order_acquire);
}

static uint64_t index_scan(struct index *index, uint64_t key, unsigned count) {
  struct node *_Atomic *links[LEVELS];
  uint64_t sum = 0;
  for (struct node *at = find(index, key, links); at != NULL && count > 0; count--) {
    sum += atomic_load_explicit(&at->value, memory_order_acquire);
    at = atomic_load_explicit(&at->next[0], memory_order_acquire);
  }
  return sum;
}
