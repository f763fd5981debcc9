/* A small key-value store in persistent memory with ten persistency races, from frequent to rare. `perdure bench regions` counts which
 * of them come to light. Usage: rare POOL THREADS OPERATIONS SEED
 *
 * The kinds are those of the indexes in the literature: readers without locks, stores that are persisted only after the lock has been
 * given back, a table that is exchanged now and then, a pointer that is never persisted, a value that is published before it is
 * persisted, and a reader that takes another lock. */
#include <fcntl.h>
#include <immintrin.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define SLOTS 1024
#define HOT 16
#define STRIPES 64

struct slot {
  uint64_t value;
  char rest_of_line[56];
};

/* Each field has a line of its own. */
struct field {
  uint64_t value;
  char rest_of_line[56];
};

struct root {
  struct field table, count, checkpoint, name, oldest, watermark;
  _Alignas(64) _Atomic uint64_t latest;
  _Alignas(64) struct slot slots[2][SLOTS];
  struct slot owners[SLOTS];
};

static struct root *root;
static pthread_mutex_t stripes[STRIPES];
static pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER, log_lock = PTHREAD_MUTEX_INITIALIZER, table_lock = PTHREAD_MUTEX_INITIALIZER,
                       name_lock = PTHREAD_MUTEX_INITIALIZER, other_name_lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t operations, seed;
static int threads;
static volatile uint64_t sink;

static void persist(const void *address) {
  _mm_clflush(address);
  _mm_sfence();
}

/* Work on ordinary memory: operations of a real store do more than touch one word. Its blocks are not counted (blocks.c). */
#ifdef __clang__
__attribute__((noinline, no_sanitize("coverage")))
#endif
static uint64_t think(uint64_t x, int steps) {
  for (int i = 0; i < steps; i++) {
    x = x * 6364136223846793005u + 1442695040888963407u;
  }
  return x;
}

static uint64_t next(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static uint64_t table(void) { return root->table.value % 2; }

/* 1: persisted in time, but get takes no lock. 2: so is the table that both ask for, and that resize exchanges. */
static void put(uint64_t key, uint64_t value) {
  struct slot *slot = &root->slots[table()][key];
  pthread_mutex_lock(&stripes[key % STRIPES]);
  sink = think(value, 200);
  slot->value = value;
  persist(slot);
  pthread_mutex_unlock(&stripes[key % STRIPES]);
}

static uint64_t get(uint64_t key) {
  const struct slot *slot = &root->slots[table()][key];
  sink = think(key, 100);
  return slot->value;
}

static void resize(void) {
  pthread_mutex_lock(&table_lock);
  root->table.value++;
  sink = think(root->table.value, 1000);
  persist(&root->table);
  pthread_mutex_unlock(&table_lock);
}

/* 3: the owner of a slot is persisted after the stripe is free. */
static void take_over(uint64_t key, uint64_t owner) {
  struct slot *slot = &root->owners[key];
  pthread_mutex_lock(&stripes[key % STRIPES]);
  slot->value = owner;
  pthread_mutex_unlock(&stripes[key % STRIPES]);
  persist(slot);
}

static uint64_t owner_of(uint64_t key) {
  const struct slot *slot = &root->owners[key];
  pthread_mutex_lock(&stripes[key % STRIPES]);
  uint64_t owner = slot->value;
  pthread_mutex_unlock(&stripes[key % STRIPES]);
  return owner;
}

/* 4 and 5: fields that are set now and then and persisted late, each with a reader that comes now and then. Counting reads the count, too. */
static void count_one(void) {
  pthread_mutex_lock(&count_lock);
  root->count.value++;
  pthread_mutex_unlock(&count_lock);
  persist(&root->count);
}

static uint64_t counted(void) {
  pthread_mutex_lock(&count_lock);
  uint64_t value = root->count.value;
  pthread_mutex_unlock(&count_lock);
  return value;
}

static void checkpoint(uint64_t value) {
  pthread_mutex_lock(&log_lock);
  root->checkpoint.value = value;
  pthread_mutex_unlock(&log_lock);
  persist(&root->checkpoint);
}

static uint64_t last_checkpoint(void) {
  pthread_mutex_lock(&log_lock);
  uint64_t value = root->checkpoint.value;
  pthread_mutex_unlock(&log_lock);
  return value;
}

/* 6: published, then persisted. */
static void publish(uint64_t value) {
  atomic_store_explicit(&root->latest, value, memory_order_release);
  persist((const void *)&root->latest);
}

static uint64_t published(void) { return atomic_load_explicit(&root->latest, memory_order_acquire); }

/* 7: persisted in time, but the reader takes another lock. */
static void rename_it(uint64_t value) {
  pthread_mutex_lock(&name_lock);
  root->name.value = value;
  persist(&root->name);
  pthread_mutex_unlock(&name_lock);
}

static uint64_t name(void) {
  pthread_mutex_lock(&other_name_lock);
  uint64_t value = root->name.value;
  pthread_mutex_unlock(&other_name_lock);
  return value;
}

/* 8: never persisted. */
static void collect(uint64_t value) {
  pthread_mutex_lock(&table_lock);
  if (root->oldest.value < value) {
    root->oldest.value = value;
  }
  pthread_mutex_unlock(&table_lock);
}

/* Correct: persisted while the lock is held. */
static void raise_watermark(uint64_t value) {
  pthread_mutex_lock(&count_lock);
  if (root->watermark.value < value) {
    root->watermark.value = value;
    persist(&root->watermark);
  }
  pthread_mutex_unlock(&count_lock);
}

static void rare_operation(uint64_t dice, uint64_t x) {
  switch (dice % 16) {
  case 0: take_over(x % SLOTS, x); break;
  case 1: sink = owner_of(x % SLOTS); break;
  case 2: count_one(); break;
  case 3: sink = counted(); break;
  case 4: if (x % 4 == 0) checkpoint(x); break;
  case 5: if (x % 4 == 0) sink = last_checkpoint(); break;
  case 6: if (x % 2 == 0) publish(x); break;
  case 7: if (x % 2 == 0) sink = published(); break;
  case 8: if (x % 8 == 0) rename_it(x); break;
  case 9: if (x % 8 == 0) sink = name(); break;
  case 10: if (x % 16 == 0) resize(); break;
  case 11: if (x % 16 == 0) collect(x); break;
  default: raise_watermark(x % 1000); break;
  }
}

static void *work(void *argument) {
  uint64_t state = (seed + 1) * 0x9e3779b97f4a7c15u ^ ((uint64_t)(uintptr_t)argument + 1) << 32;
  for (uint64_t i = 0; i < operations / (uint64_t)threads; i++) {
    uint64_t dice = next(&state), x = next(&state) >> 8;
    uint64_t key = x % 2 == 0 ? x / 2 % HOT : x / 2 % SLOTS;
    sink = think(x, 10000);
    if (dice % 8 == 0) {
      rare_operation(dice >> 8, x);
    } else if (dice % 2 == 0) {
      put(key, x);
    } else {
      sink = get(key);
    }
  }
  return NULL;
}

int main(int argc, char **argv) {
  if (argc < 5) {
    fprintf(stderr, "usage: rare POOL THREADS OPERATIONS SEED\n");
    return 2;
  }
  threads = atoi(argv[2]);
  operations = strtoull(argv[3], NULL, 10);
  seed = strtoull(argv[4], NULL, 10);
  int fd = open(argv[1], O_RDWR | O_CREAT, 0600);
  if (fd < 0 || ftruncate(fd, sizeof *root) != 0 || threads < 1 || threads > 64) {
    perror(argv[1]);
    return 2;
  }
  root = mmap(NULL, sizeof *root, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (root == MAP_FAILED) {
    perror(argv[1]);
    return 2;
  }
  for (int i = 0; i < STRIPES; i++) {
    pthread_mutex_init(&stripes[i], NULL);
  }
  pthread_t ids[64];
  for (int i = 0; i < threads; i++) {
    pthread_create(&ids[i], NULL, work, (void *)(uintptr_t)i);
  }
  for (int i = 0; i < threads; i++) {
    pthread_join(ids[i], NULL);
  }
  return 0;
}
