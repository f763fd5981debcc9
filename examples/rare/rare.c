/* A small store in persistent memory with seven persistency races, from frequent to rare. `perdure bench regions` counts which of
 * them come to light. Usage: rare POOL THREADS OPERATIONS SEED
 *
 * Every access is protected by a lock, but some stores are persisted only after the lock has been given back, and one is
 * protected by a lock that its reader does not take. */
#include <fcntl.h>
#include <immintrin.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define SLOTS 1024
#define STRIPES 64

struct slot {
  uint64_t value;
  uint64_t owner;
  char rest_of_line[48];
};

/* Each field has a line of its own. */
struct field {
  uint64_t value;
  char rest_of_line[56];
};

struct root {
  struct field count, checkpoint, generation, free_list, watermark, name;
  struct slot slots[2][SLOTS];
};

static struct root *root;
static pthread_mutex_t stripes[STRIPES];
static pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER, log_lock = PTHREAD_MUTEX_INITIALIZER, table_lock = PTHREAD_MUTEX_INITIALIZER,
                       list_lock = PTHREAD_MUTEX_INITIALIZER, name_lock = PTHREAD_MUTEX_INITIALIZER, other_name_lock = PTHREAD_MUTEX_INITIALIZER;
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
static uint64_t think(uint64_t x) {
  for (int i = 0; i < 10000; i++) {
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

/* 1: the value is persisted after the stripe is free. */
static void put(uint64_t key, uint64_t value) {
  struct slot *slot = &root->slots[0][key % SLOTS];
  pthread_mutex_lock(&stripes[key % STRIPES]);
  slot->value = value;
  pthread_mutex_unlock(&stripes[key % STRIPES]);
  persist(slot);
}

static uint64_t get(uint64_t key) {
  const struct slot *slot = &root->slots[0][key % SLOTS];
  pthread_mutex_lock(&stripes[key % STRIPES]);
  uint64_t value = slot->value;
  pthread_mutex_unlock(&stripes[key % STRIPES]);
  return value;
}

/* 2: so is the owner of a slot, which few ask for. */
static void take_over(uint64_t key, uint64_t owner) {
  struct slot *slot = &root->slots[1][key % SLOTS];
  pthread_mutex_lock(&stripes[key % STRIPES]);
  slot->owner = owner;
  pthread_mutex_unlock(&stripes[key % STRIPES]);
  persist(slot);
}

static uint64_t owner_of(uint64_t key) {
  const struct slot *slot = &root->slots[1][key % SLOTS];
  pthread_mutex_lock(&stripes[key % STRIPES]);
  uint64_t owner = slot->owner;
  pthread_mutex_unlock(&stripes[key % STRIPES]);
  return owner;
}

/* 3 to 6: fields that are set now and then, each with a reader that comes now and then. */
static void set_late(struct field *field, pthread_mutex_t *lock, uint64_t value) {
  pthread_mutex_lock(lock);
  field->value = value;
  pthread_mutex_unlock(lock);
  persist(field);
}

static void count_one(void) {
  pthread_mutex_lock(&count_lock);
  root->count.value++;
  pthread_mutex_unlock(&count_lock);
  persist(&root->count);
}

static uint64_t read_field(const struct field *field, pthread_mutex_t *lock) {
  pthread_mutex_lock(lock);
  uint64_t value = field->value;
  pthread_mutex_unlock(lock);
  return value;
}

static void checkpoint(uint64_t value) { set_late(&root->checkpoint, &log_lock, value); }
static void new_generation(uint64_t value) { set_late(&root->generation, &table_lock, value); }
static void free_one(uint64_t value) { set_late(&root->free_list, &list_lock, value); }

/* 7: persisted in time, but the reader takes another lock. */
static void rename_it(uint64_t value) {
  pthread_mutex_lock(&name_lock);
  root->name.value = value;
  persist(&root->name);
  pthread_mutex_unlock(&name_lock);
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
  case 0: take_over(x % 64, x); break;
  case 1: sink = owner_of(x % 64); break;
  case 2: count_one(); break;
  case 3: sink = read_field(&root->count, &count_lock); break;
  case 4: if (x % 4 == 0) checkpoint(x); break;
  case 5: if (x % 4 == 0) sink = read_field(&root->checkpoint, &log_lock); break;
  case 6: if (x % 16 == 0) new_generation(x); break;
  case 7: if (x % 16 == 0) sink = read_field(&root->generation, &table_lock); break;
  case 8: if (x % 8 == 0) free_one(x); break;
  case 9: if (x % 8 == 0) sink = read_field(&root->free_list, &list_lock); break;
  case 10: if (x % 16 == 0) rename_it(x); break;
  case 11: if (x % 16 == 0) sink = read_field(&root->name, &other_name_lock); break;
  default: raise_watermark(x % 1000); break;
  }
}

static void *work(void *argument) {
  uint64_t state = (seed + 1) * 0x9e3779b97f4a7c15u ^ ((uint64_t)(uintptr_t)argument + 1) << 32;
  for (uint64_t i = 0; i < operations / (uint64_t)threads; i++) {
    uint64_t dice = next(&state), x = next(&state);
    sink = think(x);
    if (dice % 32 == 0) {
      rare_operation(dice >> 8, x >> 8);
    } else if (dice % 2 == 0) {
      put(x >> 8, x);
    } else {
      sink = get(x >> 8);
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
