/* A hash table whose chains only grow, by compare-and-swap; values change by atomic stores. Readers persist what they rely on only
 * where they act on it: here, a put that finds its key. */
#include "index.h"

enum { BUCKETS = 1 << 20 };

struct record {
  uint64_t key;
  _Atomic uint64_t value;
  struct record *next;
};

struct index {
  struct record *_Atomic bucket[BUCKETS];
};

static size_t index_size(void) { return sizeof(struct index); }

static void index_create(struct index *index) { (void)index; }

static struct record *find(struct record *at, uint64_t key) {
  while (at != NULL && at->key != key) at = at->next;
  return at;
}

static void index_put(struct index *index, uint64_t key, uint64_t value) {
  struct record *_Atomic *head = &index->bucket[key % BUCKETS];
  struct record *first = atomic_load_explicit(head, memory_order_acquire);
  struct record *fresh = NULL;
  for (;;) {
    struct record *known = find(first, key);
    if (known != NULL) {
      PERSIST(*head);
      atomic_store_explicit(&known->value, value, memory_order_release);
      PERSIST(known->value);
      return;
    }
    if (fresh == NULL) {
      fresh = pm_new(sizeof *fresh);
      fresh->key = key;
      atomic_init(&fresh->value, value);
    }
    fresh->next = first;
    PERSIST(*fresh);
    if (atomic_compare_exchange_strong(head, &first, fresh)) {
      PERSIST(*head);
      return;
    }
  }
}

static uint64_t index_get(struct index *index, uint64_t key) {
  struct record *known = find(atomic_load_explicit(&index->bucket[key % BUCKETS], memory_order_acquire), key);
  return known == NULL ? 0 : atomic_load_explicit(&known->value, memory_order_acquire);
}

static uint64_t index_scan(struct index *index, uint64_t key, unsigned count) {
  (void)count;
  return index_get(index, key);
}
