/* Stores where a patch of the source finds it hard: several in a line, bodies without braces, conditions, loop heads, early returns. */
#include "pm.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct record { uint32_t length, sum; char text[56]; uint8_t used : 1; uint8_t mark : 3; };
struct pool { uint64_t head, tail; struct record records[16]; _Atomic uint64_t ticket; uint64_t hits[4]; };

static struct pool *pool;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int claim(uint64_t *ticket) { return (*ticket = atomic_fetch_add(&pool->ticket, 1)) < 1000; }

static int push(const char *text) {
  if (pool->head - pool->tail == 16) return 0;
  struct record *r = &pool->records[pool->head % 16];
  r->length = (uint32_t)strlen(text); memcpy(r->text, text, r->length);
  for (r->sum = 0, r->mark = 0; r->mark < 3; r->mark++) r->sum += r->mark;
  if (text[0] == 'e')
    r->used = 1;
  else r->used = 0;
  if ((pool->hits[text[1] & 3] = r->sum) > 7) return push("odd");
  return (int)++pool->head;
}

static void pop(void) { if (pool->head != pool->tail) { pool->records[pool->tail % 16].used = 0; pool->tail++; } }

static void *work(void *arg) {
  uint64_t ticket;
  for (int i = 0; i < 40 && claim(&ticket); i++) {
    char text[40];
    snprintf(text, sizeof text, "%s %d", (const char *)arg, i);
    pthread_mutex_lock(&lock);
    do push(text); while (pool->head % 3 == 1);
    while (pool->head - pool->tail > 8) pop();
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pool = (struct pool *)pm_map(argv[1]);
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, i ? "even" : "odd");
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return pool->head > 0 ? 0 : 1;
}
