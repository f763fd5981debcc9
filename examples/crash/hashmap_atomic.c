/* A hash map without transactions: an entry is persisted, then published by one store of eight bytes. The count may be wrong
 * after a failure; a mark says when it must be counted anew. */
#include "map.h"

#define BUCKETS 16
struct entry {
  uint64_t key, value, next; /* offsets in the pool: 0 is the end */
};
struct map {
  uint64_t bucket[BUCKETS];
  uint64_t count;
  char apart[64];
  uint64_t count_dirty;
};

static size_t map_size(void) { return sizeof(struct map); }

/* A bucket is the mark of its own entries, count_dirty that of the count. */
static void map_declare(struct map *map) {
  PERDURE_COMMIT_VAR(map->bucket, sizeof map->bucket);
  PERDURE_COMMIT_VAR(&map->count_dirty, sizeof map->count_dirty);
  PERDURE_COMMIT_RANGE(&map->count_dirty, &map->count, sizeof map->count);
}

static struct entry *at(uint64_t offset) { return (struct entry *)((char *)pool + offset); }

struct content {
  uint64_t key, value, next;
};

static int construct(PMEMobjpool *in, void *object, void *argument) {
  const struct content *content = argument;
  struct entry *entry = object;
  entry->key = content->key;
  entry->value = content->value;
  entry->next = content->next;
  if (BUG != 1 && BUG != 2 && BUG != 3) pmemobj_persist(in, entry, sizeof *entry); /* BUG 1, cross-failure-race: not persisted */
  return 0;
}

static void set(uint64_t *word, uint64_t value) {
  *word = value;
  pmemobj_persist(pool, word, sizeof *word);
}

static void map_insert(struct map *map, uint64_t key, uint64_t value) {
  uint64_t *bucket = &map->bucket[key % BUCKETS];
  struct content content = {key, value, *bucket};
  set(&map->count_dirty, BUG == 5 ? 0 : 1); /* BUG 5, cross-failure-semantic: the mark has the opposite value */
  PMEMoid oid;
  if (pmemobj_alloc(pool, &oid, sizeof(struct entry), 1, construct, &content) != 0) broken("no room");
  if (BUG == 2) { /* BUG 2, cross-failure-race: no fence between the entry and the store that publishes it */
    pmemobj_flush(pool, at(oid.off), sizeof(struct entry));
    *bucket = oid.off;
    pmemobj_flush(pool, bucket, sizeof *bucket);
    pmemobj_drain(pool);
  } else {
    set(bucket, oid.off);
  }
  if (BUG == 3) pmemobj_persist(pool, at(oid.off), sizeof(struct entry)); /* BUG 3, cross-failure-race: published before it is persisted */
  if (BUG == 7) pmemobj_persist(pool, at(oid.off), sizeof(struct entry)); /* BUG 7, redundant-flush: it is persistent already */
  map->count++;
  if (BUG != 4) pmemobj_persist(pool, &map->count, sizeof map->count); /* BUG 4, cross-failure-race: the count is not persisted */
  set(&map->count_dirty, BUG == 5 ? 1 : 0);
}

static uint64_t map_recover(struct map *map) {
  uint64_t keys = 0;
  for (int i = 0; i < BUCKETS; i++) {
    for (uint64_t offset = map->bucket[i]; offset != 0; keys++) {
      struct entry *entry = at(offset);
      if (entry->key % BUCKETS != (uint64_t)i) broken("a key is in the wrong chain");
      offset = entry->next;
    }
  }
  if (map->count_dirty != 0 && BUG != 6) { /* BUG 6, cross-failure-semantic: the count is believed although the mark is set */
    set(&map->count, keys);
    set(&map->count_dirty, 0);
  }
  if (BUG < 4 && keys != map->count) broken("the count is wrong");
  return BUG < 4 ? keys : map->count;
}
