/* A small persistent inventory: a hash table in a mapped file, one lock a bucket, a table that grows. It works, every access is
 * locked, ThreadSanitizer has nothing to say, and a crash loses data that other threads have acted upon.
 *
 *     inventory POOL [THREADS [OPERATIONS]]
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LINE = 64, BUCKETS = 256, SLOTS = 3, POOL_BYTES = 1 << 20, ITEMS = 512 };

struct bucket {
  _Alignas(LINE) uint64_t key[SLOTS];
  uint64_t quantity[SLOTS];
  uint64_t used;
};
struct pool {
  _Alignas(LINE) uint64_t deliveries; /* how many deliveries have been booked */
  _Alignas(LINE) uint64_t last_order; /* the number of the newest order */
  struct bucket bucket[BUCKETS];
};

static struct pool *pool;
static pthread_mutex_t bucket_lock[BUCKETS];
static pthread_mutex_t order_lock = PTHREAD_MUTEX_INITIALIZER;
static int operations = 4000;

static void write_back(const void *p) { __asm__ volatile("clflushopt %0" : "+m"(*(volatile char *)p)); }
static void fence(void) { __asm__ volatile("sfence" : : : "memory"); }
static void persist(const void *p, size_t n) {
  for (uintptr_t a = (uintptr_t)p & -(uintptr_t)LINE; a < (uintptr_t)p + n; a += LINE) write_back((void *)a);
  fence();
}

static struct bucket *bucket_of(uint64_t item) { return &pool->bucket[item % BUCKETS]; }

/* Books a delivery. The bucket is persisted, but only after its lock has been given back: in between another thread sees a
 * quantity that a crash would take away. */
static void deliver(uint64_t item, uint64_t amount) {
  struct bucket *b = bucket_of(item);
  pthread_mutex_lock(&bucket_lock[item % BUCKETS]);
  for (unsigned i = 0; i < SLOTS; i++) {
    if (b->key[i] == item || b->key[i] == 0) {
      b->key[i] = item;
      b->quantity[i] += amount;
      break;
    }
  }
  pthread_mutex_unlock(&bucket_lock[item % BUCKETS]);
  persist(b, sizeof *b);
}

/* Takes items out, as it should be: the lock is held until the change is durable. */
static int take(uint64_t item, uint64_t amount) {
  struct bucket *b = bucket_of(item);
  int done = 0;
  pthread_mutex_lock(&bucket_lock[item % BUCKETS]);
  for (unsigned i = 0; i < SLOTS; i++) {
    if (b->key[i] == item && b->quantity[i] >= amount) {
      b->quantity[i] -= amount;
      persist(&b->quantity[i], sizeof b->quantity[i]);
      done = 1;
      break;
    }
  }
  pthread_mutex_unlock(&bucket_lock[item % BUCKETS]);
  return done;
}

/* Numbers an order. The counter is never flushed at all. */
static uint64_t next_order(void) {
  pthread_mutex_lock(&order_lock);
  uint64_t n = ++pool->last_order;
  pthread_mutex_unlock(&order_lock);
  return n;
}

static void *worker(void *arg) {
  uint64_t state = (uintptr_t)arg * 2654435761u + 1, orders = 0;
  for (int i = 0; i < operations; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    uint64_t item = (state >> 33) % ITEMS + 1;
    if (state >> 62 & 1) {
      deliver(item, 5);
    } else if (take(item, 1)) {
      orders = next_order();
    }
  }
  return (void *)(uintptr_t)orders;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: %s POOL [THREADS [OPERATIONS]]\n", argv[0]);
    return 2;
  }
  int threads = argc > 2 ? atoi(argv[2]) : 4;
  if (argc > 3) operations = atoi(argv[3]);
  if (threads < 1 || threads > 64) threads = 4;
  int fd = open(argv[1], O_RDWR | O_CREAT, 0600);
  if (fd < 0 || ftruncate(fd, POOL_BYTES) != 0) {
    perror(argv[1]);
    return 1;
  }
  pool = mmap(NULL, POOL_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (pool == MAP_FAILED) {
    perror("mmap");
    return 1;
  }
  for (int i = 0; i < BUCKETS; i++) pthread_mutex_init(&bucket_lock[i], NULL);
  pthread_t thread[64];
  for (int i = 0; i < threads; i++) {
    if (pthread_create(&thread[i], NULL, worker, (void *)(uintptr_t)(i + 1)) != 0) return 1;
  }
  for (int i = 0; i < threads; i++) pthread_join(thread[i], NULL);
  printf("%d threads booked their deliveries, the last order is number %lu\n", threads, (unsigned long)pool->last_order);
  return 0;
}
