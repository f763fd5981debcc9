/* A red-black tree with an undo log: each node is copied into the log before an insertion changes it for the first time; the changes
 * are made persistent together, then the log is emptied. */
#include "index.h"

enum { LEFT, RIGHT, MOST_LOGGED = 64 };
enum { BLACK, RED };

struct node {
  uint64_t key, value, colour;
  struct node *parent, *child[2];
};

struct index {
  struct node *root;
  uint64_t logged;
  struct entry {
    struct node *node; /* NULL: the entry is the pointer to the root */
    struct node old;
  } log[MOST_LOGGED];
};

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static size_t index_size(void) { return sizeof(struct index); }

/* What a restart has to do first, too. */
static void roll_back(struct index *index) {
  while (index->logged > 0) {
    struct entry *entry = &index->log[index->logged - 1];
    if (entry->node == NULL) {
      index->root = entry->old.parent;
      PERSIST(index->root);
    } else {
      *entry->node = entry->old;
      PERSIST(*entry->node);
    }
    index->logged--;
    PERSIST(index->logged);
  }
}

static void index_create(struct index *index) { roll_back(index); }

static void remember(struct index *index, struct node *node) {
  for (uint64_t i = 0; i < index->logged; i++)
    if (index->log[i].node == node) return;
  struct entry *entry = &index->log[index->logged];
  entry->node = node;
  if (node != NULL)
    entry->old = *node;
  else
    entry->old.parent = index->root;
  PERSIST(*entry);
  index->logged++;
  PERSIST(index->logged);
}

static void commit(struct index *index) {
  for (uint64_t i = 0; i < index->logged; i++) {
    struct node *node = index->log[i].node;
    if (node != NULL)
      flush(node, sizeof *node);
    else
      flush(&index->root, sizeof index->root);
  }
  fence();
  index->logged = 0;
  PERSIST(index->logged);
}

static void replace_child(struct index *index, struct node *parent, struct node *old, struct node *fresh) {
  remember(index, parent);
  if (parent == NULL)
    index->root = fresh;
  else
    parent->child[parent->child[RIGHT] == old] = fresh;
}

static void rotate(struct index *index, struct node *node, int side) {
  struct node *up = node->child[!side];
  remember(index, node);
  remember(index, up);
  node->child[!side] = up->child[side];
  if (up->child[side] != NULL) {
    remember(index, up->child[side]);
    up->child[side]->parent = node;
  }
  up->parent = node->parent;
  replace_child(index, node->parent, node, up);
  up->child[side] = node;
  node->parent = up;
}

static void colour(struct index *index, struct node *node, uint64_t with) {
  if (node->colour != with) {
    remember(index, node);
    node->colour = with;
  }
}

static void balance(struct index *index, struct node *node) {
  while (node->parent != NULL && node->parent->colour == RED) {
    struct node *parent = node->parent, *above = parent->parent;
    int side = above->child[RIGHT] == parent;
    struct node *uncle = above->child[!side];
    if (uncle != NULL && uncle->colour == RED) {
      colour(index, parent, BLACK);
      colour(index, uncle, BLACK);
      colour(index, above, RED);
      node = above;
      continue;
    }
    if (parent->child[!side] == node) {
      rotate(index, parent, side);
      node = parent;
      parent = node->parent;
    }
    colour(index, parent, BLACK);
    colour(index, above, RED);
    rotate(index, above, !side);
  }
  colour(index, index->root, BLACK);
}

static struct node *find(struct index *index, uint64_t key, struct node **parent) {
  struct node *at = index->root;
  *parent = NULL;
  while (at != NULL && at->key != key) {
    *parent = at;
    at = at->child[key > at->key];
  }
  return at;
}

static void insert(struct index *index, struct node *parent, uint64_t key, uint64_t value) {
  struct node *fresh = pm_new(sizeof *fresh);
  fresh->key = key;
  fresh->value = value;
  fresh->colour = RED;
  fresh->parent = parent;
  fresh->child[LEFT] = NULL;
  fresh->child[RIGHT] = NULL;
  PERSIST(*fresh);
  remember(index, parent);
  if (parent == NULL)
    index->root = fresh;
  else
    parent->child[key > parent->key] = fresh;
  balance(index, fresh);
  commit(index);
}

static void index_put(struct index *index, uint64_t key, uint64_t value) {
  struct node *parent;
  pthread_rwlock_wrlock(&lock);
  struct node *known = find(index, key, &parent);
  if (known == NULL) {
    insert(index, parent, key, value);
  } else {
    known->value = value;
    PERSIST(known->value);
  }
  pthread_rwlock_unlock(&lock);
}

static uint64_t index_get(struct index *index, uint64_t key) {
  struct node *parent;
  pthread_rwlock_rdlock(&lock);
  struct node *known = find(index, key, &parent);
  uint64_t value = known == NULL ? 0 : known->value;
  pthread_rwlock_unlock(&lock);
  return value;
}

static void scan(const struct node *at, uint64_t key, unsigned *left, uint64_t *sum) {
  if (at == NULL || *left == 0) return;
  if (at->key >= key) {
    scan(at->child[LEFT], key, left, sum);
    if (*left > 0) {
      *sum += at->value;
      --*left;
    }
  }
  scan(at->child[RIGHT], key, left, sum);
}

static uint64_t index_scan(struct index *index, uint64_t key, unsigned count) {
  uint64_t sum = 0;
  pthread_rwlock_rdlock(&lock);
  scan(index->root, key, &count, &sum);
  pthread_rwlock_unlock(&lock);
  return sum;
}
