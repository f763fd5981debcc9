/* A red-black tree with links to the parents; every insertion is a transaction. */
#include "map.h"

struct node {
  uint64_t key, value, red;
  PMEMoid parent, child[2];
};
struct map {
  PMEMoid root;
  uint64_t count;
  uint64_t turns;
};

static size_t map_size(void) { return sizeof(struct map); }
static void map_declare(struct map *map) { (void)map; }

static struct node *node_at(PMEMoid oid) { return OID_IS_NULL(oid) ? NULL : direct(oid); }
static int is_red(PMEMoid oid) { return !OID_IS_NULL(oid) && node_at(oid)->red; }
static int side_of(struct node *parent, PMEMoid oid) { return OID_EQUALS(parent->child[1], oid); }

static void link_to(struct map *map, PMEMoid parent, int side, PMEMoid child) {
  struct node *above = node_at(parent), *below = node_at(child);
  if (above == NULL) {
    LOG(&map->root);
    map->root = child;
  } else {
    if (BUG != 1) LOG(above); /* BUG 1, cross-failure-race: the parent is not logged */
    above->child[side] = child;
  }
  if (below != NULL) {
    LOG(below);
    below->parent = parent;
  }
}

static void rotate(struct map *map, PMEMoid oid, int to) {
  struct node *node = node_at(oid);
  PMEMoid up = node->child[!to], parent = node->parent, between = node_at(up)->child[to];
  int side = node_at(parent) != NULL ? side_of(node_at(parent), oid) : 0;
  link_to(map, oid, !to, between);
  link_to(map, parent, side, up);
  link_to(map, up, to, oid);
  if (BUG != 3) LOG(&map->turns);
  map->turns++;
  if (BUG == 3) LOG(&map->turns); /* BUG 3, cross-failure-race: logged after the change */
}

static void paint(PMEMoid oid, uint64_t red) {
  struct node *node = node_at(oid);
  if (BUG != 1) LOG(node);
  node->red = red;
}

static void balance(struct map *map, PMEMoid oid) {
  for (;;) {
    PMEMoid parent = node_at(oid)->parent;
    if (!is_red(parent)) break;
    PMEMoid grand = node_at(parent)->parent;
    int side = side_of(node_at(grand), parent);
    PMEMoid uncle = node_at(grand)->child[!side];
    if (is_red(uncle)) {
      paint(parent, 0);
      paint(uncle, 0);
      paint(grand, 1);
      oid = grand;
      continue;
    }
    if (side_of(node_at(parent), oid) != side) {
      rotate(map, parent, side);
      parent = oid;
    }
    paint(parent, 0);
    paint(grand, 1);
    rotate(map, grand, !side);
    break;
  }
  if (is_red(map->root)) paint(map->root, 0);
}

static void map_insert(struct map *map, uint64_t key, uint64_t value) {
  PMEMoid parent = OID_NULL, at = map->root, oid;
  int side = 0;
  while (!OID_IS_NULL(at)) {
    parent = at;
    side = key > node_at(at)->key;
    at = node_at(at)->child[side];
  }
  begin();
  struct node *node = new_object(sizeof *node, &oid);
  node->key = key;
  node->value = value;
  node->red = 1;
  link_to(map, parent, side, oid);
  balance(map, oid);
  if (BUG != 2) LOG(&map->count); /* BUG 2, cross-failure-race: the count is not logged */
  if (BUG != 4) map->count++;
  if (BUG == 5) pmemobj_tx_add_range_direct(&map->count, sizeof map->count); /* BUG 5, redundant-log: logged twice */
  commit();
  if (BUG == 4) map->count++; /* BUG 4, cross-failure-race: outside the transaction, never flushed */
  if (BUG == 6) pmemobj_persist(pool, node, sizeof *node); /* BUG 6, redundant-flush: the commit has persisted it */
}

static uint64_t count(PMEMoid oid, PMEMoid parent, int above_red) {
  if (OID_IS_NULL(oid)) return 0;
  struct node *node = node_at(oid);
  if (!OID_EQUALS(node->parent, parent)) broken("a node does not know its parent");
  if (above_red && node->red) broken("two red nodes in a row");
  return 1 + count(node->child[0], oid, (int)node->red) + count(node->child[1], oid, (int)node->red);
}

static uint64_t map_recover(struct map *map) {
  uint64_t keys = count(map->root, OID_NULL, 0);
  if (keys != map->count) broken("the count is wrong");
  if (map->turns > 2 * keys) broken("more turns than insertions allow");
  return keys;
}
