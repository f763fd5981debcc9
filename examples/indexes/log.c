/* A log of records with its end in persistent memory, and a table of the newest record of each key in ordinary memory. */
#include "index.h"

enum { BLOCK = 1 << 15 };

struct record {
  uint64_t key, value;
};

struct block {
  struct block *previous;
  uint64_t used;
  struct record record[BLOCK];
};

struct index {
  struct block *newest;
};

static pthread_mutex_t end = PTHREAD_MUTEX_INITIALIZER;
static struct record *_Atomic newest[(1u << KEY_BITS) + 1];

static size_t index_size(void) { return sizeof(struct index); }

static void add_block(struct index *index) {
  struct block *block = pm_new(sizeof *block);
  block->previous = index->newest;
  block->used = 0;
  persist(block, offsetof(struct block, record));
  index->newest = block;
  PERSIST(index->newest);
}

static void index_create(struct index *index) { add_block(index); }

static void index_put(struct index *index, uint64_t key, uint64_t value) {
  pthread_mutex_lock(&end);
  if (index->newest->used == BLOCK) add_block(index);
  struct block *block = index->newest;
  struct record *record = &block->record[block->used];
  record->key = key;
  record->value = value;
  PERSIST(*record);
  block->used++;
  PERSIST(block->used);
  atomic_store_explicit(&newest[key], record, memory_order_release);
  pthread_mutex_unlock(&end);
}

static uint64_t index_get(struct index *index, uint64_t key) {
  (void)index;
  struct record *record = atomic_load_explicit(&newest[key], memory_order_acquire);
  return record == NULL ? 0 : record->value;
}

static uint64_t index_scan(struct index *index, uint64_t key, unsigned count) {
  (void)count;
  return index_get(index, key);
}
