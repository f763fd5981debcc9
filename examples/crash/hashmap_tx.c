/* A hash map with chains; every insertion is a transaction. */
#include "map.h"

#define BUCKETS 16
struct entry {
  uint64_t key, value;
  PMEMoid next;
};
struct map {
  uint64_t count;
  uint64_t last_key;
  PMEMoid bucket[BUCKETS];
};

static size_t map_size(void) { return sizeof(struct map); }
static void map_declare(struct map *map) { (void)map; }

static void map_insert(struct map *map, uint64_t key, uint64_t value) {
  PMEMoid *bucket = &map->bucket[key % BUCKETS];
  PMEMoid oid;
  begin();
  struct entry *entry = new_object(sizeof *entry, &oid);
  entry->key = key;
  entry->value = value;
  entry->next = *bucket;
  if (BUG == 3) *bucket = oid; /* BUG 3, cross-failure-race: the bucket is changed before it is logged */
  if (BUG != 1) LOG(bucket);   /* BUG 1, cross-failure-race: the bucket is not logged */
  *bucket = oid;
  if (BUG != 2) LOG(&map->count); /* BUG 2, cross-failure-race: the count is not logged */
  map->count++;
  if (BUG == 5) pmemobj_tx_add_range_direct(&map->count, sizeof map->count); /* BUG 5, redundant-log: the count is logged twice */
  if (BUG != 4) LOG(&map->last_key);
  if (BUG != 4) map->last_key = key;
  commit();
  if (BUG == 4) map->last_key = key; /* BUG 4, cross-failure-race: changed after the commit, and never flushed */
  if (BUG == 6) pmemobj_persist(pool, entry, sizeof *entry); /* BUG 6, redundant-flush: the commit has persisted it */
}

static uint64_t map_recover(struct map *map) {
  uint64_t keys = 0;
  for (int i = 0; i < BUCKETS; i++) {
    for (PMEMoid oid = map->bucket[i]; !OID_IS_NULL(oid); keys++) {
      struct entry *entry = direct(oid);
      if (entry->key % BUCKETS != (uint64_t)i) broken("a key is in the wrong chain");
      oid = entry->next;
    }
  }
  if (keys != map->count) broken("the count is wrong");
  if (keys > 0 && map->last_key == 0) broken("the last key is missing");
  return keys;
}
