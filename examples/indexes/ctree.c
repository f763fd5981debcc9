/* A crit-bit tree. Inner nodes branch on the highest bit in which the keys below differ; an insertion links one new inner node. */
#include "index.h"

struct leaf {
  uint64_t key, value;
};

struct node {
  uint64_t bit; /* below an inner node: the bit that it branches on; 0 in a slot that leads to a leaf */
  struct slot {
    struct node *node;
    struct leaf *leaf;
  } child[2];
};

struct index {
  struct slot root;
};

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static size_t index_size(void) { return sizeof(struct index); }

static void index_create(struct index *index) { (void)index; }

static struct leaf *nearest(const struct slot *at, uint64_t key) {
  while (at->node != NULL) at = &at->node->child[(key & at->node->bit) != 0];
  return at->leaf;
}

static struct leaf *new_leaf(uint64_t key, uint64_t value) {
  struct leaf *leaf = pm_new(sizeof *leaf);
  leaf->key = key;
  leaf->value = value;
  PERSIST(*leaf);
  return leaf;
}

static void insert(struct index *index, uint64_t key, uint64_t value, uint64_t differing) {
  uint64_t bit = 1ull << (63 - __builtin_clzll(differing));
  struct slot *at = &index->root;
  while (at->node != NULL && at->node->bit > bit) at = &at->node->child[(key & at->node->bit) != 0];
  struct node *fresh = pm_new(sizeof *fresh);
  int side = (key & bit) != 0;
  fresh->bit = bit;
  fresh->child[side].leaf = new_leaf(key, value);
  fresh->child[!side] = *at;
  PERSIST(*fresh);
  at->node = fresh;
  PERSIST(at->node);
}

static void index_put(struct index *index, uint64_t key, uint64_t value) {
  pthread_rwlock_wrlock(&lock);
  struct leaf *near = nearest(&index->root, key);
  if (near == NULL) {
    index->root.leaf = new_leaf(key, value);
    PERSIST(index->root.leaf);
  } else if (near->key == key) {
    near->value = value;
    PERSIST(near->value);
  } else {
    insert(index, key, value, near->key ^ key);
  }
  pthread_rwlock_unlock(&lock);
}

static uint64_t index_get(struct index *index, uint64_t key) {
  pthread_rwlock_rdlock(&lock);
  struct leaf *near = nearest(&index->root, key);
  uint64_t value = near == NULL || near->key != key ? 0 : near->value;
  pthread_rwlock_unlock(&lock);
  return value;
}

static void scan(const struct slot *at, uint64_t key, unsigned *left, uint64_t *sum) {
  if (*left == 0) return;
  if (at->node == NULL) {
    if (at->leaf != NULL && at->leaf->key >= key) {
      *sum += at->leaf->value;
      --*left;
    }
    return;
  }
  const struct leaf *other = nearest(at, key);
  uint64_t above = ~(2 * at->node->bit - 1);
  if ((other->key & above) < (key & above)) return;
  if ((other->key & above) > (key & above) || (key & at->node->bit) == 0) scan(&at->node->child[0], key, left, sum);
  scan(&at->node->child[1], key, left, sum);
}

static uint64_t index_scan(struct index *index, uint64_t key, unsigned count) {
  uint64_t sum = 0;
  pthread_rwlock_rdlock(&lock);
  scan(&index->root, key, &count, &sum);
  pthread_rwlock_unlock(&lock);
  return sum;
}
