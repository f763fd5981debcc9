/* A B+-tree. Leaves are filled in the order of arrival, and a record counts when the leaf's number of records says so; a full leaf
 * becomes two new ones. Inner nodes are never changed but copied: one pointer switches from the old to the new. */
#include "index.h"

enum { LEAF = 32, INNER = 16 };

struct record {
  uint64_t key, value;
};

struct leaf {
  uint64_t count;
  struct record record[LEAF];
};

/* child[i] has the keys from key[i] on, up to key[i + 1]; key[0] is not looked at. */
struct inner {
  uint64_t count, leaves; /* leaves: whether the children are leaves */
  uint64_t key[INNER];
  void *child[INNER];
};

struct index {
  struct inner *root;
};

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static size_t index_size(void) { return sizeof(struct index); }

static void index_create(struct index *index) {
  struct leaf *leaf = pm_new(sizeof *leaf);
  leaf->count = 0;
  PERSIST(leaf->count);
  struct inner *root = pm_new(sizeof *root);
  root->count = 1;
  root->leaves = 1;
  root->key[0] = 0;
  root->child[0] = leaf;
  PERSIST(*root);
  index->root = root;
  PERSIST(index->root);
}

static unsigned branch(const struct inner *node, uint64_t key) {
  unsigned i = 1;
  while (i < node->count && node->key[i] <= key) i++;
  return i - 1;
}

static struct leaf *leaf_of(const struct inner *node, uint64_t key) {
  while (!node->leaves) node = node->child[branch(node, key)];
  return node->child[branch(node, key)];
}

static struct record *find(struct leaf *leaf, uint64_t key) {
  for (unsigned i = 0; i < leaf->count; i++)
    if (leaf->record[i].key == key) return &leaf->record[i];
  return NULL;
}

static int by_key(const void *a, const void *b) {
  const struct record *x = a, *y = b;
  return (x->key > y->key) - (x->key < y->key);
}

static struct leaf *new_leaf(const struct record *records, unsigned count) {
  struct leaf *leaf = pm_new(sizeof *leaf);
  memcpy(leaf->record, records, count * sizeof *records);
  leaf->count = count;
  PERSIST(*leaf);
  return leaf;
}

/* What takes the place of a child: one node, or two with the first key of the second. */
struct split {
  void *left, *right;
  uint64_t key;
};

static struct inner *new_inner(const uint64_t *keys, void *const *children, unsigned count, uint64_t leaves) {
  struct inner *node = pm_new(sizeof *node);
  memcpy(node->key, keys, count * sizeof *keys);
  memcpy(node->child, children, count * sizeof *children);
  node->leaves = leaves;
  node->count = count;
  PERSIST(*node);
  return node;
}

/* A copy of the node with a child replaced, or two copies where it would be too large. */
static struct split with_children(const struct inner *node, unsigned at, struct split child) {
  uint64_t keys[INNER + 1];
  void *children[INNER + 1];
  unsigned count = 0;
  for (unsigned i = 0; i < node->count; i++) {
    keys[count] = node->key[i];
    children[count++] = i == at ? child.left : node->child[i];
    if (i == at && child.right != NULL) {
      keys[count] = child.key;
      children[count++] = child.right;
    }
  }
  if (count <= INNER) return (struct split){new_inner(keys, children, count, node->leaves), NULL, 0};
  unsigned half = count / 2;
  return (struct split){new_inner(keys, children, half, node->leaves),
                        new_inner(keys + half, children + half, count - half, node->leaves), keys[half]};
}

static struct split split_leaf(const struct leaf *leaf) {
  struct record sorted[LEAF];
  memcpy(sorted, leaf->record, sizeof sorted);
  qsort(sorted, LEAF, sizeof *sorted, by_key);
  return (struct split){new_leaf(sorted, LEAF / 2), new_leaf(sorted + LEAF / 2, LEAF - LEAF / 2), sorted[LEAF / 2].key};
}

/* Splits the leaf of a key. The lowest inner node with room takes the change; above it nothing changes but one pointer. */
static void make_room(struct index *index, uint64_t key) {
  struct inner **path[16];
  unsigned depth = 0;
  struct inner **at = &index->root;
  path[depth++] = at;
  while (!(*at)->leaves) {
    at = (struct inner **)&(*at)->child[branch(*at, key)];
    path[depth++] = at;
  }
  struct split child = split_leaf((*at)->child[branch(*at, key)]);
  while (depth > 0) {
    struct inner **slot = path[--depth];
    child = with_children(*slot, branch(*slot, key), child);
    if (child.right == NULL) {
      *slot = child.left;
      PERSIST(*slot);
      return;
    }
  }
  uint64_t keys[] = {0, child.key};
  void *children[] = {child.left, child.right};
  index->root = new_inner(keys, children, 2, 0);
  PERSIST(index->root);
}

static void index_put(struct index *index, uint64_t key, uint64_t value) {
  pthread_rwlock_wrlock(&lock);
  struct leaf *leaf = leaf_of(index->root, key);
  struct record *known = find(leaf, key);
  if (known != NULL) {
    known->value = value;
    PERSIST(known->value);
  } else {
    if (leaf->count == LEAF) {
      make_room(index, key);
      leaf = leaf_of(index->root, key);
    }
    struct record *record = &leaf->record[leaf->count];
    record->key = key;
    record->value = value;
    PERSIST(*record);
    leaf->count++;
    PERSIST(leaf->count);
  }
  pthread_rwlock_unlock(&lock);
}

static uint64_t index_get(struct index *index, uint64_t key) {
  pthread_rwlock_rdlock(&lock);
  struct record *known = find(leaf_of(index->root, key), key);
  uint64_t value = known == NULL ? 0 : known->value;
  pthread_rwlock_unlock(&lock);
  return value;
}

static void scan_leaf(const struct leaf *leaf, uint64_t key, unsigned *left, uint64_t *sum) {
  struct record sorted[LEAF];
  unsigned count = 0;
  for (unsigned i = 0; i < leaf->count; i++)
    if (leaf->record[i].key >= key) sorted[count++] = leaf->record[i];
  qsort(sorted, count, sizeof *sorted, by_key);
  for (unsigned i = 0; i < count && *left > 0; i++, --*left) *sum += sorted[i].value;
}

static void scan(const struct inner *node, uint64_t key, unsigned *left, uint64_t *sum) {
  for (unsigned i = branch(node, key); i < node->count && *left > 0; i++) {
    if (node->leaves)
      scan_leaf(node->child[i], key, left, sum);
    else
      scan(node->child[i], key, left, sum);
  }
}

static uint64_t index_scan(struct index *index, uint64_t key, unsigned count) {
  uint64_t sum = 0;
  pthread_rwlock_rdlock(&lock);
  scan(index->root, key, &count, &sum);
  pthread_rwlock_unlock(&lock);
  return sum;
}
