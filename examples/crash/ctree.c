/* A crit-bit tree: inner nodes name the highest bit in which the keys below them differ. */
#include "map.h"

struct node {
  uint64_t bit; /* LEAF for a leaf */
  uint64_t key, value;
  PMEMoid child[2];
};
#define LEAF 64
struct map {
  PMEMoid root;
  uint64_t count;
  uint64_t largest;
};

static size_t map_size(void) { return sizeof(struct map); }
static void map_declare(struct map *map) { (void)map; }

static int side(uint64_t key, uint64_t bit) { return (int)(key >> bit & 1); }

static PMEMoid leaf(uint64_t key, uint64_t value) {
  PMEMoid oid;
  struct node *node = new_object(sizeof *node, &oid);
  node->bit = LEAF;
  node->key = key;
  node->value = value;
  return oid;
}

static void put(struct map *map, uint64_t key, uint64_t value) {
  PMEMoid *link = &map->root;
  if (OID_IS_NULL(*link)) {
    if (BUG != 1) LOG(link); /* BUG 1, cross-failure-race: the link to the new node is not logged */
    *link = leaf(key, value);
    return;
  }
  struct node *found = direct(*link);
  while (found->bit != LEAF) found = direct(found->child[side(key, found->bit)]);
  if (found->key == key) {
    LOG(&found->value);
    found->value = value;
    return;
  }
  uint64_t bit = 63 - (uint64_t)__builtin_clzll(found->key ^ key);
  struct node *at = direct(*link);
  while (at->bit != LEAF && at->bit > bit) {
    link = &at->child[side(key, at->bit)];
    at = direct(*link);
  }
  PMEMoid oid;
  struct node *inner = new_object(sizeof *inner, &oid);
  inner->bit = bit;
  inner->child[side(key, bit)] = leaf(key, value);
  inner->child[!side(key, bit)] = *link;
  if (BUG == 3) *link = oid; /* BUG 3, cross-failure-race: changed before it is logged */
  if (BUG != 1) LOG(link);
  *link = oid;
}

static void map_insert(struct map *map, uint64_t key, uint64_t value) {
  begin();
  put(map, key, value);
  if (BUG != 2) LOG(&map->count); /* BUG 2, cross-failure-race: the count is not logged */
  if (BUG != 4) map->count++;
  if (BUG == 5) pmemobj_tx_add_range_direct(&map->count, sizeof map->count); /* BUG 5, redundant-log: logged twice */
  if (key > map->largest) {
    LOG(&map->largest);
    map->largest = key;
  }
  commit();
  if (BUG == 4) map->count++; /* BUG 4, cross-failure-race: outside the transaction, never flushed */
  if (BUG == 6) pmemobj_persist(pool, &map->count, sizeof map->count); /* BUG 6, redundant-flush: the commit has persisted it */
}

static uint64_t count(PMEMoid oid, uint64_t *largest) {
  if (OID_IS_NULL(oid)) return 0;
  struct node *node = direct(oid);
  if (node->bit == LEAF) {
    if (node->key > *largest) *largest = node->key;
    return 1;
  }
  if (node->bit > LEAF || OID_IS_NULL(node->child[0]) || OID_IS_NULL(node->child[1])) broken("an inner node without children");
  return count(node->child[0], largest) + count(node->child[1], largest);
}

static uint64_t map_recover(struct map *map) {
  uint64_t largest = 0, keys = count(map->root, &largest);
  if (keys != map->count) broken("the count is wrong");
  if (largest > map->largest) broken("the largest key is wrong");
  return keys;
}
