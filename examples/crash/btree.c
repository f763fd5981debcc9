/* A B-tree whose full nodes are split on the way down; every insertion is a transaction. */
#include "map.h"

#define KEYS 5
struct node {
  uint64_t n;
  uint64_t key[KEYS], value[KEYS];
  PMEMoid child[KEYS + 1]; /* null in leaves */
};
struct map {
  PMEMoid root;
  uint64_t count;
  uint64_t height;
};

static size_t map_size(void) { return sizeof(struct map); }
static void map_declare(struct map *map) { (void)map; }

static int is_leaf(const struct node *node) { return OID_IS_NULL(node->child[0]); }

/* Makes room for a key, and for a child behind it, in a node that is not full. */
static void insert_at(struct node *node, uint64_t at, uint64_t key, uint64_t value, PMEMoid behind) {
  if (BUG == 3) node->n++; /* BUG 3, cross-failure-race: changed before it is logged */
  if (BUG != 1) LOG(node); /* BUG 1, cross-failure-race: the node is not logged */
  uint64_t n = BUG == 3 ? node->n - 1 : node->n;
  for (uint64_t i = n; i > at; i--) {
    node->key[i] = node->key[i - 1];
    node->value[i] = node->value[i - 1];
    node->child[i + 1] = node->child[i];
  }
  node->key[at] = key;
  node->value[at] = value;
  node->child[at + 1] = behind;
  node->n = n + 1;
}

static void split(struct node *parent, uint64_t at) {
  struct node *full = direct(parent->child[at]);
  PMEMoid oid;
  struct node *right = new_object(sizeof *right, &oid);
  uint64_t middle = KEYS / 2;
  right->n = KEYS - middle - 1;
  for (uint64_t i = 0; i < right->n; i++) {
    right->key[i] = full->key[middle + 1 + i];
    right->value[i] = full->value[middle + 1 + i];
  }
  for (uint64_t i = 0; i <= right->n; i++) right->child[i] = full->child[middle + 1 + i];
  insert_at(parent, at, full->key[middle], full->value[middle], oid);
  if (BUG != 7) LOG(full); /* BUG 7, cross-failure-race: the node that is split is not logged */
  full->n = middle;
}

static uint64_t place(const struct node *node, uint64_t key) {
  uint64_t at = 0;
  while (at < node->n && node->key[at] < key) at++;
  return at;
}

static void put(struct map *map, uint64_t key, uint64_t value) {
  PMEMoid oid;
  if (OID_IS_NULL(map->root) || ((struct node *)direct(map->root))->n == KEYS) {
    struct node *top = new_object(sizeof *top, &oid);
    top->child[0] = map->root;
    LOG(map);
    map->root = oid;
    map->height++;
    if (!OID_IS_NULL(top->child[0])) split(top, 0);
  }
  struct node *node = direct(map->root);
  while (!is_leaf(node)) {
    uint64_t at = place(node, key);
    if (((struct node *)direct(node->child[at]))->n == KEYS) {
      split(node, at);
      at = place(node, key);
    }
    node = direct(node->child[at]);
  }
  insert_at(node, place(node, key), key, value, OID_NULL);
}

static void map_insert(struct map *map, uint64_t key, uint64_t value) {
  begin();
  put(map, key, value);
  if (BUG != 2 && !is_known(map)) LOG(&map->count); /* BUG 2, cross-failure-race: the count is not logged */
  if (BUG != 4) map->count++;
  if (BUG == 5) pmemobj_tx_add_range_direct(&map->count, sizeof map->count); /* BUG 5, redundant-log: logged twice */
  commit();
  if (BUG == 4) map->count++; /* BUG 4, cross-failure-race: outside the transaction, never flushed */
  if (BUG == 6) pmemobj_persist(pool, &map->count, sizeof map->count); /* BUG 6, redundant-flush: the commit has persisted it */
}

static uint64_t count(PMEMoid oid, uint64_t *least) {
  if (OID_IS_NULL(oid)) return 0;
  struct node *node = direct(oid);
  if (node->n > KEYS) broken("a node has too many keys");
  uint64_t keys = node->n;
  for (uint64_t i = 0; i <= node->n; i++) {
    keys += is_leaf(node) ? 0 : count(node->child[i], least);
    if (i < node->n && node->key[i] < *least) broken("keys are out of order");
    if (i < node->n) *least = node->key[i];
  }
  return keys;
}

static uint64_t map_recover(struct map *map) {
  uint64_t least = 0, keys = count(map->root, &least);
  if (keys != map->count) broken("the count is wrong");
  return keys;
}
