#include "thread_numbers.h"
#include "runtime.h"
#include "system.h"
#include <sys/mman.h>

/* Nodes stay with their pthread_t for good: libc uses the same ones again and again. */
struct node {
  struct node *next;
  pthread_t thread;
  uint32_t number; /* 0: none now */
};
#define BUCKETS 1024
#define NODES_AT_ONCE 1024

static struct node *buckets[BUCKETS];
static struct node *fresh;
static uint32_t fresh_left;
static uint32_t lock;
static uint32_t announced; /* threads that are to come */

static struct node **bucket_of(pthread_t thread) { return &buckets[(uint64_t)thread >> 12 & (BUCKETS - 1)]; }

static struct node *find(pthread_t thread) {
  for (struct node *n = *bucket_of(thread); n != NULL; n = n->next) {
    if (n->thread == thread) {
      return n;
    }
  }
  return NULL;
}

static struct node *add(pthread_t thread) {
  if (fresh_left == 0) {
    long room = SYSTEM6(SYS_mmap, 0, NODES_AT_ONCE * sizeof(struct node), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (system_failed(room)) {
      return NULL;
    }
    fresh = (struct node *)room;
    fresh_left = NODES_AT_ONCE;
  }
  struct node *node = &fresh[--fresh_left];
  struct node **bucket = bucket_of(thread);
  *node = (struct node){*bucket, thread, 0};
  *bucket = node;
  return node;
}

static uint32_t number_of(pthread_t thread) {
  perdure_spin_lock(&lock);
  struct node *node = find(thread);
  uint32_t number = node != NULL ? node->number : 0;
  perdure_spin_unlock(&lock);
  return number;
}

void thread_number_remember(pthread_t thread, uint32_t number) {
  perdure_spin_lock(&lock);
  struct node *node = find(thread);
  if (node == NULL) {
    node = add(thread);
  }
  if (node != NULL) {
    node->number = number;
  }
  perdure_spin_unlock(&lock);
}

void thread_number_announce(void) { __atomic_add_fetch(&announced, 1, __ATOMIC_SEQ_CST); }
void thread_number_call_off(void) { __atomic_sub_fetch(&announced, 1, __ATOMIC_SEQ_CST); }

void thread_number_arrive(pthread_t thread, uint32_t number) {
  thread_number_remember(thread, number);
  thread_number_call_off();
}

uint32_t thread_number_expect(pthread_t thread) {
  uint32_t number;
  bool all_began;
  do {
    all_began = __atomic_load_n(&announced, __ATOMIC_SEQ_CST) == 0;
    number = number_of(thread);
    if (number == 0 && !all_began) {
      system_yield();
    }
  } while (number == 0 && !all_began);
  return number;
}

void thread_number_forget(pthread_t thread) { thread_number_remember(thread, 0); }

void thread_number_forget_if(pthread_t thread, uint32_t number) {
  perdure_spin_lock(&lock);
  struct node *node = find(thread);
  if (node != NULL && node->number == number) {
    node->number = 0;
  }
  perdure_spin_unlock(&lock);
}

void thread_numbers_hold(void) { perdure_spin_lock(&lock); }
void thread_numbers_drop(void) { perdure_spin_unlock(&lock); }

void thread_numbers_forget_all(void) {
  announced = 0;
  for (int i = 0; i < BUCKETS; i++) {
    for (struct node *n = buckets[i]; n != NULL; n = n->next) {
      n->number = 0;
    }
  }
}
