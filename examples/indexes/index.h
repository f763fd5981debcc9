/* What the indexes of this folder share: a pool, an allocator, flushes placed by hand, and a driver with YCSB-like loads.
 *
 *     INDEX POOL LOADS KEYS OPERATIONS THREADS
 *
 * LOADS are one or more of a (half reads, half puts), b (95 % reads), c (reads only) and e (95 % scans, 5 % puts), one after the
 * other, e with a tenth of the operations. The keys are put in first; wall and CPU seconds are printed of the operations of each load.
 * Puts alternate between keys that are there and new ones. */
#ifndef INDEX_H
#define INDEX_H
#include <fcntl.h>
#include <perdure.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { LINE = 64, MOST_THREADS = 16, MOST_SCANNED = 20, KEY_BITS = 24 };

struct index; /* the root object, each index has its own */

static size_t index_size(void);
static void index_create(struct index *index);
static void index_put(struct index *index, uint64_t key, uint64_t value);
static uint64_t index_get(struct index *index, uint64_t key);
/* Sums up to so many values from the key on, in the order of keys; an index without order has none. */
static uint64_t index_scan(struct index *index, uint64_t key, unsigned count);

static inline void flush(const void *p, size_t n) {
  for (uintptr_t a = (uintptr_t)p & -(uintptr_t)LINE; a < (uintptr_t)p + n; a += LINE)
    __asm__ volatile("clwb %0" : "+m"(*(volatile char *)a));
}

static inline void fence(void) { __asm__ volatile("sfence" : : : "memory"); }

static inline void persist(const void *p, size_t n) {
  flush(p, n);
  fence();
}
#define PERSIST(object) persist(&(object), sizeof(object))

/* Each thread takes pieces of the pool, and objects from its piece. Where the pool is used up to is kept in ordinary memory: a
 * restart would have to find it from the objects that can be reached. */
enum { PIECE = 1 << 20 };
static char *pool_next, *pool_end;
static _Thread_local char *piece_next, *piece_end;

static void *pm_new(size_t size) {
  size = (size + 15) & ~(size_t)15;
  if ((size_t)(piece_end - piece_next) < size) {
    piece_next = __atomic_fetch_add(&pool_next, PIECE, __ATOMIC_RELAXED);
    piece_end = piece_next + PIECE;
    if (piece_end > pool_end) {
      fputs("the pool is full\n", stderr);
      exit(3);
    }
  }
  void *object = piece_next;
  piece_next += size;
  PERDURE_ALLOC(object, size);
  return object;
}

/* Spreads numbers over all keys, each number to a key of its own. */
static uint64_t key_of(uint64_t number) {
  uint64_t mask = (1u << KEY_BITS) - 1;
  number = (number * 0x9e3779b1u) & mask;
  number ^= number >> (KEY_BITS / 2);
  return ((number * 0x85ebca6bu) & mask) + 1;
}

static struct index *driver_index;
static char driver_load;
static uint64_t driver_keys, driver_operations;
static int driver_threads;

struct worker {
  pthread_t thread;
  uint64_t number, fresh, sum;
};

static void *driver_work(void *argument) {
  struct worker *me = argument;
  uint64_t state = me->number * 0x9e3779b97f4a7c15u + 1, fresh = me->fresh;
  unsigned puts = driver_load == 'a' ? 50 : driver_load == 'c' ? 0 : 5;
  uint64_t operations = driver_load == 'e' ? driver_operations / 10 : driver_operations;
  for (uint64_t i = 0; i < operations; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    uint64_t key = key_of((state >> 20) % driver_keys);
    if ((state >> 50) % 100 < puts) {
      if (state >> 63) {
        key = key_of(fresh);
        fresh += (uint64_t)driver_threads;
      }
      index_put(driver_index, key, state | 1);
    } else if (driver_load == 'e') {
      me->sum += index_scan(driver_index, key, 1 + (unsigned)(state >> 40) % MOST_SCANNED);
    } else {
      uint64_t value = index_get(driver_index, key);
      if (value == 0) {
        fprintf(stderr, "key %lx is lost\n", (unsigned long)key);
        exit(3);
      }
      me->sum += value;
    }
  }
  me->fresh = fresh;
  return NULL;
}

static double driver_seconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static struct worker driver_workers[MOST_THREADS];

static int driver_run(char load) {
  driver_load = load;
  double wall = driver_seconds(CLOCK_MONOTONIC), cpu = driver_seconds(CLOCK_PROCESS_CPUTIME_ID);
  uint64_t sum = 0;
  for (int i = 0; i < driver_threads; i++)
    if (pthread_create(&driver_workers[i].thread, NULL, driver_work, &driver_workers[i]) != 0) return 1;
  for (int i = 0; i < driver_threads; i++) {
    pthread_join(driver_workers[i].thread, NULL);
    sum += driver_workers[i].sum;
  }
  wall = driver_seconds(CLOCK_MONOTONIC) - wall;
  cpu = driver_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  printf("load %c wall %.6f cpu %.6f sum %lx\n", load, wall, cpu, (unsigned long)sum);
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 6 || argv[2][0] == 0 || argv[2][strspn(argv[2], "abce")] != 0) {
    fprintf(stderr, "usage: %s POOL LOADS KEYS OPERATIONS THREADS (loads: some of a, b, c, e)\n", argv[0]);
    return 2;
  }
  driver_keys = strtoull(argv[3], NULL, 10);
  driver_threads = atoi(argv[5]);
  if (driver_keys < 1 || driver_threads < 1 || driver_threads > MOST_THREADS) return 2;
  driver_operations = strtoull(argv[4], NULL, 10) / (uint64_t)driver_threads;
  uint64_t operations = driver_operations * (uint64_t)driver_threads * strlen(argv[2]);
  size_t size = index_size() + PIECE * (size_t)(MOST_THREADS + 2) + (driver_keys + operations) * 1024;
  int fd = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (fd < 0 || ftruncate(fd, (off_t)size) != 0) {
    perror(argv[1]);
    return 1;
  }
  char *pool = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (pool == MAP_FAILED) {
    perror("mmap");
    return 1;
  }
  driver_index = (struct index *)pool;
  pool_next = pool + ((index_size() + LINE - 1) & ~(size_t)(LINE - 1));
  pool_end = pool + size;
  index_create(driver_index);
  for (uint64_t i = 0; i < driver_keys; i++) index_put(driver_index, key_of(i), i + 1);
  for (int i = 0; i < driver_threads; i++) {
    driver_workers[i].number = (uint64_t)i;
    driver_workers[i].fresh = driver_keys + (uint64_t)i;
  }
  PERDURE_ROI_BEGIN();
  for (const char *load = argv[2]; *load != 0; load++)
    if (driver_run(*load) != 0) return 1;
  PERDURE_ROI_END();
  return 0;
}
#endif
