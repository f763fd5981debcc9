/* A hash table with chains, a mutex for each part of it. A new record is persisted, then linked. */
#include "index.h"

enum { BUCKETS = 1 << 20, PARTS = 1 << 10 };

struct record {
  uint64_t key, value;
  struct record *next;
};

struct index {
  struct record *bucket[BUCKETS];
};

static pthread_mutex_t part[PARTS];

static size_t index_size(void) { return sizeof(struct index); }

static void index_create(struct index *index) {
  (void)index;
  for (unsigned i = 0; i < PARTS; i++) pthread_mutex_init(&part[i], NULL);
}

static struct record *find(struct record *at, uint64_t key) {
  while (at != NULL && at->key != key) at = at->next;
  return at;
}

static void index_put(struct index *index, uint64_t key, uint64_t value) {
  struct record **head = &index->bucket[key % BUCKETS];
  pthread_mutex_t *lock = &part[key % PARTS];
  pthread_mutex_lock(lock);
  struct record *known = find(*head, key);
  if (known != NULL) {
    known->value = value;
    PERSIST(known->value);
  } else {
    struct record *fresh = pm_new(sizeof *fresh);
    fresh->key = key;
    fresh->value = value;
    fresh->next = *head;
    PERSIST(*fresh);
    *head = fresh;
    PERSIST(*head);
  }
  pthread_mutex_unlock(lock);
}

static uint64_t index_get(struct index *index, uint64_t key) {
  pthread_mutex_t *lock = &part[key % PARTS];
  pthread_mutex_lock(lock);
  struct record *known = find(index->bucket[key % BUCKETS], key);
  uint64_t value = known == NULL ? 0 : known->value;
  pthread_mutex_unlock(lock);
  return value;
}

static uint64_t index_scan(struct index *index, uint64_t key, unsigned count) {
  (void)count;
  return index_get(index, key);
}
