/* The speed benchmark's program: a PM hash table of 64K buckets with a mutex each; half of the operations put with flush and
 * fence, half get.
 *
 *     hashtable POOL THREADS OPERATIONS
 *
 * Prints wall and CPU seconds of the operations alone. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { LINE = 64, BUCKETS = 1 << 16, SLOTS = 3 };

struct bucket {
  _Alignas(LINE) uint64_t key[SLOTS];
  uint64_t value[SLOTS];
  uint64_t count;
};

static struct bucket *table;
static pthread_mutex_t lock[BUCKETS];
static long operations_each;

static void persist(const void *p, size_t n) {
  for (uintptr_t a = (uintptr_t)p & -(uintptr_t)LINE; a < (uintptr_t)p + n; a += LINE)
    __asm__ volatile("clflushopt %0" : "+m"(*(volatile char *)a));
  __asm__ volatile("sfence" : : : "memory");
}

static uint64_t mix(uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdu;
  x ^= x >> 33;
  return x;
}

static void put(uint64_t key, uint64_t value) {
  uint64_t h = mix(key) % BUCKETS;
  struct bucket *b = &table[h];
  pthread_mutex_lock(&lock[h]);
  unsigned i = 0;
  while (i + 1 < SLOTS && b->key[i] != key && b->key[i] != 0) i++;
  b->key[i] = key;
  b->value[i] = value;
  persist(b, sizeof *b);
  pthread_mutex_unlock(&lock[h]);
}

static uint64_t get(uint64_t key) {
  uint64_t h = mix(key) % BUCKETS, v = 0;
  struct bucket *b = &table[h];
  pthread_mutex_lock(&lock[h]);
  for (unsigned i = 0; i < SLOTS; i++) {
    if (b->key[i] == key) {
      v = b->value[i];
      break;
    }
  }
  pthread_mutex_unlock(&lock[h]);
  return v;
}

static void *worker(void *arg) {
  uint64_t state = (uintptr_t)arg * 0x9e3779b97f4a7c15u, sum = 0;
  for (long i = 0; i < operations_each; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    uint64_t key = (state >> 20) % (BUCKETS * 2) + 1;
    if (state >> 63)
      put(key, state);
    else
      sum += get(key);
  }
  return (void *)(uintptr_t)sum;
}

static double seconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: %s POOL THREADS OPERATIONS\n", argv[0]);
    return 2;
  }
  int threads = atoi(argv[2]);
  if (threads < 1 || threads > 64) return 2;
  operations_each = atol(argv[3]) / threads;
  int fd = open(argv[1], O_RDWR | O_CREAT, 0600);
  if (fd < 0 || ftruncate(fd, BUCKETS * sizeof *table) != 0) {
    perror(argv[1]);
    return 1;
  }
  table = mmap(NULL, BUCKETS * sizeof *table, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
  if (table == MAP_FAILED) {
    perror("mmap");
    return 1;
  }
  for (int i = 0; i < BUCKETS; i++) pthread_mutex_init(&lock[i], NULL);
  double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
  pthread_t thread[64];
  uint64_t sum = 0;
  for (int i = 0; i < threads; i++)
    if (pthread_create(&thread[i], NULL, worker, (void *)(uintptr_t)(i + 1)) != 0) return 1;
  for (int i = 0; i < threads; i++) {
    void *r;
    pthread_join(thread[i], &r);
    sum += (uintptr_t)r;
  }
  wall = seconds(CLOCK_MONOTONIC) - wall;
  cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  printf("wall %.6f cpu %.6f sum %lx\n", wall, cpu, (unsigned long)sum);
  return 0;
}
