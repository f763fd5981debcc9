/* A concurrent hash table in persistent memory that grows, in the shape of figure 2 of the PMRace paper. `perdure bench fuzz` measures
 * with it how fast its bugs are found.
 *
 *   table POOL OPERATIONS THREADS   runs the operations of a file: "put KEY VALUE", "get KEY", "update KEY VALUE", "del KEY", one a line
 *   table POOL init                 makes an empty pool
 *   table POOL recover              what the program does after a crash
 *
 * Buckets are locked by a byte of their own; gets take no lock. Who finds a chain too long makes a table of twice the size, moves the
 * items bucket by bucket, and leaves moved buckets locked for good: writers that meet one wait for the new table. Its bugs:
 *   - the pointer to the new table is persisted after other threads can see it: what they put there is lost in a crash;
 *   - the old table is noted for reuse through a pointer that is not persisted yet;
 *   - recovery does not unlock buckets.
 * -DFIXED builds it without them; -DMISSING_UNLOCK adds an update that forgets to unlock when it finds no key. */
#include <fcntl.h>
#include <immintrin.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LINE = 64, SLOTS = 3, FIRST_BUCKETS = 4, LONGEST_CHAIN = 2, MOST_OPERATIONS = 4096, MOST_THREADS = 64 };
enum { POOL_BYTES = 8 << 20 };
enum { FREE = 0, LOCKED = 1, MOVED = 2 };
static const uint64_t MAGIC = 0x656c626174;

struct item {
  _Atomic uint64_t key; /* 0: empty */
  uint64_t value;
};

struct bucket {
  _Alignas(LINE) _Atomic uint8_t lock;
  struct item item[SLOTS];
  uint64_t next; /* offset of a further bucket, or 0 */
};

struct table {
  _Alignas(LINE) uint64_t buckets;
  _Alignas(LINE) struct bucket bucket[];
};

struct root {
  _Alignas(LINE) uint64_t magic;
  _Alignas(LINE) _Atomic uint64_t table; /* offset of the current one */
  _Alignas(LINE) uint64_t retired;       /* offset of the one before */
  _Alignas(LINE) uint64_t reusable;      /* bytes that a later table may use again */
  _Alignas(LINE) _Atomic uint64_t used;  /* bytes of the pool */
};

static struct root *root;
static atomic_flag growing = ATOMIC_FLAG_INIT;

static void persist(const volatile void *address, size_t length) {
  for (uintptr_t line = (uintptr_t)address & -(uintptr_t)LINE; line < (uintptr_t)address + length; line += LINE) {
    _mm_clflush((const void *)line);
  }
  _mm_sfence();
}

static void *at(uint64_t offset) { return (char *)root + offset; }
static uint64_t offset_of(const void *address) { return (uint64_t)((const char *)address - (const char *)root); }

/* Zeroed memory of the pool, a line at least. */
static void *allocate(size_t bytes) {
  uint64_t offset = atomic_fetch_add(&root->used, (bytes + LINE - 1) & -(size_t)LINE);
  persist(&root->used, sizeof root->used);
  if (offset + bytes > POOL_BYTES) {
    fputs("table: the pool is full\n", stderr);
    exit(1);
  }
  return at(offset);
}

static struct table *new_table(uint64_t buckets) {
  struct table *table = allocate(sizeof(struct table) + buckets * sizeof(struct bucket));
  table->buckets = buckets;
  persist(&table->buckets, sizeof table->buckets);
  return table;
}

static struct table *current_table(void) {
  struct table *table = at(atomic_load(&root->table));
#ifdef FIXED
  persist(&root->table, sizeof root->table);
#endif
  return table;
}

static struct bucket *bucket_of(struct table *table, uint64_t key) {
  return &table->bucket[key * UINT64_C(0x9E3779B97F4A7C15) >> 32 & (table->buckets - 1)];
}

/* The first bucket of the key's chain, locked, in the table that is current. */
static struct bucket *lock_bucket(uint64_t key) {
  for (;;) {
    struct bucket *bucket = bucket_of(current_table(), key);
    uint8_t expected = FREE;
    if (atomic_compare_exchange_strong(&bucket->lock, &expected, LOCKED)) {
      return bucket;
    }
    sched_yield();
  }
}

static void unlock(struct bucket *bucket) { atomic_store(&bucket->lock, FREE); }

static struct item *find(struct bucket *bucket, uint64_t key) {
  for (;; bucket = at(bucket->next)) {
    for (int i = 0; i < SLOTS; i++) {
      if (bucket->item[i].key == key) {
        return &bucket->item[i];
      }
    }
    if (bucket->next == 0) {
      return NULL;
    }
  }
}

/* Writes an item into the first free slot of a chain; returns the chain's length. The value is persistent before the key can be seen. */
static int insert(struct bucket *bucket, uint64_t key, uint64_t value) {
  for (int length = 1;; length++) {
    for (int i = 0; i < SLOTS; i++) {
      struct item *item = &bucket->item[i];
      if (item->key == 0) {
        item->value = value;
        persist(&item->value, sizeof value);
        item->key = key;
        persist(&item->key, sizeof key);
        return length;
      }
    }
    if (bucket->next == 0) {
      uint64_t fresh = offset_of(allocate(sizeof(struct bucket)));
      bucket->next = fresh;
      persist(&bucket->next, sizeof bucket->next);
    }
    bucket = at(bucket->next);
  }
}

static void move_bucket(struct bucket *from, struct table *to) {
  uint8_t expected = FREE;
  while (!atomic_compare_exchange_weak(&from->lock, &expected, MOVED)) {
    expected = FREE;
    sched_yield();
  }
  for (struct bucket *bucket = from;; bucket = at(bucket->next)) {
    for (int i = 0; i < SLOTS; i++) {
      struct item *item = &bucket->item[i];
      if (item->key != 0) {
        insert(bucket_of(to, item->key), item->key, item->value);
      }
    }
    if (bucket->next == 0) {
      return;
    }
  }
}

/* Notes the table that was current before as memory that can be used again. */
static void collect(void) {
  struct table *retired = at(root->retired);
  root->reusable += sizeof(struct table) + retired->buckets * sizeof(struct bucket);
  persist(&root->reusable, sizeof root->reusable);
}

static void grow(void) {
  if (atomic_flag_test_and_set(&growing)) {
    return;
  }
  struct table *old = current_table();
  struct table *larger = new_table(old->buckets * 2);
  for (uint64_t i = 0; i < old->buckets; i++) {
    move_bucket(&old->bucket[i], larger);
  }
  root->retired = offset_of(old);
#ifdef FIXED
  persist(&root->retired, sizeof root->retired);
#endif
  atomic_store(&root->table, offset_of(larger));
  persist(&root->table, sizeof root->table);
  collect();
  persist(&root->retired, sizeof root->retired);
  atomic_flag_clear(&growing);
}

static void put(uint64_t key, uint64_t value) {
  struct bucket *bucket = lock_bucket(key);
  struct item *known = find(bucket, key);
  int length = 0;
  if (known != NULL) {
    known->value = value;
    persist(&known->value, sizeof value);
  } else {
    length = insert(bucket, key, value);
  }
  unlock(bucket);
  if (length > LONGEST_CHAIN) {
    grow();
  }
}

static void update(uint64_t key, uint64_t value) {
  struct bucket *bucket = lock_bucket(key);
  struct item *known = find(bucket, key);
  if (known == NULL) {
#ifndef MISSING_UNLOCK
    unlock(bucket);
#endif
    return;
  }
  known->value = value;
  persist(&known->value, sizeof value);
  unlock(bucket);
}

static void del(uint64_t key) {
  struct bucket *bucket = lock_bucket(key);
  struct item *known = find(bucket, key);
  if (known != NULL) {
    known->key = 0;
    persist(&known->key, sizeof known->key);
  }
  unlock(bucket);
}

static uint64_t get(uint64_t key) {
  struct item *known = find(bucket_of(current_table(), key), key);
  return known == NULL ? 0 : known->value;
}

struct operation {
  char name[8];
  uint64_t key, value;
};

static struct operation operations[MOST_OPERATIONS];
static int count, threads;
static _Atomic uint64_t got;

static void read_operations(const char *path) {
  FILE *file = fopen(path, "r");
  if (file == NULL) {
    perror(path);
    exit(2);
  }
  char line[128];
  while (count < MOST_OPERATIONS && fgets(line, sizeof line, file) != NULL) {
    struct operation o = {"", 0, 0};
    if (sscanf(line, "%7s %lu %lu", o.name, &o.key, &o.value) >= 2) {
      o.key++;
      operations[count++] = o;
    }
  }
  fclose(file);
}

static void apply(const struct operation *o) {
  if (strcmp(o->name, "put") == 0) {
    put(o->key, o->value);
  } else if (strcmp(o->name, "update") == 0) {
    update(o->key, o->value);
  } else if (strcmp(o->name, "del") == 0) {
    del(o->key);
  } else if (strcmp(o->name, "get") == 0) {
    got += get(o->key);
  }
}

static void *worker(void *number) {
  for (int i = (int)(intptr_t)number; i < count; i += threads) {
    apply(&operations[i]);
  }
  return NULL;
}

static void run(void) {
  pthread_t all[MOST_THREADS];
  for (int i = 0; i < threads; i++) {
    if (pthread_create(&all[i], NULL, worker, (void *)(intptr_t)i) != 0) {
      perror("table: thread");
      exit(1);
    }
  }
  for (int i = 0; i < threads; i++) {
    pthread_join(all[i], NULL);
  }
}

static void initialise(void) {
  root->used = sizeof *root;
  persist(&root->used, sizeof root->used);
  root->table = offset_of(new_table(FIRST_BUCKETS));
  persist(&root->table, sizeof root->table);
  root->magic = MAGIC;
  persist(&root->magic, sizeof root->magic);
}

/* Counts the items that survived. */
static int recover(void) {
  struct table *table = current_table();
  uint64_t items = 0;
  for (uint64_t i = 0; i < table->buckets; i++) {
#ifdef FIXED
    atomic_store(&table->bucket[i].lock, FREE);
    persist(&table->bucket[i].lock, 1);
#endif
    for (struct bucket *b = &table->bucket[i];; b = at(b->next)) {
      for (int k = 0; k < SLOTS; k++) {
        items += b->item[k].key != 0;
      }
      if (b->next == 0) {
        break;
      }
    }
  }
  printf("%lu items\n", items);
  return 0;
}

static void map(const char *path) {
  int file = open(path, O_RDWR | O_CREAT, 0600);
  if (file < 0 || ftruncate(file, POOL_BYTES) != 0) {
    perror(path);
    exit(2);
  }
  root = mmap(NULL, POOL_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (root == MAP_FAILED) {
    perror(path);
    exit(2);
  }
  if (root->magic != MAGIC) {
    initialise();
  }
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fputs("usage: table POOL OPERATIONS THREADS | table POOL init | table POOL recover\n", stderr);
    return 2;
  }
  map(argv[1]);
  if (strcmp(argv[2], "init") == 0) {
    return 0;
  }
  if (strcmp(argv[2], "recover") == 0) {
    return recover();
  }
  threads = argc > 3 ? atoi(argv[3]) : 4;
  if (threads < 1 || threads > MOST_THREADS) {
    fputs("table: from 1 to 64 threads\n", stderr);
    return 2;
  }
  read_operations(argv[2]);
  run();
  return 0;
}
